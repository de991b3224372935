"""What a figure shows beside its lines on screen: areas and bands, single points, texts, words."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

import pyqtgraph as pg
from PySide6.QtGui import QFont, QPalette, QPen

from zebra_core.figures.figure import MARKER_FACTORS, Area, Figure, NamedPoints, Points
from zebra_gui.plots.canvas import Canvas
from zebra_gui.plots.inks import MARKER_SIZE, SYMBOLS, brush_of_area, colour_of

_NEAR_THE_TOP = 0.93
_LARGER = 1.7  # a selected point
_AREAS, _WORDS, _POINTS, _TEXTS = -6, -5, 5, 6  # one above the other; the lines are at 0

Item = TypeVar("Item", bound=pg.GraphicsObject)


class Decorations:
    """The areas and points of one plot."""

    def __init__(self, plot: Canvas) -> None:
        self._plot = plot
        self._figure: Figure | None = None
        self.areas: list[pg.PlotDataItem | pg.FillBetweenItem] = []
        self.points: list[pg.ScatterPlotItem] = []
        self.texts: list[pg.TextItem] = []
        self.words: list[pg.TextItem] = []

    def show_figure(self, figure: Figure) -> None:
        """Draw the areas and points of this figure in the place of the old ones."""
        self._figure = figure
        for area in self.areas:
            self._plot.removeItem(area)
        self.areas = [_filled(area) for area in figure.areas]
        for area in self.areas:
            self._add(area, _AREAS)
        self._have(self.points, len(figure.points), lambda: pg.ScatterPlotItem(antialias=True), _POINTS)
        for item, points in zip(self.points, figure.points, strict=True):
            item.setData(points.x, points.y, symbol=SYMBOLS[points.marker], size=_sizes(points))
        self._show_texts(figure)
        self._have(self.words, len(figure.words), lambda: pg.TextItem(anchor=(0.5, 0.5)), _WORDS)
        for item, words in zip(self.words, figure.words, strict=True):
            item.setText(words.text)
            item.setPos(words.x, words.y)

    def _show_texts(self, figure: Figure) -> None:
        """What is written beside points."""
        places = [
            one for points in figure.points for one in zip(points.x, points.y, points.texts, strict=False)
        ]
        self._have(self.texts, len(places), pg.TextItem, _TEXTS)
        for item, (x, y, text) in zip(self.texts, places, strict=True):
            across, up = figure.x.share(float(x)), figure.y.share(float(y))
            item.setText(text)
            # Within the frame: at its left end to the right of the point, below it at the top.
            item.setAnchor((across, -0.3 if up > _NEAR_THE_TOP else 1.3))
            item.setPos(float(x), float(y))

    def _have(self, items: list[Item], count: int, make: Callable[[], Item], height: int) -> None:
        """So many items: as many of those that are there as are needed, for to make one takes longer."""
        while len(items) > count:
            self._plot.removeItem(items.pop())
        while len(items) < count:
            items.append(make())
            self._add(items[-1], height)

    def _add(self, item: pg.GraphicsObject, height: int) -> None:
        item.setZValue(height)
        self._plot.addItem(item)

    def ink(self, palette: QPalette, font: QFont, pixel_ratio: float) -> None:
        """Give everything its colour in the theme of the moment."""
        if self._figure is None:
            return
        rim = pg.mkPen(palette.color(QPalette.ColorRole.Base), width=pixel_ratio)
        for item, area in zip(self.areas, self._figure.areas, strict=True):
            brush = brush_of_area(area, palette)
            if area.base is None:
                item.setFillBrush(brush)
            else:
                item.setBrush(brush)
        for item, points in zip(self.points, self._figure.points, strict=True):
            item.setBrush(colour_of(points.colour, palette), update=False)  # both at once, for all points
            item.setPen(_rims(points, rim, palette, pixel_ratio))
        for item in (*self.texts, *self.words):
            item.setColor(palette.color(QPalette.ColorRole.PlaceholderText))
            item.setFont(font)


def _filled(area: Area) -> pg.PlotDataItem | pg.FillBetweenItem:
    """The item of an area; it gets its brush when it is inked."""
    if area.base is None:
        return pg.PlotDataItem(area.x, area.y, pen=None, fillLevel=0.0)
    return pg.FillBetweenItem(pg.PlotCurveItem(area.x, area.y), pg.PlotCurveItem(area.x, area.base))


def _sizes(points: Points) -> float | list[float]:
    size = MARKER_SIZE * MARKER_FACTORS.get(points.marker, 1.0)
    if not isinstance(points, NamedPoints) or not points.emphasised:
        return size
    return [size * (_LARGER if name in points.emphasised else 1.0) for name in points.names]


def _rims(points: Points, rim: QPen, palette: QPalette, pixel_ratio: float) -> QPen | list[QPen]:
    """Selected points have a dark rim too: size alone is hard to see in a crowd."""
    if not isinstance(points, NamedPoints) or not points.emphasised:
        return rim
    dark = pg.mkPen(palette.color(QPalette.ColorRole.Text), width=2.0 * pixel_ratio)
    return [dark if name in points.emphasised else rim for name in points.names]
