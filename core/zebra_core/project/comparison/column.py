"""A column of a comparison: what it is sorted by, what is shown, and which way is better."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum

from zebra_core.project.comparison.comparison import ComparisonRow
from zebra_core.wording.texts import say, visible

NOTHING = "–"

Value = str | float | None


class BetterDirection(Enum):
    """Which way a figure speaks for a safeguard."""

    LOWER = "lower"
    HIGHER = "higher"
    NEITHER = "neither"


@dataclass(frozen=True)
class ComparisonColumn:
    """A column: what is sorted by, what is shown, and which way is better for those who are protected.

    `bar_end` is the value that fills a cell's bar, which begins at 0; None for no bar. Its words are in the
    texts: `column.<code>` is the head with the unit, `column.<code>-means` says it in a sentence.
    """

    code: str
    value: Callable[[ComparisonRow], Value]
    shown: Callable[[ComparisonRow], str]
    better: BetterDirection = BetterDirection.NEITHER
    bar_end: float | None = None
    is_text: bool = False
    is_shown_first: bool = True  # in the window, until the user chooses
    figure: str = ""  # the key of the figure whose interval it shows, where it shows one

    @property
    def head(self) -> str:
        """What stands above it."""
        return say(f"column.{self.code}")

    @property
    def meaning(self) -> str:
        """What it tells, in a sentence, and which way is better."""
        return " ".join([say(f"column.{self.code}-means"), *self._direction()])

    def _direction(self) -> list[str]:
        return (
            [say(f"column.better-{self.better.value}")] if self.better is not BetterDirection.NEITHER else []
        )


def text_column(code: str, of: Callable[[ComparisonRow], str], *, first: bool = True) -> ComparisonColumn:
    """A column of words."""
    # Sorted by the text itself; shown on one line with nothing invisible in it.
    return ComparisonColumn(
        code, of, lambda row: visible(of(row), 400) or NOTHING, is_text=True, is_shown_first=first
    )


def figure_column(
    code: str,
    of: Callable[[ComparisonRow], float | None],
    word: Callable[[float], str],
    better: BetterDirection = BetterDirection.NEITHER,
    bar_end: float | None = None,
    *,
    first: bool = True,
) -> ComparisonColumn:
    """A column of numbers, each in words of its own."""

    def shown(row: ComparisonRow) -> str:
        value = of(row)
        return NOTHING if value is None else word(value)

    return ComparisonColumn(code, of, shown, better, bar_end, is_shown_first=first)
