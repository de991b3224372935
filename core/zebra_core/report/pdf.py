"""The report as PDF/A-3a and PDF/UA-1, set by Typst; evidence and tables are attached."""

from __future__ import annotations

import json
import pickle
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime, time
from functools import lru_cache
from typing import Any

import typst

import zebra_resources
from zebra_core.figures import matplotlib_
from zebra_core.figures.cells_layout import layout_of
from zebra_core.figures.figure import CellsFigure
from zebra_core.figures.fonts import fonts_folder
from zebra_core.figures.lettering import FAMILY, in_inter
from zebra_core.project.report_settings import Section
from zebra_core.report.attachment import DRAFT, SEAL
from zebra_core.report.content import ReportContent, front_words, shown
from zebra_core.report.document import (
    FORMULAS,
    Block,
    ExplainedFigure,
    Heading,
    ReportPicture,
    TableBlock,
    TwoColumns,
)
from zebra_core.report.layout import GAP, TABLE_SIZE, column_widths, table_size
from zebra_core.runtime import memory
from zebra_core.runtime.progress import Progress, no_progress, part_of
from zebra_core.wording.texts import ENGLISH, begun, current, language_tag, say, speaking

STANDARDS: list[typst.PDFStandard] = ["a-3a", "ua-1"]
PREVIEW_PPI = 110.0
_LONGEST_STRING = 5000  # characters; PDF/A has room for 32 767 bytes, where each may take up to four
_SHARE_OF_PICTURES = 0.8  # of the time that pages take
_SETTING_BYTES = 200 << 20  # without memory Typst ends the program; 130 MB were too few


_REMEMBERED = 10
"""The binding drops what was of no use in so many documents in a row, and has no other way to be asked."""


@contextmanager
def forgetting() -> Iterator[None]:
    """Forget afterwards what was set within, whether that went well or not.

    A report leaves some 12 MB behind, its pictures above all; ten of them stay in memory, for next to no
    gain: the report that comes next is set in 0.21 s instead of 0.17 s. Empty documents without
    fonts push them out; set by one compiler, all of them take 1 ms.
    """
    try:
        yield
    finally:
        fonts = typst.Fonts(include_system_fonts=False, include_embedded_fonts=False)
        compiler = typst.Compiler(font_paths=fonts)
        for _ in range(_REMEMBERED + 1):
            compiler.compile(b"")


@dataclass(frozen=True)
class Attachment:
    """A file that goes into the PDF."""

    name: str
    content: bytes
    mime_type: str
    description: str


@dataclass(frozen=True)
class PicturePlace:
    """Where a figure stands on the pages of a preview, in points from the upper left corner."""

    page: int  # from 1
    top: float
    bottom: float
    topic: str
    entry_id: str
    file: str  # what it is called in files

    @property
    def place(self) -> str:
        """The place to which comments on it are pinned."""
        return f"picture:{self.file.removesuffix('.svg')}"


@dataclass(frozen=True)
class ReportPreview:
    """The pages as PNG, the section of each, their width in points, and where the figures are.

    `places` are those of the content.
    """

    pages: tuple[bytes, ...]
    titles: tuple[str, ...]  # the section that begins on each, else that which goes on there
    sections: tuple[str, ...]  # the place of that section, to which comments on it are pinned
    width: float
    pictures: tuple[PicturePlace, ...]
    places: Mapping[str, str] = field(default_factory=dict)


def report_pdf(
    content: ReportContent,
    attachments: tuple[Attachment, ...] = (),
    on_progress: Progress = no_progress,
) -> bytes:
    """The report as a PDF file; the same content and attachments give the same bytes.

    The template gets values only, as JSON: nothing in a name can be taken for markup.
    """
    return filed_pdf(_files(content, attachments, on_progress), datetime.combine(content.date, time(), UTC))


def filed_pdf(files: Mapping[str, bytes], when: datetime) -> bytes:
    """What Typst sets of these files, by their names, in our font; a PDF to be filed, see `STANDARDS`."""
    with forgetting():
        # The binding's annotations forget that files may be given in memory, by their names.
        made = typst.compile(  # type: ignore[call-overload]
            files,
            font_paths=[str(fonts_folder())],
            ignore_system_fonts=True,
            format="pdf",
            pdf_standards=STANDARDS,
            timestamp=when,
        )
    return bytes(made)


def report_pages(
    content: ReportContent, ppi: float = PREVIEW_PPI, on_progress: Progress = no_progress
) -> ReportPreview:
    """The pages of the report as pictures, as the PDF will have them."""
    files = _files(content, (), part_of(on_progress, 0.0, _SHARE_OF_PICTURES))
    fonts: dict[str, Any] = {"font_paths": [str(fonts_folder())], "ignore_system_fonts": True}
    with forgetting():
        made = typst.compile(files, format="png", ppi=ppi, **fonts)
        found = json.loads(typst.query(files, "<picture>", field="value", **fonts))
        (begins,) = json.loads(typst.query(files, "<sections>", field="value", **fonts))
    pages = tuple(map(bytes, made)) if isinstance(made, list) else (bytes(made),)
    with speaking(content.language):
        headings = (say("answer.head"), *(section.heading for section in content.sections))
    width = 595.28 if content.paper.value == "a4" else 612.0
    places = tuple(PicturePlace(**place) for place in found)
    names = ("answer", *(section.section.value for section in content.sections))
    titles, sections = (_on_pages(each, begins, len(pages)) for each in (headings, names))
    return ReportPreview(pages, titles, sections, width, places, content.places)


def _on_pages(headings: Sequence[str], begins: Sequence[int], count: int) -> tuple[str, ...]:
    """The section that begins on each of so many pages, else the one that goes on there.

    `begins` says on which page each begins, from 1, in their order.
    """
    first = dict(reversed(list(zip(begins, headings, strict=True))))
    last = dict(zip(begins, headings, strict=True))
    titles, going_on = [], ""
    for page in range(1, count + 1):
        titles.append(first.get(page, going_on))
        going_on = last.get(page, going_on)
    return tuple(titles)


def _files(
    content: ReportContent, attachments: tuple[Attachment, ...], on_progress: Progress
) -> dict[str, bytes]:
    """Everything that Typst reads, by name. Raises MemoryError where Typst would end the program."""
    memory.require(_SETTING_BYTES)
    pictures = {}
    with speaking(content.language):
        for number, picture in enumerate(content.pictures):
            on_progress(number / len(content.pictures))
            pictures[f"{picture.stem}.svg"] = drawn(picture)
        on_progress(1.0)
        values = _values(content, attachments)
    # In memory the binding takes texts only.
    logo = {"logo.svg": content.logo.as_svg} if content.logo else {}
    return {
        "main.typ": zebra_resources.read_bytes("templates/report.typ"),
        "formulas.typ": _formulas(),
        "report.json": json.dumps(values).encode("ascii"),
        **pictures,
        **logo,
        **{attached.name: attached.content for attached in attachments},
    }


def _formulas() -> bytes:
    """The formulas as Typst; they come from us alone, so that nothing of a user's is ever evaluated."""
    lines = [f'  "{formula.name}": $ {formula.typst} $,' for formula in FORMULAS]
    return "\n".join(["#let formulas = (", *lines, ")", ""]).encode()


def _values(content: ReportContent, attachments: tuple[Attachment, ...]) -> Any:
    """What the template needs, every text spelt out where the font lacks a character."""
    language, _, region = language_tag(content.language).partition("-")
    return _in_font(
        {
            "font": FAMILY,
            "paper": content.paper.value,
            "language": language,
            "region": region.lower() or None,
            "hyphenate": content.language != ENGLISH,
            "title": _kept_whole(content.title),
            "author": _kept_whole(content.author),
            "date": {"year": content.date.year, "month": content.date.month, "day": content.date.day},
            "kind": content.kind,
            "front": content.front,
            "cut": content.cut,
            "answer": [_block(block, content) for block in content.answer],
            "answer_head": say("answer.head"),
            "cut_head": say("answer.in-full"),
            "draft_brief": say("draft.brief", count=len(content.missing)),
            "draft": say("draft.word") if content.is_draft else "",
            "missing_head": say("draft.head"),
            "missing": content.missing,
            "missing_how": say("draft.how"),
            "logo": "logo.svg" if content.logo else "",
            "logo_alt": say("paper.logo-alt"),
            "report_id": content.report_id,
            "keywords": [
                *([f"{SEAL}{content.evidence_sha256}"] if content.evidence_sha256 else []),
                *([DRAFT] if content.is_draft else []),
            ],
            "program": content.program,
            # The template puts the numbers into these, which only it knows.
            "page": say("paper.page", page="{page}", pages="{pages}"),
            "figure": say("paper.figure", number="{number}"),
            "table": say("paper.table", number="{number}"),
            "words": front_words(),
            "gap": GAP,
            "signers": content.signers,
            "sections": [
                {
                    "name": section.section.value,
                    "heading": section.heading,
                    "blocks": [
                        _block(block, content, is_small=section.section is Section.APPENDIX)
                        for block in section.blocks
                    ],
                }
                for section in content.sections
            ],
            "attachments": [
                {"name": one.name, "mime": one.mime_type, "description": one.description}
                for one in attachments
            ],
        }
    )


def _block(block: Block, content: ReportContent, *, is_small: bool = False) -> dict[str, Any]:
    """A block with its kind, as plain values; tables `is_small` in the appendix."""
    kind = type(block).__name__
    if isinstance(block, ReportPicture):
        return {
            "kind": kind,
            "file": f"{block.stem}.svg",
            "height_over_width": _shape(block),
            "caption": block.caption,
            "alt": _kept_whole(shown(block.figure.alt_text)),
            "topic": block.topic,
            "entry_id": block.entry_id,
        }
    if isinstance(block, TwoColumns):
        left, right = ([_block(each, content) for each in side] for side in (block.left, block.right))
        return {"kind": kind, "left": left, "right": right}
    if isinstance(block, ExplainedFigure):
        formula = block.formula
        alt = say("paper.formula-alt", words=formula.words) if formula else ""
        return {
            "kind": kind,
            "name": block.name,
            "formula": formula.name if formula else "",
            "alt": alt,
            "text": block.text,
        }
    values = {"kind": kind, **asdict(block)}
    if isinstance(block, Heading):
        values["text"] = _kept_whole(block.text)
    if isinstance(block, TableBlock):
        size = TABLE_SIZE if is_small else table_size(block, content.paper)
        values["size"], values["widths"] = size, column_widths(block, content.paper, size)
    return values


def _kept_whole(text: str) -> str:
    """What a PDF keeps as one string, for bookmarks, readers and its properties: no more than it can hold."""
    return begun(in_inter(text), _LONGEST_STRING)


def _shape(picture: ReportPicture) -> float | None:
    """How high a table of cells is, over its width: it is never set higher than a part of a page."""
    if not isinstance(picture.figure, CellsFigure):
        return None
    layout = layout_of(picture.figure)
    return layout.height / layout.width


def _in_font(value: Any) -> Any:
    if isinstance(value, str):
        return in_inter(value)
    if isinstance(value, Mapping):
        return {key: _in_font(part) for key, part in value.items()}
    return [_in_font(part) for part in value] if isinstance(value, list | tuple) else value


_KEPT = 64
"""Pictures of some 80 kB each: those of two long reports."""


def drawn(picture: ReportPicture) -> bytes:
    """The picture as SVG."""
    asked = current(), picture.figure, picture.height, picture.width
    return _drawn(_PictureKey(pickle.dumps(asked), picture))


def forget_drawn() -> None:
    """Let go of all pictures: the next report draws its own."""
    _drawn.cache_clear()


@dataclass(frozen=True)
class _PictureKey:
    """A picture, known by everything that is drawn of it."""

    values: bytes
    picture: ReportPicture = field(compare=False)


@lru_cache(maxsize=_KEPT)
def _drawn(asked: _PictureKey) -> bytes:
    picture = asked.picture
    return matplotlib_.render(picture.figure, "svg", axes_height=picture.height, width=picture.width)
