"""Takes out what is not needed: libraries that nothing asks for any more, and what is there twice."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable
from pathlib import Path, PurePosixPath

Entry = tuple[str, str, str]
"""Place in the bundle, where it comes from, kind: BINARY, EXTENSION, DATA or SYMLINK."""
_RUNTIME = re.compile(r"(msvcp|vcruntime|concrt)\d+\w*\.dll")


def without_orphans(
    entries: Iterable[Entry], imports_of: Callable[[str], Iterable[str]], always: Iterable[str] = ()
) -> list[Entry]:
    """The entries without the shared libraries that no other entry asks for, directly or not.

    A library is what PyInstaller calls BINARY and lies where libraries lie: extensions and plugins, which are
    loaded by their names, are kept whatever happens, and so are libraries whose names begin as in `always`.
    `imports_of` names the libraries that a file is linked to. The order stays.
    """
    listed = list(entries)
    # A link has the name of what it leads to: only the file itself can be asked.
    sources = {_name(place): source for place, source, kind in listed if kind in ("BINARY", "EXTENSION")}
    fixed = {_name(place) for place, _, kind in listed if not _is_library(place, kind)}
    starts = tuple(start.casefold() for start in always)
    reached = set[str]()
    ahead = [_name(place) for place, _, _ in listed]
    ahead = [name for name in ahead if name in fixed or name.startswith(starts)]
    while ahead:
        name = ahead.pop()
        if name not in reached:
            reached.add(name)
            ahead += [_name(other) for other in imports_of(sources[name])] if name in sources else []
    return [entry for entry in listed if _name(entry[0]) in reached]


def with_runtimes_for_all(entries: Iterable[Entry], system: Path) -> list[Entry]:
    """The entries with each of Microsoft's runtimes once, where every library finds it, and of one version.

    Packages bring them along, in folders that are looked into only once the package is in use, and older than
    what another needs: those of the system's folder are taken.
    """
    kept: dict[str, Entry] = {}
    for place, source, kind in entries:
        name = _name(place)
        if _RUNTIME.fullmatch(name):
            newest = str(system / name) if (system / name).exists() else source
            kept.setdefault(name, (name, newest, kind))
        else:
            kept[place] = (place, source, kind)
    return list(kept.values())


def link_twins(libraries: Iterable[Path]) -> list[Path]:
    """Keep the first of libraries with the same name and the same bytes; the others become links to it.

    NumPy and SciPy each bring the runtime of Fortran along. Returns what has become a link.
    """
    kept: dict[tuple[str, bytes], Path] = {}
    linked = []
    for path in libraries:
        first = kept.setdefault((path.name, path.read_bytes()), path)
        if first is not path:
            path.unlink()
            path.symlink_to(os.path.relpath(first, path.parent))
            linked.append(path)
    return linked


def _name(place: str) -> str:
    """By which it is asked for; on Windows in whatever case, so that all are folded."""
    return PurePosixPath(place.replace("\\", "/")).name.casefold()


def _is_library(place: str, kind: str) -> bool:
    folder = PurePosixPath(place.replace("\\", "/")).parent.as_posix()
    # A symlink beside the libraries leads to one of them and goes with it.
    return kind in ("BINARY", "SYMLINK") and (
        folder in (".", "PySide6/Qt/lib", "PySide6") or folder.endswith(".libs")
    )
