"""Memory that nobody uses any more: it does not lie scattered, and goes back when there is nothing to do."""

from __future__ import annotations

import ctypes
import gc
import sys
import time
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


# Python's garbage is collected in the thread of the window alone.
#
# Python collects it in whichever thread happens to make an object. Where a widget is among it, and the thread
# is that of a job, Qt takes the program along.


_EVERY_MS = 250
_LONGEST_S = 0.05  # of a processor, that a look at everything may take


class GarbageCollection(QObject):
    """Collects the garbage of this program now and then, from when it is made until `stop`."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        gc.disable()
        self._timer = QTimer(self)
        self._timer.setInterval(_EVERY_MS)
        self._timer.timeout.connect(_collect_at_leisure)
        self._timer.start()

    def stop(self) -> None:
        """Let Python collect as it likes."""
        self._timer.stop()
        gc.enable()

    @staticmethod
    def settle() -> None:
        """Never look again at what there is by now: modules and widgets, which stay.

        To look through all of them takes 0.1 s, in which the window would stand still.
        """
        gc.freeze()


def collect_due() -> float:
    """Collect the oldest generation due by the thresholds of Python; the seconds of a processor that took."""
    due = [
        generation
        for generation, (count, most) in enumerate(zip(gc.get_count(), gc.get_threshold(), strict=True))
        if count > most
    ]
    began = time.thread_time()
    if due:
        gc.collect(due[-1])
    return time.thread_time() - began


def _collect_at_leisure() -> None:
    """Collect what is due; where the window stood still meanwhile, what is there is never looked at again.

    So it is beside a hundred thousand recordings. Nearly all of it goes without help when nobody needs it.
    """
    if collect_due() > _LONGEST_S:
        gc.freeze()
