"""What a process that fuzzes is trying, in memory that outlives it: who is killed keeps nothing himself."""

from __future__ import annotations

import hashlib
import mmap
import struct
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Self

IN_MEMORY = Path("/dev/shm")  # noqa: S108 - where there is one; on a disk most of the time goes into making folders
_HEAD = struct.Struct("<QQ")  # inputs tried, bytes of the present one
_ROOM = 1 << 20


@contextmanager
def state_file() -> Iterator[Path]:
    """A file for a State."""
    with tempfile.NamedTemporaryFile(dir=IN_MEMORY if IN_MEMORY.is_dir() else None) as file:
        file.truncate(_HEAD.size + _ROOM)
        yield Path(file.name)


class State:
    """How many inputs were tried, and the present one. Use with `with`."""

    def __init__(self, path: Path) -> None:
        self._file = path.open("r+b")
        self._shared = mmap.mmap(self._file.fileno(), 0)
        self._tried = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_raised: object) -> None:
        self._shared.close()
        self._file.close()

    def begin(self, content: bytes) -> None:
        """This input is being tried."""
        _HEAD.pack_into(self._shared, 0, self._tried, len(content))
        self._shared[_HEAD.size : _HEAD.size + len(content)] = content

    def end(self) -> None:
        """It was tried."""
        self._tried += 1
        _HEAD.pack_into(self._shared, 0, self._tried, 0)


def being_tried(state: bytes) -> tuple[int, bytes]:
    """How many inputs were tried, and the one that was being tried, of the content of a file of a State."""
    tried, size = _HEAD.unpack_from(state)
    return tried, state[_HEAD.size :][:size]


def fingerprint(content: bytes) -> str:
    """The name under which an input is kept that killed a process."""
    return f"died-{hashlib.sha1(content, usedforsecurity=False).hexdigest()}"
