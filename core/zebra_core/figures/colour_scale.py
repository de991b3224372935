"""What colours mean in tables of cells and in spectrograms."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from zebra_core.evidence.trials import FloatArray

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


def rgb(colour: str) -> tuple[int, int, int]:
    """Red, green and blue (0 … 255) of #RRGGBB."""
    red, green, blue = bytes.fromhex(colour[1:])
    return red, green, blue
