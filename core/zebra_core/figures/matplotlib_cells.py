"""A CellsFigure on paper, drawn with matplotlib."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure as Sheet
from matplotlib.lines import Line2D
from matplotlib.patches import Rectangle
from numpy.typing import NDArray

from zebra_core.figures.cells_layout import Anchor, Layout, Lettering, Patch, layout_of, tick_ends
from zebra_core.figures.figure import FRAME, TEXT, Axis, CellsFigure, Raster, colour_table, ticks
from zebra_core.figures.lettering import printable

LEAST_PIXELS = 800
"""Small tables are enlarged to so many pixels: PDF viewers would blur the borders of large ones."""

FRAME_WIDTH = 0.5
_ANCHORS = {Anchor.LEFT: "left", Anchor.MIDDLE: "center", Anchor.RIGHT: "right"}


def draw_cells(figure: CellsFigure, *, may_be_scaled: bool) -> Sheet:
    """The sheet with all panels, 7.2 inches wide; `may_be_scaled` by who shows it, as in PDF and SVG."""
    layout = layout_of(figure)
    sheet = Sheet(figsize=(layout.width, layout.height), facecolor="white")
    for patch in layout.patches:
        colours = enlarged(patch.colours, LEAST_PIXELS) if may_be_scaled else patch.colours
        _draw_patch(sheet, layout, patch, colours)
    for (x, y), (x_end, y_end) in zip(layout.ticks, tick_ends(layout), strict=True):
        across, up = [x / layout.width, x_end / layout.width], [y / layout.height, y_end / layout.height]
        sheet.add_artist(Line2D(across, up, color=FRAME, linewidth=0.6, transform=sheet.transFigure))
    for text in layout.texts:
        _write(sheet, layout, text)
    return sheet


def draw_cells_onto(axes: Axes, figure: CellsFigure) -> None:
    """All panels and their scale in place of these axes, whose owner chooses size and letters."""
    axes.set_axis_off()
    scale = figure.scale
    for down, row in enumerate(figure.panels, start=1):
        height = 1.0 / len(figure.panels)
        for across, cells in enumerate(row):
            width = 0.9 / len(row)
            panel = axes.inset_axes((across * width, 1.0 - down * height, 0.8 * width, 0.8 * height))
            panel.imshow(scale.colours(cells.values), interpolation="none")
            panel.set(
                title=cells.title, xlabel=cells.column_label, ylabel=cells.row_label, xticks=[], yticks=[]
            )
    bar = axes.inset_axes((0.93, 0.1, 0.03, 0.6))
    steps = np.linspace(scale.low, scale.high, 256)[:, np.newaxis]
    ends = (0.0, 1.0, scale.low, scale.high)
    bar.imshow(scale.colours(steps), origin="lower", extent=ends, aspect="auto")
    bar.yaxis.tick_right()
    bar.set(xticks=[], ylabel=scale.label)


def enlarged(colours: NDArray[np.uint8], least: int) -> NDArray[np.uint8]:
    """The picture with each cell repeated, so that both sides have at least so many pixels."""
    rows, columns = (-(-least // size) for size in colours.shape[:2])
    return colours.repeat(rows, axis=0).repeat(columns, axis=1)


def _draw_patch(sheet: Sheet, layout: Layout, patch: Patch, colours: NDArray[np.uint8]) -> None:
    place = (
        patch.x / layout.width,
        patch.y / layout.height,
        patch.width / layout.width,
        patch.height / layout.height,
    )
    axes = sheet.add_axes(place)
    axes.set_axis_off()
    axes.imshow(colours, interpolation="none", aspect="auto")
    outline = Rectangle(
        place[:2],
        *place[2:],
        fill=False,
        edgecolor=FRAME,
        linewidth=FRAME_WIDTH,
        transform=sheet.transFigure,
        zorder=3,
    )
    sheet.add_artist(outline)


def _write(sheet: Sheet, layout: Layout, text: Lettering) -> None:
    across, up = (_ANCHORS[text.anchor], "center_baseline")
    if text.upright:
        across, up = (
            "center",
            {Anchor.LEFT: "bottom", Anchor.MIDDLE: "center", Anchor.RIGHT: "top"}[text.anchor],
        )
    sheet.text(
        text.x / layout.width,
        text.y / layout.height,
        text.text,
        size=text.size,
        weight="semibold" if text.bold else "regular",
        color=text.colour,
        ha=across,
        va=up,
        rotation=90.0 if text.upright else 0.0,
    )


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
