"""Colours of cells, and what a cell says."""

import numpy as np
import pytest

from zebra_core.figures.cells import Cells
from zebra_core.figures.palette import COLOUR_MAP, EMPTY, ColourScale

SCALE = ColourScale("similarity", 0.0, 1.0)


def lightness(colour: str) -> float:
    """CIE L* of an sRGB colour."""
    rgb = np.frombuffer(bytes.fromhex(colour[1:]), dtype=np.uint8) / 255.0
    linear = np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)
    return float(116.0 * np.cbrt(linear @ [0.2126, 0.7152, 0.0722]) - 16.0)


def test_the_map_grows_brighter_in_even_steps() -> None:
    steps = np.diff([lightness(colour) for colour in COLOUR_MAP])
    assert steps.min() > 0.75 * steps.mean()
    assert steps.max() < 1.25 * steps.mean()


def hexed(values: list[float]) -> list[str]:
    return ["#" + bytes(colour.tolist()).hex().upper() for colour in SCALE.colours(np.array(values))]


def test_ends_steps_and_empty_cells_have_their_colours() -> None:
    assert hexed([0.0, 1.0, -0.5, 1.5]) == [COLOUR_MAP[0], COLOUR_MAP[-1], COLOUR_MAP[0], COLOUR_MAP[-1]]
    assert hexed([1 / 15, np.nan]) == [COLOUR_MAP[1], EMPTY]


def test_colours_keep_the_shape_of_the_table() -> None:
    found = SCALE.colours(np.zeros((3, 4)))
    assert (found.shape, found.dtype) == ((3, 4, 3), np.uint8)


@pytest.mark.parametrize(
    ("row", "column", "sentence"),
    [
        (0, 1, "OP: a against b: 0.250, 1\u202f234 trials"),
        (1, 0, "OP: b against a: 0.500, one trial"),
        (1, 1, "OP: b against b: no value, 0 trials"),
    ],
)
def test_a_cell_says_who_how_much_and_from_how_many_trials(row: int, column: int, sentence: str) -> None:
    values = np.array([[0.75, 0.25], [0.5, np.nan]])
    cells = Cells(
        "OP", ("a", "b"), ("a", "b"), "original", "protected", values, np.array([[2, 1234], [1, 0]])
    )
    assert cells.read_out(row, column) == sentence
