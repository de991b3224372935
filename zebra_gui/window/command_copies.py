"""What would do on the command line what the window does, for the clipboard."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QGuiApplication

from zebra_core.files.names import as_command
from zebra_core.wording.texts import visible
from zebra_gui.document.document import Documents
from zebra_gui.session.automatic_intervals import INTERVALS_AT_ONCE
from zebra_gui.session.session import Session
from zebra_gui.settings import settings


class CommandCopies(QObject):
    """Copies a command that reads the file of the open project, which must be saved as it is.

    Signals:
        copied: one sentence that says what is on the clipboard.
    """

    copied = Signal(str)

    def __init__(self, session: Session, documents: Documents, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._documents = documents

    def copy_report(self) -> None:
        """The command that writes the report as the window does, beside the project."""
        if (path := self._saved_file()) is not None:
            is_certain = settings().value(INTERVALS_AT_ONCE, True, bool)
            out = path.with_name(f"{path.stem}-report.pdf")
            self._copy("report", path, out, *([] if is_certain else ["--no-intervals"]))

    def copy_comparison(self) -> None:
        """The command that writes the tables and pictures of the comparison into a folder beside it."""
        if (path := self._saved_file()) is not None:
            self._copy("compare", path, path.with_name(f"{path.stem}-comparison"))

    def _saved_file(self) -> Path | None:
        path = self._documents.path
        if path is None or self._documents.is_modified:
            self._session.report_problem(
                self.tr("The command would read the saved project. Save it first, then copy again.")
            )
            return None
        if not str(path).isprintable():
            self._session.report_problem(
                self.tr(
                    "The name of the project has characters that no command can show. Save it under another."
                )
            )
            return None
        return path.absolute()

    def _copy(self, command: str, path: Path, out: Path, *options: str) -> None:
        prior = ["--prior", str(self._session.prior)]
        text = as_command(["zebra", command, str(path), "-o", str(out), *prior, *options])
        QGuiApplication.clipboard().setText(text)
        self.copied.emit(self.tr("Copied: {command}").format(command=visible(text, 200)))
