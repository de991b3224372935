"""How long work is watched and stopped: a callback that core knows, and no more."""

from __future__ import annotations

from collections.abc import Callable

Progress = Callable[[float], None]
"""Called with the share of the work that is done, 0 … 1; raises errors.Cancelled to stop it."""


def no_progress(_share_done: float) -> None:
    """Ignore progress: for work that nobody watches."""


def part_of(progress: Progress, start: float, end: float) -> Progress:
    """The progress of one part of a larger piece of work, from `start` to `end` of the whole."""
    return lambda share: progress(start + (end - start) * share)
