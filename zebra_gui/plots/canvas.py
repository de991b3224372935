"""What a figure is drawn on: a view with an axis below and one at its left, at its right where it has two.

pyqtgraph's PlotWidget is the same with a menu, buttons, averages and axes on all four sides. Even where they
are switched off, they are made, and take most of the time that it takes to make a figure.

An axis that names its ticks only where there is room for the name.
"""

from __future__ import annotations

import html
from collections.abc import Sequence
from typing import Any

import pyqtgraph as pg
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QFontMetricsF, QPainter
from PySide6.QtWidgets import (
    QGraphicsGridLayout,
    QGraphicsItem,
    QGraphicsSceneResizeEvent,
    QSizePolicy,
    QWidget,
)

from zebra_core.wording.texts import with_decimal_sign
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
_INWARD = {"bottom": (0.0, -2.0), "left": (2.0, 0.0)}  # pyqtgraph lets the tails of letters go over the edge


class RoomyAxis(pg.AxisItem):
    """Where the names of ticks would lie on one another some are left out; closer by, more are shown.

    pyqtgraph does so for the ticks that it chooses itself, and draws all of those that are given. What the
    axis measures is cut in its middle where the axis is too short for it: pyqtgraph lets its ends go.
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
        is_upright = self.orientation in ("left", "right")
        room = self.size().height() if is_upright else self.size().width()
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
        return [with_decimal_sign(text) for text in super().tickStrings(values, scale, spacing)]

    def generateDrawSpecs(self, p: QPainter) -> tuple[Any, Any, Any] | None:
        specs = super().generateDrawSpecs(p)
        if specs is None or self._tickLevels is None:
            return specs
        axis, ticks, texts = specs
        return axis, ticks, with_room(texts, is_upright=self.orientation in ("left", "right"))

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


def with_room(texts: list[tuple[QRectF, Any, str]], *, is_upright: bool) -> list[tuple[QRectF, Any, str]]:
    """The texts that do not overlap, beginning at the top or at the left."""
    kept: list[tuple[QRectF, Any, str]] = []
    free_from = float("-inf")
    for rect, flags, text in sorted(texts, key=lambda one: one[0].top() if is_upright else one[0].left()):
        begin, end = (rect.top(), rect.bottom()) if is_upright else (rect.left(), rect.right() + _APART)
        if begin >= free_from:
            kept.append((rect, flags, text))
            free_from = end
    return kept
