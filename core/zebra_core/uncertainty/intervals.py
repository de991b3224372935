"""Intervals from bootstrap draws and a jackknife: percentiles, and percentiles freed of the PAV's bias.

Estimates have any shape (…); draws (R, …) and values of the jackknife (g, …) run along the first axis. NaN
among them, where a figure was not measurable, is left out.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import scipy
from numpy.typing import ArrayLike

from zebra_core.evidence.trials import FloatArray

PAV_RATE = 2.0 / 3.0
"""The optimism of the PAV's figures falls as n^(−2/3): the square of isotonic regression's cube-root rate."""

_LEAST_FREEDOM = 3.0  # fewer cannot be told from so few clusters


@dataclass(frozen=True)
class Interval:
    """From `low` to `high`, in the unit of its figure."""

    low: float
    high: float

    def __contains__(self, value: float) -> bool:
        return self.low <= value <= self.high

    @property
    def has_width(self) -> bool:
        """Whether it says how many digits a figure bears: it is no point, and its high end is finite."""
        return self.low < self.high < math.inf


def of_largest(found: Sequence[Interval | None]) -> Interval | None:
    """An interval of the largest of several figures, whichever it is, from intervals that hold at once.

    From their largest lower to their largest upper end; None where one of them is not known, or none is.
    """
    known = [each for each in found if each is not None]
    if not known or len(known) < len(found):
        return None
    return Interval(max(each.low for each in known), max(each.high for each in known))


def percentile(
    draws: FloatArray, level: float, n_clusters: int, freedom: float | None = None
) -> tuple[FloatArray, FloatArray]:
    """Expanded percentiles of the draws, two of shape (…); `freedom` in the place of n − 1 for Student's t.

    Plain percentiles are too narrow for few clusters, as a normal quantile would be in place of Student's
    and division by n in place of n − 1. The tails are made smaller so that for a mean both are set right:
    Φ(−√(n/(n − 1))·t). Ref: Hesterberg 2015, "What teachers should know about the bootstrap", section 4.3.
    """
    t = scipy.special.stdtrit(freedom or n_clusters - 1, (1.0 + level) / 2.0)
    tail = float(scipy.special.ndtr(-t * np.sqrt(n_clusters / (n_clusters - 1.0))))
    # The one that leaves out NaN takes figure by figure, at least twice as long for a profile.
    of_draws = np.nanquantile if np.isnan(draws).any() else np.quantile
    low, high = of_draws(draws, [tail, 1.0 - tail], axis=0)
    return np.asarray(low), np.asarray(high)


def freedom(left_out: FloatArray) -> float:
    """How many degrees of freedom the spread of a figure has, from its jackknife (g,): 3 to g − 1.

    Where few clusters make most of it (some have many trials, or few errors are left) it is known as badly
    as with so few: 2/(b/g − (g − 3)/(g(g − 1))), b the kurtosis of what each cluster adds, which is g − 1 for
    a normal one. Ref: Satterthwaite 1946; the variance of a variance, Mood, Graybill and Boes 1974, VI.2.3.
    """
    added = left_out[~np.isnan(left_out)]
    g, most = len(added), float(max(len(added) - 1, _LEAST_FREEDOM))
    distance = added - added.mean() if g else added
    square = float(np.mean(distance**2)) if g else 0.0
    if g <= _LEAST_FREEDOM or square <= 0.0:
        return most
    kurtosis = float(np.mean(distance**4)) / square**2
    spread = kurtosis / g - (g - 3.0) / (g * (g - 1.0))
    return min(max(2.0 / spread, _LEAST_FREEDOM), most) if spread > 0.0 else most


def jackknife_bias(estimate: ArrayLike, left_out: FloatArray, rate: float = PAV_RATE) -> FloatArray:
    """By how much the estimate is too high where its bias falls as n^(−rate), shape (…).

    With one of g equal groups left out the bias grows by the factor (1 − 1/g)^(−rate), and so the mean of
    such values tells it. With rate 1 it is Quenouille's jackknife; for other rates Schucany, Gray and Owen
    1971. The PAV's rate is that of Groeneboom 1985 and Chernoff 1964.
    """
    grown = (1.0 - 1.0 / len(left_out)) ** -rate
    return np.asarray((np.nanmean(left_out, axis=0) - np.asarray(estimate)) / (grown - 1.0))


def corrected(
    estimate: ArrayLike,
    draws: FloatArray,
    left_out: FloatArray,
    level: float,
    n_clusters: int,
    lowest: ArrayLike = -np.inf,
    highest: ArrayLike = np.inf,
) -> tuple[FloatArray, FloatArray]:
    """Percentiles of the draws, moved so that their mean is the estimate without its bias; two of (…).

    The PAV adapts to the very trials that it is judged on, and to repeated ones still more: the draws lie
    above the plain figure, which lies above the truth. Their spread is right, their place is not. Without its
    bias an estimate may leave its range; then the draws lie around the end of the range, for an interval of
    no width would claim that nothing is left to be known. No interval leaves the range.
    """
    low, high = percentile(draws, level, n_clusters)
    place = np.clip(np.asarray(estimate) - jackknife_bias(estimate, left_out), lowest, highest)
    shift = place - np.nanmean(draws, axis=0)
    return np.clip(low + shift, lowest, highest), np.clip(high + shift, lowest, highest)
