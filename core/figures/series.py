"""What the figures of several assessments share: colours, dashes, pairs of lines, marks of the prior."""

from __future__ import annotations

import numpy as np

from core.figures.figure import Axis, Colour, Dash, Ink, Line
from core.figures.palette import series_dash
from core.figures.reduce import reduced
from core.project import Entry
from core.trials import FloatArray

_OTHER_DASH = {
    Dash.SOLID: Dash.DASHED,
    Dash.DASHED: Dash.DOTTED,
    Dash.DOTTED: Dash.DASH_DOTTED,
    Dash.DASH_DOTTED: Dash.SOLID,
}


def colour_of(entry: Entry) -> Colour:
    """The colour of an entry in every figure."""
    return Ink.MUTED if entry.colour is None else entry.colour


def dash_of(entry: Entry, *, second: bool = False) -> Dash:
    """How the line of an entry is broken; `second` for the other line of a pair."""
    dash = series_dash(entry.colour or 0)
    return _OTHER_DASH[dash] if second else dash


def guide(x: tuple[float, float], y: tuple[float, float], dash: Dash = Dash.DOTTED) -> Line:
    """A straight line to compare with, without an entry in the legend."""
    return Line(np.array(x), np.array(y), None, Ink.MUTED, dash)


def prior_marks(place: float | None, axis: Axis) -> tuple[Line, ...]:
    """A vertical line at a place that follows from the prior, as long as the y-axis; none for None."""
    return () if place is None else (guide((place, place), (axis.low, axis.high)),)


def line_of(
    entry: Entry,
    curve: tuple[FloatArray, FloatArray],
    axes: tuple[Axis, Axis],
    label: str | None = None,
    *,
    second: bool = False,
    selected: str | None = None,
) -> Line:
    """A curve (x, y) of an entry as a line on these axes, with no more vertices than can be seen.

    `second` is for the other line of a pair, `selected` is the id of the entry to emphasise.
    """
    x, y = reduced(*curve, *axes)
    dash = dash_of(entry, second=second)
    return Line(x, y, label, colour_of(entry), dash, emphasis=entry.id == selected)


def staircase(x: FloatArray, y: FloatArray, *, holds_left: bool) -> tuple[FloatArray, FloatArray]:
    """The corners of a staircase through (x[i], y[i]), both of shape (2n − 1,).

    Between two neighbours it is level at the height of the left one (`holds_left`) or of the right one.
    """
    across, up = np.repeat(x, 2), np.repeat(y, 2)
    return (across[1:], up[:-1]) if holds_left else (across[:-1], up[1:])


def told(head: str, labels: list[str]) -> str:
    """An alt text: what the picture is, then every label of its legend as a sentence."""
    return " ".join([head, *(f"{label}." for label in labels)])
