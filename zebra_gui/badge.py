"""The tag as a letter in a coloured box: the same in the tree and on the card."""

from __future__ import annotations

from PySide6.QtCore import QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from core.figures.palette import TAGS


def paint_badge(painter: QPainter, rect: QRect, tag: str, colour: str, font: QFont) -> None:
    """Paint the tag in white on its colour, `palette.tag_colour`; see `badge_width`."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(colour))
    radius = rect.height() * 0.17
    painter.drawRoundedRect(QRectF(rect), radius, radius)
    painter.setFont(_letter_font(rect.height(), font))
    painter.setPen(QColor("#FFFFFF"))
    painter.drawText(rect, Qt.AlignmentFlag.AlignCenter, tag)
    painter.restore()


def badge_width(tag: str, side: int, font: QFont) -> int:
    """How wide a badge of this height is: square, or as wide as its tag needs."""
    return max(side, QFontMetrics(_letter_font(side, font)).horizontalAdvance(tag) + side // 2)


def _letter_font(height: int, font: QFont) -> QFont:
    letter = QFont(font)
    letter.setBold(True)
    letter.setPixelSize(max(1, round(height * 0.6)))
    return letter


class TagBadge(QWidget):
    """The badge as a widget of its own."""

    def __init__(self, side: int, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._side = side
        self._tag = ""
        self._colour = TAGS["0"]
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    @property
    def tag(self) -> str:
        """The letter."""
        return self._tag

    def show_tag(self, tag: str, colour: str) -> None:
        """Show this letter on this colour."""
        self._tag, self._colour = tag, colour
        self.setAccessibleName(self.tr("Tag {tag}").format(tag=tag))
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(badge_width(self._tag, self._side, self.font()), self._side)

    def paintEvent(self, event: QPaintEvent) -> None:
        if self._tag:
            with QPainter(self) as painter:
                paint_badge(painter, self.rect(), self._tag, self._colour, self.font())
