"""Items whose files have changed, read anew: what the user said of them stays, the figures are new."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import TypeVar

from zebra_core.errors import InputError, ZebraError
from zebra_core.intake.sorting.naming import OF_THE_DROP
from zebra_core.project.items import Entry, Item, SimilarityEntry
from zebra_core.project.listening import is_heard
from zebra_core.project.reading import (
    Attempt,
    made_of_its_files,
    matrices_of,
    planned_again,
    try_planned,
    try_planned_similarity,
)
from zebra_core.runtime.progress import Progress, no_progress, part_of
from zebra_core.wording.texts import say, visible

Kind = TypeVar("Kind", Entry, SimilarityEntry)


@dataclass(frozen=True, eq=False)
class RereadItems:
    """The items that could be read, and a sentence for each that could not."""

    items: tuple[Item, ...]
    faults: tuple[str, ...]


def read_all_anew(items: Iterable[Item], on_progress: Progress = no_progress) -> RereadItems:
    """Read every item anew; what cannot be read stays as it was, and is told. Raises Cancelled."""
    items = tuple(items)
    made, faults = [], []
    for number, item in enumerate(items):
        part = part_of(on_progress, number / len(items), (number + 1) / len(items))
        try:
            made.append(read_anew(item, part))
        except ZebraError as error:
            faults.append(say("rereading.failed", name=visible(item.full_name), reason=str(error)))
    return RereadItems(tuple(made), tuple(faults))


def with_what_was_read(item: Item, read: Item) -> Item:
    """The item with what was read of another state of it: names and notes are those of the item."""
    if isinstance(item, SimilarityEntry) and isinstance(read, SimilarityEntry):
        return replace(item, similarity=read.similarity, measured=None)
    if isinstance(item, Entry) and isinstance(read, Entry):
        return replace(item, trials=read.trials, assessment=read.assessment, measured=None)
    return item


def read_anew(item: Item, on_progress: Progress = no_progress) -> Item:
    """The item with the figures of its files as they are today, by the same choices, decisions and settings.

    Names, condition, attacker, notes and colour stay; how sure its figures are is no longer known. Raises
    ZebraError where the files are gone, are something else, or fail the audit.
    """
    if isinstance(item, Entry) and is_heard(item):
        raise InputError("listening-drop-again", file=item.name)
    made = planned_again(item, part_of(on_progress, 0.0, 0.2))
    reading = part_of(on_progress, 0.2, 1.0)
    if isinstance(item, SimilarityEntry):
        planned = made_of_its_files(item, made, matrices_of(item, made))
        tried = try_planned_similarity(planned, item.allowed, on_progress=reading)
        return with_what_was_read(item, _made_by(tried, SimilarityEntry))
    if not isinstance(item, Entry):
        raise InputError("not-as-before", file=item.name)
    known = item.audit.findings if item.audit else ()
    planned_entry = replace(
        made_of_its_files(item, made, made.assessments),
        findings=tuple(one for one in known if one.code in OF_THE_DROP),
    )
    allow = item.audit.decisions if item.audit else ()
    tried = try_planned(planned_entry, allow, settings=item.assessment.settings, on_progress=reading)
    return with_what_was_read(item, _made_by(tried, Entry))


def _made_by(tried: Attempt, kind: type[Kind]) -> Kind:
    if isinstance(tried.entry, kind):
        return tried.entry
    raise tried.failure or InputError("not-as-before", file=tried.planned.name)
