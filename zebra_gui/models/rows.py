"""Rows as a table: what every list has in common whose columns are texts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, Qt

from zebra_core.wording.texts import named
from zebra_gui.models.evidence import Index
from zebra_gui.widgets.layouts import tooltip

Row = TypeVar("Row")
_NO_INDEX = QModelIndex()


@dataclass(frozen=True)
class Column(Generic[Row]):
    """A column: its heading, the text of a row in it, and what else there is to say of it.

    `value` is what rows are sorted by, the text where it is None; `meaning` is said of the heading.
    """

    heading: str
    text: Callable[[Row], str]
    value: Callable[[Row], Any] | None = None
    key: str = ""
    meaning: str = ""
    is_number: bool = False  # at the right
    is_name: bool = False  # told apart by its end


class RowsModel(Generic[Row], QAbstractTableModel):
    """A window onto rows; a subclass says what columns there are, and what else there is to say of a cell."""

    def __init__(self, columns: Iterable[Column[Row]], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.columns = tuple(columns)
        self._rows: tuple[Row, ...] = ()

    @property
    def rows(self) -> tuple[Row, ...]:
        """What is shown, from the first row to the last."""
        return self._rows

    def put(self, rows: Sequence[Row]) -> None:
        """Show these; where they are of the same things as those before, the selection stays."""
        is_same = [self.identity(row) for row in rows] == [self.identity(row) for row in self._rows]
        if not is_same:
            self.beginResetModel()
        self._rows = tuple(rows)
        if not is_same:
            self.endResetModel()
        elif rows:
            self.dataChanged.emit(self.index(0, 0), self.index(len(rows) - 1, len(self.columns) - 1))

    def identity(self, row: Row) -> object:
        """What a row is of."""
        return id(row)

    def text(self, row: Row, column: int) -> str:
        """What stands in a cell."""
        return self.columns[column].text(row)

    def whole_text(self, row: Row, column: int) -> str:
        """What is read out of a cell and copied, where it shows only a part."""
        return self.text(row, column)

    def tip(self, row: Row, column: int) -> str:
        """What is said of a cell where the pointer rests on it."""
        return self.whole_text(row, column)

    def as_text(self, rows: Iterable[int]) -> str:
        """These rows as they are copied, with headings, columns set apart by tabs."""
        lines = [[self.whole_text(self._rows[row], n) for n in range(len(self.columns))] for row in rows]
        return "\n".join("\t".join(line) for line in [[one.heading for one in self.columns], *lines])

    def rowCount(self, parent: Index = _NO_INDEX) -> int:
        return 0 if parent.isValid() else len(self._rows)

    def columnCount(self, parent: Index = _NO_INDEX) -> int:
        return 0 if parent.isValid() else len(self.columns)

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        if orientation is not Qt.Orientation.Horizontal:
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return self.columns[section].heading
        if role == Qt.ItemDataRole.ToolTipRole:
            return tooltip(self.columns[section].meaning)
        return self.alignment(section) if role == Qt.ItemDataRole.TextAlignmentRole else None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        row, column = self._rows[index.row()], index.column()
        if role == Qt.ItemDataRole.DisplayRole:
            return self.text(row, column)
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return named(self.columns[column].heading, self.whole_text(row, column))
        if role == Qt.ItemDataRole.ToolTipRole:
            return tooltip(self.tip(row, column))
        return self.alignment(column) if role == Qt.ItemDataRole.TextAlignmentRole else None

    def alignment(self, column: int) -> int:
        """Where texts and the heading stand, as Qt.AlignmentFlag."""
        is_number = self.columns[column].is_number
        side = Qt.AlignmentFlag.AlignRight if is_number else Qt.AlignmentFlag.AlignLeft
        return int((side | Qt.AlignmentFlag.AlignVCenter).value)
