"""One function applied to many things in threads: results in order, progress and cancelling as if one by one.

Threads, not processes: NumPy and the parser of pandas let other threads run, and nothing needs to be copied.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import suppress
from contextvars import copy_context
from queue import Empty, SimpleQueue
from threading import Event
from typing import Generic, TypeVar

from zebra_core.errors import Cancelled
from zebra_core.runtime.progress import Progress, part_of

T = TypeVar("T")
R = TypeVar("R")

SMALL = 2 << 20
"""Bytes of a thing up to which threads would wait for each other: small steps of Python are made of it."""
MOST_THREADS = 4  # each holds a file in memory
_HEARTBEAT = 0.05  # seconds between two looks at whether the user has stopped the work


def each(
    work: Callable[[T, Progress], R], things: Sequence[T], on_progress: Progress, size: int | None = None
) -> list[R]:
    """What `work` makes of each thing, in their order; `size` is how many bytes all of them have, if known.

    `on_progress` is called in the caller's thread only; what it raises stops all threads, as soon as they
    tell their progress, and is raised here. So is the first exception of the work, by order of the things.
    Raises MemoryError where the system has no thread left to give.
    """
    are_small = size is not None and size <= SMALL * len(things)
    threads = 1 if are_small else threads_for(len(things))
    if threads < 2:
        return [
            work(thing, part_of(on_progress, number / len(things), (number + 1) / len(things)))
            for number, thing in enumerate(things)
        ]
    turns = _Turns(work, things)
    with ThreadPoolExecutor(threads, "each") as pool:
        try:
            workers = {pool.submit(copy_context().run, turns.take) for _ in range(threads)}
        except RuntimeError as error:  # no thread can be started
            turns.stopped.set()
            raise MemoryError from error
        try:
            while workers:
                workers = wait(workers, _HEARTBEAT).not_done
                on_progress(turns.share_done())
        except BaseException:
            turns.stopped.set()
            pool.shutdown(wait=True, cancel_futures=True)
            raise
    return turns.results()


class _Turns(Generic[T, R]):
    """Things that wait for a thread. A future for each would make every look at very many of them slow."""

    def __init__(self, work: Callable[[T, Progress], R], things: Sequence[T]) -> None:
        self.stopped = Event()
        self._work, self._things = work, things
        self._done = [0.0] * len(things)
        self._found: dict[int, R] = {}
        self._faults: dict[int, BaseException] = {}
        self._waiting: SimpleQueue[int] = SimpleQueue()
        for number in range(len(things)):
            self._waiting.put(number)

    def take(self) -> None:
        """One thing after another, until none is left or one has failed; those before it are done."""
        with suppress(Empty):
            while not self._faults:
                number = self._waiting.get_nowait()
                try:
                    self._found[number] = self._one(number)
                except BaseException as error:  # noqa: BLE001 - raised by the caller's thread
                    self._faults[number] = error

    def share_done(self) -> float:
        return sum(self._done) / len(self._done)

    def results(self) -> list[R]:
        """In the order of the things; raises the first exception by that order."""
        if self._faults:
            raise self._faults[min(self._faults)]
        return [self._found[number] for number in range(len(self._things))]

    def _one(self, number: int) -> R:
        def progress(share: float) -> None:
            if self.stopped.is_set():
                raise Cancelled
            self._done[number] = share

        progress(0.0)
        return self._work(self._things[number], progress)


def threads_for(count: int) -> int:
    """How many threads work on so many things."""
    return min(_processors(), MOST_THREADS, count)


def _processors() -> int:
    """How many of them this program may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
