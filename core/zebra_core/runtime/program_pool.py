"""Programs apart that answer one question after the other, and wait for the next: a few of a kind at most.

A question is a line of JSON, and bytes after it. The answer is four bytes that say the length of a JSON
object, that object, and as many bytes as its "bytes" says; {"fault": WHY} where nothing comes of it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from threading import Lock
from typing import Any
from weakref import finalize

from zebra_core.runtime import apart
from zebra_core.runtime.progress import Progress, no_progress

_MOST_WORDS = 4096  # bytes of what is said
_MOST_IDLE = 4


class Fault(Exception):  # noqa: N818 - it is the program's word for it
    """What the program says is wrong with what it was given."""


class RunningProgram:
    """A program that runs. Call it only where `apart.can_run`."""

    def __init__(self, program: Path, seconds: float) -> None:
        self.is_busy = True  # until it answers: it may have died, or answer later
        self._running = ExitStack()
        self._answer = self._running.enter_context(apart.running(program, [], None, seconds=seconds))

    @property
    def is_alive(self) -> bool:
        """Whether it still runs."""
        return self._answer.is_alive

    def ask(
        self, question: Mapping[str, object], given: bytes = b"", on_progress: Progress = no_progress
    ) -> tuple[dict[str, Any], bytes]:
        """What it says, and the bytes that come with it. Raises Fault, and apart.NoAnswer."""
        self.is_busy = True
        self._answer.on_progress = on_progress
        self._answer.ask(json.dumps(question).encode("ascii") + b"\n" + given)
        size = int.from_bytes(self._answer.read(4), "big")
        if size > _MOST_WORDS:
            raise apart.NoAnswer
        said: dict[str, Any] = json.loads(self._answer.read(size))
        content = self._answer.read(int(said.get("bytes", 0)))
        self.is_busy = False
        if "fault" in said:
            raise Fault(str(said["fault"]))
        return said, content

    def close(self) -> None:
        """End the program."""
        self._running.close()


class Pool:
    """Programs of a kind. They end with the pool."""

    def __init__(self, program: Path, seconds: float) -> None:
        self._program, self._seconds = program, seconds
        self._idle: list[RunningProgram] = []
        self._lock = Lock()
        finalize(self, _end, self._idle)

    @contextmanager
    def one(self, begin: Callable[[RunningProgram], object] | None = None) -> Iterator[RunningProgram]:
        """A program that nobody else asks meanwhile; `begin` asks a new one first.

        Raises what `begin` raises; InputError as `apart.running`.
        """
        with self._lock:
            found = self._idle.pop() if self._idle else None
        if found is not None and not found.is_alive:
            found.close()
            found = None
        if found is None:
            found = RunningProgram(self._program, self._seconds)
            if begin is not None:
                try:
                    begin(found)
                except BaseException:
                    found.close()
                    raise
        try:
            yield found
        finally:
            self._put_back(found)

    def end_idle(self) -> None:
        """End the programs that wait."""
        with self._lock:
            _end(self._idle)

    def _put_back(self, one: RunningProgram) -> None:
        """Let a program wait for another question, unless it does not answer."""
        with self._lock:
            if not one.is_busy and len(self._idle) < _MOST_IDLE:
                self._idle.append(one)
                return
        one.close()


def _end(idle: list[RunningProgram]) -> None:
    while idle:
        idle.pop().close()
