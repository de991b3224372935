"""A program that works apart, as a process that goes on with one input after the other.

It is forked with its library loaded, which takes a hundred times as long as most inputs. The program finds
the same with every input: its standard input and output, its arguments, and a limit of memory, laid once.
"""

from __future__ import annotations

import gc
import io
import json
import os
import resource
import signal
import socket
import struct
import sys
import warnings
from collections.abc import Callable
from pathlib import Path
from threading import Thread
from types import ModuleType, SimpleNamespace
from typing import Any, NoReturn

STATUS = struct.Struct("<i?")
"""What is said of an input: the exit status, and whether this process goes on with others."""
MOST_INPUTS = 5000
MOST_GROWN = 64 << 20  # bytes that it may take more than after its first input: libraries reserve some
_BETWEEN_LOOKS = 16  # inputs, before it is seen how much it has taken
_LONGEST_QUESTION = 1 << 16
# Of the processor, for one input; a good one takes a thousandth. The readers bear more.
_BUSY_SECONDS = 0.1
_FAULTS = (signal.SIGSEGV, signal.SIGBUS, signal.SIGILL, signal.SIGFPE, signal.SIGABRT)


def serve(main: Callable[[], None], control: socket.socket) -> NoReturn:
    """Be this process, until there is nothing more to do or it were better to begin anew.

    A question is a message with the arguments as JSON, and the files to be its standard input and output.
    """
    try:
        _settle(control)
        # An exception of C++ that nobody catches ends the program. Below here the fuzzer would catch it.
        answering = Thread(target=_answer_all, args=(main, control))
        answering.start()
        answering.join()
    finally:
        os._exit(0)


def _answer_all(main: Callable[[], None], control: socket.socket) -> None:
    first, tried, goes_on = 0, 0, True
    while goes_on:
        question, files, _, _ = socket.recv_fds(control, _LONGEST_QUESTION, 2)
        if not question:
            break
        tried += 1
        ended_well = _try_one(main, json.loads(question), files)
        goes_on = ended_well and tried < MOST_INPUTS
        first = first or _taken_bytes()
        if goes_on and tried % _BETWEEN_LOOKS == 0:
            goes_on = _taken_bytes() < first + MOST_GROWN
        # First this: who sees the end of the answer asks for it.
        control.send(STATUS.pack(not ended_well, goes_on))
        for place in range(2):
            os.dup2(2, place)


def _settle(control: socket.socket) -> None:
    """Let go of what the parent has of its own, and be as a process that was started for the program."""
    from zebra_core.runtime import bounds_apart

    for deadly in (*_FAULTS, signal.SIGXCPU, signal.SIGPROF):
        signal.signal(deadly, signal.SIG_DFL)  # the fuzzer would take it for its own end
    os.closerange(3, control.fileno())
    os.closerange(control.fileno() + 1, 1024)
    os.dup2(os.open(os.devnull, os.O_RDWR), 2)
    warnings.simplefilter("ignore")  # nobody reads them, and for the parent they are errors
    gc.freeze()
    sys.modules["bounds_apart"] = _laid_once(bounds_apart)


def _laid_once(bounds: ModuleType) -> Any:
    """Limits as the program knows them, of which the second of the same kind is no lower than the first."""
    laid = []

    def limit_memory(more: int) -> None:
        if not laid:
            bounds.limit_memory(more)
            laid.append(more)

    # For one input there is a timer.
    return SimpleNamespace(
        limit_memory=limit_memory,
        limit_time=lambda _more: None,
        engine_that_opens=bounds.engine_that_opens,
    )


def _try_one(main: Callable[[], None], arguments: list[str], files: list[int]) -> bool:
    """Answer one question. Returns whether the program ended well."""
    for place, file in enumerate(files):
        os.dup2(file, place)
        os.close(file)
    sys.argv = ["", *arguments]
    sys.stdin = _stream(io.BufferedReader(io.FileIO(0, "r", closefd=False)))
    sys.stdout = _stream(io.BufferedWriter(io.FileIO(1, "w", closefd=False)))
    places, finders = len(sys.path), len(sys.meta_path)
    signal.setitimer(signal.ITIMER_PROF, _BUSY_SECONDS)
    try:
        main()
        sys.stdout.buffer.flush()
    except BaseException:  # noqa: BLE001 - whatever it is, it would have ended the program
        return False
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
    # What the program has put there it puts there again.
    del sys.path[places:], sys.meta_path[: len(sys.meta_path) - finders]
    return True


def _stream(buffer: io.BufferedIOBase) -> Any:
    """As much of a stream of text as is used: what is behind it."""
    return SimpleNamespace(buffer=buffer)


def _taken_bytes() -> int:
    return int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0]) * resource.getpagesize()
