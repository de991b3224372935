"""Where panels, names and the colour bar lie on paper."""

from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest

from zebra_core.figures.cells_layout import SMALLEST_NAME_SIZE, Layout, layout_of
from zebra_core.figures.figure import Cells, CellsFigure, ColourScale

SCALE = ColourScale("similarity", 0.0, 1.0)


def cells(count: int = 4, title: str = "OO", sides: tuple[str, str] = ("original", "original")) -> Cells:
    names = tuple(f"s{k}" for k in range(count))
    return Cells(title, names, names, *sides, np.zeros((count, count)), np.ones((count, count), np.int64))


def mosaic(count: int) -> CellsFigure:
    o, p = "original", "protected"
    top = cells(count, "OO", (o, o)), cells(count, "OP", (o, p))
    bottom = cells(count, "PO", (p, o)), cells(count, "PP", (p, p))
    return CellsFigure("A mosaic", (top, bottom), SCALE, "alt")


def shown(layout: Layout) -> list[str]:
    return [text.text for text in layout.texts]


def test_neighbours_share_what_their_sides_say() -> None:
    texts = shown(layout_of(mosaic(4)))
    assert (texts.count("original"), texts.count("protected")) == (2, 2)
    assert texts.count("s0") == 4  # twice at the left, twice at the bottom


def test_panels_of_other_speakers_say_who_they_are() -> None:
    other = replace(cells(2), row_names=("x", "y"))
    texts = shown(layout_of(CellsFigure("", ((cells(2), other),), SCALE, "alt")))
    assert texts.count("original") == 4
    assert texts.count("x") == 1
    assert texts.count("s0") == 3


@pytest.mark.parametrize(("panels", "most"), [(1, 70), (4, 38)])
def test_names_are_shown_where_they_can_be_read(panels: int, most: int) -> None:
    def figure(count: int) -> CellsFigure:
        return mosaic(count) if panels == 4 else CellsFigure("t", ((cells(count),),), SCALE, "alt")

    fits = layout_of(figure(most))
    assert min(text.size for text in fits.texts) >= SMALLEST_NAME_SIZE
    assert "s0" in shown(fits)
    assert "s0" not in shown(layout_of(figure(most + 8)))


@pytest.mark.parametrize("count", [1, 4, 30, 63])
def test_nothing_leaves_the_sheet_or_lies_on_something_else(count: int) -> None:
    layout = layout_of(mosaic(count))
    for patch in layout.patches:
        assert 0.0 < patch.x < patch.x + patch.width < layout.width
        assert 0.0 < patch.y < patch.y + patch.height < layout.height
    for one, other in combinations(layout.patches, 2):
        beside = one.x + one.width <= other.x or other.x + other.width <= one.x
        above = one.y + one.height <= other.y or other.y + other.height <= one.y
        assert beside or above
    for text in layout.texts:
        assert 0.0 < text.x < layout.width
        assert 0.0 < text.y < layout.height


def test_the_first_row_of_panels_is_on_top_and_panels_are_square_and_alike() -> None:
    oo, op, po, pp, bar = layout_of(mosaic(4)).patches
    assert oo.y == op.y > po.y == pp.y
    assert oo.x == po.x < op.x == pp.x < bar.x
    assert len({(patch.width, patch.height) for patch in (oo, op, po, pp)}) == 1
    assert oo.width == oo.height
    assert (bar.colours[0, 0] == [0xFD, 0xE7, 0x25]).all()  # the highest value on top


def test_empty_cells_have_a_key() -> None:
    figure = mosaic(4)
    assert "no value" not in shown(layout_of(figure))
    figure.panels[0][1].values[0, 0] = np.nan
    layout = layout_of(figure)
    assert "no value" in shown(layout)
    assert len(layout.patches) == 6
