"""Scores by their ranks alone: who is exposed depends on no unit of scores.

D_ECE does not change where scores are cosines, log-likelihood ratios or likelihood ratios of the same trials,
so neither must what is said of single speakers; and one score that lies far off must hide nobody.
Ref: van der Waerden 1952 (normal scores).
"""

from __future__ import annotations

import numpy as np
import scipy

from zebra_core.evidence.counts import ScoreCounts
from zebra_core.evidence.trials import FloatArray


def normal_scores(counts: ScoreCounts) -> FloatArray:
    """The normal deviate of the rank of each distinct score, (m,), ascending; those that tie share a place.

    Target and nontarget trials weigh the same together, however many there are of each.
    """
    below = [
        (np.cumsum(of_class) - of_class / 2.0) / of_class.sum()
        for of_class in (counts.n_target, counts.n_nontarget)
    ]
    return np.asarray(scipy.special.ndtri((below[0] + below[1]) / 2.0))
