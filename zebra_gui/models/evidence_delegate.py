"""How a row of the evidence tree is painted: swatch, name, condition, and the badge at the right."""

from __future__ import annotations

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPalette
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from core.figures.figure import Ink
from zebra_gui.badge import badge_width, paint_badge
from zebra_gui.inks import colour_of
from zebra_gui.models.evidence import EvidenceRole, Index

_ROW_HEIGHT = 29
_SWATCH = 11
_BADGE = 19
_GAP = 8


class EvidenceDelegate(QStyledItemDelegate):
    """Paints the rows of an EvidenceModel."""

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(super().sizeHint(option, index).width(), _ROW_HEIGHT)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._paint_background(painter, option)
        tag = index.data(EvidenceRole.TAG)
        if tag is None:
            font = option.font
            font.setBold(True)
            painter.setFont(font)
            self._paint_text(painter, option.rect.adjusted(2, 0, -4, 0), index.data(), option, quiet=False)
        else:
            self._paint_entry(painter, option, index, tag)
        painter.restore()

    def updateEditorGeometry(self, editor: QWidget, option: QStyleOptionViewItem, index: Index) -> None:
        editor.setGeometry(option.rect.adjusted(_SWATCH + _GAP, 2, -2, -2))

    def _paint_background(self, painter: QPainter, option: QStyleOptionViewItem) -> None:
        selected = bool(option.state & QStyle.StateFlag.State_Selected)
        hovered = bool(option.state & QStyle.StateFlag.State_MouseOver)
        if not (selected or hovered):
            return
        colour = QColor(option.palette.color(QPalette.ColorRole.Link))
        colour.setAlphaF(0.14 if selected else 0.05)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colour)
        painter.drawRoundedRect(option.rect.adjusted(-3, 1, 0, -1), 5, 5)
        if selected:
            painter.setBrush(option.palette.color(QPalette.ColorRole.Link))
            painter.drawRoundedRect(
                QRect(option.rect.left() - 3, option.rect.top() + 6, 3, _ROW_HEIGHT - 12), 1, 1
            )

    def _paint_entry(self, painter: QPainter, option: QStyleOptionViewItem, index: Index, tag: str) -> None:
        colour = index.data(EvidenceRole.COLOUR)
        rect = option.rect.adjusted(4, 0, -4, 0)
        middle = rect.center().y()
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colour_of(Ink.MUTED if colour is None else colour, option.palette))
        painter.drawRoundedRect(QRect(rect.left(), middle - _SWATCH // 2, _SWATCH, _SWATCH), 3, 3)
        width = badge_width(tag, _BADGE, option.font)
        badge = QRect(rect.right() - width, middle - _BADGE // 2, width, _BADGE)
        paint_badge(painter, badge, tag, index.data(EvidenceRole.TAG_COLOUR), option.font)

        painter.setFont(option.font)
        condition = index.data(EvidenceRole.CONDITION)
        metrics = option.fontMetrics
        condition_width = metrics.horizontalAdvance(condition) + _GAP if condition else 0
        left = rect.left() + _SWATCH + _GAP
        room = badge.left() - _GAP - left - condition_width
        name_width = min(metrics.horizontalAdvance(index.data()) + 1, room)
        self._paint_text(
            painter, QRect(left, rect.top(), room, rect.height()), index.data(), option, quiet=False
        )
        after = QRect(left + name_width + _GAP, rect.top(), condition_width, rect.height())
        self._paint_text(painter, after, condition, option, quiet=True)

    def _paint_text(
        self, painter: QPainter, room: QRect, text: str, option: QStyleOptionViewItem, *, quiet: bool
    ) -> None:
        role = QPalette.ColorRole.PlaceholderText if quiet else QPalette.ColorRole.Text
        painter.setPen(option.palette.color(role))
        shown = painter.fontMetrics().elidedText(text, Qt.TextElideMode.ElideMiddle, room.width())
        painter.drawText(room, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, shown)
