"""Memory that nobody uses any more: it does not lie scattered, and goes back when there is nothing to do."""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Callable, Sequence

from PySide6.QtCore import QObject, QTimer

from zebra_gui.jobs.jobs import Jobs

IDLE_MS = 5000
"""So long nothing was under way: what comes next might need the memory again."""

_ARENA_MAX = -8  # M_ARENA_MAX in glibc's malloc.h


class MemoryTrimmer(QObject):
    """Gives memory back when all queues have been empty for a while, once after each time of work.

    The allocator of glibc keeps what was freed: after a report and some pictures the program holds up to
    400 MB that it does not use. Elsewhere allocators do it themselves, and nothing happens.
    """

    def __init__(
        self, queues: Sequence[Jobs], parent: QObject, give_back: Callable[[], object] | None = None
    ) -> None:
        super().__init__(parent)
        self._queues = tuple(queues)
        self._give_back = give_back or give_memory_back
        self._jobs = Jobs(self)  # a moment's work, but other threads may go on meanwhile
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(IDLE_MS)
        self._timer.timeout.connect(self._on_idle)
        for queue in self._queues:
            queue.changed.connect(self._wait)
        self._is_over = False

    def stop(self) -> None:
        """Give back no more; what is under way takes a moment."""
        self._is_over = True
        self._timer.stop()

    def finish(self, most_ms: int = -1) -> bool:
        """Wait until no thread is left, at most so long; whether it is so."""
        return self._jobs.finish(most_ms)

    def _wait(self) -> None:
        if not self._is_over:
            self._timer.start()

    def _on_idle(self) -> None:
        if not any(queue.waiting for queue in self._queues):
            self._jobs.start("", lambda _on_progress: self._give_back())


def give_memory_back() -> bool:
    """Ask the allocator for it; whether there is one that can be asked."""
    if sys.platform != "linux":
        return False
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)  # not in every C library
    return trim is not None and trim(0) == 1


def share_one_heap() -> bool:
    """Let all threads take their memory from one heap; whether there is an allocator that can be asked.

    That of glibc gives each thread a heap of its own. What stays of one job lies scattered over the heaps of
    all threads there ever were, and keeps their pages from going back: the memory grows all day, though ever
    the same amount of it is in use.
    """
    if sys.platform != "linux":
        return False
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)  # not in every C library
    return mallopt is not None and mallopt(_ARENA_MAX, 1) == 1
