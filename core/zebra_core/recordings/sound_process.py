"""Sound is decoded by processes of their own, which a hostile file may kill; they wait for the next file."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from zebra_core.errors import InputError
from zebra_core.recordings import libraries
from zebra_core.runtime import apart
from zebra_core.runtime.program_pool import Pool, RunningProgram
from zebra_core.runtime.progress import Progress, no_progress

_SECONDS = 60.0  # for one answer: a file is hashed, or a block decoded, in far less
_READERS = Pool(Path(__file__).with_name("sound_apart.py"), _SECONDS)


class SoundFile:
    """A file that a process has open."""

    def __init__(self, reader: RunningProgram, said: dict[str, Any]) -> None:
        self._reader = reader
        self.said = said
        """Its format, subtype, rate_hz, channels and frames, and its SHA-256 where that was wanted."""
        self.after = 0
        """Once all is read: the bytes after its sound that nothing in the file tells of."""

    def read(self, count: int, on_progress: Progress = no_progress) -> NDArray[np.float32]:
        """So many frames, or those that are left, shape (n, channels). Raises Fault, NoAnswer.

        `on_progress` is called while we wait, and may stop it.
        """
        said, content = self._reader.ask({"read": count}, on_progress=on_progress)
        self.after = int(said.get("after", 0))
        return np.frombuffer(content, dtype=np.float32).reshape(-1, int(self.said["channels"]))


@contextmanager
def decoding(
    source: Path | bytes,
    *,
    hashed: bool,
    end: int | None = None,
    length_unsaid: bool = False,
    on_progress: Progress = no_progress,
) -> Iterator[SoundFile]:
    """A file of sound, or what is in one, open in a process; `on_progress` may stop its opening.

    Of a file with an `end` what comes after that is hashed and not decoded; if `length_unsaid` it is read to
    there, wherever the library expects the end from its size.

    Raises Fault for what the library cannot read, and NoAnswer where the file ended the process; InputError
    where the libraries are missing, or no process can be started.
    """
    libraries.soundfile()
    if not apart.can_run():
        raise InputError("sound-not-tried")
    given = source if isinstance(source, bytes) else b""
    which = (
        {"given": len(source)}
        if isinstance(source, bytes)
        else {"open": _in_hex(source), "end": end, "unsaid": length_unsaid}
    )
    with _READERS.one() as reader:
        try:
            yield SoundFile(reader, reader.ask({**which, "hashed": hashed}, given, on_progress)[0])
        finally:
            if not reader.is_busy:
                with suppress(apart.NoAnswer, ValueError):
                    reader.ask({"close": True})


def _in_hex(path: Path) -> str:
    return os.fsencode(path.absolute()).hex()


def end_idle() -> None:
    """End the processes that wait."""
    _READERS.end_idle()
