"""The evidence: a tree of what is open, notes on it, and a button to add to it."""

from __future__ import annotations

from PySide6.QtCore import (
    QItemSelection,
    QItemSelectionModel,
    QModelIndex,
    QPoint,
    QSignalBlocker,
    Qt,
    Signal,
)
from PySide6.QtGui import QAction
from PySide6.QtWidgets import (
    QAbstractItemView,
    QPushButton,
    QSplitter,
    QTreeView,
    QVBoxLayout,
    QWidget,
)

from zebra_gui.models.evidence import EvidenceModel
from zebra_gui.models.evidence_delegate import EvidenceDelegate
from zebra_gui.panes.notes_editor import NotesEditor
from zebra_gui.session.session import Session
from zebra_gui.widgets.flow import Flow


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
        self.setMinimumWidth(205)

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
