"""What is done with reports beside writing them: a logo is chosen, a finished one is verified."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject

from zebra_core.errors import ZebraError
from zebra_core.files.opening import is_folder
from zebra_core.runtime.progress import Progress
from zebra_core.wording.texts import visible
from zebra_gui import core_types as core
from zebra_gui.dialogs import Dialogs
from zebra_gui.jobs.jobs import Jobs
from zebra_gui.session.session import Session


class Reporting(QObject):
    """Asks, lets a job or the core do it, and shows what came of it."""

    def __init__(self, session: Session, jobs: Jobs, dialogs: Dialogs, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._jobs = jobs
        self._dialogs = dialogs

    def choose_logo(self) -> None:
        """A logo for the title block."""
        path = self._dialogs.ask_logo()
        if path is None or self._session.project is None:
            return
        from zebra_core.project.logo import read_logo

        try:
            self._session.set_report(replace(self._session.project.report, logo=read_logo(path)))
        except ZebraError as error:
            self._session.report_failure(error)

    def verify(self) -> None:
        """A report that the user chooses, with the files beside it and those of the open project."""
        if path := self._dialogs.ask_report():
            self.verify_this(path)

    def verify_this(self, path: Path) -> None:
        """This report, likewise."""
        self._verify(path, self._known_folders(path))

    def _verify(self, path: Path, folders: Sequence[Path], *, any_ratio: bool = False) -> None:
        self._session.dismiss_problems()
        name = self.tr("Verifying {name}").format(name=visible(path.name))
        job = self._jobs.start(name, partial(_verify, path, folders, any_ratio), supersedes="verify")
        job.done.connect(partial(self._on_verified, path, folders, any_ratio))
        job.failed.connect(self._session.report_failure)

    def _on_verified(
        self, path: Path, folders: Sequence[Path], any_ratio: bool, found: core.Verification
    ) -> None:
        dialog = self._dialogs.show_verification(path, found)
        dialog.folder_requested.connect(partial(self._look_in_another, path, folders, any_ratio))
        dialog.unpacking_requested.connect(partial(self._verify, path, folders, any_ratio=True))

    def _look_in_another(self, path: Path, folders: Sequence[Path], any_ratio: bool) -> None:
        if folder := self._dialogs.ask_data_folder():
            self._verify(path, (*folders, folder), any_ratio=any_ratio)

    def _known_folders(self, path: Path) -> tuple[Path, ...]:
        files = (
            [file for item in self._session.project.items for file in item.files]
            if self._session.project
            else []
        )
        folders = dict.fromkeys([path.absolute().parent, *(file.path.absolute().parent for file in files)])
        return tuple(folder for folder in folders if is_folder(folder))


def _verify(path: Path, folders: Sequence[Path], any_ratio: bool, on_progress: Progress) -> core.Verification:
    from zebra_core.report.verify import verify

    return verify(path, folders, on_progress, any_ratio=any_ratio)
