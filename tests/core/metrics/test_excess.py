"""Whether a reading discloses more than another by more than chance."""

import numpy as np

from tests.core.crossed_scores import crossed_trials
from zebra_core.evidence.trials import ScoreCounts
from zebra_core.metrics.cross_fitted import (
    FoldCounts,
    FoldedTrials,
    _without_each,
    exceeds_by_speaker,
    exceeds_by_trial,
    laplace_llr,
)


def test_leaving_a_speaker_out_leaves_all_trials_of_either_side_out() -> None:
    gain = np.array([1.0, 2.0, 6.0])
    mean, whole = _without_each(gain, np.array([0, 0, 1]), np.array([0, 1, 2]), 3)
    assert mean.tolist() == [
        6.0,
        1.0,
        1.5,
    ]  # without 0 the third is left, without 1 the first, without 2 both others
    assert whole == 3.0


def test_where_nobody_else_has_trials_of_a_class_their_mean_stays() -> None:
    mean, _ = _without_each(np.array([4.0, 2.0]), np.array([0, 0]), np.array([0, 0]), 2)
    assert mean.tolist() == [3.0, 3.0]


def test_a_reading_that_is_no_better_does_not_exceed_and_one_that_knows_does() -> None:
    trials = crossed_trials(np.random.default_rng(0), mu=1.0)
    counts = ScoreCounts.of_trials(trials)
    folded = FoldedTrials.of(trials, counts)
    assert folded is not None
    given = folded.counts.judged_by(laplace_llr)
    assert not exceeds_by_speaker(trials, folded, np.zeros(given.shape), given)
    assert not exceeds_by_speaker(trials, folded, given, given)
    knowing = np.where(folded.counts.n_target > 0, 20.0, -20.0)
    assert exceeds_by_speaker(trials, folded, knowing, given)


def test_of_single_trials_the_mean_gain_is_set_against_its_standard_error() -> None:
    """100 trials of either class in two bins: what one of them gains is chance, what ten gain is not."""
    n = np.array([[[50, 50]]])
    folds = FoldCounts(np.array([0.0]), n, n, is_by_speaker=False)
    nothing = np.zeros(n.shape)
    assert not exceeds_by_trial(folds, nothing, nothing)
    assert not exceeds_by_trial(folds, np.array([[[1.0, -1.0]]]), nothing)  # right and wrong as often
    few = FoldCounts(np.array([0.0]), np.array([[[99, 1]]]), np.array([[[100, 0]]]), is_by_speaker=False)
    assert not exceeds_by_trial(few, np.array([[[0.0, 3.0]]]), nothing)
    more = FoldCounts(np.array([0.0]), np.array([[[90, 10]]]), np.array([[[100, 0]]]), is_by_speaker=False)
    assert exceeds_by_trial(more, np.array([[[0.0, 3.0]]]), nothing)
