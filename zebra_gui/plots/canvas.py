"""What a figure is drawn on: a view with an axis below and one at its left, at its right where it has two.

pyqtgraph's PlotWidget is the same with a menu, buttons, averages and axes on all four sides. Even where they
are switched off, they are made, and take most of the time that it takes to make a figure.

An axis that names its ticks only where there is room for the name.
"""

from __future__ import annotations

import html
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any, TypeVar

import pyqtgraph as pg
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QFont, QFontMetricsF, QPainter, QPalette, QPen
from PySide6.QtWidgets import (
    QGraphicsGridLayout,
    QGraphicsItem,
    QGraphicsSceneResizeEvent,
    QSizePolicy,
    QWidget,
)

from zebra_core.figures.figure import MARKER_FACTORS, Area, Figure, NamedPoints, Points
from zebra_core.wording.texts import MINUS, with_decimal_sign
from zebra_gui.plots.inks import MARKER_SIZE, SYMBOLS, brush_of_area, colour_of
from zebra_gui.widgets.wheel import ZoomsByWheel

_ABOVE_IMAGES = 0.5  # axes and their grid; what is to be drawn over them is at 1 and above
_EDGE = 1.0  # pixels
_GRID_OPACITY = 33  # of 255
_PLACES = {"bottom": (1, 1), "left": (0, 0), "right": (0, 2)}


class Canvas(ZoomsByWheel, pg.GraphicsView):
    """A view and its axes, which move and zoom with the mouse, and do nothing else by themselves."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        frame = pg.GraphicsWidget()
        frame.setLayoutDirection(Qt.LayoutDirection.LeftToRight)  # axes are read as in the papers everywhere
        layout = QGraphicsGridLayout(frame)
        layout.setContentsMargins(_EDGE, _EDGE, _EDGE, _EDGE)
        layout.setSpacing(0.0)
        self._view_box = pg.ViewBox(parent=frame, enableMenu=False, defaultPadding=0.0)
        layout.addItem(self._view_box, 0, 1)
        self._grid_layout = layout
        self._axes: dict[str, RoomyAxis] = {}
        for side in ("bottom", "left"):
            self._add_axis(side).setGrid(_GRID_OPACITY)
        layout.setRowStretchFactor(0, 1)
        layout.setColumnStretchFactor(1, 1)
        self.setCentralItem(frame)

    def _add_axis(self, side: str) -> RoomyAxis:
        axis = self._axes[side] = RoomyAxis(side)
        axis.linkToView(self._view_box)
        self._grid_layout.addItem(axis, *_PLACES[side])
        axis.setZValue(_ABOVE_IMAGES)
        axis.setFlag(QGraphicsItem.GraphicsItemFlag.ItemNegativeZStacksBehindParent)
        axis.enableAutoSIPrefix(False)
        return axis

    def show_right_axis(self, *, is_there: bool) -> bool:
        """Have an axis at the right, or none; whether it had to be made, as when it is first wanted."""
        is_new = is_there and "right" not in self._axes
        if is_new:
            self._add_axis("right")
        elif "right" in self._axes:
            self._axes["right"].setVisible(is_there)
        return is_new

    def getViewBox(self) -> pg.ViewBox:
        """Where things are drawn in the units of the axes."""
        return self._view_box

    def getAxis(self, side: str) -> RoomyAxis:
        """The axis at the "bottom" or the "left"; at the "right" where there has been one."""
        return self._axes[side]

    def addItem(self, item: QGraphicsItem) -> None:
        """Draw this in the units of the axes; what the axes show does not follow from it."""
        self._view_box.addItem(item, ignoreBounds=True)

    def removeItem(self, item: QGraphicsItem) -> None:
        """Draw this no more."""
        self._view_box.removeItem(item)


_APART = 3.0  # pixels between two names along a level axis
_AROUND_A_LINE = -0.5 - 1 / 128, 0.5, 0.5 - 1 / 128  # above, right, below: Qt puts lines on 64ths of a pixel
_OVER_AN_END = 100.0  # pixels that the name of a tick may need there
_INWARD = {"bottom": (0.0, -2.0), "left": (2.0, 0.0)}  # pyqtgraph lets the tails of letters go over the edge


class RoomyAxis(pg.AxisItem):
    """Where the names of ticks would lie on one another some are left out; closer by, more are shown.

    pyqtgraph does so for the ticks that it chooses itself, and draws all of those that are given; it leaves
    out those that go over the ends of the axis, which are moved inward here where they go over the edge. What
    the axis measures is cut in its middle where the axis is too short for it: pyqtgraph lets its ends go.
    """

    def __init__(self, orientation: str) -> None:
        self._measures = self._shown = ""
        super().__init__(orientation)

    def say_what_it_measures(self, words: str) -> None:
        """Write these words along the axis."""
        if words != self._measures:
            self._measures = self._shown = words
            self.setLabel(html.escape(words))
        self.fit()

    @property
    def length_of_words(self) -> int:
        """The pixels along the axis that its words take where nothing of them is cut."""
        return round(QFontMetricsF(self.label.font()).horizontalAdvance(self._measures) + _APART) + 1

    def fit(self) -> None:
        """Write as much of the words as there is room for."""
        room = self.size().height() if self._is_upright else self.size().width()
        if self._measures and room > 0.0:
            metrics = QFontMetricsF(self.label.font())
            shown = metrics.elidedText(self._measures, Qt.TextElideMode.ElideMiddle, room - _APART)
            if shown != self._shown:
                self._shown, self.labelText = shown, html.escape(shown)
                self.label.setHtml(self.labelString())

    def resizeEvent(self, event: QGraphicsSceneResizeEvent | None = None) -> None:
        self.fit()
        super().resizeEvent(event)
        if self.label is not None:  # it is gone when the axis is closed
            x, y = _INWARD.get(self.orientation, (0.0, 0.0))
            self.label.moveBy(x, y)

    def tickStrings(self, values: Sequence[float], scale: float, spacing: float) -> list[str]:
        texts = super().tickStrings(values, scale, spacing)
        return [with_decimal_sign(text).replace("-", MINUS) for text in texts]

    def boundingRect(self) -> QRectF:
        across = 0.0 if self._is_upright else _OVER_AN_END
        along = _OVER_AN_END - across
        return super().boundingRect().adjusted(-across, -along, across, along)

    @property
    def _is_upright(self) -> bool:
        return self.orientation in ("left", "right")

    def generateDrawSpecs(self, p: QPainter) -> tuple[Any, Any, Any] | None:
        specs = super().generateDrawSpecs(p)
        if specs is None:
            return None
        axis, ticks, texts = specs
        edges = self.mapRectFromParent(self.parentWidget().rect().adjusted(_APART, 0.0, -_APART, 0.0))
        return axis, ticks, with_room(texts, edges, is_upright=self._is_upright)

    def drawPicture(self, p: QPainter, line: Any, ticks: list[Any], texts: list[Any]) -> None:
        """The pixels of pyqtgraph, but level lines of the grid are filled where they are a pixel thick.

        Qt blends each pixel of such a line by itself: a third of the time of each picture went into lines
        that are hardly seen. Upright ones are no faster when they are filled.
        """
        if self.orientation != "left" or any(pen.widthF() != 1.0 for pen, _, _ in ticks):
            super().drawPicture(p, line, ticks, texts)
            return
        p.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        p.setRenderHint(QPainter.RenderHint.TextAntialiasing, True)
        pen, one, other = line
        p.setPen(pen)
        p.drawLine(one, other)
        for pen, one, other in ticks:
            p.fillRect(QRectF(one, other).normalized().adjusted(-0.5, *_AROUND_A_LINE), pen.color())
        if self.style["tickFont"] is not None:
            p.setFont(self.style["tickFont"])
        p.setPen(self.textPen())
        p.setClipRect(self.boundingRect().toAlignedRect())
        for rect, flags, text in texts:
            p.drawText(rect, int(flags), text)


_Text = tuple[QRectF, Any, str]
_EVERYWHERE = QRectF(-1e6, -1e6, 2e6, 2e6)


def with_room(texts: list[_Text], edges: QRectF = _EVERYWHERE, *, is_upright: bool) -> list[_Text]:
    """The texts that do not overlap within the edges: in even steps, or both ends and some."""

    def begin(one: _Text) -> float:
        return one[0].top() if is_upright else one[0].left()

    def end(one: _Text) -> float:
        return one[0].bottom() if is_upright else one[0].right() + _APART

    ordered = sorted(texts, key=begin)
    for rect, _, _ in ordered:
        if is_upright:
            rect.moveTop(min(max(rect.top(), edges.top()), edges.bottom() - rect.height()))
        else:
            rect.moveLeft(min(max(rect.left(), edges.left()), edges.right() - rect.width()))
    for step in (each for each in range(1, len(ordered) // 2) if (len(ordered) - 1) % each == 0):
        if all(begin(other) >= end(one) for one, other in pairwise(ordered[::step])):
            return ordered[::step]
    kept: list[_Text] = []
    for one in ordered[:-1]:
        if (not kept or begin(one) >= end(kept[-1])) and end(one) <= begin(ordered[-1]):
            kept.append(one)
    return kept + ordered[-1:]


# What a figure shows beside its lines on screen: areas and bands, single points, texts, words.


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
        plot.getViewBox().sigResized.connect(self._fit_words)

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
            item.setPos(words.x, words.y)
        self._fit_words()

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
        self._fit_words()

    def _fit_words(self) -> None:
        """Words wider than the picture lose their end: it would cut the number that they begin with."""
        room = self._plot.getViewBox().width()
        for item, words in zip(self.words, self._figure.words if self._figure else (), strict=False):
            metrics = QFontMetricsF(item.textItem.font())
            item.setText(metrics.elidedText(words.text, Qt.TextElideMode.ElideRight, room - _APART))


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
