"""The same work on several things at once: results in order, progress and cancelling as if one by one.

Threads, not processes: NumPy and the parser of pandas let other threads run, and nothing needs to be copied.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from contextvars import copy_context
from threading import Event
from typing import TypeVar

from zebra_core.errors import Cancelled
from zebra_core.runtime.progress import Progress, part_of

T = TypeVar("T")
R = TypeVar("R")

MOST_THREADS = 4  # each holds a file in memory
_HEARTBEAT = 0.05  # seconds between two looks at whether the user has stopped the work


def each(work: Callable[[T, Progress], R], things: Sequence[T], on_progress: Progress) -> list[R]:
    """What `work` makes of each thing, in their order.

    `on_progress` is called in the caller's thread only; what it raises stops all threads, as soon as they
    tell their progress, and is raised here. So is the first exception of the work, by order of the things.
    Raises MemoryError where the system has no thread left to give.
    """
    threads = threads_for(len(things))
    if threads < 2:
        return [
            work(thing, part_of(on_progress, number / len(things), (number + 1) / len(things)))
            for number, thing in enumerate(things)
        ]
    done, stopped = [0.0] * len(things), Event()

    def one(number: int) -> R:
        def progress(share: float) -> None:
            if stopped.is_set():
                raise Cancelled
            done[number] = share

        progress(0.0)
        return work(things[number], progress)

    with ThreadPoolExecutor(threads, "each") as pool:
        try:
            futures = [pool.submit(copy_context().run, one, number) for number in range(len(things))]
        except RuntimeError as error:  # no thread can be started
            stopped.set()
            raise MemoryError from error
        try:
            open_ones = set(futures)
            while open_ones:
                open_ones = wait(open_ones, _HEARTBEAT).not_done
                on_progress(sum(done) / len(things))
            return [future.result() for future in futures]
        except BaseException:
            stopped.set()
            pool.shutdown(wait=True, cancel_futures=True)
            raise


def threads_for(count: int) -> int:
    """How many threads work on so many things."""
    return min(_processors(), MOST_THREADS, count)


def _processors() -> int:
    """How many of them this program may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
