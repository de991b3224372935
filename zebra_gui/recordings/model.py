"""Recordings as a table: who speaks in each, how long it is, and what is to be said of it."""

from __future__ import annotations

from PySide6.QtCore import QObject

from zebra_core.recordings.recording_table import RecordingRow
from zebra_core.wording.texts import grouped, visible_sentence, written
from zebra_gui.models.rows import Column, RowsModel
from zebra_gui.widgets.plain import shown_name

NAME, RATE, REMARK = 0, 3, 4


class RecordingsModel(RowsModel[RecordingRow]):
    """A window onto a list of recordings."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__((), parent)
        self.columns = (
            Column(self.tr("Recording"), _marked_name),
            Column(self.tr("Speaker"), lambda row: shown_name(row.speaker) or "–"),
            Column(
                self.tr("Seconds"),
                lambda row: written(row.seconds, ".1f") if row.seconds else "–",
                is_number=True,
            ),
            Column(self.tr("Hz"), lambda row: grouped(row.rate_hz) if row.rate_hz else "–", is_number=True),
            Column(self.tr("Remark"), lambda row: visible_sentence(row.in_short, 400)),
        )

    def identity(self, row: RecordingRow) -> object:
        return row

    def whole_text(self, row: RecordingRow, column: int) -> str:
        return visible_sentence(row.remark, 1000) if column == REMARK else self.text(row, column)


def _marked_name(row: RecordingRow) -> str:
    """The name; a sign and not a colour tells what is left out."""
    return shown_name(row.place) if row.is_compared else f"–  {shown_name(row.place)}"
