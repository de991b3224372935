"""Exchanging: who is who dealt out anew, by wholes, and how probable what was observed is under that.

Trials that share a speaker, a segment or an enrolment rise and fall together: what is exchanged is the
smallest whole that holds them, never a single one of several trials. Ref: Fisher 1935; Welch 1990,
"Construction of permutation tests"; Phipson and Smyth 2010, for a p-value that is never 0.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

Numbers = NDArray[np.int64]

_MOST_DRAWN = 10**9  # what NumPy draws without replacement

FEWEST_DEALS = 20  # fewer say nothing about chance
_ROUNDING = 1e-12  # the same values may sum to a little less by rounding alone


def exchanged(n: int, rng: np.random.Generator) -> Numbers:
    """A permutation of the places 0 … n − 1, (n,): labels are dealt out by `labels[exchanged(n, rng)]`."""
    return np.asarray(rng.permutation(n), dtype=np.int64)


def exchanged_often(values: NDArray[np.float64], times: int, rng: np.random.Generator) -> NDArray[np.float64]:
    """The values, (n,), dealt out anew so many times, each independent of the others: (times, n)."""
    return rng.permuted(np.broadcast_to(values, (times, len(values))), axis=1)


def some_of_each(counts: Numbers, n: int, rng: np.random.Generator) -> Numbers:
    """How many of so many of each kind, (k,), are among `n` of all that are drawn without replacement.

    Of 10⁹ or more each is drawn by itself, so that `n` holds on average: to 0.01 % or so.
    """
    total = int(counts.sum())
    if total >= _MOST_DRAWN:
        return rng.binomial(counts, n / total)
    return np.asarray(rng.multivariate_hypergeometric(counts, n, method="marginals"), dtype=np.int64)


def n_as_far(observed: float, dealt: ArrayLike, *, less_is_more: bool = False) -> int:
    """How many of the values dealt by chance, (R,), are at least as large as the observed one.

    At most as large with `less_is_more`.
    """
    distance = np.asarray(dealt, dtype=np.float64) - observed
    tolerance = _ROUNDING * max(1.0, abs(observed))
    return int(np.count_nonzero((-distance if less_is_more else distance) >= -tolerance))


def p_value(n_as_far: int, replicates: int) -> float:
    """(1 + those at least as far)/(1 + R): valid for every R, and never 0."""
    return (1 + n_as_far) / (1 + replicates)


def band(dealt: ArrayLike, level: float = 0.95) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Between which values chance lies so often, point by point; draws (R, …) give two of shape (…)."""
    low, high = np.nanquantile(
        np.asarray(dealt, dtype=np.float64), [(1 - level) / 2, (1 + level) / 2], axis=0
    )
    return np.asarray(low), np.asarray(high)
