"""Whether an LR that supposes no order discloses more than the given reading, by more than chance explains.

The speakers are left out one by one (jackknife), each with all of their trials on either side, for
trials that share a speaker rise and fall together. Nothing is drawn, so that the answer is always the same.
The given reading has the advantage of the oracle, which learns on the very trials that it is judged on: where
nothing is disclosed the answer is yes in far fewer than one set of twenty. Ref: Efron and Tibshirani 1993,
"An introduction to the bootstrap", chapter 11.
"""

from __future__ import annotations

import math

import numpy as np
from scipy.special import stdtrit

from zebra_core.evidence.counts import ScoreCounts
from zebra_core.evidence.trials import BoolArray, FloatArray, IntArray, Trials
from zebra_core.metrics.calibration import PavBlocks
from zebra_core.metrics.cross_fitting import FoldCounts, FoldedTrials
from zebra_core.metrics.ece import LN2
from zebra_core.metrics.zebra import disclosed_area

LEVEL = 0.05  # how often so much may be chance: one-sided


def exceeds_by_speaker(
    trials: Trials, folded: FoldedTrials, llr: FloatArray, counts: ScoreCounts, plain: PavBlocks
) -> bool:
    """Whether the LLRs (k, k, g) disclose more than the oracle's `plain` blocks of the trials; O(n)."""
    is_target = trials.is_target
    block = np.searchsorted(counts.score[plain.first[1:-1]], trials.score, side="right")
    gain = _by_class(llr.ravel(), is_target, folded.place) - _by_class(plain.llr, is_target, block)
    assert trials.enrol is not None and trials.test is not None  # noqa: PT018, S101 - folded trials have ids
    enrol = folded.people.of_enrol[trials.enrol.codes]
    test = folded.people.of_test[trials.test.codes]
    n = len(folded.people)
    mean = np.zeros(n)  # of the gain without each of the speakers
    whole = 0.0
    for chosen in (is_target, ~is_target):
        own, total = _without_each(gain[chosen], enrol[chosen], test[chosen], n)
        mean += own
        whole += total
    error = math.sqrt((n - 1) / n * float(((mean - mean.mean()) ** 2).sum()))
    return _exceeds(whole, error, int(folded.people.has_targets.sum()) - 1)


def exceeds_by_trial(counts: FoldCounts, llr: FloatArray, plain: PavBlocks, excess_bits: float) -> bool:
    """Whether the LLRs (k, k, g) of counted trials disclose more than the oracle's `plain` blocks of them.

    Nobody knows the speakers; trials are taken for independent. `excess_bits` is the difference of both
    readings, whose standard errors are added, which is more than that of their difference can be.
    """
    error = sum(
        math.sqrt(_variance(disclosed_area(sign * of.ravel()) / LN2, n.ravel()))
        for of, tables in (
            (llr, (counts.n_target, counts.n_nontarget)),
            (plain.llr, (plain.n_target, plain.n_nontarget)),
        )
        for sign, n in zip((1.0, -1.0), tables, strict=True)
    )
    return _exceeds(excess_bits, error, int(counts.n_target.sum()) - 1)


def _exceeds(value: float, error: float, freedom: int) -> bool:
    return bool(value > 0.0 and value > error * float(stdtrit(freedom, 1.0 - LEVEL)))


def _by_class(llr: FloatArray, is_target: BoolArray, place: IntArray) -> FloatArray:
    """What every trial contributes to D_ECE, bits, by the place of its LLR; shape (n,)."""
    return np.asarray(np.where(is_target, disclosed_area(llr)[place], disclosed_area(-llr)[place]) / LN2)


def _without_each(gain: FloatArray, enrol: IntArray, test: IntArray, n: int) -> tuple[FloatArray, float]:
    """The mean gain without the trials of each speaker, shape (n,), and that of all."""
    other = test != enrol
    sums, numbers = (
        np.bincount(enrol, values, n) + np.bincount(test[other], None if values is None else values[other], n)
        for values in (gain, None)
    )
    left = len(gain) - numbers
    whole = float(gain.mean())
    # Where nobody else has such trials there is nothing to compare with: as if nobody were left out.
    return np.divide(gain.sum() - sums, left, out=np.full(n, whole), where=left > 0), whole


def _variance(values: FloatArray, n: IntArray) -> float:
    """The variance of the mean of values that occur n times."""
    there = n > 0
    share = n[there] / n.sum()
    mean = share @ values[there]
    return float(share @ (values[there] - mean) ** 2 / n.sum())
