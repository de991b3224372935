"""A Figure of named points on screen: each can be pointed at, read and selected by its name."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pyqtgraph as pg
from pyqtgraph.GraphicsScene.mouseEvents import MouseClickEvent
from PySide6.QtCore import QPointF, Qt, Signal
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QWidget

from zebra_core.figures.figure import Figure, NamedPoints
from zebra_core.wording.texts import visible_sentence
from zebra_gui.plots.figure import FigureView, ReadOut
from zebra_gui.plots.inks import colour_of

PointReadOut = Callable[[NamedPoints, int], str]
"""The words for one of some named points, by its number."""

_LONGEST_WORDS = 800
_REACH = 28.0  # pixels within which a point is meant
_REACH_ON_LINES = 10.0  # and where lines are read beside it


class PointsView(FigureView):
    """A figure whose named points are read, in the place of its lines; without any its lines are.

    Where points are marks on lines (`are_on_lines`) both are read: a mark close to the pointer, else a line;
    the keyboard goes along the lines.

    Mouse: point to read, click to select; the rest as in every figure. Keyboard: left and right go to the
    next point across, up and down to the next one up, Enter selects.

    Signals:
        picked: the name of the point that was clicked.
    """

    picked = Signal(str)

    def __init__(
        self,
        read_point: PointReadOut,
        read_line: ReadOut | None = None,
        parent: QWidget | None = None,
        *,
        are_on_lines: bool = False,
    ) -> None:
        self._are_on_lines = are_on_lines
        self._places = np.empty((0, 2))
        self._groups = np.empty(0, dtype=np.int64)  # of each point
        self._numbers = np.empty(0, dtype=np.int64)  # within its group
        self._point: int | None = None
        super().__init__(read_line or (lambda _line, _point: ""), parent)
        self._read_point = read_point
        self.plot.scene().sigMouseClicked.connect(self._on_mouse_clicked)
        self.plot.chosen.connect(self._on_chosen)
        self.hide_cursor()

    @property
    def named_point(self) -> str | None:
        """The name of the point that the cursor is on."""
        if self._point is None:
            return None
        points, number = self._at_point(self._point)
        return points.names[number]

    def show_figure(self, figure: Figure) -> None:
        groups = [points for points in figure.points if isinstance(points, NamedPoints)]
        lengths = [len(points.names) for points in groups]
        self._named = groups
        self._groups = np.repeat(np.arange(len(groups)), lengths)
        self._numbers = np.concatenate([np.arange(n) for n in lengths]) if groups else np.empty(0, np.int64)
        xy = [np.column_stack([points.x, points.y])[: len(points.names)] for points in groups]
        self._places = np.concatenate(xy) if xy else np.empty((0, 2))
        super().show_figure(figure)

    def put_on(self, name: str) -> None:
        """Put the cursor on the point of this name, if there is one."""
        for point in range(len(self._places)):
            points, number = self._at_point(point)
            if points.names[number] == name:
                self._put(point)
                return

    def put_cursor(self, line: int, point: int) -> None:
        self._point = None
        super().put_cursor(line, point)

    def hide_cursor(self) -> None:
        self._point = None
        super().hide_cursor()

    @property
    def _reads_lines(self) -> bool:
        return self._are_on_lines or not len(self._places)

    def _at_point(self, point: int) -> tuple[NamedPoints, int]:
        return self._named[int(self._groups[point])], int(self._numbers[point])

    def _put(self, point: int) -> None:
        self._point = point
        self._cursor.hide()  # of a line
        points, number = self._at_point(point)
        x, y = (float(place) for place in self._places[point])
        self._mark.setData([x], [y])
        self._mark.setSymbolBrush(colour_of(points.colour, self.palette()))
        self._mark.setSymbolPen(pg.mkPen(self.palette().color(QPalette.ColorRole.Text), width=2.0))
        self._mark.show()
        self._say(visible_sentence(self._read_point(points, number), _LONGEST_WORDS), QPalette.ColorRole.Text)

    def _nearest(self, place: QPointF) -> int | None:
        """The point nearest on the screen, within reach."""
        if not len(self._places):
            return None
        wide, high = self.plot.getViewBox().viewPixelSize()
        away = np.hypot((self._places[:, 0] - place.x()) / wide, (self._places[:, 1] - place.y()) / high)
        point = int(np.argmin(away))
        return point if away[point] <= (_REACH_ON_LINES if self._are_on_lines else _REACH) else None

    def _on_pointed_at(self, place: QPointF) -> None:
        point = self._nearest(place)
        if point is None and self._reads_lines:
            super()._on_pointed_at(place)
        elif point is None:
            self.hide_cursor()
        elif point != self._point:
            self._put(point)

    def _on_mouse_clicked(self, event: MouseClickEvent) -> None:
        if event.button() is not Qt.MouseButton.LeftButton or event.double():
            return
        view = self.plot.getViewBox()
        if view.sceneBoundingRect().contains(event.scenePos()):
            point = self._nearest(view.mapSceneToView(event.scenePos()))
            if point is not None:
                self._put(point)
                self._on_chosen()

    def _on_chosen(self) -> None:
        if (name := self.named_point) is not None:
            self.picked.emit(name)

    def _on_stepped(self, step: int) -> None:
        if self._reads_lines:
            super()._on_stepped(step)
        else:
            self._step_along(0, step)

    def _on_line_changed(self, step: int) -> None:
        if self._reads_lines:
            super()._on_line_changed(step)
        else:
            self._step_along(1, -step)

    def _step_along(self, axis: int, step: int) -> None:
        """To the next point along an axis; the first time to the one farthest along it."""
        order = np.lexsort((self._places[:, 1 - axis], self._places[:, axis]))
        if self._point is None:
            at = len(order) - 1
        else:
            at = int(np.clip(int(np.flatnonzero(order == self._point)[0]) + step, 0, len(order) - 1))
        self._put(int(order[at]))
        self._announce()
