"""The report as a Word document: a working copy with headings, tables, captions and fields of Word's own."""

from __future__ import annotations

import io
import json
import re
import zipfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, time
from functools import cache, singledispatchmethod
from itertools import count
from operator import attrgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any

from docx import Document
from docx.enum.style import WD_STYLE_TYPE
from docx.enum.table import WD_CELL_VERTICAL_ALIGNMENT
from docx.enum.text import WD_ALIGN_PARAGRAPH, WD_TAB_ALIGNMENT, WD_TAB_LEADER
from docx.opc.constants import RELATIONSHIP_TYPE
from docx.oxml import OxmlElement, parse_xml
from docx.oxml.ns import nsdecls, qn
from docx.oxml.shape import CT_Inline
from docx.oxml.table import CT_Tbl
from docx.shared import Emu, Mm, Pt, RGBColor
from docx.text.paragraph import Paragraph as WordParagraph

from zebra_core.errors import InputError
from zebra_core.figures.figure import CellsFigure, tag_ink
from zebra_core.files.access import read_bounded
from zebra_core.project.report_settings import Paper, Section
from zebra_core.report import word_apart
from zebra_core.report.attachment import SEAL
from zebra_core.report.content import ReportContent, front_words, shown
from zebra_core.report.document import (
    FORMULAS,
    Badge,
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
from zebra_core.report.layout import GAP, column_widths
from zebra_core.runtime import apart
from zebra_core.runtime.progress import Progress, no_progress
from zebra_core.wording.texts import begun, language_tag, named, say, speaking

if TYPE_CHECKING:
    from docx.document import Document as WordDocument

_PROGRAM, _WAIT_SECONDS, _MOST_LENT = Path(word_apart.__file__), 120.0, 64 << 20
_DATE = (1980, 1, 1, 0, 0, 0)  # of every part: the same report gives the same bytes
_INCH = 914_400  # in EMU, in which all is measured that has no other unit
_LONGEST_PROPERTY = 255
_LONGEST_HEAD = 70  # characters of the title in the head of the pages
_HIGHEST_CELLS = Mm(62)  # of a matrix: three of them share a page, as in the PDF
_HIGHEST = 0.8  # of the height of the text
_FORMULA_PPI = 300.0
_LONGEST_FIGURE = 16  # characters that stand in one line
_REGIONS = {"de": "de-DE", "es": "es-ES", "fr": "fr-FR"}  # Word names no language without a country


def report_docx(
    content: ReportContent,
    evidence_file: str,
    template: Path | None = None,
    on_progress: Progress = no_progress,
) -> bytes:
    """The report as a Word document; the same content and template give the same bytes.

    It says that it is a working copy, which nobody can verify, and that `evidence_file` beside it can be.
    A `template` lends its styles, page, headers and footers. Raises InputError for what is no template, or
    has in it what could run or leads elsewhere.
    """
    document = Document() if template is None else _lent(template)
    if template is None:
        word_apart.empty(document)
    with speaking(content.language):
        _state_properties(document, content)
        if template is None or document.sections[0].page_width is None:
            _lay_out(document, content.paper)
        _WordWriter(document, content, on_progress, is_ours=template is None).write_report(evidence_file)
    return _packed(document)


def _lent(template: Path) -> WordDocument:
    """An empty document with what the template lends, which a process of its own has opened."""
    name = template.name
    too_large = InputError("template-too-large", file=name, most=word_apart.MOST_BYTES >> 20)
    content = read_bounded(template, word_apart.MOST_BYTES, too_large)
    try:
        if not apart.can_run():
            answer = word_apart.answer(content)
        else:
            with apart.running(_PROGRAM, [], content, seconds=_WAIT_SECONDS) as program:
                answer = program.rest(_MOST_LENT)
    except apart.NoAnswer as error:
        raise apart.refusal(error, "template-not-word", name) from error
    said, _, lent = answer.partition(b"\n")
    if facts := json.loads(said):
        raise InputError(facts.pop("code"), file=name, **facts)
    return Document(io.BytesIO(lent))


def _state_properties(document: WordDocument, content: ReportContent) -> None:
    stated, when = document.core_properties, datetime.combine(content.date, time(), UTC)
    stated.title = begun(content.title, _LONGEST_PROPERTY)
    stated.author = stated.last_modified_by = begun(content.author, _LONGEST_PROPERTY)
    stated.subject, stated.comments = content.kind, content.program
    stated.keywords = f"{SEAL}{content.evidence_sha256}"
    stated.content_status = say("paper.working-copy")
    stated.language = _language(content.language)
    stated.created = stated.modified = when
    stated.revision = 1


def _language(code: str) -> str:
    """A language as Word names it: one that it can check the spelling of."""
    return _REGIONS.get(code, language_tag(code))


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


# --- how it looks


_QUIET, _WARNING, _INK = "4A5361", "9C2C1C", "14181F"
_TABLE, _QUIET_STYLE, _GRID = "ZEBRA Table", "ZEBRA Quiet", "Table Grid"
_SMALL = 8.0  # points, of words in tables
_TEXT: dict[str, dict[str, Any]] = {
    "Normal": {"font.name": "Calibri", "font.size": Pt(10), "space_after": Pt(6), "line_spacing": 1.1},
    "Title": {"font.size": Pt(20), "font.bold": True, "space_after": Pt(10), "space_before": Pt(4)},
    "Heading 1": {"font.size": Pt(14), "font.bold": True, "space_before": Pt(18), "space_after": Pt(8)},
    "Heading 2": {"font.size": Pt(11), "font.bold": True, "space_before": Pt(12), "space_after": Pt(4)},
    "List Bullet": {"space_after": Pt(3)},
    "List Number": {"space_after": Pt(3)},
    "toc 1": {"line_spacing": 1.3},
    _TABLE: {"font.size": Pt(_SMALL), "space_before": Pt(2), "space_after": Pt(2), "line_spacing": 1.0},
}
_STANDING_BACK: dict[str, dict[str, Any]] = {
    "Subtitle": {"font.size": Pt(9), "space_after": Pt(2)},
    "Caption": {"font.size": Pt(9), "space_after": Pt(10)},
    "Header": {"font.size": Pt(8), "space_after": Pt(0)},
    "Footer": {"font.size": Pt(8), "space_after": Pt(0)},
    _QUIET_STYLE: {"font.size": Pt(9)},
}
_STYLES: dict[str, dict[str, Any]] = {
    **{name: {"font.color.rgb": RGBColor.from_string(_INK), **look} for name, look in _TEXT.items()},
    **{
        name: {"font.color.rgb": RGBColor.from_string(_QUIET), **look}
        for name, look in _STANDING_BACK.items()
    },
}
"""The styles that a report is made of. Of a template those that it has count; the others are added."""
_RULES = f"""<w:tblPr {nsdecls("w")}><w:tblBorders>
<w:top w:val="single" w:sz="6" w:color="{_QUIET}"/><w:left w:val="nil"/>
<w:bottom w:val="single" w:sz="6" w:color="{_QUIET}"/><w:right w:val="nil"/>
<w:insideH w:val="single" w:sz="4" w:color="D5DAE1"/><w:insideV w:val="nil"/></w:tblBorders></w:tblPr>"""
_OVER: dict[str, Any] = {"keep_with_next": True, "space_before": Pt(8), "space_after": Pt(3)}
_PAGES = {Paper.A4: (Mm(210), Mm(297)), Paper.LETTER: (Mm(215.9), Mm(279.4))}


def _lay_out(document: WordDocument, paper: Paper) -> None:
    """Give the document our page: this paper and our margins."""
    page = document.sections[0]
    page.page_width, page.page_height = _PAGES[paper]
    page.left_margin, page.right_margin, page.top_margin, page.bottom_margin = Mm(21), Mm(21), Mm(27), Mm(22)
    page.header_distance, page.footer_distance, page.gutter = Mm(10), Mm(10), Mm(0)


def _dressed(document: WordDocument, language: str, *, is_ours: bool) -> dict[str, Any]:
    """The styles by their names, in this language: those of the template, and ours for the others."""
    styles, grid = document.styles, WD_STYLE_TYPE.TABLE
    found: dict[str, Any] = {one.name: one for one in styles if one.type in (WD_STYLE_TYPE.PARAGRAPH, grid)}
    lacking = [name for name in (*_STYLES, _GRID) if name not in found]
    for name in lacking:
        free = name if name not in styles else f"ZEBRA {name}"  # one of another kind is called so
        found[name] = styles.add_style(free, grid if name == _GRID else WD_STYLE_TYPE.PARAGRAPH)
    for name in (*_STYLES, _GRID) if is_ours else lacking:
        style = found[name]
        for own in style.element.xpath("./w:rPr | ./w:pPr | ./w:tblPr"):
            style.element.remove(own)
        style.base_style = found["Normal"] if name in _STYLES and name != "Normal" else None
        style.hidden, style.quick_style = False, True
        for path, value in _STYLES.get(name, {}).items():
            where, _, what = path.rpartition(".")
            setattr(attrgetter(where or "paragraph_format")(style), what, value)
    for name in ("Heading 1", "Heading 2"):
        if is_ours or name in lacking:
            found[name].paragraph_format.keep_with_next = True
            found[name].element.pPr.append(_node("outlineLvl", val=int(name[-1]) - 1))
    if is_ours or _GRID in lacking:
        found[_GRID].element.append(parse_xml(_RULES))
    found["Normal"].element.get_or_add_rPr().append(_node("lang"))
    for each in styles.element.iter(qn("w:lang")):
        each.attrib.clear()
        each.set(qn("w:val"), language)
    return found


def _node(name: str, /, *inside: Any, **attributes: object) -> Any:
    """An element of WordprocessingML (ECMA-376, part 1) for which the library has no words."""
    made = OxmlElement(f"w:{name}", {qn(f"w:{key}"): str(value) for key, value in attributes.items()})
    made.extend(inside)
    return made


@dataclass(frozen=True)
class _Words(Run):
    """Words in a colour, on a ground, of a size in points; or what a field comes to until it is asked."""

    colour: str = ""
    ground: str = ""
    size: float = 0.0
    field: str = ""


def _tag(badge: Badge, size: float = 0.0) -> _Words:
    """A tag in white on its colour, or as an own scale has it."""
    ground, ink = (one.removeprefix("#") for one in (badge.colour, tag_ink(badge.colour)))
    return _Words(f"\u00a0{badge.tag}\u00a0", bold=True, colour=ink, ground=ground, size=size)


def _say(line: WordParagraph, words: str | Run) -> None:
    """Write words at the end of a paragraph."""
    said = _Words(words) if isinstance(words, str) else words
    look = said if isinstance(said, _Words) else _Words("")
    if look.field:
        asked = _node("instrText")
        asked.text = f" {look.field} "
        begin, separate = (_node("fldChar", fldCharType=kind) for kind in ("begin", "separate"))
        line.add_run().element.extend((begin, asked, separate))
    made = line.add_run(said.text)
    made.font.bold, made.font.italic = said.bold or None, said.italic or None
    made.font.name = "Consolas" if said.mono else None
    made.font.size = Pt(look.size) if look.size else None
    made.font.color.rgb = RGBColor.from_string(look.colour) if look.colour else None
    if look.ground:
        made.element.get_or_add_rPr().append(_node("shd", val="clear", color="auto", fill=look.ground))
    if said.language:
        made.element.get_or_add_rPr().append(_node("lang", val=_language(said.language)))
    if look.field:
        line.add_run().element.append(_node("fldChar", fldCharType="end"))


# --- the report


class _WordWriter:
    """Writes block after block into the body, and counts figures and tables."""

    def __init__(
        self, document: WordDocument, content: ReportContent, on_progress: Progress, *, is_ours: bool
    ) -> None:
        self._document, self._content, self._on_progress = document, content, on_progress
        self._into: Any = document.element.body
        self._styles = _dressed(document, _language(content.language), is_ours=is_ours)
        if not any(rel.reltype == RELATIONSHIP_TYPE.NUMBERING for rel in document.part.rels.values()):
            document.part.relate_to(Document().part.numbering_part, RELATIONSHIP_TYPE.NUMBERING)
        self._headings = self._list("decimal", "%1", 567) if is_ours else 0  # a template has its own
        own = self._styles["List Bullet"].element.find(f".//{qn('w:numPr')}")
        self._bullets = self._list("bullet", "•", 283) if own is None else 0
        self._figures, self._tables, self._drawn = count(1), count(1), 0
        page: Any = document.sections[0]
        self._width = page.page_width - (page.left_margin or 0) - (page.right_margin or 0)
        self._height = page.page_height - abs(page.top_margin or 0) - abs(page.bottom_margin or 0)

    def _list(self, kind: str, text: str, indent: int) -> int:
        """A new list, begun at 1; its number, by which paragraphs refer to it."""
        root = self._document.part.numbering_part.element
        new = 1 + max((int(one) for one in root.xpath("./w:abstractNum/@w:abstractNumId")), default=0)
        level = f"""<w:abstractNum {nsdecls("w")} w:abstractNumId="{new}">
<w:multiLevelType w:val="singleLevel"/><w:lvl w:ilvl="0"><w:start w:val="1"/>
<w:numFmt w:val="{kind}"/><w:lvlText w:val="{text}"/>
<w:pPr><w:ind w:left="{indent}" w:hanging="{indent}"/></w:pPr></w:lvl></w:abstractNum>"""
        root.insert(len(root.findall(qn("w:numPicBullet"))), parse_xml(level))
        made: int = root.add_num(new).numId
        return made

    # What stands before the sections.

    def write_report(self, evidence_file: str) -> None:
        """All of it, in the order of the PDF."""
        self._write_front(evidence_file)
        self._write_answer()
        sections = self._content.sections
        if len(sections) > 3:  # as in the PDF; Word fills it in when it is asked to
            self._over(front_words()["contents"])
            headings = "\n".join(section.heading for section in sections)
            self._put("toc 1", _Words(headings, field=r'TOC \o "1-1" \h \z \u'))
        self._write_signatures()
        for section in sections:
            is_appendix = section.section is Section.APPENDIX
            self._put(
                "Heading 1", section.heading, number=self._headings, page_break_before=is_appendix or None
            )
            for block in section.blocks:
                self.write(block)
        self._write_heads_and_feet()

    def _write_front(self, evidence_file: str) -> None:
        content = self._content
        self._put("Subtitle", content.kind)
        if content.logo is not None:
            (drawn,) = _typeset({"main.typ": _LOGO_SOURCE, "logo.svg": content.logo.as_svg})
            self._picture(drawn, say("paper.logo-alt"), _FORMULA_PPI)
        self._put("Title", content.title)
        for label, value in content.front:
            self._put("Normal", _Words(f"{label}\t", colour=_QUIET), value, space_after=Pt(1), **_hanging(30))
        head = _Words(named(say("paper.working-copy"), ""), bold=True, colour=_WARNING)
        said = say("paper.working-copy-says", file=evidence_file, sha256=content.evidence_sha256)
        line = self._put(_QUIET_STYLE, head, said, space_before=Pt(8), space_after=Pt(8))
        sides = ("top", "left", "bottom", "right")
        border = _node("pBdr", *(_node(side, val="single", sz=6, space=4, color=_WARNING) for side in sides))
        line.paragraph_format.element.pPr.insert_element_before(border, "w:spacing")
        if content.is_draft:
            self._put_draft(say("draft.brief", count=len(content.missing)))

    def _write_answer(self) -> None:
        content = self._content
        self._put("Heading 1", say("answer.head"))
        for block in content.answer:
            self.write(block)
        if content.is_draft:
            self._put_draft(say("draft.head"))
            self.write(Bullets(tuple((Run(each),) for each in content.missing)))
            self.write(paragraph(say("draft.how"), quiet=True))
        if content.cut:
            self._over(say("answer.in-full"))
            for label, value in content.cut:
                self._put("Normal", Run(named(label, ""), bold=True), value)

    def _put_draft(self, text: str) -> None:
        self._put(_QUIET_STYLE, _Words(f"{say('draft.word')} ", bold=True, colour=_WARNING), text)

    def _write_signatures(self) -> None:
        if not self._content.signers:
            return
        words, half = front_words(), self._width // 2
        self._over(words["sign-off"])
        rule = (WD_TAB_ALIGNMENT.LEFT, WD_TAB_LEADER.LINES)
        for signer in self._content.signers:
            line = self._put("Normal", "\t\t\t", tabs=[half], space_before=Pt(38), keep_with_next=True)
            line.paragraph_format.tab_stops.add_tab_stop(Emu(half - Mm(5)), *rule)
            line.paragraph_format.tab_stops.add_tab_stop(Emu(self._width), *rule)
            self._put(_QUIET_STYLE, f"{words['place-date']}\t{words['signature']}{signer}", tabs=[half])

    def _over(self, text: str) -> None:
        """What stands above what is no section."""
        self._put("Normal", Run(text, bold=True), keep_with_next=True, space_before=Pt(12), space_after=Pt(3))

    # Blocks.

    @singledispatchmethod
    def write(self, block: Block) -> None:
        """Write a block."""
        raise TypeError(block)

    @write.register
    def _(self, block: Paragraph) -> None:
        self._put(_QUIET_STYLE if block.quiet else "Normal", *block.runs)

    @write.register
    def _(self, block: Heading) -> None:
        self._put("Heading 2", block.text)

    @write.register
    def _(self, block: Bullets) -> None:
        number = self._list("decimal", "%1.", 425) if block.numbered else self._bullets
        for item in block.items:
            self._put("List Number" if block.numbered else "List Bullet", *item, number=number)

    @write.register
    def _(self, block: FindingLine) -> None:
        name, condition = Run(f"\t{block.name}", bold=True), _Words(f" {block.condition}", colour=_QUIET)
        stays = bool(block.more) or None
        self._put(
            "Normal",
            _tag(block.badge, 11),
            name,
            condition,
            f"\n{block.text}",
            keep_with_next=stays,
            **_hanging(9),
        )
        for more in block.more:
            self._put(_QUIET_STYLE, more, keep_together=True, left_indent=Mm(9))

    @write.register
    def _(self, block: ExplainedFigure) -> None:
        stays = bool(block.formula) or None
        self._put(
            "Normal", Run(f"{block.name}. ", bold=True), block.text, keep_together=True, keep_with_next=stays
        )
        if block.formula:
            alt = say("paper.formula-alt", words=block.formula.words)
            drawn = _formulas()[block.formula.name]
            self._picture(drawn, alt, _FORMULA_PPI, alignment=WD_ALIGN_PARAGRAPH.CENTER)

    @write.register
    def _(self, block: Terms) -> None:
        for term, meaning in block.entries:
            self._put("Normal", Run(term, bold=True), f" {meaning}", **_hanging(5))

    @write.register
    def _(self, block: TagLegend) -> None:
        self._put(_QUIET_STYLE, *(each for one in block.badges for each in (_tag(one), f" {one.meaning}   ")))

    @write.register
    def _(self, block: TwoColumns) -> None:
        for one in (*block.left, *block.right):  # Word has columns for whole sections only
            self.write(one)

    @write.register
    def _(self, block: ReportPicture) -> None:
        from zebra_core.figures.matplotlib_ import render  # takes its time

        self._on_progress(self._drawn / max(1, len(self._content.pictures)))
        self._drawn += 1
        dpi = self._content.dpi
        drawn = render(block.figure, "png", dpi=dpi, axes_height=block.height, width=block.width)
        highest = _HIGHEST_CELLS if isinstance(block.figure, CellsFigure) else 0
        self._picture(drawn, shown(block.figure.alt_text), dpi, highest, **_OVER)
        self._put("Caption", *_caption("paper.figure", next(self._figures)), block.caption)

    @write.register
    def _(self, block: TableBlock) -> None:
        self._put("Caption", *_caption("paper.table", next(self._tables)), block.caption, **_OVER)
        shares = [width + GAP for width in column_widths(block, self._content.paper)]
        widths = [Emu(round(self._width * share / sum(shares))) for share in shares]
        after = self._put(_QUIET_STYLE, space_before=Pt(0), space_after=Pt(0)).paragraph_format.element
        table = CT_Tbl.new_tbl(1 + len(block.rows), len(widths), Emu(self._width))
        after.addprevious(table)
        table.tblStyle_val, table.tblPr.autofit = self._styles[_GRID].style_id, False
        margins = (_node(side, w=round(GAP * 10), type="dxa") for side in ("left", "right"))
        table.tblPr.find(qn("w:tblLook")).addprevious(_node("tblCellMar", *margins))
        table.tblPr.append(_node("tblCaption", val=block.caption))
        for grid, width in zip(table.tblGrid.gridCol_lst, widths, strict=True):
            grid.w = width
        rows = (tuple(Cell(column.head) for column in block.columns), *block.rows)
        for place, (tr, row) in enumerate(zip(table.tr_lst, rows, strict=True)):
            marks = ("cantSplit",) if place else ("cantSplit", "tblHeader")
            tr.get_or_add_trPr().extend(map(_node, marks))
            stays = place == 0 or (len(rows) <= 9 and place < len(rows) - 1)
            for tc, cell, column, width in zip(tr.tc_lst, row, block.columns, widths, strict=True):
                tc.width = width
                self._write_cell(tc, cell, is_text=column.is_text, is_head=place == 0, stays=stays)

    def _write_cell(self, tc: Any, cell: Cell, *, is_text: bool, is_head: bool, stays: bool) -> None:
        tc.clear_content()
        outer, self._into = self._into, tc
        words: list[str | Run] = [_tag(cell.badge)] if cell.badge else []
        if cell.badge and cell.text:
            words.append(" ")
        if cell.mono:
            half = len(cell.text) // 2
            words.append(_Words(f"{cell.text[:half]}\n{cell.text[half:]}", size=6.5))
        elif cell.text:
            is_figure = not is_text and not is_head and len(cell.text) <= _LONGEST_FIGURE
            text = cell.text.replace(" ", "\u00a0") if is_figure else cell.text
            words.append(_Words(text, bold=True, colour=_QUIET) if is_head else text)
        if cell.note:
            words += ["\n"] * bool(words) + [_Words(cell.note, colour=_QUIET, size=_SMALL - 1)]
        side = WD_ALIGN_PARAGRAPH.LEFT if is_text else WD_ALIGN_PARAGRAPH.RIGHT
        self._put(_TABLE, *words, alignment=side, keep_with_next=stays or None)
        vertical = WD_CELL_VERTICAL_ALIGNMENT
        tc.get_or_add_tcPr().vAlign_val = vertical.BOTTOM if is_head else vertical.CENTER
        self._into = outer

    # What blocks are put together of.

    def _put(
        self, style: str, /, *words: str | Run, number: int = 0, tabs: Sequence[int] = (), **form: Any
    ) -> WordParagraph:
        """A new paragraph at the end, perhaps in a list of this number; `form` is that of the library."""
        element = self._into.add_p()
        element.style = self._styles[style].style_id
        if number:
            listed = element.pPr.get_or_add_numPr()
            listed.get_or_add_ilvl().val, listed.get_or_add_numId().val = 0, number
        made = WordParagraph(element, self._document)
        for name, value in form.items():
            setattr(made.paragraph_format, name, value)
        for place in tabs:
            side = WD_TAB_ALIGNMENT.RIGHT if place == self._width else WD_TAB_ALIGNMENT.LEFT
            made.paragraph_format.tab_stops.add_tab_stop(Emu(place), side)
        for one in words:
            _say(made, one)
        return made

    def _picture(self, png: bytes, alt: str, ppi: float, highest: int = 0, **form: Any) -> None:
        """A picture in a line of its own, no larger than there is room."""
        key, image = self._document.part.get_or_add_image(io.BytesIO(png))
        width, height = (round(pixels / ppi * _INCH) for pixels in (image.px_width, image.px_height))
        share = min(1.0, self._width / width, (highest or round(self._height * _HIGHEST)) / height)
        sides = Emu(round(width * share)), Emu(round(height * share))
        made = CT_Inline.new_pic_inline(self._document.part.next_id, key, "", *sides)
        made.docPr.set("descr", alt)
        self._put("Normal", **form).add_run().element.add_drawing(made)

    # Heads and feet of the pages.

    def _write_heads_and_feet(self) -> None:
        """Say on every page that it is a working copy, of what evidence, and which page it is."""
        page, content = self._document.sections[0], self._content
        both = [(page.header, page.footer)]
        if page.different_first_page_header_footer:
            both.append((page.first_page_header, page.first_page_footer))
        if self._document.settings.odd_and_even_pages_header_footer:
            both.append((page.even_page_header, page.even_page_footer))
        marks = (say("paper.working-copy"), say("draft.word"))[: 1 + content.is_draft]
        words = [_Words(f"{mark} · ", bold=True, colour=_WARNING) for mark in marks]
        of_what, right = say("paper.working-copy-evidence", sha256=content.evidence_sha256), self._width
        for head, foot in both:
            if self._begin_story(head):
                title = f"{begun(content.title, _LONGEST_HEAD)}\t{content.report_id}"
                self._put("Header", title, tabs=[right])
            self._put("Header", *words, of_what)
            program = content.program if self._begin_story(foot) else ""
            if "PAGE" not in word_apart.asked(self._into):
                self._put("Footer", f"{program}\t", *_page_number(), tabs=[right])

    def _begin_story(self, story: Any) -> bool:
        """Write into this header or footer from now on; whether there was none."""
        is_own: bool = story.is_linked_to_previous
        story.is_linked_to_previous = False
        self._into = story.part.element
        if is_own:
            self._into[:] = []
        return is_own


def _hanging(millimetres: float) -> dict[str, Any]:
    """The form of a paragraph whose first line begins so far to the left of the others."""
    room = Mm(millimetres)
    return {"left_indent": room, "first_line_indent": -room, "tabs": [room], "keep_together": True}


def _caption(code: str, number: int) -> Iterator[Run]:
    """The head of a caption of Word's own, of which it can make a list."""
    before, _, after = say(code, number="{number}").partition("{number}")
    label = before.strip() if before.strip().isidentifier() else code.rpartition(".")[2].title()
    yield Run(before, bold=True)
    yield _Words(str(number), bold=True, field=rf"SEQ {label} \* ARABIC")
    yield Run(f"{after}. ", bold=True)


def _page_number() -> Iterator[str | Run]:
    """“page 1 of 9” in the words of the language, the numbers worked out by Word."""
    asked = {"{page}": "PAGE", "{pages}": "NUMPAGES"}
    for piece in re.split(r"(\{pages?\})", say("paper.page", page="{page}", pages="{pages}")):
        yield _Words("1", field=asked[piece]) if piece in asked else piece


_LOGO_SOURCE = b'#set page(width: auto, height: auto, margin: 0pt)\n#image("logo.svg", height: 16mm)\n'
_FORMULA_SOURCE = """#set page(width: auto, height: auto, margin: 2pt)
#set text(size: 10pt)
#show math.equation: set text(font: "New Computer Modern Math")
"""


@cache
def _formulas() -> dict[str, bytes]:
    """Each formula as PNG, set as in the PDF; they come from us alone."""
    source = _FORMULA_SOURCE + "\n#pagebreak()\n".join(f"$ {one.typst} $" for one in FORMULAS)
    return dict(zip((one.name for one in FORMULAS), _typeset({"main.typ": source.encode()}), strict=True))


def _typeset(files: dict[str, bytes]) -> list[bytes]:
    """Each page as PNG."""
    import typst  # takes its time

    made = typst.compile(files, format="png", ppi=_FORMULA_PPI, ignore_system_fonts=True)  # type: ignore[call-overload]
    return [made] if isinstance(made, bytes) else [bytes(page) for page in made]
