"""The report as a Word document: a working copy with headings, tables, captions and fields of Word's own."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Iterable, Iterator, Sequence
from copy import deepcopy
from datetime import UTC, datetime, time
from functools import cache, singledispatchmethod
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any

from docx.oxml import parse_xml
from docx.oxml.ns import qn

from zebra_core.figures.cells import CellsFigure
from zebra_core.project.report_settings import Section
from zebra_core.report.content import ReportContent, front_words, shown
from zebra_core.report.document import (
    Block,
    Bullets,
    Cell,
    ExplainedFigure,
    FindingLine,
    Heading,
    Paragraph,
    ReportPicture,
    Run,
    TableBlock,
    TagLegend,
    Terms,
    TwoColumns,
    paragraph,
)
from zebra_core.report.formulas import FORMULAS, Formula
from zebra_core.report.layout import GAP, column_widths
from zebra_core.report.word_elements import (
    QUIET,
    WARNING,
    badge_of,
    drawing,
    field,
    node,
    room_of,
    runs_of,
    tab,
    tab_stops,
    word_language,
    words_in,
)
from zebra_core.report.word_styles import QUIET_STYLE, SMALL, TABLE, Lists, dress, lay_out, speak
from zebra_core.report.word_template import word_base
from zebra_core.runtime.progress import Progress, no_progress
from zebra_core.wording.languages import speaking
from zebra_core.wording.names import begun, named
from zebra_core.wording.texts import say

if TYPE_CHECKING:
    from docx.document import Document as WordDocument

SEAL = "evidence-sha256:"
"""What stands in the keywords of the document before the SHA-256 of its evidence, as in a PDF."""

_DATE = (1980, 1, 1, 0, 0, 0)  # of every part: the same report gives the same bytes
_TWIP, _INCH, _MM = 635, 914_400, 36_000  # in EMU, in which pictures are measured
_LONGEST_PROPERTY = 255
_LONGEST_HEAD = 70  # characters of the title in the head of the pages
_HIGHEST_CELLS = 62 * _MM  # of a matrix: three of them share a page, as in the PDF
_HIGHEST = 0.8  # of the height of the text
_FORMULA_PPI = 300.0
_LONGEST_FIGURE = 16  # characters that stand in one line


def report_docx(
    content: ReportContent,
    evidence_file: str,
    template: Path | None = None,
    on_progress: Progress = no_progress,
) -> bytes:
    """The report as a Word document; the same content and template give the same bytes.

    It says that it is a working copy, which nobody can verify, and that `evidence_file` beside it can be.
    A `template` lends its styles, page, headers and footers; see `word_template.word_base`. Raises
    InputError for what is no template.
    """
    document = word_base(template)
    with speaking(content.language):
        _state_properties(document, content)
        language = word_language(content.language)
        speak(document, language)
        dress(document, is_ours=template is None)
        if template is None:
            lay_out(document, content.paper)
        writer = _WordWriter(document, content, on_progress, is_ours=template is None)
        writer.write_report(evidence_file)
        _write_heads_and_feet(document, content)
    return _packed(document)


def _state_properties(document: WordDocument, content: ReportContent) -> None:
    stated, when = document.core_properties, datetime.combine(content.date, time(), UTC)
    stated.title = begun(content.title, _LONGEST_PROPERTY)
    stated.author = stated.last_modified_by = begun(content.author, _LONGEST_PROPERTY)
    stated.subject, stated.comments = content.kind, content.program
    stated.keywords = f"{SEAL}{content.evidence_sha256}"
    stated.content_status = say("paper.working-copy")
    stated.language = word_language(content.language)
    stated.created = stated.modified = when
    stated.revision = 1


def _packed(document: WordDocument) -> bytes:
    """The document as a file, without the time at which it was made."""
    saved, made = io.BytesIO(), io.BytesIO()
    document.save(saved)
    with zipfile.ZipFile(saved) as parts, zipfile.ZipFile(made, "w") as again:
        for name in parts.namelist():
            info = zipfile.ZipInfo(name, _DATE)
            info.compress_type = zipfile.ZIP_DEFLATED
            again.writestr(info, parts.read(name))
    return made.getvalue()


def words_of(document: bytes) -> bytes:
    """What can be read in a Word document: texts, descriptions, fields, and what it says of itself."""
    said: list[str] = []
    with zipfile.ZipFile(io.BytesIO(document)) as parts:
        for name in filter(_WRITTEN.fullmatch, parts.namelist()):
            root = parse_xml(parts.read(name))
            said += [one.get("descr") or one.text or "" for one in root.iter("*")]
            said += [one.get(qn("w:val"), "") for one in root.iter(qn("w:tblCaption"))]
    return "\n".join(filter(None, said)).encode("utf-8", "replace")


_WRITTEN = re.compile(r"docProps/core\.xml|word/(document|header\d*|footer\d*)\.xml")


# --- the report


class _WordWriter:
    """Writes block after block into the body, and counts figures, tables and bookmarks."""

    def __init__(
        self,
        document: WordDocument,
        content: ReportContent,
        on_progress: Progress,
        *,
        is_ours: bool,
    ) -> None:
        self._document, self._content, self._on_progress = document, content, on_progress
        self._body, self._page = document.element.body, document.element.body.sectPr
        self._ids = {style.name: style.style_id for style in document.styles}
        self._lists = Lists(document)
        self._bullets = self._lists.define("bullet", "•", indent=283)
        own = document.styles["List Bullet"].element.iter(qn("w:numPr"))
        self._has_bullets = next(own, None) is not None  # those of a template
        self._into = self._body
        self._figures, self._tables, self._objects, self._drawn = count(1), count(1), count(1), 0
        self._width, self._height = room_of(self._page)
        if is_ours:
            self._number_headings()

    def _number_headings(self) -> None:
        style = self._document.styles["Heading 1"]
        number = self._lists.define("decimal", "%1", indent=567, style=style.style_id)
        style.element.get_or_add_pPr().get_or_add_numPr().get_or_add_numId().val = number

    # What stands before the sections.

    def write_report(self, evidence_file: str) -> None:
        """All of it, in the order of the PDF."""
        self._write_front(evidence_file)
        self._write_answer()
        self._write_contents()
        self._write_signatures()
        for place, section in enumerate(self._content.sections):
            is_appendix = section.section is Section.APPENDIX
            self._heading(section.heading, number=True, bookmark=f"zebra-{place}", on_new_page=is_appendix)
            for block in section.blocks:
                self.write(block)

    def _write_front(self, evidence_file: str) -> None:
        content = self._content
        self._put("Subtitle", words_in(content.kind))
        self._write_logo()
        self._put("Title", words_in(content.title))
        for label, value in content.front:
            self._labelled(label, value, 1701)
        self._write_working_copy(evidence_file)
        if content.is_draft:
            self._put_draft(say("draft.brief", count=len(content.missing)))

    def _write_answer(self) -> None:
        content = self._content
        self._heading(say("answer.head"), number=False, bookmark="zebra-answer")
        for block in content.answer:
            self.write(block)
        if content.is_draft:
            self._put_draft(say("draft.head"))
            self.write(Bullets(tuple((Run(each),) for each in content.missing)))
            self.write(paragraph(say("draft.how"), quiet=True))
        if content.cut:
            self._over(say("answer.in-full"))
            for label, value in content.cut:
                self.write(Paragraph((Run(named(label, ""), bold=True), Run(value))))

    def _write_logo(self) -> None:
        if self._content.logo is None:
            return
        import typst  # takes its time

        files = {"main.typ": _LOGO_SOURCE, "logo.svg": self._content.logo.as_svg}
        made = typst.compile(files, format="png", ppi=_FORMULA_PPI, ignore_system_fonts=True)  # type: ignore[call-overload]
        self._put("Normal", self._picture(bytes(made), "logo", say("paper.logo-alt"), _FORMULA_PPI))

    def _write_working_copy(self, evidence_file: str) -> None:
        said = say("paper.working-copy-says", file=evidence_file, sha256=self._content.evidence_sha256)
        border = {"val": "single", "sz": 6, "space": 4, "color": WARNING}
        sides = (node(side, **border) for side in ("top", "left", "bottom", "right"))
        head = words_in(named(say("paper.working-copy"), ""), bold=True, colour=WARNING)
        properties = (node("pBdr", *sides), node("spacing", before=160, after=160))
        self._put(QUIET_STYLE, head, words_in(said), properties=properties)

    def _put_draft(self, text: str) -> None:
        self._put(QUIET_STYLE, words_in(f"{say('draft.word')} ", bold=True, colour=WARNING), words_in(text))

    def _write_contents(self) -> None:
        """A table of contents of Word's own; until it is updated there, links without numbers of pages."""
        sections = self._content.sections
        if len(sections) <= 3:  # as in the PDF
            return
        self._over(front_words()["contents"])
        begin, asked, separate, _, end = field(r'TOC \o "1-1" \h \z \u', "")
        for place, section in enumerate(sections):
            link = node("hyperlink", words_in(section.heading), anchor=f"zebra-{place}", history=1)
            before = (begin, asked, separate) if place == 0 else ()
            self._put("toc 1", *before, link, *((end,) if section is sections[-1] else ()))

    def _write_signatures(self) -> None:
        if not self._content.signers:
            return
        words, half = front_words(), self._width // 2
        self._over(words["sign-off"])
        between = ("left", half, "none")
        lines = tab_stops(("left", half - 284, "underscore"), between, ("left", self._width, "underscore"))
        room = node("spacing", before=760, after=0)
        for signer in self._content.signers:
            form = (node("keepNext"), deepcopy(lines), deepcopy(room))
            self._put("Normal", tab(), tab(), tab(), properties=form)
            place, signature = words_in(words["place-date"]), words_in(f"{words['signature']}{signer}")
            self._put(QUIET_STYLE, place, tab(), signature, properties=(tab_stops(between),))

    def _over(self, text: str) -> None:
        """What stands above what is no section."""
        self._put(
            "Normal",
            words_in(text, bold=True),
            properties=(node("keepNext"), node("spacing", before=240, after=60)),
        )

    def _labelled(self, label: str, value: str, indent: int) -> None:
        form = (
            tab_stops(("left", indent, "none")),
            node("spacing", after=20),
            node("ind", left=indent, hanging=indent),
        )
        self._put("Normal", words_in(label, colour=QUIET), tab(), words_in(value), properties=form)

    def _heading(self, text: str, *, number: bool, bookmark: str, on_new_page: bool = False) -> None:
        marked = next(self._objects)
        without = None if number else node("numPr", node("ilvl", val=0), node("numId", val=0))
        properties = (node("pageBreakBefore") if on_new_page else None, without)
        begin, end = node("bookmarkStart", id=marked, name=bookmark), node("bookmarkEnd", id=marked)
        self._put("Heading 1", begin, words_in(text), end, properties=properties)

    # Blocks.

    @singledispatchmethod
    def write(self, block: Block) -> None:
        """Write a block."""
        raise TypeError(block)

    @write.register
    def _(self, block: Paragraph) -> None:
        self._put(QUIET_STYLE if block.quiet else "Normal", *runs_of(block.runs))

    @write.register
    def _(self, block: Heading) -> None:
        self._put("Heading 2", words_in(block.text))

    @write.register
    def _(self, block: Bullets) -> None:
        number = self._lists.define("decimal", "%1.", indent=425) if block.numbered else self._bullets
        style = "List Number" if block.numbered else "List Bullet"
        listed = node("numPr", node("ilvl", val=0), node("numId", val=number))
        if not block.numbered and self._has_bullets:
            listed = None
        size = 0 if self._into is self._body else SMALL  # in one of two columns
        for item in block.items:
            self._put(style, *runs_of(item, size), properties=(deepcopy(listed),))

    @write.register
    def _(self, block: FindingLine) -> None:
        form = (node("keepLines"), tab_stops(("left", 510, "none")), node("ind", left=510, hanging=510))
        found = [
            badge_of(block.badge, 22),
            tab(),
            words_in(block.name, bold=True),
            words_in(f" {block.condition}", colour=QUIET),
        ]
        self._put(
            "Normal",
            *found,
            node("r", node("br")),
            words_in(block.text),
            properties=(node("keepNext"), *form) if block.more else form,
        )
        for line in block.more:
            self._put(QUIET_STYLE, words_in(line), properties=(node("keepLines"), node("ind", left=510)))

    @write.register
    def _(self, block: ExplainedFigure) -> None:
        stays = (node("keepNext"),) if block.formula else ()
        self._put(
            "Normal",
            words_in(f"{block.name}. ", bold=True),
            words_in(block.text),
            properties=(*stays, node("keepLines")),
        )
        if block.formula:
            alt = say("paper.formula-alt", words=block.formula.words)
            drawn = self._picture(_formulas()[block.formula.name], block.formula.name, alt, _FORMULA_PPI)
            self._put("Normal", drawn, properties=(node("jc", val="center"),))

    @write.register
    def _(self, block: Terms) -> None:
        for term, meaning in block.entries:
            self._put(
                "Normal",
                words_in(term, bold=True),
                words_in(f" {meaning}"),
                properties=(node("keepLines"), node("ind", left=284, hanging=284)),
            )

    @write.register
    def _(self, block: TagLegend) -> None:
        parts = ((badge_of(badge), words_in(f" {badge.meaning}   ")) for badge in block.badges)
        self._put(QUIET_STYLE, *(run for both in parts for run in both))

    @write.register
    def _(self, block: TwoColumns) -> None:
        """A table without lines: Word has columns for whole sections only."""
        outer, width, half = self._into, self._width, self._width // 2
        cells = []
        for side in (block.left, block.right):
            cell = node("tc", node("tcPr", node("tcW", w=half, type="dxa")))
            self._into, self._width = cell, half - 200
            for one in side:
                self.write(one)
            cells.append(cell)
        self._into, self._width = outer, width
        grid = node("tblGrid", node("gridCol", w=half), node("gridCol", w=half))
        row = node("tr", *cells)
        form = node(
            "tblPr", node("tblW", w=2 * half, type="dxa"), node("tblLayout", type="fixed"), _no_margins()
        )
        self._append(node("tbl", form, grid, row))
        self._append(node("p", node("pPr", node("spacing", before=0, after=0, line=120, lineRule="exact"))))

    @write.register
    def _(self, block: ReportPicture) -> None:
        from zebra_core.figures.matplotlib_ import render  # takes its time

        self._on_progress(self._drawn / max(1, len(self._content.pictures)))
        self._drawn += 1
        dpi = self._content.dpi
        drawn = render(block.figure, "png", dpi=dpi, axes_height=block.height, width=block.width)
        highest = _HIGHEST_CELLS if isinstance(block.figure, CellsFigure) else 0
        picture = self._picture(drawn, block.stem, shown(block.figure.alt_text), dpi, highest)
        self._put("Normal", picture, properties=(node("keepNext"), node("spacing", before=160, after=60)))
        self._caption("paper.figure", next(self._figures), block.caption)

    @write.register
    def _(self, block: TableBlock) -> None:
        self._caption("paper.table", next(self._tables), block.caption, is_above=True)
        shares = [width + GAP for width in column_widths(block, self._content.paper)]
        widths = [round(self._width * share / sum(shares)) for share in shares]
        stays = len(block.rows) <= 8
        head = [Cell(column.head) for column in block.columns]
        rows = [self._row(block, head, widths, is_head=True, stays=True)]
        for place, row in enumerate(block.rows, start=1):
            rows.append(self._row(block, row, widths, stays=stays and place < len(block.rows)))
        grid = node("tblGrid", *(node("gridCol", w=width) for width in widths))
        form = node(
            "tblPr",
            node("tblStyle", val=self._ids.get("Table Grid") or "TableGrid"),
            node("tblW", w=sum(widths), type="dxa"),
            node("tblLayout", type="fixed"),
            _no_margins(),
            node(
                "tblLook",
                val="0020",
                firstRow=1,
                lastRow=0,
                firstColumn=0,
                lastColumn=0,
                noHBand=1,
                noVBand=1,
            ),
            node("tblCaption", val=block.caption),
        )
        self._append(node("tbl", form, grid, *rows))
        self._put(QUIET_STYLE, properties=(node("spacing", before=0, after=0),))

    def _row(
        self,
        block: TableBlock,
        row: Sequence[Cell],
        widths: Sequence[int],
        *,
        is_head: bool = False,
        stays: bool,
    ) -> Any:
        cells = [
            self._cell(cell, width, is_text=column.is_text, is_head=is_head, stays=stays)
            for cell, width, column in zip(row, widths, block.columns, strict=True)
        ]
        return node("tr", node("trPr", node("cantSplit"), node("tblHeader") if is_head else None), *cells)

    def _cell(self, cell: Cell, width: int, *, is_text: bool, is_head: bool, stays: bool) -> Any:
        runs = [badge_of(cell.badge)] if cell.badge else []
        if cell.badge and cell.text:
            runs.append(words_in(" "))
        if cell.mono:
            half = len(cell.text) // 2
            runs += [
                words_in(cell.text[:half], size=13),
                node("r", node("br")),
                words_in(cell.text[half:], size=13),
            ]
        elif cell.text:
            text = cell.text if is_text or is_head else _kept_whole(cell.text)
            runs.append(words_in(text, bold=is_head, colour=QUIET if is_head else ""))
        if cell.note:
            runs += [node("r", node("br"))] if runs else []
            runs.append(words_in(cell.note, colour=QUIET, size=SMALL - 2))
        form = (
            node("pStyle", val=self._ids[TABLE]),
            node("keepNext") if stays else None,
            node("spacing", before=40, after=40),
            node("jc", val="left" if is_text else "right"),
        )
        side = node("vAlign", val="bottom" if is_head else "center")
        return node(
            "tc", node("tcPr", node("tcW", w=width, type="dxa"), side), node("p", node("pPr", *form), *runs)
        )

    def _caption(self, code: str, number: int, text: str, *, is_above: bool = False) -> None:
        """A caption of Word's own, of which it can make a list."""
        before, _, after = say(code, number="{number}").partition("{number}")
        label = before.strip() if before.strip().isidentifier() else code.rpartition(".")[2].title()
        numbered = [
            words_in(before, bold=True),
            *field(rf"SEQ {label} \* ARABIC", str(number)),
            words_in(f"{after}. ", bold=True),
        ]
        numbered[3].insert(0, node("rPr", node("b")))
        self._put(
            "Caption",
            *numbered,
            words_in(text),
            properties=(node("keepNext"), node("spacing", before=160, after=60)) if is_above else (),
        )

    # What blocks are put together of.

    def _put(self, style: str, *inside: Any, properties: Iterable[Any] = ()) -> None:
        """A paragraph; its properties are in the order of the schema."""
        self._append(node("p", node("pPr", node("pStyle", val=self._ids[style]), *properties), *inside))

    def _append(self, element: Any) -> None:
        if self._into is self._body:
            self._page.addprevious(element)
        else:
            self._into.append(element)

    def _picture(self, png: bytes, name: str, alt: str, ppi: float, highest: int = 0) -> Any:
        """A picture within the text, no larger than there is room."""
        key, image = self._document.part.get_or_add_image(io.BytesIO(png))
        width, height = (round(pixels / ppi * _INCH) for pixels in (image.px_width, image.px_height))
        most = highest or round(self._height * _TWIP * _HIGHEST)
        share = min(1.0, self._width * _TWIP / width, most / height)
        return node(
            "r", drawing(key, name, alt, round(width * share), round(height * share), next(self._objects))
        )


_FORMULA_SOURCE = """#set page(width: auto, height: auto, margin: 2pt)
#set text(size: 10pt)
#show math.equation: set text(font: "New Computer Modern Math")
"""
_LOGO_SOURCE = b'#set page(width: auto, height: auto, margin: 0pt)\n#image("logo.svg", height: 16mm)\n'


def _kept_whole(figure: str) -> str:
    """A figure that no line is ended in, unless it is as long as a sentence."""
    return figure.replace(" ", "\u00a0") if len(figure) <= _LONGEST_FIGURE else figure


def _no_margins() -> Any:
    sides = (node(side, w=round(GAP * 10), type="dxa") for side in ("left", "right"))
    return node("tblCellMar", *sides)


@cache
def _formulas() -> dict[str, bytes]:
    """Each formula as PNG, set as in the PDF; they come from us alone."""
    import typst  # takes its time

    return dict(zip((one.name for one in FORMULAS), _set(FORMULAS, typst), strict=True))


def _set(formulas: Sequence[Formula], typst: Any) -> list[bytes]:
    source = _FORMULA_SOURCE + "\n#pagebreak()\n".join(f"$ {one.typst} $" for one in formulas)
    made = typst.compile(
        {"main.typ": source.encode()}, format="png", ppi=_FORMULA_PPI, ignore_system_fonts=True
    )
    return [bytes(page) for page in made]


# --- heads and feet of the pages


def _write_heads_and_feet(document: WordDocument, content: ReportContent) -> None:
    """Say on every page that it is a working copy, of what evidence, and which page it is."""
    page, part = document.element.body.sectPr, document.part
    ids = {style.name: style.style_id for style in document.styles}
    width, _ = room_of(page)
    kinds = ["default"]
    kinds += ["first"] if page.find(qn("w:titlePg")) is not None else []
    kinds += ["even"] if document.settings.odd_and_even_pages_header_footer else []
    for kind in kinds:
        head, is_own = _story(part, page, "header", kind)
        if is_own:
            title = words_in(begun(content.title, _LONGEST_HEAD))
            head.append(_marginal(ids["Header"], [title, tab(), words_in(content.report_id)], width))
        marks = [say("paper.working-copy"), *([say("draft.word")] if content.is_draft else [])]
        words = [words_in(f"{mark} · ", bold=True, colour=WARNING) for mark in marks]
        words.append(words_in(say("paper.working-copy-evidence", sha256=content.evidence_sha256)))
        head.append(_marginal(ids["Header"], words, width))
        foot, is_own = _story(part, page, "footer", kind)
        asked = " ".join(one.text or "" for one in foot.iter(qn("w:instrText")))
        asked += " ".join(one.get(qn("w:instr"), "") for one in foot.iter(qn("w:fldSimple")))
        if "PAGE" not in asked.upper().split():
            first = [words_in(content.program)] if is_own else []
            foot.append(_marginal(ids["Footer"], [*first, tab(), *_page_number()], width))


def _page_number() -> Iterator[Any]:
    """“page 1 of 9” in the words of the language, the numbers worked out by Word."""
    said = say("paper.page", page="{page}", pages="{pages}")
    for piece in re.split(r"(\{pages?\})", said):
        if piece in ("{page}", "{pages}"):
            yield from field("PAGE" if piece == "{page}" else "NUMPAGES", "1")
        else:
            yield words_in(piece)


def _marginal(style: str, inside: Iterable[Any], width: int) -> Any:
    return node("p", node("pPr", node("pStyle", val=style), tab_stops(("right", width, "none"))), *inside)


def _story(part: Any, page: Any, name: str, kind: str) -> tuple[Any, bool]:
    """The header or footer of a kind of pages, and whether it is made by us."""
    for one in page.findall(qn(f"w:{name}Reference")):
        if one.get(qn("w:type")) == kind:
            return part.related_parts[one.get(qn("r:id"))].element, False
    made, key = part.add_header_part() if name == "header" else part.add_footer_part()
    for own in list(made.element):
        made.element.remove(own)
    reference = node(f"{name}Reference", type=kind)
    reference.set(qn("r:id"), key)
    page.insert(0, reference)
    return made.element, True
