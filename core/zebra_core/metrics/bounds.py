"""How far LRs may be believed: the empirical lower and upper bounds (ELUB) of a set of LLRs.

An LR is of use at a threshold θ where deciding by it costs less than deciding without it. One trial of the
other class is supposed to lie beyond every threshold, so that the largest LRs must be borne out by numbers of
trials. The LRs are believed as far as they are of use from 1 on without a gap. Ref: Vergeer, van Es, de
Jongh, Alberink and Stoel 2016, "Numerical likelihood ratios outputted by LR systems are often based on
extrapolation: when to stop extrapolating?", Science & Justice 56.
"""

from __future__ import annotations

import numpy as np

from zebra_core.evidence.trials import FloatArray, IntArray


def elub(llr: FloatArray, n_target: IntArray, n_nontarget: IntArray) -> tuple[float, float]:
    """The lowest and the highest natural-log LLR that these trials bear out: at most 0, and at least 0.

    `llr` (m,) is finite, in any order, with the counts of both classes that got it. Deciding for one speaker
    from a threshold θ ≥ 1 on costs the share of targets below it, and θ times that of nontargets from it on,
    one more of which is supposed; without the LR it costs 1. Between two neighbouring LLRs only θ changes, so
    that the bound is exact. The lower bound is that of −LLR with the classes exchanged.
    """
    distinct, place = np.unique(llr, return_inverse=True)
    target = np.bincount(place, n_target, len(distinct)).astype(np.float64)
    nontarget = np.bincount(place, n_nontarget, len(distinct)).astype(np.float64)
    low = _upper(-distinct[::-1], nontarget[::-1], target[::-1])
    return 0.0 - low, _upper(distinct, target, nontarget)


def _upper(llr: FloatArray, target: FloatArray, nontarget: FloatArray) -> float:
    """The highest threshold ≥ 0 up to which every one is of use; `llr` ascends."""
    missed = (np.cumsum(target) - target) / target.sum()
    false = (np.cumsum(nontarget[::-1])[::-1] + 1.0) / (nontarget.sum() + 1.0)
    with np.errstate(divide="ignore"):
        most = np.log(np.maximum(1.0 - missed, 0.0)) - np.log(false)
    above = llr > 0.0
    fails = most[above] < llr[above]
    if not fails.any():
        return float(llr[-1]) if above.any() else 0.0
    first = int(np.argmax(fails))
    reached = llr[above][first - 1] if first else 0.0
    return float(max(reached, most[above][first]))
