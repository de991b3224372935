"""The user's notes on an item or on the whole project: plain text, kept while it is typed."""

from __future__ import annotations

from PySide6.QtCore import QTimer, Signal
from PySide6.QtGui import QFocusEvent
from PySide6.QtWidgets import QPlainTextEdit, QWidget

from zebra_gui.session.session import Session
from zebra_gui.widgets.layouts import in_column
from zebra_gui.widgets.plain import ElidedLabel, shown_name

_PAUSE_MS = 400  # in the typing, after which what was typed is in the project


class NotesEditor(QWidget):
    """Follows the selection: notes on the selected item, or on the project where none is."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._item_id: str | None = None  # whose notes these are; None: of the project
        self._shown = ""
        self.heading = ElidedLabel("quiet")
        self.text = _Text()
        self.text.setTabChangesFocus(True)
        for widget in (self.text, self.text.viewport()):
            widget.setAcceptDrops(False)  # files that are dropped here are evidence too
        self.text.setPlaceholderText(self.tr("What you want to remember"))
        in_column(self.heading, (self.text, 1), on=self, margins=0, spacing=3)
        self._pause = QTimer(self)
        self._pause.setSingleShot(True)
        self._pause.setInterval(_PAUSE_MS)
        self._pause.timeout.connect(self.keep)
        self.text.textChanged.connect(self._on_typed)
        self.text.left.connect(self.keep)
        session.changed.connect(self._on_selection_changed)
        session.settling.connect(self.keep)
        session.left.connect(self._forget)
        self._on_selection_changed()

    def keep(self) -> None:
        """Put what was typed into the project."""
        self._pause.stop()
        document = self.text.document()
        if document.isModified():
            document.setModified(False)
            self._shown = self.text.toPlainText()
            self._session.edits.note(self._item_id, self._shown)

    def _forget(self) -> None:
        self._pause.stop()
        self.text.document().setModified(False)
        self._item_id = None
        self._show_notes()

    def _on_typed(self) -> None:
        if self.text.document().isModified():
            self._pause.start()

    def _on_selection_changed(self) -> None:
        items = self._session.selected_items
        current = next((item.id for item in items if item.id == self._session.selected_id), None)
        if current != self._item_id:
            self.keep()  # before other notes are shown
        self._item_id = current
        self._show_notes()

    def _show_notes(self) -> None:
        self.setEnabled(self._session.project is not None)
        name = next((item.full_name for item in self._session.items if item.id == self._item_id), None)
        about = self.tr("Notes on the project") if name is None else self.tr("Notes on {name}")
        about = about.format(name=shown_name(name or ""))
        self.heading.show_text(about)
        self.text.setAccessibleName(about)
        # What is being typed is not in the project yet. Compared is what was put in: editors mend line ends.
        if not self.text.document().isModified() and self._notes() != self._shown:
            self._shown = self._notes()
            self.text.setPlainText(self._shown)

    def _notes(self) -> str:
        if self._item_id is None:
            return self._session.project.notes if self._session.project else ""
        return next((item.notes for item in self._session.items if item.id == self._item_id), "")


class _Text(QPlainTextEdit):
    """Tells when the user turns to something else.

    Signals:
        left: the keyboard went elsewhere.
    """

    left = Signal()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.left.emit()
