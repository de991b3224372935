"""Names in a sentence: all of them while they are few, the first and how many more where they are many."""

from __future__ import annotations

from collections.abc import Sequence

from core.texts import say, visible

MOST_NAMES = 20


def listed(names: Sequence[str], most: int = MOST_NAMES) -> str:
    """The names, separated by commas; beyond `most` of them only their number."""
    shown = ", ".join(visible(name) for name in names[:most])
    rest = len(names) - most
    return say("word.and-more", shown=shown, count=rest) if rest > 0 else shown
