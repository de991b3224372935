"""The report as a Word document: a working copy, to be written on in, with real headings, tables and captions."""

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

from docx.enum.style import WD_STYLE_TYPE
from docx.enum.text import WD_LINE_SPACING
from docx.opc.constants import CONTENT_TYPE, RELATIONSHIP_TYPE
from docx.opc.packuri import PackURI
from docx.oxml import OxmlElement, parse_xml
from docx.oxml.ns import nsdecls, qn
from docx.parts.numbering import NumberingPart
from docx.shared import Pt, RGBColor
from docx.styles.style import ParagraphStyle

from zebra_core.figures.cells import CellsFigure
from zebra_core.project.report_settings import Paper, Section
from zebra_core.report.content import ReportContent, front_words, shown
from zebra_core.report.document import (
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
from zebra_core.report.formulas import FORMULAS, Formula
from zebra_core.report.layout import GAP, column_widths
from zebra_core.report.word_template import word_base
from zebra_core.runtime.progress import Progress, no_progress
from zebra_core.wording.languages import language_tag, speaking
from zebra_core.wording.names import begun
from zebra_core.wording.texts import say

if TYPE_CHECKING:
    from docx.document import Document as WordDocument

SEAL = "evidence-sha256:"
"""What stands in the keywords of the document before the SHA-256 of its evidence, as in a PDF."""

_DATE = (1980, 1, 1, 0, 0, 0)  # of every part: the same report gives the same bytes
_FONT, _MONO = "Calibri", "Consolas"
_INK, _QUIET, _RULE, _WARNING = "14181F", "4A5361", "D5DAE1", "9C2C1C"
_PAGES = {Paper.A4: (11906, 16838), Paper.LETTER: (12240, 15840)}  # twentieths of a point, as all below
_SIDE, _TOP, _BOTTOM = 1191, 1134, 1247  # margins of 21, 20 and 22 mm
_TWIP, _INCH, _MM = 635, 914_400, 36_000  # in EMU, in which pictures are measured
_LONGEST_PROPERTY = 255
_LONGEST_HEAD = 70  # characters of the title in the head of the pages
_HIGHEST_CELLS = 62 * _MM  # of a matrix: three of them share a page, as in the PDF
_HIGHEST = 0.8  # of the height of the text
_TABLE, _QUIET_STYLE, _SMALL = "ZEBRA Table", "ZEBRA Quiet", 17  # half points
_REGIONS = {"de": "de-DE", "es": "es-ES", "fr": "fr-FR"}  # Word names no language without a country
_FORMULA_PPI = 300.0


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
        language = _language(content.language)
        _speak(document, language)
        _dress(document, is_ours=template is None)
        if template is None:
            _lay_out(document, content.paper)
        writer = _Writer(document, content, on_progress, is_ours=template is None)
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
    stated.language = _language(content.language)
    stated.created = stated.modified = when
    stated.revision = 1


def _language(code: str) -> str:
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
    """What can be read in a Word document: texts, descriptions, what fields ask for and what it says of itself."""
    said: list[str] = []
    with zipfile.ZipFile(io.BytesIO(document)) as parts:
        for name in filter(_WRITTEN.fullmatch, parts.namelist()):
            root = parse_xml(parts.read(name))
            said += [
                element.get("descr") or element.text or ""
                for element in root.iter()
                if isinstance(element.tag, str)
            ]
            said += [one.get(qn("w:val"), "") for one in root.iter(qn("w:tblCaption"))]
    return "\n".join(filter(None, said)).encode("utf-8", "replace")


_WRITTEN = re.compile(r"docProps/core\.xml|word/(document|header\d*|footer\d*)\.xml")


# --- elements


def _e(name: str, /, *inside: Any, **attributes: object) -> Any:
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


def _run(
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
        _e("rFonts", ascii=_MONO, hAnsi=_MONO, cs=_MONO) if mono else None,
        _e("b") if bold else None,
        _e("i") if italic else None,
        _e("color", val=colour) if colour else None,
        _e("sz", val=size) if size else None,
        _e("shd", val="clear", color="auto", fill=fill) if fill else None,
        _e("lang", val=_language(language)) if language else None,
    ]
    return _e(
        "r", _e("rPr", *properties) if any(one is not None for one in properties) else None, _e("t", text)
    )


def _runs(runs: Iterable[Run]) -> list[Any]:
    return [
        _run(run.text, bold=run.bold, italic=run.italic, mono=run.mono, language=run.language) for run in runs
    ]


def _badge(badge: Badge, size: int = 0) -> Any:
    fill = badge.colour.removeprefix("#")
    return _run(f"\u00a0{badge.tag}\u00a0", bold=True, colour="FFFFFF", fill=fill, size=size)


def _field(instruction: str, result: str) -> Iterator[Any]:
    """A field that Word works out again, and what it comes to until then."""
    for kind in ("begin", "separate"):
        yield _e("r", _e("fldChar", fldCharType=kind))
        if kind == "begin":
            yield _e("r", _e("instrText", f" {instruction} "))
    yield _run(result)
    yield _e("r", _e("fldChar", fldCharType="end"))


def _tabs(*places: tuple[str, int], leader: str = "none") -> Any:
    return _e("tabs", *(_e("tab", val=kind, leader=leader, pos=place) for kind, place in places))


def _tab() -> Any:
    return _e("r", _e("tab"))


# --- styles


def _speak(document: WordDocument, language: str) -> None:
    """Make this the language of the document: no style has one of its own."""
    root = document.styles.element
    for own in [*root.iter(qn("w:lang"))]:
        own.getparent().remove(own)
    defaults = root.find(qn("w:docDefaults"))
    if defaults is None:
        defaults = _e("docDefaults")
        root.insert(0, defaults)
    outer = defaults.find(qn("w:rPrDefault"))
    if outer is None:
        outer = _e("rPrDefault")
        defaults.insert(0, outer)
    properties = outer.find(qn("w:rPr"))
    if properties is None:
        properties = _e("rPr")
        outer.append(properties)
    properties.append(_e("lang", val=language, eastAsia=language))


_STYLES: dict[str, dict[str, Any]] = {
    "Normal": {"size": 10, "after": 6, "line": 1.1},
    "Title": {"size": 20, "bold": True, "after": 10, "before": 4},
    "Subtitle": {"size": 9, "colour": _QUIET, "after": 2},
    "Heading 1": {"size": 14, "bold": True, "before": 18, "after": 8, "with_next": True, "level": 0},
    "Heading 2": {"size": 11, "bold": True, "before": 12, "after": 4, "with_next": True, "level": 1},
    "List Bullet": {"after": 3},
    "List Number": {"after": 3},
    "Caption": {"size": 9, "colour": _QUIET, "after": 10},
    "Header": {"size": 8, "colour": _QUIET, "after": 0},
    "Footer": {"size": 8, "colour": _QUIET, "after": 0},
    "toc 1": {"after": 2},
    _QUIET_STYLE: {"size": 9, "colour": _QUIET},
    _TABLE: {"size": _SMALL / 2, "after": 0, "line": 1.0},
}
"""The styles that a report is made of. Of a template those that it has count; the others are added."""


def _dress(document: WordDocument, *, is_ours: bool) -> None:
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
    if not any(each.name == "Table Grid" for each in styles):
        styles.add_style("Table Grid", WD_STYLE_TYPE.TABLE)


def _look(
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
        style.element.get_or_add_pPr().append(_e("outlineLvl", val=level))


def _lay_out(document: WordDocument, paper: Paper) -> None:
    page = document.element.body.sectPr
    for own in list(page):
        page.remove(own)
    width, height = _PAGES[paper]
    page.append(_e("pgSz", w=width, h=height))
    margins = {"top": _TOP + 400, "bottom": _BOTTOM, "left": _SIDE, "right": _SIDE}
    page.append(_e("pgMar", **margins, header=567, footer=567, gutter=0))


# --- lists


class _Lists:
    """Definitions of lists: one for bullets, one for headings, and one for each list with numbers."""

    def __init__(self, document: WordDocument) -> None:
        self._root = _numbering(document)
        used = [int(one.get(qn("w:abstractNumId"), "0")) for one in self._root.iter(qn("w:abstractNum"))]
        self._next = max(used, default=-1) + 1
        nums = [int(one.get(qn("w:numId"), "0")) for one in self._root.iter(qn("w:num"))]
        self._next_num = max(nums, default=0) + 1

    def define(self, kind: str, text: str, *, indent: int, style: str = "") -> int:
        """A new list, begun at 1; its number, by which paragraphs refer to it."""
        level = _e(
            "lvl",
            _e("start", val=1),
            _e("numFmt", val=kind),
            _e("pStyle", val=style) if style else None,
            _e("lvlText", val=text),
            _e("lvlJc", val="left"),
            _e("pPr", _e("ind", left=indent, hanging=indent)),
            ilvl=0,
        )
        abstract = _e("abstractNum", _e("multiLevelType", val="singleLevel"), level, abstractNumId=self._next)
        first = self._root.find(qn("w:num"))
        if first is None:
            self._root.append(abstract)
        else:
            first.addprevious(abstract)
        number = _e("num", _e("abstractNumId", val=self._next), numId=self._next_num)
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
            return rel.target_part.element  # type: ignore[attr-defined]
    root = parse_xml(f"<w:numbering {nsdecls('w')}/>")
    assert part.package is not None  # noqa: S101 - a document that was opened has one
    made = NumberingPart(PackURI("/word/numbering.xml"), CONTENT_TYPE.WML_NUMBERING, root, part.package)
    part.relate_to(made, RELATIONSHIP_TYPE.NUMBERING)
    return made.element


# --- the report


class _Writer:
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
        self._lists = _Lists(document)
        self._bullets = self._lists.define("bullet", "•", indent=283)
        self._into = self._body
        self._figures, self._tables, self._objects, self._drawn = count(1), count(1), count(1), 0
        self._is_small = False
        size, margins = self._page.find(qn("w:pgSz")), self._page.find(qn("w:pgMar"))
        self._width = (
            _twips(size, "w", 11906) - _twips(margins, "left", _SIDE) - _twips(margins, "right", _SIDE)
        )
        self._height = (
            _twips(size, "h", 16838) - _twips(margins, "top", _TOP) - _twips(margins, "bottom", _BOTTOM)
        )
        if is_ours:
            self._number_headings()

    def _number_headings(self) -> None:
        style = self._document.styles["Heading 1"]
        number = self._lists.define("decimal", "%1", indent=567, style=style.style_id)
        style.element.get_or_add_pPr().get_or_add_numPr().get_or_add_numId().val = number

    # What stands before the sections.

    def write_report(self, evidence_file: str) -> None:
        """All of it, in the order of the PDF."""
        content, words = self._content, front_words()
        self._put("Subtitle", _run(content.kind))
        self._write_logo()
        self._put("Title", _run(content.title))
        for label, value in content.front:
            self._labelled(label, value, 1701)
        self._write_working_copy(evidence_file)
        if content.is_draft:
            self._put_draft(say("draft.brief", count=len(content.missing)))
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
                self.write(Paragraph((Run(f"{label}: ", bold=True), Run(value))))
        if len(content.sections) > 3:
            self._write_contents(words["contents"])
        if content.signers:
            self._over(words["sign-off"])
            for signer in content.signers:
                self._write_signature(words["place-date"], f"{words['signature']}{signer}")
        for place, section in enumerate(content.sections):
            is_appendix = section.section is Section.APPENDIX
            self._is_small = is_appendix
            self._heading(section.heading, number=True, bookmark=f"zebra-{place}", on_new_page=is_appendix)
            for block in section.blocks:
                self.write(block)

    def _write_logo(self) -> None:
        if self._content.logo is None:
            return
        import typst  # takes its time

        files = {"main.typ": _LOGO_SOURCE, "logo.svg": self._content.logo.as_svg}
        made = typst.compile(files, format="png", ppi=_FORMULA_PPI, ignore_system_fonts=True)  # type: ignore[call-overload]
        self._put("Normal", self._picture(bytes(made), "logo", say("paper.logo-alt"), _FORMULA_PPI))

    def _write_working_copy(self, evidence_file: str) -> None:
        said = say("paper.working-copy-says", file=evidence_file, sha256=self._content.evidence_sha256)
        border = {"val": "single", "sz": 6, "space": 4, "color": _WARNING}
        sides = (_e(side, **border) for side in ("top", "left", "bottom", "right"))
        head = _run(f"{say('paper.working-copy')} ", bold=True, colour=_WARNING)
        properties = (_e("pBdr", *sides), _e("spacing", before=160, after=160))
        self._put(_QUIET_STYLE, head, _run(said), properties=properties)

    def _put_draft(self, text: str) -> None:
        self._put(_QUIET_STYLE, _run(f"{say('draft.word')} ", bold=True, colour=_WARNING), _run(text))

    def _write_contents(self, heading: str) -> None:
        """A table of contents of Word's own; until it is updated there, links without numbers of pages."""
        self._over(heading)
        begin, asked, separate, _, end = _field(r'TOC \o "1-1" \h \z \u', "")
        last = len(self._content.sections) - 1
        for place, section in enumerate(self._content.sections):
            link = _e("hyperlink", _run(section.heading), anchor=f"zebra-{place}", history=1)
            before = (begin, asked, separate) if place == 0 else ()
            self._put("toc 1", *before, link, *((end,) if place == last else ()))

    def _write_signature(self, place_and_date: str, signature: str) -> None:
        half = self._width // 2
        lines = _tabs(("left", half - 284), ("left", half), ("left", self._width), leader="underscore")
        gap = _e("tabs", _e("tab", val="left", leader="none", pos=half))
        for tab in lines[1:2]:
            tab.set(qn("w:leader"), "none")
        room = _e("spacing", before=760, after=0)
        self._put("Normal", _tab(), _tab(), _tab(), properties=(_e("keepNext"), lines, room))
        self._put(_QUIET_STYLE, _run(place_and_date), _tab(), _run(signature), properties=(gap,))

    def _over(self, text: str) -> None:
        """What stands above what is no section."""
        self._put(
            "Normal", _run(text, bold=True), properties=(_e("keepNext"), _e("spacing", before=240, after=60))
        )

    def _labelled(self, label: str, value: str, indent: int) -> None:
        form = (_tabs(("left", indent)), _e("spacing", after=20), _e("ind", left=indent, hanging=indent))
        self._put("Normal", _run(label, colour=_QUIET), _tab(), _run(value), properties=form)

    def _heading(self, text: str, *, number: bool, bookmark: str, on_new_page: bool = False) -> None:
        marked = next(self._objects)
        without = None if number else _e("numPr", _e("ilvl", val=0), _e("numId", val=0))
        properties = (_e("pageBreakBefore") if on_new_page else None, without)
        begin, end = _e("bookmarkStart", id=marked, name=bookmark), _e("bookmarkEnd", id=marked)
        self._put("Heading 1", begin, _run(text), end, properties=properties)

    # Blocks.

    @singledispatchmethod
    def write(self, block: Block) -> None:
        """Write a block."""
        raise TypeError(block)

    @write.register
    def _(self, block: Paragraph) -> None:
        self._put(_QUIET_STYLE if block.quiet else "Normal", *_runs(block.runs))

    @write.register
    def _(self, block: Heading) -> None:
        self._put("Heading 2", _run(block.text))

    @write.register
    def _(self, block: Bullets) -> None:
        number = self._lists.define("decimal", "%1.", indent=425) if block.numbered else self._bullets
        listed = _e("numPr", _e("ilvl", val=0), _e("numId", val=number))
        style = "List Number" if block.numbered else "List Bullet"
        for item in block.items:
            self._put(style, *_runs(item), properties=(deepcopy(listed),))

    @write.register
    def _(self, block: FindingLine) -> None:
        form = (_e("keepLines"), _tabs(("left", 510)), _e("ind", left=510, hanging=510))
        found = [
            _badge(block.badge, 22),
            _tab(),
            _run(block.name, bold=True),
            _run(f" {block.condition}", colour=_QUIET),
        ]
        self._put(
            "Normal",
            *found,
            _e("r", _e("br")),
            _run(block.text),
            properties=(_e("keepNext"), *form) if block.more else form,
        )
        for line in block.more:
            self._put(_QUIET_STYLE, _run(line), properties=(_e("keepLines"), _e("ind", left=510)))

    @write.register
    def _(self, block: ExplainedFigure) -> None:
        stays = (_e("keepNext"),) if block.formula else ()
        self._put(
            "Normal",
            _run(f"{block.name}. ", bold=True),
            _run(block.text),
            properties=(*stays, _e("keepLines")),
        )
        if block.formula:
            alt = say("paper.formula-alt", words=block.formula.words)
            drawn = self._picture(_formulas()[block.formula.name], block.formula.name, alt, _FORMULA_PPI)
            self._put("Normal", drawn, properties=(_e("jc", val="center"),))

    @write.register
    def _(self, block: Terms) -> None:
        for term, meaning in block.entries:
            self._put(
                "Normal",
                _run(term, bold=True),
                _run(f" {meaning}"),
                properties=(_e("keepLines"), _e("ind", left=284, hanging=284)),
            )

    @write.register
    def _(self, block: TagLegend) -> None:
        parts = ((_badge(badge), _run(f" {badge.meaning}   ")) for badge in block.badges)
        self._put(_QUIET_STYLE, *(run for both in parts for run in both))

    @write.register
    def _(self, block: TwoColumns) -> None:
        """A table without lines: Word has columns for whole sections only."""
        outer, width, half = self._into, self._width, self._width // 2
        cells = []
        for side in (block.left, block.right):
            cell = _e("tc", _e("tcPr", _e("tcW", w=half, type="dxa")))
            self._into, self._width = cell, half - 200
            for one in side:
                self.write(one)
            cells.append(cell)
        self._into, self._width = outer, width
        grid = _e("tblGrid", _e("gridCol", w=half), _e("gridCol", w=half))
        row = _e("tr", *cells)
        form = _e("tblPr", _e("tblW", w=2 * half, type="dxa"), _e("tblLayout", type="fixed"), _no_margins())
        self._append(_e("tbl", form, grid, row))
        self._append(_e("p", _e("pPr", _e("spacing", before=0, after=0, line=120, lineRule="exact"))))

    @write.register
    def _(self, block: ReportPicture) -> None:
        from zebra_core.figures.matplotlib_ import render  # takes its time

        self._on_progress(self._drawn / max(1, len(self._content.pictures)))
        self._drawn += 1
        dpi = self._content.dpi
        drawn = render(block.figure, "png", dpi=dpi, axes_height=block.height, width=block.width)
        highest = _HIGHEST_CELLS if isinstance(block.figure, CellsFigure) else 0
        picture = self._picture(drawn, block.stem, shown(block.figure.alt_text), dpi, highest)
        self._put("Normal", picture, properties=(_e("keepNext"), _e("spacing", before=160, after=60)))
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
        grid = _e("tblGrid", *(_e("gridCol", w=width) for width in widths))
        form = _e(
            "tblPr",
            _e("tblStyle", val=self._ids.get("Table Grid") or "TableGrid"),
            _e("tblW", w=sum(widths), type="dxa"),
            _rules(),
            _e("tblLayout", type="fixed"),
            _no_margins(),
            _e(
                "tblLook",
                val="0020",
                firstRow=1,
                lastRow=0,
                firstColumn=0,
                lastColumn=0,
                noHBand=1,
                noVBand=1,
            ),
            _e("tblCaption", val=block.caption),
        )
        self._append(_e("tbl", form, grid, *rows))
        self._put(_QUIET_STYLE, properties=(_e("spacing", before=0, after=0),))

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
        return _e("tr", _e("trPr", _e("cantSplit"), _e("tblHeader") if is_head else None), *cells)

    def _cell(self, cell: Cell, width: int, *, is_text: bool, is_head: bool, stays: bool) -> Any:
        runs = [_badge(cell.badge)] if cell.badge else []
        if cell.badge and cell.text:
            runs.append(_run(" "))
        if cell.mono:
            half = len(cell.text) // 2
            runs += [_run(cell.text[:half], size=13), _e("r", _e("br")), _run(cell.text[half:], size=13)]
        elif cell.text:
            text = cell.text if is_text or is_head else cell.text.replace(" ", "\u00a0")
            runs.append(_run(text, bold=is_head, colour=_QUIET if is_head else ""))
        if cell.note:
            runs += [_e("r", _e("br"))] if runs else []
            runs.append(_run(cell.note, colour=_QUIET, size=_SMALL - 2))
        form = (
            _e("pStyle", val=self._ids[_TABLE]),
            _e("keepNext") if stays else None,
            _e("spacing", before=40, after=40),
            _e("jc", val="left" if is_text else "right"),
        )
        side = _e("vAlign", val="bottom" if is_head else "center")
        return _e("tc", _e("tcPr", _e("tcW", w=width, type="dxa"), side), _e("p", _e("pPr", *form), *runs))

    def _caption(self, code: str, number: int, text: str, *, is_above: bool = False) -> None:
        """A caption of Word's own, of which it can make a list."""
        before, _, after = say(code, number="{number}").partition("{number}")
        label = before.strip() if before.strip().isidentifier() else code.rpartition(".")[2].title()
        numbered = [
            _run(before, bold=True),
            *_field(rf"SEQ {label} \* ARABIC", str(number)),
            _run(f"{after}. ", bold=True),
        ]
        numbered[3].insert(0, _e("rPr", _e("b")))
        self._put(
            "Caption",
            *numbered,
            _run(text),
            properties=(_e("keepNext"), _e("spacing", before=160, after=60)) if is_above else (),
        )

    # What blocks are put together of.

    def _put(self, style: str, *inside: Any, properties: Iterable[Any] = ()) -> None:
        """A paragraph; its properties are in the order of the schema."""
        self._append(_e("p", _e("pPr", _e("pStyle", val=self._ids[style]), *properties), *inside))

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
        return _e(
            "r", _drawing(key, name, alt, round(width * share), round(height * share), next(self._objects))
        )


_LOGO_SOURCE = b'#set page(width: auto, height: auto, margin: 0pt)\n#image("logo.svg", height: 16mm)\n'


def _twips(element: Any, attribute: str, otherwise: int) -> int:
    return otherwise if element is None else int(element.get(qn(f"w:{attribute}"), otherwise))


def _no_margins() -> Any:
    sides = (_e(side, w=round(GAP * 10), type="dxa") for side in ("left", "right"))
    return _e("tblCellMar", *sides)


def _rules() -> Any:
    """Lines above and below, thin ones between rows."""
    strong, thin = {"val": "single", "sz": 6, "color": _QUIET}, {"val": "single", "sz": 4, "color": _RULE}
    none = {"val": "nil"}
    return _e(
        "tblBorders",
        _e("top", **strong),
        _e("left", **none),
        _e("bottom", **strong),
        _e("right", **none),
        _e("insideH", **thin),
        _e("insideV", **none),
    )


def _drawing(key: str, name: str, alt: str, width: int, height: int, number: int) -> Any:
    made = parse_xml(
        f'<w:drawing {nsdecls("w", "wp", "a", "pic", "r")}><wp:inline distT="0" distB="0" distL="0" distR="0">'
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


@cache
def _formulas() -> dict[str, bytes]:
    """Each formula as PNG, set as in the PDF; they come from us alone."""
    import typst  # takes its time

    return dict(zip((one.name for one in FORMULAS), _set(FORMULAS, typst), strict=True))


def _set(formulas: Sequence[Formula], typst: Any) -> list[bytes]:
    head = '#set page(width: auto, height: auto, margin: 2pt)\n#set text(size: 10pt)\n#show math.equation: set text(font: "New Computer Modern Math")\n'
    source = head + "\n#pagebreak()\n".join(f"$ {one.typst} $" for one in formulas)
    made = typst.compile(
        {"main.typ": source.encode()}, format="png", ppi=_FORMULA_PPI, ignore_system_fonts=True
    )
    return [bytes(page) for page in made]


# --- heads and feet of the pages


def _write_heads_and_feet(document: WordDocument, content: ReportContent) -> None:
    """Say on every page that it is a working copy, of what evidence, and which page it is."""
    page, part = document.element.body.sectPr, document.part
    ids = {style.name: style.style_id for style in document.styles}
    size, margins = page.find(qn("w:pgSz")), page.find(qn("w:pgMar"))
    width = _twips(size, "w", 11906) - _twips(margins, "left", _SIDE) - _twips(margins, "right", _SIDE)
    kinds = ["default"]
    kinds += ["first"] if page.find(qn("w:titlePg")) is not None else []
    kinds += ["even"] if document.settings.odd_and_even_pages_header_footer else []
    for kind in kinds:
        head, is_own = _story(part, page, "header", kind)
        if is_own:
            title, words = begun(content.title, _LONGEST_HEAD), content.report_id
            head.append(_marginal(ids["Header"], [_run(title), _tab(), _run(words)], width))
        words = [_run(f"{say('paper.working-copy')} ", bold=True, colour=_WARNING)]
        words += [_run(f"{say('draft.word')} ", bold=True, colour=_WARNING)] if content.is_draft else []
        words.append(_run(say("paper.working-copy-evidence", sha256=content.evidence_sha256)))
        head.append(_marginal(ids["Header"], words, width))
        foot, is_own = _story(part, page, "footer", kind)
        asked = " ".join(one.text or "" for one in foot.iter(qn("w:instrText")))
        asked += " ".join(one.get(qn("w:instr"), "") for one in foot.iter(qn("w:fldSimple")))
        if "PAGE" not in asked.upper().split():
            first = [_run(content.program)] if is_own else []
            foot.append(_marginal(ids["Footer"], [*first, _tab(), *_page_number()], width))


def _page_number() -> Iterator[Any]:
    """“page 1 of 9” in the words of the language, the numbers worked out by Word."""
    said = say("paper.page", page="{page}", pages="{pages}")
    for piece in re.split(r"(\{pages?\})", said):
        if piece in ("{page}", "{pages}"):
            yield from _field("PAGE" if piece == "{page}" else "NUMPAGES", "1")
        else:
            yield _run(piece)


def _marginal(style: str, inside: Iterable[Any], width: int) -> Any:
    return _e("p", _e("pPr", _e("pStyle", val=style), _tabs(("right", width))), *inside)


def _story(part: Any, page: Any, name: str, kind: str) -> tuple[Any, bool]:
    """The header or footer of a kind of pages, and whether it is made by us."""
    for one in page.findall(qn(f"w:{name}Reference")):
        if one.get(qn("w:type")) == kind:
            return part.related_parts[one.get(qn("r:id"))].element, False
    made, key = part.add_header_part() if name == "header" else part.add_footer_part()
    for own in list(made.element):
        made.element.remove(own)
    reference = _e(f"{name}Reference", type=kind)
    reference.set(qn("r:id"), key)
    page.insert(0, reference)
    return made.element, True
