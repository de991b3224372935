"""Every original recording with what is said of it; beside the heading is room for what is done with one."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QAbstractItemView, QHBoxLayout, QHeaderView, QTableView, QWidget

from zebra_core.recordings.listing import RecordingRow
from zebra_gui.models.recordings import RecordingsModel
from zebra_gui.panes.pane import Card
from zebra_gui.widgets.plain import label

_ROW_HEIGHT = 24
_WIDEST = 170
_AIR = 8


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
        self.table.setAccessibleName(self.tr("Recordings"))
        self.table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.table.setTabKeyNavigation(False)
        self.table.setWordWrap(False)
        self.table.setTextElideMode(Qt.TextElideMode.ElideMiddle)  # what tells names apart is at the end
        self.table.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.table.setShowGrid(False)
        self.table.setAcceptDrops(False)  # a drop is for the window
        self.table.verticalHeader().hide()
        self.table.verticalHeader().setDefaultSectionSize(_ROW_HEIGHT)
        header = self.table.horizontalHeader()
        header.setHighlightSections(False)
        header.setStretchLastSection(True)
        header.setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
        self.tools = QHBoxLayout()
        self.tools.addWidget(label(self.tr("Recordings"), "heading"), 1)
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
        before = self.current
        self.model.show_rows(rows)
        header = self.table.horizontalHeader()
        for column in range(self.model.columnCount() - 1):
            wanted = max(self.table.sizeHintForColumn(column), header.sectionSizeHint(column)) + _AIR
            self.table.setColumnWidth(column, min(wanted, _WIDEST))
        places = [row.place for row in self.model.rows]
        if before is not None and before.place in places and self.current is None:
            self.table.setCurrentIndex(self.model.index(places.index(before.place), 0))
