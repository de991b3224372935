"""The legend of a figure: below the picture, never on its curves."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRect, QSize, Qt
from PySide6.QtGui import QFont, QFontMetrics, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QFrame, QGridLayout, QScrollArea, QSizePolicy, QVBoxLayout, QWidget

from core.figures.figure import Line
from zebra_gui.inks import pen_of
from zebra_gui.plain import shown_name, tooltip

_COLUMN_WIDTH = 250
_ROW_HEIGHT = 21
_SWATCH_WIDTH = 22
_GAP = 8


class LegendItem(QWidget):
    """A piece of the line and its label, cut where the room ends."""

    def __init__(self, line: Line, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.show_line(line)

    def show_line(self, line: Line) -> None:
        """Be the item of this line."""
        self._line = line
        self.text = shown_name(line.label or "")
        self.setAccessibleName(self.text)
        self.setToolTip(tooltip(self.text))
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(_COLUMN_WIDTH, _ROW_HEIGHT)

    def paintEvent(self, event: QPaintEvent) -> None:
        font = QFont(self.font())
        font.setBold(self._line.emphasis)
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(pen_of(self._line, self.palette(), self.devicePixelRatioF()))
            middle = self.height() / 2
            painter.drawLine(QPointF(1, middle), QPointF(_SWATCH_WIDTH - 1, middle))
            painter.setFont(font)
            painter.setPen(self.palette().color(self.foregroundRole()))
            room = QRect(_SWATCH_WIDTH + _GAP, 0, self.width() - _SWATCH_WIDTH - _GAP, self.height())
            text = QFontMetrics(font).elidedText(self.text, Qt.TextElideMode.ElideMiddle, room.width())
            painter.drawText(room, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, text)


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
        page = QVBoxLayout(self._inside)
        page.setContentsMargins(0, 0, 0, 0)
        page.addLayout(self._grid)
        page.addStretch(1)
        self._grid.setHorizontalSpacing(18)
        self._grid.setVerticalSpacing(0)
        self.setWidget(self._inside)

    @property
    def items(self) -> tuple[LegendItem, ...]:
        """The items, in the order of the figure's lines."""
        return tuple(self._items)

    def show_lines(self, lines: tuple[Line, ...]) -> None:
        """Show an item for each line that has a label."""
        labelled = [line for line in lines if line.label is not None]
        for item, line in zip(self._items, labelled, strict=False):
            item.show_line(line)
        if len(labelled) == len(self._items):
            return
        for item in self._items[len(labelled) :]:
            self._grid.removeWidget(item)
            item.setParent(None)
            item.deleteLater()
        self._items = self._items[: len(labelled)]
        self._items += [LegendItem(line, self._inside) for line in labelled[len(self._items) :]]
        self._columns = 0
        self._arrange()

    def height_for(self, width: int) -> int:
        """The height at which nothing needs to be scrolled."""
        columns = self._columns_in(width)
        return -(-len(self._items) // columns) * _ROW_HEIGHT

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()

    def _columns_in(self, width: int) -> int:
        return max(1, min(width // _COLUMN_WIDTH, len(self._items)))

    def _arrange(self) -> None:
        columns = self._columns_in(self.viewport().width())
        if columns == self._columns:
            return
        for column in range(max(self._columns, columns)):
            self._grid.setColumnStretch(column, 1 if column < columns else 0)
        self._columns = columns
        for place, item in enumerate(self._items):
            self._grid.addWidget(item, place // columns, place % columns)
