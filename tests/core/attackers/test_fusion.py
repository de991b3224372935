"""Attackers together: weights are learnt from other speakers, and none is negative."""

import numpy as np
import pytest
from scipy.optimize import minimize

from zebra_core.attackers.fusion import fold_of_each, fused, regression
from zebra_core.evidence.trials import ScoreCounts
from zebra_core.metrics.error_rates import eer


def classes(seed=4, of=(1.0, 0.5)):
    draw = np.random.default_rng(seed)
    return draw.normal(size=(40, len(of))) + np.array(of), draw.normal(size=(300, len(of)))


def loss(weights, targets, others):
    rows = [
        np.logaddexp(0.0, -sign * (one @ weights[:-1] + weights[-1])).mean()
        for sign, one in ((1.0, targets), (-1.0, others))
    ]
    return 0.5 * sum(rows) + 0.5e-3 * (weights[:-1] ** 2).sum()


@pytest.mark.parametrize("of", [(1.0, 0.5), (1.0, -0.5), (-1.0, -1.0), (3.0, 3.0)])
def test_the_regression_is_the_least_loss_with_no_negative_weight(of):
    """Independent: SciPy's L-BFGS-B with bounds."""
    targets, others = classes(of=of)
    bounds = [(0.0, None), (0.0, None), (None, None)]
    other = minimize(loss, np.zeros(3), (targets, others), "L-BFGS-B", bounds=bounds, tol=1e-14)

    assert loss(regression(targets, others), targets, others) == pytest.approx(other.fun, abs=1e-9)
    assert regression(targets, others) == pytest.approx(other.x, abs=2e-4)


def test_one_column_by_hand():
    """Two values, targets at 1 three times of four, others one time of four: odds of 3 and of 1/3.

    The weight is so 2 ln 3 and the intercept −ln 3, but for the ridge.
    """
    targets, others = np.array([[1.0], [1.0], [1.0], [0.0]]), np.array([[0.0], [0.0], [0.0], [1.0]])

    assert regression(targets, others) == pytest.approx([2 * np.log(3), -np.log(3)], rel=0.03)


def trials(seed, *, tells, alike=True, speakers=20):
    """Scores of two attackers on every pair of recordings, by two independent voices of each speaker."""
    draw = np.random.default_rng(seed)
    often = np.full(speakers, 6) if alike else draw.integers(3, 12, speakers)
    people = np.repeat(np.arange(speakers), often)
    left, right = np.triu_indices(len(people), 1)
    fold = fold_of_each([f"s{n}" for n in range(speakers)])[people]
    columns = []
    for one in tells:
        voice = one * draw.normal(size=(speakers, 8))[people] + draw.normal(size=(len(people), 8))
        columns.append(np.einsum("nd,nd->n", voice[left], voice[right]))
    return np.column_stack(columns), people[left] == people[right], fold[left], fold[right]


def of(scores, is_target):
    return eer(ScoreCounts.of(scores, is_target))


def test_two_who_hear_different_things_find_more_together():
    columns, is_target, *folds = trials(1, tells=(0.8, 0.8))
    each = [of(column, is_target) for column in columns.T]

    assert of(fused(columns, is_target, *folds), is_target) < min(each) - 0.03


def test_who_hears_nothing_takes_nothing_away():
    columns, is_target, *folds = trials(2, tells=(1.0, 0.0))
    alone = of(columns[:, 0], is_target)

    assert of(fused(columns, is_target, *folds), is_target) == pytest.approx(alone, abs=0.01)


@pytest.mark.parametrize("alike", [True, False])
def test_without_identity_they_guess(alike):
    found = []
    for seed in range(50):
        columns, is_target, *folds = trials(seed, tells=(0.0, 0.0), alike=alike)
        found.append(of(fused(columns, is_target, *folds), is_target))

    assert 0.49 <= np.mean(found) <= 0.51


def test_no_weight_is_learnt_from_whoever_speaks_in_a_trial():
    columns, is_target, enrol, test = trials(3, tells=(0.8, 0.8))
    before = fused(columns, is_target, enrol, test)
    pair = (enrol == 0) & (test == 1)
    touching = np.isin(enrol, (0, 1)) | np.isin(test, (0, 1))
    labels = np.where(touching & ~pair, ~is_target, is_target)

    assert fused(columns, labels, enrol, test)[pair] == pytest.approx(before[pair])


def test_nobody_else_teaches_nothing():
    columns, is_target, enrol, test = trials(1, tells=(1.0, 1.0), speakers=3)

    assert fused(columns, is_target, enrol, test) is None
