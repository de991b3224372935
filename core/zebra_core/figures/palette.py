"""The colours: one for each series and each tag, the same on screen and on paper."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from zebra_core.evidence.trials import FloatArray
from zebra_core.metrics.scales import TagScale
from zebra_core.wording.texts import say

# Seven after Okabe and Ito's, for all kinds of colour vision, and seven more. Each was moved as little as
# lets it stand out by 3 to 1 (WCAG 2.2) both from white paper and from a dark card, and from the other
# thirteen as seen with and without each kind of cone (Machado et al. 2009). Black is kept for perfect
# privacy.
SERIES = (
    *("#21967B", "#1970BB", "#D14302", "#BF7AA2", "#CF8306", "#239ED4", "#767412"),
    *("#A64AE3", "#53A523", "#F72583", "#938F59", "#D904AD", "#366CFC", "#A25A54"),
)
SERIES_NAMES = (
    *("bluish-green", "blue", "vermillion", "reddish-purple", "orange", "sky-blue", "olive"),
    *("violet", "green", "rose", "khaki", "magenta", "cobalt-blue", "brown"),
)

# From calm to alarming; every one carries a white letter (contrast at least 4.5 to 1).
TAGS = {
    "0": "#5B6470",
    "A": "#00755A",
    "B": "#7A6A00",
    "C": "#B35900",
    "D": "#C2410C",
    "E": "#B42318",
    "F": "#7A1230",
}

OWN_TAG, OWN_INK = "#E1E5EA", "#2B333D"
"""A tag of an own scale: dark letters on grey, because its bounds may put any colour beside any figure."""


def tag_colour(scale: TagScale, letter: str) -> str:
    """The colour of a tag, as #RRGGBB; `OWN_TAG` where the scale is the project's own."""
    return OWN_TAG if scale.is_own else TAGS[letter]


def tag_ink(colour: str) -> str:
    """The colour of the letters on a badge of this colour."""
    return OWN_INK if colour == OWN_TAG else "#FFFFFF"


def series_colour(number: int) -> str:
    """The colour of series `number`, counted from 0, as #RRGGBB; no two of the first ninety-eight are equal.

    Those beyond the fourteen of `SERIES` are mixed of two of these, as light is mixed: between two that can
    be seen on white and on dark there is none that cannot.
    """
    mixed, place = divmod(number, len(SERIES))
    one, other = (bytes.fromhex(SERIES[k % len(SERIES)][1:]) for k in (place, place + mixed))
    return "#" + bytes(map(_mixed, one, other)).hex().upper() if mixed else SERIES[place]


def series_name(number: int) -> str:
    """What the colour of series `number` is called; those beyond `SERIES` come round again."""
    return say(f"colour.{SERIES_NAMES[number % len(SERIES)]}")


def _mixed(one: int, other: int) -> int:
    """Half of each of two channels (0 … 255), as amounts of light (exponent 2.2)."""
    half = (float(one) ** 2.2 + float(other) ** 2.2) / 2.0
    return round(math.pow(half, 1 / 2.2))


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
