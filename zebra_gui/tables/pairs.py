"""The table of pairs: by how much two safeguards differ, and whether that is settled."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from PySide6.QtCore import QCoreApplication, QObject, Qt
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QHeaderView, QWidget

from zebra_core.project.comparison.row import ComparisonGroup
from zebra_core.report.pairs import Pair, heads
from zebra_core.report.tables import pairs_table, tab_separated
from zebra_gui.models.evidence import Index
from zebra_gui.models.rows import Column, RowsModel
from zebra_gui.tables.copying import CopiedTable
from zebra_gui.tables.rows import RowsTable

translate = QCoreApplication.translate


class PairsModel(RowsModel[Pair]):
    """A window onto a list of pairs, as they come."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__((Column(head, _cell(n)) for n, head in enumerate(heads())), parent)

    def tip(self, row: Pair, column: int) -> str:
        return row.sentence

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if role != Qt.ItemDataRole.FontRole:
            return super().data(index, role)
        if not (index.isValid() and self._rows[index.row()].difference.is_settled):
            return None
        font = QFont()
        font.setBold(True)
        return font


def _cell(column: int) -> Callable[[Pair], str]:
    return lambda pair: pair.cells[column]


class PairsTable(RowsTable):
    """Shows a PairsModel; its rows are copied as text."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(translate("PairsTable", "Differences between pairs"), parent)
        self._group: ComparisonGroup | None = None
        self.pairs = PairsModel(self)
        self.setModel(self.pairs)
        head = self.horizontalHeader()
        head.setStretchLastSection(True)
        head.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        head.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)

    @property
    def rows(self) -> list[tuple[str, ...]]:
        """The cells of all rows."""
        return [pair.cells for pair in self.pairs.rows]

    def as_text(self) -> str:
        """All rows as a spreadsheet takes them; empty where there are none."""
        return tab_separated(*pairs_table(self._group, self.pairs.rows)) if self._group else ""

    def copied(self) -> CopiedTable:
        """All rows, each of which says what its group is of."""
        if self._group is None:
            return (), ()
        heads, rows = pairs_table(self._group, self.pairs.rows)
        return heads, [rows]

    def show_pairs(self, group: ComparisonGroup, pairs: Sequence[Pair]) -> None:
        """Show these, which are of one group."""
        self._group = group
        self.pairs.put(pairs)

    def clear(self) -> None:
        """Show none."""
        self._group = None
        self.pairs.put(())
