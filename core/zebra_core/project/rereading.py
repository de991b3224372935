"""Items whose files have changed, read anew: what the user said of them stays, the figures are new."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from zebra_core.errors import InputError, ZebraError
from zebra_core.project.items import Entry, Item, SimilarityEntry
from zebra_core.project.listening import is_heard
from zebra_core.project.reading import (
    made_by,
    made_of_its_files,
    matrices_of,
    planned_again,
    read_again,
    try_planned_similarity,
)
from zebra_core.runtime.progress import Progress, no_progress, part_of
from zebra_core.wording.texts import say, visible


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
    if isinstance(item, SimilarityEntry):
        made = planned_again(item, part_of(on_progress, 0.0, 0.2))
        planned = made_of_its_files(item, made, matrices_of(item, made))
        rest = part_of(on_progress, 0.2, 1.0)
        tried = try_planned_similarity(planned, item.allowed, on_progress=rest)
        return with_what_was_read(item, made_by(tried, SimilarityEntry))
    if not isinstance(item, Entry):
        raise InputError("not-as-before", file=item.name)
    allow = item.audit.decisions if item.audit else ()
    return with_what_was_read(item, read_again(item, allow, on_progress, may_have_changed=True))
