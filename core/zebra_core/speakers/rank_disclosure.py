"""Similarity rank disclosure: what the rank of the true speaker among all templates gives away, in bits.

Ref: Bäckström, Vali, Nguyen and Rech 2025, "Privacy disclosure of similarity rank in speech and language
processing", arXiv 2508.05250.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy
from numpy.typing import ArrayLike

from zebra_core.evidence.trials import FloatArray, IntArray
from zebra_core.metrics.verification import log_choose

_STEPS = 20
_STEEPEST = 12.0  # |ln| of the two shapes: ranks that are all alike have no finite best ones


@dataclass(frozen=True, eq=False)
class RankDisclosure:
    """The distribution p(k) of the rank k = 1 … people, (people,), and what a rank discloses.

    Rank k discloses log2(people · p(k)) bits: how much more probable the true one is there than by chance.
    Between the ends of the other two lie 95 % of the sets without disclosure; None where nobody asked.
    """

    probability: FloatArray
    mean_undisclosed: tuple[float, float] | None = None
    worst_undisclosed: tuple[float, float] | None = None

    @property
    def people(self) -> int:
        """Among how many the rank is."""
        return len(self.probability)

    @property
    def bits(self) -> FloatArray:
        """What each rank discloses, (people,); −∞ where a rank never occurs."""
        with np.errstate(divide="ignore"):
            return np.asarray(np.log2(self.people * self.probability))

    @property
    def mean_bits(self) -> float:
        """Σ p(k)·log2(people·p(k)): 0 where every rank is as likely, log2(people) where one is certain."""
        seen = self.probability > 0.0
        return max(0.0, float(self.probability[seen] @ self.bits[seen]))

    @property
    def worst_bits(self) -> float:
        """The most that any rank discloses."""
        return float(self.bits.max())


def rank_disclosure(n_higher: ArrayLike, people: int, n_tied: ArrayLike | None = None) -> RankDisclosure:
    """The disclosure of the own person's rank among so many people, by recordings.

    `n_higher` (t,) others score higher, `n_tied` (t,) the same: each order of these is as likely, so that
    constant scores disclose nothing. Without `n_tied` each tie counts for the own person, as in the
    reference. By the likeliest beta-binomial distribution, however many recordings there are: a histogram,
    which the reference takes of many, has 0.07 bit of chance in it at ten recordings for each rank.
    """
    higher = np.asarray(n_higher, dtype=np.int64)
    tied = np.zeros_like(higher) if n_tied is None else np.asarray(n_tied, dtype=np.int64)
    return RankDisclosure(_fitted(_counts_of_ranks(higher, tied, people)))


def _counts_of_ranks(higher: IntArray, tied: IntArray, people: int) -> FloatArray:
    """How many recordings have each rank, (people,); one that ties is spread evenly over its ranks."""
    count = np.bincount(higher[tied == 0], minlength=people).astype(np.float64)
    for first, others in zip(higher[tied > 0].tolist(), tied[tied > 0].tolist(), strict=True):
        count[first : first + others + 1] += 1.0 / (others + 1)
    return count


def _fitted(count: FloatArray) -> FloatArray:
    """The likeliest beta-binomial for these counts of 0 … n higher ones, (n + 1,)."""
    seen = np.flatnonzero(count)
    limit = (-_STEEPEST, _STEEPEST)

    def cost(shape: FloatArray) -> tuple[float, FloatArray]:
        return _cost(shape, seen, count)[:2]

    found = scipy.optimize.minimize(cost, np.zeros(2), jac=True, method="L-BFGS-B", bounds=[limit, limit])
    shape = found.x
    for _ in range(_STEPS):  # to the last digits, so that every machine finds the same
        _, slope, curve = _cost(shape, seen, count)
        if (np.abs(shape) >= _STEEPEST).any() or np.linalg.det(curve) <= 0.0 or curve[0, 0] <= 0.0:
            break
        shape = np.clip(shape - np.linalg.solve(curve, slope), *limit)
    p = np.exp(_log_beta_binomial(np.arange(len(count)), len(count) - 1, shape))
    return np.asarray(p / p.sum())


def _cost(log_shape: FloatArray, k: IntArray, count: FloatArray) -> tuple[float, FloatArray, FloatArray]:
    """−ln likelihood of counts (n + 1,), seen at k (m,), with its slope, (2,), and curvature, (2, 2)."""
    from scipy.special import digamma

    n, times = len(count) - 1, count[k]
    a, b = shape = np.exp(log_shape)
    both, ends = a + b, np.stack([k + a, n - k + b])
    first = times @ (digamma(ends) - digamma(n + both) - digamma(shape)[:, np.newaxis] + digamma(both)).T
    mixed = times.sum() * (_trigamma(both) - _trigamma(n + both))
    second = np.full((2, 2), mixed) + np.diag(times @ (_trigamma(ends) - _trigamma(shape)[:, np.newaxis]).T)
    slope, curve = shape * first, np.outer(shape, shape) * second + np.diag(shape * first)
    return -float(times @ _log_beta_binomial(k, n, log_shape)), -slope, -curve


def _trigamma(x: FloatArray | float) -> FloatArray:
    """The derivative of the digamma function."""
    return np.asarray(scipy.special.polygamma(1, x))


def _log_beta_binomial(k: IntArray, n: int, log_shape: FloatArray) -> FloatArray:
    """The logarithm of P(k) of n with shapes exp(log_shape), (2,)."""
    a, b = np.exp(log_shape)
    return np.asarray(log_choose(n, k) + scipy.special.betaln(k + a, n - k + b) - scipy.special.betaln(a, b))
