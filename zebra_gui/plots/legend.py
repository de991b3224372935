"""The legend of a figure: below the picture, never on its curves."""

from __future__ import annotations

from collections.abc import Sequence

from pyqtgraph.graphicsItems.ScatterPlotItem import drawSymbol
from PySide6.QtCore import QPointF, QRect, QSize, Qt
from PySide6.QtGui import QBrush, QFont, QFontMetrics, QPainter, QPaintEvent, QPen, QResizeEvent, QTransform
from PySide6.QtWidgets import QFrame, QGridLayout, QScrollArea, QSizePolicy, QStyle, QWidget

from zebra_core.figures.figure import Line, Points
from zebra_core.wording.texts import say, visible_sentence
from zebra_gui.plots.inks import MARKER_SIZE, SYMBOLS, colour_of, pen_of
from zebra_gui.widgets.layouts import in_column
from zebra_gui.widgets.plain import LONGEST_NAME, tooltip

_COLUMN_WIDTH = 250
_WIDEST_COLUMN = 380
_ROW_HEIGHT = 21
_RIM = 1  # pixels, of the theme: where the focus is shown
_SWATCH_WIDTH = 34
_TAIL = 0.65  # of the room of a label that is cut, for its end
_GAP = 8


class LegendItem(QWidget):
    """A piece of the line, or the marker, and its label, cut where the room ends."""

    def __init__(self, drawn: Line | Points, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.show_entry(drawn)

    def show_entry(self, drawn: Line | Points) -> None:
        """Be the item of this line or of these points."""
        self._drawn = drawn
        self.text = visible_sentence(drawn.label or "", LONGEST_NAME)
        self.setAccessibleName(self.text)
        self.setToolTip(tooltip(self.text))
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(_COLUMN_WIDTH, row_height(self))

    def paintEvent(self, event: QPaintEvent) -> None:
        font = QFont(self.font())
        font.setBold(isinstance(self._drawn, Line) and self._drawn.emphasis)
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            self._paint_swatch(painter)
            painter.setFont(font)
            painter.setPen(self.palette().color(self.foregroundRole()))
            room = self._seen(self.rect().adjusted(_SWATCH_WIDTH + _GAP, 0, 0, 0))
            text = elided_name(self.text, QFontMetrics(font), room.width())
            painter.drawText(room, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, text)

    def _paint_swatch(self, painter: QPainter) -> None:
        middle = self.height() / 2
        left = self._seen(QRect(0, 0, _SWATCH_WIDTH, self.height())).left()
        if isinstance(self._drawn, Line):
            painter.setPen(pen_of(self._drawn, self.palette(), self.devicePixelRatioF()))
            painter.drawLine(QPointF(left + 1, middle), QPointF(left + _SWATCH_WIDTH - 1, middle))
            return
        painter.setTransform(QTransform.fromTranslate(left + _SWATCH_WIDTH / 2, middle))
        colour = colour_of(self._drawn.colour, self.palette())
        symbol = SYMBOLS[self._drawn.marker]
        drawSymbol(painter, symbol, MARKER_SIZE, QPen(Qt.PenStyle.NoPen), QBrush(colour))
        painter.resetTransform()

    def _seen(self, place: QRect) -> QRect:
        """A rectangle given for a layout from left to right; mirrored if the layout runs the other way."""
        return QStyle.visualRect(self.layoutDirection(), self.rect(), place)


def row_height(widget: QWidget) -> int:
    """How high an item is: with large text more than usual."""
    return max(_ROW_HEIGHT, widget.fontMetrics().height() + 3)


def elided_name(text: str, metrics: QFontMetrics, room: int) -> str:
    """A label shortened to `room` pixels; what is cut is the name, which stands first.

    The end of the label has what the figures hold for and the figures themselves: neither is shown
    without the other. Words that a condition is not stated are left out before anything else: the tooltip
    has them.
    """
    if metrics.horizontalAdvance(text) <= room:
        return text
    text = text.replace(say("name.condition-not-stated", name=""), "")
    if metrics.horizontalAdvance(text) <= room:
        return text
    tail = metrics.elidedText(text, Qt.TextElideMode.ElideLeft, round(_TAIL * room))
    head = metrics.elidedText(text, Qt.TextElideMode.ElideRight, room - metrics.horizontalAdvance(tail))
    return head.removesuffix("…") + tail


class Legend(QScrollArea):
    """The items in as many columns as there is room for; scrolls where they are too many."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._items: list[LegendItem] = []
        self._columns = 0
        self.setAccessibleName(self.tr("Legend"))
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._inside = QWidget()
        self._inside.setProperty("look", "scrolled")
        self._grid = QGridLayout()
        in_column(self._grid, 1, on=self._inside, margins=0)
        self._grid.setHorizontalSpacing(18)
        self._grid.setVerticalSpacing(0)
        self.setWidget(self._inside)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.verticalScrollBar().rangeChanged.connect(self._on_range_changed)

    @property
    def items(self) -> tuple[LegendItem, ...]:
        """The items, in the order of the figure's legend."""
        return tuple(self._items)

    def show_entries(self, entries: Sequence[Line | Points]) -> None:
        """Show an item for each of these."""
        for item, drawn in zip(self._items, entries, strict=False):
            item.show_entry(drawn)
        if len(entries) != len(self._items):
            for item in self._items[len(entries) :]:
                self._grid.removeWidget(item)
                item.setParent(None)
                item.deleteLater()
            self._items = self._items[: len(entries)]
            self._items += [LegendItem(drawn, self._inside) for drawn in entries[len(self._items) :]]
            self._columns = 0
        self._arrange()

    def height_for(self, width: int) -> int:
        """The height at which nothing needs to be scrolled."""
        columns = self._columns_in(width)
        return -(-len(self._items) // columns) * row_height(self) + 2 * _RIM

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()

    def _on_range_changed(self, least: int, most: int) -> None:
        """The keyboard has something to do here only where there is something to scroll."""
        policies = Qt.FocusPolicy
        self.setFocusPolicy(policies.StrongFocus if most > least else policies.NoFocus)

    def _columns_in(self, width: int) -> int:
        metrics = QFontMetrics(self.font())
        widest = max((metrics.horizontalAdvance(item.text) for item in self._items), default=0)
        # Room for the longest label, in bold; a rogue one is cut.
        column = min(max(_COLUMN_WIDTH, _SWATCH_WIDTH + _GAP + round(1.12 * widest)), _WIDEST_COLUMN)
        return max(1, min(width // column, len(self._items)))

    def _arrange(self) -> None:
        columns = self._columns_in(self.viewport().width())
        if columns == self._columns:
            return
        for column in range(max(self._grid.columnCount(), columns)):
            self._grid.setColumnStretch(column, 1 if column < columns else 0)
        self._columns = columns
        for place, item in enumerate(self._items):
            self._grid.addWidget(item, place // columns, place % columns)
