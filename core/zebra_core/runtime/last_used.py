"""Results that a program may be asked for again: those used last, as many as have room."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import Lock
from typing import Generic, TypeVar

T = TypeVar("T")


class LastUsed(Generic[T]):
    """For threads. Of two that work out the same at once each has its own, and the later one stays."""

    def __init__(self, most: int = 32) -> None:
        self._most = most
        self._kept: OrderedDict[Hashable, T] = OrderedDict()
        self._lock = Lock()

    def of(self, key: Hashable, compute: Callable[[], T]) -> T:
        """What is known of this key, or what is computed now; an error of `compute` is not kept."""
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
                return self._kept[key]
        made = compute()
        with self._lock:
            self._kept[key] = made
            self._kept.move_to_end(key)
            if len(self._kept) > self._most:
                self._kept.popitem(last=False)
        return made
