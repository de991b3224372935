"""Few features of a recording compared by a Gaussian model: how alike are they, and how usual?"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from zebra_core.evidence.trials import FloatArray

_MOST = 0.999
"""The largest correlation of two recordings of a speaker: no score is without bounds."""


@dataclass(frozen=True, eq=False)
class GaussianModel:
    """Normal speakers, and normal recordings of each: Brümmer and de Villiers 2010, two covariances.

    Features of both sides, shape (n, features), are made uncorrelated and of variance 1; then `correlation`,
    shape (features,), is how far recordings of one speaker agree in each.
    """

    enrol_mean: FloatArray
    enrol_scale: FloatArray
    test_mean: FloatArray
    test_scale: FloatArray
    axes: FloatArray  # (features, features)
    correlation: FloatArray

    def scores(self, enrol: FloatArray, counts: NDArray[np.int64], test: FloatArray) -> FloatArray:
        """Natural log-likelihood ratios of pairs, row by row; 0 where a side is not a number.

        `enrol` has the means of `counts` recordings of each enrolment.
        """
        left = (enrol - self.enrol_mean) / self.enrol_scale @ self.axes
        right = (test - self.test_mean) / self.test_scale @ self.axes
        rho = self.correlation
        of_enrol = rho + (1.0 - rho) / counts[:, None]  # variance of a mean of so many
        left = left / np.sqrt(of_enrol)
        both = rho / np.sqrt(of_enrol)  # correlation of that mean with a test recording
        rest = 1.0 - both**2
        found = -0.5 * np.log(rest) - (both**2 * (left**2 + right**2) - 2.0 * both * left * right) / (
            2.0 * rest
        )
        total: FloatArray = found.sum(axis=1)
        return np.where(np.isfinite(total), total, 0.0)


def learnt_from(enrol: FloatArray, test: FloatArray, people: NDArray[np.int64]) -> GaussianModel:
    """The model of these recordings: row by row the enrolment and the test side of one, and who speaks.

    Each side has a mean and a spread of its own; how far recordings agree is learnt from pairs of different
    recordings, one of either side, every speaker counting alike. Rows that are not numbers teach nothing.
    """
    there = np.isfinite(enrol).all(axis=1) & np.isfinite(test).all(axis=1)
    enrol, test = enrol[there], test[there]
    person, counts = np.unique(people[there], return_inverse=True, return_counts=True)[1:]
    means, scales = zip(*((side.mean(axis=0), _scale(side)) for side in (enrol, test)), strict=True)
    left, right = ((side - m) / s for side, m, s in zip((enrol, test), means, scales, strict=True))
    both = np.concatenate([left, right])
    values, vectors = np.linalg.eigh(both.T @ both / max(1, len(both)))
    white = vectors / np.sqrt(np.maximum(values, 1e-9))
    left, right = left @ white, right @ white
    together = np.zeros((enrol.shape[1], enrol.shape[1]))
    several = np.flatnonzero(counts > 1)
    for one in several:
        rows = person == one
        pairs = counts[one] * (counts[one] - 1)
        sums = np.outer(left[rows].sum(axis=0), right[rows].sum(axis=0)) - left[rows].T @ right[rows]
        together += sums / pairs
    together /= max(1, len(several))
    correlation, turned = np.linalg.eigh((together + together.T) / 2.0)
    return GaussianModel(
        means[0], scales[0], means[1], scales[1], white @ turned, correlation.clip(0.0, _MOST)
    )


def _scale(side: FloatArray) -> FloatArray:
    found: FloatArray = side.std(axis=0)
    return np.where(found > 0.0, found, 1.0)
