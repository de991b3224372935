"""Every original recording with what is said of it; beside the heading is room for what is done with one."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QModelIndex, QObject, QPersistentModelIndex, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QWidget,
)

from zebra_core.recordings.recording_table import RecordingRow
from zebra_core.wording.texts import grouped, visible_sentence, written
from zebra_gui.models.rows import Column, RowsModel
from zebra_gui.panes.pane import Card
from zebra_gui.tables.copying import let_copy, table_in
from zebra_gui.widgets.layouts import in_row
from zebra_gui.widgets.plain import label, shown_name

_ROW_HEIGHT = 24
_MEASURED = 100  # rows whose texts say how wide a column is to be
_WIDEST = 170
_LEAST_NAME, _LEAST_REMARK = 110, 170
_AIR = 8


NAME, RATE, REMARK = 0, 3, 4


class RecordingsModel(RowsModel[RecordingRow]):
    """A window onto a list of recordings."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__((), parent)
        self.columns = (
            Column(self.tr("Recording"), _marked_name),
            Column(self.tr("Speaker"), lambda row: shown_name(row.speaker) or "–"),
            Column(
                self.tr("Seconds"),
                lambda row: written(row.seconds, ".1f") if row.seconds else "–",
                is_number=True,
            ),
            Column(self.tr("Hz"), lambda row: grouped(row.rate_hz) if row.rate_hz else "–", is_number=True),
            Column(self.tr("Remark"), lambda row: visible_sentence(row.in_short, 400)),
        )

    def identity(self, row: RecordingRow) -> object:
        return row

    def whole_text(self, row: RecordingRow, column: int) -> str:
        return visible_sentence(row.remark, 1000) if column == REMARK else self.text(row, column)


def _marked_name(row: RecordingRow) -> str:
    """The name; a sign and not a colour tells what is left out."""
    return shown_name(row.place) if row.is_compared else f"–  {shown_name(row.place)}"


class _RemarkLabel(QStyledItemDelegate):
    """A sentence, which is read from its beginning."""

    def initStyleOption(
        self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        super().initStyleOption(option, index)
        option.textElideMode = Qt.TextElideMode.ElideRight


class RecordingsCard(Card):
    """A table; `tools` is a row beside the heading.

    Signals:
        current_changed: the user looks at another recording, or at none.
    """

    current_changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.model = RecordingsModel(self)
        self.table = QTableView()
        self.table.setModel(self.model)
        let_copy(self.table, lambda: table_in(self.table))
        self.table.setAccessibleName(self.tr("Recordings"))
        self.table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.table.setTabKeyNavigation(False)
        self.table.setWordWrap(False)
        self.table.setTextElideMode(Qt.TextElideMode.ElideMiddle)  # what tells names apart is at the end
        self.table.setItemDelegateForColumn(REMARK, _RemarkLabel(self.table))
        self.table.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.table.setShowGrid(False)
        self.table.setAcceptDrops(False)  # a drop is for the window
        self.table.verticalHeader().hide()
        self.table.verticalHeader().setDefaultSectionSize(
            max(_ROW_HEIGHT, self.table.fontMetrics().height() + 8)
        )
        header = self.table.horizontalHeader()
        header.setHighlightSections(False)
        header.setStretchLastSection(True)
        header.setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
        header.setResizeContentsPrecision(_MEASURED)
        self.tools = in_row((label(self.tr("Recordings"), "heading"), 1))
        self._shown: Sequence[RecordingRow] = ()
        self._wanted = [_WIDEST] * (REMARK + 1)
        self.body.addLayout(self.tools)
        self.body.addWidget(self.table, 1)
        self.table.selectionModel().currentRowChanged.connect(lambda *_: self.current_changed.emit())
        self.model.modelReset.connect(self.current_changed)

    @property
    def current(self) -> RecordingRow | None:
        """The recording that the user looks at."""
        row = self.table.currentIndex().row()
        return self.model.rows[row] if 0 <= row < len(self.model.rows) else None

    def show_rows(self, rows: Sequence[RecordingRow]) -> None:
        """Show these; the one that was looked at stays so, if it is still there."""
        if rows is self._shown:  # to compare very many with themselves takes long
            return
        before, self._shown = self.current, rows
        self.model.put(rows)
        self._want_widths()
        self._set_widths()
        places = [row.place for row in self.model.rows]
        if before is not None and before.place in places and self.current is None:
            self.table.setCurrentIndex(self.model.index(places.index(before.place), 0))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._set_widths()

    def _want_widths(self) -> None:
        """Make columns as wide as their content; equal rates are hidden, since the sheet says the rate."""
        header, rows = self.table.horizontalHeader(), self.model.rows
        self.table.setColumnHidden(RATE, len({row.rate_hz for row in rows if row.rate_hz}) < 2)
        hints = [
            max(self.table.sizeHintForColumn(column), header.sectionSizeHint(column))
            for column in range(REMARK + 1)
        ]
        self._wanted = [*(hint + _AIR for hint in hints[:REMARK]), hints[REMARK]]

    def _set_widths(self) -> None:
        """As wide as their content, names and remarks as far as there is room; names have what is left."""
        header, (*wanted, remark) = self.table.horizontalHeader(), self._wanted
        for column, width in enumerate(wanted):
            self.table.setColumnWidth(column, min(width, _WIDEST))
        others = header.sectionPosition(REMARK) - self.table.columnWidth(NAME)
        room = self.table.viewport().width() - others
        least, spare = room - min(remark, _LEAST_REMARK), room - remark
        most = min(wanted[NAME], max(_WIDEST, spare))
        self.table.setColumnWidth(NAME, min(most, max(_LEAST_NAME, least)))
