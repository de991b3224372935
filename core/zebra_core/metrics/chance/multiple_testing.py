"""Families: tests that are made together, and the level that each must hold so that all hold theirs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import comb

import numpy as np


@dataclass(frozen=True)
class Family:
    """So many tests; one true hypothesis among them is rejected in at most 1 − `level` of the cases.

    Tests whose outcomes go together may count for fewer.

    Each is held against its share of that (Bonferroni), so that a test and the interval that it inverts say
    the same: an interval at `level_of_each` leaves 0 out where the p-value is at most `settled_up_to`.
    """

    size: float
    level: float = 0.95

    @classmethod
    def of_pairs(cls, n_compared: int, n_figures: int, level: float = 0.95) -> Family:
        """All pairs of those compared, by so many figures."""
        return cls(max(1, comb(n_compared, 2) * n_figures), level)

    @property
    def settled_up_to(self) -> float:
        """The largest p-value of one test that rejects."""
        return (1.0 - self.level) / self.size

    @property
    def level_of_each(self) -> float:
        """The confidence level of the interval of one test."""
        return 1.0 - self.settled_up_to

    def adjusted(self, p_value: float) -> float:
        """The p-value of one test adjusted for all of them, to be held against 1 − level."""
        return min(1.0, p_value * self.size)


def holm(p_values: Sequence[float]) -> list[float]:
    """p-values for a family of tests, in the same order, such that each may be held against the level alone.

    The k-th smallest of m is multiplied by m − k + 1, and none is below a smaller one's. Ref: Holm 1979.
    """
    m = len(p_values)
    order = np.argsort(p_values, kind="stable")
    adjusted = np.empty(m)
    ascending = np.asarray(p_values, dtype=np.float64)[order] * (m - np.arange(m))
    adjusted[order] = np.minimum(np.maximum.accumulate(ascending), 1.0)
    return [float(p) for p in adjusted]
