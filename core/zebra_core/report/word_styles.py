"""Styles, lists and page of a report as a Word file: what a template lends, and ours where it lacks one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from docx.enum.style import WD_STYLE_TYPE
from docx.enum.text import WD_LINE_SPACING
from docx.opc.constants import CONTENT_TYPE, RELATIONSHIP_TYPE
from docx.opc.packuri import PackURI
from docx.oxml import parse_xml
from docx.oxml.ns import nsdecls, qn
from docx.parts.numbering import NumberingPart
from docx.shared import Pt, RGBColor
from docx.styles.style import ParagraphStyle

from zebra_core.project.report_settings import Paper
from zebra_core.report.word_elements import QUIET, node

if TYPE_CHECKING:
    from docx.document import Document as WordDocument

TABLE, QUIET_STYLE = "ZEBRA Table", "ZEBRA Quiet"
SMALL = 16  # half points, of words in tables
_FONT, _INK, _RULE = "Calibri", "14181F", "D5DAE1"
_PAGES = {Paper.A4: (11906, 16838), Paper.LETTER: (12240, 15840)}  # twentieths of a point, as all below
_SIDE, _TOP, _BOTTOM = 1191, 1534, 1247  # margins of 21, 27 and 22 mm


def speak(document: WordDocument, language: str) -> None:
    """Make this the language of the document: no style has one of its own."""
    root = document.styles.element
    for own in [*root.iter(qn("w:lang"))]:
        own.getparent().remove(own)
    defaults = root.find(qn("w:docDefaults"))
    if defaults is None:
        defaults = node("docDefaults")
        root.insert(0, defaults)
    outer = defaults.find(qn("w:rPrDefault"))
    if outer is None:
        outer = node("rPrDefault")
        defaults.insert(0, outer)
    properties = outer.find(qn("w:rPr"))
    if properties is None:
        properties = node("rPr")
        outer.append(properties)
    properties.append(node("lang", val=language, eastAsia=language))


_STYLES: dict[str, dict[str, Any]] = {
    "Normal": {"size": 10, "after": 6, "line": 1.1},
    "Title": {"size": 20, "bold": True, "after": 10, "before": 4},
    "Subtitle": {"size": 9, "colour": QUIET, "after": 2},
    "Heading 1": {"size": 14, "bold": True, "before": 18, "after": 8, "with_next": True, "level": 0},
    "Heading 2": {"size": 11, "bold": True, "before": 12, "after": 4, "with_next": True, "level": 1},
    "List Bullet": {"after": 3},
    "List Number": {"after": 3},
    "Caption": {"size": 9, "colour": QUIET, "after": 10},
    "Header": {"size": 8, "colour": QUIET, "after": 0},
    "Footer": {"size": 8, "colour": QUIET, "after": 0},
    "toc 1": {"after": 2},
    QUIET_STYLE: {"size": 9, "colour": QUIET},
    TABLE: {"size": SMALL / 2, "after": 0, "line": 1.0},
}
"""The styles that a report is made of. Of a template those that it has count; the others are added."""


def dress(document: WordDocument, *, is_ours: bool) -> None:
    """Give the document every style that is needed; without a template all look as ours do."""
    styles = document.styles
    for name, look in _STYLES.items():
        is_there = any(each.name == name for each in styles)
        if is_there and not is_ours:
            continue
        style = styles[name] if is_there else styles.add_style(name, WD_STYLE_TYPE.PARAGRAPH)
        style.base_style = None if name == "Normal" else styles["Normal"]
        assert isinstance(style, ParagraphStyle)  # noqa: S101 - it was found or made as one
        _look(style, **look)
    has_tables = any(each.name == "Table Grid" for each in styles)
    if is_ours or not has_tables:
        style = styles["Table Grid"] if has_tables else styles.add_style("Table Grid", WD_STYLE_TYPE.TABLE)
        for own in style.element.findall(qn("w:tblPr")):
            style.element.remove(own)
        style.element.append(node("tblPr", _rules()))


def _look(  # noqa: PLR0913 - one for each thing that a style says
    style: ParagraphStyle,
    *,
    size: float = 0,
    bold: bool = False,
    colour: str = "",
    before: float = 0,
    after: float | None = None,
    line: float = 0,
    with_next: bool = False,
    level: int | None = None,
) -> None:
    for own in style.element.findall(qn("w:rPr")) + style.element.findall(qn("w:pPr")):
        style.element.remove(own)
    style.hidden = False
    style.quick_style = True
    if style.name == "Normal":
        style.font.name = _FONT
    if size:
        style.font.size = Pt(size)
    style.font.bold = bold or None
    if style.name == "Normal" or colour:
        style.font.color.rgb = RGBColor.from_string(colour or _INK)
    form = style.paragraph_format
    form.space_before = Pt(before) if before else None
    form.space_after = None if after is None else Pt(after)
    if line:
        form.line_spacing_rule, form.line_spacing = WD_LINE_SPACING.MULTIPLE, line
    form.keep_with_next = with_next or None
    if level is not None:
        style.element.get_or_add_pPr().append(node("outlineLvl", val=level))


def lay_out(document: WordDocument, paper: Paper) -> None:
    """Give the document our page: this paper and our margins."""
    page = document.element.body.sectPr
    for own in list(page):
        page.remove(own)
    width, height = _PAGES[paper]
    page.append(node("pgSz", w=width, h=height))
    margins = {"top": _TOP, "bottom": _BOTTOM, "left": _SIDE, "right": _SIDE}
    page.append(node("pgMar", **margins, header=567, footer=567, gutter=0))


class Lists:
    """Definitions of lists: one for bullets, one for headings, and one for each list with numbers."""

    def __init__(self, document: WordDocument) -> None:
        self._root = _numbering(document)
        used = [int(one.get(qn("w:abstractNumId"), "0")) for one in self._root.iter(qn("w:abstractNum"))]
        self._next = max(used, default=-1) + 1
        nums = [int(one.get(qn("w:numId"), "0")) for one in self._root.iter(qn("w:num"))]
        self._next_num = max(nums, default=0) + 1

    def define(self, kind: str, text: str, *, indent: int, style: str = "") -> int:
        """A new list, begun at 1; its number, by which paragraphs refer to it."""
        level = node(
            "lvl",
            node("start", val=1),
            node("numFmt", val=kind),
            node("pStyle", val=style) if style else None,
            node("lvlText", val=text),
            node("lvlJc", val="left"),
            node("pPr", node("ind", left=indent, hanging=indent)),
            ilvl=0,
        )
        abstract = node(
            "abstractNum", node("multiLevelType", val="singleLevel"), level, abstractNumId=self._next
        )
        first = self._root.find(qn("w:num"))
        if first is None:
            self._root.append(abstract)
        else:
            first.addprevious(abstract)
        number = node("num", node("abstractNumId", val=self._next), numId=self._next_num)
        last = self._root.findall(qn("w:num"))
        if last:
            last[-1].addnext(number)
        else:
            abstract.addnext(number)
        self._next, self._next_num = self._next + 1, self._next_num + 1
        return self._next_num - 1


def _numbering(document: WordDocument) -> Any:
    part = document.part
    for rel in part.rels.values():
        if rel.reltype == RELATIONSHIP_TYPE.NUMBERING:
            return rel.target_part.element
    root = parse_xml(f"<w:numbering {nsdecls('w')}/>")
    assert part.package is not None  # noqa: S101 - a document that was opened has one
    made = NumberingPart(PackURI("/word/numbering.xml"), CONTENT_TYPE.WML_NUMBERING, root, part.package)
    part.relate_to(made, RELATIONSHIP_TYPE.NUMBERING)
    return made.element


def _rules() -> Any:
    """Lines above and below, thin ones between rows."""
    strong, thin = {"val": "single", "sz": 6, "color": QUIET}, {"val": "single", "sz": 4, "color": _RULE}
    none = {"val": "nil"}
    return node(
        "tblBorders",
        node("top", **strong),
        node("left", **none),
        node("bottom", **strong),
        node("right", **none),
        node("insideH", **thin),
        node("insideV", **none),
    )
