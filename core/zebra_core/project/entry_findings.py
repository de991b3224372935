"""What was found of entries, one by one, and why nothing was found of others."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TypeVar

from zebra_core.errors import ZebraError
from zebra_core.project.items import Entry
from zebra_core.runtime.progress import Progress, no_progress, part_of

T = TypeVar("T")
OTHER_COUNTS = "other-counts"
"""The code of the error where a project does not have what is in its files: nothing may then be said."""


class EntryFindings(dict[str, T]):
    """The findings by the id of their entry; `missing` says why there are none of an entry.

    Figures of other counts than those of the files must not be reported at all: that is raised.
    """

    def __init__(
        self, found: Mapping[str, T] | None = None, missing: Mapping[str, ZebraError] | None = None
    ) -> None:
        super().__init__(found or {})
        self.missing = dict(missing or {})

    @classmethod
    def each(
        cls,
        entries: Sequence[Entry],
        compute: Callable[[Entry, Progress], T | None],
        on_progress: Progress = no_progress,
    ) -> EntryFindings[T]:
        """What is computed of each of them, where there is anything; `on_progress` may raise Cancelled."""
        made = cls()
        for number, entry in enumerate(entries):
            part = part_of(on_progress, number / len(entries), (number + 1) / len(entries))
            part(0.0)
            made.keep(entry, partial(compute, entry, part))
        on_progress(1.0)
        return made

    def keep(self, entry: Entry, compute: Callable[[], T | None]) -> T | None:
        """What is computed of an entry, where there is anything; else why it cannot be is kept."""
        try:
            if found := compute():
                self[entry.id] = found
        except ZebraError as error:
            if error.code == OTHER_COUNTS:
                raise
            self.missing[entry.id] = error
        return self.get(entry.id)

    def add(self, other: EntryFindings[T]) -> None:
        """Take over what was found of others, and why nothing was."""
        self.update(other)
        self.missing |= other.missing
