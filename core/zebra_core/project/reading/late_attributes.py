"""Attributes and predictions that come after the scores: they join the assessments of their speakers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from zebra_core.errors import InputError, ZebraError
from zebra_core.evidence.audit import BESIDE_TRIALS, InputFile
from zebra_core.intake.opening.opening import Source
from zebra_core.intake.planned import FoundFile, PlannedAssessment, read_found, unasked
from zebra_core.intake.sorting.plan import plan
from zebra_core.intake.tables.table import FileRole
from zebra_core.project.items import Entry, Item
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


@dataclass(frozen=True)
class AttachedFiles:
    """The files that an assessment gets, and how they are read."""

    files: tuple[InputFile, ...]
    choices: Mapping[str, str]

    def with_entry(self, entry: Entry) -> Entry:
        """The assessment with these files, each once; its figures, which do not rest on them, stay."""
        known, audit = entry.assessment, entry.assessment.audit
        files = tuple(file for file in self.files if file not in known.files)
        audit = replace(audit, files=(*audit.files, *files)) if audit else None
        made = replace(known, files=(*known.files, *files), audit=audit)
        return replace(entry, assessment=made, choices={**entry.choices, **self.choices})


@dataclass(frozen=True, eq=False)
class JoinedFiles:
    """What every assessment gets, by its id, of which files, and what is to be told."""

    beside: Mapping[str, AttachedFiles] = field(default_factory=dict)
    sources: frozenset[Source] = frozenset()
    remarks: tuple[str, ...] = ()

    def into(self, project: Project) -> Project:
        """The project with the files; what was removed from it meanwhile stays removed."""
        mine = [entry for entry in project.entries if entry.id in self.beside]
        return project.replacing(*(self.beside[entry.id].with_entry(entry) for entry in mine))


@dataclass(frozen=True, eq=False)
class _Fit:
    """A file that an assessment takes when its files are sorted anew together with it."""

    entry: Entry
    file: FoundFile
    role: FileRole
    planned: PlannedAssessment

    @property
    def is_of_its_folder(self) -> bool:
        return self.file.source.folders[:-1] == self.planned.scores.source.folders[:-1]


def join(entries: Iterable[Entry], paths: Sequence[Path], on_progress: Progress = no_progress) -> JoinedFiles:
    """Sort the files of each assessment anew together with these.

    Predictions that fit several assessments belong to those whose scores lie in their folder; where there are
    none, to none. An assessment whose files are not there any more gets nothing. Raises InputError for a file
    that cannot be read to its end; `on_progress` may raise Cancelled.
    """
    entries = tuple(entry for entry in entries if entry.files)
    fits: list[_Fit] = []
    for number, entry in enumerate(entries):
        part = part_of(on_progress, number / len(entries), (number + 1) / len(entries))
        fits += _fitting(entry, paths, part)
    kept = [fit for fit in fits if _is_clear(fit, fits)]
    problems = {
        fit.file.source.name: _of_several(fit, fits) for fit in fits if not _belongs_anywhere(fit, fits)
    }
    beside = {
        entry.id: made
        for entry in entries
        if (mine := [fit for fit in kept if fit.entry is entry]) and (made := _beside(entry, mine))
    }
    on_progress(1.0)
    sources = frozenset(fit.file.source for fit in kept if fit.entry.id in beside)
    return JoinedFiles(beside, sources, tuple(problems.values()))


def _fitting(entry: Entry, paths: Sequence[Path], on_progress: Progress) -> list[_Fit]:
    own = {Source(file.path, file.member): file.role for file in entry.files}
    everything = dict.fromkeys([*(file.path for file in entry.files), *paths])
    found = []
    for one in plan(everything, unasked(entry.choices), on_progress).assessments:
        if own.get(one.scores.source, FileRole.ATTRIBUTES.value) in BESIDE_TRIALS:
            continue
        for role, files in ((FileRole.ATTRIBUTES, one.attributes), (FileRole.PREDICTIONS, one.predictions)):
            found += [_Fit(entry, file, role, one) for file in files if file.source not in own]
    return found


def _rivals(fit: _Fit, fits: Sequence[_Fit]) -> list[_Fit]:
    """All that the same file fits."""
    return [one for one in fits if one.file.source == fit.file.source]


def _is_clear(fit: _Fit, fits: Sequence[_Fit]) -> bool:
    return fit.role is FileRole.ATTRIBUTES or fit.is_of_its_folder or len(_rivals(fit, fits)) == 1


def _belongs_anywhere(fit: _Fit, fits: Sequence[_Fit]) -> bool:
    return any(_is_clear(one, fits) for one in _rivals(fit, fits))


def _of_several(fit: _Fit, fits: Sequence[_Fit]) -> str:
    return say("inference.of-several", file=fit.file.source.name, count=len(_rivals(fit, fits)))


def _beside(entry: Entry, fits: Sequence[_Fit]) -> AttachedFiles | None:
    """These files; None where the assessment with them would not be made of its files again."""
    records = [
        replace(record, role=fit.role.value) for fit in fits for record in read_found(fit.file).records()
    ]
    chosen = {
        name: choice
        for fit in fits
        for name, choice in fit.planned.choices.items()
        if name.endswith(f":{fit.file.source.place}")
    }
    beside = AttachedFiles(tuple(records), chosen)
    made = beside.with_entry(entry)
    again = planned_again(made, no_progress)
    try:
        made_of_its_files(made, again, again.assessments)
    except ZebraError:
        return None
    return beside


# Items whose files have changed, read anew: what the user said of them stays, the figures are new.


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
