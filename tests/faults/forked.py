"""The programs of this folder, each begun where its imports end.

To import the core and the window takes longer than most of what these programs are there for. So they are
forked off one process that has done nothing else: the fork server of `multiprocessing`, one for each worker
of pytest. Each is still a process of its own, which makes its own application and window, has its own output
and may be killed; it shares nothing with others but modules as they are after their import.
"""

from __future__ import annotations

import multiprocessing
import os
import runpy
import sys
import tempfile
from multiprocessing.connection import Connection
from pathlib import Path
from subprocess import CompletedProcess

CHECKOUT = Path(__file__).resolve().parents[2]
_IMPORTED = [
    "tests.faults.kill_while_autosaving",
    "tests.faults.kill_while_exporting",
    "tests.faults.kill_while_saving",
    "tests.soak.user",
    "zebra_gui.app",
    "zebra_gui.cli",
]
_START = multiprocessing.get_context("forkserver")
_START.set_forkserver_preload(_IMPORTED)


class Program:
    """A program while it runs, in the checkout; what it prints is read from `stdout`."""

    def __init__(self, name: str, *arguments: object, **environment: str) -> None:
        """Start it as `python tests/faults/NAME ARGUMENTS` would, in this environment with what is said."""
        reading, writing = _START.Pipe(duplex=False)
        self._complaints = tempfile.NamedTemporaryFile()  # noqa: SIM115 - open as long as the program
        command = [f"tests/faults/{name}", *map(str, arguments)]
        given = (command, {**os.environ, **environment}, writing, self._complaints.name)
        self._process = _START.Process(target=_run, args=given)
        self._process.start()
        writing.close()
        self.stdout = os.fdopen(os.dup(reading.fileno()), encoding="utf-8")
        reading.close()

    def kill(self, number: int) -> None:
        """Send it this signal."""
        assert self._process.pid is not None
        os.kill(self._process.pid, number)

    def ended(self, timeout: float = 300.0) -> CompletedProcess[str]:
        """Wait until it has gone; what it has printed since it was last read, and its complaints.

        Whoever has not gone after `timeout` seconds is killed. What is printed must fit into a pipe.
        """
        self._process.join(timeout)
        self._process.kill()
        self._process.join()
        code = self._process.exitcode
        assert code is not None
        with self.stdout, self._complaints:
            return CompletedProcess(
                self._process.name, code, self.stdout.read(), self._complaints.read().decode()
            )


def run(name: str, *arguments: object) -> CompletedProcess[str]:
    """Run a program to its end."""
    return Program(name, *arguments).ended()


def _run(command: list[str], environment: dict[str, str], stdout: Connection, stderr: str) -> None:
    """In the new process: the program, as Python would run it."""
    os.chdir(CHECKOUT)
    os.environ.clear()
    os.environ.update(environment)
    os.dup2(stdout.fileno(), sys.__stdout__.fileno())
    stdout.close()
    os.dup2(os.open(stderr, os.O_WRONLY | os.O_APPEND), sys.__stderr__.fileno())
    sys.argv = command
    runpy.run_path(command[0], run_name="__main__")
