"""Pitch is compared by a model of two covariances, which finds what is there and nothing else."""

import numpy as np
import pytest
from scipy.stats import multivariate_normal

from zebra_core.attackers.fusion import fold_of_each, folds_of_trials
from zebra_core.attackers.gaussian import GaussianModel, learnt_from
from zebra_core.evidence.trials import ScoreCounts
from zebra_core.metrics.error_rates import eer

ONE = np.ones(1)


def model(correlation):
    return GaussianModel(np.zeros(1), ONE, np.zeros(1), ONE, np.eye(1), np.array([correlation]))


def test_a_case_by_hand():
    """Correlation 0.6 of both sides at 1: −½ ln 0.64 − (0.36 · 2 − 1.2) / 1.28 = 0.2231 + 0.375."""
    found = model(0.6).scores(np.ones((1, 1)), np.array([1]), np.ones((1, 1)))

    assert found == pytest.approx([0.22314355 + 0.375])


@pytest.mark.parametrize("count", [1, 3])
def test_it_is_the_ratio_of_two_normal_densities(count):
    """Independent: the densities of both values together and each by itself, by SciPy."""
    rho, left, right = 0.7, 0.8, -0.4
    of_mean = rho + (1.0 - rho) / count
    together = multivariate_normal([0, 0], [[of_mean, rho], [rho, 1.0]]).logpdf([left, right])
    apart = multivariate_normal(0, of_mean).logpdf(left) + multivariate_normal(0, 1).logpdf(right)

    found = model(rho).scores(np.array([[left]]), np.array([count]), np.array([[right]]))
    assert found == pytest.approx([together - apart])


def test_what_cannot_be_heard_speaks_neither_for_nor_against():
    found = model(0.6).scores(np.array([[np.nan], [1.0]]), np.array([1, 1]), np.array([[1.0], [np.nan]]))

    assert found.tolist() == [0.0, 0.0]


def test_how_far_recordings_of_a_speaker_agree_is_learnt():
    draw = np.random.default_rng(1)
    people = np.repeat(np.arange(2_000), 4)
    values = np.sqrt(0.7) * draw.normal(size=2_000)[people] + np.sqrt(0.3) * draw.normal(size=len(people))
    high = 200.0 + 30.0 * values[:, None]
    shifted = 100.0 + 15.0 * values[:, None]  # a safeguard may move and narrow it
    found = learnt_from(high, shifted, people)

    assert found.correlation == pytest.approx([0.7], abs=0.03)
    assert (found.enrol_mean[0], found.test_mean[0]) == pytest.approx((200.0, 100.0), abs=2.0)


def scored(seed, identity, *, alike):
    """The EER on 20 speakers whose three features tell them apart so well."""
    draw = np.random.default_rng(seed)
    often = np.full(20, 6) if alike else draw.integers(3, 12, 20)
    wide = np.ones(20) if alike else np.exp(draw.normal(0.0, 0.5, 20))
    people = np.repeat(np.arange(20), often)
    values = wide[people, None] * draw.normal(size=(len(people), 3))
    values += identity * draw.normal(size=(20, 3))[people]
    left, right = np.triu_indices(len(people), 1)
    fold = fold_of_each([f"s{n}" for n in range(20)])[people]
    scores, once = np.empty(len(left)), np.ones(len(left), np.int64)
    for folds, chosen in folds_of_trials(fold[left], fold[right]):
        apart = ~np.isin(fold, folds)
        found = learnt_from(values[apart], values[apart], people[apart])
        scores[chosen] = found.scores(values[left[chosen]], once[chosen], values[right[chosen]])
    return eer(ScoreCounts.of(scores, people[left] == people[right]))


@pytest.mark.parametrize("alike", [True, False])
def test_without_identity_it_guesses(alike):
    assert 0.49 <= np.mean([scored(seed, 0.0, alike=alike) for seed in range(50)]) <= 0.51


def test_where_only_pitch_tells_it_finds_that():
    assert np.mean([scored(seed, 3.0, alike=True) for seed in range(3)]) < 0.15
