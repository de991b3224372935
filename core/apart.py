"""Work on bytes that may kill whoever does it is done apart, by a program in a process of its own.

A library in C that stumbles over a file takes its whole process along, and no exception tells of it. The
program here is a Python file that needs nothing of this package. It finds the bytes on standard input, writes
what it made of them to standard output, and ends with status 0.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from threading import Thread
from typing import IO

from core.progress import Progress, no_progress

_BEAT = 0.05  # seconds between two looks at whether the user has stopped the work
_NO_WINDOW = getattr(subprocess, "CREATE_NO_WINDOW", 0)  # a console would flash up on Windows


class NoAnswer(Exception):  # noqa: N818 - what it means, its caller knows
    """The program died, did not end in time, or answered with more than it may."""


def can_run() -> bool:
    """Whether there is a Python to run a program with: in a bundle the executable is ZEBRA itself."""
    return bool(sys.executable) and not getattr(sys, "frozen", False)


def run_apart(
    program: Path,
    arguments: Sequence[str],
    content: bytes,
    *,
    most_bytes: int,
    seconds: float,
    on_progress: Progress = no_progress,
) -> bytes:
    """What the program answers, at most so many bytes, within so many seconds. Raises NoAnswer.

    What `on_progress` raises ends the program, too. Call it only where `can_run`.
    """
    # Threads of a library for linear algebra, which nothing here needs, would each reserve memory.
    environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1"}
    answer: list[bytes] = []
    with subprocess.Popen(
        [sys.executable, "-P", str(program), *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=environment,
        creationflags=_NO_WINDOW,
    ) as process:
        assert process.stdin is not None  # noqa: S101 - they are pipes
        assert process.stdout is not None  # noqa: S101
        threads = [
            Thread(target=_give, args=(process.stdin, content), daemon=True),
            Thread(target=_take, args=(process.stdout, most_bytes + 1, answer), daemon=True),
        ]
        try:
            for thread in threads:
                thread.start()
            _wait(threads[1], time.monotonic() + seconds, on_progress)
            ended_well = process.wait(timeout=_BEAT * 20) == 0
        except subprocess.TimeoutExpired as error:
            raise NoAnswer from error
        finally:
            process.kill()
            for thread in threads:
                thread.join()
    if not ended_well or len(answer[0]) > most_bytes:
        raise NoAnswer
    return answer[0]


def _wait(thread: Thread, until: float, on_progress: Progress) -> None:
    while thread.is_alive():
        on_progress(0.0)
        if time.monotonic() > until:
            raise NoAnswer
        thread.join(_BEAT)


def _give(stream: IO[bytes], content: bytes) -> None:
    try:
        with stream:
            stream.write(content)
    except OSError:
        pass  # it ended without reading everything; its status tells


def _take(stream: IO[bytes], most: int, answer: list[bytes]) -> None:
    answer.append(stream.read(most))
