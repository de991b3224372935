"""Opens recordings to be seen and heard: those of a sheet, or those that scores were made from."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

import zebra_resources
from zebra_gui import core_types as core
from zebra_gui.dialogs import Dialogs
from zebra_gui.session.session import Session

if TYPE_CHECKING:
    from zebra_gui.recordings.listening_dialog import ListeningDialog

_DEMO = "recordings"


class PlaybackActions(QObject):
    """One dialog at a time; folders that were named once are looked into again.

    Signals:
        export_requested, copy_requested: the picture on a card.
    """

    export_requested = Signal(object)
    copy_requested = Signal(object)

    def __init__(self, session: Session, dialogs: Dialogs, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._session, self._dialogs = session, dialogs
        self._folders: tuple[Path, ...] = ()
        self.dialog: ListeningDialog | None = None

    def show_takes(self, takes: Sequence[core.RecordingVersions], first: int = 0) -> None:
        """Show these recordings, beginning with one of them."""
        from zebra_gui.recordings.listening_dialog import open_listening

        self.close()
        dialog = self._dialogs.with_help(open_listening(takes, self._session, self._window(), first=first))
        dialog.export_requested.connect(self.export_requested)
        dialog.copy_requested.connect(self.copy_requested)
        dialog.destroyed.connect(self._on_gone)
        self.dialog = dialog

    def show_entry(self, entry: core.Entry) -> None:
        """Show the recordings that scores were made from; asks for their folder where they are not found."""
        self._look_for(entry, asks=True)

    def close(self) -> None:
        """Show none."""
        if (dialog := self.dialog) is not None:
            self.dialog = None
            dialog.destroyed.disconnect(self._on_gone)
            dialog.close()

    def _look_for(self, entry: core.Entry, *, asks: bool) -> None:
        job = self._session.drawing.draw(partial(_find, entry, self._folders), supersedes="takes")
        job.done.connect(partial(self._on_found, entry, asks))
        job.failed.connect(self._session.report_failure)

    def _on_found(self, entry: core.Entry, asks: bool, takes: Sequence[core.RecordingVersions]) -> None:
        if takes:
            speakers = [take.speaker for take in takes]
            wanted = self._session.speaker
            self.show_takes(takes, speakers.index(wanted) if wanted in speakers else 0)
        elif asks and (folder := self._dialogs.ask_folder("recordings")) is not None:
            self._folders = tuple(dict.fromkeys([folder, *self._folders]))
            self._look_for(entry, asks=False)
        elif not asks:
            self._session.report_problem(
                self.tr("None of the recordings that the scores were made from is in this folder.")
            )

    def _on_gone(self) -> None:
        self.dialog = None

    def _window(self) -> QWidget | None:
        parent = self.parent()
        while parent is not None and not isinstance(parent, QWidget):
            parent = parent.parent()
        return parent


def _find(entry: core.Entry, folders: Sequence[Path]) -> tuple[core.RecordingVersions, ...]:
    """What a job does: the recordings of a record that are still somewhere."""
    from zebra_core.project.satellites import record_file
    from zebra_core.recordings.scoring_records import read_record
    from zebra_core.recordings.versions import takes_of_record

    if (file := record_file(entry)) is None:
        return ()
    record = read_record(entry)
    beside = file.path.parent
    return takes_of_record(record.values, [*folders, beside, beside.parent, zebra_resources.path(_DEMO)])
