"""Sound is decoded by processes of their own, which a hostile file may kill; they wait for the next file."""

from __future__ import annotations

import atexit
import json
import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from threading import Lock
from typing import Any

import numpy as np
from numpy.typing import NDArray

from zebra_core.errors import InputError
from zebra_core.recordings import libraries
from zebra_core.runtime import apart

_PROGRAM = Path(__file__).with_name("sound_apart.py")
_SECONDS = 60.0  # for one answer: a file is hashed, or a block decoded, in far less
_MOST_WORDS = 4096  # bytes of what is said of a file
_MOST_IDLE = 4

_idle: list[_Reader] = []
_lock = Lock()


class DecodingError(Exception):
    """What the library says of a file that it cannot read."""


class _Reader:
    """A process that reads one file after the other."""

    def __init__(self) -> None:
        if not apart.can_run():
            raise InputError("sound-not-tried")
        self.is_busy = True  # until it answers: it may have died, or answer later
        self._running = ExitStack()
        self._answer = self._running.enter_context(apart.running(_PROGRAM, [], None, seconds=_SECONDS))

    @property
    def is_alive(self) -> bool:
        """Whether it still runs."""
        return self._answer.is_alive

    def ask(self, question: dict[str, object]) -> tuple[dict[str, Any], bytes]:
        """What it says, and the bytes that come with it. Raises DecodingError, and NoAnswer."""
        self.is_busy = True
        self._answer.ask(json.dumps(question).encode("ascii") + b"\n")
        size = int.from_bytes(self._answer.read(4), "big")
        if size > _MOST_WORDS:
            raise apart.NoAnswer
        said: dict[str, Any] = json.loads(self._answer.read(size))
        content = self._answer.read(int(said.get("bytes", 0)))
        self.is_busy = False
        if "fault" in said:
            raise DecodingError(str(said["fault"]))
        return said, content

    def close(self) -> None:
        """End it."""
        self._running.close()


class SoundFile:
    """A file that a process has open."""

    def __init__(self, reader: _Reader, said: dict[str, Any]) -> None:
        self._reader = reader
        self.said = said
        """Its format, subtype, rate_hz, channels and frames, and its SHA-256 where that was wanted."""

    def read(self, count: int) -> NDArray[np.float32]:
        """So many frames, or those that are left, shape (n, channels). Raises DecodingError, NoAnswer."""
        _, content = self._reader.ask({"read": count})
        return np.frombuffer(content, dtype=np.float32).reshape(-1, int(self.said["channels"]))


@contextmanager
def decoding(path: Path, *, hashed: bool) -> Iterator[SoundFile]:
    """A file of sound, open in a process. Raises DecodingError, and NoAnswer where the file ended it.

    Raises InputError where the libraries are missing, or no process can be started.
    """
    libraries.soundfile()
    question: dict[str, object] = {"open": os.fsencode(path.absolute()).hex(), "hashed": hashed}
    with _lock:
        reader = _idle.pop() if _idle else None
    if reader is not None and not reader.is_alive:
        reader.close()
        reader = None
    reader = reader or _Reader()
    try:
        yield SoundFile(reader, reader.ask(question)[0])
    finally:
        _put_back(reader)


def _put_back(reader: _Reader) -> None:
    """Let it wait for another file, unless it does not answer."""
    if not reader.is_busy:
        with suppress(apart.NoAnswer, ValueError):
            reader.ask({"close": True})
    with _lock:
        if not reader.is_busy and len(_idle) < _MOST_IDLE:
            _idle.append(reader)
            return
    reader.close()


@atexit.register
def end_idle() -> None:
    """End the processes that wait."""
    with _lock:
        readers = [*_idle]
        _idle.clear()
    for reader in readers:
        reader.close()
