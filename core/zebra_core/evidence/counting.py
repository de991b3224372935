"""Counting trials that come piece by piece, in whatever order, in bounded memory.

Up to `MOST_DISTINCT` distinct scores the counts are exact: the same `ScoreCounts` as of all trials at once.
Beyond, scores are rounded down to multiples of a power of two, the smallest one under which at most
`MOST_BINS` distinct values are left. That width depends on the scores alone, neither on their order nor on
how they are cut into pieces. What rounding can do to a figure is not guessed but computed: see `Extremes`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from zebra_core.evidence.trials import BoolArray, FloatArray, ScoreCounts

MOST_DISTINCT = 1 << 24
"""Exact counts take 24 bytes for each distinct score: 400 MB at most."""
MOST_BINS = 1 << 22
_FINEST, _COARSEST = 1074, -1023  # the width is 2 to the power of −exponent, as far as floats reach
_WHOLE = 2.0**53  # floats from here on are multiples of the width that was divided out


@dataclass(frozen=True, eq=False)
class Extremes:
    """The two worlds between which the true one lies when scores were rounded down.

    Within its bin a score may have been anything. In `most` every nontarget is at the lower edge of its bin
    and every target just below the upper one, in `least` the other way round. A figure that can only grow
    (or only fall) when targets score higher and nontargets lower lies between what both worlds give: D_ECE,
    min Cllr, Cllr, both EERs, ECE at any prior, hits, misleading evidence and the worst case do, since
    the ROC of one world dominates that of the other. Linkability is of a histogram and does not.
    """

    least: ScoreCounts
    most: ScoreCounts


@dataclass(frozen=True, eq=False)
class BinnedCounts:
    """What came of counting: the counts, and the width of their bins; 0 where they are exact."""

    counts: ScoreCounts
    width: float

    def extremes(self) -> Extremes:
        """See `Extremes`; both are the counts themselves where these are exact."""
        if not self.width:
            return Extremes(self.counts, self.counts)
        low, nothing = self.counts.score, np.zeros(len(self.counts.score), np.int64)
        # Scores beyond 2^53 widths are exact: there the next float is further away than the upper edge.
        high = np.maximum(low, np.nextafter(low + self.width, -np.inf))
        targets, nontargets = self.counts.n_target, self.counts.n_nontarget
        return Extremes(
            least=merged([ScoreCounts(low, targets, nothing), ScoreCounts(high, nothing, nontargets)]),
            most=merged([ScoreCounts(low, nothing, nontargets), ScoreCounts(high, targets, nothing)]),
        )


class ScoreCounter:
    """Counts finite scores by class; O(n log n) over all pieces together.

    Runs of ascending length are kept and two of like length merged, so that every count is moved a
    logarithmic number of times.
    """

    def __init__(self, most_distinct: int = MOST_DISTINCT, most_bins: int = MOST_BINS) -> None:
        self._most_distinct, self._most_bins = most_distinct, most_bins
        self._runs: list[ScoreCounts] = []
        self._exponent: int | None = None  # None: exact

    def add(self, score: FloatArray, is_target: BoolArray) -> None:
        """Count these trials, shapes (n,)."""
        if len(score):
            self.add_counts(ScoreCounts.of(score, is_target))

    def add_counts(self, counts: ScoreCounts) -> None:
        """Count trials that are counted already; their scores in any order."""
        self._push(merged([counts]))
        while len(self._runs) > 1 and len(self._runs[-2].score) <= 2 * len(self._runs[-1].score):
            self._merge_last()

    def counted(self) -> BinnedCounts:
        """All counts so far."""
        while len(self._runs) > 1:
            self._merge_last()
        counts = self._runs[0] if self._runs else merged([])
        return BinnedCounts(counts, 0.0 if self._exponent is None else float(np.ldexp(1.0, -self._exponent)))

    def _merge_last(self) -> None:
        last, before = self._runs.pop(), self._runs.pop()
        self._push(merged([before, last]))

    def _push(self, run: ScoreCounts) -> None:
        run = self._as_fine_as_all(run)
        if len(run.score) > (self._most_distinct if self._exponent is None else self._most_bins):
            self._exponent = finest_that_fits(run.score, self._most_bins)
            self._runs = [self._as_fine_as_all(one) for one in self._runs]
            run = self._as_fine_as_all(run)
        self._runs.append(run)

    def _as_fine_as_all(self, counts: ScoreCounts) -> ScoreCounts:
        if self._exponent is None:
            return counts
        return _pooled(rounded_down(counts.score, self._exponent), counts.n_target, counts.n_nontarget)


def merged(parts: Sequence[ScoreCounts]) -> ScoreCounts:
    """The counts of all parts together; places without a trial are left out."""
    score = np.concatenate([np.empty(0), *(part.score for part in parts)])
    n_target = np.concatenate([np.empty(0, np.int64), *(part.n_target for part in parts)])
    n_nontarget = np.concatenate([np.empty(0, np.int64), *(part.n_nontarget for part in parts)])
    occupied = n_target + n_nontarget > 0
    if not occupied.all():
        score, n_target, n_nontarget = score[occupied], n_target[occupied], n_nontarget[occupied]
    order = np.argsort(score, kind="stable")  # merges runs that ascend already in linear time
    return _pooled(score[order], n_target[order], n_nontarget[order])


def rounded_down(score: FloatArray, exponent: int) -> FloatArray:
    """The largest multiples of 2 to the power of −exponent that are not above the scores; exact."""
    with np.errstate(over="ignore", under="ignore"):
        scaled = np.ldexp(score, exponent)
        whole = np.floor(scaled)
        whole[(scaled == 0.0) & (score < 0.0)] = -1.0  # too small for a float, but below zero
        down = np.maximum(np.ldexp(whole, -exponent), -np.finfo(np.float64).max)
    return np.where(np.abs(scaled) < _WHOLE, down, score)


def finest_that_fits(ascending: FloatArray, most: int) -> int:
    """The largest exponent that leaves at most so many values: each bin lies in a bin of the next."""
    low, high = _COARSEST, _FINEST + 1
    while high - low > 1:
        middle = (low + high) // 2
        rounded = rounded_down(ascending, middle)
        if np.count_nonzero(rounded[1:] != rounded[:-1]) + 1 <= most:
            low = middle
        else:
            high = middle
    return low


def _pooled(score: FloatArray, n_target: np.ndarray, n_nontarget: np.ndarray) -> ScoreCounts:
    """Counts of ascending scores, with equal ones put together."""
    if not len(score):
        return ScoreCounts(score, n_target, n_nontarget)
    starts = np.flatnonzero(np.concatenate([[True], score[1:] != score[:-1]]))
    if len(starts) == len(score):
        return ScoreCounts(score, n_target, n_nontarget)
    return ScoreCounts(score[starts], np.add.reduceat(n_target, starts), np.add.reduceat(n_nontarget, starts))
