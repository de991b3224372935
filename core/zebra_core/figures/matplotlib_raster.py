"""The raster of a figure on paper, and the bar that says what its colours mean, drawn with matplotlib."""

from __future__ import annotations

from matplotlib.axes import Axes

from zebra_core.figures.colour_scale import colour_table
from zebra_core.figures.figure import Axis, Raster
from zebra_core.figures.lettering import printable
from zebra_core.figures.paper import FRAME, TEXT, ticks

# In inches; the room holds all of it, right of the axes.
BAR_GAP, BAR_WIDTH, BAR_ROOM = 0.14, 0.13, 0.78
_LABEL_SIZE, _TICK_SIZE = 9.0, 8.5

_Place = tuple[float, float, float, float]


def draw_raster(axes: Axes, raster: Raster, bar_place: _Place) -> None:
    """Draw it into these axes, which have their limits, and its bar at this place of the sheet."""
    limits = axes.get_xlim(), axes.get_ylim()
    axes.imshow(
        raster.colours(), extent=(*raster.x, *raster.y), aspect="auto", interpolation="none", zorder=0.5
    )
    axes.set(xlim=limits[0], ylim=limits[1])
    sheet, scale = axes.get_figure(root=True), raster.scale
    assert sheet is not None  # noqa: S101 - they were just put on one
    bar = sheet.add_axes(bar_place)
    bar.imshow(
        colour_table()[::-1, None],
        extent=(0.0, 1.0, scale.low, scale.high),
        aspect="auto",
        interpolation="none",
    )
    bar.set_xticks([])
    bar.yaxis.tick_right()
    bar.yaxis.set_label_position("right")
    marks = ticks(Axis(scale.label, scale.low, scale.high))[::2]
    bar.set_yticks([value for value, _ in marks], [label for _, label in marks])
    bar.set_ylabel(printable(scale.label), size=_LABEL_SIZE, color=TEXT)
    bar.tick_params(colors=FRAME, labelcolor=TEXT, labelsize=_TICK_SIZE, length=3.0, width=0.6, pad=3.0)
    for spine in bar.spines.values():
        spine.set(color=FRAME, linewidth=0.5)
