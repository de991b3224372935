"""Are the files of a project still there and unchanged? Those that were moved are found by their hash."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path

from zebra_core.errors import InputError, ZebraError
from zebra_core.evidence.audit import Answers, InputFile, InputState, ReplacementFile
from zebra_core.files.access import is_hidden, open_regular, size_of, walk
from zebra_core.project.items import Item
from zebra_core.project.project import Project
from zebra_core.runtime.progress import Progress, no_progress, part_of

MOST_FILES_SEARCHED = 20_000
_AT_ONCE = 8 << 20
_INSIDE = " › "  # between an archive and its member, in the place of a source

FileKey = tuple[Path, str]
"""A file as it was read: where, and its SHA-256. One path may have been read twice, and changed between."""


@dataclass(frozen=True)
class FileOnDisk:
    """How it stands with one file on disk."""

    state: InputState = InputState.AS_READ
    instead: ReplacementFile | None = None


@dataclass(frozen=True)
class Findings:
    """What a look at all files came to: which were found elsewhere, and how it stands with each."""

    moves: Mapping[FileKey, Path] = field(default_factory=dict)  # where they are now
    standings: Mapping[FileKey, FileOnDisk] = field(default_factory=dict)

    def of_state(self, state: InputState) -> tuple[Path, ...]:
        """Where the files of a state were."""
        return tuple(path for (path, _), standing in self.standings.items() if standing.state is state)


def file_key(file: InputFile) -> FileKey:
    """What tells this file from the others of a project."""
    return file.path, file.sha256


def input_files(project: Project) -> dict[FileKey, InputFile]:
    """The files on disk that the project rests on, each once; files in one archive are one."""
    return {file_key(file): file for files in _files_of_each(project) for file in files}


def look_at(path: Path, size: int) -> FileOnDisk:
    """How it stands with a file as far as can be told without reading it: at once."""
    found = size_of(path)
    if found is None:
        return FileOnDisk(InputState.MISSING)
    return FileOnDisk() if found == size else FileOnDisk(InputState.CHANGED, ReplacementFile(found))


def check(project: Project, folders: Iterable[Path], on_progress: Progress = no_progress) -> Findings:
    """Read every file of the project to see whether it is the same; look for the others in these folders.

    A file counts as the same by size and SHA-256, whatever it is called. Folders are searched with what is
    below them, hidden ones left out, up to 20 000 files. What is found nowhere is missing, or changed where
    another file has taken its place; the latter is told also where it is found. `on_progress` may raise
    Cancelled.
    """
    files = input_files(project)
    hashes = _Hashes(part_of(on_progress, 0.0, 0.9))
    lost = {name: file for name, file in files.items() if not hashes.is_same(file.path, file)}
    moves: dict[FileKey, Path] = {}
    if lost:
        places = [*folders, *(file.path.parent for file in files.values())]
        elsewhere = _by_size(places, {file.size for file in lost.values()})
        for name, file in lost.items():
            candidates = elsewhere.get(file.size, ())
            place = next((one for one in candidates if hashes.is_same(one, file)), None)
            if place is not None:
                moves[name] = place
    standings = {
        name: _standing(file, hashes) if name in lost and name not in moves else _found(file, hashes)
        for name, file in files.items()
    }
    on_progress(1.0)
    return Findings(moves, standings)


def look_again(files: Iterable[InputFile], on_progress: Progress = no_progress) -> Findings:
    """Read these files to see whether they are still the same, where they were; nothing is looked for."""
    hashes = _Hashes(on_progress)
    return Findings(
        standings={
            file_key(file): (_found if hashes.is_same(file.path, file) else _standing)(file, hashes)
            for file in files
        }
    )


def with_findings(project: Project, found: Findings) -> Project:
    """The project with its files where they are, and marked where they are no longer the same."""

    def now(file: InputFile) -> InputFile:
        standing = found.standings.get(file_key(file), FileOnDisk(file.state, file.instead))
        path = found.moves.get(file_key(file), file.path)
        return replace(file, path=path, state=standing.state, instead=standing.instead)

    changed = replace(
        project,
        items=tuple(_with_files(item, now) for item in project.items),
        studies=tuple(replace(one, files=tuple(map(now, one.files))) for one in project.studies),
        answers=_moved_answers(project.answers, {path: there for (path, _), there in found.moves.items()}),
    )
    return project if _same_files(project, changed) else changed


def kept_elsewhere(found: Findings, kept: Mapping[FileKey, Path]) -> Findings:
    """The findings, where copies of missing files have been put somewhere for the time being."""
    there = dict.fromkeys(kept, FileOnDisk())
    return Findings({**found.moves, **kept}, {**found.standings, **there})


def put_back(project: Project, kept: Mapping[FileKey, Path]) -> Project:
    """The project with the files that are kept elsewhere where they were when they were read."""
    back = {(there, sha256): path for (path, sha256), there in kept.items()}
    return with_findings(project, Findings(back))


def is_same(path: Path, file: InputFile, on_progress: Progress = no_progress) -> bool:
    """Whether this file on disk has the size and the hash of an input."""
    return _Hashes(on_progress).is_same(path, file)


class _Hashes:
    """The hashes of files, each read once and only where its size is right."""

    def __init__(self, on_progress: Progress) -> None:
        self._on_progress = on_progress
        self._known: dict[Path, str | None] = {}

    def is_same(self, path: Path, wanted: InputFile) -> bool:
        return size_of(path) == wanted.size and self.of(path) == wanted.sha256

    def of(self, path: Path) -> str | None:
        """The hash, or None for what cannot be read."""
        if path not in self._known:
            self._known[path] = self._read(path)
        return self._known[path]

    def _read(self, path: Path) -> str | None:
        made = hashlib.sha256()
        try:
            with open_regular(path) as file:
                while piece := file.read(_AT_ONCE):
                    made.update(piece)
                    self._on_progress(0.5)  # nobody knows how much there is to be read
        except (OSError, InputError):
            return None
        return made.hexdigest()


def _found(file: InputFile, hashes: _Hashes) -> FileOnDisk:
    """A file that is there as it was read, and what lies in its place where it was found elsewhere."""
    place = file.instead.path if file.instead and file.instead.path else file.path
    size = size_of(place)
    if size is None or hashes.is_same(place, file):
        return FileOnDisk()
    return FileOnDisk(instead=ReplacementFile(size, hashes.of(place), path=place))


def _standing(file: InputFile, hashes: _Hashes) -> FileOnDisk:
    size = size_of(file.path)
    if size is None:
        return FileOnDisk(InputState.MISSING)
    return FileOnDisk(InputState.CHANGED, ReplacementFile(size, hashes.of(file.path), _rows_now(file)))


def _rows_now(file: InputFile) -> int | None:
    """How many rows the file in its place has, where it can be read at all."""
    from zebra_core.intake.sorting.plan import plan, rows_of

    try:
        found = [one for one in plan([file.path]).files if one.source.member == file.member]
        return rows_of(found[0]) if found else None
    except ZebraError:
        return None


def _by_size(folders: Sequence[Path], sizes: set[int]) -> dict[int, list[Path]]:
    """The files of these sizes below the folders, in the order of the folders, sorted within each."""
    found: dict[int, list[Path]] = {}
    for path in islice(_files_in(folders), MOST_FILES_SEARCHED):
        size = size_of(path)
        if size in sizes:
            found.setdefault(size, []).append(path)
    return found


def _files_in(folders: Sequence[Path]) -> Iterator[Path]:
    seen = set()
    for given in folders:
        for folder, subfolders, names in walk(given):
            subfolders[:] = sorted(name for name in subfolders if not is_hidden(name))
            if folder in seen:
                subfolders.clear()
                continue
            seen.add(folder)
            yield from (Path(folder, name) for name in sorted(names))


def _with_files(item: Item, now: Callable[[InputFile], InputFile]) -> Item:
    moves = {file.path: now(file).path for file in item.files}
    choices = moved_choices(item.choices, moves)
    audit = item.audit and replace(item.audit, files=tuple(map(now, item.audit.files)))
    moved = item.resting_on(tuple(map(now, item.files)), item.figures.remarks_on_files, audit)
    return replace(moved, choices=choices)


def _same_files(before: Project, after: Project) -> bool:
    return _files_of_each(before) == _files_of_each(after)


def _files_of_each(project: Project) -> list[tuple[InputFile, ...]]:
    return [*(item.files for item in project.items), *(one.files for one in project.studies)]


def _moved_answers(answers: Answers, moves: Mapping[Path, Path]) -> Answers:
    allowed = {_moved_place(place, moves): names for place, names in answers.allowed.items()}
    return Answers(moved_choices(answers.choices, moves), allowed)


def moved_choices(choices: Mapping[str, str], moves: Mapping[Path, Path]) -> dict[str, str]:
    """Choices after files were moved: the place in an id ("topic:place") and a chosen place may change."""
    moved = {}
    for name, choice in choices.items():
        topic, colon, place = name.partition(":")
        name_now = f"{topic}{colon}{_moved_place(place, moves)}" if colon else name
        moved[name_now] = _moved_place(choice, moves)
    return moved


def _moved_place(place: str, moves: Mapping[Path, Path]) -> str:
    path, inside, member = place.partition(_INSIDE)
    there = moves.get(Path(path)) if path else None
    return f"{there}{inside}{member}" if there is not None else place
