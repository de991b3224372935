"""A page of text that a job puts together: it can be read, copied and saved."""

from __future__ import annotations

import platform
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from PySide6.QtCore import Qt, Signal, qVersion
from PySide6.QtGui import QAction, QFontDatabase, QGuiApplication, QKeySequence
from PySide6.QtWidgets import (
    QAbstractItemView,
    QDialog,
    QHeaderView,
    QPlainTextEdit,
    QProgressBar,
    QPushButton,
    QTableWidget,
    QTableWidgetItem,
    QWidget,
)

from zebra_core.errors import ZebraError
from zebra_core.files.access import write_file
from zebra_core.installation.licences import licence_text
from zebra_core.installation.selftest import lines_of, page, page_pdf, selftest
from zebra_core.report.citation import citation
from zebra_core.runtime.progress import Progress
from zebra_core.version import versions
from zebra_core.wording.texts import named, visible
from zebra_gui.jobs.jobs import Job, Jobs, Watch
from zebra_gui.tables.rows import let_copy, table_in
from zebra_gui.widgets.layouts import in_column, in_row, label, tell


@dataclass(frozen=True)
class TextPage:
    """A text, and the same as a PDF, where there is one."""

    text: str
    pdf: bytes = b""


MakeText = Callable[[Watch], str | TextPage]
"""Makes the page; the text so far may be given as it comes."""
AskFile = Callable[[str], Path | None]
"""Where to save, given a name to suggest; None for nowhere."""


class PageDialog(QDialog):
    """The page, and what can be done with it. Closing it stops the job that makes it."""

    def __init__(
        self,
        title: str,
        make_text: MakeText,
        jobs: Jobs,
        ask_file: AskFile,
        file_name: str,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(title)
        self._jobs = jobs
        self._ask_file = ask_file
        self._file_name = file_name
        self._page = TextPage("")
        self.text = QPlainTextEdit()
        self.text.setLayoutDirection(Qt.LayoutDirection.LeftToRight)  # its columns, and names of programs
        self.text.setReadOnly(True)
        self.text.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.text.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        self.text.setAccessibleName(title)
        self.progress = QProgressBar()
        self.progress.setRange(0, 100)
        self.progress.setAccessibleName(self.tr("Progress"))
        self.remark = label("", "quiet")
        self.copy_button = self._button(self.tr("&Copy"), self._on_copy)
        self.save_button = self._button(self.tr("&Save…"), self._on_save)
        close = self._button(self.tr("Close"), self.accept)
        close.setDefault(True)
        in_column(
            self.progress,
            (self.text, 1),
            self.remark,
            in_row(self.copy_button, self.save_button, 1, close),
            on=self,
            margins=(18, 16, 18, 16),
            spacing=10,
        )
        self.resize(860, 600)
        self._start(make_text)

    def _button(self, text: str, on_clicked: Callable[[], object]) -> QPushButton:
        button = QPushButton(text)
        button.clicked.connect(lambda _checked=False: on_clicked())
        return button

    def _start(self, make_text: MakeText) -> None:
        for button in (self.copy_button, self.save_button):
            button.setEnabled(False)
        self._job: Job | None = self._jobs.start(self.windowTitle(), make_text)
        self._job.progressed.connect(self._on_progressed)
        self._job.got_partial.connect(self.text.setPlainText)
        self._job.done.connect(self._on_made)
        self._job.failed.connect(self._on_failed)
        self._job.cancelled.connect(self._on_cancelled)
        self.finished.connect(self._on_finished)

    def _on_progressed(self, share_done: float) -> None:
        self.progress.setValue(round(100 * share_done))

    def _on_cancelled(self) -> None:
        self._end(self.tr("Cancelled."))

    def _on_finished(self) -> None:
        if self._job:
            self._job.cancel()

    def _on_made(self, made: str | TextPage) -> None:
        self._page = made if isinstance(made, TextPage) else TextPage(made)
        self.text.setPlainText(self._page.text)
        for button in (self.copy_button, self.save_button):
            button.setEnabled(True)
        self._end("")

    def _on_failed(self, error: Exception) -> None:
        sentence = str(error) if isinstance(error, ZebraError) else named(type(error).__name__, str(error))
        self._end(sentence)

    def _end(self, remark: str) -> None:
        self._job = None
        self.progress.hide()
        self.remark.setText(remark)

    def _on_copy(self) -> None:
        QGuiApplication.clipboard().setText(self.text.toPlainText())
        self.remark.setText(self.tr("Copied."))

    def _on_save(self) -> None:
        if path := self._ask_file(self._file_name):
            is_pdf = bool(self._page.pdf) and path.suffix.lower() == ".pdf"
            content = self._page.pdf if is_pdf else self._page.text.encode()
            name = self.tr("Saving {name}").format(name=visible(path.name))
            job = self._jobs.start(name, partial(_save, path, content), keeps_partial=True)
            job.done.connect(self._on_saved)
            job.failed.connect(self._on_failed)

    def _on_saved(self, path: Path) -> None:
        name, folder = visible(path.name), visible(str(path.parent), 200)
        self.remark.setText(self.tr("Saved {name} in {folder}").format(name=name, folder=folder))


# What the jobs do. What they need is imported there: it takes its time.


def make_licences(on_progress: Progress) -> str:
    """The licences of all that comes along."""
    on_progress(0.1)
    return licence_text()


def make_citation(on_progress: Progress) -> str:
    """How the program and its methods are cited."""
    on_progress(0.1)
    return citation()


def make_check(watch: Watch) -> TextPage:
    """The page of the known-answer tests; their lines come as they are made."""
    found = selftest(watch, on_checked=lambda checks: watch.give_partial("\n".join(lines_of(checks))))
    return TextPage(page(found), page_pdf(found))


def _save(path: Path, content: bytes, on_progress: Progress) -> Path:
    on_progress(0.1)
    return write_file(path, content, overwrite=True)  # the dialog has asked before


# Keyboard shortcuts: a list made from the actions themselves.


class ShortcutsDialog(QDialog):
    """A table of what can be done and with which keys."""

    def __init__(self, actions: Sequence[QAction], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Keyboard shortcuts"))
        rows = [*_of_actions(actions), *self._of_figures()]
        self.table = QTableWidget(len(rows), 2)
        self.table.setAccessibleName(self.windowTitle())
        self.table.setHorizontalHeaderLabels([self.tr("Action"), self.tr("Keys")])
        self.table.verticalHeader().hide()
        self.table.setShowGrid(False)
        self.table.setTabKeyNavigation(False)  # or Tab would go through all cells
        self.table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.table.setSelectionMode(QAbstractItemView.SelectionMode.NoSelection)
        self.table.horizontalHeader().setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        self.table.horizontalHeader().setSectionResizeMode(1, QHeaderView.ResizeMode.ResizeToContents)
        self.table.horizontalHeader().setDefaultAlignment(Qt.AlignmentFlag.AlignLeft)
        for row, texts in enumerate(rows):
            for column, text in enumerate(texts):
                self.table.setItem(row, column, QTableWidgetItem(text))
        let_copy(self.table, lambda: table_in(self.table))
        close = QPushButton(self.tr("Close"))
        close.setDefault(True)
        close.clicked.connect(self.accept)
        in_column(
            self.table, (close, 0, Qt.AlignmentFlag.AlignRight), on=self, margins=(18, 16, 18, 16), spacing=12
        )
        self.resize(600, 520)

    def _of_figures(self) -> list[tuple[str, str]]:
        return [
            (self.tr("Picture: move the cursor"), self.tr("Left, Right, Page Up, Page Down")),
            (self.tr("Picture: go to another curve"), self.tr("Up, Down")),
            (self.tr("Picture: show everything again"), self.tr("Home")),
        ]


def _of_actions(actions: Sequence[QAction]) -> list[tuple[str, str]]:
    native = QKeySequence.SequenceFormat.NativeText
    return [
        (action.text().replace("&", ""), action.shortcut().toString(native))
        for action in actions
        if not action.shortcut().isEmpty()
    ]


# About: what this is, which versions of what it runs on, and under which licences.


_LEAST_WIDTH = 430


class AboutDialog(QDialog):
    """One page, with buttons that copy the versions for a letter to us and that show all licences.

    Signals:
        licences_asked: the user wants to read the licences of all that comes along.
    """

    licences_asked = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("About ZEBRA"))
        self.versions = version_lines()
        about = label(
            self.tr("How much does protected speech still give away about who is speaking?"), "subheading"
        )
        licences = label(
            self.tr(
                "ZEBRA is free software under the Apache License 2.0. It uses Qt and PySide6 under the GNU "
                "Lesser General Public License 3, whose libraries you may replace by your own, and the "
                "Inter typeface under the SIL Open Font License 1.1."
            ),
            "quiet",
        )
        listed = label()
        tell(listed, self.tr("Versions"), "\n".join(self.versions))
        listed.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        copy = QPushButton(self.tr("Copy versions"))
        copy.clicked.connect(self._on_copy)
        more = QPushButton(self.tr("&Licences…"))
        more.setAccessibleDescription(self.tr("The licences of everything included, with their texts"))
        more.clicked.connect(lambda _checked=False: self.licences_asked.emit())
        close = QPushButton(self.tr("Close"))
        close.setDefault(True)
        close.clicked.connect(self.accept)

        layout = in_column(
            label("ZEBRA", "invitation"),
            about,
            listed,
            licences,
            in_row(copy, more, 1, close),
            on=self,
            margins=(24, 20, 24, 18),
            spacing=14,
        )
        width = max(_LEAST_WIDTH, layout.sizeHint().width())
        self.setMinimumWidth(width)
        self.resize(width, layout.totalHeightForWidth(width))  # as many lines as the words need in it
        close.setFocus()

    def _on_copy(self) -> None:
        QGuiApplication.clipboard().setText("\n".join(self.versions))


def version_lines() -> tuple[str, ...]:
    """The program and what it runs on, one a line."""
    return tuple(f"{name} {version}" for name, version in versions_here().items())


def versions_here() -> dict[str, str]:
    """The versions of the program and of what it runs on, name to version."""
    return {**versions(), "qt": qVersion(), "system": platform.platform()}
