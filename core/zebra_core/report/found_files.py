"""Finding files by their hash: below the folders given, whatever they are called, and inside projects."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path, PurePosixPath
from types import MappingProxyType
from typing import Any

from zebra_core.document.project_file import open_project, restore_inputs
from zebra_core.errors import InputError
from zebra_core.files.access import is_folder, open_regular, size_of, temporary_folder, walk
from zebra_core.intake.opening.opening import INSIDE
from zebra_core.report.verification import VerificationLine, VerificationStatus
from zebra_core.runtime.progress import Progress, no_progress
from zebra_core.wording.texts import listed, say, visible

MOST_FILES = 100_000
PROJECT_SUFFIX = ".zebra"
_AT_ONCE = 1 << 20
_LONGEST = 1000  # characters of a path in a sentence


KeptFiles = Mapping[Path, tuple[Path, Path]]
"""Files that lay inside projects, by where they are: which project that is, and where they were read."""


@dataclass(frozen=True)
class FoundInput:
    """Where an input of the evidence lies.

    `changed` is another file in the place where it lay, `namesakes` are others of its name, of which nobody
    can tell whether one of them is it. `kept_in` is the project inside which it, or else `changed`, lies.
    """

    path: Path | None
    changed: Path | None = None
    namesakes: tuple[Path, ...] = ()
    kept_in: Path | None = None

    @property
    def place(self) -> str:
        """Where it lies, as it is shown; the file that has taken its place where it lies nowhere."""
        at = self.path or self.changed
        return f"{self.kept_in}{INSIDE}{at.name}" if at and self.kept_in else str(at or "")

    @property
    def status(self) -> VerificationStatus:
        """Whether its bytes are there, and whether they are where they were."""
        if self.path is None:
            return VerificationStatus.FILE_CHANGED if self.changed else VerificationStatus.FILE_MISSING
        return VerificationStatus.FILE_REPLACED if self.changed else VerificationStatus.VERIFIED

    def line(self, name: str, sha256: str) -> VerificationLine:
        """What is told of it, under the name and the hash that are recorded."""
        replaced = self.about_others(name) if self.changed else ""
        at = replaced or self.place
        return VerificationLine(name, "SHA-256", self.status, sha256, at, is_sentence=bool(replaced))

    def about_others(self, name: str) -> str:
        """A sentence on other files of its name, where it was found; empty where there are none."""
        if self.path is None or not (self.changed or self.namesakes):
            return ""
        found = visible(self.place, _LONGEST)
        if self.changed is not None:
            return say("verify.replaced", name=name, place=visible(str(self.changed), _LONGEST), found=found)
        others = listed([str(path) for path in self.namesakes], 3, _LONGEST)
        return say("verify.namesakes", name=name, found=found, others=others, count=len(self.namesakes))


@dataclass
class _FileIndex:
    """The files in the places, by size and by name; hashes are computed when they are asked for."""

    by_size: dict[int, list[Path]] = field(default_factory=dict)
    by_name: dict[str, list[Path]] = field(default_factory=dict)
    hashes: dict[Path, str] = field(default_factory=dict)

    def add(self, path: Path) -> None:
        """Put in a file that is there."""
        if (size := size_of(path)) is not None:
            self.by_size.setdefault(size, []).append(path)
            self.by_name.setdefault(path.name, []).append(path)

    def sha256(self, path: Path) -> str:
        """The hash of a file, in hexadecimal; empty where it cannot be read."""
        if path not in self.hashes:
            self.hashes[path] = _sha256(path)
        return self.hashes[path]

    def same(self, one: Mapping[str, Any]) -> list[Path]:
        """The files that have the bytes of an input."""
        return [path for path in self.by_size.get(one["size"], ()) if self.sha256(path) == one["sha256"]]

    def called(self, name: str) -> list[Path]:
        """The files whose path ends as this name does."""
        namesakes = self.by_name.get(PurePosixPath(name).name, ())
        return [path for path in namesakes if _is_called(path, name)]


@contextmanager
def unpacked(
    places: Iterable[Path], on_progress: Progress = no_progress
) -> Iterator[tuple[tuple[Path, ...], KeptFiles]]:
    """The folders among the places, and the files that lay inside projects (.zebra) among them.

    These files are in a folder of the user's alone until the end. Raises InputError for a project that cannot
    be opened.
    """
    folders: list[Path] = []
    kept: dict[Path, tuple[Path, Path]] = {}
    with ExitStack() as stack:
        own: Path | None = None
        for number, place in enumerate(places):
            if place.suffix.lower() != PROJECT_SUFFIX or is_folder(place):
                folders.append(place)
                continue
            own = own or Path(stack.enter_context(temporary_folder()))
            project = open_project(place, on_progress).project
            inside = restore_inputs(place, project, own / f"{number}", on_progress, only_missing=False)
            kept |= {there: (place, read_at) for (read_at, _), there in inside.items()}
        yield tuple(folders), kept


def find_inputs(
    inputs: Sequence[Mapping[str, Any]],
    folders: Sequence[Path],
    on_progress: Progress = no_progress,
    kept: KeptFiles = MappingProxyType({}),
) -> tuple[FoundInput, ...]:
    """For each input of the evidence the file with its hash; of several the one whose path is most alike.

    Where there is none, a file of its name is told as changed; where there is one, so is another one that has
    taken its place. Raises InputError for a folder that is none.
    """
    looked = _look(folders, kept)
    same = []
    for number, one in enumerate(inputs):
        on_progress(number / max(1, len(inputs)))
        same.append(looked.same(one))
    homes = _homes(inputs, same)
    known = {(one["size"], one["sha256"]) for one in inputs}
    known |= {(size_of(path) or 0, looked.sha256(path)) for path in kept}
    sizes = {size for size, _ in known}
    found = []
    for one, those in zip(inputs, same, strict=True):
        name = one["name"]
        others = sorted({path for path in looked.called(name) if path not in those}, key=str)
        if not those:
            places = [
                FoundInput(None, path, kept_in=kept[path][0] if path in kept else None) for path in others
            ]
            found.append(next(iter(places), FoundInput(None)))
            continue
        best = min(those, key=partial(_rank, name, kept))
        # What the report, or a project, rests on under another name has taken nobody's place.
        others = [
            path
            for path in others
            if (size := size_of(path)) not in sizes or (size, looked.sha256(path)) not in known
        ]
        tops = {*(folder / name for folder in folders), *(kept[path][1] for path in those if path in kept)}
        is_at_home = best not in kept and _is_called(best, name)
        beside = homes[_home(best, name)] - 1 if is_at_home else 0
        # As many files of the report around both: it lay in either, if not in the same of the folders given.
        elsewhere = [folder for folder in folders if best.is_relative_to(folder)]
        replaced = [
            path
            for path in others
            if (around := homes[_home(path, name)]) > beside
            or (around == beside > 0 and not any(map(path.is_relative_to, elsewhere)))
            or (path in tops and best not in tops)
        ]
        rest = () if replaced else tuple(others)
        inside = kept[best][0] if best in kept else None
        found.append(FoundInput(best, next(iter(replaced), None), rest, inside))
    on_progress(1.0)
    return tuple(found)


def _rank(name: str, kept: Collection[Path], path: Path) -> tuple[int, bool, str]:
    """First what lies where the report's file lay, then what lies in a folder, in the order of the names."""
    return -_alike(path, name), path in kept, str(path)


def _home(path: Path, name: str) -> Path:
    """The folder from which a path leads on as the name does."""
    return path.parents[min(len(name.split("/")), len(path.parents)) - 1]


def _homes(inputs: Sequence[Mapping[str, Any]], same: Sequence[Sequence[Path]]) -> Counter[Path]:
    """How many inputs lie, under their names, in each folder: most where the report's files lay."""
    count = Counter[Path]()
    for one, those in zip(inputs, same, strict=True):
        count.update({_home(path, one["name"]) for path in those if _is_called(path, one["name"])})
    return count


def _look(folders: Iterable[Path], kept: Iterable[Path]) -> _FileIndex:
    looked, count = _FileIndex(), 0
    for path in kept:
        looked.add(path)
    for folder in folders:
        if not is_folder(folder):
            raise InputError("no-data-folder", folder=str(folder))
        for where, inside, names in walk(folder):
            inside.sort()
            for name in sorted(names):
                count += 1
                if count > MOST_FILES:
                    raise InputError("too-many-files", file=folder.name, most=MOST_FILES)
                looked.add(Path(where, name))
    return looked


def _is_called(path: Path, name: str) -> bool:
    return _alike(path, name) == len(name.split("/"))


def _alike(path: Path, name: str) -> int:
    """How many parts, from the end, a path shares with a recorded name."""
    shared = 0
    for one, other in zip(reversed(path.parts), reversed(name.split("/")), strict=False):
        if one != other:
            break
        shared += 1
    return shared


def _sha256(path: Path) -> str:
    digest = hashlib.sha256()
    try:
        with open_regular(path) as file:
            while part := file.read(_AT_ONCE):
                digest.update(part)
    except (OSError, InputError):  # told as missing: it is not there for whoever verifies
        return ""
    return digest.hexdigest()
