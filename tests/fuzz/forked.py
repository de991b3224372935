"""Programs that work apart, forked off the fuzzer and not started anew: ten times as many inputs."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import IO, Self
from unittest.mock import patch

from core import apart

_DEADLY = (signal.SIGSEGV, signal.SIGBUS, signal.SIGILL, signal.SIGFPE, signal.SIGABRT, signal.SIGXCPU)
_BEAT = 0.001
_LIBRARIES = ("h5py", "pyarrow.parquet")


class Forked:
    """As much of subprocess.Popen as `core.apart` uses."""

    def __init__(self, program: Path, arguments: Sequence[str], given: bytes | IO[bytes]) -> None:
        main = _loaded(program)
        there, said = os.pipe()
        inside, gives = os.pipe() if isinstance(given, bytes) else (given.fileno(), -1)
        with warnings.catch_warnings():  # of threads: those of the fuzzer are not missed
            warnings.simplefilter("ignore", DeprecationWarning)
            self._pid = os.fork()
        if not self._pid:
            _be_it(main, arguments, inside, said)
        os.close(said)
        if isinstance(given, bytes):
            os.close(inside)
        self.stdin = os.fdopen(gives, "wb") if isinstance(given, bytes) else None
        self.stdout = os.fdopen(there, "rb")
        self._status: int | None = None

    def wait(self, timeout: float = 60.0) -> int:
        """Its exit status."""
        until = time.monotonic() + timeout
        while self._status is None:
            pid, status = os.waitpid(self._pid, os.WNOHANG)
            if pid:
                self._status = os.waitstatus_to_exitcode(status)
            elif time.monotonic() > until:
                raise subprocess.TimeoutExpired("forked", timeout)
            else:
                time.sleep(_BEAT)
        return self._status

    def kill(self) -> None:
        """End it, where it has not ended."""
        if self._status is None:
            os.kill(self._pid, signal.SIGKILL)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.stdout.close()
        self.wait()


@contextmanager
def forked() -> Iterator[None]:
    """Let programs that work apart be forked."""
    with patch.object(apart, "_started", Forked):
        yield


@cache
def _loaded(program: Path) -> Callable[[], None]:
    """What the program does, with the library that it needs: what is forked has both."""
    for library in _LIBRARIES:
        import_module(library)
    main: Callable[[], None] = import_module(f"core.intake.formats.{program.stem}").main
    return main


def _be_it(main: Callable[[], None], arguments: Sequence[str], inside: int, said: int) -> None:
    """Be the other process; does not return."""
    status = 1
    try:
        for deadly in _DEADLY:
            signal.signal(deadly, signal.SIG_DFL)  # the fuzzer would take it for its own end
        os.dup2(inside, 0)
        os.dup2(said, 1)
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
        os.closerange(3, 64)
        sys.argv = ["", *arguments]
        main()
        status = 0
    finally:
        os._exit(status)
