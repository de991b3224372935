"""The manual as one PDF, set by Typst: each page of it begins a section, links lead within the document."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import typst
from markdown_it.token import Token

import zebra_resources
from zebra_gui.manual.book import ManualPage
from zebra_gui.manual.window import anchor, parser

_HEAD = """
#set document(title: {title})
#set page(paper: "a4", margin: (x: 24mm, y: 26mm), numbering: "1", footer: context align(right, text(
  size: 9pt, fill: luma(90))[#counter(page).display()]))
#set text(font: "Inter", size: 10pt, lang: {language})
#set par(leading: 0.7em, spacing: 1.1em)
#set table(stroke: 0.5pt + luma(200), inset: 5pt)
#show table: set text(size: 9pt)
#show raw: set text(size: 8.5pt)
#show link: set text(fill: rgb("#0069A6"))
#show heading.where(level: 1): it => {{ pagebreak(weak: true); block(below: 1em, text(size: 20pt, it.body)) }}
#show heading.where(level: 2): it => block(above: 1.6em, below: 0.8em, text(size: 13pt, it.body))
#align(center)[#v(30mm) #text(size: 30pt, weight: "bold")[ZEBRA]

#text(size: 16pt)[{name}]

#text(fill: luma(90))[{version}] #v(16mm)]
#outline(depth: 1, title: none)
"""
_AROUND = {
    "paragraph_open": ("\n#par[", "]\n"),
    "bullet_list_open": ("\n#list(", ")\n"),
    "ordered_list_open": ("\n#enum(", ")\n"),
    "list_item_open": ("[", "],"),
    "thead_open": ("table.header(", "),"),
    "tbody_open": ("", ""),
    "tr_open": ("", ""),
    "th_open": ("[", "],"),
    "td_open": ("[", "],"),
}
_MOST_BESIDE = 48  # characters of a first column that is as wide as they are: the second has room for words
_INLINE = {
    "softbreak": " ",
    "hardbreak": " ",
    "strong_open": "#strong[",
    "em_open": "#emph[",
    **dict.fromkeys(("strong_close", "em_close", "link_close"), "]"),
}


def pdf_of(pages: Sequence[ManualPage], title: str, version: str, language: str = "en") -> bytes:
    """These pages in their order, tagged for screen readers (PDF/UA); a link to another page is its words."""
    files: dict[str, bytes] = {}
    named = {"title": _string(f"ZEBRA: {title}"), "name": _text(title), "version": _text(version)}
    parts = [_HEAD.format(language=_string(language), **named)]
    names = {page.name for page in pages}
    parts += ["".join(_Setter(page, names, files, language).set()) for page in pages]
    files["main.typ"] = "\n".join(parts).encode()
    with TemporaryDirectory() as folder:  # files in memory would have to be text, and pictures are not
        for name, content in files.items():
            path = Path(folder, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        made: Any = typst.compile(
            str(Path(folder, "main.typ")),
            root=folder,
            font_paths=[str(zebra_resources.path("fonts"))],
            ignore_system_fonts=True,
            format="pdf",
            pdf_standards=["ua-1"],
        )
    return bytes(made)


class _Setter:
    """Sets one page; pictures that it shows are put into `files`."""

    def __init__(self, page: ManualPage, names: set[str], files: dict[str, bytes], language: str) -> None:
        self._page = page
        self._names = names
        self._files = files
        self._language = language
        self._tokens = parser().parse(page.text)

    def set(self) -> Iterator[str]:
        """What Typst reads."""
        closings: list[str] = []
        for index, token in enumerate(self._tokens):
            if token.type == "inline":
                yield from self._inline(token.children or ())
            elif token.type in ("code_block", "fence"):
                yield f"\n#raw({_string(token.content.rstrip())}, block: true)\n"
            elif token.nesting < 0:
                yield closings.pop()
            else:
                opening, closing = self._around(index)
                yield opening
                closings.append(closing)

    def _around(self, index: int) -> tuple[str, str]:
        """What stands before and behind what a token opens."""
        token = self._tokens[index]
        if token.type == "heading_open":
            return f"\n#heading(level: {token.tag[1:]})[", f"] <{self._label(index)}>\n"
        if token.type == "table_open":
            return f"\n#table({self._columns(index)}, ", ")\n"
        if token.hidden:  # the paragraph of a list whose items stand close together
            return "", ""
        if token.type not in _AROUND:
            raise ValueError(f"{self._page.name}: the PDF does not know {token.type}")
        return _AROUND[token.type]

    def _inline(self, tokens: Sequence[Token]) -> Iterator[str]:
        for token in tokens:
            if token.type in _INLINE:
                yield _INLINE[token.type]
            elif token.type == "text":
                yield _text(token.content)
            elif token.type == "code_inline":
                yield f"#raw({_string(token.content)})"
            elif token.type == "link_open":
                yield self._link(str(token.attrGet("href")))
            elif token.type == "image":
                yield self._picture(token)
            else:
                raise ValueError(f"{self._page.name}: the PDF does not know {token.type}")

    def _link(self, way: str) -> str:
        if ":" in way:
            return f"#link({_string(way)})["
        path, _, place = way.partition("#")
        name = self._resolved(path).removesuffix(".md") if path else self._page.name
        if name not in self._names:
            zebra_resources.path(
                f"manual/{self._language}/{name}.md"
            )  # it is in another document, or nowhere
            return "#text["
        page = name.replace("/", "-")
        return f"#link(label({_string(f'{page}.{place}' if place else page)}))["

    def _picture(self, token: Token) -> str:
        path = self._resolved(str(token.attrGet("src")))
        folder = zebra_resources.path(f"manual/{self._language}")
        width = "100%"
        if (folder / path).with_suffix(".svg").exists():  # on paper lines stay sharp, and can be finer
            path, width = path.removesuffix(".png") + ".svg", "75%"
        self._files[path] = (folder / path).read_bytes()
        words = "".join(child.content for child in token.children or ())
        # In a box: a paragraph shows nothing of a picture that is not in its line.
        return f"#box(image({_string(path)}, width: {width}, alt: {_string(words)}))"

    def _label(self, index: int) -> str:
        """The first heading is that of the page; others have it in front of theirs."""
        page = self._page.name.replace("/", "-")
        words = "".join(child.content for child in self._tokens[index + 1].children or ())
        return page if self._tokens[index].tag == "h1" else f"{page}.{anchor(words)}"

    def _columns(self, index: int) -> str:
        """Widths and alignments: numbers stand at the right, and what is told in words gets the room."""
        head = self._tokens[index:]
        end = next(i for i, token in enumerate(head) if token.type == "tr_close")
        cells = [token for token in head[:end] if token.type == "th_open"]
        are_numbers = ["right" in str(cell.attrGet("style")) for cell in cells]
        if any(are_numbers):
            widths = ["3fr", *["1fr"] * (len(cells) - 1)]
        elif len(cells) == 2:
            widths = ["2fr", "3fr"] if self._longest_first(index) > _MOST_BESIDE else ["auto", "1fr"]
        else:
            widths = ["1fr"] * len(cells)
        aligned = ["right" if is_number else "left" for is_number in are_numbers]
        return f"columns: ({', '.join(widths)}), align: ({', '.join(aligned)})"

    def _longest_first(self, index: int) -> int:
        """How many characters the longest cell of a table's first column has."""
        rest = self._tokens[index:]
        table = rest[: next(i for i, token in enumerate(rest) if token.type == "table_close")]
        rows = (i for i, token in enumerate(table) if token.type == "tr_open")
        return max(len(table[row + 2].content) for row in rows)  # a row, its first cell, what stands in it

    def _resolved(self, path: str) -> str:
        parts = self._page.name.split("/")[:-1]
        for part in path.split("/"):
            parts = parts[:-1] if part == ".." else [*parts, part]
        return "/".join(parts)


def _string(text: str) -> str:
    """A text as Typst writes it in code; its escapes are those of JSON, but for characters beyond ASCII."""
    return json.dumps(text, ensure_ascii=False)


def _text(text: str) -> str:
    """Words in which nothing is markup."""
    return f"#{_string(text)}" + ";" if text else ""
