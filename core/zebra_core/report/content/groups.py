"""Assessments that belong together: those of one dataset, and where they are many, of one condition."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from zebra_core.project.items import Entry
from zebra_core.report.content.files import shown
from zebra_core.wording.texts import say

MOST_TOGETHER = 10
"""More assessments of one dataset are divided by condition; more in one picture could not be told apart."""


@dataclass(frozen=True, eq=False)
class EntryGroup:
    """Entries that stand in one table and in one picture; an empty heading where there is one group only."""

    heading: str
    entries: tuple[Entry, ...]


def groups_of(entries: Sequence[Entry]) -> tuple[EntryGroup, ...]:
    """The entries by dataset and, where they are many, by condition; in the order of the project."""
    several = len({entry.dataset for entry in entries}) > 1
    groups: list[EntryGroup] = []
    for dataset in dict.fromkeys(entry.own_dataset for entry in entries):
        members = [entry for entry in entries if entry.own_dataset == dataset]
        name = (shown(dataset) or say("results.no-dataset")) if several else shown(dataset)
        if len(members) <= MOST_TOGETHER:
            groups.append(EntryGroup(name, tuple(members)))
            continue
        for condition in dict.fromkeys(entry.condition for entry in members):
            alike = tuple(entry for entry in members if entry.condition is condition)
            said = say("results.condition", condition=condition.value) if condition else ""
            groups.append(EntryGroup(_joined(name, said or say("results.no-condition")), alike))
    if len(groups) == 1 and not several:
        return (EntryGroup("", groups[0].entries),)
    return tuple(groups)


def parts(entries: Sequence[Entry]) -> list[Sequence[Entry]]:
    """The entries as many at a time as one picture holds, in parts of about one size."""
    count = -(-len(entries) // MOST_TOGETHER)
    size = -(-len(entries) // count)
    return [entries[start : start + size] for start in range(0, len(entries), size)]


def _joined(*texts: str) -> str:
    return " · ".join(filter(None, texts))
