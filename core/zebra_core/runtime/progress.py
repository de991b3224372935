"""How long work is watched and stopped: a callback that core knows, and no more."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import Lock
from typing import Generic, TypeVar

Progress = Callable[[float], None]
"""Called with the share of the work that is done, 0 … 1; raises errors.Cancelled to stop it."""


def no_progress(_share_done: float) -> None:
    """Ignore progress: for work that nobody watches."""


def part_of(progress: Progress, start: float, end: float) -> Progress:
    """The progress of one part of a larger piece of work, from `start` to `end` of the whole."""
    return lambda share: progress(start + (end - start) * share)


# Results that a program may be asked for again: those used last, as many as have room.


T = TypeVar("T")


class LastUsed(Generic[T]):
    """Results by key, those that were used last; several threads may use it.

    `most` bounds the sum of the sizes that `keep` is told, by default the number of results.
    What was used last stays, however large. Of two that work out the same at once each has its own, and the
    later one stays.
    """

    def __init__(self, most: int = 32) -> None:
        self._most = most
        self._total = 0
        self._kept: OrderedDict[Hashable, tuple[T, int]] = OrderedDict()
        self._lock = Lock()

    def __len__(self) -> int:
        return len(self._kept)

    @property
    def has_room_for(self) -> int:
        """What can be kept without letting go of anything."""
        return self._most - self._total

    def find(self, key: Hashable) -> T | None:
        """What is kept under this key; None where nothing is."""
        with self._lock:
            if key not in self._kept:
                return None
            self._kept.move_to_end(key)
            return self._kept[key][0]

    def keep(self, key: Hashable, value: T, size: int = 1) -> None:
        """Keep it, and let go of what has not been used for longest."""
        with self._lock:
            if key in self._kept:
                self._total -= self._kept.pop(key)[1]
            self._kept[key] = value, size
            self._total += size
            while self._total > self._most and len(self._kept) > 1:
                self._total -= self._kept.popitem(last=False)[1][1]

    def of(self, key: Hashable, compute: Callable[[], T]) -> T:
        """What is kept under this key, or what is computed now; an error of `compute` is not kept."""
        with self._lock:
            if key in self._kept:  # None may be a result
                self._kept.move_to_end(key)
                return self._kept[key][0]
        made = compute()
        self.keep(key, made)
        return made
