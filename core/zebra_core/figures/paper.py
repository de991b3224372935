"""How figures look on paper: colours, widths, ticks and short labels, the same in all renderers for paper."""

from __future__ import annotations

import math

import numpy as np

from zebra_core.evidence.trials import FloatArray
from zebra_core.figures.figure import (
    MARKER_FACTORS,
    Axis,
    Colour,
    Figure,
    Ink,
    Line,
    Marker,
    NamedPoints,
    Points,
)
from zebra_core.figures.palette import series_colour
from zebra_core.wording.texts import with_decimal_sign

INKS = {Ink.FOREGROUND: "#14181F", Ink.MUTED: "#8A93A0"}
TEXT = "#4A5361"  # axis labels and tick labels: there to be read, not to be looked at
GRID = "#E8EBEF"
FRAME = "#8A93A0"

LINE_WIDTH = 1.3  # points
EMPHASIS_WIDTH = 2.4
MARKER_SIZE = 5.5  # points across
SELECTED_MARKER_SIZE = 8.5


ROW_PITCH = 0.1122  # inches for each tick of an upright axis whose ticks are given
_ROOMY_ROWS, _ROOMY_PITCH, _PITCH, _ROOM_OF_ROWS = 12, 0.25, 0.17, 0.3  # inches

_MOST_TICKS = 11
_STEPS = (1.0, 2.0, 5.0, 10.0)
_FAR_OUT = 10.0  # how many heights of the axis a point may lie off: TeX cannot place it further away


def ink(colour: Colour) -> str:
    """The colour on white paper, as #RRGGBB."""
    return INKS[colour] if isinstance(colour, Ink) else series_colour(colour)


def line_width(line: Line) -> float:
    """How thick the line is drawn, in points."""
    return EMPHASIS_WIDTH if line.emphasis else LINE_WIDTH


def marker_size(marker: Marker, *, selected: bool = False) -> float:
    """How wide a point is drawn, in points."""
    size = SELECTED_MARKER_SIZE if selected else MARKER_SIZE
    return MARKER_FACTORS.get(marker, 1.0) * size


def selected_places(points: Points) -> tuple[FloatArray, FloatArray]:
    """Where the selected ones among the points are, both of shape (k,); only points with names have any."""
    names = points.names if isinstance(points, NamedPoints) else ()
    emphasised = points.emphasised if isinstance(points, NamedPoints) else frozenset()
    chosen = [k for k, name in enumerate(names) if name in emphasised]
    return points.x[chosen], points.y[chosen]


def axes_height(figure: Figure, otherwise: float) -> float:
    """How high the axes are, in inches: as its rows or its many ticks need, else as high as others."""
    if figure.rows is not None:
        return _ROOM_OF_ROWS + figure.rows * (_ROOMY_PITCH if figure.rows <= _ROOMY_ROWS else _PITCH)
    return max(otherwise, ROW_PITCH * len(figure.y.ticks or ()))


def ticks(axis: Axis) -> tuple[tuple[float, str], ...]:
    """Where the ticks are and what they say: those of the axis, else about ten at round numbers."""
    if axis.ticks is not None:
        return axis.ticks
    step = _round_step((axis.high - axis.low) / (_MOST_TICKS - 1))
    decimals = max(0, -math.floor(math.log10(step)))
    # A tick on the very end must not be lost to rounding.
    first, last = math.ceil(axis.low / step - 1e-9), math.floor(axis.high / step + 1e-9)
    labels = [f"{n * step:.{decimals}f}" for n in range(first, last + 1)]
    return tuple((float(label), with_decimal_sign(label.replace("-", "−"))) for label in labels)


def visible_part(figure: Figure, line: Line) -> tuple[FloatArray, FloatArray]:
    """The points of the line that the axes show, and one more on each side so that it leaves the frame.

    Both have shape (k,). Points far above or below are pulled in to ten heights; undefined ones stay NaN.
    """
    inside = np.flatnonzero((line.x >= figure.x.low) & (line.x <= figure.x.high))
    if not len(inside):
        return line.x[:0], line.y[:0]
    part = slice(max(inside[0] - 1, 0), inside[-1] + 2)
    far = _FAR_OUT * (figure.y.high - figure.y.low)
    return line.x[part], np.clip(line.y[part], figure.y.low - far, figure.y.high + far)


def _round_step(least: float) -> float:
    """The smallest of 1, 2, 5 times a power of ten that is not below `least`."""
    power = 10.0 ** math.floor(math.log10(least))
    return next(factor * power for factor in _STEPS if factor * power >= least * (1.0 - 1e-9))
