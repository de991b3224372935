"""The evidence: a tree of what is open, and a button to add to it."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QAbstractItemView, QPushButton, QTreeView, QVBoxLayout, QWidget

from zebra_gui.models.evidence import EvidenceModel
from zebra_gui.models.evidence_delegate import EvidenceDelegate
from zebra_gui.session import Session


class EvidencePane(QWidget):
    """Selecting a row selects the entry in the session, and the other way round."""

    def __init__(self, session: Session, open_action: QAction, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._model = EvidenceModel(session, self)
        self.tree = QTreeView()
        self.tree.setAccessibleName(self.tr("Evidence"))
        self.tree.setHeaderHidden(True)
        self.tree.setModel(self._model)
        self.tree.setItemDelegate(EvidenceDelegate(self.tree))
        self.tree.setEditTriggers(
            QAbstractItemView.EditTrigger.DoubleClicked | QAbstractItemView.EditTrigger.EditKeyPressed
        )
        self.tree.setIndentation(10)
        self.tree.setRootIsDecorated(False)
        self.setMinimumWidth(205)
        self.tree.setMouseTracking(True)
        self.tree.setTextElideMode(Qt.TextElideMode.ElideRight)
        self.tree.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.tree.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)
        self.tree.selectionModel().currentChanged.connect(self._on_current_changed)

        add = QPushButton(self.tr("Add files…"))
        add.clicked.connect(open_action.trigger)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(8, 0, 0, 8)
        layout.setSpacing(8)
        layout.addWidget(self.tree, 1)
        layout.addWidget(add)

        self._model.modelReset.connect(self._on_model_reset)
        session.selection_changed.connect(self._show_selection)
        self._on_model_reset()

    def edit_selected_name(self) -> None:
        """Let the user type another name for the selected entry."""
        if (entry := self._session.selected) is not None:
            self.tree.setFocus()
            self.tree.edit(self._model.index_of(entry.id))

    def _on_current_changed(self, current: QModelIndex) -> None:
        if entry := self._model.entry_at(current):
            self._session.select(entry.id)

    def _on_model_reset(self) -> None:
        self.tree.expandAll()
        self._show_selection()

    def _show_selection(self) -> None:
        entry = self._session.selected
        index = self._model.index_of(entry.id) if entry else QModelIndex()
        if index != self.tree.currentIndex():
            self.tree.setCurrentIndex(index)
