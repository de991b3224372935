"""Colours of cells, and what a cell says."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from zebra_core.figures.figure import (
    COLOUR_MAP,
    EMPTY,
    Axis,
    Cells,
    ColourScale,
    Figure,
    Ink,
    Line,
    ink,
    ticks,
    visible_part,
)
from zebra_core.figures.lettering import fitted, in_inter, printable, width_in_points

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


def figure_with(line: Line) -> Figure:
    return Figure("t", Axis("x", -1.0, 1.0), Axis("y", 0.0, 2.0), (line,), "alt")


@pytest.mark.parametrize(
    ("low", "high", "labels"),
    [
        (-8.0, 8.0, ["−8", "−6", "−4", "−2", "0", "2", "4", "6", "8"]),
        (0.0, 1.05, ["0.0", "0.2", "0.4", "0.6", "0.8", "1.0"]),
        (0.0, 0.7, ["0.0", "0.1", "0.2", "0.3", "0.4", "0.5", "0.6", "0.7"]),
        (0.0, 700.0, ["0", "100", "200", "300", "400", "500", "600", "700"]),
    ],
)
def test_ticks_are_at_round_numbers(low: float, high: float, labels: list[str]) -> None:
    found = ticks(Axis("", low, high))
    assert [label for _, label in found] == labels
    assert all(low <= place <= high for place, _ in found)


def test_given_ticks_are_taken() -> None:
    assert ticks(Axis("", 0.0, 1.0, ((0.5, "half"),))) == ((0.5, "half"),)


def test_only_what_the_axes_show_is_kept_and_one_point_beyond() -> None:
    x = np.array([-3.0, -2.0, 0.0, 0.5, 2.0, 3.0])
    y = np.array([0.0, 1.0, np.inf, np.nan, -1e9, 0.0])
    shown_x, shown_y = visible_part(figure_with(Line(x, y, None, 0)), Line(x, y, None, 0))
    np.testing.assert_array_equal(shown_x, [-2.0, 0.0, 0.5, 2.0])
    np.testing.assert_array_equal(shown_y, [1.0, 22.0, np.nan, -20.0])


def test_a_line_outside_the_axes_has_no_points() -> None:
    line = Line(np.array([5.0, 6.0]), np.array([0.0, 0.0]), None, 0)
    assert [len(part) for part in visible_part(figure_with(line), line)] == [0, 0]


def test_colours() -> None:
    assert ink(0) == "#21967B"
    assert ink(Ink.FOREGROUND) == "#14181F"


def test_fitted_text_fits_and_is_no_shorter_than_need_be() -> None:
    text = "a name of many words " * 15
    short = fitted(text, 8.5, 200.0)
    assert 180.0 < width_in_points(short, 8.5) <= 200.0
    assert fitted("short", 8.5, 200.0) == "short"


def test_widths_are_the_same_whoever_else_is_measuring() -> None:
    width = width_in_points.__wrapped__  # what was asked before is known, and measures nothing
    asked = [(f"{number} " * 30, size) for number in range(300) for size in (7.0, 24.0)]
    alone = [width(*one) for one in asked]
    with ThreadPoolExecutor(4) as threads:
        assert list(threads.map(lambda one: width(*one), asked)) == alone


def test_what_the_font_lacks_is_spelt_out() -> None:
    assert in_inter("Ångström π Жук") == "Ångström π Жук"
    assert in_inter("a\0b\ufeffc") == r"a\x00b\ufeffc"
    assert printable("a\n\U0001f993漢") == r"a\n\U0001f993\u6f22"
