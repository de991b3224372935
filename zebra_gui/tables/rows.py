"""A table of rows: as every table of the window looks and is copied."""

from __future__ import annotations

from abc import abstractmethod

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QAbstractItemView, QTableView, QWidget

ROW_HEIGHT = 25


class RowsTable(QTableView):
    """Whole rows are selected and copied; Tab goes on to the next widget."""

    least_row = ROW_HEIGHT  # pixels; with large text rows are higher

    def __init__(self, name: str, copy: str, parent: QWidget | None = None) -> None:
        """`name` is what a screen reader calls it, `copy` the entry of its menu."""
        super().__init__(parent)
        self.setAccessibleName(name)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setTabKeyNavigation(False)
        self.setWordWrap(False)
        self.setShowGrid(False)
        self.verticalHeader().hide()
        self._fit_rows()
        self.horizontalHeader().setHighlightSections(False)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)
        action = QAction(copy, self)
        action.setShortcut(QKeySequence(QKeySequence.StandardKey.Copy))
        action.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
        action.triggered.connect(self.copy)
        self.addAction(action)

    @property
    def row_height(self) -> int:
        """How high a row is, in pixels."""
        return self.verticalHeader().defaultSectionSize()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self._fit_rows()

    def _fit_rows(self) -> None:
        self.verticalHeader().setDefaultSectionSize(max(self.least_row, self.fontMetrics().height() + 8))

    @abstractmethod
    def copy(self) -> None:
        """Put rows on the clipboard."""
