"""The files that the project rests on: whether they are the same, and those that lay inside its own file."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from zebra_core.errors import OutputError
from zebra_core.files.writing import temporary_folder
from zebra_gui import core_types as core
from zebra_gui.document import work
from zebra_gui.jobs.jobs import Urgency
from zebra_gui.session.session import Session


class Inputs(QObject):
    """Looks for them, and unpacks those from inside the project file into a folder of their own.

    Signals:
        found: how it stands with each of them.
    """

    found = Signal(object)

    def __init__(self, session: Session, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._kept_at: dict[core.FileKey, Path] = {}
        self._kept_in: tempfile.TemporaryDirectory[str] | None = None

    @property
    def kept_at(self) -> dict[core.FileKey, Path]:
        """Where files are that lay inside the project file."""
        return dict(self._kept_at)

    def look(
        self, own_file: Path | None, folders: Sequence[Path], on_full: Callable[[OutputError], object]
    ) -> None:
        """Find out whether they are the same, and look for those that are not, also in these folders.

        `on_full` is told where there is no room for what lies inside the project's own file.
        """
        project = self._session.project
        if project is None or not any(item.files for item in project.items):
            return
        job = self._session.start_work(
            self.tr("Looking for the files"),
            work.find_inputs,
            project,
            own_file,
            tuple(folders),
            self._room(on_full),
            supersedes="inputs",
            urgency=Urgency.ASKED if folders else Urgency.LATER,
        )
        job.done.connect(lambda found: self._on_found(*found))

    def let_go(self) -> None:
        """Forget what was unpacked."""
        if self._kept_in is not None:
            with suppress(OSError):
                self._kept_in.cleanup()
        self._kept_in, self._kept_at = None, {}

    def _room(self, on_full: Callable[[OutputError], object]) -> Path | None:
        if self._kept_in is None:
            try:
                self._kept_in = temporary_folder()
            except OutputError as error:
                on_full(error)
                return None
        return Path(self._kept_in.name)

    def _on_found(self, found: core.Findings, kept: Mapping[core.FileKey, Path]) -> None:
        self._kept_at.update(kept)
        self.found.emit(found)
