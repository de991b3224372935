"""A figure as plain values: what to draw, in data units and roles; the renderers only lay ink."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from core.trials import FloatArray


class Dash(Enum):
    """How a line is broken."""

    SOLID = "solid"
    DASHED = "dashed"
    DOTTED = "dotted"
    DASH_DOTTED = "dash-dotted"


class Ink(Enum):
    """Colours that follow the theme; the rest are series colours, by number."""

    FOREGROUND = "foreground"  # black on paper, white on a dark screen
    MUTED = "muted"  # axes, guides, the unprotected baseline


Colour = Ink | int
"""A role of the theme, or the number of a series (see palette.series_colour)."""


@dataclass(frozen=True)
class Axis:
    """One axis: what it measures, how far it goes, and where its ticks are (None: the renderer chooses)."""

    label: str
    low: float
    high: float
    ticks: tuple[tuple[float, str], ...] | None = None


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
class Figure:
    """Everything a renderer needs. Later lines lie above earlier ones; the legend keeps their order."""

    title: str
    x: Axis
    y: Axis
    lines: tuple[Line, ...]
    alt_text: str  # what the picture shows, for those who cannot see it; one paragraph
