"""A Figure with a raster on screen: its colours, what they mean, and a cursor that reads them."""

from __future__ import annotations

from collections.abc import Callable

import pyqtgraph as pg
from PySide6.QtCore import QEvent, QPointF, QRectF, QSize
from PySide6.QtGui import QFont, QPainter, QPaintEvent, QPalette, QTransform
from PySide6.QtWidgets import QHBoxLayout, QStyleOptionGraphicsItem, QVBoxLayout, QWidget

from zebra_core.figures.figure import ColourScale, Figure, Raster
from zebra_gui.plots.cells import CellsImage
from zebra_gui.plots.cells_items import ColourBar
from zebra_gui.plots.figure import FigureView

RasterReadOut = Callable[[Raster, int, int], str]
"""The words for the value in a row and a column."""

_BELOW_ALL = -10


class RasterView(FigureView):
    """A figure whose raster is read, in the place of its lines.

    Mouse: point to read; the rest as in every figure. Keyboard: left and right move the cursor across, up and
    down move it up and down.
    """

    def __init__(self, read_value: RasterReadOut, parent: QWidget | None = None) -> None:
        self._cell: tuple[int, int] | None = None
        super().__init__(lambda _line, _point: "", parent)
        self._read_value = read_value
        self.image = CellsImage()
        self.image.setZValue(_BELOW_ALL)
        self.plot.addItem(self.image)
        self.scale = _ScaleBar(self)
        rows = self.layout()
        assert isinstance(rows, QVBoxLayout)  # noqa: S101 - every figure is laid out in one
        place = rows.indexOf(self.plot)
        beside = QHBoxLayout()
        if self.isRightToLeft():  # mirrored twice: the scale stays at the right, as axes stay
            beside.setDirection(QHBoxLayout.Direction.RightToLeft)
        beside.addWidget(self.plot, 1)
        beside.addWidget(self.scale)
        rows.insertLayout(place, beside, 1)
        self.hide_cursor()

    def show_figure(self, figure: Figure) -> None:
        super().show_figure(figure)
        if (raster := figure.raster) is not None:
            colours = raster.colours()
            self.image.show_colours(colours)
            rows, columns = colours.shape[:2]
            wide, high = (raster.x[1] - raster.x[0]) / columns, (raster.y[1] - raster.y[0]) / rows
            # The first row of the colours is the uppermost.
            self.image.setTransform(QTransform(wide, 0.0, 0.0, -high, raster.x[0], raster.y[1]))
            self.scale.show_scale(raster.scale)
        for shown in (self.image, self.scale):
            shown.setVisible(raster is not None)

    def read_at(self, row: int, column: int) -> None:
        """Put the cursor on a value, and say what it is."""
        raster = self._figure.raster if self._figure else None
        if raster is None:
            return
        self._cell = row, column
        x, y = raster.middle_of(row, column)
        self._cursor.setValue(x)
        self._mark.setData([x], [y])
        self._mark.setSymbolBrush(pg.mkBrush(self.palette().color(QPalette.ColorRole.Highlight)))
        self._cursor.show()
        self._mark.show()
        self._say(self._read_value(raster, row, column), QPalette.ColorRole.Text)

    def hide_cursor(self) -> None:
        self._cell = None
        super().hide_cursor()

    def _on_pointed_at(self, place: QPointF) -> None:
        if self._figure and (raster := self._figure.raster):
            self.read_at(*raster.cell_at(place.x(), place.y()))

    def _on_stepped(self, step: int) -> None:
        self._go(0, step)

    def _on_line_changed(self, step: int) -> None:
        self._go(-step, 0)

    def _go(self, up: int, right: int) -> None:
        if not (self._figure and (raster := self._figure.raster)):
            return
        rows, columns = raster.values.shape
        row, column = self._cell or (rows // 4, columns // 2)
        if self._cell is not None:
            row, column = row + up, column + right
        self.read_at(min(max(row, 0), rows - 1), min(max(column, 0), columns - 1))
        self._announce()


class _ScaleBar(QWidget):
    """What the colours mean, at the right of the plot."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._bar = ColourBar()
        self._ink()

    def show_scale(self, scale: ColourScale) -> None:
        """Show this scale."""
        self._bar.show_scale(scale, has_empty=False)
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(round(self._bar.width()), 100)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        self._ink()

    def _ink(self) -> None:
        font = QFont(self.font())
        font.setPointSizeF(max(7.0, 0.88 * font.pointSizeF()))
        self._bar.ink(self.palette(), font)
        self.setFixedWidth(round(self._bar.width()))
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        self._bar.place(QRectF(self.rect()).adjusted(0.0, 2.0, -2.0, -2.0))
        painter = QPainter(self)
        self._bar.paint(painter, QStyleOptionGraphicsItem())
        painter.end()
