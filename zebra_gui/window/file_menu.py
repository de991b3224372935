"""The File menu: what is opened, saved, verified and closed."""

from __future__ import annotations

from PySide6.QtWidgets import QMenu, QWidget

from zebra_gui.dialogs import Dialogs
from zebra_gui.document.changed_files import ChangedFiles
from zebra_gui.document.document import Documents
from zebra_gui.document.menu import DocumentActions
from zebra_gui.recordings.actions import RecordingsActions
from zebra_gui.session.session import Session
from zebra_gui.widgets.menus import add_action
from zebra_gui.window.reporting import ReportActions
from zebra_gui.window.sharing import SharingActions


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
