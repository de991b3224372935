"""Tables of cells on a colour scale, as plain values."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from zebra_core.evidence.trials import FloatArray, IntArray
from zebra_core.figures.palette import ColourScale
from zebra_core.wording.texts import say, written


@dataclass(frozen=True, eq=False)
class Cells:
    """One table: `values` and `counts` have shape (rows, columns); the first row is drawn on top.

    NaN is an empty cell. `counts` is the number of trials behind each cell.
    """

    title: str
    row_names: tuple[str, ...]
    column_names: tuple[str, ...]
    row_label: str
    column_label: str
    values: FloatArray
    counts: IntArray
    note: str = ""  # a figure that is written beside the title

    @property
    def row_side(self) -> tuple[str, tuple[str, ...]]:
        """What stands at the side of the rows."""
        return self.row_label, self.row_names

    @property
    def column_side(self) -> tuple[str, tuple[str, ...]]:
        """What stands at the side of the columns."""
        return self.column_label, self.column_names

    def read_out(self, row: int, column: int) -> str:
        """What a cell says, in words: both speakers, the value, the number of trials."""
        value, count = float(self.values[row, column]), int(self.counts[row, column])
        return say(
            "figure.cell-empty" if np.isnan(value) else "figure.cell",
            title=self.title,
            row=self.row_names[row],
            column=self.column_names[column],
            value=written(value, ".3f"),
            count=count,
        )


@dataclass(frozen=True, eq=False)
class CellsFigure:
    """Tables side by side on one colour scale: rows of panels, from the top."""

    title: str
    panels: tuple[tuple[Cells, ...], ...]
    scale: ColourScale
    alt_text: str
    caption: str = ""  # a line below everything: of what it is

    def has_row_side(self, number: int, column: int) -> bool:
        """Whether a panel says what its rows are: not where the panel at its left has said it."""
        row = self.panels[number]
        return column == 0 or row[column].row_side != row[column - 1].row_side

    def has_column_side(self, number: int, column: int) -> bool:
        """Whether a panel says what its columns are: not where the panel below it does."""
        below = self.panels[number + 1] if number + 1 < len(self.panels) else ()
        return column >= len(below) or self.panels[number][column].column_side != below[column].column_side
