"""Scores by their ranks among those of different speakers: who is exposed depends on no unit of scores.

D_ECE does not change where scores are cosines, log-likelihood ratios or likelihood ratios of the same trials,
so neither must what is said of single speakers; and one score that lies far off must hide nobody.
Ref: van der Waerden 1952 (normal scores).
"""

from __future__ import annotations

import numpy as np
from scipy.special import ndtri

from zebra_core.evidence.counts import ScoreCounts
from zebra_core.evidence.trials import FloatArray


def normal_scores(counts: ScoreCounts) -> FloatArray:
    """The normal deviate of each distinct score by its rank among nontarget trials, (m,), ascending.

    Target scores between two nontarget ones lie evenly between their deviates, in the order of the scores;
    those beyond all lie where a quarter of a nontarget trial would be left.
    """
    n, total = counts.n_nontarget, counts.total_nontarget
    at = np.flatnonzero(n)
    place = ndtri((np.cumsum(n[at]) - n[at] / 2.0) / total)
    farthest = float(ndtri(1.0 - 0.25 / total))
    order = np.arange(len(n), dtype=np.float64)
    return np.asarray(np.interp(order, at, place, -farthest, farthest))
