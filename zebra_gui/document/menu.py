"""What the File menu does with the document: open, recent ones, save, close."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QMenu, QPushButton, QWidget

from zebra_gui.dialogs import Dialogs
from zebra_gui.document.changed_files import ChangedFiles
from zebra_gui.document.document import Documents
from zebra_gui.document.recents import RecentMenu
from zebra_gui.session.session import Session
from zebra_gui.widgets.menus import add_action

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
