"""A program of its own, not to be imported: forks programs that work apart, with their libraries loaded.

It never touches what they are given. Each is a process of its own, forked for one start: with the arguments,
the folder, the environment and the two streams of that start, its limits, its death. Only what Python and the
libraries do before the first line of the program is done once for all of them.

Argument: the number of a socket. A question is a message, JSON of {"program", "libraries", "arguments",
"folder", "environment"}, with three files: its standard input, its standard output, and a socket, through
which comes a byte with a file that stands for the process (pidfd), then its exit status as four bytes.
Whoever closes the socket ends the process.
"""

from __future__ import annotations

import gc
import json
import os
import signal
import socket
import struct
import sys
from collections.abc import Sequence
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from selectors import EVENT_READ, DefaultSelector
from types import CodeType, ModuleType
from typing import Any, NoReturn

_LONGEST_QUESTION = 1 << 18


class _Started:
    """A process that runs, and the socket of whoever wanted it."""

    def __init__(self, pid: int, asked_by: socket.socket, selector: DefaultSelector) -> None:
        self._pid, self._asked_by, self._selector = pid, asked_by, selector
        self._end, self._has_ended = os.pidfd_open(pid), False
        selector.register(self._end, EVENT_READ, self._tell)
        selector.register(asked_by, EVENT_READ, self.kill)
        with suppress(OSError):  # nobody may want it any more
            socket.send_fds(asked_by, [b"."], [self._end])

    def kill(self) -> None:
        """End it, unless it has ended: its number may be that of another by now."""
        if not self._has_ended:
            os.kill(self._pid, signal.SIGKILL)
            with suppress(KeyError):
                self._selector.unregister(self._asked_by)

    def _tell(self) -> None:
        status = os.waitstatus_to_exitcode(os.waitpid(self._pid, 0)[1])
        self._has_ended = True
        self._selector.unregister(self._end)
        os.close(self._end)
        with suppress(KeyError):
            self._selector.unregister(self._asked_by)
        with suppress(OSError), self._asked_by:  # nobody may want to hear it
            self._asked_by.send(struct.pack("<i", status))


def main() -> None:
    """Start what is asked for, until nobody can ask any more; then end what still runs."""
    control = socket.socket(fileno=int(sys.argv[1]))
    code: dict[str, CodeType] = {}
    started: list[_Started] = []
    selector = DefaultSelector()

    def answer() -> None:
        message, files, _, _ = socket.recv_fds(control, _LONGEST_QUESTION, 3)
        if message:
            started.append(_start(json.loads(message), files, code, selector))
        else:
            selector.unregister(control)
            for one in started:
                one.kill()

    selector.register(control, EVENT_READ, answer)
    while selector.get_map():
        for key, _ in selector.select():
            key.data()


def _start(
    asked: dict[str, Any], files: list[int], code: dict[str, CodeType], selector: DefaultSelector
) -> _Started:
    program = asked["program"]
    if program not in code:
        for library in asked["libraries"]:
            import_module(library)
        code[program] = compile(Path(program).read_bytes(), program, "exec")
        gc.collect()
        gc.freeze()  # or the first collection of each would copy all of it
    pid = os.fork()
    if not pid:
        _be(code[program], asked, files)
    for file in files[:2]:
        os.close(file)
    return _Started(pid, socket.socket(fileno=files[2]), selector)


def _be(code: CodeType, asked: dict[str, Any], files: Sequence[int]) -> NoReturn:
    """Be the program, as if started by its name."""
    status = 1
    try:
        for place, file in enumerate((*files[:2], os.open(os.devnull, os.O_WRONLY))):
            os.dup2(file, place)
        os.closerange(3, os.sysconf("SC_OPEN_MAX"))
        os.chdir(asked["folder"])
        os.environ.clear()
        os.environ.update(asked["environment"])
        sys.argv = [asked["program"], *asked["arguments"]]
        sys.stdin, sys.stdout = os.fdopen(0, "r"), os.fdopen(1, "w")
        module = sys.modules["__main__"] = ModuleType("__main__")
        module.__file__ = asked["program"]
        exec(code, module.__dict__)  # noqa: S102 - a program of ours
        sys.stdout.flush()
        status = 0
    except SystemExit as end:
        status = end.code if isinstance(end.code, int) else int(end.code is not None)
    finally:
        os._exit(status)


if __name__ == "__main__":
    main()
    os._exit(0)  # DuckDB has much to say at an ordinary end
