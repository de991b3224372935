"""Programs that work apart, forked off the fuzzer once for many inputs: far more of them in the same time.

A child is replaced where it died, had to be ended, or says that it were better; and where it no longer
answers a good file as it did at first: what others left in it would make it refuse all that follow.
"""

from __future__ import annotations

import json
import os
import select
import signal
import socket
import subprocess
import warnings
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext, suppress
from functools import cache
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, Any, Self
from unittest.mock import patch

from fuzz import hdf5, pages, parquet
from fuzz.lasting import STATUS, serve
from zebra_core.runtime import apart

BUSY = "died of SIGPROF"
"""What the ending is called of a child that was busy with one input as long as it may be."""
BETWEEN_CHECKS = 250
"""Inputs of a child, before it is asked again for the good file."""
_LIBRARIES = {
    "columns_apart": ["duckdb", "h5py", "numpy"],
    "printed_apart": ["pypdfium2"],
}
"""What each program loads."""
_MOMENT = 0.5  # seconds that a program has to end by itself when nobody wants to hear more of it
_PIECE = 1 << 20
_PAGES = {
    "ppi": 36.0,
    "most_pixels": 1 << 20,
    "backwards": False,
    "modes": [None],
    "memory": 1 << 30,
    "seconds": 9,
}
_SCORES = {"format": "hdf5", "memory": 1 << 29, "seconds": 9, "columns": ["scores"], "most": 1 << 20}
_ALL_OF_IT = {
    "format": "parquet",
    "path": "/dev/stdin",
    "memory": 1 << 29,
    "seconds": 9,
    "columns": [0, 1, 2],
    "batch": 1 << 18,
    "most_chunk": 1 << 30,
    "rows": None,
}
# What children are asked to see whether they are still right: questions and good files.
_KNOWN: dict[str, Callable[[], list[tuple[dict[str, Any], bytes | IO[bytes]]]]] = {
    "printed_apart": lambda: [(_PAGES, next(pages.good()))],
    "columns_apart": lambda: [
        (_ALL_OF_IT, _on_disk(next(parquet.good()))),
        (_SCORES, _on_disk(next(hdf5.good()))),
    ],
}


def _on_disk(content: bytes) -> IO[bytes]:
    """A file with this, that is gone when nobody has it open: some programs read to and fro."""
    file = TemporaryFile()  # noqa: SIM115 - closed once it is answered
    file.write(content)
    file.flush()
    return file


class Children:
    """The processes that work apart, and what became of them: `counts` by a word for each ending."""

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()
        self._idle: defaultdict[Path, list[_Child]] = defaultdict(list)
        self._right: dict[Path, bytes] = {}

    def start(self, program: Path, arguments: Sequence[str], given: bytes | IO[bytes]) -> Forked:
        """Instead of starting the program."""
        self.counts["inputs"] += 1
        return Forked(self._next(program), arguments, given, self._done)

    def close(self) -> None:
        """End them all."""
        for children in self._idle.values():
            while children:
                children.pop().end()

    def _next(self, program: Path) -> _Child:
        """One that is still right, or a new one."""
        while self._idle[program]:
            child = self._idle[program].pop()
            if child.tried % BETWEEN_CHECKS or self._is_right(child):
                return child
        self.counts["born"] += 1
        return _Child(program)

    def _done(self, child: _Child, ending: str) -> None:
        if ending:
            self.counts[ending] += 1
        else:
            self._idle[child.program].append(child)

    def _is_right(self, child: _Child) -> bool:
        """Whether it answers the good file as one that has just been born; it is ended where it does not."""
        program = child.program
        if program.stem not in _KNOWN:
            return True
        if program not in self._right:
            fresh = _Child(program)
            self._right[program] = _answer(fresh)
            fresh.end()
        self.counts["checks"] += 1
        if _answer(child) == self._right[program]:
            return not child.has_ended
        self.counts["wrong"] += 1
        child.end()
        return False


class Forked:
    """As much of subprocess.Popen as `runtime.apart` uses: one input of a child that may have had others."""

    stdin = None  # it has been given everything

    def __init__(
        self,
        child: _Child,
        arguments: Sequence[str],
        given: bytes | IO[bytes],
        done: Callable[[_Child, str], None],
    ) -> None:
        self._child, self._done = child, done
        self._status: int | None = None
        there, said = os.pipe()
        self.stdout = os.fdopen(there, "rb", 0)
        if isinstance(given, bytes):
            inside, gives = os.pipe()
            child.ask(arguments, inside, said)
            os.close(inside)
            with suppress(BrokenPipeError), os.fdopen(gives, "wb", 0) as file:
                file.write(given)
        else:
            child.ask(arguments, given.fileno(), said)
        os.close(said)

    def wait(self, timeout: float = 60.0) -> int:
        """Its exit status."""
        if self._status is None:
            self._status, ending = self._child.status(timeout)
            self._done(self._child, ending)
        return self._status

    def kill(self) -> None:
        """Let it end by itself if it does so in a moment; else end it."""
        if self._status is None:
            try:
                self.wait(_MOMENT)
            except subprocess.TimeoutExpired:
                self._status = self._child.end()
                self._done(self._child, "hung")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.stdout.close()
        self.wait()


class _Child:
    """The process of a program; it is asked one question after the other."""

    def __init__(self, program: Path) -> None:
        self.program, self.tried, self.has_ended = program, 0, False
        main = _loaded(program)
        self._control, there = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with warnings.catch_warnings():  # of threads: those of the fuzzer are not missed
            warnings.simplefilter("ignore", DeprecationWarning)
            self.pid = os.fork()
        if not self.pid:
            serve(main, there)
        there.close()

    def ask(self, arguments: Sequence[str], inside: int, said: int) -> None:
        """Give it an input, and files to read it from and to write the answer to."""
        self.tried += 1
        socket.send_fds(self._control, [json.dumps(arguments).encode()], [inside, said])

    def status(self, timeout: float) -> tuple[int, str]:
        """The exit status of this input, and a word for the ending of the child, where it ended."""
        self._control.settimeout(timeout)
        try:
            said = self._control.recv(STATUS.size)
        except TimeoutError as error:
            raise subprocess.TimeoutExpired("forked", timeout) from error
        if not said:
            status = self._ended()
            return status, f"died of {signal.Signals(-status).name}" if status < 0 else "died"
        status, goes_on = STATUS.unpack(said)
        if not goes_on:
            self._ended()
        return status, "" if goes_on else "failed" if status else "replaced"

    def end(self) -> int:
        """End it. Returns its exit status; 0 where it has ended before."""
        if self.has_ended:
            return 0
        os.kill(self.pid, signal.SIGKILL)
        return self._ended()

    def _ended(self) -> int:
        self.has_ended = True
        self._control.close()
        return os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])


class _AtOnce(apart.ProgramOutput):
    """An answer that is read by who asks: threads take more time than most inputs."""

    def __init__(self, process: Any, seconds: float, on_progress: Any) -> None:
        self.share, self._here = 0.0, b""
        self._process, self._seconds, self.on_progress = process, seconds, on_progress

    def close(self) -> None:
        """Nothing of it lies here."""

    def _piece_within(self, seconds: float) -> bytes | None:
        stream = self._process.stdout
        return os.read(stream.fileno(), _PIECE) if select.select([stream], [], [], seconds)[0] else None


class _NoThread:
    """What a thread would do that has nothing to give."""

    def __init__(self, target: Callable[..., None], args: Sequence[Any], daemon: bool) -> None:
        assert daemon
        self.start = lambda: target(*args)

    def join(self) -> None:
        """It has ended."""


@contextmanager
def forked() -> Iterator[Children]:
    """Let programs that work apart be forked."""
    children = Children()
    try:
        with patch.multiple(apart, _started=children.start, ProgramOutput=_AtOnce, Thread=_NoThread):
            yield children
    finally:
        children.close()


@cache
def _loaded(program: Path) -> Callable[[], None]:
    """What the program does, with the library that it needs: what is forked has both."""
    for library in _LIBRARIES.get(program.stem, ()):
        import_module(library)
    spec = spec_from_file_location(program.stem, program)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    main: Callable[[], None] = module.main
    return main


def _answer(child: _Child) -> bytes:
    """What a child answers to the known questions."""
    said = b""
    for asked, given in _KNOWN[child.program.stem]():
        with (
            nullcontext() if isinstance(given, bytes) else given,
            Forked(child, [json.dumps(asked)], given, lambda _child, _ending: None) as process,
        ):
            said += process.stdout.read()
    return said
