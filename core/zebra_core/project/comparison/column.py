"""A column of a comparison: what it is sorted by, what is shown, and which way is better."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import Enum
from typing import Any

from zebra_core.project.comparison.row import ComparisonRow
from zebra_core.uncertainty.intervals import Interval
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
    texts: `column.<code>` is the head with the unit, `column.<code>-means` says it in a sentence. `kept_as`
    is its key in JSON, CSV and frames, `more` what stands beside it; "" where its value stands there already.
    """

    code: str
    value: Callable[[ComparisonRow], Value]
    shown: Callable[[ComparisonRow], str]
    better: BetterDirection = BetterDirection.NEITHER
    bar_end: float | None = None
    is_text: bool = False
    is_shown_first: bool = True  # in the window, until the user chooses
    figure: str = ""  # the key of the figure whose interval it shows, where it shows one
    kept_as: str = ""
    more: Callable[[ComparisonRow], dict[str, Any]] | None = None

    @property
    def key(self) -> str:
        """What it is called wherever it is asked for."""
        return self.kept_as or self.figure or self.code

    def as_json(self, row: ComparisonRow) -> dict[str, Any]:
        """What it keeps of a row, unrounded; None where it is undefined."""
        return {self.kept_as: self.value(row), **(self.more(row) if self.more else {})}

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


def kept_as_json(row: ComparisonRow, columns: Iterable[ComparisonColumn]) -> dict[str, Any]:
    """What columns keep of a row, unrounded, by key; None (null) where it is undefined."""
    return {key: value for one in columns for key, value in one.as_json(row).items()}


def ends(key: str, interval: Interval | None) -> dict[str, float | None]:
    """Both ends of an interval under the key of its figure."""
    return {
        f"{key}_low": interval.low if interval else None,
        f"{key}_high": interval.high if interval else None,
    }


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
