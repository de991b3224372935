"""Inter, the one font of all paper: which characters it has, and how wide a text runs in it."""

from __future__ import annotations

import sys
from dataclasses import replace
from functools import cache, lru_cache
from threading import Lock

from matplotlib.font_manager import FontEntry, fontManager
from matplotlib.ft2font import FT2Font, LoadFlags

import zebra_resources
from zebra_core.figures.fonts import FOLDER, fonts_folder
from zebra_core.wording.texts import shortened, visible_sentence

FAMILY = "Inter"
DRAWN_FAMILY = "Inter of ZEBRA"
"""The same files, as matplotlib knows them: another Inter on this machine is another font."""
_REGULAR = f"{FOLDER}/Inter-Regular.ttf"
_ONE_AT_A_TIME = Lock()  # a font keeps the size and the text that it was asked about last


@cache
def register_fonts() -> None:
    """Make our Inter known to matplotlib, under a name of its own; once is enough."""
    before = len(fontManager.ttflist)
    for file in sorted(fonts_folder().glob("*.ttf")):
        fontManager.addfont(file)
    added: list[FontEntry] = fontManager.ttflist[before:]
    fontManager.ttflist[before:] = [replace(one, name=DRAWN_FAMILY) for one in added if one.name == FAMILY]


def printable(text: str, longest: int = sys.maxsize) -> str:
    """Text for paper: as `visible_sentence` and `in_inter` show it, if need be shortened in the middle."""
    return shortened(in_inter(visible_sentence(text)), longest)


_FORBIDDEN = {0, 0xFEFF, 0xFFFE}  # in texts of a PDF/A, though a font may have them


def in_inter(text: str) -> str:
    """The text with characters that Inter lacks as their escapes: on the page is what the text holds,
    as itself or spelt out, never an empty box and never nothing.
    """
    has = _characters()
    return "".join(c if ord(c) in has else c.encode("unicode_escape").decode("ascii") for c in text)


@lru_cache(maxsize=1024)  # one figure is often drawn in several formats
def width_in_points(text: str, size: float) -> float:
    """How wide a printable text runs in Inter Regular at `size` points."""
    with _ONE_AT_A_TIME:
        font = _font()
        font.set_size(size, 72.0)
        font.set_text(text, 0.0, flags=LoadFlags.NO_HINTING)
        return float(font.get_width_height()[0]) / 64.0


@lru_cache(maxsize=1024)
def fitted(text: str, size: float, width: float) -> str:
    """The text, shortened in the middle as little as needed to run no wider than `width` points."""
    if width_in_points(text, size) <= width:
        return text
    fits, too_long = 1, len(text)
    while too_long - fits > 1:
        middle = (fits + too_long) // 2
        if width_in_points(shortened(text, middle), size) <= width:
            fits = middle
        else:
            too_long = middle
    return shortened(text, fits)


@cache
def _font() -> FT2Font:
    return FT2Font(str(zebra_resources.path(_REGULAR)))


@cache
def _characters() -> frozenset[int]:
    with _ONE_AT_A_TIME:
        return frozenset(_font().get_charmap()) - _FORBIDDEN
