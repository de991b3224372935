"""A private folder for what does not fit into memory.

What a killed program left of its own is removed by the next one.
"""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

from zebra_core.errors import InputError
from zebra_core.wording.texts import written

_NAME = "zebra-engine-"
_LOCK = "in-use"


@contextmanager
def room_for(size: int) -> Iterator[Path]:
    """A folder that only this user may enter, and that is gone afterwards.

    Raises InputError without room for so many bytes, and where what happens inside finds the disk full.
    """
    parent = Path(tempfile.gettempdir())
    remove_leftovers()
    free = shutil.disk_usage(parent).free
    if free < size:
        facts = {
            "folder": str(parent),
            "free": written(free / 1e9, ".1f"),
            "needed": written(size / 1e9, ".1f"),
        }
        raise InputError("no-room", **facts)
    try:
        with (
            tempfile.TemporaryDirectory(prefix=_NAME, ignore_cleanup_errors=True) as name,
            _locked(Path(name)),
        ):
            yield Path(name)
    except OSError as error:
        raise no_room_left(error.strerror or str(error)) from error


def no_room_left(reason: str) -> InputError:
    """The error of a disk that cannot be written to."""
    return InputError("no-room-left", folder=tempfile.gettempdir(), reason=reason)


def remove_leftovers() -> int:
    """Remove the folders of programs of this user that were killed; how many those were."""
    removed = 0
    for folder in Path(tempfile.gettempdir()).glob(f"{_NAME}*"):
        with suppress(OSError):
            if _is_left_over(folder):
                shutil.rmtree(folder)
                removed += 1
    return removed


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """A lock that is held when it appears, so that no other program finds it free before.

    Windows neither renames nor removes a file that is open.
    """
    made = folder / (_LOCK if sys.platform == "win32" else f"{_LOCK}.new")
    with made.open("wb") as lock:
        _take(lock)
        if made.name != _LOCK:
            made.rename(folder / _LOCK)
        yield


def _is_left_over(folder: Path) -> bool:
    """Whether it is ours and nobody holds its lock; one without a lock is just being made. Raises OSError."""
    found = folder.lstat()
    if folder.is_symlink() or not folder.is_dir() or (hasattr(os, "getuid") and found.st_uid != os.getuid()):
        return False
    with (folder / _LOCK).open("r+b") as lock:
        _take(lock)
    return True


def _take(lock: IO[bytes]) -> None:
    """Lock a file until it is closed, or its program ends however. Raises OSError where another has it."""
    if sys.platform == "win32":
        import msvcrt

        msvcrt.locking(lock.fileno(), msvcrt.LK_NBLCK, 1)
    else:
        import fcntl

        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
