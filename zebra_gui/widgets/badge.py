"""The tag as a letter in a coloured box: the same in the tree and on the card."""

from __future__ import annotations

from PySide6.QtCore import QRect, QRectF, QSize, Qt
from PySide6.QtGui import QBrush, QColor, QFont, QFontMetrics, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from zebra_core.figures.figure import TAGS, tag_ink

_HATCHING = 110  # how opaque its lines are, of 255: letters stay legible on them


def paint_badge(
    painter: QPainter,
    rect: QRect,
    tag: str,
    colour: str,
    font: QFont,
    *,
    may_be_chance: bool = False,
    is_open: bool = False,
) -> None:
    """Paint the tag on its colour, `palette.tag_colour`; see `badge_width`.

    A dashed frame within says that no disclosure at all might show the same; hatching that the set is too
    small, or could not have shown a worse tag.
    """
    painter.save()
    ink = QColor(tag_ink(colour))
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(colour))
    radius = rect.height() * 0.17
    painter.drawRoundedRect(QRectF(rect), radius, radius)
    if is_open:
        hatching = QColor(ink)
        hatching.setAlpha(_HATCHING)
        painter.setBrush(QBrush(hatching, Qt.BrushStyle.BDiagPattern))
        painter.drawRoundedRect(QRectF(rect), radius, radius)
    if may_be_chance:
        inset = max(1.5, rect.height() * 0.09)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(ink, max(1.0, rect.height() * 0.04), Qt.PenStyle.DashLine))
        frame = QRectF(rect).adjusted(inset, inset, -inset, -inset)
        painter.drawRoundedRect(frame, radius * 0.6, radius * 0.6)
    painter.setFont(_letter_font(rect.height(), font))
    painter.setPen(ink)
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
        self._chance, self._is_open = "", False
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    @property
    def tag(self) -> str:
        """The letter."""
        return self._tag

    def show_tag(self, tag: str, colour: str, chance: str = "", *, is_open: bool = False) -> None:
        """Show this letter on this colour; `chance` says that it may be one, where it may."""
        self._tag, self._colour, self._chance, self._is_open = tag, colour, chance, is_open
        self.setAccessibleDescription(chance)
        self.setAccessibleName(self.tr("Tag {tag}").format(tag=tag))
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(badge_width(self._tag, self._side, self.font()), self._side)

    def paintEvent(self, event: QPaintEvent) -> None:
        if self._tag:
            with QPainter(self) as painter:
                paint_badge(
                    painter,
                    self.rect(),
                    self._tag,
                    self._colour,
                    self.font(),
                    may_be_chance=bool(self._chance),
                    is_open=self._is_open,
                )
