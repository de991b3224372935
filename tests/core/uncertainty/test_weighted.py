"""Figures of trials that count several times: those of the same trials repeated."""

import numpy as np
import pytest

from tests.core.speaker_model import trials_of
from zebra_core.evidence.counts import ScoreCounts
from zebra_core.evidence.trials import Trials
from zebra_core.metrics.assessment import Assessment, ScoreMeaning, Settings, assess
from zebra_core.metrics.registry import drawn_values
from zebra_core.metrics.zebra import LN10
from zebra_core.uncertainty.resampling import Clusters
from zebra_core.uncertainty.weighted import FIGURES, WeightedTrials, in_runs

PRIORS = Settings().prior_log_odds
AT_LINKABILITY = FIGURES.index("linkability")


def as_measured(found: Assessment) -> list[float]:
    return list(drawn_values(found).values())


@pytest.mark.parametrize("decimals", [None, 1, 0], ids=["no ties", "ties", "many ties"])
@pytest.mark.parametrize("seed", range(4))
def test_all_weights_one_give_exactly_the_plain_figures(seed: int, decimals: int | None) -> None:
    trials = trials_of(np.random.default_rng(seed), 10 - 2 * (seed % 2), 1.0, decimals=decimals)
    clusters = Clusters.of_trials(trials)
    found = WeightedTrials.of(trials, clusters).figures(clusters.all_once[np.newaxis], PRIORS)
    plain = assess(trials)
    # Cllr is a sum over trials, the others are of counts: these agree to the last digit.
    at = FIGURES.index("cllr_bits")
    assert found[0][0, at] == pytest.approx(plain.cllr_bits, rel=1e-13)
    np.testing.assert_array_equal(np.delete(found[0][0], at), np.delete(as_measured(plain), at))
    assert found[1][0].tolist() == plain.profile.min_bits.tolist()


@pytest.mark.parametrize("decimals", [None, 1, 0], ids=["no ties", "ties", "many ties"])
@pytest.mark.parametrize("seed", range(4))
def test_weights_are_repetitions(seed: int, decimals: int | None) -> None:
    """Each row written out as often as it counts, and assessed as it stands."""
    rng = np.random.default_rng(seed)
    trials = trials_of(rng, 12, 0.7, decimals=decimals)
    clusters = Clusters.of_trials(trials)
    ordered = WeightedTrials.of(trials, clusters)
    for _ in range(5):
        weight = clusters.draw(rng)
        often = weight[clusters.enrol] * weight[clusters.test]
        repeated = assess(Trials(np.repeat(trials.score, often), np.repeat(trials.is_target, often)))
        found = ordered.figures(weight[np.newaxis], PRIORS)
        # Linkability keeps the bins of the scores that were there before anybody was left out.
        expected = np.array(as_measured(repeated))
        expected[AT_LINKABILITY] = found[0][0, AT_LINKABILITY]
        assert found[0][0] == pytest.approx(expected, rel=1e-12, nan_ok=True)
        assert found[1][0] == pytest.approx(repeated.profile.min_bits, rel=1e-12)


def test_linkability_keeps_its_bins() -> None:
    trials = trials_of(np.random.default_rng(0), 12, 1.0)
    clusters = Clusters.of_trials(trials)
    twice = 2 * clusters.all_once
    twice[-1] = 1  # targets twice, nontargets four times: all shares are as before
    found = WeightedTrials.of(trials, clusters).figures(twice[np.newaxis], PRIORS)
    assert found[0][0, FIGURES.index("linkability")] == pytest.approx(assess(trials).linkability, rel=1e-12)


def test_a_class_without_trials_has_no_figures() -> None:
    trials = trials_of(np.random.default_rng(0), 5, 1.0)
    clusters = Clusters.of_trials(trials)
    weight = clusters.all_once
    weight[:-1] = [5, 0, 0, 0, 0]
    values, profiles = WeightedTrials.of(trials, clusters).figures(weight[np.newaxis], PRIORS)
    assert np.isnan(values).all()
    assert np.isnan(profiles).all()


@pytest.mark.parametrize("decimals", [None, 0], ids=["no ties", "many ties"])
def test_many_draws_at_once_are_as_one_by_one(decimals: int | None) -> None:
    """Some of them without targets, some with all trials at one score, others with more blocks than these."""
    rng = np.random.default_rng(5)
    trials = trials_of(rng, 4, 0.7, decimals=decimals)
    clusters = Clusters.of_trials(trials)
    ordered = WeightedTrials.of(trials, clusters)
    weights = np.concatenate([rng.integers(0, 3, (60, clusters.n)), np.ones((60, 1), int)], axis=1)
    weights[0, :-1] = 0
    values, profiles = ordered.figures(weights, PRIORS)
    for k, weight in enumerate(weights):
        alone, profile = ordered.figures(weight[np.newaxis], PRIORS)
        np.testing.assert_array_equal(values[k], alone[0])
        np.testing.assert_array_equal(profiles[k], profile[0])


def test_cllr_judges_scores_in_the_unit_that_they_have() -> None:
    trials = trials_of(np.random.default_rng(0), 9, 1.0)
    clusters = Clusters.of_trials(trials)
    found = WeightedTrials.of(trials, clusters, LN10).figures(clusters.all_once[np.newaxis], PRIORS)
    plain = assess(trials, Settings(score_meaning=ScoreMeaning.LOG10_LR))
    assert found[0][0, FIGURES.index("cllr_bits")] == pytest.approx(plain.cllr_bits, rel=1e-13)


def test_neighbours_of_one_class_are_put_together_and_ties_between_classes_are_not() -> None:
    counts = ScoreCounts(np.arange(7.0), np.array([0, 0, 2, 1, 1, 3, 0]), np.array([1, 2, 0, 0, 4, 0, 1]))
    runs = in_runs(counts)
    assert runs.score.tolist() == [0.0, 2.0, 4.0, 5.0, 6.0]
    assert runs.n_target.tolist() == [0, 3, 1, 3, 0]
    assert runs.n_nontarget.tolist() == [3, 0, 4, 0, 1]
