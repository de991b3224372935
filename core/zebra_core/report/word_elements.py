"""Elements of WordprocessingML (ECMA-376, part 1): words, fields, tabs and pictures; texts are escaped."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from docx.oxml import OxmlElement, parse_xml
from docx.oxml.ns import nsdecls, qn

from zebra_core.report.document import Badge, Run
from zebra_core.wording.languages import language_tag

QUIET, WARNING = "4A5361", "9C2C1C"
_MONO = "Consolas"
_LEAST_ROOM = 2835  # 5 cm: no page of a report is as narrow
_REGIONS = {"de": "de-DE", "es": "es-ES", "fr": "fr-FR"}  # Word names no language without a country


def word_language(code: str) -> str:
    """A language as Word names it: one that it can check the spelling of."""
    return _REGIONS.get(code, language_tag(code))


def node(name: str, /, *inside: Any, **attributes: object) -> Any:
    """An element of WordprocessingML with its attributes, and what is inside: elements, or a text."""
    made = OxmlElement(f"w:{name}")
    for attribute, value in attributes.items():
        made.set(qn(f"w:{attribute}"), str(value))
    for one in inside:
        if isinstance(one, str):
            made.text = one
            made.set(qn("xml:space"), "preserve")
        elif one is not None:
            made.append(one)
    return made


def words_in(
    text: str,
    *,
    bold: bool = False,
    italic: bool = False,
    mono: bool = False,
    colour: str = "",
    size: int = 0,
    fill: str = "",
    language: str = "",
) -> Any:
    """Some words in one style; `size` in half points."""
    properties = [
        node("rFonts", ascii=_MONO, hAnsi=_MONO, cs=_MONO) if mono else None,
        node("b") if bold else None,
        node("i") if italic else None,
        node("color", val=colour) if colour else None,
        node("sz", val=size) if size else None,
        node("shd", val="clear", color="auto", fill=fill) if fill else None,
        node("lang", val=word_language(language)) if language else None,
    ]
    return node(
        "r", node("rPr", *properties) if any(one is not None for one in properties) else None, node("t", text)
    )


def runs_of(runs: Iterable[Run], size: int = 0) -> list[Any]:
    """Words, each in its style."""
    return [
        words_in(run.text, bold=run.bold, italic=run.italic, mono=run.mono, language=run.language, size=size)
        for run in runs
    ]


def badge_of(badge: Badge, size: int = 0) -> Any:
    """A tag in white on its colour."""
    fill = badge.colour.removeprefix("#")
    return words_in(f"\u00a0{badge.tag}\u00a0", bold=True, colour="FFFFFF", fill=fill, size=size)


def field(instruction: str, result: str) -> Iterator[Any]:
    """A field that Word works out again, and what it comes to until then."""
    for kind in ("begin", "separate"):
        yield node("r", node("fldChar", fldCharType=kind))
        if kind == "begin":
            yield node("r", node("instrText", f" {instruction} "))
    yield words_in(result)
    yield node("r", node("fldChar", fldCharType="end"))


def tab_stops(*places: tuple[str, int, str]) -> Any:
    """Where tabs lead to: alignment, twentieths of a point from the left, and what fills the way there."""
    return node("tabs", *(node("tab", val=kind, leader=fill, pos=place) for kind, place, fill in places))


def tab() -> Any:
    """A tab."""
    return node("r", node("tab"))


def room_of(page: Any) -> tuple[int, int]:
    """Width and height of the text of a page, in twentieths of a point. Raises ValueError for no numbers."""
    size, margins = page.find(qn("w:pgSz")), page.find(qn("w:pgMar"))
    width = _twips(size, "w", 11906) - _twips(margins, "left", 1440) - _twips(margins, "right", 1440)
    height = _twips(size, "h", 16838) - _twips(margins, "top", 1440) - _twips(margins, "bottom", 1440)
    if min(width, height) < _LEAST_ROOM:
        raise ValueError(width, height)
    return width, height


def _twips(element: Any, attribute: str, otherwise: int) -> int:
    return otherwise if element is None else abs(int(element.get(qn(f"w:{attribute}"), otherwise)))


def drawing(key: str, name: str, alt: str, width: int, height: int, number: int) -> Any:
    """A picture in a line of text: its relationship, name, description, size in EMU, and its number."""
    made = parse_xml(
        f"<w:drawing {nsdecls('w', 'wp', 'a', 'pic', 'r')}>"
        '<wp:inline distT="0" distB="0" distL="0" distR="0">'
        f'<wp:extent cx="{width}" cy="{height}"/><wp:docPr id="{number}" name=""/>'
        '<wp:cNvGraphicFramePr><a:graphicFrameLocks noChangeAspect="1"/></wp:cNvGraphicFramePr>'
        '<a:graphic><a:graphicData uri="http://schemas.openxmlformats.org/drawingml/2006/picture"><pic:pic>'
        f'<pic:nvPicPr><pic:cNvPr id="{number}" name=""/><pic:cNvPicPr/></pic:nvPicPr>'
        f'<pic:blipFill><a:blip r:embed="{key}"/><a:stretch><a:fillRect/></a:stretch></pic:blipFill>'
        f'<pic:spPr><a:xfrm><a:off x="0" y="0"/><a:ext cx="{width}" cy="{height}"/></a:xfrm>'
        '<a:prstGeom prst="rect"><a:avLst/></a:prstGeom></pic:spPr></pic:pic></a:graphicData></a:graphic>'
        "</wp:inline></w:drawing>"
    )
    for about in made.iter(qn("wp:docPr"), qn("pic:cNvPr")):
        about.set("name", name)
        about.set("descr", alt)
    return made
