"""What stands around tables of cells on screen: names at their sides, the colour bar, frames on cells."""

from __future__ import annotations

import math
from functools import cache

import pyqtgraph as pg
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QImage, QPainter, QPalette, QTransform
from PySide6.QtWidgets import QGraphicsItem, QGraphicsRectItem, QStyleOptionGraphicsItem, QWidget

from zebra_core.figures.figure import EMPTY, ColourScale, colour_table
from zebra_core.wording.texts import MINUS, say, written
from zebra_gui.widgets.layouts import shown_name

LONGEST_NAME = 96.0  # pixels; longer names are cut
BAR_WIDTH = 14.0
_TIGHTEST = 0.92  # of the height of a line: names any closer would run into each other
_TICKS = (0.0, 0.25, 0.5, 0.75, 1.0)
_GAP = 5.0
_WIDEST_VALUE = "−0.75"


class _PaintedItem(QGraphicsItem):
    """An item that paints itself within a rectangle of the scene."""

    def __init__(self) -> None:
        super().__init__()
        self.room = QRectF()
        self.palette = QPalette()
        self.font = QFont()

    def place(self, room: QRectF) -> None:
        """Fill this rectangle."""
        self.prepareGeometryChange()
        self.room = room
        self.update()

    def ink(self, palette: QPalette, font: QFont) -> None:
        """Use these colours and this font."""
        self.palette, self.font = palette, font
        self.update()

    def boundingRect(self) -> QRectF:
        return self.room


class CellNames(_PaintedItem):
    """The names along one side of a table, where they fit, and what they are, at the outer edge.

    At the left names end at the table; below it they are turned to read upwards.
    """

    def __init__(self, view: pg.ViewBox, *, upright: bool) -> None:
        super().__init__()
        self._view = view
        self._upright = upright
        self.names: tuple[str, ...] = ()
        self.label = ""
        self.emphasised: str | None = None
        view.sigRangeChanged.connect(lambda *_: self.update())

    def show_names(self, names: tuple[str, ...], label: str) -> None:
        """Show these names, the first at the top or at the left."""
        self.names, self.label = names, shown_name(label)
        self.update()

    def emphasise(self, name: str | None) -> None:
        """Set this name in bold; it is shown even where the others do not fit."""
        self.emphasised = name
        self.update()

    def width_of_names(self) -> float:
        """How much room the longest name takes."""
        metrics = QFontMetricsF(self.font)
        widest = max((metrics.horizontalAdvance(shown_name(name)) for name in self.names), default=0.0)
        return min(widest, LONGEST_NAME)

    def height_of_label(self) -> float:
        """How much room the label takes."""
        return QFontMetricsF(self.font).height() + _GAP

    def places(self) -> list[tuple[int, float]]:
        """Which names are shown, and at how many pixels from the top or the left their middle is."""
        (low, high), length = self._shown()
        if high <= low or not self.names:
            return []
        pitch = length / (high - low)
        fits = pitch >= _TIGHTEST * QFontMetricsF(self.font).height()
        first, last = max(0, math.floor(low)), min(len(self.names), math.ceil(high))
        middles = (
            [(k, (k + 0.5 - low) * pitch) for k in range(first, last)] if fits else self._alone(low, pitch)
        )
        return [(k, middle) for k, middle in middles if 0.0 <= middle <= length]

    def paint(
        self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None
    ) -> None:
        painter.setRenderHint(QPainter.RenderHint.TextAntialiasing)
        painter.setLayoutDirection(Qt.LayoutDirection.LeftToRight)  # as axes: the table is not mirrored
        _, length = self._shown()
        if self._upright:  # into a room whose right edge is the table
            _go_to(painter, self.room.bottomLeft())
            painter.rotate(-90.0)
        else:
            _go_to(painter, self.room.topLeft())
        depth = self.room.height() if self._upright else self.room.width()
        self._paint_names(painter, depth)
        painter.setFont(self.font)
        painter.setPen(self.palette.color(QPalette.ColorRole.PlaceholderText))
        self._paint_label(painter, depth, length)

    def _alone(self, low: float, pitch: float) -> list[tuple[int, float]]:
        if self.emphasised is None or self.emphasised not in self.names:
            return []
        k = self.names.index(self.emphasised)
        return [(k, (k + 0.5 - low) * pitch)]

    def _shown(self) -> tuple[tuple[float, float], float]:
        x, y = self._view.viewRange()
        low, high = x if self._upright else y
        return (low, high), self.room.width() if self._upright else self.room.height()

    def _paint_names(self, painter: QPainter, depth: float) -> None:
        height = QFontMetricsF(self.font).height()
        for k, middle in self.places():
            chosen = self.names[k] == self.emphasised
            font = QFont(self.font)
            font.setBold(chosen)
            painter.setFont(font)
            role = QPalette.ColorRole.Text if chosen else QPalette.ColorRole.PlaceholderText
            painter.setPen(self.palette.color(role))
            width = self.width_of_names()
            name = QFontMetricsF(font).elidedText(
                shown_name(self.names[k]), Qt.TextElideMode.ElideMiddle, width + 2.0
            )
            # Rotated, the names run from the outer edge to the table as they do at the left.
            across = QRectF(depth - width - _GAP - 2.0, middle - height / 2.0, width + 2.0, height)
            painter.drawText(across, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, name)

    def _paint_label(self, painter: QPainter, depth: float, length: float) -> None:
        """The label reads along its side: upwards at the left, to the right below."""
        painter.save()
        height = self.height_of_label()
        painter.rotate(90.0 if self._upright else -90.0)
        # Both times the axes are turned so that the side runs to the right.
        room = QRectF(0.0, -height, length, height) if self._upright else QRectF(-length, 0.0, length, height)
        label = QFontMetricsF(self.font).elidedText(self.label, Qt.TextElideMode.ElideMiddle, length)
        painter.drawText(room, Qt.AlignmentFlag.AlignCenter, label)
        painter.restore()


class ColourBar(_PaintedItem):
    """The colours of the scale with their values, and the colour of cells without trials."""

    def __init__(self) -> None:
        super().__init__()
        self.colours: ColourScale | None = None
        self.has_empty = False

    def width(self) -> float:
        """The room that it takes with its values and its label."""
        metrics = QFontMetricsF(self.font)
        return BAR_WIDTH + 2.0 * _GAP + metrics.horizontalAdvance(_WIDEST_VALUE) + metrics.height()

    def show_scale(self, scale: ColourScale, *, has_empty: bool) -> None:
        """Show this scale; the grey of empty cells only where there are some."""
        self.colours, self.has_empty = scale, has_empty
        self.update()

    def paint(
        self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None
    ) -> None:
        if self.colours is None:
            return
        painter.setLayoutDirection(
            Qt.LayoutDirection.LeftToRight
        )  # values stand beside the bar, the label beyond
        metrics = QFontMetricsF(self.font)
        height = self.room.height() - (2.0 * metrics.height() if self.has_empty else 0.0) - metrics.height()
        bar = QRectF(self.room.left(), self.room.top() + metrics.height() / 2.0, BAR_WIDTH, height)
        painter.drawImage(bar, _bar_image())
        painter.setFont(self.font)
        painter.setPen(self.palette.color(QPalette.ColorRole.PlaceholderText))
        left = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        for share in _TICKS:
            value = self.colours.low + share * (self.colours.high - self.colours.low)
            y = bar.bottom() - share * bar.height()
            painter.drawText(
                QRectF(bar.right() + _GAP, y - metrics.height(), self.room.width(), 2.0 * metrics.height()),
                left,
                written(value, "g").replace("-", MINUS),
            )
        if self.has_empty:
            self._paint_empty(painter, QPointF(bar.left(), bar.bottom() + metrics.height()))
        painter.save()
        _go_to(painter, QPointF(self.room.right(), bar.center().y()))
        painter.rotate(-90.0)
        label = QRectF(-bar.height() / 2.0, -metrics.height(), bar.height(), metrics.height())
        fitted = metrics.elidedText(self.colours.label, Qt.TextElideMode.ElideMiddle, label.width())
        painter.drawText(label, Qt.AlignmentFlag.AlignCenter, fitted)
        painter.restore()

    def _paint_empty(self, painter: QPainter, place: QPointF) -> None:
        painter.fillRect(QRectF(place.x(), place.y(), BAR_WIDTH, BAR_WIDTH), QColor(EMPTY))
        room = QRectF(place.x() + BAR_WIDTH + _GAP, place.y() - 3.0, self.room.width(), BAR_WIDTH + 6.0)
        painter.drawText(
            room, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, say("figure.no-cell")
        )


def _go_to(painter: QPainter, place: QPointF) -> None:
    """Paint from there on as if it were the origin."""
    painter.setTransform(QTransform.fromTranslate(place.x(), place.y()), combine=True)


@cache
def _bar_image() -> QImage:
    """All colours, one pixel each, the highest on top."""
    table = colour_table()
    image = QImage(1, len(table), QImage.Format.Format_RGB32)
    for place, colour in enumerate(table[::-1].tolist()):
        image.setPixelColor(0, place, QColor(*colour))
    return image


class CellFrame:
    """A frame around cells of a table: white within black, so that it is seen on every colour."""

    def __init__(self, view: pg.ViewBox, height: float) -> None:
        self._items = []
        for colour, width in (("#000000", 3.0), ("#FFFFFF", 1.0)):
            item = QGraphicsRectItem()
            item.setPen(pg.mkPen(colour, width=width))
            item.setZValue(height)
            item.hide()
            view.addItem(item, ignoreBounds=True)
            self._items.append(item)

    @property
    def rect(self) -> QRectF | None:
        """Where it is, in cells; None where it is hidden."""
        return self._items[0].rect() if self._items[0].isVisible() else None

    def show_at(self, rect: QRectF | None) -> None:
        """Go there, or hide."""
        for item in self._items:
            item.setVisible(rect is not None)
            if rect is not None:
                item.setRect(rect)
