"""What lies below a folder, however deep, and never through a link."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path, PurePosixPath

OnClosed = Callable[[OSError], object]


def walk(
    top: Path, on_closed: OnClosed | None = None, on_link: Callable[[Path], object] | None = None
) -> Iterator[tuple[str, list[str], list[str]]]:
    """A folder and all below it, each with the names of its folders and of its other things, as by os.walk.

    Where the folders are changed in place, that is the order in which they come, and what is left out. Links
    to folders are not followed, for they may lead round in circles, or to what nobody gave: `on_link` is told
    of them, and `on_closed` of folders that may not be looked into. Nothing calls itself here: os.walk of
    Python 3.11 does, and folders a thousand deep end it.
    """
    waiting = [os.fspath(top)]
    while waiting:
        folder = waiting.pop()
        folders: list[str] = []
        names: list[str] = []
        try:
            with os.scandir(folder) as entries:
                for entry in entries:
                    if not _is_folder(entry):
                        names.append(entry.name)
                    elif not entry.is_symlink():
                        folders.append(entry.name)
                    elif on_link is not None:
                        on_link(Path(entry.path))
        except OSError as error:
            if on_closed is not None:
                on_closed(error)
            continue
        yield folder, folders, names
        waiting += [os.path.join(folder, name) for name in reversed(folders)]  # noqa: PTH118 - as os.walk does


def _is_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir()
    except OSError:  # as with os.walk: whoever opens it is told why it cannot be
        return False


def is_hidden(name: str) -> bool:
    """Whether a file is one that systems leave behind for themselves."""
    return any(
        part == "__MACOSX" or (part[:1] == "." and part.strip("."))
        for part in PurePosixPath(name.replace("\\", "/")).parts  # some write the separator of Windows
    )
