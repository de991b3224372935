"""Recordings as a table: who speaks in each, how long it is, and what is to be said of it."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QObject

from zebra_core.recordings.listing import RecordingRow
from zebra_core.wording.texts import grouped, visible_sentence, written
from zebra_gui.models.rows import RowsModel
from zebra_gui.widgets.plain import shown_name

NAME, _SPEAKER, _SECONDS, RATE, REMARK = range(5)


class RecordingsModel(RowsModel[RecordingRow]):
    """A window onto a list of recordings."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__((), (_SECONDS, RATE), parent)
        self.headings = (
            self.tr("Recording"),
            self.tr("Speaker"),
            self.tr("Seconds"),
            self.tr("Hz"),
            self.tr("Remark"),
        )

    def show_rows(self, rows: Sequence[RecordingRow]) -> None:
        """Show these."""
        if tuple(rows) != self._rows:
            self.put(rows)

    def text(self, row: RecordingRow, column: int) -> str:
        if column == NAME:  # a sign and not a colour tells what is left out
            return shown_name(row.place) if row.is_compared else f"–  {shown_name(row.place)}"
        if column == _SPEAKER:
            return shown_name(row.speaker) or "–"
        if column == _SECONDS:
            return written(row.seconds, ".1f") if row.seconds else "–"
        if column == RATE:
            return grouped(row.rate_hz) if row.rate_hz else "–"
        return visible_sentence(row.in_short, 400)

    def whole_text(self, row: RecordingRow, column: int) -> str:
        return visible_sentence(row.remark, 1000) if column == REMARK else self.text(row, column)
