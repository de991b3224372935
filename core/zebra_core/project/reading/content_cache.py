"""Results by content: files with the same contents, read and decided the same way, are assessed only once."""

from __future__ import annotations

import weakref
from collections.abc import Collection, Hashable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar
from uuid import uuid4

from zebra_core.evidence.audit import Decision, InputFile
from zebra_core.evidence.trials import Trials
from zebra_core.intake.opening.opening import Source
from zebra_core.intake.planned import FoundFile, Planned, PlannedAssessment
from zebra_core.project.items import Item
from zebra_core.project.reading.reading import Attempt, labels_of, remarks_on_sorting
from zebra_core.runtime.progress import LastUsed

_MOST_BYTES = 512 << 20  # entries that are in the project as well share theirs with it
_LEAST_BYTES = 1 << 16  # of an entry, besides its arrays

Found = TypeVar("Found")


@dataclass(frozen=True)
class _Kept:
    # What follows from the contents: without trials, and without findings of the whole drop.
    tried: Attempt[Item]
    trials: weakref.ref[Trials] | None  # as long as somebody else holds them


class KnownResults:
    """Entries by the hashes of their files, how each is read, and the decisions; safe for threads.

    The most recently used are kept, within bounds. An entry found here is a new one, with the names of
    its own files. Nothing is found where a finding names a file that is called otherwise by now, nor for
    files that are read piece by piece, whose hash is known only at the end.
    """

    def __init__(self, most_bytes: int = _MOST_BYTES) -> None:
        self._most_bytes = most_bytes
        self._kept = LastUsed[_Kept](most_bytes)

    def __len__(self) -> int:
        return len(self._kept)

    def find(self, planned: Planned, allow: Collection[Decision]) -> Attempt[Item] | None:
        """The result of these files, under their names of today; None where it is not known."""
        key = _key_of(planned, allow)
        kept = self._kept.find(key) if key is not None else None
        return None if kept is None or _names_others(kept.tried, planned) else _as_planned(kept, planned)

    def keep(self, tried: Attempt[Item]) -> None:
        """Remember the result of files, where there is an entry."""
        entry, key = tried.entry, _key_of(tried.planned, tried.allow)
        if entry is None or key is None:
            return
        trials = next((one.trials for one in entry.entries), None)
        if (size := _size_of(entry)) <= self._most_bytes:
            kept = _Kept(_of_contents(tried), weakref.ref(trials) if trials is not None else None)
            self._kept.keep(key, kept, size)


def _key_of(planned: Planned, allow: Collection[Decision]) -> Hashable | None:
    if any(file.in_pieces or not (file.sha256 and file.content_sha256) for file in planned.files):
        return None
    if isinstance(planned, PlannedAssessment):
        places = (planned.scores, planned.key, planned.nontarget, planned.speakers, planned.record)
        beside = (*planned.attributes, *planned.predictions)
        return (
            frozenset(allow),
            tuple(_content_of(file) for file in places),
            tuple(map(_content_of, beside)),
        )
    settings = (planned.oo, planned.op, planned.pp, planned.sex)
    by = planned.speakers
    speakers = _content_of(by) if isinstance(by, FoundFile) else by
    return frozenset(allow), planned.across_runs, speakers, tuple(_content_of(file) for file in settings)


def _content_of(file: FoundFile | None) -> Hashable:
    return (file.sha256, file.content_sha256, file.reading, file.dialect) if file else None


def _of_contents(tried: Attempt[Item]) -> Attempt[Item]:
    """The attempt without its trials, and without findings from sorting out the files of that drop."""
    audit, item = tried.audit, tried.made
    if audit is not None:
        audit = replace(audit, findings=_without_last(audit.findings, len(tried.planned.findings)))
    remarks = _without_last(item.figures.remarks_on_files, len(remarks_on_sorting(tried.planned)))
    bare: Item = item.resting_on(item.files, remarks, audit)
    for entry in bare.entries:
        bare = replace(entry, trials=None)
    return replace(tried, audit=audit, entry=bare)


def _without_last(found: Sequence[Found], count: int) -> tuple[Found, ...]:
    return tuple(found[: len(found) - count])


def _as_planned(kept: _Kept, planned: Planned) -> Attempt[Item]:
    """A kept result as a new attempt for these files, with findings from sorting these out."""
    was, audit = kept.tried, kept.tried.audit
    pairs = zip(was.planned.files, planned.files, strict=True)
    now = {before.source: file.source for before, file in pairs}
    named = {**labels_of(planned), "id": uuid4().hex}
    if audit is not None:
        findings = (*audit.findings, *planned.findings)
        audit = replace(audit, files=_moved(audit.files, now), findings=findings)
    remarks = (*was.made.figures.remarks_on_files, *remarks_on_sorting(planned))
    item: Item = replace(was.made.resting_on(_moved(was.made.files, now), remarks, audit), **named)
    for entry in item.entries:
        is_same = kept.trials is not None and was.planned == planned
        item = replace(entry, trials=kept.trials() if kept.trials is not None and is_same else None)
    return Attempt(planned, was.allow, item, audit)


def _moved(files: Iterable[InputFile], now: dict[Source, Source]) -> tuple[InputFile, ...]:
    moved = []
    for file in files:
        source = now[Source(file.path, file.member)]
        moved.append(replace(file, path=source.path, member=source.member))
    return tuple(moved)


def _names_others(tried: Attempt[Item], planned: Planned) -> bool:
    """Whether a finding or a remark speaks of a file by a name that it no longer has."""
    pairs = zip(tried.planned.files, planned.files, strict=True)
    moved = [was.source for was, now in pairs if was.source != now.source]
    gone = {name for source in moved for name in (source.name, source.place, source.path.name, source.member)}
    gone.discard("")
    return any(name in text for text in _texts_of(tried) for name in gone)


def _texts_of(tried: Attempt[Item]) -> Iterable[str]:
    for remark in tried.entry.figures.remarks_on_files if tried.entry else ():
        yield from map(str, remark.facts.values())
    for finding in tried.audit.findings if tried.audit else ():
        yield from map(str, finding.facts.values())
        yield from (example.file for example in finding.examples)


def _size_of(entry: Item) -> int:
    """Bytes, nearly all of them in its arrays."""
    parts: list[object] = []
    for one in entry.entries:
        parts += one.assessment.counts, one.assessment.plain
    for matrices in entry.similarities:
        parts += matrices.similarity.matrices.values()
    arrays = (value for part in parts for value in vars(part).values())
    return _LEAST_BYTES + sum(int(array.nbytes) for array in arrays if hasattr(array, "nbytes"))
