"""Who is held apart: whoever scores a trial has learnt from speakers that take no part in it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from hashlib import sha256
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

FOLDS = 10
PAIRS_OF_FOLDS = FOLDS * (FOLDS - 1) // 2
"""As many times something is learnt for an attack: each time without two folds."""
LEAST_SPEAKERS = 4
"""Below so many with several recordings nothing is learnt."""

Fold = NDArray[np.int64]
"""Shape (n,): a fold, from 0."""


def fold_of_each(speakers: Sequence[str]) -> Fold:
    """The fold of each speaker, dealt in the order of the hashes of their names."""
    order = sorted(range(len(speakers)), key=lambda n: sha256(speakers[n].encode()).digest())
    fold = np.empty(len(speakers), dtype=np.int64)
    fold[order] = np.arange(len(speakers)) % FOLDS
    return fold


def folds_of_trials(enrol: Fold, test: Fold) -> Iterator[tuple[tuple[int, int], NDArray[np.int64]]]:
    """Two folds with the speakers of a trial, and the places of these trials, which `enrol` and `test` tell.

    Where both speakers are in one fold the next one is left out as well. All target trials are such: whatever
    scores them would else have learnt from more speakers than what scores nontargets.
    """
    highest = max(1, int(enrol.max(initial=0)), int(test.max(initial=0)))
    other = np.where(enrol == test, (enrol + 1) % (highest + 1), test)
    low, high = np.minimum(enrol, other), np.maximum(enrol, other)
    for pair in combinations(range(FOLDS), 2):
        chosen = np.flatnonzero((low == pair[0]) & (high == pair[1]))
        if len(chosen):
            yield pair, chosen
