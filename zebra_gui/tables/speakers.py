"""The table of speakers: a badge, a small bar, and rows that follow the selected speaker."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, QModelIndex, QRect, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QPainter, QPalette
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from zebra_core.figures.figure import Colour, Ink
from zebra_core.speakers.study import SpeakerStudy
from zebra_gui.models.evidence import Index
from zebra_gui.models.speakers import SpeakerRole, SpeakersModel, rows_of
from zebra_gui.plots.inks import colour_of
from zebra_gui.tables.rows import RowsTable
from zebra_gui.widgets.badge import badge_width, paint_badge
from zebra_gui.widgets.theme import with_text

_BADGE = 18
_BAR_HEIGHT, _BAR_OPACITY = 13, 0.35
_NAME_WIDTH, _BAR_COLUMN_WIDTH = 130, 128
_MARGIN = 10  # pixels: the widest text is not always the longest
translate = QCoreApplication.translate


class SpeakersTable(RowsTable):
    """Shows a SpeakersModel in any order.

    Signals:
        picked: the name of the speaker whose row became the current one.
    """

    picked = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(translate("SpeakersTable", "Speakers"), parent)
        self.speakers = SpeakersModel(self)
        self.setModel(self.speakers)
        self._is_following = False
        self.bars = _BarDelegate(self)
        for number, column in enumerate(self.speakers.columns):
            if column.key == "tag":
                self.setItemDelegateForColumn(number, _TagDelegate(self))
            elif column.key == "d_ece":
                self.setItemDelegateForColumn(number, self.bars)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setSortingEnabled(True)
        self.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
        self._sort_most_exposed_first()
        self.selectionModel().currentRowChanged.connect(self._on_current_changed)

    def show_study(self, study: SpeakerStudy, before: SpeakerStudy | None, colour: Colour) -> None:
        """Show the speakers of a study; columns about what is not known are hidden."""
        rows = rows_of(study, before)
        self.bars.colour = colour
        self._is_following = True
        self.speakers.show_rows(rows, study.tag_scale)
        self._is_following = False
        for number, column in enumerate(self.speakers.columns):
            unknown = (column.key == "before" and before is None) or (
                column.key == "rank" and not study.ranks
            )
            self.setColumnHidden(number, unknown)
        self.fit_columns()

    def fit_columns(self) -> None:
        for number, column in enumerate(self.speakers.columns):
            width = with_text(_BAR_COLUMN_WIDTH, self) if column.key == "d_ece" else self._width_for(number)
            if column.key == "speaker":
                width = min(max(width, 60), with_text(_NAME_WIDTH, self))
            self.setColumnWidth(number, width)

    def forget(self) -> None:
        """Show no speakers."""
        self.speakers.show_rows([], None)

    def _width_for(self, column: int) -> int:
        """What the heading and the texts of a column need; Qt would ask for a thousand of them."""
        rows = self.speakers.widest(column)
        hints = [self.sizeHintForIndex(self.speakers.index(row, column)).width() for row in rows]
        return max(self.horizontalHeader().sectionSizeHint(column), *(hint + _MARGIN for hint in hints), 0)

    def follow(self, speaker: str | None) -> None:
        """Make the row of this speaker the current one."""
        row = self.speakers.row_of(speaker)
        self._is_following = True
        if row is None:
            self.setCurrentIndex(QModelIndex())
            self.clearSelection()
        else:
            index = self.speakers.index(row, 0)
            self.setCurrentIndex(index)
            self.scrollTo(index)
        self._is_following = False

    def as_text(self) -> str:
        """All rows in their order, to be pasted elsewhere."""
        return self.speakers.as_text(range(len(self.speakers.rows)))

    def speaker_at(self, row: int) -> str:
        """The name of the speaker in a row, as it is shown."""
        return self.speakers.rows[row].disclosure.speaker

    def _sort_most_exposed_first(self) -> None:
        keys = [column.key for column in self.speakers.columns]
        self.sortByColumn(keys.index("d_ece"), Qt.SortOrder.DescendingOrder)

    def _on_current_changed(self, current: QModelIndex) -> None:
        if current.isValid() and not self._is_following:
            self.picked.emit(self.speaker_at(current.row()))


class _TagDelegate(QStyledItemDelegate):
    """The tag as the badge that it is everywhere."""

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        tag, colour = index.data(), index.data(SpeakerRole.TAG_COLOUR)
        _paint_background(painter, option)
        width = badge_width(tag, _BADGE, option.font)
        middle = option.rect.center()
        badge = QRect(middle.x() - width // 2, middle.y() - _BADGE // 2, width, _BADGE)
        paint_badge(painter, badge, tag, colour, option.font)


class _BarDelegate(QStyledItemDelegate):
    """A number with a bar behind it: its share of full disclosure."""

    colour: Colour = Ink.MUTED

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        _paint_background(painter, option)
        room = QRectF(option.rect.adjusted(4, 0, -4, 0))
        colour = QColor(colour_of(self.colour, option.palette))
        colour.setAlphaF(_BAR_OPACITY)
        bar = QRectF(0.0, 0.0, index.data(SpeakerRole.SHARE) * room.width(), _BAR_HEIGHT)
        is_from_the_right = option.direction is Qt.LayoutDirection.RightToLeft
        left = room.right() - bar.width() if is_from_the_right else room.left()
        bar.moveTo(left, room.center().y() - _BAR_HEIGHT / 2.0)
        painter.fillRect(bar, colour)
        painter.setFont(option.font)
        painter.setPen(option.palette.color(QPalette.ColorRole.Text))
        painter.drawText(room, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, index.data())


def _paint_background(painter: QPainter, option: QStyleOptionViewItem) -> None:
    style = option.widget.style()
    style.drawPrimitive(style.PrimitiveElement.PE_PanelItemViewItem, option, painter, option.widget)
