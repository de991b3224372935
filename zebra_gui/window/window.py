"""The main window: puts menus, notices, workspace and status bar together, and takes drops."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QMimeData, QObject, Qt, QUrl, Signal
from PySide6.QtGui import QAction, QCloseEvent, QDropEvent, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QMainWindow, QPushButton, QStackedWidget, QToolButton, QWidget

from zebra_core.wording.texts import visible
from zebra_gui.dialogs import Dialogs
from zebra_gui.document.bars import InputsBar, LockedBar, RecoveryBar
from zebra_gui.document.changed_files import ChangedFiles
from zebra_gui.document.document import Documents
from zebra_gui.document.recents import RecentProjects
from zebra_gui.jobs.jobs import Jobs, StepwiseWork
from zebra_gui.jobs.memory_trimmer import MemoryTrimmer
from zebra_gui.listening.actions import ListeningActions
from zebra_gui.recordings.actions import RecordingsActions
from zebra_gui.session.session import AutomaticIntervals, Session
from zebra_gui.widgets.layouts import in_column
from zebra_gui.widgets.theme import Theme
from zebra_gui.widgets.urls import path_of
from zebra_gui.window.edit_menu import EditMenu
from zebra_gui.window.exports import CommandCopies, Exports, SharingActions
from zebra_gui.window.menus import AssessMenu, ExportMenu, FileMenu, HelpMenu, RecordingsMenu
from zebra_gui.window.notices import CountingBar, ProblemBar, StoppedBar, WaitingBar
from zebra_gui.window.pane_layouts import PaneLayouts
from zebra_gui.window.reporting import ReportActions, SigningActions, ValidatedBar, ValidationActions
from zebra_gui.window.start_page import StartPage
from zebra_gui.window.status import StatusBar
from zebra_gui.window.view_menu import (
    View,
    ViewMenu,
    keep_for_next_time,
    show_as_last_time,
    show_view,
    view_of,
)

if TYPE_CHECKING:
    from zebra_gui.sheet.page import IntakeSheet
    from zebra_gui.window.workspace import Workspace


_SAVED_MESSAGE_MS = 8000


_LOADED_LATE = ("pandas", "scipy.optimize", "scipy.sparse.csgraph", "scipy.special")


class FileDrops(QObject):
    """Watches widgets that files may be dropped on.

    Signals:
        dropped: the local files of a drop, and those URLs that are no local file.
        dragging_changed: files are being held over a widget, or no longer.
    """

    dropped = Signal(list, list)
    dragging_changed = Signal(bool)

    def watch(self, widget: QWidget) -> None:
        """Take drops on this widget and on everything in it."""
        widget.setAcceptDrops(True)
        widget.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() is QEvent.Type.DragLeave:
            self.dragging_changed.emit(False)
            return False
        if not isinstance(event, QDropEvent) or not event.mimeData().hasUrls():
            return False
        event.acceptProposedAction()
        is_drop = event.type() is QEvent.Type.Drop
        if event.type() is QEvent.Type.DragEnter or is_drop:
            self.dragging_changed.emit(not is_drop)
        if is_drop:
            self.dropped.emit(*_sorted(event.mimeData()))
        return True


def _sorted(mime: QMimeData) -> tuple[list[Path], list[str]]:
    urls: Sequence[QUrl] = mime.urls()
    paths = [path_of(url) for url in urls]
    elsewhere = [url.toDisplayString() for url, path in zip(urls, paths, strict=True) if path is None]
    return [path for path in paths if path is not None], elsewhere


class CancelAction(QObject):
    """An action that is in no menu: its button is where the job is."""

    def __init__(
        self,
        jobs: Jobs,
        automatic: AutomaticIntervals,
        session: Session,
        recordings: RecordingsActions,
        window: QWidget,
    ) -> None:
        super().__init__(window)
        self._jobs, self._automatic = jobs, automatic
        self._session, self._recordings = session, recordings
        self.action = QAction(self.tr("Cancel the jobs"), window)
        self.action.setShortcut(QKeySequence("Esc"))
        self.action.triggered.connect(self._on_cancel)
        window.addAction(self.action)
        for queue in (jobs, recordings.state.jobs, automatic.jobs):
            queue.changed.connect(self._update)
        session.arrivals.arrival_changed.connect(self._update)
        recordings.changed.connect(self._update)
        self._update()

    def _update(self) -> None:
        works = self._jobs.wanted or self._automatic.jobs.wanted
        is_asking = self._session.arrivals.arrival is not None or self._recordings.is_shown
        self.action.setEnabled(bool(works) or is_asking)

    def _on_cancel(self) -> None:
        """Jobs first; once there are none, the files that wait for answers, and what nobody asked for."""
        if self._jobs.wanted:
            self._jobs.cancel_all()
        elif self._session.arrivals.arrival is not None:
            self._session.arrivals.dismiss()
        elif self._recordings.is_shown:
            self._recordings.state.cancel()
        else:
            self._automatic.cancel()


class Window(QMainWindow):
    """The window. Its workspace is made when the first assessment is there to be shown."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle("ZEBRA")
        self.resize(1280, 800)
        self.jobs = Jobs(self)
        self.session = Session(self.jobs, self)
        self.dialogs = Dialogs(self)
        self.exports = Exports(self.session, self.jobs, self.dialogs, self)
        self.signing = SigningActions(self.session, self.jobs, self.dialogs, self)
        self.validating = ValidationActions(self.session, self.jobs, self.dialogs, self)
        view = self.view, self.show_view
        self.documents = Documents(self.session, self.jobs, self.dialogs, view, self)
        self.command_copies = CommandCopies(self.session, self.documents, self)
        self.reporting = ReportActions(self.session, self.jobs, self.dialogs, self.documents, self)
        self.recordings = RecordingsActions(self.session, self.dialogs, self.documents, self)
        self.listening = ListeningActions(self.session, self.dialogs, self)
        self.sharing = SharingActions(self.session, self.jobs, self.dialogs, self.documents, self)
        self.changed_files = ChangedFiles(self.session, self.documents, self)
        self.automatic_intervals = AutomaticIntervals(self.session, self.jobs, self)
        self._beside = self.recordings.state.jobs, self.automatic_intervals.jobs
        self._memory_trimmer = MemoryTrimmer((self.jobs, *self._beside, *self.session.drawing.queues), self)
        self.theme = theme
        self.pane_layouts = PaneLayouts(self)
        self.workspace: Workspace | None = None
        self.preparing = StepwiseWork(_import_workspace, self._make_workspace, self)
        self.session.preparing = self.preparing
        self.sheet: IntakeSheet | None = None
        self._is_new_case = True  # nothing of what is open has been looked at yet

        self._add_menus()
        self.cancelling = CancelAction(
            self.jobs, self.automatic_intervals, self.session, self.recordings, self
        )
        self._fill()
        self._watch()
        show_as_last_time(self)

    def open_paths(self, paths: Sequence[Path]) -> None:
        """Open files as if they had been dropped."""
        if paths:
            self.dialogs.begin_in(paths[0].parent)
            self.documents.open_paths(paths)

    def view(self) -> View:
        """The layout of the window, and what is selected in it."""
        return view_of(self.session, self.workspace, self.pane_layouts, self)

    def show_view(self, view: View) -> None:
        """Restore the saved layout where possible."""
        show_view(self.session, self.workspace, self.pane_layouts, self, view)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter presses the button that has the focus; Qt does so in dialogs only."""
        focused = self.focusWidget()
        is_enter = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
        if is_enter and isinstance(focused, QPushButton | QToolButton):
            focused.click()
        else:
            super().keyPressEvent(event)

    def closeEvent(self, event: QCloseEvent) -> None:
        event.ignore()  # a fault in what comes next must not close the window: nothing is lost unasked
        if not self.documents.may_go(self.close):
            return
        event.accept()
        keep_for_next_time(self.workspace, self)
        self.documents.shut_down()
        self.automatic_intervals.stop()
        self.changed_files.stop()
        self.jobs.drop_all()
        self.recordings.state.dismiss()
        self.session.kept.leave()
        self.listening.close_all()
        self.session.drawing.drop_all()
        self._memory_trimmer.stop()
        super().closeEvent(event)

    def finish(self, most_ms: int) -> bool:
        """Once it is closed, wait until no thread is left, at most so long in all; whether it is so."""
        beside = *self._beside, self.changed_files.jobs, *self.session.drawing.queues
        until = time.monotonic() + most_ms / 1000.0
        return all(
            one.finish(max(0, round(1000.0 * (until - time.monotonic()))))
            for one in (self.jobs, *beside, self.documents.autosave, self._memory_trimmer)
        )

    def _add_menus(self) -> None:
        workspace = self._shown_workspace
        self.file_menu = FileMenu(
            self.session,
            (self.documents, self.changed_files, self.sharing),
            self.reporting,
            self.dialogs,
            self.recordings,
            self,
        )
        documents = self.file_menu.document_actions
        self.recordings_menu = RecordingsMenu(self.recordings, self.listening, documents, self)
        self.edit_menu = EditMenu(self.session, self.dialogs, workspace, self)
        self.view_menu = ViewMenu(self.session, (self.theme, self.pane_layouts), self._areas, self)
        self.assess_menu = AssessMenu(self.session, self.automatic_intervals, workspace, self)
        exporting = self.exports, self.sharing, self.signing, self.command_copies
        self.export_menu = ExportMenu(self.session, exporting, workspace, self)
        self.help_menu = HelpMenu(self.validating, self.jobs, self.dialogs, self._in_front, self)
        for menu in (
            self.file_menu,
            self.edit_menu,
            self.recordings_menu,
            self.view_menu,
            self.assess_menu,
            self.export_menu,
            self.help_menu,
        ):
            self.menuBar().addMenu(menu)

    def _shown_workspace(self) -> Workspace | None:
        return self.workspace

    def _in_front(self) -> QWidget:
        """The pane or the page that the user looks at."""
        front = self._pages.currentWidget()
        return self.workspace.front_pane if self.workspace and front is self.workspace else front

    # What is in the window

    def _fill(self) -> None:
        self.start_page = StartPage(
            self.session,
            (
                self.file_menu.open_action,
                self.file_menu.document_actions.open_folder,
                self.file_menu.demo_action,
                self.recordings.demo,
            ),
            RecentProjects(self.documents.open, self.changed_files.jobs),
            self.pane_layouts,
        )
        self.problem_bar = ProblemBar(self.session)
        self.waiting_bar = WaitingBar(self.session)
        self.stopped_bar = StoppedBar(self.session)
        self.counting_bar = CountingBar(self.session)
        self.validated_bar = ValidatedBar(self.validating)
        self._pages = QStackedWidget()
        self._pages.addWidget(self.start_page)
        notices = in_column(margins=(8, 0, 8, 0))
        self.recovery_bar = RecoveryBar(self.documents)
        self.locked_bar = LockedBar(self.documents)
        actions = self.file_menu.document_actions
        self.inputs_bar = InputsBar(self.session, actions.find_button(), actions.read_again_button())
        notices.addWidget(self.problem_bar)
        for bar in (self.recordings.alike_bar, self.recordings.again_bar):
            notices.addWidget(bar)
        for bar in (self.recovery_bar, self.locked_bar, self.inputs_bar):
            notices.addWidget(bar)
        notices.addWidget(self.waiting_bar)
        notices.addWidget(self.counting_bar)
        notices.addWidget(self.stopped_bar)
        notices.addWidget(self.validated_bar)
        self._bottom = QWidget()
        self._below = in_column(on=self._bottom, margins=(8, 0, 8, 8))
        middle = QWidget()
        in_column(notices, (self._pages, 1), self._bottom, on=middle, margins=(0, 8, 0, 0), spacing=4)
        self.setCentralWidget(middle)
        self._status = StatusBar(self.session, (self.jobs, *self._beside), self.cancelling.action)
        self._status.topic_requested.connect(self._on_topic_requested)
        self.setStatusBar(self._status)

    def _on_topic_requested(self, topic: str) -> None:
        if self.workspace is not None:
            self.workspace.show_topic(topic)

    def _watch(self) -> None:
        self._drops = FileDrops(self)
        self._drops.watch(self)
        self._drops.dropped.connect(self._on_dropped)
        self._drops.dragging_changed.connect(self.start_page.show_dragging)
        self.session.restarting.connect(self._on_restarting)
        self.session.project_changed.connect(self._on_project_changed)
        self.session.arrivals.arrival_changed.connect(self._on_arrival_changed)
        self.recordings.changed.connect(self._on_arrival_changed)
        self.recordings.playing.export_requested.connect(self.exports.save_figure)
        self.recordings.playing.copy_requested.connect(self.exports.copy_figure)
        self.problem_bar.verification_requested.connect(self.reporting.verify_this)
        for saved in (
            self.exports.saved,
            self.command_copies.copied,
            self.sharing.saved,
            self.documents.saved,
            self.recordings.announced,
            self.view_menu.languages.announced,
        ):
            saved.connect(self._on_saved)
        self.changed_files.announced.connect(self._on_saved)
        self.session.requirements.announced.connect(self._on_saved)
        self.validating.announced.connect(self._on_saved)
        self.session.arrivals.announced.connect(self._on_saved)
        self.documents.changed.connect(self._show_title)
        self.documents.tests_came.connect(self.listening.take_tests)
        self.session.topic_changed.connect(self._show_prior)
        self.session.faulted.connect(self.dialogs.show_fault)
        self.session.left.connect(self.statusBar().clearMessage)
        self._on_project_changed()

    def _areas(self) -> list[QWidget]:
        """What F6 goes through, from top to bottom and from left to right."""
        first = (self.problem_bar, self.recovery_bar, self.locked_bar)
        bars = (*first, self.inputs_bar, self.waiting_bar, self.validated_bar)
        page = self._pages.currentWidget()
        shown = self.workspace.areas() if self.workspace and page is self.workspace else [page]
        return [*bars, *shown, self._bottom, self.statusBar()]

    def _make_workspace(self) -> Iterator[None]:
        """The steps in which the workspace is made; it is there after the last."""
        from zebra_gui.panes.prior import PriorBar
        from zebra_gui.window.workspace import Workspace

        workspace = Workspace(self.session, self.file_menu.open_action, self.pane_layouts)
        self._pages.addWidget(workspace)
        yield from workspace.fill(self._pages.size())
        workspace.export_requested.connect(self.exports.save_figure)
        workspace.copy_requested.connect(self.exports.copy_figure)
        workspace.report_requested.connect(self.exports.save_report)
        workspace.word_requested.connect(self.exports.save_word)
        workspace.nameless_requested.connect(self.sharing.save_report)
        workspace.logo_requested.connect(self.reporting.choose_logo)
        workspace.hearing_requested.connect(self.recordings.playing.show_entry)
        workspace.guide.manual_asked.connect(self.help_menu.show_manual)
        self._below.addWidget(PriorBar(self.session))
        self._drops.watch(workspace)  # it takes docks, and so Qt asks it, and not the window, about files
        tree = workspace.evidence.tree
        for widget in (*workspace.docks, tree, tree.viewport()):
            self._drops.watch(widget)  # a floating dock is a window of its own; the tree takes its rows
        self.view_menu.add_panes(workspace)
        tree.addActions(self.edit_menu.for_tree(self.file_menu.document_actions.read_again))
        workspace.evidence.condition_asked.connect(self.edit_menu.stated.condition_menu.popup)
        self.workspace = workspace

    # What happens

    def _on_dropped(self, paths: list[Path], elsewhere: list[str]) -> None:
        self.open_paths(paths)
        sentence = self.tr("“{url}” is not a file on this computer. Save it here first, then drop the file.")
        for url in elsewhere:
            self.session.report_problem(sentence.format(url=visible(url)))

    def _on_restarting(self) -> None:
        self._is_new_case = True

    def _on_project_changed(self) -> None:
        has_entries = bool(self.session.items)
        if has_entries and self.workspace is None:
            self.preparing.finish()
        if has_entries and self._is_new_case and self.workspace is not None:
            self._is_new_case = False
            self._show_page()  # first: Qt raises no dock of a window that is not shown
            self.pane_layouts.begin_anew()
            self.workspace.begin_at_first_pane()
        self._show_page()
        self.export_menu.update_all()  # once the workspace is there

    def _show_title(self) -> None:
        name = self.documents.name.replace("[*]", "[*][*]")  # Qt puts the mark where the first one stands
        self.setWindowTitle(f"{name}[*] – ZEBRA" if name else "ZEBRA")
        self.setWindowModified(self.documents.is_modified)

    def _on_arrival_changed(self) -> None:
        if self.session.arrivals.arrival is not None and self.sheet is None:
            from zebra_gui.sheet.page import IntakeSheet

            self.sheet = IntakeSheet(self.session)
            self._pages.addWidget(self.sheet)
        self._show_page()

    def _show_page(self) -> None:
        """The sheet while files wait for answers; else what is open, or the invitation."""
        if self.session.arrivals.arrival is not None and self.sheet:
            self._pages.setCurrentWidget(self.sheet)
        elif self.recordings.is_shown:
            self._pages.setCurrentWidget(self.recordings.show_page(self._pages))
        elif self.session.items and self.workspace:
            self._pages.setCurrentWidget(self.workspace)
        else:
            self._pages.setCurrentWidget(self.start_page)
        hears = self._pages.currentWidget() is self.recordings.page
        self._status.leave_out(self.recordings.state.hearing if hears else None)
        self._show_prior()

    def _show_prior(self) -> None:
        """The prior stands below panes that follow it."""
        shown = self.workspace if self._pages.currentWidget() is self.workspace else None
        self._bottom.setVisible(shown is not None and shown.front_pane.follows_prior)

    def _on_saved(self, sentence: str) -> None:
        self.statusBar().showMessage(sentence, _SAVED_MESSAGE_MS)


def _import_workspace() -> None:
    """In the thread of the first job: the panes, matplotlib's fonts and the libraries take their time."""
    for name in (*_LOADED_LATE, "zebra_gui.window.workspace"):
        import_module(name)
