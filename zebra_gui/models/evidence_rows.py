"""What the rows of the evidence tree say: the project, a dataset, an item."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from enum import Enum, IntEnum
from operator import attrgetter
from typing import Any

from PySide6.QtCore import QCoreApplication, Qt

from zebra_core.evidence.attack import ATTACK
from zebra_core.evidence.remarks import remarks_on_inputs
from zebra_core.figures.palette import tag_colour
from zebra_core.project.headline import says_nothing_in_words, tag_in_words, tag_is_open
from zebra_core.project.items import (
    WITHOUT_NETWORK,
    Attacker,
    Entry,
    Item,
    attack_as_said,
    dataset_as_said,
)
from zebra_core.project.satellites import satellite_of
from zebra_core.uncertainty.shown import as_computed
from zebra_core.wording.texts import as_said, visible
from zebra_gui.language.translating import for_count
from zebra_gui.plots.colours import colour_name
from zebra_gui.widgets.plain import shown_name, tooltip

translate = QCoreApplication.translate
_Role = Qt.ItemDataRole


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
