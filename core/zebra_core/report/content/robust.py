"""How robust the headline figures are: what they become without some speakers, where somebody asked."""

from __future__ import annotations

from zebra_core.project.items import Entry
from zebra_core.project.spans import FigureRange, spans_in_words
from zebra_core.report.content.files import shown
from zebra_core.report.content.frame import Frame
from zebra_core.report.document import Block, Cell, Heading, TableBlock, TableColumn, paragraph
from zebra_core.uncertainty.jackknife import HEADLINES, LeftOutUnit, Robustness
from zebra_core.uncertainty.precision import figure_name
from zebra_core.wording.texts import say


def robust(frame: Frame) -> tuple[Block, ...]:
    """A table of ranges, and who moves a figure most; nothing where nobody asked."""
    found = frame.project.robust
    if not found:
        return ()
    columns = (
        TableColumn(say("report.assessment-name"), is_text=True, share=1.0),
        TableColumn(say("robustness.part"), is_text=True, share=0.8),
        *(TableColumn(figure_name(figure), is_text=True, share=1.0) for figure in HEADLINES),
    )
    rows = [
        row
        for entry in frame.entries
        if entry.id in found
        for row in _rows(frame.row_name(entry), entry, found[entry.id])
    ]
    return (
        Heading(say("robustness.head")),
        paragraph(say("robustness.intro")),
        TableBlock(columns, tuple(rows), say("robustness.caption")),
    )


def _rows(name: str, entry: Entry, found: Robustness) -> list[tuple[Cell, ...]]:
    by_part: dict[LeftOutUnit, dict[str, FigureRange]] = {}
    for moved in spans_in_words(entry, found):
        by_part.setdefault(moved.part, {})[moved.figure] = moved
    return [
        (
            Cell(name),
            Cell(say(f"robustness.each-{part.value}")),
            *(
                Cell(by_figure[figure].span, shown(by_figure[figure].mover))
                if figure in by_figure
                else Cell("–")
                for figure in HEADLINES
            ),
        )
        for part, by_figure in by_part.items()
    ]
