"""Whether a figure differs between sets of different people, each drawn by itself.

Nobody is in two of them, so nothing is paired: the variance of a difference is the sum of both. What each
figure adds is taken from its own interval, on the side of the other figure, where it may be wider than on its
far side; so the test knows of the scale of the figure, and of errors that nobody happened to make. Ref: Zou
and Donner 2008, "Construction of confidence limits about effect measures" (variances from intervals); Welch
1947 (freedom); Holm 1979.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import NamedTuple

import scipy

from zebra_core.metrics.chance.multiple_testing import holm
from zebra_core.uncertainty.draws import FigureDraws

_LEVEL = 0.95  # of the intervals that variances are taken from: how often these hold the truth was simulated


@dataclass(frozen=True)
class IndependentDifference:
    """By how much a figure of one set exceeds that of another, without the optimism of small sets.

    `first` and `second` are places in what was compared, from 0. `p_value` is that of this test alone,
    `p_family` corrected for all that were made together.
    """

    figure: str
    first: int
    second: int
    value: float  # first − second
    p_value: float
    p_family: float
    level: float = 0.95

    @property
    def is_settled(self) -> bool:
        """Whether the two differ by more than the people who happened to take part explain."""
        return self.p_family <= 1.0 - self.level


def independent_differences(
    compared: Sequence[Mapping[str, FigureDraws]], figures: Sequence[str], level: float = 0.95
) -> tuple[IndependentDifference, ...]:
    """All pairs by all of these figures that both have, corrected together; figure by figure.

    `compared` has the draws of each set by figure.
    """
    found = []
    for figure in figures:
        for i, j in combinations(range(len(compared)), 2):
            if figure in compared[i] and figure in compared[j]:
                value, p_value = independent_test(*(_stated(compared[place][figure]) for place in (i, j)))
                found.append(IndependentDifference(figure, i, j, value, p_value, p_value, level))
    corrected = holm([each.p_value for each in found])
    return tuple(replace(each, p_family=p) for each, p in zip(found, corrected, strict=True))


class StatedFigure(NamedTuple):
    """A figure with the ends of its interval at a level, and how many people it rests on."""

    value: float
    low: float
    high: float
    people: int
    level: float


def _stated(draws: FigureDraws) -> StatedFigure:
    interval = draws.interval(_LEVEL)
    return StatedFigure(draws.corrected, interval.low, interval.high, draws.n_clusters, _LEVEL)


def independent_test(one: StatedFigure, other: StatedFigure) -> tuple[float, float]:
    """The difference of two figures of different people, and its p-value by Welch's test."""
    value = one.value - other.value
    lower, upper = (one, other) if value < 0.0 else (other, one)
    ends = lower.high - lower.value, upper.value - upper.low
    freedom = [max(each.people - 1, 1) for each in (lower, upper)]
    variances = [
        (end / float(scipy.special.stdtrit(free, 0.5 + each.level / 2.0))) ** 2
        for each, end, free in zip((lower, upper), ends, freedom, strict=True)
    ]
    total = sum(variances)
    if not total > 0.0:
        return value, 1.0  # no spread is known, so nothing is told
    welch = total**2 / sum(each**2 / free for each, free in zip(variances, freedom, strict=True))
    return value, 2.0 * float(scipy.special.stdtr(welch, -abs(value) / math.sqrt(total)))
