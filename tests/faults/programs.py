"""The programs of this folder, each in a process of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

_CHECKOUT = Path(__file__).resolve().parents[2]


def start(name: str, *arguments: object, **environment: str) -> subprocess.Popen[str]:
    """Start one, with this in its environment; what it prints must fit into a pipe."""
    return subprocess.Popen(
        [sys.executable, "-m", f"tests.faults.{name}", *map(str, arguments)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=_CHECKOUT,
        env={**os.environ, **environment},
    )


def ended(program: subprocess.Popen[str], timeout: float = 300.0) -> subprocess.CompletedProcess[str]:
    """Wait until it has gone; what it has printed since it was last read, and its complaints.

    Whoever has not gone after `timeout` seconds is killed.
    """
    with program:
        try:
            code = program.wait(timeout)
        except subprocess.TimeoutExpired:
            program.kill()
            code = program.wait()
        assert program.stdout is not None
        assert program.stderr is not None
        return subprocess.CompletedProcess(program.args, code, program.stdout.read(), program.stderr.read())


def run(name: str, *arguments: object) -> subprocess.CompletedProcess[str]:
    """Run one to its end."""
    return ended(start(name, *arguments))
