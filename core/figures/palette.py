"""The colours: one for each series and each tag, the same on screen and on paper."""

from __future__ import annotations

from zebra_core.figures.figure import Dash
from zebra_core.metrics.scales import TagScale

# Okabe and Ito's colours for all kinds of colour vision. Black is kept for perfect privacy and the three
# that are pale on white paper come last; the yellow is darkened so that a line in it can be seen at all.
SERIES = ("#009E73", "#0072B2", "#D55E00", "#CC79A7", "#E69F00", "#56B4E9", "#B8A000")
SERIES_NAMES = ("bluish green", "blue", "vermillion", "reddish purple", "orange", "sky blue", "yellow")

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

_TAGS_BY_PLACE = tuple(TAGS.values())
_DASHES = tuple(Dash)


def tag_colour(scale: TagScale, letter: str) -> str:
    """The colour of a tag by its place in its scale, as #RRGGBB; beyond the seventh, the last one."""
    place = [tag.letter for tag in scale.tags].index(letter)
    return _TAGS_BY_PLACE[min(place, len(_TAGS_BY_PLACE) - 1)]


def series_colour(number: int) -> str:
    """The colour of series `number`, counted from 0, as #RRGGBB; they come round again after seven."""
    return SERIES[number % len(SERIES)]


def series_dash(number: int) -> Dash:
    """How the line of series `number` is broken: each round of colours has its own way."""
    return _DASHES[number // len(SERIES) % len(_DASHES)]
