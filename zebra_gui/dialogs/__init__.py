"""Questions to the user, all behind one object that a test can replace."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QAction, QKeySequence, QShortcut
from PySide6.QtWidgets import QDialog, QFileDialog, QWidget
from shiboken6 import isValid

from zebra_gui import core_types as core
from zebra_gui.dialogs.fault import FaultDialog
from zebra_gui.dialogs.save import Answer, SaveDialog
from zebra_gui.manual.places import page_about

if TYPE_CHECKING:
    from zebra_gui.dialogs.listening_test import ListeningTestDialog
    from zebra_gui.dialogs.scales import ScalesDialog
    from zebra_gui.dialogs.signing import SigningDialog
    from zebra_gui.dialogs.verification import VerificationDialog
    from zebra_gui.jobs.jobs import Jobs
    from zebra_gui.manual.window import ManualWindow
    from zebra_gui.session.recordings_work import Protecting
    from zebra_gui.session.session import Session


FIGURE_KINDS = ("png", "pdf", "svg", "tex")
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

    def _folder_chosen(self, title: str) -> str:
        name = QFileDialog.getExistingDirectory(self._window, title, self._from())
        if name:
            self.begin_in(Path(name))
        return name

    def _file_chosen(self, title: str, kinds: str = "") -> str:
        name, _ = QFileDialog.getOpenFileName(self._window, title, self._from(), kinds)
        return self._taken(name)

    def _place_chosen(self, title: str, suggested: str, kinds: str) -> tuple[str, str]:
        name, chosen = QFileDialog.getSaveFileName(self._window, title, self._from(suggested), kinds)
        return self._taken(name), chosen

    def ask_files(self) -> list[Path]:
        """Which files to open."""
        names, _ = QFileDialog.getOpenFileNames(
            self._window, self.tr("Open score files and their key, or a project"), self._from()
        )
        self._taken(*names[:1])
        return [Path(name) for name in names]

    def ask_folder_to_open(self) -> Path | None:
        """Which folder to look for score files in."""
        title = self.tr("Open a folder with score files and their keys")
        name = self._folder_chosen(title)
        return Path(name) if name else None

    def ask_file(self, title: str) -> Path | None:
        """One file to read; the title says which."""
        name = self._file_chosen(title)
        return Path(name) if name else None

    def ask_project_file(self, suggested: str) -> tuple[Path, bool] | None:
        """Where to save the project, and whether what is there may be overwritten."""
        title, kind = self.tr("Save the project"), self.tr("ZEBRA projects (*.zebra)")
        name, _ = self._place_chosen(title, suggested, kind)
        if not name:
            return None
        path = Path(name)
        if path.suffix.lower() == ".zebra":
            return path, True  # the dialog has asked
        return path.with_name(f"{path.name}.zebra"), False

    def ask_folder_of_files(self) -> Path | None:
        """In which folder to look for files of the project."""
        title = self.tr("Look for the files of the project in a folder, and below it")
        name = self._folder_chosen(title)
        return Path(name) if name else None

    def ask_folder_for(self, title: str) -> Path | None:
        """A folder; the title says which."""
        name = self._folder_chosen(title)
        return Path(name) if name else None

    def ask_folder_for_scores(self) -> Path | None:
        """Into which folder scores and keys of recordings are written."""
        name = self._folder_chosen(self.tr("Save scores and keys into an empty folder"))
        return Path(name) if name else None

    def ask_listening_test(self) -> Path | None:
        """Which listener's test to take."""
        kinds = self.tr("Listening tests (*.zebra-listening)")
        name = self._file_chosen(self.tr("Take a listening test"), kinds)
        return Path(name) if name else None

    def ask_model(self) -> Path | None:
        """Which recogniser of the user's own."""
        name = self._file_chosen(self.tr("Choose a recogniser"), "ONNX (*.onnx)")
        return Path(name) if name else None

    def ask_to_protect(self, folder: Path | None, source: core.Source | None) -> Protecting | None:
        """Which recordings to protect, how, and where to put the copies."""
        from zebra_gui.dialogs.protecting import ProtectDialog

        return self.with_help(ProtectDialog(folder, source, self._folder_chosen, self._window)).ask()

    def show_listening_test(self, failed: Callable[[Exception], object]) -> ListeningTestDialog:
        """Where a listening test is made; `failed` is told of faults of the program."""
        from zebra_gui.dialogs.listening_test import ListeningTestDialog

        dialog = ListeningTestDialog(self._folder_chosen, self._file_chosen, failed, self._window)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.with_help(dialog).show()
        return dialog

    def ask_folder_of_recordings(self) -> Path | None:
        """Below which folder recordings lie that scores were made from."""
        name = self._folder_chosen(self.tr("Folder with the recordings, original and protected"))
        return Path(name) if name else None

    def ask_to_save(self, name: str) -> Answer:
        """Whether to save the changes before they are lost."""
        return self.with_help(SaveDialog(name, self._window)).ask()

    def ask_figure_file(self, suggested: str) -> Path | None:
        """Where to save a figure; the ending says as what."""
        filters = [f"{kind.upper()} (*.{kind})" for kind in FIGURE_KINDS]
        title = self.tr("Save the picture")
        name, chosen = self._place_chosen(title, suggested, ";;".join(filters))
        if not name:
            return None
        path = Path(name)
        if path.suffix.lower().lstrip(".") in FIGURE_KINDS:
            return path
        return path.with_name(f"{path.name}.{FIGURE_KINDS[filters.index(chosen)]}")

    def ask_report_file(self, suggested: str) -> Path | None:
        """Where to save the report."""
        title = self.tr("Export the report")
        name, _ = self._place_chosen(title, suggested, "PDF (*.pdf)")
        if not name:
            return None
        path = Path(name)
        return path if path.suffix.lower() == ".pdf" else path.with_name(f"{path.name}.pdf")

    def ask_folder(self) -> Path | None:
        """Into which folder to save everything."""
        name = self._folder_chosen(self.tr("Export everything into a folder"))
        return Path(name) if name else None

    def ask_folder_for_dossier(self) -> Path | None:
        """Into which folder to save the validation dossier."""
        name = self._folder_chosen(self.tr("Save the validation dossier into a folder"))
        return Path(name) if name else None

    def ask_pictures(self) -> tuple[Path, tuple[str, ...]] | None:
        """Into which folder to save all pictures, and as what."""
        from zebra_gui.dialogs.pictures import PicturesDialog

        kinds = self.with_help(PicturesDialog(FIGURE_KINDS, self._window)).ask()
        if not kinds:
            return None
        name = self._folder_chosen(self.tr("Save all pictures into a folder"))
        return (Path(name), kinds) if name else None

    def ask_logo(self) -> Path | None:
        """Which picture to put on the report."""
        title = self.tr("Choose a logo")
        name = self._file_chosen(title, "PNG, SVG (*.png *.svg)")
        return Path(name) if name else None

    def ask_report(self) -> Path | None:
        """Which report to verify."""
        title = self.tr("Verify a report")
        name = self._file_chosen(title, "PDF, evidence.json (*.pdf *.json)")
        return Path(name) if name else None

    def ask_report_to_sign(self) -> Path | None:
        """Which report to sign."""
        name = self._file_chosen(self.tr("Sign a report"), "PDF (*.pdf)")
        return Path(name) if name else None

    def ask_key(self) -> Path | None:
        """Which certificate with its key."""
        name = self._file_chosen(self.tr("Certificate with its key"), "PKCS #12 (*.p12 *.pfx)")
        return Path(name) if name else None

    def ask_certificate(self) -> Path | None:
        """Which certificate the user trusts."""
        name = self._file_chosen(self.tr("Certificate that you trust"), "PEM, DER (*.pem *.crt *.cer *.der)")
        return Path(name) if name else None

    def show_signing(self, path: Path) -> SigningDialog:
        """Where a report is signed, in the place of another."""
        from zebra_gui.dialogs.signing import SigningDialog

        if self._signing is not None:
            self._signing.close()
        self._signing = self.with_help(SigningDialog(path, self._window))
        self._signing.show()
        return self._signing

    def ask_data_folder(self) -> Path | None:
        """Below which folder the files of a report lie."""
        title = self.tr("Folder with the files of the report")
        name = self._folder_chosen(title)
        return Path(name) if name else None

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

    def ask_page_file(self, suggested: str) -> Path | None:
        """Where to save the page about a check: as PDF, or as text."""
        kinds = {"PDF (*.pdf)": ".pdf", "Text (*.txt)": ".txt"}
        title = self.tr("Save the outcome")
        name, chosen = self._place_chosen(title, suggested, ";;".join(kinds))
        if not name:
            return None
        path = Path(name)
        if path.suffix.lower() in kinds.values():
            return path
        return path.with_name(f"{path.name}{kinds.get(chosen, '.pdf')}")

    def ask_page_pdf(self, suggested: str) -> Path | None:
        """Where to save it as PDF alone."""
        title = self.tr("Save the outcome")
        name, _ = self._place_chosen(title, suggested, "PDF (*.pdf)")
        if not name:
            return None
        path = Path(name)
        return path if path.suffix.lower() == ".pdf" else path.with_name(f"{path.name}.pdf")

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

    def ask_text_file(self, suggested: str) -> Path | None:
        """Where to save a page of text."""
        name, _ = self._place_chosen(self.tr("Save"), suggested, "Text (*.txt)")
        return Path(name) if name else None

    def show_about(self, jobs: Jobs) -> None:
        """What this is, which versions of what, and under which licences."""
        from zebra_gui.dialogs.about import AboutDialog

        about = self.with_help(AboutDialog(self._window))
        about.licences_asked.connect(partial(self._show_licences, jobs))
        about.open()

    def _show_licences(self, jobs: Jobs) -> None:
        from zebra_gui.dialogs.page import PageDialog, make_licences

        title = self.tr("Licences")
        self.with_help(
            PageDialog(title, make_licences, jobs, self.ask_text_file, "ZEBRA-licences.txt", self._window)
        ).open()

    def show_check(self, jobs: Jobs) -> None:
        """Whether this installation gives the answers that are known."""
        from zebra_gui.dialogs.page import PageDialog, make_check

        title = self.tr("Check of this installation")
        self.with_help(
            PageDialog(title, make_check, jobs, self.ask_page_file, "ZEBRA-check.pdf", self._window)
        ).open()

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
        from zebra_gui.dialogs.shortcuts import ShortcutsDialog

        self.with_help(ShortcutsDialog(actions, self._window)).open()
