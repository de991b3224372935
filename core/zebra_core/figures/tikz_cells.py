"""A CellsFigure in TeX: one image with all colours, and a TikZ picture that lays it and letters it."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from zebra_core.figures.cells import CellsFigure
from zebra_core.figures.cells_layout import Anchor, Layout, Lettering, layout_of, tick_ends
from zebra_core.figures.paper import FRAME
from zebra_core.figures.png import png_of
from zebra_core.wording.tex import Tex, fill

IMAGE_DPI = 400
"""Fine enough that the borders of cells look straight, and every cell of 1 000 in a row has its pixel."""

_WHITE = 255
_ANCHORS = {Anchor.LEFT: "mid west", Anchor.MIDDLE: "mid", Anchor.RIGHT: "mid east"}
_UPRIGHT_ANCHORS = {Anchor.LEFT: "west", Anchor.MIDDLE: "center", Anchor.RIGHT: "east"}
_LETTERS = ((5.9, r"\tiny"), (7.6, r"\scriptsize"), (8.2, r"\footnotesize"), (9.5, r"\small"))


def tikz_and_image(figure: CellsFigure, image: str) -> tuple[str, bytes]:
    """A tikzpicture for a document that loads tikz, 7.2 inches wide, and the PNG with its colours.

    `image` is the name under which TeX finds the PNG; it must mean nothing to TeX.
    """
    layout = layout_of(figure)
    colours = {text.colour: f"zebra{number}" for number, text in enumerate(layout.texts)}
    drawn = fill(
        "cells.tex",
        alt_text=figure.alt_text,
        image=Tex(image),
        width=layout.width,
        height=layout.height,
        colours=[
            (Tex(name), Tex(colour.removeprefix("#")))
            for colour, name in (colours | {FRAME: "zebraframe"}).items()
        ],
        patches=layout.patches,
        ticks=list(zip(layout.ticks, tick_ends(layout), strict=True)),
        texts=[(text.x, text.y, _style(text, colours[text.colour]), text.text) for text in layout.texts],
    )
    return drawn, png_of(_painted(layout), IMAGE_DPI)


def _style(text: Lettering, colour: str) -> Tex:
    letters = next((command for largest, command in _LETTERS if text.size <= largest), r"\normalsize")
    bold = r"\bfseries" if text.bold else ""
    anchor = (_UPRIGHT_ANCHORS if text.upright else _ANCHORS)[text.anchor]
    turned = ", rotate=90" if text.upright else ""
    return Tex(rf"anchor={anchor}, {colour}, font={letters}{bold}{turned}")


def _painted(layout: Layout) -> NDArray[np.uint8]:
    """The sheet with nothing but its colours on white, shape (rows, columns, 3)."""
    shape = round(layout.height * IMAGE_DPI), round(layout.width * IMAGE_DPI)
    sheet = np.full((*shape, 3), _WHITE, dtype=np.uint8)
    for patch in layout.patches:
        top, left = layout.height - patch.y - patch.height, patch.x
        rows = slice(round(top * IMAGE_DPI), round((top + patch.height) * IMAGE_DPI))
        columns = slice(round(left * IMAGE_DPI), round((left + patch.width) * IMAGE_DPI))
        n_rows, n_columns = patch.colours.shape[:2]
        # The nearest cell of every pixel.
        row = np.arange(rows.stop - rows.start) * n_rows // (rows.stop - rows.start)
        column = np.arange(columns.stop - columns.start) * n_columns // (columns.stop - columns.start)
        sheet[rows, columns] = patch.colours[np.ix_(row, column)]
    return sheet
