"""Keyboard shortcuts: a list made from the actions themselves."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import (
    QAbstractItemView,
    QDialog,
    QHeaderView,
    QPushButton,
    QTableWidget,
    QTableWidgetItem,
    QWidget,
)

from zebra_gui.tables.copying import let_copy, table_in
from zebra_gui.widgets.layouts import in_column


class ShortcutsDialog(QDialog):
    """A table of what can be done and with which keys."""

    def __init__(self, actions: Sequence[QAction], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Keyboard shortcuts"))
        rows = [*_of_actions(actions), *self._of_figures()]
        self.table = QTableWidget(len(rows), 2)
        self.table.setAccessibleName(self.windowTitle())
        self.table.setHorizontalHeaderLabels([self.tr("Action"), self.tr("Keys")])
        self.table.verticalHeader().hide()
        self.table.setShowGrid(False)
        self.table.setTabKeyNavigation(False)  # or Tab would go through all cells
        self.table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.table.setSelectionMode(QAbstractItemView.SelectionMode.NoSelection)
        self.table.horizontalHeader().setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        self.table.horizontalHeader().setSectionResizeMode(1, QHeaderView.ResizeMode.ResizeToContents)
        self.table.horizontalHeader().setDefaultAlignment(Qt.AlignmentFlag.AlignLeft)
        for row, texts in enumerate(rows):
            for column, text in enumerate(texts):
                self.table.setItem(row, column, QTableWidgetItem(text))
        let_copy(self.table, lambda: table_in(self.table))
        close = QPushButton(self.tr("Close"))
        close.setDefault(True)
        close.clicked.connect(self.accept)
        in_column(
            self.table, (close, 0, Qt.AlignmentFlag.AlignRight), on=self, margins=(18, 16, 18, 16), spacing=12
        )
        self.resize(600, 520)

    def _of_figures(self) -> list[tuple[str, str]]:
        return [
            (self.tr("Picture: move the cursor"), self.tr("Left, Right, Page Up, Page Down")),
            (self.tr("Picture: go to another curve"), self.tr("Up, Down")),
            (self.tr("Picture: show everything again"), self.tr("Home")),
        ]


def _of_actions(actions: Sequence[QAction]) -> list[tuple[str, str]]:
    native = QKeySequence.SequenceFormat.NativeText
    return [
        (action.text().replace("&", ""), action.shortcut().toString(native))
        for action in actions
        if not action.shortcut().isEmpty()
    ]
