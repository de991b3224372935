"""The parts that a report is made of, as plain values: each format sets them in its own way, and no others.

Foreign text in them is visible: one line, nothing hidden. Formats escape what has a meaning to them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from zebra_core.figures.cells import CellsFigure
from zebra_core.figures.figure import Figure
from zebra_core.project.report_settings import Section
from zebra_core.report.formulas import Formula

PICTURE_WIDTH = 7.2
"""Inches of a sheet as wide as the page."""

HALF_WIDTH = 3.5
"""Inches of a sheet in one of two columns, whose letters are then as large as on the others."""


@dataclass(frozen=True)
class Run:
    """Some words in one style; `language` says theirs where it is not that of the report."""

    text: str
    bold: bool = False
    italic: bool = False
    mono: bool = False
    language: str = ""


@dataclass(frozen=True)
class Paragraph:
    """Words; `quiet` ones stand back, as captions and explanations do."""

    runs: tuple[Run, ...]
    quiet: bool = False

    @property
    def text(self) -> str:
        """The words without their style."""
        return "".join(run.text for run in self.runs)


@dataclass(frozen=True)
class Bullets:
    """A list, with numbers or without."""

    items: tuple[tuple[Run, ...], ...]
    numbered: bool = False


@dataclass(frozen=True)
class Heading:
    """A heading within a section."""

    text: str


@dataclass(frozen=True)
class Badge:
    """A tag, its colour as #RRGGBB (it carries white letters), and what it stands for.

    Where the format can draw it, one that may be chance has a dashed frame, and an open one, of a set that is
    too small or could not have shown a worse tag, is hatched; a sentence beside it says so.
    """

    tag: str
    colour: str
    meaning: str = ""
    may_be_chance: bool = False
    is_open: bool = False


@dataclass(frozen=True)
class FindingLine:
    """What was found for one assessment, in a sentence."""

    badge: Badge
    name: str
    condition: str
    text: str


@dataclass(frozen=True)
class Cell:
    """One field of a table; `note` stands quietly below."""

    text: str = ""
    note: str = ""
    badge: Badge | None = None
    mono: bool = False


@dataclass(frozen=True)
class TableColumn:
    """A column: what stands above it, whether it holds words (set left) or numbers (set right).

    `share` is its part of the room that is left by those without one, which are as wide as they need.
    """

    head: str
    is_text: bool = False
    share: float = 0.0


@dataclass(frozen=True)
class TableBlock:
    """Rows under a head that is repeated on every page."""

    columns: tuple[TableColumn, ...]
    rows: tuple[tuple[Cell, ...], ...]
    caption: str = ""


@dataclass(frozen=True)
class ReportPicture:
    """A figure with its caption; `topic` is that of the pane which shows it, `entry_id` whose it is."""

    stem: str  # of its file: letters, digits and hyphens
    figure: Figure | CellsFigure
    caption: str
    topic: str = ""
    entry_id: str = ""
    height: float = 2.9  # inches of the axes
    width: float = PICTURE_WIDTH  # inches of the sheet


@dataclass(frozen=True)
class ExplainedFigure:
    """One figure explained: its name, its formula, a paragraph."""

    name: str
    formula: Formula | None
    text: str


@dataclass(frozen=True)
class Terms:
    """Words and what they mean."""

    entries: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class TagLegend:
    """Tags and what they stand for, in a row."""

    badges: tuple[Badge, ...]


@dataclass(frozen=True)
class TwoColumns:
    """Two columns, the left one read first; a format without columns has one after the other."""

    left: tuple[Block, ...]
    right: tuple[Block, ...]


Block = (
    Paragraph
    | Bullets
    | Heading
    | FindingLine
    | TableBlock
    | ReportPicture
    | ExplainedFigure
    | Terms
    | TagLegend
    | TwoColumns
)  # what a section is made of


def in_order(blocks: Iterable[Block]) -> Iterator[Block]:
    """The blocks in the order in which they are read, those of columns one by one."""
    for block in blocks:
        if isinstance(block, TwoColumns):
            yield from in_order((*block.left, *block.right))
        else:
            yield block


@dataclass(frozen=True)
class SectionContent:
    """A section with its heading and the blocks below it."""

    section: Section
    blocks: tuple[Block, ...]

    @property
    def heading(self) -> str:
        """What stands above it."""
        return self.section.heading

    @property
    def pictures(self) -> Iterator[ReportPicture]:
        """The figures in the section, in their order."""
        return (block for block in in_order(self.blocks) if isinstance(block, ReportPicture))


def paragraph(text: str, *, quiet: bool = False) -> Paragraph:
    """A paragraph in one style."""
    return Paragraph((Run(text),), quiet)
