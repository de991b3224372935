"""What a Word file of a case lends to a report: its styles, its page, its headers and footers, and no more.

A template comes from anybody. It is bounded before it is read; what could run in it is refused, and nothing
in it that leads elsewhere is carried into the report.
"""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from docx import Document
from docx.opc.constants import CONTENT_TYPE, RELATIONSHIP_TYPE
from docx.oxml.ns import nsmap, qn

from zebra_core.errors import InputError
from zebra_core.files.opening import read_bounded
from zebra_core.report.word_elements import room_of

if TYPE_CHECKING:
    from docx.document import Document as WordDocument

MOST_BYTES, MOST_UNPACKED, MOST_MEMBERS = 16 << 20, 64 << 20, 2000
_TEMPLATE_MAIN = CONTENT_TYPE.WML_DOCUMENT_MAIN.replace(".document.main", ".template.main")
_ENTRY = b"PK\x01\x02"  # of the list of members, one each
_PACKED = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)  # as Word packs (OPC, annex C)
_MACROS = re.compile(r"vbaproject|vbadata|macroenabled|activex", re.IGNORECASE)
_DOCTYPES = tuple("<!DOCTYPE".encode(encoding) for encoding in ("utf-8", "utf-16-le", "utf-16-be"))
_KEPT = {
    RELATIONSHIP_TYPE.STYLES: CONTENT_TYPE.WML_STYLES,
    RELATIONSHIP_TYPE.NUMBERING: CONTENT_TYPE.WML_NUMBERING,
    RELATIONSHIP_TYPE.THEME: CONTENT_TYPE.OFC_THEME,
    RELATIONSHIP_TYPE.HEADER: CONTENT_TYPE.WML_HEADER,
    RELATIONSHIP_TYPE.FOOTER: CONTENT_TYPE.WML_FOOTER,
}
"""What a document lends, by the kind of its relationship."""
_ON_A_PAGE = (RELATIONSHIP_TYPE.HEADER, RELATIONSHIP_TYPE.FOOTER)
_REFERENCES = (qn("w:headerReference"), qn("w:footerReference"))
_FIELDS = frozenset(("PAGE", "NUMPAGES", "SECTION", "SECTIONPAGES", "STYLEREF", "TITLE", "SUBJECT", "AUTHOR"))
"""What fields of a header may ask for: nothing outside of the document."""
_LINKS = frozenset(f"{{{nsmap['a']}}}{name}" for name in ("hlinkClick", "hlinkHover", "hlinkMouseOver"))
_SVG_EXTENSION = "image/svg+xml"
_HOLDERS = frozenset(
    map(qn, ("w:drawing", "w:pict", "w:object", "w:numPicBullet", "w:altChunk", "w:subDoc", "w:control"))
) | {f"{{{nsmap['a']}}}ext"}
_FETCHED = ("src", "href", "{urn:schemas-microsoft-com:office:office}href")


def word_base(template: Path | None) -> WordDocument:
    """An empty document to write into: with the styles, page, headers and footers of a template, if given.

    Its text is left out, and so is whatever leads out of it: attached templates, links, linked pictures and
    fields that fetch something, embedded objects, comments, properties. Raises InputError for what is no
    Word document, has macros, or is larger than a template needs to be.
    """
    if template is None:
        document = Document()
        _strip(document)
        return document
    name = template.name
    too_large = InputError("template-too-large", file=name, most=MOST_BYTES >> 20)
    document = _opened(_checked(read_bounded(template, MOST_BYTES, too_large), name), name)
    try:
        _strip(document)
    except (MemoryError, InputError):
        raise
    except Exception as error:  # what its library raises at a file that is broken has no end
        raise InputError("template-not-word", file=name) from error
    return document


def _opened(content: bytes, name: str) -> WordDocument:
    try:
        return Document(io.BytesIO(content))
    except MemoryError:
        raise
    except Exception as error:  # as above
        raise InputError("template-not-word", file=name) from error


def _checked(content: bytes, name: str) -> bytes:
    """The same document, packed by us: every part bounded, none of them what could run."""
    if content.count(_ENTRY) > MOST_MEMBERS:
        raise InputError("template-too-large", file=name, most=MOST_BYTES >> 20)
    made = io.BytesIO()
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as packed, zipfile.ZipFile(made, "w") as again:
            infos = packed.infolist()
            if sum(info.file_size for info in infos) > MOST_UNPACKED:
                raise InputError("template-too-large", file=name, most=MOST_BYTES >> 20)
            if len({info.filename for info in infos}) < len(infos):
                raise zipfile.BadZipFile("two parts of one name")
            for info in infos:
                if info.compress_type not in _PACKED or info.flag_bits & 1:
                    raise zipfile.BadZipFile(info.filename)
                again.writestr(info.filename, _part(info.filename, packed.read(info), name))
    except (MemoryError, InputError):
        raise
    except Exception as error:  # as above
        raise InputError("template-not-word", file=name) from error
    return made.getvalue()


def _part(member: str, content: bytes, name: str) -> bytes:
    """A part as it is; a template is called a document. Raises InputError for what could run."""
    is_list = member == "[Content_Types].xml"
    if _MACROS.search(member) or (is_list and _MACROS.search(content.decode("utf-8", "replace"))):
        raise InputError("template-macros", file=name)
    if member.endswith((".xml", ".rels")) and any(mark in content for mark in _DOCTYPES):
        raise InputError("template-not-word", file=name)  # Word writes none, and none is to be expanded
    if is_list:
        return content.replace(_TEMPLATE_MAIN.encode(), CONTENT_TYPE.WML_DOCUMENT_MAIN.encode())
    return content


def _strip(document: WordDocument) -> None:
    """Leave nothing but styles, lists, theme, the page with its headers and footers, and their pictures."""
    part, body = document.part, document.element.body
    package = part.package
    assert package is not None  # noqa: S101 - a document that was opened has one
    page = _page(body)
    document.element[:] = [body]
    body[:] = [page]
    both = document.settings.odd_and_even_pages_header_footer
    _keep(package, lambda rel: rel.reltype == RELATIONSHIP_TYPE.OFFICE_DOCUMENT)
    named = {one.get(qn("r:id")) for one in page.iter(*_REFERENCES)}
    _keep(part, lambda rel: _is_lent(rel, named))
    for rel in part.rels.values():
        _keep(rel.target_part, _is_picture)
        for picture in rel.target_part.rels.values():
            _keep(picture.target_part, lambda _rel: False)
        if (root := getattr(rel.target_part, "element", None)) is not None:
            _strip_part(root, rel.target_part.rels)
    _strip_part(document.element, part.rels)
    room_of(page)
    for one in _numbers(part):
        int(one)
    _ = document.styles  # of two kinds of styles in one document nobody knows which count: it raises
    document.settings.odd_and_even_pages_header_footer = both  # of new settings, for the old ones are gone


def _numbers(part: Any) -> Iterator[str]:
    """What lists are called by, which are numbers in all that Word writes."""
    for rel in part.rels.values():
        if rel.reltype == RELATIONSHIP_TYPE.NUMBERING:
            for one in rel.target_part.element.iter(qn("w:abstractNum"), qn("w:num")):
                yield one.get(qn("w:abstractNumId")) or one.get(qn("w:numId")) or ""


def _is_lent(rel: Any, named: Collection[str]) -> bool:
    """Whether it is styles, lists or a theme without pictures from elsewhere, or a header of the page."""
    if rel.is_external or rel.reltype not in _KEPT or rel.target_part.content_type != _KEPT[rel.reltype]:
        return False
    if rel.reltype == RELATIONSHIP_TYPE.THEME:
        return all(map(_is_picture, rel.target_part.rels.values()))
    return rel.reltype not in _ON_A_PAGE or rel.rId in named


def _page(body: Any) -> Any:
    """The page of the last section, with the headers and footers that it takes over from those before."""
    pages = list(body.iter(qn("w:sectPr")))
    if not pages or pages[-1].getparent() is not body:
        raise ValueError("no section")
    taken = {}
    for page in pages:
        for one in [*page.iter(*_REFERENCES)]:
            taken[one.tag, one.get(qn("w:type"))] = one
            page.remove(one)
    last = pages[-1]
    for change in last.findall(qn("w:sectPrChange")):
        last.remove(change)
    for place, one in enumerate(taken.values()):
        last.insert(place, one)
    return last


def _keep(source: Any, is_kept: Any) -> None:
    """Drop all relationships of a part, or of the package, but these."""
    for key in [key for key, rel in source.rels.items() if not is_kept(rel)]:
        del source.rels[key]


def _is_picture(rel: Any) -> bool:
    if rel.is_external or rel.reltype != RELATIONSHIP_TYPE.IMAGE:
        return False
    kind: str = rel.target_part.content_type
    return kind.startswith("image/") and kind != _SVG_EXTENSION


def _strip_part(root: Any, rels: Any) -> None:
    """Take out of a part what refers to something that is gone, or fetches what was never there."""
    for element in list(root.iter("*")):
        for attribute, value in list(element.attrib.items()):
            if attribute in _FETCHED:
                del element.attrib[attribute]
            elif attribute.startswith(f"{{{nsmap['r']}}}") and value not in rels:
                del element.attrib[attribute]
                if element.tag != qn("w:hyperlink"):  # its words stay
                    _remove_holder(element)
    for bullet in list(root.iter(qn("w:lvlPicBulletId"))):
        bullet.getparent().remove(bullet)
    if any(asked not in _FIELDS for asked in _asked(root)):  # what they came to stays as text
        for one in list(root.iter(qn("w:fldChar"), qn("w:instrText"))):
            one.getparent().remove(one)
        for simple in list(root.iter(qn("w:fldSimple"))):
            _unwrap(simple)


def _remove_holder(element: Any) -> None:
    """Remove the whole picture or object that an element is a part of; a link, or what is neither, alone."""
    around = [] if element.tag in _LINKS else [element, *element.iterancestors()]
    holder = next((one for one in around if one.tag in _HOLDERS), element)
    if (parent := holder.getparent()) is not None:
        parent.remove(holder)


def _unwrap(element: Any) -> None:
    parent = element.getparent()
    place = parent.index(element)
    parent[place : place + 1] = list(element)


def _asked(root: Any) -> Iterator[str]:
    """What each field asks for, in capitals; of one within another both."""
    begun: list[str] = []
    for element in root.iter(qn("w:fldChar"), qn("w:instrText"), qn("w:fldSimple")):
        if element.tag == qn("w:fldSimple"):
            yield _first(element.get(qn("w:instr"), ""))
        elif element.tag == qn("w:instrText"):
            begun[-1:] = [(begun[-1] if begun else "") + (element.text or "")]
        elif element.get(qn("w:fldCharType")) == "begin":
            begun.append("")
        elif begun and element.get(qn("w:fldCharType")) == "end":
            yield _first(begun.pop())
    yield from map(_first, begun)


def _first(instruction: str) -> str:
    return (instruction.split() or [""])[0].upper()
