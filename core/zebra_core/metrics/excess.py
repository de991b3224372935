"""Whether an LR that supposes no order discloses more than the given reading, by more than chance explains.

The speakers are left out one by one (jackknife), each with all of their trials on either side, for
trials that share a speaker rise and fall together. Nothing is drawn, so that the answer is always the same.
Both readings are learnt on other speakers than they are judged on, and each trial is judged by both.
Ref: Efron and Tibshirani 1993, "An introduction to the bootstrap", chapter 11.
"""

from __future__ import annotations

import math

import numpy as np
import scipy

from zebra_core.evidence.trials import FloatArray, IntArray, Trials
from zebra_core.metrics.cross_fitting import FoldCounts, FoldedTrials
from zebra_core.metrics.ece import LN2
from zebra_core.metrics.zebra import disclosed_area

LEVEL = 0.05  # how often so much may be chance: one-sided


def exceeds_by_speaker(trials: Trials, folded: FoldedTrials, llr: FloatArray, given: FloatArray) -> bool:
    """Whether the LLRs (k, k, g) disclose more than the given ones of the same trials; O(n)."""
    assert trials.enrol is not None and trials.test is not None  # noqa: PT018, S101 - folded trials have ids
    enrol = folded.people.of_enrol[trials.enrol.codes]
    test = folded.people.of_test[trials.test.codes]
    n = len(folded.people)
    mean = np.zeros(n)  # of the gain without each of the speakers
    whole = 0.0
    for chosen, gain in zip((trials.is_target, ~trials.is_target), _gains(llr, given), strict=True):
        own, total = _without_each(gain[folded.place[chosen]], enrol[chosen], test[chosen], n)
        mean += own
        whole += total
    error = math.sqrt((n - 1) / n * float(((mean - mean.mean()) ** 2).sum()))
    return _exceeds(whole, error, int(folded.people.has_targets.sum()) - 1)


def exceeds_by_trial(counts: FoldCounts, llr: FloatArray, given: FloatArray) -> bool:
    """Whether the LLRs (k, k, g) of counted trials disclose more than the given ones of the same trials.

    Nobody knows the speakers; trials are taken for independent.
    """
    whole = variance = 0.0
    for of_class, gain in zip((counts.n_target, counts.n_nontarget), _gains(llr, given), strict=True):
        share = of_class.ravel() / of_class.sum()
        mean = float(share @ gain)
        whole += mean
        variance += float(share @ (gain - mean) ** 2 / of_class.sum())
    return _exceeds(whole, math.sqrt(variance), int(counts.n_target.sum()) - 1)


def _exceeds(value: float, error: float, freedom: int) -> bool:
    return bool(value > 0.0 and value > error * float(scipy.special.stdtrit(freedom, 1.0 - LEVEL)))


def _gains(llr: FloatArray, given: FloatArray) -> list[FloatArray]:
    """What a target and what a nontarget trial adds to the difference of D_ECE, bits, by its place."""
    return [
        np.asarray(disclosed_area(sign * llr.ravel()) - disclosed_area(sign * given.ravel())) / LN2
        for sign in (1.0, -1.0)
    ]


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
