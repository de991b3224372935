"""Fewer vertices, the same picture."""

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from zebra_core.figures.figure import Axis
from zebra_core.figures.series import PIXELS, reduced

FARTHEST = 0.5  # pixels that a curve may move
UNIT = Axis("", 0.0, 1.0)


def farthest(x: np.ndarray, y: np.ndarray, from_x: np.ndarray, from_y: np.ndarray) -> float:
    """The greatest distance, in pixels, of a vertex (x, y) from the curve through (from_x, from_y).

    Pieces of the curve that are farther than may be from all vertices are left out: the result is no smaller.
    """
    points = np.stack([x, y], axis=1)[:, np.newaxis] * PIXELS
    curve = np.stack([from_x, from_y], axis=1) * PIXELS
    low, high = points.min(axis=(0, 1)) - FARTHEST, points.max(axis=(0, 1)) + FARTHEST
    start, end = curve[:-1], curve[1:]
    is_near = ((np.maximum(start, end) >= low) & (np.minimum(start, end) <= high)).all(axis=1)
    start, way = start[is_near], (end - start)[is_near]
    length = np.maximum((way**2).sum(axis=1), 1e-30)
    along = np.clip(((points - start) * way).sum(axis=2) / length, 0.0, 1.0)
    return float(
        np.sqrt((((points - start) - along[:, :, np.newaxis] * way) ** 2).sum(axis=2)).min(axis=1).max()
    )


def curves() -> dict[str, tuple[np.ndarray, np.ndarray]]:
    rng = np.random.default_rng(13)
    ramp = np.linspace(0.0, 1.0, 20_000)
    steps = np.sort(rng.random(3000))
    return {
        "smooth": (ramp, 0.5 + 0.4 * np.sin(6.0 * ramp)),
        "noisy": (ramp, np.cumsum(rng.normal(0.0, 1e-3, 20_000)) + 0.5),
        "staircase": (np.repeat(steps, 2)[1:], np.repeat(np.arange(1, 3001) / 3000.0, 2)[:-1]),
        "back and forth": (0.5 + 0.4 * np.cos(40.0 * ramp), ramp),
        "a point and back": (np.array([0.0, 1.0, 0.0]), np.array([0.0, 0.5, 0.0])),
        "one place": (np.full(50, 0.3), np.full(50, 0.3)),
    }


@pytest.mark.parametrize("kind", list(curves()))
def test_no_vertex_is_farther_than_half_a_pixel_from_what_is_drawn(kind: str) -> None:
    x, y = curves()[kind]
    less_x, less_y = reduced(x, y, UNIT, UNIT)
    for start in range(0, len(x), 500):
        part = slice(start, start + 500)
        assert farthest(x[part], y[part], less_x, less_y) <= FARTHEST
    assert (less_x[0], less_y[0], less_x[-1], less_y[-1]) == (x[0], y[0], x[-1], y[-1])


@settings(deadline=None)
@given(points=st.lists(st.tuples(st.floats(0, 1), st.floats(0, 1)), min_size=2, max_size=30))
def test_a_reduced_curve_is_part_of_the_curve(points: list[tuple[float, float]]) -> None:
    x, y = np.array(points).T
    less_x, less_y = reduced(x, y, UNIT, UNIT)
    assert farthest(x, y, less_x, less_y) <= FARTHEST
    vertices = iter(points)
    assert all((a, b) in vertices for a, b in zip(less_x.tolist(), less_y.tolist(), strict=True))


def test_what_lies_on_a_straight_line_goes() -> None:
    ramp = np.linspace(0.0, 1.0, 1001)
    x, y = reduced(ramp, 1.0 - ramp, UNIT, UNIT)
    assert (x.tolist(), y.tolist()) == ([0.0, 1.0], [1.0, 0.0])


def test_the_corners_of_a_staircase_stay() -> None:
    x, y = np.array([0.0, 0.5, 0.5, 1.0]), np.array([0.0, 0.0, 0.01, 0.01])
    assert reduced(x, y, UNIT, UNIT)[0].tolist() == [0.0, 0.5, 0.5, 1.0]


def test_the_number_of_vertices_is_bounded_by_the_pixels() -> None:
    """A staircase of a million steps is a diagonal to the eye."""
    ramp = np.linspace(0.0, 1.0, 1_000_000)
    x, _ = reduced(np.repeat(ramp, 2)[1:], np.repeat(ramp, 2)[:-1], UNIT, UNIT)
    assert len(x) == 2
