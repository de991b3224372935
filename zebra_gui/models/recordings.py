"""Recordings as a table: who speaks in each, how long it is, and what is to be said of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, Qt

from zebra_core.recordings.listing import RecordingRow
from zebra_core.wording.texts import grouped, visible_sentence, written
from zebra_gui.models.evidence import Index
from zebra_gui.widgets.plain import shown_name, tooltip

_NO_INDEX = QModelIndex()
_NAME, _SPEAKER, _SECONDS, _RATE, _REMARK = range(5)
_NUMBERS = (_SECONDS, _RATE)


class RecordingsModel(QAbstractTableModel):
    """A window onto a list of recordings."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._rows: tuple[RecordingRow, ...] = ()
        self.headings = (
            self.tr("Recording"),
            self.tr("Speaker"),
            self.tr("Seconds"),
            self.tr("Hz"),
            self.tr("Remark"),
        )

    @property
    def rows(self) -> tuple[RecordingRow, ...]:
        """What it shows."""
        return self._rows

    def show_rows(self, rows: Sequence[RecordingRow]) -> None:
        """Show these."""
        if tuple(rows) != self._rows:
            self.beginResetModel()
            self._rows = tuple(rows)
            self.endResetModel()

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
            return _alignment(section)
        return self.headings[section] if role == Qt.ItemDataRole.DisplayRole else None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        text = self._text(self._rows[index.row()], index.column())
        if role == Qt.ItemDataRole.DisplayRole:
            return text
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return f"{self.headings[index.column()]}: {text}"
        if role == Qt.ItemDataRole.ToolTipRole:
            return tooltip(text)
        return _alignment(index.column()) if role == Qt.ItemDataRole.TextAlignmentRole else None

    def _text(self, row: RecordingRow, column: int) -> str:
        if column == _NAME:  # a sign and not a colour tells what is left out
            return shown_name(row.place) if row.is_compared else f"–  {shown_name(row.place)}"
        if column == _SPEAKER:
            return shown_name(row.speaker) or "–"
        if column == _SECONDS:
            return written(row.seconds, ".1f") if row.seconds else "–"
        if column == _RATE:
            return grouped(row.rate_hz) if row.rate_hz else "–"
        return visible_sentence(row.remark, 400)


def _alignment(column: int) -> int:
    side = Qt.AlignmentFlag.AlignRight if column in _NUMBERS else Qt.AlignmentFlag.AlignLeft
    return int((side | Qt.AlignmentFlag.AlignVCenter).value)
