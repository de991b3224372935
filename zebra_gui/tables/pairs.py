"""The table of pairs: by how much two safeguards differ, and whether that is settled."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QMimeData, QModelIndex, QObject, Qt
from PySide6.QtGui import QAction, QFont, QGuiApplication, QKeySequence
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableView, QWidget

from zebra_core.project.comparison import Group
from zebra_core.report.pairs import Pair, heads
from zebra_core.report.tables import html_table, pairs_table, tab_separated
from zebra_gui.models.evidence import Index
from zebra_gui.widgets.plain import tooltip

_ROW_HEIGHT = 25


class PairsModel(QAbstractTableModel):
    """A window onto a list of pairs, as they come."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.pairs: Sequence[Pair] = ()
        self._heads = heads()

    def show_pairs(self, pairs: Sequence[Pair]) -> None:
        """Show these."""
        self.beginResetModel()
        self.pairs = pairs
        self.endResetModel()

    def rowCount(self, parent: Index = QModelIndex()) -> int:
        return 0 if parent.isValid() else len(self.pairs)

    def columnCount(self, parent: Index = QModelIndex()) -> int:
        return 0 if parent.isValid() else len(self._heads)

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        if orientation is Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole:
            return self._heads[section]
        return None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        pair, text = self.pairs[index.row()], self.pairs[index.row()].cells[index.column()]
        answers: dict[int, Any] = {
            Qt.ItemDataRole.DisplayRole: text,
            Qt.ItemDataRole.AccessibleTextRole: f"{self._heads[index.column()]}: {text}",
            Qt.ItemDataRole.ToolTipRole: tooltip(pair.sentence),
        }
        if role == Qt.ItemDataRole.FontRole and pair.difference.is_settled:
            font = QFont()
            font.setBold(True)
            return font
        return answers.get(role)


class PairsTable(QTableView):
    """Shows a PairsModel; its rows are copied as text."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._group: Group | None = None
        self.pairs = PairsModel(self)
        self.setModel(self.pairs)
        self.setAccessibleName(self.tr("Differences between pairs"))
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setTabKeyNavigation(False)
        self.setWordWrap(False)
        self.setShowGrid(False)
        self.verticalHeader().hide()
        self.verticalHeader().setDefaultSectionSize(_ROW_HEIGHT)
        head = self.horizontalHeader()
        head.setHighlightSections(False)
        head.setStretchLastSection(True)
        head.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        head.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)
        copy = QAction(self.tr("Copy the table"), self)
        copy.setShortcut(QKeySequence(QKeySequence.StandardKey.Copy))
        copy.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
        copy.triggered.connect(self.copy)
        self.addAction(copy)

    @property
    def rows(self) -> list[tuple[str, ...]]:
        """The cells of all rows."""
        return [pair.cells for pair in self.pairs.pairs]

    def as_text(self) -> str:
        """All rows as a spreadsheet takes them; empty where there are none."""
        return tab_separated(*pairs_table(self._group, self.pairs.pairs)) if self._group else ""

    def copy(self) -> None:
        """Put all rows on the clipboard, for a spreadsheet and for a letter."""
        if self._group is None:
            return
        copied = QMimeData()
        copied.setText(self.as_text())
        copied.setHtml(html_table(*pairs_table(self._group, self.pairs.pairs)))
        QGuiApplication.clipboard().setMimeData(copied)

    def show_pairs(self, group: Group, pairs: Sequence[Pair]) -> None:
        """Show these, which are of one group."""
        self._group = group
        self.pairs.show_pairs(pairs)

    def clear(self) -> None:
        """Show none."""
        self._group = None
        self.pairs.show_pairs(())
