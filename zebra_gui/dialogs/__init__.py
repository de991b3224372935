"""Questions to the user, all behind one object that a test can replace."""

from __future__ import annotations

import os
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypeVar

from PySide6.QtCore import QObject, Qt, QTimer
from PySide6.QtGui import QAction, QKeySequence, QShortcut
from PySide6.QtWidgets import QApplication, QDialog, QFileDialog, QMessageBox, QTreeView, QWidget
from shiboken6 import isValid

from zebra_gui.dialogs.fault import FaultDialog
from zebra_gui.dialogs.save import SaveChoice, SaveDialog
from zebra_gui.manual.places import page_about

if TYPE_CHECKING:
    from zebra_gui.dialogs.page import MakeText
    from zebra_gui.dialogs.scales import ScalesDialog
    from zebra_gui.dialogs.signing import SigningDialog
    from zebra_gui.dialogs.verification import VerificationDialog
    from zebra_gui.jobs.jobs import Jobs
    from zebra_gui.manual.window import ManualWindow
    from zebra_gui.session.session import Session


FIGURE_KINDS = ("png", "pdf", "svg", "tex", "csv")
File = Literal[
    "certificate",
    "emotion labels",
    "key",
    "listening test",
    "logo",
    "predicted emotions",
    "ratings",
    "recognised transcripts",
    "recogniser",
    "reference transcripts",
    "report to sign",
    "signed report",
    "report to verify",
    "earlier report",
    "pairs",
    "speakers",
    "transcripts",
    "Word template",
]
"""What one file is read as."""
Folder = Literal[
    "another delivery",
    "dossier",
    "embeddings",
    "everything",
    "files to open",
    "files of the project",
    "files of the report",
    "pictures",
    "recordings",
    "recordings to assess",
    "scores",
    "training",
]
"""What a folder is for."""
Place = Literal[
    "outcome",
    "outcome or its text",
    "picture",
    "project",
    "report",
    "requirements",
    "signed copy",
    "summary",
    "text",
    "Word report",
]
"""What is saved in one file."""
_WIDEST_CELLS = "1,023.99 MiB", "plain text document", "30 Dec 2026 23:59:59"  # size, kind, and when changed
_AROUND_CELL, _FILE_NAMES = 26, 460  # pixels
_Asking = TypeVar("_Asking", bound=QDialog)


class Dialogs(QObject):
    """Asks with the dialogs of the system; None or an empty list means that the user said no."""

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._window = window
        self._folder: Path | None = None  # where the last answer lay: there most look for the next
        self._scales: ScalesDialog | None = None
        self._manual: ManualWindow | None = None
        self._fault: FaultDialog | None = None
        self._verification: VerificationDialog | None = None
        self._signing: SigningDialog | None = None

    def begin_in(self, folder: Path) -> None:
        """Let the next dialog begin in this folder."""
        self._folder = folder

    def _from(self, suggested: str = "") -> str:
        return str(self._folder / suggested) if self._folder is not None else suggested

    def _taken(self, name: str = "") -> str:
        if name:
            self.begin_in(Path(name).parent)
        return name

    def folder_chosen(self, title: str) -> str:
        """The folder that the user chose in a dialog with this title; empty for none."""
        name = _asking().getExistingDirectory(self._window, title, self._from())
        if name:
            self.begin_in(Path(name))
        return name

    def file_chosen(self, title: str, kinds: str = "") -> str:
        """The file of one of these kinds that the user chose, as above."""
        name, _ = _asking().getOpenFileName(self._window, title, self._from(), kinds)
        return self._taken(name)

    def ask_files(self) -> list[Path]:
        """Which files to open."""
        names, _ = _asking().getOpenFileNames(
            self._window, self.tr("Open score files and their key, or a project"), self._from()
        )
        self._taken(*names[:1])
        return [Path(name) for name in names]

    def ask_file(self, purpose: File) -> Path | None:
        """One file to read."""
        name = self.file_chosen(*self._files()[purpose])
        return Path(name) if name else None

    def ask_folder(self, purpose: Folder) -> Path | None:
        """A folder, to look in or to save into."""
        name = self.folder_chosen(self._folders()[purpose])
        return Path(name) if name else None

    def ask_same_people(self) -> bool | None:
        """Whether who is called the same in two deliveries is the same person; None to go back."""
        buttons = QMessageBox.StandardButton
        answer = QMessageBox.question(
            self._window,
            self.tr("The same people?"),
            self.tr(
                "Are speakers who are called the same in both the same people? If so, both are drawn "
                "together, which shows smaller changes. If not, or if nobody knows, they are drawn apart."
            ),
            buttons.Yes | buttons.No | buttons.Cancel,
            buttons.No,
        )
        return {buttons.Yes: True, buttons.No: False}.get(answer)

    def ask_place(self, purpose: Place, suggested: str) -> Path | None:
        """Where to save, with the ending that says as what; a file that is there may be overwritten."""
        title, endings = self._places()[purpose]
        start, filters = self._from(suggested), ";;".join(endings)
        name, chosen = _asking().getSaveFileName(self._window, title, start, filters)
        if not self._taken(name):
            return None
        path = Path(name)
        if path.suffix.lower() in endings.values():
            return path
        whole = path.with_name(path.name + endings.get(chosen, next(iter(endings.values()))))
        # The dialog has asked about the name without the ending: where that is a file, it asks again.
        return self.ask_place(purpose, str(whole)) if os.path.lexists(whole) else whole

    def _files(self) -> dict[File, tuple[str, str]]:
        """What a dialog for each is called, and what files it shows."""
        return {
            "certificate": (self.tr("Certificate that you trust"), "PEM, DER (*.pem *.crt *.cer *.der)"),
            "emotion labels": (self.tr("Open the emotion of each recording: utt2emo"), ""),
            "key": (self.tr("Certificate with its key"), "PKCS #12 (*.p12 *.pfx)"),
            "listening test": (
                self.tr("Take a listening test"),
                self.tr("Listening tests (*.zebra-listening)"),
            ),
            "logo": (self.tr("Choose a logo"), "PNG, SVG (*.png *.svg)"),
            "predicted emotions": (self.tr("Open what the recogniser of emotion said"), ""),
            "ratings": (self.tr("Open the ratings"), ""),
            "recognised transcripts": (self.tr("Open the recognised transcripts"), ""),
            "recogniser": (self.tr("Choose a recogniser"), "ONNX (*.onnx)"),
            "reference transcripts": (self.tr("Open the reference transcripts"), ""),
            "report to sign": (self.tr("Sign a report"), "PDF (*.pdf)"),
            "signed report": (self.tr("The signed report that it replaces"), "PDF (*.pdf)"),
            "report to verify": (
                self.tr("Verify a report"),
                "PDF, evidence.json, Word (*.pdf *.json *.docx)",
            ),
            "earlier report": (
                self.tr("An earlier report or project"),
                "PDF, evidence.json, ZEBRA (*.pdf *.json *.zebra)",
            ),
            "pairs": (self.tr("Table of originals and their copies, in two columns"), ""),
            "speakers": (self.tr("List of who speaks: utt2spk, spk2utt, or a table with a header"), ""),
            "transcripts": (self.tr("Transcripts: a recording a line, its id and its words"), ""),
            "Word template": (self.tr("Choose a template for Word files"), "Word (*.docx *.dotx)"),
        }

    def _folders(self) -> dict[Folder, str]:
        """What a dialog for each is called."""
        return {
            "dossier": self.tr("Save the validation dossier into a folder"),
            "embeddings": self.tr("Keep embeddings, which are biometric data, in a folder"),
            "everything": self.tr("Export everything into a folder"),
            "another delivery": self.tr("Open the folder of the new delivery"),
            "files to open": self.tr("Open a folder with scores and keys, or with recordings"),
            "files of the project": self.tr("Look for the files of the project in a folder, and below it"),
            "files of the report": self.tr("Folder with the files of the report"),
            "pictures": self.tr("Save all pictures into a folder"),
            "recordings": self.tr("Folder with the recordings, original and protected"),
            "recordings to assess": self.tr("Open a folder with recordings, original and protected"),
            "scores": self.tr("Save scores and keys into an empty folder"),
            "training": self.tr("Recordings of other speakers, for back ends to learn from"),
        }

    def _places(self) -> dict[Place, tuple[str, dict[str, str]]]:
        """What a dialog for each is called; its filters, with the ending that each adds."""
        pdf, text, word = {"PDF (*.pdf)": ".pdf"}, {"Text (*.txt)": ".txt"}, {"Word (*.docx)": ".docx"}
        return {
            "outcome": (self.tr("Save the outcome"), pdf),
            "outcome or its text": (self.tr("Save the outcome"), pdf | text),
            "picture": (
                self.tr("Save the picture"),
                {f"{kind.upper()} (*.{kind})": f".{kind}" for kind in FIGURE_KINDS},
            ),
            "project": (self.tr("Save the project"), {self.tr("ZEBRA projects (*.zebra)"): ".zebra"}),
            "report": (self.tr("Export the report"), pdf),
            "requirements": (self.tr("Save"), {"TOML (*.toml)": ".toml"}),
            "signed copy": (self.tr("Save the signed copy"), pdf),
            "summary": (self.tr("Export the summary"), pdf | word),
            "text": (self.tr("Save"), text),
            "Word report": (self.tr("Export the report"), word),
        }

    def ask_to_save(self, name: str) -> SaveChoice:
        """Whether to save the changes before they are lost."""
        return self.with_help(SaveDialog(name, self._window)).ask()

    def ask_pictures(self) -> tuple[Path, tuple[str, ...]] | None:
        """Into which folder to save all pictures, and as what."""
        from zebra_gui.dialogs.pictures import PicturesDialog

        kinds = self.with_help(PicturesDialog(FIGURE_KINDS, self._window)).ask()
        if not kinds:
            return None
        folder = self.ask_folder("pictures")
        return (folder, kinds) if folder else None

    def show_signing(self, path: Path) -> SigningDialog:
        """Where a report is signed, in the place of another."""
        from zebra_gui.dialogs.signing import SigningDialog

        if self._signing is not None:
            self._signing.close()
        self._signing = self.with_help(SigningDialog(path, self._window))
        self._signing.show()
        return self._signing

    def show_verification(self, path: Path) -> VerificationDialog:
        """Where lines appear as a report is verified, in the place of what came of another."""
        from zebra_gui.dialogs.verification import VerificationDialog

        self.close_verification()
        self._verification = self.with_help(VerificationDialog(path, self._window))
        self._verification.show()
        return self._verification

    def close_verification(self) -> None:
        """There is nothing to be shown of verifying a report."""
        if self._verification is not None:
            self._verification.close()
            self._verification.deleteLater()
            self._verification = None

    def show_scales(self, session: Session) -> None:
        """The scales of the project, in a window of their own beside the main one."""
        from zebra_gui.dialogs.scales import ScalesDialog

        if self._scales is None:
            self._scales = self.with_help(ScalesDialog(session, self._window))
        self._scales.show_project()
        self._scales.show()
        self._scales.raise_()
        self._scales.activateWindow()

    def show_fault(self, error: Exception) -> None:
        """A fault in the program; in one window with those before it, or many would fill the screen."""
        if self._fault is not None and isValid(self._fault) and self._fault.isVisible():
            self._fault.add(error)
            return
        self._fault = self.with_help(FaultDialog(error, self._window))
        self._fault.show()

    def show_about(self, jobs: Jobs) -> None:
        """What this is, which versions of what, and under which licences."""
        from zebra_gui.dialogs.page import AboutDialog

        about = self.with_help(AboutDialog(self._window))
        about.licences_asked.connect(partial(self._show_licences, jobs))
        about.open()

    def _show_licences(self, jobs: Jobs) -> None:
        from zebra_gui.dialogs.page import make_licences

        self._show_page(self.tr("Licences"), make_licences, jobs, "text", "ZEBRA-licences.txt")

    def show_citation(self, jobs: Jobs) -> None:
        """How the program and its methods are cited."""
        from zebra_gui.dialogs.page import make_citation

        self._show_page(self.tr("Cite ZEBRA"), make_citation, jobs, "text", "ZEBRA-references.bib")

    def show_check(self, jobs: Jobs) -> None:
        """Whether this installation gives the answers that are known."""
        from zebra_gui.dialogs.page import make_check

        title = self.tr("Check of this installation")
        self._show_page(title, make_check, jobs, "outcome or its text", "ZEBRA-check.pdf")

    def _show_page(self, title: str, make: MakeText, jobs: Jobs, place: Place, suggested: str) -> None:
        from zebra_gui.dialogs.page import PageDialog

        ask = partial(self.ask_place, place)
        self.with_help(PageDialog(title, make, jobs, ask, suggested, self._window)).open()

    def show_manual(self, page: str) -> None:
        """The manual, in a window of its own that stays where the user put it."""
        from zebra_gui.manual.window import ManualWindow

        if self._manual is None:
            self._manual = ManualWindow(self._window)
        self._manual.show_in_front(page)

    def with_help(self, dialog: _Asking) -> _Asking:
        """Let F1 in a dialog show the page about it."""
        asked = QShortcut(QKeySequence(Qt.Key.Key_F1), dialog)
        asked.activated.connect(partial(self._show_page_about, dialog))
        return dialog

    def _show_page_about(self, dialog: QDialog) -> None:
        """A dialog that waits for its answer lets nobody into other windows than its own: it has a manual."""
        from zebra_gui.manual.window import ManualWindow

        if not dialog.isModal():
            self.show_manual(page_about(dialog))
            return
        own = dialog.findChild(ManualWindow) or ManualWindow(dialog)
        own.show_in_front(page_about(dialog))

    def show_shortcuts(self, actions: Sequence[QAction]) -> None:
        """Which keys do what."""
        from zebra_gui.dialogs.page import ShortcutsDialog

        self.with_help(ShortcutsDialog(actions, self._window)).open()


def _asking() -> type[QFileDialog]:
    """The dialogs for files; where the system has none of its own, that of Qt gets columns one can read."""
    QTimer.singleShot(0, _widen_columns)  # once it is shown, which takes the program's attention
    return QFileDialog


def _widen_columns() -> None:
    dialog = QApplication.activeModalWidget()
    if not isinstance(dialog, QFileDialog) or (table := dialog.findChild(QTreeView)) is None:
        return
    metrics, header = table.fontMetrics(), table.header()
    rest = [metrics.horizontalAdvance(widest) + _AROUND_CELL for widest in _WIDEST_CELLS]
    dialog.resize(max(dialog.width(), sum(rest) + _FILE_NAMES), dialog.height())
    for column, width in enumerate(rest, start=1):
        header.resizeSection(column, width)
    header.resizeSection(0, max(table.viewport().width() - sum(rest), _FILE_NAMES // 2))
