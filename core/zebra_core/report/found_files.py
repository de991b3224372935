"""Finding files by their hash: below the folders given, whatever they are called there."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Any

from zebra_core.errors import InputError
from zebra_core.files.opening import is_folder, open_regular, size_of
from zebra_core.files.walking import walk
from zebra_core.runtime.progress import Progress, no_progress

MOST_FILES = 100_000
_AT_ONCE = 1 << 20


@dataclass(frozen=True)
class FoundInput:
    """Where an input of the evidence lies. `changed` is a file of its name that is another one."""

    path: Path | None
    changed: Path | None = None


@dataclass
class _FileIndex:
    """The files below the folders, by size and by name; hashes are computed when they are asked for."""

    by_size: dict[int, list[Path]] = field(default_factory=dict)
    by_name: dict[str, list[Path]] = field(default_factory=dict)
    hashes: dict[Path, str] = field(default_factory=dict)

    def sha256(self, path: Path) -> str:
        """The hash of a file, in hexadecimal; empty where it cannot be read."""
        if path not in self.hashes:
            self.hashes[path] = _sha256(path)
        return self.hashes[path]


def find_inputs(
    inputs: Sequence[Mapping[str, Any]], folders: Iterable[Path], on_progress: Progress = no_progress
) -> tuple[FoundInput, ...]:
    """For each input of the evidence the file with its hash; of several the one whose path is most alike.

    Where there is none, a file of its name is told as changed. Raises InputError for a folder that is none.
    """
    looked = _look(folders)
    found = []
    for number, one in enumerate(inputs):
        on_progress(number / max(1, len(inputs)))
        same = [path for path in looked.by_size.get(one["size"], ()) if looked.sha256(path) == one["sha256"]]
        if same:
            found.append(FoundInput(min(same, key=lambda path: (-_alike(path, one["name"]), str(path)))))
            continue
        namesakes = looked.by_name.get(PurePosixPath(one["name"]).name, [])
        alike = [path for path in namesakes if _alike(path, one["name"]) == len(one["name"].split("/"))]
        found.append(FoundInput(None, min(alike, key=str) if alike else None))
    on_progress(1.0)
    return tuple(found)


def _look(folders: Iterable[Path]) -> _FileIndex:
    looked, count = _FileIndex(), 0
    for folder in folders:
        if not is_folder(folder):
            raise InputError("no-data-folder", folder=str(folder))
        for where, inside, names in walk(folder):
            inside.sort()
            for name in sorted(names):
                count += 1
                if count > MOST_FILES:
                    raise InputError("too-many-files", file=folder.name, most=MOST_FILES)
                path = Path(where, name)
                if (size := size_of(path)) is not None:
                    looked.by_size.setdefault(size, []).append(path)
                    looked.by_name.setdefault(name, []).append(path)
    return looked


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
