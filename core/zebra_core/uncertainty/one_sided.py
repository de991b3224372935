"""Bounds on one side: up to where a figure may lie at a stated confidence, and how many speakers decide.

A one-sided bound at 95 % is the end of a two-sided interval at 90 %, by the rules of `draws`: on the scale of
the figure, without the optimism of small sets, in tails widened for few speakers. Tails as small as many rows
leave to each have few draws in them; so the same bound is worked out by Student's t from the spread of the
draws, too, and the outer one of the two is taken.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
import scipy

from zebra_core.evidence.trials import FloatArray
from zebra_core.uncertainty.draws import FigureDraws
from zebra_core.uncertainty.interval_scale import BoundedScale, is_spread
from zebra_core.uncertainty.intervals import Interval, freedom, percentile
from zebra_core.uncertainty.perfect_separation import no_narrower

FEWEST_DRAWS = 100  # with fewer no bound is given
MOST_TIMES = 32  # so many times as many speakers are looked at
DECIDED_IN = 0.8  # of the simulated continuations
_IN_TAIL = 20  # draws, beyond a quantile that is relied upon
_STEPS = (
    1.1,
    1.25,
    1.5,
    1.75,
    2.0,
    2.5,
    3.0,
    4.0,
    5.0,
    6.0,
    8.0,
    10.0,
    12.0,
    16.0,
    20.0,
    24.0,
    float(MOST_TIMES),
)
_GRID = (np.arange(400) + 0.5) / 400.0


def one_sided(draws: FigureDraws, confidence: float) -> Interval:
    """The lower and the upper bound of a figure, each at this confidence (above a half) by itself."""
    found = draws.interval(2.0 * confidence - 1.0)
    spread = Spread.of(draws)
    low, high = (
        float(np.clip(spread.back(end), draws.lowest, draws.highest)) for end in spread.bounds(confidence)
    )
    outer = Interval(min(found.low, low), max(found.high, high))
    return no_narrower(outer, draws.at_error, draws.n_clusters, confidence)


def confidence_of_each(drawn: Sequence[FigureDraws], confidence: float) -> float:
    """At which confidence bounds of several figures, of draws that are pairs, hold all at once at this one.

    By the largest of their standardised deviations in each draw, on either side; so figures that go up and
    down together cost little. Never more than Bonferroni's; tails that have too few draws in them are taken
    as the smallest that has enough. Ref: Romano and Wolf 2005, "Stepwise multiple testing as formalized data
    snooping".
    """
    bonferroni = 1.0 - (1.0 - confidence) / max(1, len(drawn))
    count = min((len(each.draws) for each in drawn), default=0)
    together = np.array([each.draws[:count] for each in drawn])
    there = ~np.isnan(together).any(axis=0) if count else np.zeros(0, np.bool_)
    if len(drawn) < 2 or there.sum() <= _IN_TAIL:
        return bonferroni
    moved = [Spread.of(replace(each, draws=each.draws[:count][there])).deviations for each in drawn]
    apart = [each / each.std() for each in moved if each.std() > 0.0]
    if not apart:
        return confidence
    level = min(confidence, 1.0 - _IN_TAIL / there.sum())
    highest = max(np.quantile(np.max(np.multiply(side, apart), axis=0), level) for side in (1.0, -1.0))
    times = (1.0 - level) / float(scipy.special.ndtr(-highest))  # as many as are not alike
    return float(min(1.0 - (1.0 - confidence) / max(1.0, times), bonferroni))


@dataclass(frozen=True, eq=False)
class Spread:
    """A figure on the scale where its draws spread about evenly: its place, and how they lie about it.

    `deviations` (R,) are of n speakers, and have a mean of 0.
    """

    place: float
    deviations: FloatArray
    n: int
    freedom: float
    there: Callable[[float], float]  # from the figure to the scale, which ascends
    back: Callable[[float], float]

    @classmethod
    def of(cls, draws: FigureDraws) -> Spread:
        """The spread of a figure, from its draws."""
        values = draws.draws[~np.isnan(draws.draws)]
        place, left_out = draws.corrected, draws.left_out
        if draws.scale is None or not is_spread(values, draws.scale, draws.highest):
            return cls(
                place, values - values.mean(), draws.n_clusters, freedom(left_out), lambda x: x, lambda x: x
            )
        straight = BoundedScale.of(draws.scale, draws.highest, np.append(values, place))
        moved = straight.there(values)
        return cls(
            float(straight.there(place)),
            moved - moved.mean(),
            draws.n_clusters,
            freedom(straight.there(left_out)),
            lambda x: float(straight.there(x)),
            lambda x: float(straight.back(x)),
        )

    @classmethod
    def of_difference(cls, value: float, error: float, n: int) -> Spread:
        """The spread of a difference whose standard error is known, normal about its value."""
        return cls(value, error * scipy.special.ndtri(_GRID), n, float(n - 1), lambda x: x, lambda x: x)

    def bounds(self, confidence: float) -> tuple[float, float]:
        """Lower and upper bound on the scale, each at this confidence, by Student's t."""
        half = float(scipy.special.stdtrit(self.freedom, confidence)) * self._error(self.n)
        return self.place - half, self.place + half

    def decided_share(self, n: int, below: float, met_at: float, missed_at: float) -> float:
        """In which share of continuations up to n speakers, n ≥ those there are, a bound is decided.

        Those there are stay, and further ones come from a population as far from them as they leave open: the
        place moves by ((n − self.n)/n)^½ of its error. `below` is the bound, on the scale, below which the
        figure must lie with confidence `met_at`; above it, it must with `missed_at`. Ref: Spiegelhalter,
        Freedman and Blackburn 1986, "Monitoring clinical trials: conditional or predictive power?"
        """
        kept = math.sqrt((n - self.n) / n)
        places = self.place + self.deviations * kept
        met, missed = self._halves(n, met_at)[1], self._halves(n, missed_at)[0]
        return float(np.mean((places + met <= below) | (places - missed > below)))

    def _halves(self, n: int, confidence: float) -> tuple[float, float]:
        """How far either bound of n speakers lies off: the outer one of both rules, as in `one_sided`."""
        student = float(scipy.special.stdtrit(n - 1, confidence)) * self._error(n)
        ends = percentile(self.deviations, 2.0 * confidence - 1.0, n, self.freedom * n / self.n)
        low, high = (float(end) * math.sqrt(self.n / n) for end in ends)
        return max(student, -low), max(student, high)

    def _error(self, n: int) -> float:
        """The standard error for n speakers; division by n in the draws is made up for."""
        own = float(np.std(self.deviations)) * math.sqrt(self.n / (self.n - 1.0))
        return own * math.sqrt(self.n / n)


def more_speakers(
    spread: Spread, bound: float, *, met_at: float, missed_at: float, is_upper: bool
) -> int | None:
    """How many more speakers like these decide a bound in four of five simulated continuations.

    `is_upper`: the figure must not lie above the bound, else not below it. None where even 32 times as many
    do not.
    """
    below = spread.there(bound)
    if not is_upper:
        spread = Spread(
            -spread.place, -spread.deviations, spread.n, spread.freedom, spread.there, spread.back
        )
        below = -below
    for times in _STEPS:
        n = math.ceil(spread.n * times)
        if n > spread.n and spread.decided_share(n, below, met_at, missed_at) >= DECIDED_IN:
            return n - spread.n
    return None
