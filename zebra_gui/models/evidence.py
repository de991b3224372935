"""The evidence tree: the project, its datasets where there are several, and their items."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QAbstractItemModel, QMimeData, QModelIndex, QObject, QPersistentModelIndex, Qt

from zebra_core.project.items import Item, dataset_as_said
from zebra_core.wording.names import differing_from
from zebra_core.wording.texts import as_kept
from zebra_gui.models.evidence_rows import (
    ATTACK_ROLES,
    EvidenceRole,
    dataset_data,
    item_data,
    project_data,
    row_name,
)
from zebra_gui.session.session import Session

Index = QModelIndex | QPersistentModelIndex
MIME_TYPE = "application/x-zebra-items"
# Internal ids say where the parent is: none, the project, or the dataset in row `id - _IN_DATASETS`.
_TOP, _IN_PROJECT, _IN_DATASETS = 0, 1, 2

_Role = Qt.ItemDataRole


@dataclass(frozen=True)
class _Group:
    """The items of one dataset, in the order of the project."""

    dataset: str
    items: tuple[Item, ...]
    differ_from: tuple[int, ...]  # where their names begin to differ from names like them


class EvidenceModel(QAbstractItemModel):
    """A view of the session's project; whoever edits or drags asks the session to change it.

    A project whose only dataset has no name shows its items at once.
    """

    def __init__(self, session: Session, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._groups = _groups_of(session.items)
        for signal in (session.project_changed, session.left):
            signal.connect(self._on_project_changed)

    @property
    def has_datasets(self) -> bool:
        """Whether datasets have rows of their own."""
        return len(self._groups) > 1 or any(group.dataset for group in self._groups)

    def index_of(self, item_id: str | None) -> QModelIndex:
        """Where the item is; invalid when it is not there."""
        for place, group in enumerate(self._groups):
            for row, item in enumerate(group.items):
                if item.id == item_id:
                    return self.createIndex(row, 0, self._id_in(place))
        return QModelIndex()

    def index_of_dataset(self, dataset: str) -> QModelIndex:
        """Where the row of the dataset is; invalid when it has none."""
        for place, group in enumerate(self._groups):
            if self.has_datasets and group.dataset == dataset:
                return self.createIndex(place, 0, _IN_PROJECT)
        return QModelIndex()

    def item_at(self, index: Index) -> Item | None:
        """The item of a row; None for the rows of the project and of datasets."""
        if not index.isValid() or index.internalId() == _TOP:
            return None
        if self.has_datasets and index.internalId() == _IN_PROJECT:
            return None
        return self._group_of(index).items[index.row()]

    def dataset_at(self, index: Index) -> str | None:
        """The dataset that a row stands for; None for all other rows."""
        if not self.has_datasets or not index.isValid() or index.internalId() != _IN_PROJECT:
            return None
        return self._groups[index.row()].dataset

    def ids_at(self, index: Index) -> tuple[str, ...]:
        """The items that a row stands for: itself, or those of the dataset; none for the project."""
        if (item := self.item_at(index)) is not None:
            return (item.id,)
        if self.dataset_at(index) is not None:
            return tuple(item.id for item in self._groups[index.row()].items)
        return ()

    def _group_of(self, index: Index) -> _Group:
        """The group that the item of a row is in."""
        return self._groups[index.internalId() - _IN_DATASETS if self.has_datasets else 0]

    def index(self, row: int, column: int, parent: Index = QModelIndex()) -> QModelIndex:
        if not self.hasIndex(row, column, parent):
            return QModelIndex()
        if not parent.isValid():
            return self.createIndex(row, column, _TOP)
        if parent.internalId() == _TOP:
            return self.createIndex(row, column, _IN_PROJECT)
        return self.createIndex(row, column, parent.row() + _IN_DATASETS)

    def parent(self, index: Index = QModelIndex()) -> QModelIndex:  # type: ignore[override]
        if not index.isValid() or index.internalId() == _TOP:
            return QModelIndex()
        if index.internalId() == _IN_PROJECT:
            return self.createIndex(0, 0, _TOP)
        return self.createIndex(index.internalId() - _IN_DATASETS, 0, _IN_PROJECT)

    def rowCount(self, parent: Index = QModelIndex()) -> int:
        if not parent.isValid():
            return 1 if self._groups else 0
        if parent.internalId() == _TOP:
            return len(self._groups) if self.has_datasets else len(self._groups[0].items)
        return len(self._groups[parent.row()].items) if self.dataset_at(parent) is not None else 0

    def columnCount(self, parent: Index = QModelIndex()) -> int:
        return 1

    def flags(self, index: Index) -> Qt.ItemFlag:
        if not index.isValid():
            return Qt.ItemFlag.NoItemFlags
        flags = super().flags(index) | Qt.ItemFlag.ItemIsEditable
        if self.item_at(index) is not None:
            return flags | Qt.ItemFlag.ItemIsUserCheckable | Qt.ItemFlag.ItemIsDragEnabled
        if self.dataset_at(index) is not None:
            return flags | Qt.ItemFlag.ItemIsUserCheckable | Qt.ItemFlag.ItemIsDropEnabled
        return flags if self.has_datasets else flags | Qt.ItemFlag.ItemIsDropEnabled

    def data(self, index: Index, role: int = _Role.DisplayRole) -> Any:
        if not index.isValid():
            return None
        if (item := self.item_at(index)) is not None:
            if role == EvidenceRole.DIFFERS_FROM:
                return self._group_of(index).differ_from[index.row()]
            return item_data(item, role)
        if (dataset := self.dataset_at(index)) is not None:
            if role == EvidenceRole.DIFFERS_FROM:
                return differing_from([dataset_as_said(group.dataset) for group in self._groups])[index.row()]
            return dataset_data(dataset, self._groups[index.row()].items, role)
        return project_data(self._session.project.title if self._session.project else "", role)

    def setData(self, index: Index, value: Any, role: int = _Role.EditRole) -> bool:
        edits, item, dataset = self._session.edits, self.item_at(index), self.dataset_at(index)
        if role == _Role.CheckStateRole and (ids := self.ids_at(index)):
            edits.tick(ids, Qt.CheckState(value) != Qt.CheckState.Unchecked)
            return True
        if item is not None:
            return self._edit(item, str(value), role)
        if not index.isValid() or role != _Role.EditRole:
            return False
        if dataset is not None:
            edits.rename_dataset(dataset, as_kept(str(value), "listening"))
        else:
            edits.rename_project(as_kept(str(value), "demo"))
        return True

    # Dragging

    def supportedDropActions(self) -> Qt.DropAction:
        return Qt.DropAction.MoveAction

    def mimeTypes(self) -> list[str]:
        return [MIME_TYPE]

    def mimeData(self, indexes: Sequence[Index]) -> QMimeData:
        """The ids of the items, in the order of the project."""
        ids = {item_id for index in indexes for item_id in self.ids_at(index)}
        data = QMimeData()
        data.setData(MIME_TYPE, "\n".join(self._in_order(ids)).encode())
        return data

    def canDropMimeData(
        self, data: QMimeData, action: Qt.DropAction, row: int, column: int, parent: Index
    ) -> bool:
        is_place = self.dataset_at(parent) is not None or (
            parent.isValid() and parent.internalId() == _TOP and not self.has_datasets
        )
        return is_place and bool(self._dragged(data))

    def dropMimeData(
        self, data: QMimeData, action: Qt.DropAction, row: int, column: int, parent: Index
    ) -> bool:
        if not self.canDropMimeData(data, action, row, column, parent):
            return False
        group = self._groups[parent.row() if self.has_datasets else 0]
        before = group.items[row].id if 0 <= row < len(group.items) else None
        self._session.edits.place(self._dragged(data), group.dataset, before)
        return True

    def _dragged(self, data: QMimeData) -> tuple[str, ...]:
        """The ids of dragged items that belong to this project: they may come from another window."""
        if not data.hasFormat(MIME_TYPE):
            return ()
        return self._in_order(bytes(data.data(MIME_TYPE).data()).decode(errors="replace").split("\n"))

    def _in_order(self, ids: Collection[str]) -> tuple[str, ...]:
        return tuple(item.id for group in self._groups for item in group.items if item.id in ids)

    # Editing

    def _edit(self, item: Item, value: str, role: int) -> bool:
        """Edit this item, or all that are selected if it is one of them."""
        edits, selected = self._session.edits, self._session.selected_ids
        ids = selected if item.id in selected else (item.id,)
        if role == _Role.EditRole and value.strip():
            edits.rename(ids, as_kept(value, "name"))
        elif role in ATTACK_ROLES:
            edits.set_attack(ids, ATTACK_ROLES[EvidenceRole(role)], value)
        elif role == EvidenceRole.RUN:
            edits.set_run(ids, value)
        elif role == EvidenceRole.DATASET:
            edits.place(ids, as_kept(value, "listening"))
        else:
            return False
        return True

    # What changed

    def _id_in(self, place: int) -> int:
        return place + _IN_DATASETS if self.has_datasets else _IN_PROJECT

    def _on_project_changed(self) -> None:
        groups = _groups_of(self._session.items)
        if _shape_of(groups) == _shape_of(self._groups):
            before, self._groups = self._groups, groups
            self._tell_changes(before)
            return
        self.beginResetModel()
        self._groups = groups
        self.endResetModel()

    def _tell_changes(self, before: Sequence[_Group]) -> None:
        """Rows of the project, of items that are others now, and of their datasets say something else."""
        if not self._groups:
            return
        project = self.index(0, 0)
        self.dataChanged.emit(project, project)
        for place, (old, new) in enumerate(zip(before, self._groups, strict=True)):
            rows = [row for row in range(len(new.items)) if not _says_the_same(old, new, row)]
            parent = self.index(place, 0, project) if self.has_datasets else project
            if self.has_datasets and (rows or old.dataset != new.dataset):
                self.dataChanged.emit(parent, parent)
            if rows:
                self.dataChanged.emit(self.index(rows[0], 0, parent), self.index(rows[-1], 0, parent))


def _says_the_same(old: _Group, new: _Group, row: int) -> bool:
    """Whether a row says what it said, which the names of the others have a part in."""
    return old.items[row] is new.items[row] and old.differ_from[row] == new.differ_from[row]


def _groups_of(items: Sequence[Item]) -> tuple[_Group, ...]:
    by_dataset: dict[str, list[Item]] = {}
    for item in items:
        by_dataset.setdefault(item.dataset, []).append(item)
    return tuple(
        _Group(dataset, tuple(found), tuple(differing_from([row_name(item) for item in found])))
        for dataset, found in by_dataset.items()
    )


def _shape_of(groups: Sequence[_Group]) -> tuple[bool, list[list[str]]]:
    """What rows there are, and of what; names are no part of it but that of a lonely dataset."""
    has_names = len(groups) > 1 or any(group.dataset for group in groups)
    return has_names, [[item.id for item in group.items] for group in groups]
