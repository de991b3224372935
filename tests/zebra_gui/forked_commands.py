"""Commands of zebra, several of them forked off one interpreter, each a process of its own.

An interpreter decodes its arguments and sets up its output as it starts, by the environment that it is given.
To start one, and to import what commands need, takes longer than most of what they are asked.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, NamedTuple

CLOSED = -1
"""Instead of a descriptor: standard output is closed."""
_NEXT = "and then"
_PROGRAM = f"""
import gc, os, sys
from zebra_gui.cli import main
from zebra_gui.commands import report
from zebra_core.project import arrival, people, speaker_study  # and this most of them, each anew
from zebra_core.report import evidence, lines

gc.freeze()  # or each of them looks through all modules for garbage as it ends
given = sys.argv[1:]
while given:
    told, out, err, *own = given[:given.index({_NEXT!r})]
    given = given[len(own) + 4:]
    child = os.fork()
    if not child:
        if int(out) == {CLOSED}:
            sys.stdout = None
        else:
            os.dup2(int(out), 1)
        os.dup2(int(err), 2)
        sys.argv[1:] = own
        main()
        raise AssertionError("a command ends its program")
    os.write(int(told), str(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])).encode())
os._exit(0)
"""


class Ended(NamedTuple):
    """How a command ended, and what it printed; nothing where that went to a descriptor of somebody else."""

    status: int
    stdout: bytes
    stderr: bytes


def ended(
    commands: Sequence[Sequence[str]],
    environment: Mapping[str, str],
    *,
    folder: Path | None = None,
    outputs: Mapping[int, int] | None = None,
) -> list[Ended]:
    """Run commands one after the other, in this folder, with this in their environment.

    The standard output of some of them, by their number, is another descriptor, or CLOSED.
    """
    outputs = outputs or {}
    words: list[str] = []
    with ExitStack() as stack:
        kept = [[stack.enter_context(TemporaryFile()) for _ in range(3)] for _ in commands]
        for number, (command, (told, out, err)) in enumerate(zip(commands, kept, strict=True)):
            stdout = outputs.get(number, out.fileno())
            words += [*map(str, (told.fileno(), stdout, err.fileno())), *command, _NEXT]
        subprocess.run(
            [sys.executable, "-c", _PROGRAM, *words],
            check=True,
            cwd=folder,
            env={**os.environ, **environment, "OPENBLAS_NUM_THREADS": "1"},  # threads are not forked
            pass_fds=[
                *(file.fileno() for files in kept for file in files),
                *(output for output in outputs.values() if output != CLOSED),
            ],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,  # no terminal
            timeout=120,
        )
        return [Ended(int(_all_of(told)), _all_of(out), _all_of(err)) for told, out, err in kept]


def _all_of(file: IO[bytes]) -> bytes:
    file.seek(0)
    return file.read()
