"""Linking: whether a recording scores highest with its own person among so many who are enrolled.

Ref: Vauquier, Srivastava, Hosseini and Vincent 2025, "Legally validated evaluation framework for voice
anonymization", Interspeech; doi 10.21437/Interspeech.2025-1699.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from zebra_core.evidence.trials import BoolArray, FloatArray, IntArray
from zebra_core.speakers.candidates import PoolScores


def linkability_probability(n_higher: ArrayLike, n_enrolled: int, people: int) -> float:
    """The linkage probability π_link over `people` candidates, 2 … n_enrolled, the own one among them.

    `n_higher` (t,) counts for each recording the other enrolled people who score strictly higher; the others
    are drawn from all enrolled without replacement, so that a recording with m higher ones is linked with
    probability C(n−1−m, N′−1)/C(n−1, N′−1): the mean of these, exact. A tie counts for the own person.
    Chance is 1/N′. Raises ValueError for a number of people that nobody enrolled.
    """
    if not 1 <= people <= n_enrolled:
        raise ValueError(f"people must be from 1 to {n_enrolled}; found {people}")
    higher = np.asarray(n_higher, dtype=np.int64)
    return float(none_drawn(n_enrolled - 1, people - 1)[higher].mean())


def linkage_chance(people: int) -> float:
    """What guessing reaches."""
    return 1.0 / people


def none_drawn(others: int, drawn: int) -> FloatArray:
    """The probability that none of m marked ones is among `drawn` of `others`, for m = 0 … others.

    Shape (others + 1,). It is C(others − m, drawn)/C(others, drawn), as a product of one factor for each m.
    """
    m = np.arange(others, dtype=np.float64)
    return np.concatenate([[1.0], np.cumprod(np.maximum(others - drawn - m, 0.0) / (others - m))])


def weighted_linkage(higher: BoolArray, own: IntArray, times: IntArray, numbers: Sequence[int]) -> FloatArray:
    """π_link where each person is there so many times, `times` (R, n): a row for each, (R, numbers).

    `higher` is (n, t), `own` (t,). Copies of one person are never candidates for each other: whoever is there
    w times has n − w others. Where these are fewer than asked for, all of them are candidates. NaN where
    nobody with a recording is left.
    """
    n_higher = np.rint(times.astype(np.float64) @ higher).astype(np.int64)  # own is never above itself
    others = times.sum(axis=1)[:, np.newaxis] - times[:, own]
    most = int(others.max(initial=0))
    weight = times[:, own].astype(np.float64)
    total = weight.sum(axis=1)
    found = np.full((len(times), len(numbers)), np.nan)
    for column, people in enumerate(numbers):
        table = _none_drawn_of_so_many(most, people - 1)
        sums = (table[others, n_higher] * weight).sum(axis=1)
        np.divide(sums, total, out=found[:, column], where=total > 0)
    return found


def _none_drawn_of_so_many(most: int, drawn: int) -> FloatArray:
    """`none_drawn` for each number of others, 0 … most, a row each, of whom at most all are drawn."""
    others = np.arange(most + 1, dtype=np.float64)[:, np.newaxis]
    left = others - np.arange(most, dtype=np.float64)
    factors = np.ones_like(left)
    np.divide(np.maximum(left - np.minimum(drawn, others), 0.0), left, out=factors, where=left > 0.0)
    return np.asarray(np.cumprod(np.hstack([np.ones_like(others), factors]), axis=1), dtype=np.float64)


def linkage(pooled: PoolScores, people: int) -> float:
    """π_link of these groups among so many of all who are enrolled."""
    return linkability_probability(pooled.higher.sum(axis=0), len(pooled.score), people)
