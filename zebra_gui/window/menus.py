"""The menus but Edit and View: what is opened, saved and closed, assessed, exported; recordings, and help."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QMenu, QPushButton, QWidget

from zebra_core.project.requirements.ready import READY, ready_name
from zebra_gui.dialogs import Dialogs
from zebra_gui.document.changed_files import ChangedFiles
from zebra_gui.document.document import Documents
from zebra_gui.document.recents import RecentMenu
from zebra_gui.jobs.jobs import Jobs
from zebra_gui.listening.actions import ListeningActions
from zebra_gui.manual.places import SIX_CASES, page_about
from zebra_gui.recordings.actions import RecordingsActions
from zebra_gui.session.session import AutomaticIntervals, Session
from zebra_gui.widgets.menus import add_action
from zebra_gui.window.exports import CommandCopies, Exports, SharingActions, word_template
from zebra_gui.window.reporting import ReportActions, SigningActions, ValidationActions

if TYPE_CHECKING:
    from zebra_gui.panes.pane import FigureCard
    from zebra_gui.window.workspace import Workspace


class FileMenu(QMenu):
    """Everything about files; the document says itself when its entries make sense."""

    def __init__(
        self,
        session: Session,
        documents: tuple[Documents, ChangedFiles, SharingActions],
        reporting: ReportActions,
        dialogs: Dialogs,
        recordings: RecordingsActions,
        window: QWidget,
    ) -> None:
        super().__init__(window)
        self.setTitle(self.tr("&File"))
        self._session, self._dialogs = session, dialogs
        document, changed_files, sharing = documents
        self.document_actions = DocumentActions(document, changed_files, session, dialogs, window)
        self.open_action = self.document_actions.add_open(self)
        self.demo_action = add_action(self, window, self.tr("Open the &demo"), document.open_demo, "Ctrl+D")
        self.again_action = recordings.add_again(self, window)
        self.addSeparator()
        self.document_actions.add_save(self)
        self.copying_actions = (
            add_action(self, window, self.tr("Save a cop&y…"), sharing.save_copy),
            add_action(self, window, self.tr("Save a copy &without names…"), sharing.save_copy_without_names),
        )
        self.addSeparator()
        self.document_actions.add_inputs(self)
        self.addSeparator()
        self.verify_action = add_action(self, window, self.tr("&Verify a report…"), reporting.verify)
        self.since_action = add_action(self, window, self.tr("W&hat has changed since…"), self._on_since)
        self.addSeparator()
        self.close_action = self.document_actions.add_close(self)
        add_action(self, window, self.tr("&Quit"), window.close, "Ctrl+Q")
        session.project_changed.connect(lambda: self._update(session))
        self._update(session)

    def _on_since(self) -> None:
        path = self._dialogs.ask_file("earlier report")
        if path is not None and (is_same := self._dialogs.ask_same_people()) is not None:
            self._session.hold_against(path, is_same_people=is_same)

    def _update(self, session: Session) -> None:
        for action in (*self.copying_actions, self.again_action, self.since_action):
            action.setEnabled(bool(session.items))


# The Export menu: pictures and reports.


class ExportMenu(QMenu):
    """What can be had of the project as a file, and the picture in front on the clipboard."""

    def __init__(
        self,
        session: Session,
        exporting: tuple[Exports, SharingActions, SigningActions, CommandCopies],
        workspace: Callable[[], Workspace | None],
        window: QWidget,
    ) -> None:
        """`workspace` gives what shows the project, once there is one."""
        super().__init__(window)
        self.setTitle(self.tr("E&xport"))
        self._session, self._workspace, self._window = session, workspace, window
        self._exports, sharing, signing, commands = exporting
        exports = self._exports
        picture = add_action(self, window, self.tr("&Save picture…"), self.save_picture, "Ctrl+E")
        pdf = add_action(self, window, self.tr("&Report as PDF…"), exports.save_report, "Ctrl+P")
        self.word_action = add_action(self, window, self.tr("Report as &Word…"), exports.save_word)
        self.export_actions = (
            picture,
            pdf,
            add_action(self, window, self.tr("S&ummary…"), exports.save_summary, "Ctrl+Shift+P"),
            add_action(self, window, self.tr("&Everything…"), exports.save_everything, "Ctrl+Shift+E"),
            add_action(self, window, self.tr("Report without &names…"), sharing.save_report),
        )
        self.sign_action = add_action(self, window, self.tr("Si&gn…"), signing.sign)
        text = self.tr("&All pictures…")
        self.all_pictures_action = add_action(self, window, text, exports.save_pictures, "Ctrl+Alt+E")
        text = self.tr("&Copy picture")
        self.copy_picture_action = add_action(self, window, text, self._on_copy_picture, "Ctrl+Alt+C")
        text = self.tr("&Template for Word…")
        self.template_action = add_action(self, window, text, self._on_template)
        self.template_action.setCheckable(True)
        self.template_action.setChecked(word_template() is not None)
        self.command_actions = (
            add_action(self, window, self.tr("Copy report as co&mmand"), commands.copy_report),
            add_action(self, window, self.tr("Copy c&omparison as command"), commands.copy_comparison),
        )
        session.topic_changed.connect(self._on_topic_changed)

    def update_all(self) -> None:
        """Which of them make sense now that the project, and perhaps the pane in front, is another."""
        for action in (
            *self.export_actions,
            self.word_action,
            *self.command_actions,
            self.all_pictures_action,
        ):
            action.setEnabled(bool(self._session.items))
        self._on_topic_changed()

    def save_picture(self) -> None:
        """Save the picture of the pane in front."""
        if card := self._front_card():
            self._exports.save_figure(card)

    def _on_topic_changed(self) -> None:
        """Not every pane has a picture."""
        workspace = self._workspace()
        has_picture = workspace is not None and bool(workspace.front_pane.figure_cards())
        for action in (self.export_actions[0], self.copy_picture_action):
            action.setEnabled(bool(self._session.items) and has_picture)

    def _on_template(self) -> None:
        self.template_action.setChecked(self._exports.choose_template(self.template_action.isChecked()))

    def _on_copy_picture(self) -> None:
        if card := self._front_card():
            self._exports.copy_figure(card)

    def _front_card(self) -> FigureCard | None:
        workspace = self._workspace()
        return workspace.front_card(self._window.focusWidget()) if workspace else None


# The Help menu: the manual, keys, and what can be checked of this installation.


class HelpMenu(QMenu):
    """The Help menu, which opens the manual on the page about what is on the screen."""

    def __init__(
        self,
        validating: ValidationActions,
        jobs: Jobs,
        dialogs: Dialogs,
        in_front: Callable[[], QWidget],
        window: QWidget,
    ) -> None:
        """`in_front` gives the pane or page that the user looks at."""
        super().__init__(window)
        self.setTitle(self.tr("&Help"))
        self._dialogs, self._in_front, self._window = dialogs, in_front, window
        add_action(self, window, self.tr("&Manual"), self.show_manual, "F1")
        show_cases = partial(dialogs.show_manual, SIX_CASES)
        add_action(self, window, self.tr("Calibration in &six cases"), show_cases)
        add_action(self, window, self.tr("&Keyboard shortcuts"), self.show_shortcuts, "Ctrl+F1")
        self.addSeparator()
        add_action(self, window, self.tr("&Check this installation…"), partial(dialogs.show_check, jobs))
        text = self.tr("Make the &validation dossier…")
        self.validate_action = add_action(self, window, text, validating.validate)
        self.addSeparator()
        add_action(self, window, self.tr("C&ite ZEBRA…"), partial(dialogs.show_citation, jobs))
        add_action(self, window, self.tr("&About ZEBRA"), partial(dialogs.show_about, jobs))

    def show_manual(self) -> None:
        """Open the manual on the page about what is on the screen."""
        self._dialogs.show_manual(page_about(self._in_front()))

    def show_shortcuts(self) -> None:
        """Show the keys of all menu entries."""
        self._dialogs.show_shortcuts(self._window.findChildren(QAction))


# The Assess menu: how sure the figures are, and what they are required to show.


class AssessMenu(QMenu):
    """Intervals of what is selected or of all, differences, requirements."""

    def __init__(
        self,
        session: Session,
        automatic: AutomaticIntervals,
        workspace: Callable[[], Workspace | None],
        window: QWidget,
    ) -> None:
        """`workspace` gives what shows the project, once there is one."""
        super().__init__(window)
        self.setTitle(self.tr("&Assess"))
        self._session, self._workspace = session, workspace
        measure = session.intervals
        text = self.tr("&How sure are we?")
        self.trust_action = add_action(self, window, text, measure.measure_selected, "Ctrl+U")
        text = self.tr("How sure are &all of them?")
        self.trust_all_action = add_action(self, window, text, measure.measure_all, "Ctrl+Shift+U")
        self.addSeparator()
        text = self.tr("Are the &differences real?")
        self.settle_action = add_action(self, window, text, measure.settle_differences, "Ctrl+Alt+U")
        self.addSeparator()
        self.require_action = add_action(self, window, self.tr("New &requirement"), self._on_require)
        self.ready = self.addMenu(self.tr("Re&quirements of others"))
        for name in READY:
            add_action(self.ready, window, ready_name(name), partial(session.requirements.take_ready, name))
        self.addSeparator()
        self.automatic_intervals_action = self.addAction(self.tr("Compute &intervals at once"))
        self.automatic_intervals_action.setCheckable(True)
        self.automatic_intervals_action.setChecked(automatic.is_on)
        self.automatic_intervals_action.toggled.connect(automatic.switch)
        session.project_changed.connect(self._on_project_changed)
        session.changed.connect(self._on_selection_changed)
        self._on_project_changed()
        self._on_selection_changed()

    def _on_project_changed(self) -> None:
        of_project = self.trust_all_action, self.settle_action, self.require_action, self.ready.menuAction()
        for action in of_project:
            action.setEnabled(bool(self._session.items))

    def _on_selection_changed(self) -> None:
        self.trust_action.setEnabled(self._session.selected_item is not None)

    def _on_require(self) -> None:
        """Write a requirement."""
        if (workspace := self._workspace()) is not None:
            workspace.write_requirement()


# The Recordings menu: what is assessed from sound, the controls made of it, and what people hear.


class RecordingsMenu(QMenu):
    """Assessments from recordings, controls, listening tests, and the voices that a project keeps."""

    def __init__(
        self,
        recordings: RecordingsActions,
        listening: ListeningActions,
        document: DocumentActions,
        window: QWidget,
    ) -> None:
        super().__init__(window)
        self.setTitle(self.tr("&Recordings"))
        recordings.add_open(self, window)
        recordings.add_demo(self, window)
        self.addSeparator()
        recordings.add_controls(self, window)
        self.addSeparator()
        listening.add_new(self, window)
        listening.add_take(self, window)
        self.addSeparator()
        document.add_voices(self)


# What the File menu does with the document: open, recent ones, save, close.


translate = QCoreApplication.translate


class DocumentActions:
    """The actions, which know when they make sense."""

    def __init__(
        self,
        documents: Documents,
        changed_files: ChangedFiles,
        session: Session,
        dialogs: Dialogs,
        owner: QWidget,
    ) -> None:
        self._documents, self._session, self._dialogs, self._owner = documents, session, dialogs, owner
        self._changed_files = changed_files

    def add_open(self, menu: QMenu) -> QAction:
        """Open, of files and of a folder, and the recent ones; returns the first."""
        keys = QKeySequence.StandardKey
        owner = self._owner
        self.open = add_action(menu, owner, translate("DocumentMenu", "&Open…"), self._on_open, keys.Open)
        text = translate("DocumentMenu", "Ope&n folder…")
        self.open_folder = add_action(menu, owner, text, self._on_open_folder, "Ctrl+Shift+O")
        self.recent = RecentMenu(translate("DocumentMenu", "Open &recent"), self._documents.open, menu)
        menu.addMenu(self.recent)
        return self.open

    def add_save(self, menu: QMenu) -> None:
        """Save, and save as."""
        keys, owner, documents = QKeySequence.StandardKey, self._owner, self._documents
        self.save = add_action(menu, owner, translate("DocumentMenu", "&Save"), documents.save, keys.Save)
        self.save_as = add_action(
            menu, owner, translate("DocumentMenu", "Save &as…"), documents.save_as, "Ctrl+Shift+S"
        )

    def add_inputs(self, menu: QMenu) -> None:
        """The files that the project rests on: where they are kept, found and read."""
        owner = self._owner
        self.inside = add_action(
            menu, owner, translate("DocumentMenu", "Keep the scores &inside the file"), self._on_inside
        )
        self.inside.setCheckable(True)
        self.find = add_action(menu, owner, translate("DocumentMenu", "&Find missing files…"), self._on_find)
        text = translate("DocumentMenu", "Read changed files a&gain")
        self.read_again = add_action(menu, owner, text, self._changed_files.read_again, "F5")

    def add_close(self, menu: QMenu) -> QAction:
        """Close the document."""
        text, keys = translate("DocumentMenu", "&Close"), QKeySequence.StandardKey.Close
        self.close = add_action(menu, self._owner, text, self._documents.close, keys)
        return self.close

    def add_voices(self, menu: QMenu) -> None:
        """Whether what was heard is saved; the last entry, after which all know when they make sense."""
        text = translate("DocumentMenu", "Keep &voices inside the file")
        self.voices = add_action(menu, self._owner, text, self._on_voices)
        self.voices.setCheckable(True)
        self._documents.changed.connect(self.update)
        self.update()

    def find_button(self) -> QPushButton:
        """A button that finds missing files."""
        button = QPushButton(translate("DocumentMenu", "Find them…"))
        button.clicked.connect(self.find.trigger)
        return button

    def read_again_button(self) -> QPushButton:
        """A button that reads everything again that has changed."""
        button = QPushButton(translate("DocumentMenu", "Read again"))
        button.setAccessibleName(translate("DocumentMenu", "Read the changed files again"))
        button.clicked.connect(self._changed_files.read_all_again)
        return button

    def update(self) -> None:
        """Which of them make sense now."""
        project = self._session.project
        is_open = project is not None and (bool(project.items) or self._documents.path is not None)
        for action in (self.save_as, self.inside):
            action.setEnabled(is_open)
        self.save.setEnabled(self._documents.is_modified or (is_open and self._documents.path is None))
        self.close.setEnabled(is_open)
        self.inside.setChecked(self._documents.with_inputs)
        kept = self._session.kept
        self.voices.setChecked(kept.keeps_voices)
        self.voices.setEnabled(is_open and (kept.keeps_voices or bool(kept.heard)))
        self.read_again.setEnabled(bool(self._changed_files.changed))
        self.find.setEnabled(project is not None and not all(item.is_as_read for item in project.items))

    def _on_open(self) -> None:
        if paths := self._dialogs.ask_files():
            self._documents.open_paths(paths)

    def _on_open_folder(self) -> None:
        if (folder := self._dialogs.ask_folder("files to open")) is not None:
            self._documents.open_paths([folder])

    def _on_inside(self) -> None:
        self._documents.put_inputs_inside(self.inside.isChecked())

    def _on_voices(self) -> None:
        self._session.kept.keep_voices(self.voices.isChecked())

    def _on_find(self) -> None:
        if (folder := self._dialogs.ask_folder("files of the project")) is not None:
            self._documents.look_for_inputs([folder])
