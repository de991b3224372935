"""Rows as a table: what every list has in common whose columns are texts."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import Any, Generic, TypeVar

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, Qt

from zebra_core.wording.names import named
from zebra_gui.models.evidence import Index
from zebra_gui.widgets.plain import tooltip

Row = TypeVar("Row")
_NO_INDEX = QModelIndex()


class RowsModel(Generic[Row], QAbstractTableModel):
    """A window onto rows; a subclass says what stands in each column, and what else there is to say of it."""

    def __init__(
        self, headings: Sequence[str], numbers: Sequence[int] = (), parent: QObject | None = None
    ) -> None:
        """`numbers` are the columns that are aligned to the right."""
        super().__init__(parent)
        self.headings, self._numbers = tuple(headings), frozenset(numbers)
        self._rows: tuple[Row, ...] = ()

    @property
    def rows(self) -> tuple[Row, ...]:
        """What is shown, from the first row to the last."""
        return self._rows

    def put(self, rows: Sequence[Row]) -> None:
        """Show these, whatever there was."""
        self.beginResetModel()
        self._rows = tuple(rows)
        self.endResetModel()

    @abstractmethod
    def text(self, row: Row, column: int) -> str:
        """What stands in a cell."""

    def whole_text(self, row: Row, column: int) -> str:
        """What is read out of a cell, where it shows only a part."""
        return self.text(row, column)

    def tip(self, row: Row, column: int) -> str:
        """What is said of a cell where the pointer rests on it."""
        return self.whole_text(row, column)

    def rowCount(self, parent: Index = _NO_INDEX) -> int:
        return 0 if parent.isValid() else len(self._rows)

    def columnCount(self, parent: Index = _NO_INDEX) -> int:
        return 0 if parent.isValid() else len(self.headings)

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        if orientation is not Qt.Orientation.Horizontal:
            return None
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return self._alignment(section)
        return self.headings[section] if role == Qt.ItemDataRole.DisplayRole else None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        row, column = self._rows[index.row()], index.column()
        if role == Qt.ItemDataRole.DisplayRole:
            return self.text(row, column)
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return named(self.headings[column], self.whole_text(row, column))
        if role == Qt.ItemDataRole.ToolTipRole:
            return tooltip(self.tip(row, column))
        return self._alignment(column) if role == Qt.ItemDataRole.TextAlignmentRole else None

    def _alignment(self, column: int) -> int:
        side = Qt.AlignmentFlag.AlignRight if column in self._numbers else Qt.AlignmentFlag.AlignLeft
        return int((side | Qt.AlignmentFlag.AlignVCenter).value)
