"""The tag as a letter in a coloured box: the same in the tree and on the card."""

from __future__ import annotations

from PySide6.QtCore import QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from core.figures.palette import TAGS


def paint_badge(painter: QPainter, rect: QRect, tag: str, font: QFont) -> None:
    """Paint the tag's letter in white on its colour; a tag of another scale is grey."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(TAGS.get(tag, TAGS["0"])))
    radius = rect.height() * 0.17
    painter.drawRoundedRect(QRectF(rect), radius, radius)
    letter = QFont(font)
    letter.setBold(True)
    letter.setPixelSize(max(1, round(rect.height() * 0.6)))
    painter.setFont(letter)
    painter.setPen(QColor("#FFFFFF"))
    painter.drawText(rect, Qt.AlignmentFlag.AlignCenter, tag)
    painter.restore()


class TagBadge(QWidget):
    """The badge as a widget of its own."""

    def __init__(self, side: int, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._side = side
        self._tag = ""
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    @property
    def tag(self) -> str:
        """The letter."""
        return self._tag

    def show_tag(self, tag: str) -> None:
        """Show this letter."""
        self._tag = tag
        self.setAccessibleName(self.tr("Tag {tag}").format(tag=tag))
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(self._side, self._side)

    def paintEvent(self, event: QPaintEvent) -> None:
        if self._tag:
            with QPainter(self) as painter:
                paint_badge(painter, self.rect(), self._tag, self.font())
