"""A table of rows: as every table of the window looks and is copied."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtWidgets import QAbstractItemView, QTableView, QWidget

from zebra_gui.tables.copying import CopiedTable, let_copy, put_on_clipboard, table_in

ROW_HEIGHT = 25


class RowsTable(QTableView):
    """Whole rows are selected and copied; Tab goes on to the next widget."""

    _resized = Signal()

    least_row = ROW_HEIGHT  # pixels; with large text rows are higher

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        """`name` is what a screen reader calls it."""
        super().__init__(parent)
        self.setAccessibleName(name)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setTabKeyNavigation(False)
        self.setWordWrap(False)
        self.setShowGrid(False)
        self.verticalHeader().hide()
        # Once the heads have the new size, too.
        self._resized.connect(self.fit_columns, Qt.ConnectionType.QueuedConnection)
        self._fit_rows()
        self.horizontalHeader().setHighlightSections(False)
        let_copy(self, self.copied)

    @property
    def row_height(self) -> int:
        """How high a row is, in pixels."""
        return self.verticalHeader().defaultSectionSize()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self._fit_rows()
            self._resized.emit()

    def fit_columns(self) -> None:
        """Make columns as wide as their words, which are in another size now."""

    def _fit_rows(self) -> None:
        self.verticalHeader().setDefaultSectionSize(max(self.least_row, self.fontMetrics().height() + 8))

    def copied(self) -> CopiedTable:
        """What is copied: all rows; where several can be selected and are, these."""
        selected = sorted({index.row() for index in self.selectionModel().selectedRows()})
        is_several = self.selectionMode() is not QAbstractItemView.SelectionMode.SingleSelection
        return table_in(self, selected if is_several and selected else None)

    def copy(self) -> None:
        """Put rows on the clipboard as a spreadsheet takes them, and as a table for a letter."""
        put_on_clipboard(self.copied())
