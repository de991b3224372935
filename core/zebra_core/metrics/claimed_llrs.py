"""LLRs as handed in against what the trials bear out: devPAV, and the bounds that so many trials set."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from zebra_core.evidence.counts import ScoreCounts
from zebra_core.evidence.trials import FloatArray, IntArray
from zebra_core.metrics.calibration import PavBlocks
from zebra_core.metrics.zebra import LN10, reversed_counts

_JEFFREYS = 0.5  # trials added on either side of a threshold, of each class


def dev_pav_log10(llrs: ScoreCounts, plain: PavBlocks) -> float | None:
    """How far the plain PAV lies from the LLRs it was made of, on the mean, in powers of ten (devPAV).

    `llrs` are natural-log LLRs with their counts, `plain` their blocks. It is the area between the diagonal
    and the PAV, straight between distinct LLRs, over the range of those whose PAV is finite, divided by the
    length of that range: 0 for LLRs that the PAV leaves as they are, no upper bound. With one such LLR it is
    its distance; None where there is none, infinite where an infinite LLR got a finite one. Equal LLRs are
    one point. Ref: Vergeer, van Schaik and Sjerps 2021.
    """
    oracle = plain.llr_by_score
    kept = np.isfinite(oracle)
    x, y = llrs.score[kept] / LN10, oracle[kept] / LN10
    if not len(x):
        return None
    if not np.isfinite(x).all():
        return float("inf")
    away = y - x
    if len(x) == 1:
        return float(abs(away[0]))
    width = np.diff(x) / (x[-1] - x[0])
    return float(np.sum(width * _mean_distance(away[:-1], away[1:])))


def _mean_distance(one: FloatArray, two: FloatArray) -> FloatArray:
    """The mean of |d| along straight lines from `one` to `two`, (m,) each; squares are not made of them."""
    a, b = np.abs(one), np.abs(two)
    whole = a + b
    crosses = one * np.sign(two) < 0.0
    share = np.divide(a, whole, out=np.full(len(a), 0.5), where=whole > 0.0)
    return np.where(crosses, (a * share + b * (1.0 - share)) / 2.0, whole / 2.0)


@dataclass(frozen=True)
class InvarianceBounds:
    """The lowest and the highest log10 LR that a set of this size bears out; low ≤ 0 ≤ high.

    Upwards to the lowest threshold t at which LLRs of t and more are less than 10^t times as frequent among
    targets as among nontargets, where half a trial of each class is added on either side of t (Jeffreys);
    downwards in the same way; 0 where that is on the wrong side of 0. Where no threshold fails, the bound is
    the highest LLR of a target, or the lowest of a nontarget. Trials count as if each were independent of
    the others. Ref: Alberink, Leegwater, Malmborg, Nordgaard, Sjerps and van der Ham 2025 (invariance
    verification).
    """

    low: float
    high: float

    @classmethod
    def of(cls, llrs: ScoreCounts) -> InvarianceBounds:
        """The bounds of natural-log LLRs with their counts; exact, O(m)."""
        turned = reversed_counts(llrs)
        turned = ScoreCounts(turned.score, turned.n_nontarget, turned.n_target)
        return cls(-_upper(turned) or 0.0, _upper(llrs))


def _upper(llrs: ScoreCounts) -> float:
    score = llrs.score / LN10
    ratio = np.log10(_at_least(llrs.n_target)) - np.log10(_at_least(llrs.n_nontarget))
    # Above one score up to the next the shares are what they are at the next: only t grows.
    fails = np.flatnonzero(ratio < score)
    if len(fails):
        first = int(fails[0])
        begin = score[first - 1] if first else -np.inf
        found = max(float(ratio[first]), float(begin))
    else:
        found = float(score[llrs.n_target > 0][-1])
    return max(found, 0.0)


def _at_least(count: IntArray) -> FloatArray:
    """The share of a class at each score and above, (m,)."""
    return np.asarray((np.cumsum(count[::-1])[::-1] + _JEFFREYS) / (count.sum() + 2.0 * _JEFFREYS))
