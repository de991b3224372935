"""Dealing: units (speakers, trials) dealt out into folds, or some of them taken, each as likely as others."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from zebra_core.metrics.chance.exchanging import exchanged

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
