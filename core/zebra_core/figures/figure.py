"""A figure as plain values: what to draw, in data units and roles; the renderers only lay ink."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from zebra_core.evidence.trials import FloatArray
from zebra_core.figures.palette import ColourScale


class Dash(Enum):
    """How a line is broken."""

    SOLID = "solid"
    DASHED = "dashed"
    DOTTED = "dotted"
    DASH_DOTTED = "dash-dotted"
    LONG_DASHED = "long-dashed"
    DASH_DOT_DOTTED = "dash-dot-dotted"
    SPARSELY_DASHED = "sparsely-dashed"
    SPARSELY_DOTTED = "sparsely-dotted"


class Ink(Enum):
    """Colours that follow the theme; the rest are series colours, by number."""

    FOREGROUND = "foreground"  # black on paper, white on a dark screen
    MUTED = "muted"  # axes, guides, the unprotected baseline


Colour = Ink | int
"""A role of the theme, or the number of a series (see palette.series_colour)."""


class Marker(Enum):
    """The shape of single points: shape and colour both tell groups apart."""

    CIRCLE = "circle"
    DIAMOND = "diamond"
    SQUARE = "square"
    TRIANGLE = "triangle"
    CROSS = "cross"


MARKER_FACTORS = {Marker.TRIANGLE: 1.2, Marker.DIAMOND: 1.35}
"""How much larger than others these are: a triangle would look smaller, a diamond is what matters most."""


class AxisScale(Enum):
    """What the places along an axis stand for; a read-out turns them back (`Axis.reading`)."""

    LINEAR = "linear"
    PROBIT = "probit"  # places are Φ⁻¹ of a rate: normal scores of equal variance give straight DET curves


@dataclass(frozen=True)
class Axis:
    """One axis: what it measures, how far it goes, and where its ticks are (None: the renderer chooses).

    Everything drawn is in places along the axes; a probit axis has its ticks given.
    """

    label: str
    low: float
    high: float
    ticks: tuple[tuple[float, str], ...] | None = None
    scale: AxisScale = AxisScale.LINEAR

    def share(self, place: float) -> float:
        """How far along the axis a place is, 0 … 1."""
        return (place - self.low) / (self.high - self.low)

    def reading(self, place: float) -> float:
        """The value at a place along the axis."""
        return NormalDist().cdf(place) if self.scale is AxisScale.PROBIT else place


@dataclass(frozen=True, eq=False)
class Line:
    """A curve through points in data units; `label` is its entry in the legend, None for no entry."""

    x: FloatArray
    y: FloatArray
    label: str | None
    colour: Colour
    dash: Dash = Dash.SOLID
    emphasis: bool = False  # the selected one: drawn thicker


@dataclass(frozen=True, eq=False)
class Points:
    """Single points in data units, above all lines; `texts`, if any, are written beside them, one each."""

    x: FloatArray
    y: FloatArray
    colour: Colour
    label: str | None = None  # its entry in the legend, after those of the lines
    marker: Marker = Marker.CIRCLE
    texts: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class NamedPoints(Points):
    """Points that each have a name, which a read-out shows and a selection is made by."""

    names: tuple[str, ...] = ()
    emphasised: frozenset[str] = frozenset()  # names of the selected ones: drawn larger


@dataclass(frozen=True)
class Words:
    """A short text in the picture, below everything, centred on its place in data units."""

    x: float
    y: float
    text: str


@dataclass(frozen=True, eq=False)
class Area:
    """The region between a curve and its base, filled below all lines; no entry in the legend."""

    x: FloatArray
    y: FloatArray
    colour: Colour
    base: FloatArray | None = None  # the other edge at the same x; None: the level 0
    opacity: float = 0.15  # faint; 1 hides what lies below


@dataclass(frozen=True, eq=False)
class Raster:
    """Values on a colour scale, below all lines, over a rectangle in data units.

    `values` has shape (rows, columns); the first row is the lowest.
    """

    values: NDArray[np.float32]
    scale: ColourScale
    x: tuple[float, float]
    y: tuple[float, float]

    def colours(self) -> NDArray[np.uint8]:
        """Shape (rows, columns, 3), the first row on top, as pictures have it."""
        return self.scale.colours(self.values[::-1].astype(np.float64))

    def cell_at(self, x: float, y: float) -> tuple[int, int]:
        """The row and the column of the value at a place, or of the nearest one."""
        rows, columns = self.values.shape
        row = int((y - self.y[0]) / (self.y[1] - self.y[0]) * rows)
        column = int((x - self.x[0]) / (self.x[1] - self.x[0]) * columns)
        return min(max(row, 0), rows - 1), min(max(column, 0), columns - 1)

    def middle_of(self, row: int, column: int) -> tuple[float, float]:
        """The place of a value in data units."""
        rows, columns = self.values.shape
        wide, high = (self.x[1] - self.x[0]) / columns, (self.y[1] - self.y[0]) / rows
        return self.x[0] + (column + 0.5) * wide, self.y[0] + (row + 0.5) * high


@dataclass(frozen=True, eq=False)
class Figure:
    """Everything a renderer needs. Later lines lie above earlier ones; the legend keeps their order."""

    title: str
    x: Axis
    y: Axis
    lines: tuple[Line, ...]
    alt_text: str  # what the picture shows, for those who cannot see it; one paragraph
    points: tuple[Points, ...] = ()
    areas: tuple[Area, ...] = ()
    words: tuple[Words, ...] = ()
    raster: Raster | None = None
    joins_legend: bool = False  # lines of one label, colour and dash share an entry in the legend
    right: Axis | None = None  # a second upright axis: a scale of its own, whose ticks are at places of y
    caption: str = ""  # a line below everything: of what it is, where the legend does not say so
    rows: int | None = None  # a picture of so many rows is as low as they allow; None: as high as others

    @property
    def legend(self) -> tuple[Line | Points, ...]:
        """What has an entry in the legend, in its order."""
        lines = [line for line in self.lines if line.label is not None]
        if self.joins_legend:
            first = {(line.label, line.colour, line.dash): line for line in reversed(lines)}
            lines = [line for line in lines if first[line.label, line.colour, line.dash] is line]
        return (*lines, *(points for points in self.points if points.label is not None))
