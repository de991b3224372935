"""Bounds of a mean of few independent values in [0, 1], whatever their distribution: how often one is linked.

Ref: Hoeffding 1963, "Probability inequalities for sums of bounded random variables" (a sum of independent
values in [0, 1] is less spread than the binomial of the same mean, for every convex function); Bentkus 2004,
"On Hoeffding's inequalities" (the bound that follows); Clopper and Pearson 1934, which it is for a sum of 0.
"""

from __future__ import annotations

import numpy as np
import scipy
from numpy.typing import ArrayLike

from zebra_core.evidence.trials import FloatArray
from zebra_core.metrics.error_rates import log_choose

_HALVINGS = 40  # of the bounds' interval: to 1e-12
_ROUNDING = 1e-12


def upper_mean(total: ArrayLike, n: int, level: float, family: float = 1.0) -> FloatArray:
    """Upper bounds of the mean of `n` independent values in [0, 1] from their sums, (k,), at this confidence.

    The least mean that such a sum speaks against, by bisection; 1 without values. Corrected for a `family` of
    so many bounds that are to hold at once (Bonferroni).
    """
    error = (1.0 - level) / family
    sums = np.atleast_1d(np.asarray(total, dtype=np.float64))
    low, high = (sums / n if n else np.ones_like(sums)), np.ones_like(sums)
    for _ in range(_HALVINGS):
        middle = (low + high) / 2.0
        speaks = probability_of_so_little(sums, n, middle) <= error
        low, high = np.where(speaks, low, middle), np.where(speaks, middle, high)
    return np.asarray(high)


def lower_mean(total: ArrayLike, n: int, level: float, family: float = 1.0) -> FloatArray:
    """Lower bounds of the mean of `n` independent values in [0, 1] from their sums, (k,), likewise."""
    return np.asarray(1.0 - upper_mean(n - np.asarray(total, dtype=np.float64), n, level, family))


def probability_of_so_little(total: FloatArray, n: int, mean: FloatArray) -> FloatArray:
    """At most how probable a sum up to `total` (k,) of n independent values in [0, 1] with this mean (k,) is.

    For whole numbers a above the total, P(S ≤ total) ≤ E(a − S)₊/(a − total) ≤ E(a − B)₊/(a − total) with B
    binomial, for (a − x)₊ is convex: the least of these. Never above Hoeffding's bound.
    """
    k = np.arange(n + 1.0)
    p = np.clip(mean, 0.0, 1.0)[:, np.newaxis]
    mass = np.exp(log_choose(n, k) + scipy.special.xlogy(k, p) + scipy.special.xlog1py(n - k, -p))
    below, first = np.cumsum(mass, axis=1)[:, :-1], np.cumsum(k * mass, axis=1)[:, :-1]
    a, sums = k[1:], total[:, np.newaxis]
    there = a > sums + _ROUNDING
    hinge = np.where(there, (a * below - first) / np.where(there, a - sums, 1.0), np.inf)
    return np.asarray(np.minimum(1.0, hinge.min(axis=1, initial=np.inf)))
