"""The evidence tree: the project, and below it its assessments."""

from __future__ import annotations

from collections.abc import Callable
from enum import IntEnum
from typing import Any

from PySide6.QtCore import QAbstractItemModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from core.figures.palette import tag_colour
from core.project import Entry
from core.wording import log10_lr
from zebra_gui.plain import shown_name, tooltip
from zebra_gui.session import Session

Index = QModelIndex | QPersistentModelIndex
_PROJECT = 0  # internal id of the row of the project; those below it have the number of their entry, plus one


class EvidenceRole(IntEnum):
    """What the delegate paints beside the name."""

    CONDITION = Qt.ItemDataRole.UserRole + 1
    TAG = Qt.ItemDataRole.UserRole + 2
    TAG_COLOUR = Qt.ItemDataRole.UserRole + 4  # as #RRGGBB
    COLOUR = Qt.ItemDataRole.UserRole + 3  # a figure.Colour


class EvidenceModel(QAbstractItemModel):
    """A view of the session's project; editing a name asks the session to rename the entry."""

    def __init__(self, session: Session, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._entries = session.entries
        session.project_changed.connect(self._on_project_changed)

    def index_of(self, entry_id: str) -> QModelIndex:
        """Where the entry is; invalid when it is not there."""
        for row, entry in enumerate(self._entries):
            if entry.id == entry_id:
                return self.index(row, 0, self.index(0, 0))
        return QModelIndex()

    def entry_at(self, index: Index) -> Entry | None:
        """The entry of a row; None for the row of the project."""
        if not index.isValid() or index.internalId() == _PROJECT:
            return None
        return self._entries[index.row()]

    def index(self, row: int, column: int, parent: Index = QModelIndex()) -> QModelIndex:
        if not self.hasIndex(row, column, parent):
            return QModelIndex()
        return self.createIndex(row, column, row + 1 if parent.isValid() else _PROJECT)

    def parent(self, index: Index = QModelIndex()) -> QModelIndex:  # type: ignore[override]
        if not index.isValid() or index.internalId() == _PROJECT:
            return QModelIndex()
        return self.createIndex(0, 0, _PROJECT)

    def rowCount(self, parent: Index = QModelIndex()) -> int:
        if not parent.isValid():
            return 1 if self._entries else 0
        return len(self._entries) if parent.internalId() == _PROJECT else 0

    def columnCount(self, parent: Index = QModelIndex()) -> int:
        return 1

    def flags(self, index: Index) -> Qt.ItemFlag:
        flags = super().flags(index)
        return flags | Qt.ItemFlag.ItemIsEditable if self.entry_at(index) else flags

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        entry = self.entry_at(index)
        return self._project_data(role) if entry is None else self._entry_data(entry, role)

    def setData(self, index: Index, value: Any, role: int = Qt.ItemDataRole.EditRole) -> bool:
        entry = self.entry_at(index)
        if entry is None or role != Qt.ItemDataRole.EditRole or not str(value).strip():
            return False
        self._session.rename(entry.id, str(value))
        return True

    def _project_data(self, role: int) -> Any:
        title = self._session.project.title if self._session.project else ""
        shown = shown_name(title) or self.tr("Project")
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return shown
        return tooltip(shown) if role == Qt.ItemDataRole.ToolTipRole else None

    def _entry_data(self, entry: Entry, role: int) -> Any:
        read: dict[int, Callable[[], Any]] = {
            Qt.ItemDataRole.DisplayRole: lambda: shown_name(entry.name),
            Qt.ItemDataRole.EditRole: lambda: entry.name,
            Qt.ItemDataRole.ToolTipRole: lambda: tooltip(self._in_words(entry)),
            Qt.ItemDataRole.AccessibleTextRole: lambda: self._in_words(entry),
            EvidenceRole.CONDITION: lambda: entry.condition.value if entry.condition else "",
            EvidenceRole.TAG: lambda: entry.assessment.tag,
            EvidenceRole.TAG_COLOUR: lambda: tag_colour(
                entry.assessment.settings.tag_scale, entry.assessment.tag
            ),
            EvidenceRole.COLOUR: lambda: entry.colour,
        }
        return read[role]() if role in read else None

    def _in_words(self, entry: Entry) -> str:
        return self.tr("{name}, tag {tag}, worst case {worst_case}").format(
            name=shown_name(entry.full_name),
            tag=entry.assessment.tag,
            worst_case=log10_lr(entry.assessment.worst_case_log10_lr),
        )

    def _on_project_changed(self) -> None:
        if [entry.id for entry in self._entries] == [entry.id for entry in self._session.entries]:
            self._entries = self._session.entries
            if self._entries:
                project = self.index(0, 0)
                self.dataChanged.emit(project, project)
                self.dataChanged.emit(
                    self.index(0, 0, project), self.index(len(self._entries) - 1, 0, project)
                )
            return
        self.beginResetModel()
        self._entries = self._session.entries
        self.endResetModel()
