"""The evidence: a tree of what is open, notes on it, and a button to add to it.

The user's notes on an item or on the whole project: plain text, kept while it is typed.
"""

from __future__ import annotations

from PySide6.QtCore import (
    QItemSelection,
    QItemSelectionModel,
    QModelIndex,
    QPoint,
    QSignalBlocker,
    Qt,
    QTimer,
    Signal,
)
from PySide6.QtGui import QAction, QFocusEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QPlainTextEdit,
    QPushButton,
    QSplitter,
    QTreeView,
    QVBoxLayout,
    QWidget,
)

from zebra_gui.models.evidence import EvidenceModel
from zebra_gui.models.evidence_delegate import EvidenceDelegate
from zebra_gui.session.session import Session
from zebra_gui.widgets.layouts import ElidedLabel, Flow, in_column, shown_name

_LEAST = 205  # pixels


class EvidencePane(QWidget):
    """Rows selected are items selected in the session, and the other way round; a dataset is its items.

    Signals:
        condition_asked: the condition of the current row is to be said; a place on the screen.
    """

    condition_asked = Signal(QPoint)

    def __init__(self, session: Session, open_action: QAction, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._model = EvidenceModel(session, self)
        self._collapsed: set[str] = set()  # datasets
        self._is_following = False
        self._was_dataset: str | None = None
        self._was_project = False
        self._was_scrolled = 0
        self.tree = QTreeView()
        self._delegate = EvidenceDelegate(self.tree)
        self._set_up_tree()
        self.notes = NotesEditor(session)
        self.notes.hide()
        self._lay_out(open_action)

        rows = self.tree.selectionModel()
        rows.selectionChanged.connect(self._on_rows_changed)
        rows.currentChanged.connect(self._on_rows_changed)
        self.tree.collapsed.connect(lambda index: self._on_folded(index, is_open=False))
        self.tree.expanded.connect(lambda index: self._on_folded(index, is_open=True))
        self._delegate.closeEditor.connect(self._on_editor_closed)
        self._delegate.condition_asked.connect(self._on_condition_asked)
        self._model.modelAboutToBeReset.connect(self._remember_row)
        self._model.modelReset.connect(self._on_model_reset)
        session.selection_changed.connect(self._show_selection)
        session.left.connect(self._on_left)
        self._on_model_reset()

    @property
    def current_dataset(self) -> str | None:
        """The dataset whose row the user is on; None on any other row."""
        return self._model.dataset_at(self.tree.currentIndex())

    def edit_current(self, role: int = Qt.ItemDataRole.EditRole) -> None:
        """Let the user type another text of the current row, by default its name."""
        index = self.tree.currentIndex()
        if index.isValid():
            self.tree.setFocus()
            self._delegate.edited_role = role
            self.tree.edit(index)

    def show_notes(self, *, shows: bool) -> None:
        """Show the notes below the tree and go there, or hide them."""
        with QSignalBlocker(self.notes_button):
            self.notes_button.setChecked(shows)
        self.notes.setVisible(shows)
        if shows:
            self.notes.text.setFocus()

    def _set_up_tree(self) -> None:
        tree, triggers = self.tree, QAbstractItemView.EditTrigger
        tree.setAccessibleName(self.tr("Evidence"))
        tree.setHeaderHidden(True)
        tree.setModel(self._model)
        tree.setItemDelegate(self._delegate)
        tree.setEditTriggers(triggers.DoubleClicked | triggers.EditKeyPressed)
        tree.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        tree.setDragDropMode(QAbstractItemView.DragDropMode.DragDrop)
        tree.setDefaultDropAction(Qt.DropAction.MoveAction)
        tree.setUniformRowHeights(True)
        tree.setIndentation(12)
        tree.setRootIsDecorated(False)
        tree.setExpandsOnDoubleClick(False)
        tree.setMouseTracking(True)
        tree.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        tree.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        tree.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)

    def _lay_out(self, open_action: QAction) -> None:
        add = QPushButton(self.tr("Add files…"))
        add.clicked.connect(open_action.trigger)
        self.notes_button = QPushButton(self.tr("Notes"))
        self.notes_button.setCheckable(True)
        self.notes_button.toggled.connect(lambda shows: self.show_notes(shows=shows))
        buttons = Flow(across=6)  # in another language they are wider than two beside one another
        buttons.addWidget(add)
        buttons.addWidget(self.notes_button)
        split = QSplitter(Qt.Orientation.Vertical)
        split.addWidget(self.tree)
        split.addWidget(self.notes)
        split.setChildrenCollapsible(False)
        split.setStretchFactor(0, 3)
        split.setStretchFactor(1, 1)
        layout = QVBoxLayout(self)
        left, right = (0, 8) if self.isRightToLeft() else (8, 0)
        layout.setContentsMargins(left, 0, right, 8)
        layout.setSpacing(8)
        layout.addStrut(_LEAST - 8)  # with large text the buttons need more
        layout.addWidget(split, 1)
        layout.addLayout(buttons)

    # From the tree to the session

    def _on_rows_changed(self) -> None:
        if self._is_following:
            return
        rows = self.tree.selectionModel().selectedRows()
        chosen = {item_id for index in rows for item_id in self._model.ids_at(index)}
        ids = tuple(item.id for item in self._session.items if item.id in chosen)
        current = self._model.item_at(self.tree.currentIndex())
        current_id = current.id if current else self._session.selected_id
        if ids and current_id not in chosen:
            current_id = ids[0]
        self._is_following = True
        self._session.select_items(ids, current_id)
        self._is_following = False

    def _on_condition_asked(self, place: QPoint) -> None:
        self.condition_asked.emit(self.tree.viewport().mapToGlobal(place))

    def _on_editor_closed(self) -> None:
        self._delegate.edited_role = Qt.ItemDataRole.EditRole

    def _on_folded(self, index: QModelIndex, *, is_open: bool) -> None:
        if (dataset := self._model.dataset_at(index)) is not None:
            (self._collapsed.discard if is_open else self._collapsed.add)(dataset)

    # From the session to the tree

    def _on_left(self) -> None:
        self._collapsed.clear()
        self._was_dataset, self._was_project, self._was_scrolled = None, False, 0

    def _remember_row(self) -> None:
        """Rows that are no items would be lost when the tree is made anew."""
        index = self.tree.currentIndex()
        self._was_dataset = self._model.dataset_at(index)
        self._was_project = index.isValid() and not index.parent().isValid()
        self._was_scrolled = self.tree.verticalScrollBar().value()

    def _on_model_reset(self) -> None:
        self._on_editor_closed()  # with the rows went the editor
        self._is_following = True
        collapsed = set(self._collapsed)
        self.tree.expandAll()
        for dataset in collapsed:
            self.tree.collapse(self._model.index_of_dataset(dataset))
        self._is_following = False
        self.tree.verticalScrollBar().setValue(self._was_scrolled)
        self._show_selection()

    def _show_selection(self) -> None:
        """Select the rows of what the session has selected, unless they are."""
        if self._is_following:
            return
        rows = self.tree.selectionModel()
        chosen = {item_id for index in rows.selectedRows() for item_id in self._model.ids_at(index)}
        wanted = set(self._session.selected_ids)
        current = self._model.index_of(self._session.selected_id)
        at = self.tree.currentIndex()
        if chosen == wanted and rows.hasSelection() and (at == current or not self._model.item_at(at)):
            return
        self._is_following = True
        if (stands_for_all := self._row_for_all(wanted)).isValid():
            self.tree.setCurrentIndex(stands_for_all)
        else:
            selection = QItemSelection()
            for item_id in wanted:
                index = self._model.index_of(item_id)
                selection.select(index, index)
            if current != self.tree.currentIndex():
                rows.setCurrentIndex(current, QItemSelectionModel.SelectionFlag.NoUpdate)
                self.tree.scrollTo(current)
            rows.select(selection, QItemSelectionModel.SelectionFlag.ClearAndSelect)
        self._is_following = False

    def _row_for_all(self, wanted: set[str]) -> QModelIndex:
        """The row of a dataset or of the project that the user was on, if it still says the same."""
        if self._was_project and not wanted:
            return self._model.index(0, 0)
        if self._was_dataset is not None:
            index = self._model.index_of_dataset(self._was_dataset)
            if index.isValid() and set(self._model.ids_at(index)) == wanted:
                return index
        return QModelIndex()


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
