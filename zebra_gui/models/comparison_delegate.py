"""How a cell of the comparison is painted: a bar below the number, a badge, a swatch before the name."""

from __future__ import annotations

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPalette
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from zebra_core.figures.figure import Ink
from zebra_gui.models.comparison import NAME, CompareRole
from zebra_gui.models.evidence import Index
from zebra_gui.plots.colours import paint_swatch
from zebra_gui.plots.inks import colour_of
from zebra_gui.widgets.badge import badge_width, paint_badge
from zebra_gui.widgets.plain import elided_apart

ROW_HEIGHT = 27
_SWATCH, _BADGE, _GAP, _SIDE = 10, 18, 7, 8
_BAR_HEIGHT = 3


class ComparisonDelegate(QStyledItemDelegate):
    """Paints the cells of a ComparisonModel, through any proxy."""

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        if index.data(CompareRole.IS_HEADING):  # goes across all columns
            return QSize(0, ROW_HEIGHT)
        hint = super().sizeHint(option, index)
        more = _SWATCH + _GAP if index.column() == NAME else 0
        return QSize(hint.width() + more + 2 * _SIDE, ROW_HEIGHT)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if index.data(CompareRole.IS_HEADING):
            self._paint_heading(painter, option, index)
        else:
            self._paint_cell(painter, option, index)
        painter.restore()

    def _paint_heading(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        line = QColor(option.palette.color(QPalette.ColorRole.PlaceholderText))
        line.setAlphaF(0.35)
        painter.setPen(line)
        painter.drawLine(option.rect.bottomLeft(), option.rect.bottomRight())
        if index.column() == NAME:
            font = option.font
            font.setBold(True)
            painter.setFont(font)
            painter.setPen(option.palette.color(QPalette.ColorRole.Text))
            seen = option.rect.intersected(option.widget.rect())  # it goes across all columns
            room = seen.adjusted(_SIDE, 4, -_SIDE, 0)
            self._paint_text(painter, room, str(index.data()), Qt.AlignmentFlag.AlignLeft)

    def _paint_cell(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        if option.state & QStyle.StateFlag.State_HasFocus:
            painter.setPen(option.palette.color(QPalette.ColorRole.Link))
            painter.drawRect(option.rect.adjusted(0, 0, -1, -1))
        rect = option.rect.adjusted(_SIDE, 0, -_SIDE, 0)
        painter.setFont(option.font)
        if colour_code := index.data(CompareRole.TAG_COLOUR):
            self._paint_tag(painter, rect, option, index, colour_code)
            return
        if index.column() == NAME:
            self._paint_swatch(painter, rect, option, index)
            rect = QStyle.visualRect(option.direction, rect, rect.adjusted(_SWATCH + _GAP, 0, 0, 0))
        if (share := index.data(CompareRole.BAR)) is not None:
            self._paint_bar(painter, rect, option, share)
        painter.setPen(option.palette.color(QPalette.ColorRole.Text))
        side = Qt.AlignmentFlag(index.data(Qt.ItemDataRole.TextAlignmentRole))
        place = index.data(CompareRole.DIFFERS_FROM)
        text = elided_apart(str(index.data()), place, option.fontMetrics, rect.width())
        painter.drawText(rect, side | Qt.AlignmentFlag.AlignVCenter, text)

    def _paint_tag(
        self, painter: QPainter, rect: QRect, option: QStyleOptionViewItem, index: Index, colour: str
    ) -> None:
        tag, chance = str(index.data()), bool(index.data(CompareRole.MAY_BE_CHANCE))
        width = badge_width(tag, _BADGE, option.font)
        left, top = rect.center().x() - width // 2, rect.center().y() - _BADGE // 2
        place, is_open = QRect(left, top, width, _BADGE), bool(index.data(CompareRole.IS_OPEN))
        paint_badge(painter, place, tag, colour, option.font, may_be_chance=chance, is_open=is_open)

    def _paint_swatch(
        self, painter: QPainter, rect: QRect, option: QStyleOptionViewItem, index: Index
    ) -> None:
        series = index.data(CompareRole.SERIES)
        top = rect.center().y() - _SWATCH // 2
        colour = colour_of(Ink.MUTED if series is None else series, option.palette)
        place = QStyle.visualRect(option.direction, rect, QRect(rect.left(), top, _SWATCH, _SWATCH))
        paint_swatch(painter, place, colour, option.palette)

    def _paint_bar(self, painter: QPainter, rect: QRect, option: QStyleOptionViewItem, share: float) -> None:
        """A thin line below the number, as long as its share of the most there can be."""
        bar = option.palette.color(QPalette.ColorRole.Link)
        ground = QColor(bar)
        ground.setAlphaF(0.12)
        whole = QRect(rect.left(), rect.bottom() - _BAR_HEIGHT - 1, rect.width(), _BAR_HEIGHT)
        painter.fillRect(whole, ground)
        part = whole.adjusted(0, 0, round(share * whole.width()) - whole.width(), 0)
        painter.fillRect(QStyle.visualRect(option.direction, whole, part), bar)

    def _paint_text(self, painter: QPainter, rect: QRect, text: str, side: Qt.AlignmentFlag) -> None:
        shown = painter.fontMetrics().elidedText(text, Qt.TextElideMode.ElideMiddle, rect.width())
        painter.drawText(rect, side | Qt.AlignmentFlag.AlignVCenter, shown)
