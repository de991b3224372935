"""The colours: one for each series and each tag, the same on screen and on paper."""

from __future__ import annotations

from zebra_core.metrics.scales import TagScale

# The first seven are Okabe and Ito's, for all kinds of colour vision. Black is kept for perfect privacy and
# the three that are pale on white paper come last; the yellow is darkened so that its lines can be seen.
# The others are as far from these and from each other as can be had on white paper and on a dark screen.
SERIES = (
    *("#009E73", "#0072B2", "#D55E00", "#CC79A7", "#E69F00", "#56B4E9", "#B8A000"),
    *("#9C4DFF", "#00A800", "#E8175D", "#76763A", "#E600B8", "#3A6CF0", "#B45448"),
)
SERIES_NAMES = (
    *("bluish green", "blue", "vermillion", "reddish purple", "orange", "sky blue", "yellow"),
    *("violet", "green", "crimson", "olive", "magenta", "cobalt blue", "brown"),
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

_TAGS_BY_PLACE = tuple(TAGS.values())


def tag_colour(scale: TagScale, letter: str) -> str:
    """The colour of a tag by its place in its scale, as #RRGGBB; beyond the seventh, the last one."""
    place = [tag.letter for tag in scale.tags].index(letter)
    return _TAGS_BY_PLACE[min(place, len(_TAGS_BY_PLACE) - 1)]


def series_colour(number: int) -> str:
    """The colour of series `number`, counted from 0, as #RRGGBB; no two of the first ninety-eight are equal.

    Those beyond the fourteen of `SERIES` are mixed of two of these.
    """
    mixed, place = divmod(number, len(SERIES))
    pair = (bytes.fromhex(SERIES[k % len(SERIES)][1:]) for k in (place, place + mixed))
    return "#" + bytes((one + other) // 2 for one, other in zip(*pair, strict=True)).hex().upper()
