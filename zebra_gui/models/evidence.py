"""The evidence tree: the project, its datasets where there are several, and their items."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum, IntEnum
from operator import attrgetter
from typing import Any

from PySide6.QtCore import (
    QAbstractItemModel,
    QCoreApplication,
    QMimeData,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
)

from zebra_core.evidence.attack import ATTACK
from zebra_core.evidence.audit import remarks_on_inputs
from zebra_core.figures.figure import tag_colour
from zebra_core.project.items import (
    WITHOUT_NETWORK,
    Attacker,
    Entry,
    Item,
    attack_as_said,
    dataset_as_said,
    says_nothing_in_words,
    tag_in_words,
    tag_is_open,
)
from zebra_core.project.satellites import satellite_of
from zebra_core.uncertainty.shown import as_computed
from zebra_core.wording.texts import as_kept, as_said, differing_from, visible
from zebra_gui.language.translating import for_count
from zebra_gui.plots.inks import colour_name
from zebra_gui.session.session import Session
from zebra_gui.widgets.layouts import shown_name, tooltip

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


# What the rows of the evidence tree say: the project, a dataset, an item.


translate = QCoreApplication.translate


class EvidenceRole(IntEnum):
    """What the delegate paints beside the name, and what can be edited but the name."""

    CONDITION = Qt.ItemDataRole.UserRole + 1  # "OP"; empty where not stated, None where there is none
    TAG = Qt.ItemDataRole.UserRole + 2
    COLOUR = Qt.ItemDataRole.UserRole + 3  # the number of a series, or None for the unprotected
    TAG_COLOUR = Qt.ItemDataRole.UserRole + 4  # as #RRGGBB
    KIND = Qt.ItemDataRole.UserRole + 5  # a Kind
    ATTACKER = Qt.ItemDataRole.UserRole + 6  # in full
    ATTACKER_PILL = Qt.ItemDataRole.UserRole + 7  # in short
    RUN = Qt.ItemDataRole.UserRole + 8
    DATASET = Qt.ItemDataRole.UserRole + 9
    MAY_BE_CHANCE = Qt.ItemDataRole.UserRole + 11  # no disclosure at all might show the same tag
    IS_OPEN = Qt.ItemDataRole.UserRole + 15  # the set is too small, or could not have shown a worse tag
    MARK = Qt.ItemDataRole.UserRole + 10  # what is wrong with its files, in words; else empty
    DIFFERS_FROM = Qt.ItemDataRole.UserRole + 12  # where the name begins to differ from names like it
    RECOGNISER = Qt.ItemDataRole.UserRole + 13
    BACK_END = Qt.ItemDataRole.UserRole + 14


ATTACK_ROLES = dict(
    zip((EvidenceRole.ATTACKER, EvidenceRole.RECOGNISER, EvidenceRole.BACK_END), ATTACK, strict=True)
)
"""What is said of an attack, by the roles under which it is edited."""


class RowKind(Enum):
    """What a row stands for."""

    PROJECT = "project"
    DATASET = "dataset"
    ASSESSMENT = "assessment"
    SIMILARITY = "similarity"


def project_data(title: str, role: int) -> Any:
    """What the row of the project says."""
    title = as_said(title, "demo")
    shown = shown_name(title) or translate("Evidence", "Project")
    texts: dict[int, Any] = {
        _Role.DisplayRole: shown,
        _Role.AccessibleTextRole: shown,
        _Role.ToolTipRole: tooltip(shown),
        _Role.EditRole: title,
        EvidenceRole.KIND: RowKind.PROJECT,
    }
    return texts.get(role)


def dataset_data(dataset: str, items: Sequence[Item], role: int) -> Any:
    """What the row of a dataset with these items says."""
    dataset = dataset_as_said(dataset)
    shown = shown_name(dataset) or translate("Evidence", "Dataset not stated")
    words = for_count(
        "Evidence", "{name}, dataset with 1 item", "{name}, dataset with {count} items", len(items)
    ).format(name=shown, count=len(items))
    texts: dict[int, Any] = {
        _Role.DisplayRole: shown,
        _Role.AccessibleTextRole: words,
        _Role.ToolTipRole: tooltip(words),
        _Role.EditRole: dataset,
        _Role.CheckStateRole: _ticks_of(items),
        EvidenceRole.KIND: RowKind.DATASET,
    }
    return texts.get(role)


def item_data(item: Item, role: int) -> Any:
    """What the row of an item says."""
    if role == _Role.AccessibleTextRole:
        return ", ".join(in_words(item))
    if role == _Role.ToolTipRole:
        return tooltip("\n".join(in_words(item)))
    if role in _OF_ITEMS:
        return _OF_ITEMS[role](item)
    for entry in item.entries:
        return _OF_ENTRIES[role](entry) if role in _OF_ENTRIES else None
    return RowKind.SIMILARITY if role == EvidenceRole.KIND else None


def in_words(item: Item) -> list[str]:
    """Everything that is painted in a row, one thing after the other."""
    words = [shown_name(item.full_name)]
    for entry in item.entries:
        worst_case = as_computed("worst_case_log10_lr", entry.assessment, entry.trust)
        words.append(translate("Evidence", "tag {tag}").format(tag=tag_in_words(entry)))
        words.append(translate("Evidence", "worst case {worst_case}").format(worst_case=worst_case))
        words += filter(None, [entry.trust.on_the_tag if entry.trust else "", says_nothing_in_words(entry)])
    if item.similarities:
        words.append(translate("Evidence", "similarity matrices"))
    if item.dataset:
        words.append(translate("Evidence", "dataset {name}").format(name=shown_name(item.own_dataset)))
    words.append(translate("Evidence", "colour {colour}").format(colour=colour_name(item.colour)))
    if item.notes:
        words.append(translate("Evidence", "notes: {notes}").format(notes=visible(item.notes)))
    words.append(
        translate("Evidence", "in the answer")
        if item.is_ticked
        else translate("Evidence", "left out of the answer")
    )
    return [*words, mark] if (mark := _mark_of(item)) else words


def _ticks_of(items: Sequence[Item]) -> Qt.CheckState:
    ticks = {item.is_ticked for item in items}
    if len(ticks) > 1:
        return Qt.CheckState.PartiallyChecked
    return Qt.CheckState.Checked if True in ticks else Qt.CheckState.Unchecked


def _mark_of(item: Item) -> str:
    """What is wrong with its files, if anything."""
    return "" if item.is_as_read else " ".join(shown_name(str(one)) for one in remarks_on_inputs(item.files))


def _pill_of(entry: Entry) -> str:
    """The attacker in a few letters; words of the user's own are cut to the room there is.

    Of attackers without a network what they hear, which tells rows of one safeguard apart.
    """
    if entry.recogniser in WITHOUT_NETWORK:
        return shown_name(attack_as_said(entry.recogniser))
    short = {
        Attacker.IGNORANT.value: translate("Evidence", "ign."),
        Attacker.LAZY_INFORMED.value: translate("Evidence", "lazy"),
        Attacker.SEMI_INFORMED.value: translate("Evidence", "semi"),
        Attacker.FULLY_INFORMED.value: translate("Evidence", "full"),
    }
    return short.get(entry.attacker) or shown_name(attack_as_said(entry.attacker))


def row_name(item: Item) -> str:
    """The name; of one listener alone behind the code, because there may be many of one name."""
    name = shown_name(item.own_name)
    satellite = satellite_of(item.files)
    listener = "".join(map(satellite.label, item.entries)) if satellite else ""
    if not listener:
        return name
    return translate("Evidence", "{listener}: {name}").format(listener=visible(listener), name=name)


_OF_ITEMS: Mapping[int, Callable[[Item], Any]] = {
    _Role.DisplayRole: row_name,
    _Role.EditRole: lambda item: item.own_name,
    _Role.CheckStateRole: lambda item: _ticks_of([item]),
    EvidenceRole.COLOUR: lambda item: item.colour,
    EvidenceRole.RUN: lambda item: shown_name(item.run),
    EvidenceRole.DATASET: lambda item: item.dataset,
    EvidenceRole.MARK: _mark_of,
}
_OF_ENTRIES: Mapping[int, Callable[[Entry], Any]] = {
    EvidenceRole.KIND: lambda _entry: RowKind.ASSESSMENT,
    EvidenceRole.CONDITION: lambda entry: entry.condition.value if entry.condition else "",
    EvidenceRole.TAG: tag_in_words,
    EvidenceRole.TAG_COLOUR: lambda entry: tag_colour(
        entry.assessment.settings.tag_scale, entry.assessment.reading_tag
    ),
    EvidenceRole.IS_OPEN: tag_is_open,
    EvidenceRole.MAY_BE_CHANCE: lambda entry: bool(entry.trust and entry.trust.tag_may_be_chance),
    **{role: attrgetter(part) for role, part in ATTACK_ROLES.items()},
    EvidenceRole.ATTACKER_PILL: _pill_of,
}
