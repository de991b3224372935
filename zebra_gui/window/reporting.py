"""What is done with reports beside writing them: a logo is chosen, a finished one is verified."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, QUrl, Signal
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QPushButton, QWidget

from zebra_core.errors import ZebraError
from zebra_core.files.access import is_folder, refuse_in_place, write_file
from zebra_core.runtime.progress import Progress
from zebra_core.wording.texts import visible
from zebra_gui import core_types as core
from zebra_gui.dialogs import Dialogs
from zebra_gui.document.document import Documents
from zebra_gui.jobs.jobs import Jobs, Watch
from zebra_gui.session.session import Session
from zebra_gui.widgets.notice import Notice

if TYPE_CHECKING:
    from zebra_gui.dialogs.signing import SigningDialog
    from zebra_gui.dialogs.verification import VerificationDialog


@dataclass(frozen=True)
class _VerificationRequest:
    """What is verified, with what: files in these folders, signatures by these certificates.

    Scores are made again from recordings, by the recogniser that comes along or by `model`.
    """

    path: Path
    folders: tuple[Path, ...]
    any_ratio: bool = False
    trusted: tuple[core.Certificate, ...] = ()
    recordings: tuple[Path, ...] = ()
    model: Path | None = None


class ReportActions(QObject):
    """Asks, lets a job or the core do it, and shows what came of it."""

    def __init__(
        self,
        session: Session,
        jobs: Jobs,
        dialogs: Dialogs,
        documents: Documents,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._session = session
        self._documents = documents
        self._jobs = jobs
        self._dialogs = dialogs

    def choose_logo(self) -> None:
        """A logo for the title block."""
        from zebra_core.project.report_settings import read_logo

        path = self._dialogs.ask_file("logo")
        if path is None or self._session.project is None:
            return
        try:
            self._session.set_report(replace(self._session.project.report, logo=read_logo(path)))
        except ZebraError as error:
            self._session.report_failure(error)

    def verify(self) -> None:
        """A report that the user chooses, with the files beside it and those of the open project."""
        if path := self._dialogs.ask_file("report to verify"):
            self.verify_this(path)

    def verify_this(self, path: Path) -> None:
        """This report, likewise."""
        self._verify(_VerificationRequest(path, self._known_places(path)))

    def _verify(self, asked: _VerificationRequest) -> None:
        self._session.dismiss_problems()
        name = self.tr("Verifying {name}").format(name=visible(asked.path.name))
        dialog = self._dialogs.show_verification(asked.path)
        job = self._jobs.start(name, partial(_verify, asked), supersedes="verify")
        dialog.stop_requested.connect(job.cancel)
        job.got_partial.connect(dialog.show_checked)
        job.progressed.connect(dialog.show_progress)
        job.done.connect(partial(self._on_verified, dialog, asked))
        job.cancelled.connect(dialog.show_stopped)
        job.failed.connect(self._on_failed)

    def _on_failed(self, error: Exception) -> None:
        self._dialogs.close_verification()
        self._session.report_failure(error)

    def _on_verified(
        self, dialog: VerificationDialog, asked: _VerificationRequest, found: core.Verification
    ) -> None:
        dialog.show_outcome(found)
        dialog.folder_requested.connect(partial(self._look_in_another, asked))
        dialog.recordings_requested.connect(partial(self._look_for_recordings, asked))
        dialog.model_requested.connect(partial(self._use_recogniser, asked))
        dialog.certificate_requested.connect(partial(self._trust_another, dialog, asked))
        dialog.unpacking_requested.connect(partial(self._verify, replace(asked, any_ratio=True)))
        dialog.save_requested.connect(
            partial(self._save, dialog, asked.path, (*asked.folders, *asked.recordings), found)
        )

    def _save(
        self, dialog: VerificationDialog, path: Path, folders: Sequence[Path], found: core.Verification
    ) -> None:
        """The outcome as a page for the file."""
        chosen = self._dialogs.ask_place("outcome", f"{path.stem}-verified.pdf")
        if chosen is None:
            return
        name = self.tr("Saving {name}").format(name=visible(chosen.name))
        job = self._jobs.start(name, partial(_save_page, path, folders, found, chosen), keeps_partial=True)
        job.done.connect(partial(self._on_saved, dialog))
        job.failed.connect(partial(self._on_not_saved, dialog))
        job.cancelled.connect(partial(dialog.show_remark, self.tr("Cancelled. Nothing was written.")))

    def _on_saved(self, dialog: VerificationDialog, path: Path) -> None:
        name, folder = visible(path.name), visible(str(path.parent), 200)
        dialog.show_remark(self.tr("Saved {name} in {folder}").format(name=name, folder=folder))

    def _on_not_saved(self, dialog: VerificationDialog, error: Exception) -> None:
        if isinstance(error, ZebraError):
            dialog.show_remark(str(error))
        else:
            self._session.report_failure(error)

    def _look_in_another(self, asked: _VerificationRequest) -> None:
        if folder := self._dialogs.ask_folder("files of the report"):
            self._verify(replace(asked, folders=(*asked.folders, folder)))

    def _look_for_recordings(self, asked: _VerificationRequest) -> None:
        if folder := self._dialogs.ask_folder("recordings"):
            self._verify(replace(asked, recordings=(*asked.recordings, folder)))

    def _use_recogniser(self, asked: _VerificationRequest) -> None:
        if model := self._dialogs.ask_file("recogniser"):
            self._verify(replace(asked, model=model))

    def _trust_another(self, dialog: VerificationDialog, asked: _VerificationRequest) -> None:
        """Verify again, and say whether this certificate vouches for the signatures."""
        from zebra_core.report.certificates import read_certificate

        path = self._dialogs.ask_file("certificate")
        if path is None:
            return
        try:
            certificate = read_certificate(path)
        except ZebraError as error:
            dialog.show_remark(str(error))
            return
        self._verify(replace(asked, trusted=(*asked.trusted, certificate)))

    def _known_places(self, path: Path) -> tuple[Path, ...]:
        """The folders of the report and of the project's files, and the project file that has them inside."""
        project, own_file = self._session.project, self._documents.file_with_inputs
        unpacked = set(self._documents.kept_at.values()) if own_file else set()
        files = (file.path.absolute() for item in project.items for file in item.files) if project else ()
        folders = [path.absolute().parent, *(file.parent for file in files if file not in unpacked)]
        return (*filter(is_folder, dict.fromkeys(folders)), *([own_file] if own_file else []))


def _verify(asked: _VerificationRequest, watch: Watch) -> core.Verification:
    from zebra_core.report.verify import verify

    return verify(
        asked.path,
        asked.folders,
        watch,
        any_ratio=asked.any_ratio,
        trusted=asked.trusted,
        recordings=asked.recordings,
        model=asked.model,
        on_checked=watch.give_partial,
    )


def _save_page(
    path: Path, folders: Sequence[Path], found: core.Verification, into: Path, on_progress: Progress
) -> Path:
    from zebra_core.report.outcome_page import verification_pdf

    on_progress(0.1)
    refuse_in_place(path, into, "record-in-place")
    return write_file(into, verification_pdf(path, found, folders), overwrite=True)  # the dialog has asked


# Signing a report from the window: asked in a dialog, done by a job, the pass phrase kept nowhere.


class Secret:
    """A pass phrase on its way to a job: what is written of jobs does not have it."""

    def __init__(self, word: str) -> None:
        self._word = word

    def taken(self) -> str:
        """The word, once."""
        word, self._word = self._word, ""
        return word


class SigningActions(QObject):
    """Asks, lets a job sign, and says what came of it in the dialog."""

    def __init__(self, session: Session, jobs: Jobs, dialogs: Dialogs, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._jobs = jobs
        self._dialogs = dialogs

    def sign(self) -> None:
        """A report that the user chooses."""
        path = self._dialogs.ask_file("report to sign")
        if path is None:
            return
        dialog = self._dialogs.show_signing(path)
        dialog.certificate_wanted.connect(partial(self._choose, dialog))
        dialog.replaced_wanted.connect(partial(self._choose_replaced, dialog))
        dialog.sign_requested.connect(partial(self._sign, dialog))
        looking = self._jobs.start(
            self.tr("Reading {name}").format(name=visible(path.name)), partial(_is_draft, path)
        )
        looking.done.connect(partial(self._on_looked, dialog))
        dialog.stop_requested.connect(looking.cancel)

    def _on_looked(self, dialog: SigningDialog, is_draft: bool) -> None:
        if is_draft:
            dialog.show_draft()

    def _choose(self, dialog: SigningDialog) -> None:
        if path := self._dialogs.ask_file("key"):
            dialog.show_certificate(path)

    def _choose_replaced(self, dialog: SigningDialog) -> None:
        if path := self._dialogs.ask_file("signed report"):
            dialog.show_replaced(path)

    def _sign(self, dialog: SigningDialog) -> None:
        out = self._dialogs.ask_place("signed copy", f"{dialog.report.stem}-signed.pdf")
        if out is None or dialog.certificate is None:
            return
        name = self.tr("Signing {name}").format(name=visible(dialog.report.name))
        word = Secret(dialog.passphrase.text())
        how: dict[str, Any] = {"is_visible": dialog.is_visible.isChecked(), "reason": dialog.reason.text()}
        how["replaces"] = dialog.replaced
        work = partial(_signed, dialog.report, dialog.certificate, word, how, out)
        dialog.show_busy(is_busy=True)
        job = self._jobs.start(name, work, keeps_partial=True)
        dialog.stop_requested.connect(job.cancel)
        job.progressed.connect(dialog.show_progress)
        job.done.connect(partial(self._on_signed, dialog))
        job.failed.connect(partial(self._on_failed, dialog))
        job.cancelled.connect(partial(dialog.show_remark, self.tr("Cancelled. Nothing was written.")))

    def _on_signed(self, dialog: SigningDialog, path: Path) -> None:
        name, folder = visible(path.name), visible(str(path.parent), 200)
        dialog.show_remark(self.tr("Saved {name} in {folder}").format(name=name, folder=folder))

    def _on_failed(self, dialog: SigningDialog, error: Exception) -> None:
        dialog.show_remark(str(error) if isinstance(error, ZebraError) else "")
        if not isinstance(error, ZebraError):
            self._session.report_failure(error)


def _is_draft(report: Path, _on_progress: Progress) -> bool:
    from zebra_core.report.attachment import read_evidence

    try:
        return read_evidence(report).is_draft
    except ZebraError:
        return False  # what is wrong with it is told when it is to be signed


def _signed(
    report: Path, certificate: Path, word: Secret, how: dict[str, Any], out: Path, on_progress: Progress
) -> Path:
    from zebra_core.report.certificates import read_key
    from zebra_core.report.signing import sign_report

    key = read_key(certificate, word.taken())
    # The dialog has asked whether to replace a file; the report itself is never replaced.
    return sign_report(report, out, key, overwrite=True, on_progress=on_progress, **how)


# The validation dossier from the window: asks for a folder, lets a job make it, and offers to open it.


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
    from zebra_core.installation import dossier, dossier as filing

    with filing.room_in(folder):
        made = dossier.validate(on_progress)
        pdf, _json = filing.save(made, folder)
    return made, pdf
