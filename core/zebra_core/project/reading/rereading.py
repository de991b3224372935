"""Items whose files have changed, read anew: what the user said of them stays, the figures are new."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from zebra_core.errors import InputError, ZebraError
from zebra_core.project.items import Item
from zebra_core.project.project import Project
from zebra_core.project.reading.inputs import Findings, input_files, look_again
from zebra_core.project.reading.reading import (
    made_of_its_files,
    matrices_of,
    planned_again,
    read_again,
    try_planned_similarity,
)
from zebra_core.project.satellites import satellite_of
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


def read_anew(item: Item, on_progress: Progress = no_progress) -> Item:
    """The item with the figures of its files as they are today, by the same choices, decisions and settings.

    Names, condition, attacker, notes and colour stay; how sure its figures are is no longer known. Raises
    ZebraError where the files are gone, are something else, or fail the audit.
    """
    for entry in item.entries:
        if (satellite := satellite_of(entry.files)) is not None:
            return satellite.read_anew(entry)
        return entry.with_results_of(read_again(entry, entry.decisions, on_progress, may_have_changed=True))
    for matrices in item.similarities:
        made = planned_again(item, part_of(on_progress, 0.0, 0.2))
        planned = made_of_its_files(matrices, made, matrices_of(matrices, made))
        rest = part_of(on_progress, 0.2, 1.0)
        tried = try_planned_similarity(planned, matrices.decisions, on_progress=rest)
        return matrices.with_results_of(tried.made)
    raise InputError("not-as-before", file=item.name)


Stamp = tuple[int, int] | None
"""Size in bytes and time of the last change in nanoseconds; None where there is nothing."""


def look_for_changes(
    project: Project, before: Mapping[Path, Stamp], on_progress: Progress = no_progress
) -> tuple[Findings, dict[Path, Stamp]]:
    """How it stands with the files that were touched since `before`, and the stamps of all files now.

    Only what was touched is read, and what is seen for the first time with another size; a file of which
    nobody knows better counts as it was when it was read. Raises Cancelled.
    """
    files = input_files(project)
    now = {file.path: _stamp(file.path) for file in files.values()}

    def is_suspicious(path: Path, size: int) -> bool:
        stamp = now[path]
        if path in before:
            return before[path] != stamp
        return stamp is None or stamp[0] != size

    touched = [file for file in files.values() if is_suspicious(file.path, file.size)]
    return look_again(touched, on_progress), now


def _stamp(path: Path) -> Stamp:
    try:
        found = path.stat()
    except (OSError, ValueError):
        return None
    return found.st_size, found.st_mtime_ns
