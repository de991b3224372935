"""Programs that work apart, in a process that goes on with the next file where it survived the last one.

What `core.apart` does, a start of Python for each file, takes a third of a second, and a million inputs days.
The program is the same, with the same bounds; where a file kills it, another one is forked.

    python -m tests.fuzz.forking PROGRAM GIVEN ANSWERED LIBRARY...

is the process that waits. What it is asked for are lines of JSON, [ARGUMENTS, SECONDS]; the files GIVEN and
ANSWERED hold what the program reads and writes; the answer is a line with its exit status.
"""

from __future__ import annotations

import atexit
import json
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from unittest.mock import patch

from core import apart
from core.progress import Progress, no_progress

_LIBRARIES = ("h5py",)


@contextmanager
def forked() -> Iterator[None]:
    """Let programs that run apart be forked."""
    with patch.object(apart, "run_apart", _run_apart):
        yield


def _run_apart(
    program: Path,
    arguments: Sequence[str],
    content: bytes,
    *,
    most_bytes: int,
    seconds: float,
    on_progress: Progress = no_progress,
) -> bytes:
    on_progress(0.0)
    process, given, answered = _waiting(program)
    assert process.stdin is not None
    assert process.stdout is not None
    given.write_bytes(content)
    answered.write_bytes(b"")
    process.stdin.write(json.dumps([list(arguments), seconds]) + "\n")
    process.stdin.flush()
    if int(process.stdout.readline()) != 0 or answered.stat().st_size > most_bytes:
        raise apart.NoAnswer
    return answered.read_bytes()


@cache
def _waiting(program: Path) -> tuple[subprocess.Popen[str], Path, Path]:
    """The process that waits; it ends with this one."""
    folder = tempfile.TemporaryDirectory()
    given, answered = Path(folder.name, "given"), Path(folder.name, "answered")
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.fuzz.forking", program, given, answered, *_LIBRARIES],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    atexit.register(folder.cleanup)
    atexit.register(process.communicate)
    return process, given, answered


def main() -> None:
    """Answer what is asked in a child, and in another one when it died, until nothing is asked any more."""
    program, given, answered, *libraries = sys.argv[1:]
    spec = spec_from_file_location("program", program)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    for library in libraries:
        import_module(library)
    while True:
        child = os.fork()
        if not child:
            _answer_until_death(module, Path(given), Path(answered))
        _, status = os.waitpid(child, 0)
        if not status:
            return
        _tell(status)


def _answer_until_death(program: ModuleType, given: Path, answered: Path) -> None:
    """Be the program again and again. Does not return."""
    status = 1
    try:
        # One line at a time is asked, so one read is one line; a buffer would die with this process.
        while line := os.read(0, 1 << 16):
            arguments, seconds = json.loads(line)
            signal.alarm(max(1, round(seconds)))
            sys.argv = ["program", *arguments]
            with (
                given.open(encoding="utf-8") as sys.stdin,
                answered.open("w", encoding="utf-8") as sys.stdout,
            ):
                program.main()
            program._limit_memory = lambda _more: None  # which is to be done once in a process
            _tell(0)
        status = 0
    finally:
        os._exit(status)


def _tell(status: int) -> None:
    os.write(1, f"{status}\n".encode())


if __name__ == "__main__":
    main()
