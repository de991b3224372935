"""A figure as plain values: what to draw, in data units and roles; the renderers only lay ink."""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import Enum
from functools import cache
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from zebra_core.evidence.trials import FloatArray, IntArray
from zebra_core.metrics.scales import TagScale
from zebra_core.wording.texts import say, with_decimal_sign, written

# The colours: one for each series and each tag, the same on screen and on paper.


# Seven after Okabe and Ito's, for all kinds of colour vision, and seven more. Each was moved as little as
# lets it stand out by 3 to 1 (WCAG 2.2) both from white paper and from a dark card, and from the other
# thirteen as seen with and without each kind of cone (Machado et al. 2009). Black is kept for perfect
# privacy.
SERIES = (
    *("#21967B", "#1970BB", "#D14302", "#BF7AA2", "#CF8306", "#239ED4", "#767412"),
    *("#A64AE3", "#53A523", "#F72583", "#938F59", "#D904AD", "#366CFC", "#A25A54"),
)
SERIES_NAMES = (
    *("bluish-green", "blue", "vermillion", "reddish-purple", "orange", "sky-blue", "olive"),
    *("violet", "green", "rose", "khaki", "magenta", "cobalt-blue", "brown"),
)

# From calm to alarming; every one carries a white letter (contrast at least 4.5 to 1).
TAGS = {
    "0": "#5B6470",
    "A": "#00755A",
    "B": "#7A6A00",
    "C": "#B35900",
    "D": "#C2410C",
    "E": "#B42318",
    "F": "#7A1230",
}

OWN_TAG, OWN_INK = "#E1E5EA", "#2B333D"
"""A tag of an own scale: dark letters on grey, because its bounds may put any colour beside any figure."""


def tag_colour(scale: TagScale, letter: str) -> str:
    """The colour of a tag, as #RRGGBB; `OWN_TAG` where the scale is the project's own."""
    return OWN_TAG if scale.is_own else TAGS[letter]


def tag_ink(colour: str) -> str:
    """The colour of the letters on a badge of this colour."""
    return OWN_INK if colour == OWN_TAG else "#FFFFFF"


def series_colour(number: int) -> str:
    """The colour of series `number`, counted from 0, as #RRGGBB; no two of the first ninety-eight are equal.

    Those beyond the fourteen of `SERIES` are mixed of two of these, as light is mixed: between two that can
    be seen on white and on dark there is none that cannot.
    """
    mixed, place = divmod(number, len(SERIES))
    one, other = (bytes.fromhex(SERIES[k % len(SERIES)][1:]) for k in (place, place + mixed))
    return "#" + bytes(map(_mixed, one, other)).hex().upper() if mixed else SERIES[place]


def series_name(number: int) -> str:
    """What the colour of series `number` is called; those beyond `SERIES` come round again."""
    return say(f"colour.{SERIES_NAMES[number % len(SERIES)]}")


def _mixed(one: int, other: int) -> int:
    """Half of each of two channels (0 … 255), as amounts of light (exponent 2.2)."""
    half = (float(one) ** 2.2 + float(other) ** 2.2) / 2.0
    return round(math.pow(half, 1 / 2.2))


# Viridis (van der Walt and Smith, CC0), perceptually uniform from dark to bright also in grey and for all
# kinds of colour vision, at equal steps; between them colours are mixed in proportion.
COLOUR_MAP = (
    "#440154", "#481A6C", "#472F7D", "#414487", "#39568C", "#31688E", "#2A788E", "#23888E", "#1F988B",
    "#22A884", "#35B779", "#54C568", "#7AD151", "#A5DB36", "#D2E21B", "#FDE725",
)  # fmt: skip
N_COLOURS = 256
EMPTY = "#9AA1AB"  # a cell without a value: the one grey among colours


@dataclass(frozen=True)
class ColourScale:
    """What a colour means: `low` is the first colour of the map, `high` the last."""

    label: str
    low: float
    high: float

    def colours(self, values: FloatArray) -> NDArray[np.uint8]:
        """The colours of values of any shape, as one more axis of red, green, blue (0 … 255).

        Values beyond the scale have the colour of its end; NaN is EMPTY.
        """
        share = np.clip((values - self.low) / (self.high - self.low), 0.0, 1.0)
        empty = np.isnan(values)
        place = np.rint(np.where(empty, 0.0, share) * (N_COLOURS - 1)).astype(np.intp)
        found: NDArray[np.uint8] = colour_table()[place]
        found[empty] = rgb(EMPTY)
        return found


@cache
def colour_table() -> NDArray[np.uint8]:
    """The map as N_COLOURS rows of red, green, blue, from the lowest to the highest; read-only."""
    steps = np.array([rgb(colour) for colour in COLOUR_MAP], dtype=np.float64)
    place = np.linspace(0.0, len(steps) - 1.0, N_COLOURS)
    channels = [np.interp(place, np.arange(len(steps)), steps[:, k]) for k in range(3)]
    table: NDArray[np.uint8] = np.rint(np.column_stack(channels)).astype(np.uint8)
    table.flags.writeable = False
    return table


def rgb(colour: str) -> tuple[int, int, int]:
    """Red, green and blue (0 … 255) of #RRGGBB."""
    red, green, blue = bytes.fromhex(colour[1:])
    return red, green, blue


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


# Tables of cells on a colour scale, as plain values.


@dataclass(frozen=True, eq=False)
class Cells:
    """One table: `values` and `counts` have shape (rows, columns); the first row is drawn on top.

    NaN is an empty cell. `counts` is the number of trials behind each cell.
    """

    title: str
    row_names: tuple[str, ...]
    column_names: tuple[str, ...]
    row_label: str
    column_label: str
    values: FloatArray
    counts: IntArray
    note: str = ""  # a figure that is written beside the title

    @property
    def row_side(self) -> tuple[str, tuple[str, ...]]:
        """What stands at the side of the rows."""
        return self.row_label, self.row_names

    @property
    def column_side(self) -> tuple[str, tuple[str, ...]]:
        """What stands at the side of the columns."""
        return self.column_label, self.column_names

    def read_out(self, row: int, column: int) -> str:
        """What a cell says, in words: both speakers, the value, the number of trials."""
        value, count = float(self.values[row, column]), int(self.counts[row, column])
        return say(
            "figure.cell-empty" if np.isnan(value) else "figure.cell",
            title=self.title,
            row=self.row_names[row],
            column=self.column_names[column],
            value=written(value, ".3f"),
            count=count,
        )


@dataclass(frozen=True, eq=False)
class CellsFigure:
    """Tables side by side on one colour scale: rows of panels, from the top."""

    title: str
    panels: tuple[tuple[Cells, ...], ...]
    scale: ColourScale
    alt_text: str
    caption: str = ""  # a line below everything: of what it is

    def has_row_side(self, number: int, column: int) -> bool:
        """Whether a panel says what its rows are: not where the panel at its left has said it."""
        row = self.panels[number]
        return column == 0 or row[column].row_side != row[column - 1].row_side

    def has_column_side(self, number: int, column: int) -> bool:
        """Whether a panel says what its columns are: not where the panel below it does."""
        below = self.panels[number + 1] if number + 1 < len(self.panels) else ()
        return column >= len(below) or self.panels[number][column].column_side != below[column].column_side


# How figures look on paper: colours, widths, ticks and short labels, the same in all renderers for paper.


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
