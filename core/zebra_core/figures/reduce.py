"""Fewer vertices for the same picture: what lies closer together than a pixel need not be drawn twice."""

from __future__ import annotations

import numpy as np

from zebra_core.evidence.trials import BoolArray, FloatArray
from zebra_core.figures.figure import Axis

PIXELS = 2000.0  # across each axis: a figure 17 cm wide at 300 dots per inch
_TOLERANCE = 0.3
_CELLS_PER_PIXEL = 8.0  # neighbours in one cell are at most √2/8 ≈ 0.18 pixels apart


def reduced(x: FloatArray, y: FloatArray, x_axis: Axis, y_axis: Axis) -> tuple[FloatArray, FloatArray]:
    """The vertices of a curve of shape (n,) that suffice to draw it; both of shape (k,), k ≤ n.

    At 2000 pixels across each axis no point of the curve moves by more than half a pixel. The first and the
    last vertex stay, and so does every corner of a staircase that can be seen. Coordinates are finite. About
    O(n log k). Ref: Douglas and Peucker 1973.
    """
    across = (x - x_axis.low) / (x_axis.high - x_axis.low) * PIXELS
    up = (y - y_axis.low) / (y_axis.high - y_axis.low) * PIXELS
    kept = np.flatnonzero(_ends_of_runs(across, up))
    kept = kept[_douglas_peucker(across[kept], up[kept])]
    return x[kept], y[kept]


def _ends_of_runs(across: FloatArray, up: FloatArray) -> BoolArray:
    """The first and the last vertex of every run within one cell of a fine grid."""
    column, row = (np.floor(place * _CELLS_PER_PIXEL) for place in (across, up))
    new = np.concatenate([[True], (column[1:] != column[:-1]) | (row[1:] != row[:-1]), [True]])
    return np.asarray(new[1:] | new[:-1])


def _douglas_peucker(across: FloatArray, up: FloatArray) -> BoolArray:
    """Which vertices stay so that none of the others is farther than the tolerance from the curve."""
    keep = np.zeros(len(across), dtype=np.bool_)
    keep[[0, -1]] = True
    open_ends = [(0, len(across) - 1)]
    while open_ends:
        first, last = open_ends.pop()
        if last - first < 2:
            continue
        distance = _distance(across[first : last + 1], up[first : last + 1])
        farthest = int(np.argmax(distance))
        if distance[farthest] > _TOLERANCE:
            keep[first + farthest] = True
            open_ends += [(first, first + farthest), (first + farthest, last)]
    return keep


def _distance(across: FloatArray, up: FloatArray) -> FloatArray:
    """How far each vertex lies from the straight piece between the first and the last."""
    dx, dy = across[-1] - across[0], up[-1] - up[0]
    length_squared = dx * dx + dy * dy
    along = np.zeros(len(across))
    if length_squared > 0.0:
        along = np.clip(((across - across[0]) * dx + (up - up[0]) * dy) / length_squared, 0.0, 1.0)
    return np.asarray(np.hypot(across - across[0] - along * dx, up - up[0] - along * dy))
