"""The validation dossier from the window: asks for a folder, lets a job make it, and offers to open it."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, QUrl, Signal
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QPushButton, QWidget

from zebra_core.runtime.progress import Progress
from zebra_core.wording.texts import visible
from zebra_gui import core_types as core
from zebra_gui.dialogs import Dialogs
from zebra_gui.jobs.jobs import Jobs
from zebra_gui.session.session import Session
from zebra_gui.widgets.notice import Notice


class ValidationActions(QObject):
    """Validates this installation.

    Signals:
        validated: what came of it in a sentence, and the PDF of the dossier.
        announced: that it was cancelled.
    """

    validated = Signal(str, Path)
    announced = Signal(str)

    def __init__(self, session: Session, jobs: Jobs, dialogs: Dialogs, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._jobs = jobs
        self._dialogs = dialogs

    def validate(self) -> None:
        """Make the dossier, in short form, in a folder that the user chooses."""
        folder = self._dialogs.ask_folder("dossier")
        if folder is None:
            return
        self._session.dismiss_problems()
        work = partial(_validate, folder)
        job = self._jobs.start(self.tr("Validating this installation"), work, keeps_partial=True)
        job.done.connect(self._on_made)
        job.failed.connect(self._session.report_failure)
        job.cancelled.connect(partial(self.announced.emit, self.tr("Cancelled. Nothing was written.")))

    def _on_made(self, made: tuple[core.Dossier, Path]) -> None:
        dossier, path = made
        self.validated.emit(dossier.verdict, path)


class ValidatedBar(Notice):
    """What came of the validation, with a button that opens the dossier, until the user dismisses it."""

    def __init__(self, validating: ValidationActions, parent: QWidget | None = None) -> None:
        super().__init__("notice", self.tr("Validation"), QPushButton(self.tr("Dismiss")), parent)
        self._path: Path | None = None
        self.button.setAccessibleName(self.tr("Dismiss what is said about the validation"))
        self.button.clicked.connect(partial(self.show_text, ""))
        self.open = self.add_button(QPushButton(self.tr("Open the dossier")))
        self.open.clicked.connect(self._on_open)
        validating.validated.connect(self._show)
        self.show_text("")

    def _show(self, verdict: str, path: Path) -> None:
        self._path = path
        place = self.tr("The dossier is {name} in {folder}.")
        place = place.format(name=visible(path.name), folder=visible(str(path.parent), 200))
        self.show_text(f"{verdict}\n{place}")

    def _on_open(self) -> None:
        if self._path is None or QDesktopServices.openUrl(QUrl.fromLocalFile(str(self._path))):
            return
        sentence = self.tr("No program here opens PDF files. The dossier is {path}.")
        self.show_text(sentence.format(path=visible(str(self._path), 200)))


def _validate(folder: Path, on_progress: Progress) -> tuple[core.Dossier, Path]:
    """In the job's thread: what it needs is imported there."""
    from zebra_core.installation import dossier, filing

    with filing.room_in(folder):
        made = dossier.validate(on_progress)
        pdf, _json = filing.save(made, folder)
    return made, pdf
