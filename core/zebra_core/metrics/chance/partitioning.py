"""Dealing: units (speakers, trials) dealt out into folds, or some of them taken, each as likely as others."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from zebra_core.metrics.chance.permutation import exchanged

Numbers = NDArray[np.int64]


def into_folds(n: int, n_folds: int, rng: np.random.Generator) -> Numbers:
    """The fold of each of n units, (n,), from 0: sizes differ by one at most."""
    return exchanged(n, rng) % n_folds


def counts_into_folds(counts: Numbers, n_folds: int, rng: np.random.Generator) -> Numbers:
    """How many of each kind fall into each fold, (k, n_folds): every unit of `counts`, (k,), by itself."""
    return np.asarray(rng.multinomial(counts, np.full(n_folds, 1.0 / n_folds)), dtype=np.int64)


def some_of(units: Numbers, most: int, rng: np.random.Generator) -> Numbers:
    """At most so many of these units, (m,), in random order."""
    return units[exchanged(len(units), rng)][:most]


def dealt_within_rows(values: NDArray[np.float64], rng: np.random.Generator) -> NDArray[np.float64]:
    """The values of each row, (rows, columns), in another order, every row by itself; NaN stay in place."""
    missing = np.isnan(values)
    if not missing.any():
        return np.asarray(rng.permuted(values, axis=1))
    dealt = values.copy()
    for row, gap in zip(dealt, missing, strict=True):
        there = np.flatnonzero(~gap)
        row[there] = row[there[exchanged(len(there), rng)]]
    return dealt


def lots(shape: tuple[int, ...], rng: np.random.Generator) -> NDArray[np.float64]:
    """A lot each, from 0 to 1, of this shape."""
    return rng.random(shape)


def places_by_lot(n: int, shape: tuple[int, ...], rng: np.random.Generator) -> Numbers:
    """One of n places each, from 0, of this shape: each as likely as others, and again and again."""
    return rng.integers(n, size=shape)


def fill_with_lots(lot: NDArray[np.float64], rng: np.random.Generator) -> None:
    """A lot for each unit of each set, from 0 to 1, in this array without gaps: see `sets_by_lot`."""
    rng.random(out=lot)


def sets_by_lot(lot: NDArray[np.float64], own: Numbers, size: int) -> Numbers:
    """For each of the units `own` (m,), a set of `size` of n units that has it: members, (…, m, size).

    The others are those with the lowest lots, (…, m, n): without replacement, each set as likely as every
    other. The lots of the units themselves are overwritten.
    """
    n = lot.shape[-1]
    if size == n:  # as many sets of drawn speakers are, of whom there are not so many different ones
        return np.broadcast_to(np.arange(n), lot.shape)
    lot[..., np.arange(len(own)), own] = -1.0
    highest = np.partition(lot, size - 1, axis=-1)[..., size - 1 : size]
    members = np.flatnonzero(lot <= highest)
    if len(members) * n > lot.size * size:  # two drew the same lot
        return np.argpartition(lot, size - 1, axis=-1)[..., :size]
    in_sets = members.reshape(-1, size)
    in_sets -= np.arange(0, lot.size, n)[:, np.newaxis]
    return in_sets.reshape(*lot.shape[:-1], size)
