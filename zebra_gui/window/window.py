"""The main window: puts menus, notices, workspace and status bar together, and takes drops."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QCloseEvent, QGuiApplication, QKeySequence
from PySide6.QtWidgets import QMainWindow, QStackedWidget, QVBoxLayout, QWidget

from zebra_core.wording.texts import visible
from zebra_gui.dialogs import Dialogs
from zebra_gui.document.bars import InputsBar, LockedBar, RecoveryBar
from zebra_gui.document.changed_files import ChangedFiles
from zebra_gui.document.document import Documents
from zebra_gui.document.menu import DocumentActions
from zebra_gui.jobs.jobs import Jobs
from zebra_gui.jobs.memory_trimmer import MemoryTrimmer
from zebra_gui.jobs.preparing import Preparing
from zebra_gui.manual.places import page_about
from zebra_gui.session.automatic_intervals import AutomaticIntervals
from zebra_gui.session.session import Session
from zebra_gui.widgets.menus import add_action, add_choices
from zebra_gui.widgets.theme import Theme, ThemeChoice
from zebra_gui.window.areas import Areas
from zebra_gui.window.drops import FileDrops
from zebra_gui.window.exports import Exports
from zebra_gui.window.item_actions import ItemActions
from zebra_gui.window.language_menu import LanguageMenu
from zebra_gui.window.listening import ListeningActions
from zebra_gui.window.notices import OlderBar, ProblemBar, StoppedBar, WaitingBar
from zebra_gui.window.recordings import RecordingsActions
from zebra_gui.window.reporting import Reporting
from zebra_gui.window.sharing import Sharing
from zebra_gui.window.signing import Signing
from zebra_gui.window.start_page import StartPage
from zebra_gui.window.stated_menus import StatedMenus
from zebra_gui.window.status import StatusBar
from zebra_gui.window.validating import ValidatedBar, Validating
from zebra_gui.window.view import View, keep_for_next_time, show_as_last_time, show_view, view_of

if TYPE_CHECKING:
    from zebra_gui.panes.evidence import EvidencePane
    from zebra_gui.panes.pane import FigureCard
    from zebra_gui.sheet.page import IntakeSheet
    from zebra_gui.window.workspace import Workspace

_SAVED_MESSAGE_MS = 8000


class Window(QMainWindow):
    """The window. Its workspace is made when the first assessment is there to be shown."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle("ZEBRA")
        self.setMinimumSize(760, 520)
        self.resize(1280, 800)
        self.jobs = Jobs(self)
        self.session = Session(self.jobs, self)
        self.dialogs = Dialogs(self)
        self.exports = Exports(self.session, self.jobs, self.dialogs, self)
        self.reporting = Reporting(self.session, self.jobs, self.dialogs, self)
        self.signing = Signing(self.session, self.jobs, self.dialogs, self)
        self.validating = Validating(self.session, self.jobs, self.dialogs, self)
        view = self.view, self.show_view
        self.documents = Documents(self.session, self.jobs, self.dialogs, view, self)
        self.recordings = RecordingsActions(self.session, self.dialogs, self.documents, self)
        self.listening = ListeningActions(self.session, self.dialogs, self)
        self.sharing = Sharing(self.session, self.jobs, self.dialogs, self.documents, self)
        self.changed_files = ChangedFiles(self.session, self.documents, self)
        self.automatic_intervals = AutomaticIntervals(self.session, self.jobs, self)
        self._beside = self.session.recordings.jobs, self.automatic_intervals.jobs
        self._memory_trimmer = MemoryTrimmer((self.jobs, *self._beside, *self.session.drawing.queues), self)
        self.theme = theme
        self.workspace: Workspace | None = None
        self.preparing = Preparing(_import_workspace, self._make_workspace, self)
        self.session.preparing = self.preparing
        self.sheet: IntakeSheet | None = None
        self._is_new_case = True  # nothing of what is open has been looked at yet

        self._add_file_menu()
        self._add_edit_menu()
        self._add_view_menu()
        self._add_assess_menu()
        self._add_export_menu()
        self._add_help_menu()
        self._add_cancel_action()
        self._fill()
        self._watch()
        show_as_last_time(self)

    def open_paths(self, paths: Sequence[Path]) -> None:
        """As if these files had been dropped."""
        if paths:
            self.dialogs.begin_in(paths[0].parent)
            self.documents.open_paths(paths)

    def view(self) -> View:
        """How it looks now."""
        return view_of(self.session, self.workspace, self)

    def show_view(self, view: View) -> None:
        """Look so, as far as what is said there can be."""
        show_view(self.session, self.workspace, self, view)

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
        self.session.recordings.leave()
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

    # Menus

    def _add_file_menu(self) -> None:
        menu = self.menuBar().addMenu(self.tr("&File"))
        self.document_actions = DocumentActions(
            self.documents, self.changed_files, self.session, self.dialogs, self
        )
        self.open_action = self.document_actions.add_open(menu)
        self.demo_action = add_action(
            menu, self, self.tr("Open the &demo"), self.documents.open_demo, "Ctrl+D"
        )
        self.recordings.add_demo(menu, self)
        menu.addSeparator()
        self.document_actions.add_save(menu)
        texts = self.tr("Save a cop&y…"), self.tr("Save a copy &without names…")
        does = self.sharing.save_copy, self.sharing.save_copy_without_names
        self.copying_actions = [
            add_action(menu, self, text, do) for text, do in zip(texts, does, strict=True)
        ]
        self.recordings.add_protect(menu, self)
        self.listening.add_new(menu, self)
        self.listening.add_take(menu, self)
        menu.addSeparator()
        self.close_action = self.document_actions.add_close(menu)
        add_action(menu, self, self.tr("&Quit"), self.close, "Ctrl+Q")

    def _add_edit_menu(self) -> None:
        menu = self.menuBar().addMenu(self.tr("&Edit"))
        keys = QKeySequence.StandardKey
        for action, standard in (
            (self.session.undo_stack.createUndoAction(self, self.tr("&Undo")), keys.Undo),
            (self.session.undo_stack.createRedoAction(self, self.tr("&Redo")), keys.Redo),
        ):
            action.setShortcut(QKeySequence(standard))
            menu.addAction(action)
        menu.addSeparator()
        self.rename_action = add_action(menu, self, self.tr("Re&name"), self._on_rename, "F2")
        self.item_actions = ItemActions(self.session, menu, self._evidence, self)
        menu.addSeparator()
        self.stated = StatedMenus(self.session, self)
        menu.addMenu(self.stated.condition_menu)
        self.item_actions.add_attackers(menu)
        menu.addMenu(self.stated.meaning_menu)
        self.remove_action = add_action(menu, self, self.tr("Re&move"), self._on_remove, keys.Delete)
        menu.addSeparator()
        self.scales_action = add_action(menu, self, self.tr("Tag sca&le…"), self._on_scales)
        menu.addSeparator()
        self.copy_action = add_action(
            menu, self, self.tr("Copy figures as &text"), self._on_copy, "Ctrl+Shift+C"
        )

    def _add_view_menu(self) -> None:
        menu = self.menuBar().addMenu(self.tr("&View"))
        self._panes_menu = menu.addMenu(self.tr("&Panes"))
        theme_menu = menu.addMenu(self.tr("&Theme"))
        texts = {
            ThemeChoice.SYSTEM: self.tr("As the &system"),
            ThemeChoice.LIGHT: self.tr("&Light"),
            ThemeChoice.DARK: self.tr("&Dark"),
        }
        choices = {text: partial(self.theme.choose, choice) for choice, text in texts.items()}
        add_choices(theme_menu, self, choices, list(texts).index(self.theme.choice))
        menu.addMenu(LanguageMenu(menu))
        menu.addSeparator()
        self.reset_action = add_action(menu, self, self.tr("&Reset the layout"), self._on_reset_layout)
        add_action(menu, self, self.tr("&Full screen"), self._on_full_screen, "F11")
        menu.addSeparator()
        self._parts = Areas(self._areas, menu, self)

    def _add_assess_menu(self) -> None:
        menu = self.menuBar().addMenu(self.tr("&Assess"))
        intervals = self.session.intervals
        self.trust_action = add_action(
            menu, self, self.tr("&How sure are we?"), intervals.measure_selected, "Ctrl+U"
        )
        self.trust_all_action = add_action(
            menu, self, self.tr("How sure are &all of them?"), intervals.measure_all, "Ctrl+Shift+U"
        )
        menu.addSeparator()
        self.settle_action = add_action(
            menu, self, self.tr("Are the &differences real?"), intervals.settle_differences, "Ctrl+Alt+U"
        )
        menu.addSeparator()
        self.require_action = add_action(menu, self, self.tr("New &requirement"), self._on_require)
        menu.addSeparator()
        self.automatic_intervals_action = menu.addAction(self.tr("Compute &intervals at once"))
        self.automatic_intervals_action.setCheckable(True)
        self.automatic_intervals_action.setChecked(self.automatic_intervals.is_on)
        self.automatic_intervals_action.toggled.connect(self.automatic_intervals.switch)

    def _add_export_menu(self) -> None:
        menu = self.menuBar().addMenu(self.tr("E&xport"))
        self.export_actions = (
            add_action(menu, self, self.tr("&Save picture…"), self._on_save_picture, "Ctrl+E"),
            add_action(menu, self, self.tr("&Report as PDF…"), self.exports.save_report, "Ctrl+P"),
            add_action(menu, self, self.tr("S&ummary…"), self.exports.save_summary, "Ctrl+Shift+P"),
            add_action(menu, self, self.tr("&Everything…"), self.exports.save_everything, "Ctrl+Shift+E"),
            add_action(menu, self, self.tr("Report without &names…"), self.sharing.save_report),
        )
        self.sign_action = add_action(menu, self, self.tr("Si&gn…"), self.signing.sign)
        text = self.tr("&All pictures…")
        self.all_pictures_action = add_action(menu, self, text, self.exports.save_pictures, "Ctrl+Alt+E")
        text = self.tr("&Copy picture")
        self.copy_picture_action = add_action(menu, self, text, self._on_copy_picture, "Ctrl+Alt+C")

    def _add_help_menu(self) -> None:
        menu = self.menuBar().addMenu(self.tr("&Help"))
        add_action(menu, self, self.tr("&Manual"), self._on_manual, "F1")
        add_action(menu, self, self.tr("&Keyboard shortcuts"), self._on_shortcuts, "Ctrl+F1")
        show_check = partial(self.dialogs.show_check, self.jobs)
        add_action(menu, self, self.tr("&Check this installation…"), show_check)
        text = self.tr("Va&lidate this installation…")
        self.validate_action = add_action(menu, self, text, self.validating.validate)
        self.verify_action = add_action(menu, self, self.tr("&Verify a report…"), self.reporting.verify)
        add_action(menu, self, self.tr("&About ZEBRA"), partial(self.dialogs.show_about, self.jobs))

    def _add_cancel_action(self) -> None:
        """Not in a menu: the button is in the status bar, where the job is."""
        self.cancel_action = QAction(self.tr("Cancel the jobs"), self)
        self.cancel_action.setShortcut(QKeySequence("Esc"))
        self.cancel_action.triggered.connect(self._on_cancel)
        self.addAction(self.cancel_action)

    # What is in the window

    def _fill(self) -> None:
        self.start_page = StartPage(
            self.session,
            self.open_action,
            self.document_actions.open_folder,
            self.demo_action,
            self.recordings.demo,
        )
        self.problem_bar = ProblemBar(self.session)
        self.waiting_bar = WaitingBar(self.session)
        self.stopped_bar = StoppedBar(self.session)
        self.older_bar = OlderBar(self.session)
        self.validated_bar = ValidatedBar(self.validating)
        self._pages = QStackedWidget()
        self._pages.addWidget(self.start_page)
        notices = QVBoxLayout()
        notices.setContentsMargins(8, 0, 8, 0)
        self.recovery_bar = RecoveryBar(self.documents)
        self.locked_bar = LockedBar(self.documents)
        self.inputs_bar = InputsBar(
            self.session, self.document_actions.find_button(), self.document_actions.read_again_button()
        )
        notices.addWidget(self.problem_bar)
        for bar in (self.recovery_bar, self.locked_bar, self.inputs_bar):
            notices.addWidget(bar)
        notices.addWidget(self.waiting_bar)
        notices.addWidget(self.stopped_bar)
        notices.addWidget(self.older_bar)
        notices.addWidget(self.validated_bar)
        self._bottom = QWidget()
        self._below = QVBoxLayout(self._bottom)
        self._below.setContentsMargins(8, 0, 8, 8)
        middle = QWidget()
        layout = QVBoxLayout(middle)
        layout.setContentsMargins(0, 8, 0, 0)
        layout.setSpacing(4)
        layout.addLayout(notices)
        layout.addWidget(self._pages, 1)
        layout.addWidget(self._bottom)
        self.setCentralWidget(middle)
        self.setStatusBar(StatusBar(self.session, (self.jobs, *self._beside), self.cancel_action))

    def _watch(self) -> None:
        self._drops = FileDrops(self)
        self._drops.watch(self)
        self._drops.dropped.connect(self._on_dropped)
        self._drops.dragging_changed.connect(self.start_page.show_dragging)
        self.session.restarting.connect(self._on_restarting)
        self.session.project_changed.connect(self._on_project_changed)
        self.session.topic_changed.connect(self._on_topic_changed)
        self.session.changed.connect(self._on_selection_changed)
        self.session.arrivals.arrival_changed.connect(self._on_arrival_changed)
        self.recordings.changed.connect(self._on_arrival_changed)
        self.recordings.playing.export_requested.connect(self.exports.save_figure)
        self.recordings.playing.copy_requested.connect(self.exports.copy_figure)
        for queue in (self.jobs, *self._beside):
            queue.changed.connect(self._on_jobs_changed)
        self.problem_bar.verification_requested.connect(self.reporting.verify_this)
        for saved in (self.exports.saved, self.sharing.saved, self.documents.saved, self.recordings.told):
            saved.connect(self._on_saved)
        self.changed_files.told.connect(self._on_saved)
        self.session.requirements.told.connect(self._on_saved)
        self.validating.told.connect(self._on_saved)
        self.session.arrivals.told.connect(self._on_saved)
        self.documents.changed.connect(self._show_title)
        self.documents.tests_came.connect(self.listening.take_tests)
        self.session.faulted.connect(self.dialogs.show_fault)
        self.session.left.connect(self.statusBar().clearMessage)
        self._on_project_changed()
        self._on_selection_changed()
        self._on_jobs_changed()

    def _areas(self) -> list[QWidget]:
        """What F6 goes through, from top to bottom and from left to right."""
        first = (self.problem_bar, self.recovery_bar, self.locked_bar)
        bars = (*first, self.inputs_bar, self.waiting_bar, self.validated_bar)
        page = self._pages.currentWidget()
        shown = self.workspace.areas() if self.workspace and page is self.workspace else [page]
        return [*bars, *shown, self._bottom, self.statusBar()]

    def _make_workspace(self) -> Iterator[None]:
        """The steps in which the workspace is made; it is there after the last."""
        from zebra_gui.panes import PANES
        from zebra_gui.panes.prior import PriorBar
        from zebra_gui.window.workspace import Workspace

        workspace = Workspace(self.session, self.open_action)
        self._pages.addWidget(workspace)
        yield from workspace.fill(self._pages.size())
        workspace.export_requested.connect(self.exports.save_figure)
        workspace.copy_requested.connect(self.exports.copy_figure)
        workspace.report_requested.connect(self.exports.save_report)
        workspace.nameless_requested.connect(self.sharing.save_report)
        workspace.logo_requested.connect(self.reporting.choose_logo)
        workspace.hearing_requested.connect(self.recordings.playing.show_entry)
        workspace.guide.manual_asked.connect(self._on_manual)
        self._below.addWidget(PriorBar(self.session))
        self._drops.watch(workspace)  # it takes docks, and so Qt asks it, and not the window, about files
        tree = workspace.evidence.tree
        for widget in (*workspace.docks, tree, tree.viewport()):
            self._drops.watch(widget)  # a floating dock is a window of its own; the tree takes its rows
        for dock in workspace.docks:
            self._panes_menu.addAction(dock.toggleViewAction())
        self._panes_menu.addSeparator()
        digits = "1234567890"  # what comes after them has no key of its own
        for number, kind in enumerate(PANES):
            text = self.tr("Show {pane}").format(pane=kind.title())
            show = partial(workspace.show_topic, kind.topic)
            add_action(self._panes_menu, self, text, show, f"Ctrl+{digits[number]}" if number < 10 else None)
        workspace.evidence.tree.addActions(
            [
                self.rename_action,
                *self.item_actions.for_tree,
                self.stated.condition_menu.menuAction(),
                *self.item_actions.for_tree_below,
                self.stated.meaning_menu.menuAction(),
                self.remove_action,
                self.document_actions.read_again,
                self.copy_action,
            ]
        )
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
            self.workspace.begin_at_first_pane()
        self._show_page()
        of_all = (self.trust_all_action, self.settle_action, self.require_action)
        for action in (
            self.reset_action,
            self.scales_action,
            *of_all,
            *self.export_actions,
            *self.copying_actions,
            self.all_pictures_action,
        ):
            action.setEnabled(has_entries)
        self._panes_menu.setEnabled(has_entries)
        self._on_topic_changed()

    def _on_topic_changed(self) -> None:
        """Not every pane has a picture."""
        has_picture = self.workspace is not None and bool(self.workspace.front_pane.figure_cards())
        for action in (self.export_actions[0], self.copy_picture_action):
            action.setEnabled(bool(self.session.items) and has_picture)

    def _show_title(self) -> None:
        name = self.documents.name.replace("[*]", "[*][*]")  # Qt puts the mark where the first one stands
        self.setWindowTitle(f"{name}[*] – ZEBRA" if name else "ZEBRA")
        self.setWindowModified(self.documents.is_modified)

    def _on_selection_changed(self) -> None:
        selected = self.session.selected
        self.rename_action.setEnabled(self.session.project is not None)
        self.remove_action.setEnabled(bool(self.session.selected_items))
        self.copy_action.setEnabled(selected is not None)
        self.trust_action.setEnabled(self.session.selected_item is not None)

    def _on_arrival_changed(self) -> None:
        if self.session.arrivals.arrival is not None and self.sheet is None:
            from zebra_gui.sheet.page import IntakeSheet

            self.sheet = IntakeSheet(self.session)
            self._pages.addWidget(self.sheet)
        self._show_page()
        self._on_jobs_changed()

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
        # The prior belongs to the pictures.
        self._bottom.setVisible(self._pages.currentWidget() is self.workspace)

    def _on_jobs_changed(self) -> None:
        works = self.jobs.wanted or self.automatic_intervals.jobs.wanted
        is_asking = self.session.arrivals.arrival is not None or self.recordings.is_shown
        self.cancel_action.setEnabled(bool(works) or is_asking)

    def _on_cancel(self) -> None:
        """Jobs first; once there are none, the files that wait for answers, and what nobody asked for."""
        if self.jobs.wanted:
            self.jobs.cancel_all()
        elif self.session.arrivals.arrival is not None:
            self.session.arrivals.dismiss()
        elif self.recordings.is_shown:
            self.session.recordings.cancel()
        else:
            self.automatic_intervals.cancel()

    def _on_rename(self) -> None:
        if self.workspace:
            self.workspace.evidence.edit_current()

    def _evidence(self) -> EvidencePane | None:
        return self.workspace.evidence if self.workspace else None

    def _on_require(self) -> None:
        """Write a requirement on the overview."""
        if self.workspace is not None:
            self.workspace.write_requirement()

    def _on_remove(self) -> None:
        self.session.edits.remove(self.session.selected_ids)

    def _on_scales(self) -> None:
        self.dialogs.show_scales(self.session)

    def _on_copy(self) -> None:
        if (selected := self.session.selected_at_prior) is not None:
            from zebra_gui.panes.facts import as_text

            more = self.workspace.front_pane.as_text() if self.workspace else ""
            QGuiApplication.clipboard().setText("\n\n".join(filter(None, [as_text(selected), more])))

    def _on_save_picture(self) -> None:
        if card := self._front_card():
            self.exports.save_figure(card)

    def _on_copy_picture(self) -> None:
        if card := self._front_card():
            self.exports.copy_figure(card)

    def _front_card(self) -> FigureCard | None:
        return self.workspace.front_card(self.focusWidget()) if self.workspace else None

    def _on_reset_layout(self) -> None:
        if self.workspace:
            self.workspace.reset_layout()

    def _on_full_screen(self) -> None:
        self.setWindowState(self.windowState() ^ Qt.WindowState.WindowFullScreen)

    def _on_manual(self) -> None:
        """On the page about what is on the screen."""
        front = self._pages.currentWidget()
        self.dialogs.show_manual(page_about(self.workspace.front_pane if front is self.workspace else front))

    def _on_shortcuts(self) -> None:
        self.dialogs.show_shortcuts(self.findChildren(QAction))

    def _on_saved(self, sentence: str) -> None:
        self.statusBar().showMessage(sentence, _SAVED_MESSAGE_MS)


def _import_workspace() -> None:
    """In the thread of the first job: matplotlib's fonts and the panes take their time."""
    import zebra_gui.window.workspace  # noqa: F401
