"""Linking: whether a recording scores highest with its own person among so many who are enrolled.

Ref: Vauquier, Srivastava, Hosseini and Vincent 2025, "Legally validated evaluation framework for voice
anonymization", Interspeech; doi 10.21437/Interspeech.2025-1699.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from zebra_core.evidence.trials import FloatArray, IntArray
from zebra_core.speakers.candidates import PoolScores


def linkability_probability(
    n_higher: ArrayLike, n_enrolled: int, people: int, n_tied: ArrayLike | None = None
) -> float:
    """The linkage probability π_link over `people` candidates, 2 … n_enrolled, the own one among them.

    `n_higher` (t,) counts for each recording the other enrolled people who score strictly higher, `n_tied`
    (t,) those who score the same: who of these comes first is drawn by lot, so that constant scores link one
    in N′. Without `n_tied` each tie counts for the own person, as the reference implementation has it.
    The others are drawn from all enrolled without replacement: a recording with m higher ones is linked with
    probability C(n−1−m, N′−1)/C(n−1, N′−1), which is exact. Raises ValueError for a number of people that
    nobody enrolled.
    """
    if not 1 <= people <= n_enrolled:
        raise ValueError(f"people must be from 1 to {n_enrolled}; found {people}")
    return float(linked_by_recording(n_higher, n_enrolled, people, n_tied).mean())


def linked_by_recording(
    n_higher: ArrayLike, n_enrolled: int, people: int, n_tied: ArrayLike | None = None
) -> FloatArray:
    """The probability that each recording, (t,), is linked among so many; their mean is π_link."""
    higher = np.asarray(n_higher, dtype=np.int64)
    tied = np.zeros_like(higher) if n_tied is None else np.asarray(n_tied, dtype=np.int64)
    table = none_drawn(n_enrolled - 1, people - 1)[np.newaxis]
    return _mean_over_ties(table, np.zeros_like(higher), higher, tied)


def _mean_over_ties(table: FloatArray, row: IntArray, higher: IntArray, tied: IntArray) -> FloatArray:
    """The mean of table[row, m] over m = higher … higher + tied: those who tie are above as by lot."""
    found = table[row, higher]
    at = np.nonzero(tied)
    if len(at[0]):
        sums = np.concatenate([np.zeros((len(table), 1)), np.cumsum(table, axis=1)], axis=1)
        first, last = higher[at], higher[at] + tied[at] + 1
        found[at] = (sums[row[at], last] - sums[row[at], first]) / (tied[at] + 1)
    return found


def linkage_chance(people: int) -> float:
    """What guessing reaches."""
    return 1.0 / people


def none_drawn(others: int, drawn: int) -> FloatArray:
    """The probability that none of m marked ones is among `drawn` of `others`, for m = 0 … others.

    Shape (others + 1,). It is C(others − m, drawn)/C(others, drawn), as a product of one factor for each m.
    """
    m = np.arange(others, dtype=np.float64)
    return np.concatenate([[1.0], np.cumprod(np.maximum(others - drawn - m, 0.0) / (others - m))])


def weighted_linkage(
    pooled: PoolScores, times: IntArray, numbers: Sequence[int], *, of_people: bool = False
) -> FloatArray:
    """π_link where each person is there so many times, `times` (R, n): a row for each, (R, numbers).

    With `of_people` each person counts alike, however many recordings there are of them.

    Copies of one person are never candidates for each other: whoever is there w times has n − w others.
    Where these are fewer than asked for, all of them are candidates. NaN where nobody with a recording is
    left.
    """
    own, weights = pooled.own, times.astype(np.float64)
    n_higher = np.rint(weights @ pooled.higher).astype(np.int64)  # own is never above itself
    n_tied = np.rint(weights @ pooled.tied).astype(np.int64)
    others = times.sum(axis=1)[:, np.newaxis] - times[:, own]
    most = int(others.max(initial=0))
    weight = weights[:, own] / np.bincount(own)[own] if of_people else weights[:, own]
    total = weight.sum(axis=1)
    found = np.full((len(times), len(numbers)), np.nan)
    for column, people in enumerate(numbers):
        table = _none_drawn_of_so_many(most, people - 1)
        sums = (_mean_over_ties(table, others, n_higher, n_tied) * weight).sum(axis=1)
        np.divide(sums, total, out=found[:, column], where=total > 0)
    return found


def _none_drawn_of_so_many(most: int, drawn: int) -> FloatArray:
    """`none_drawn` for each number of others, 0 … most, a row each, of whom at most all are drawn."""
    others = np.arange(most + 1, dtype=np.float64)[:, np.newaxis]
    left = others - np.arange(most, dtype=np.float64)
    factors = np.ones_like(left)
    np.divide(np.maximum(left - np.minimum(drawn, others), 0.0), left, out=factors, where=left > 0.0)
    return np.asarray(np.cumprod(np.hstack([np.ones_like(others), factors]), axis=1), dtype=np.float64)


def linkage(pooled: PoolScores, people: int, *, of_people: bool = False) -> float:
    """π_link of these groups among so many of all who are enrolled.

    With `of_people` the mean over people of each one's share: everybody counts alike.
    """
    n_higher, n_tied = pooled.higher.sum(axis=0), pooled.tied.sum(axis=0)
    if not of_people:
        return linkability_probability(n_higher, len(pooled.score), people, n_tied)
    linked = linked_by_recording(n_higher, len(pooled.score), people, n_tied)
    return float(np.average(linked, weights=1.0 / np.bincount(pooled.own)[pooled.own]))
