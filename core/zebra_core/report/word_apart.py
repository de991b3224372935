"""A program of its own: opens a Word file of a case, and hands back what it lends to a report.

That is its styles, its lists, its theme and its page with headers and footers; its text, its properties and
what belongs to them are left out. A template comes from anybody: what could run in it, or leads out of it, is
refused, and a file that is made for the library kills this process alone. Nothing of the package is imported.

Input: the file. Answer: a line of JSON, and behind it the bytes of an empty document to write into. The JSON
is {}, or {"code": CODE, FACT: VALUE, ...}: why there is no such document.
"""

from __future__ import annotations

import io
import json
import re
import sys
import zipfile
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

from docx import Document
from docx.opc.constants import CONTENT_TYPE, RELATIONSHIP_TYPE
from docx.oxml.ns import qn

MOST_BYTES = 16 << 20
"""Of a template; it may unpack to four times as much."""

_MOST_MEMBERS, _MEMORY, _SECONDS = 2000, 1 << 30, 20.0
_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"  # around a document that is encrypted, and those before 2007
_TEMPLATE_MAIN = CONTENT_TYPE.WML_DOCUMENT_MAIN.replace(".document.main", ".template.main").encode()
_TYPES = "[Content_Types].xml"
_MACROS = re.compile(rb"vbaproject|vbadata|macroenabled|activex", re.IGNORECASE)
_STRICT = b"http://purl.oclc.org/ooxml/"
_ON_A_PAGE = (RELATIONSHIP_TYPE.HEADER, RELATIONSHIP_TYPE.FOOTER)
_LENT = {
    RELATIONSHIP_TYPE.STYLES: qn("w:styles"),
    RELATIONSHIP_TYPE.NUMBERING: qn("w:numbering"),
    RELATIONSHIP_TYPE.HEADER: qn("w:hdr"),
    RELATIONSHIP_TYPE.FOOTER: qn("w:ftr"),
    RELATIONSHIP_TYPE.SETTINGS: qn("w:settings"),  # new ones
}
"""The parts that are lent, each with what it is made of; a theme goes with them as it is."""
_REFERENCES = (qn("w:headerReference"), qn("w:footerReference"))
_FIELDS = frozenset(
    ("PAGE", "NUMPAGES", "SECTION", "SECTIONPAGES", "STYLEREF", "TITLE", "SUBJECT", "AUTHOR", "DATE", "TIME")
)
"""What fields of a header may ask for: nothing outside of the document."""
_SEEN, _BEFORE_MARKUP = 1 << 10, b"\xef\xbb\xbf\xff\xfe\0 \t\r\n"  # before what is a picture in SVG
_LEAST_ROOM = 50  # millimetres: no page of a report is as narrow


class RefusedError(Exception):
    """A template that lends nothing: the code of the sentence that says why, and its facts."""

    def __init__(self, code: str, **facts: object) -> None:
        super().__init__(code)
        self.said = {"code": code, **facts}


def main() -> None:
    """Answer once, and end."""
    sys.path.append(str(Path(__file__).parents[1] / "runtime"))
    bounds = import_module("bounds_apart")
    content = sys.stdin.buffer.read()
    bounds.limit_memory(_MEMORY)
    bounds.limit_time(_SECONDS)
    sys.stdout.buffer.write(answer(content))


def answer(content: bytes) -> bytes:
    """What is answered to a file."""
    try:
        return b"{}\n" + _lent(content)
    except RefusedError as refused:
        said = refused.said
    except Exception:  # noqa: BLE001 - what its library raises at a file that is broken has no end
        said = {"code": "template-not-word"}
    return json.dumps(said).encode("ascii") + b"\n"


def empty(document: Any) -> None:
    """Leave nothing but styles, lists, theme and the last page with the headers and footers it has in use."""
    part, body = document.part, document.element.body
    both = document.settings.odd_and_even_pages_header_footer
    taken = {(one.tag, one.get(qn("w:type"))): one for one in document.element.iter(*_REFERENCES)}
    page = body.get_or_add_sectPr()
    document.element[:], body[:] = [body], [page]
    for one in (*page.findall(qn("w:sectPrChange")), *page.iterchildren(*_REFERENCES)):
        page.remove(one)
    for one in taken.values():
        page.insert(0, one)
    named = {one.get(qn("r:id")) for one in taken.values()}
    for key, rel in [*part.rels.items()]:
        is_unused = rel.reltype == RELATIONSHIP_TYPE.SETTINGS or (
            rel.reltype in _ON_A_PAGE and key not in named
        )
        if rel.is_external or is_unused or rel.reltype not in (*_LENT, RELATIONSHIP_TYPE.THEME):
            del part.rels[key]
    rels = part.package.rels
    for key in [key for key, rel in rels.items() if rel.reltype != RELATIONSHIP_TYPE.OFFICE_DOCUMENT]:
        del rels[key]
    document.settings.odd_and_even_pages_header_footer = both  # of new settings, for the old ones are gone


def _lent(content: bytes) -> bytes:
    if content.startswith(_OLE):
        raise RefusedError("template-locked")
    document, made = Document(io.BytesIO(_unpacked(content))), io.BytesIO()
    empty(document)
    for rel in document.part.package.iter_rels():
        if rel.is_external:
            raise RefusedError("template-links", target=rel.target_ref[:200])
        _require_harmless(rel)
    _require_room(document.sections[0])
    document.save(made)
    _require_sense(Document(made))
    return made.getvalue()


def _require_sense(document: Any) -> None:
    """What is written into the document finds in it what Word would have put there; raises anything."""
    for rel in document.part.rels.values():
        if rel.reltype != RELATIONSHIP_TYPE.THEME and rel.target_part.element.tag != _LENT[rel.reltype]:
            raise ValueError(rel.target_ref)
        if rel.reltype == RELATIONSHIP_TYPE.NUMBERING:
            [int(one) for one in rel.target_part.element.xpath("//@w:abstractNumId | //@w:numId")]
    for kind in _ON_A_PAGE:
        for key in document.element.xpath(f"//w:{kind.rpartition('/')[2]}Reference/@r:id"):
            if document.part.rels[key].reltype != kind:
                raise ValueError(key)
    [style.name for style in document.styles]


def _unpacked(content: bytes) -> bytes:
    """The same file, bounded, with nothing that could run; a template is called a document."""
    made = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(content)) as packed, zipfile.ZipFile(made, "w") as again:
        infos = packed.infolist()
        if len(infos) > _MOST_MEMBERS or sum(info.file_size for info in infos) > 4 * MOST_BYTES:
            raise RefusedError("template-too-large", most=MOST_BYTES >> 20)
        types = packed.read(_TYPES)
        if any(map(_MACROS.search, (types, *(info.filename.encode() for info in infos)))):
            raise RefusedError("template-macros")
        if _STRICT in packed.read("_rels/.rels"):
            raise RefusedError("template-strict")
        for info in infos:
            is_list = info.filename == _TYPES
            part = types.replace(_TEMPLATE_MAIN, CONTENT_TYPE.WML_DOCUMENT_MAIN.encode())
            again.writestr(info.filename, part if is_list else packed.read(info))
    return made.getvalue()


def _require_harmless(rel: Any) -> None:
    """Nothing in a part leads elsewhere, and what it is made of are words and pictures."""
    kind, part = rel.reltype.rpartition("/")[2], rel.target_part
    is_drawn = "svg" in part.content_type or part.blob[:_SEEN].lstrip(_BEFORE_MARKUP).startswith(b"<")
    is_picture = kind == "image" and part.content_type.startswith("image/") and not is_drawn
    if not (is_picture or kind in ("officeDocument", "theme") or rel.reltype in _LENT):
        raise RefusedError("template-object", kind="svg" if kind == "image" else kind[:40])
    if _STRICT in part.blob:
        raise RefusedError("template-strict")
    if (root := getattr(part, "element", None)) is None:
        return
    for name, value in ((name, value) for one in root.iter("*") for name, value in one.attrib.items()):
        if name.rpartition("}")[2] in ("src", "href"):  # of pictures as Word drew them before 2007
            raise RefusedError("template-links", target=value[:200])
    for field in asked(root):
        if field not in _FIELDS:
            raise RefusedError("template-field", field=field[:40])


def asked(root: Any) -> Iterator[str]:
    """What fields ask for, in capitals; of one around another each piece, which Word would never write."""
    piece = ""
    for one in root.iter(qn("w:fldChar"), qn("w:instrText"), qn("w:delInstrText"), qn("w:fldSimple")):
        if one.tag in (qn("w:instrText"), qn("w:delInstrText")):
            piece += one.text or ""
        else:
            yield from (*_named_in(piece), *_named_in(one.get(qn("w:instr"), "")))
            piece = ""
    yield from _named_in(piece)


def _named_in(piece: str) -> list[str]:
    """The field that an instruction names, and those in braces, as people write one inside another."""
    return [words[0] for one in piece.upper().split("{") if (words := one.split())]


def _require_room(page: Any) -> None:
    if page.page_width is None or page.page_height is None:
        return  # it has no page of its own, and is given that of a report
    width = page.page_width - (page.left_margin or 0) - (page.right_margin or 0)
    height = page.page_height - abs(page.top_margin or 0) - abs(page.bottom_margin or 0)
    room = int(min(width, height) / 36_000)
    if room < _LEAST_ROOM:
        raise RefusedError("template-narrow", room=room, least=_LEAST_ROOM)


if __name__ == "__main__":
    main()
