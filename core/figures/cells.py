"""Tables of cells on a colour scale, as plain values."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from zebra_core.evidence.trials import FloatArray, IntArray
from zebra_core.wording.texts import say

# Viridis (van der Walt and Smith, CC0), perceptually uniform from dark to bright also in grey and for all
# kinds of colour vision, at equal steps; between them colours are mixed in proportion.
COLOUR_MAP = (
    "#440154", "#481A6C", "#472F7D", "#414487", "#39568C", "#31688E", "#2A788E", "#23888E", "#1F988B",
    "#22A884", "#35B779", "#54C568", "#7AD151", "#A5DB36", "#D2E21B", "#FDE725",
)  # fmt: skip
N_COLOURS = 256
EMPTY = "#9AA1AB"  # a cell without a value: the one grey among colours


@dataclass(frozen=True)
class ColourScale:
    """What a colour means: `low` is the first colour of the map, `high` the last."""

    label: str
    low: float
    high: float

    def colours(self, values: FloatArray) -> NDArray[np.uint8]:
        """The colours of values of any shape, as one more axis of red, green, blue (0 … 255).

        Values beyond the scale have the colour of its end; NaN is EMPTY.
        """
        share = np.clip((values - self.low) / (self.high - self.low), 0.0, 1.0)
        empty = np.isnan(values)
        place = np.rint(np.where(empty, 0.0, share) * (N_COLOURS - 1)).astype(np.intp)
        found: NDArray[np.uint8] = colour_table()[place]
        found[empty] = rgb(EMPTY)
        return found


@cache
def colour_table() -> NDArray[np.uint8]:
    """The map as N_COLOURS rows of red, green, blue, from the lowest to the highest; read-only."""
    steps = np.array([rgb(colour) for colour in COLOUR_MAP], dtype=np.float64)
    place = np.linspace(0.0, len(steps) - 1.0, N_COLOURS)
    channels = [np.interp(place, np.arange(len(steps)), steps[:, k]) for k in range(3)]
    table: NDArray[np.uint8] = np.rint(np.column_stack(channels)).astype(np.uint8)
    table.flags.writeable = False
    return table


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
            value=f"{value:.3f}",
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


def rgb(colour: str) -> tuple[int, int, int]:
    """Red, green and blue (0 … 255) of #RRGGBB."""
    red, green, blue = bytes.fromhex(colour[1:])
    return red, green, blue
