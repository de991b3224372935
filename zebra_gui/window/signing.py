"""Signing a report from the window: asked in a dialog, done by a job, the pass phrase kept nowhere."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject

from zebra_core.errors import ZebraError
from zebra_core.runtime.progress import Progress
from zebra_core.wording.texts import visible
from zebra_gui.dialogs import Dialogs
from zebra_gui.jobs.jobs import Jobs
from zebra_gui.session.session import Session

if TYPE_CHECKING:
    from zebra_gui.dialogs.signing import SigningDialog


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
