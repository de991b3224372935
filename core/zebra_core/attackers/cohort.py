"""Scores normalised against others who are enrolled: adaptive symmetric normalisation (AS-norm)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from zebra_core.attackers.fusion import Fold, folds_of_trials
from zebra_core.evidence.trials import FloatArray

LEAST = 8
"""Other people, or models of them, below which nobody can tell what is usual."""
MOST = 200
"""Models that a side is held against: those most like it."""
_SHARE = 0.5  # of the cohort, as long as it is small
_ROWS = 4_096


def normalised(
    enrol: FloatArray, test: FloatArray, pairs: NDArray[np.int64], enrol_fold: Fold, test_fold: Fold
) -> FloatArray | None:
    """The cosine of each pair, in standard deviations above what either side has with others; shape (n,).

    `enrol` (models, dimensions) and `test` (recordings, dimensions) are unit vectors, `pairs` (n, 2) rows of
    both, folds those of their speakers. Others are the enrolled of the folds of neither speaker, of these the
    half that is most like the side, 200 at most. None where there are fewer than `LEAST`. Ref: Matějka et
    al. 2017.
    """
    found = np.full(len(pairs), np.nan)
    for folds, chosen in folds_of_trials(enrol_fold[pairs[:, 0]], test_fold[pairs[:, 1]]):
        cohort = enrol[~np.isin(enrol_fold, folds)]
        if len(cohort) < LEAST:
            return None
        left, right = pairs[chosen].T
        cosine = np.einsum("nd,nd->n", enrol[left], test[right])
        by_side = [
            (cosine - mean[place]) / spread[place]
            for (mean, spread), place in (_usual(enrol, left, cohort), _usual(test, right, cohort))
        ]
        found[chosen] = (by_side[0] + by_side[1]) / 2.0
    return found


def _usual(
    side: FloatArray, rows: NDArray[np.int64], cohort: FloatArray
) -> tuple[tuple[FloatArray, FloatArray], NDArray[np.int64]]:
    """Mean and spread of the cosines with the most alike of the cohort, and the place of each row there."""
    each, place = np.unique(rows, return_inverse=True)
    count = min(MOST, max(LEAST, int(_SHARE * len(cohort))))
    mean, spread = np.empty(len(each)), np.empty(len(each))
    for start in range(0, len(each), _ROWS):
        some = slice(start, start + _ROWS)
        nearest = np.partition(side[each[some]] @ cohort.T, len(cohort) - count, axis=1)[:, -count:]
        mean[some], spread[some] = nearest.mean(axis=1), nearest.std(axis=1)
    return (mean, np.maximum(spread, 1e-6)), place
