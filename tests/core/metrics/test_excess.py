"""Whether a reading discloses more than another by more than chance."""

import numpy as np
import pytest

from tests.core.crossed_scores import crossed_trials
from zebra_core.evidence.counts import ScoreCounts
from zebra_core.metrics.calibration import pav
from zebra_core.metrics.cross_fitting import FoldCounts, FoldedTrials
from zebra_core.metrics.excess import _without_each, exceeds_by_speaker, exceeds_by_trial


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
    neutral = np.zeros(folded.counts.n_target.shape)
    assert not exceeds_by_speaker(trials, folded, neutral, counts, pav(counts))
    knowing = np.where(folded.counts.n_target > 0, 20.0, -20.0)
    assert exceeds_by_speaker(trials, folded, knowing, counts, pav(counts))


@pytest.mark.parametrize(("excess", "expected"), [(0.0, False), (1e-6, False), (0.5, True)])
def test_of_single_trials_the_excess_is_set_against_both_standard_errors(
    excess: float, expected: bool
) -> None:
    counts = ScoreCounts.of_trials(crossed_trials(np.random.default_rng(1), mu=1.0))
    folds = FoldCounts.of_counts(counts)
    llr = np.full(folds.n_target.shape, 0.1)
    assert exceeds_by_trial(folds, llr, pav(counts), excess) is expected
