"""Several attackers together: a logistic regression on their scores, learnt from other speakers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from hashlib import sha256
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from zebra_core.evidence.trials import BoolArray, FloatArray
from zebra_core.runtime.progress import Progress, no_progress

MOST_LEARNT = 20_000
"""Trials of either class that a regression learns from: of more, as many at equal distances."""
_RIDGE = 1e-3  # against weights without bounds where classes do not overlap
_STEPS = 50
_ENOUGH = 1e-12  # of the loss that a step gains


def fused(
    scores: FloatArray,
    is_target: BoolArray,
    enrol_fold: Fold,
    test_fold: Fold,
    on_progress: Progress = no_progress,
) -> FloatArray | None:
    """The scores of several attackers as those of one; natural log odds at even prior odds, shape (trials,).

    `scores` has a column for each attacker, (trials, attackers). Of trials with speakers of two folds the
    weights are learnt from all trials between speakers of other folds, both classes counting alike; no weight
    is negative, for no attacker takes what is less alike for the same person. Any attacker's scale will do.
    None where there is nothing to learn from.
    """
    spread = scores.std(axis=0)
    scaled = (scores - scores.mean(axis=0)) / np.where(spread > 0.0, spread, 1.0)
    found = np.full(len(scores), np.nan)
    several = list(folds_of_trials(enrol_fold, test_fold))
    for number, (folds, chosen) in enumerate(several):
        on_progress(number / len(several))
        apart = ~(np.isin(enrol_fold, folds) | np.isin(test_fold, folds))
        targets, others = (_thinned(np.flatnonzero(apart & which)) for which in (is_target, ~is_target))
        if not len(targets) or not len(others):
            return None
        weights = regression(scaled[targets], scaled[others])
        found[chosen] = scaled[chosen] @ weights[:-1] + weights[-1]
    return found


def regression(targets: FloatArray, others: FloatArray) -> FloatArray:
    """Weights of each column and, last, the intercept: logistic regression, both classes weighing alike.

    Newton's method on the weights that are free; those that would become negative are held at 0, and
    freed again where that would help. A ridge of 1e-3 keeps them finite. Shape (columns + 1,).
    """
    rows = np.concatenate([targets, others])
    rows = np.column_stack([rows, np.ones(len(rows))])
    label = np.arange(len(rows)) < len(targets)
    weight = np.where(label, 0.5 / len(targets), 0.5 / len(others))
    ridge = np.full(rows.shape[1], _RIDGE)
    ridge[-1] = 0.0
    found = np.zeros(rows.shape[1])
    loss = _loss(rows, label, weight, ridge, found)
    for _ in range(_STEPS):
        odds = rows @ found
        probability = 1.0 / (1.0 + np.exp(-odds.clip(-500.0, 500.0)))
        slope = rows.T @ (weight * (probability - label)) + ridge * found
        free = (found > 0.0) | (slope < 0.0)
        free[-1] = True
        curve = (rows * (weight * probability * (1.0 - probability))[:, None]).T @ rows + np.diag(ridge)
        step = np.zeros_like(found)
        step[free] = np.linalg.solve(curve[np.ix_(free, free)], slope[free])
        tried, now = _stepped(rows, label, weight, ridge, found, step, loss)
        gained, loss, found = loss - now, now, tried
        if gained < _ENOUGH:
            break
    return found


def _stepped(
    rows: FloatArray,
    label: BoolArray,
    weight: FloatArray,
    ridge: FloatArray,
    found: FloatArray,
    step: FloatArray,
    loss: float,
) -> tuple[FloatArray, float]:
    """As much of a step as makes the loss no larger, none where no part of it does; and the loss then."""
    share = 1.0
    while share > _ENOUGH:
        tried = found - share * step
        tried[:-1] = tried[:-1].clip(0.0)
        if (now := _loss(rows, label, weight, ridge, tried)) <= loss:
            return tried, now
        share /= 2.0
    return found, loss


def _loss(
    rows: FloatArray, label: BoolArray, weight: FloatArray, ridge: FloatArray, found: FloatArray
) -> float:
    odds = rows @ found
    each = np.logaddexp(0.0, np.where(label, -odds, odds))
    return float(weight @ each + 0.5 * (ridge * found) @ found)


def _thinned(places: NDArray[np.int64]) -> NDArray[np.int64]:
    if len(places) <= MOST_LEARNT:
        return places
    return places[np.linspace(0, len(places) - 1, MOST_LEARNT).astype(np.int64)]


# Who is held apart: whoever scores a trial has learnt from speakers that take no part in it.


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
