"""Opening files that somebody else named: only what is a regular file, and never waiting for a pipe."""

from __future__ import annotations

import os
import stat
from io import BufferedReader
from pathlib import Path

from zebra_core.errors import InputError

# A pipe that takes the file's place after the first look would keep us waiting for ever.
_FLAGS = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0)


def open_regular(path: Path, name: str = "") -> BufferedReader:
    """The file, open to be read. `name` is what it is called in sentences, else its own name.

    Raises InputError for a folder, a device or a pipe, and for what is missing or cannot be opened.
    """
    name = name or path.name or str(path)
    try:
        _refuse_others(path.stat(), name)  # before it is opened: with some devices that alone does something
        descriptor = os.open(path, _FLAGS)
    except FileNotFoundError as error:
        raise InputError("missing", file=name, folder=folder_of(path)) from error
    except (OSError, ValueError) as error:  # ValueError: a path with a NUL in it
        raise unreadable(name, error) from error
    try:
        _refuse_others(os.fstat(descriptor), name)
    except BaseException:
        os.close(descriptor)
        raise
    return os.fdopen(descriptor, "rb")


def read_bounded(path: Path, most_bytes: int, too_large: InputError) -> bytes:
    """All of a file that has at most so many bytes; of a larger one no more is read. Raises InputError.

    `too_large` is what is raised where there is more.
    """
    try:
        with open_regular(path) as file:
            content = file.read(most_bytes + 1)
    except OSError as error:
        raise unreadable(path.name, error) from error
    if len(content) > most_bytes:
        raise too_large
    return content


def refuse_links(path: Path, first: int) -> None:
    """Raise InputError where a part of the path from this one on is a link, which may lead anywhere."""
    for number in range(first, len(path.parts)):
        part = Path(*path.parts[: number + 1])
        if os.path.islink(part):  # noqa: PTH114 - Path.is_symlink raises where a name is too long
            raise InputError("is-link", file=part.name, folder=folder_of(part), target=os.path.realpath(part))


def size_of(path: Path) -> int | None:
    """The size of a regular file, else None."""
    try:
        status = path.stat()
    except (OSError, ValueError):  # ValueError: a path with a NUL in it
        return None
    return status.st_size if stat.S_ISREG(status.st_mode) else None


def is_folder(path: Path) -> bool:
    """Whether this is a folder, as far as the system tells: a name may be too long, or nobody's business.

    Where it does not tell, opening the path says why.
    """
    return os.path.isdir(path)  # noqa: PTH112 - Path.is_dir raises what the system says


def folder_of(path: Path) -> str:
    """The folder that a file is in, as a sentence names it: in full where it would be a mere dot."""
    return str(path.parent if path.parent != Path() else path.absolute().parent)


def refuse_missing(path: Path, name: str = "") -> None:
    """Raise InputError where nothing is there, or nobody may know."""
    name = name or path.name or str(path)
    try:
        path.stat()
    except FileNotFoundError as error:
        raise InputError("missing", file=name, folder=folder_of(path)) from error
    except (OSError, ValueError) as error:
        raise unreadable(name, error) from error


def unreadable(name: str, error: Exception) -> InputError:
    """The sentence for a file that the system does not let us read."""
    return InputError("unreadable", file=name, reason=getattr(error, "strerror", None) or str(error))


def _refuse_others(status: os.stat_result, name: str) -> None:
    if stat.S_ISDIR(status.st_mode):
        raise InputError("is-directory", file=name)
    if not stat.S_ISREG(status.st_mode):
        raise InputError("not-a-file", file=name)
