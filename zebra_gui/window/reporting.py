"""What is done with reports beside writing them: a logo is chosen, a finished one is verified."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from zebra_core.errors import ZebraError
from zebra_core.files.opening import is_folder
from zebra_core.files.writing import refuse_in_place, write_file
from zebra_core.runtime.progress import Progress
from zebra_core.wording.texts import visible
from zebra_gui import core_types as core
from zebra_gui.dialogs import Dialogs
from zebra_gui.document.document import Documents
from zebra_gui.jobs.jobs import Jobs, Watch
from zebra_gui.session.session import Session

if TYPE_CHECKING:
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
        from zebra_core.project.logo import read_logo

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
