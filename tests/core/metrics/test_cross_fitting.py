"""Trials counted by the folds of their speakers."""

import numpy as np
import pytest

from tests.core.crossed_scores import crossed_trials
from zebra_core.evidence.counts import ScoreCounts
from zebra_core.evidence.trials import BoolArray, FloatArray, Ids, IntArray, Trials
from zebra_core.metrics.calibration import laplace, pav
from zebra_core.metrics.cross_fitted import laplace_llr
from zebra_core.metrics.cross_fitting import FoldCounts, FoldedTrials, _bins_of, borders_of


def folded(trials: Trials) -> FoldedTrials:
    found = FoldedTrials.of(trials, ScoreCounts.of_trials(trials))
    assert found is not None
    return found


def test_few_distinct_scores_have_a_bin_each() -> None:
    counts = ScoreCounts.of(np.array([1.0, 1.0, 2.0, 5.0]), np.array([True, False, True, False]))
    assert borders_of(counts).tolist() == [2.0, 5.0]


def test_equal_scores_make_one_bin() -> None:
    assert borders_of(ScoreCounts.of(np.zeros(9), np.arange(9) < 4)).tolist() == []


def test_bins_are_the_same_whoever_is_who() -> None:
    rng = np.random.default_rng(0)
    score = rng.normal(size=5000)
    one, other = (borders_of(ScoreCounts.of(score, rng.random(5000) < 0.1)) for _ in range(2))
    assert one.tolist() == other.tolist()
    assert 400 <= len(one) <= 576
    assert one[0] == np.sort(score)[1], "the tails are told apart down to single trials"


def test_the_tables_hold_every_trial_once() -> None:
    trials = crossed_trials(np.random.default_rng(1), mu=1.0)
    found = folded(trials)
    assert found.counts.n_folds == 5
    assert int(found.counts.n_target.sum()) == 100
    assert int(found.counts.n_nontarget.sum()) == 1900
    off_diagonal = ~np.eye(5, dtype=np.bool_)
    assert not found.counts.n_target[off_diagonal].any(), "both sides of a target trial are one person"


def test_a_trial_is_judged_by_what_was_learnt_without_both_its_speakers() -> None:
    trials = crossed_trials(np.random.default_rng(2), mu=1.0, speakers=7, segments=3)
    assert trials.enrol is not None and trials.test is not None  # noqa: PT018
    found = folded(trials)
    judged = found.counts.judged_by(laplace_llr).ravel()[found.place]
    bins = np.searchsorted(found.counts.borders, trials.score, side="right").astype(np.float64)
    fold = found.people.folds(5)
    enrol, test = (
        fold[found.people.of_enrol[trials.enrol.codes]],
        fold[found.people.of_test[trials.test.codes]],
    )
    for number in range(0, len(trials), 11):
        held = {int(enrol[number]), int(test[number])}
        learnt = np.array([not held & {int(a), int(b)} for a, b in zip(enrol, test, strict=True)])
        assert judged[number] == pytest.approx(slow_llr(bins, trials.is_target, learnt, bins[number]))


def test_single_trials_are_judged_by_one_map_for_each_fold() -> None:
    rng = np.random.default_rng(5)
    folds = FoldCounts.of_counts(ScoreCounts.of(rng.normal(size=300), rng.random(300) < 0.3))
    learnt: list[int] = []

    def learn(n_target: IntArray, n_nontarget: IntArray) -> FloatArray:
        learnt.append(int(n_target.sum() + n_nontarget.sum()))
        return np.full(len(n_target), float(len(learnt)))

    judged = folds.judged_by(learn)
    of_fold = (folds.n_target + folds.n_nontarget).sum(axis=(1, 2))
    assert learnt == (300 - of_fold).tolist(), "each on all trials but its own"
    assert judged[:, :, 0].tolist() == np.diag([1.0, 2.0, 3.0, 4.0, 5.0]).tolist()


def slow_llr(bins: FloatArray, is_target: BoolArray, learnt: BoolArray, at: float) -> float:
    """PAV under Laplace's rule of the chosen trials: what the highest bin up to `at` got, or the lowest."""
    counts = ScoreCounts.of(bins[learnt], is_target[learnt])
    below = np.searchsorted(counts.score, at, side="right") - 1
    return float(laplace(pav(counts)).llr_by_score[max(below, 0)])


def test_the_order_of_the_trials_is_irrelevant() -> None:
    trials = crossed_trials(np.random.default_rng(3), mu=1.0)
    assert trials.enrol is not None and trials.test is not None  # noqa: PT018
    order = np.random.default_rng(4).permutation(len(trials))
    enrol, test = trials.enrol, trials.test
    shuffled = Trials(
        trials.score[order],
        trials.is_target[order],
        Ids(enrol.codes[order], enrol.names),
        Ids(len(test.names) - 1 - test.codes[order], test.names[::-1]),
    )
    one, other = folded(trials).counts, folded(shuffled).counts
    assert one.n_target.tolist() == other.n_target.tolist()
    assert one.n_nontarget.tolist() == other.n_nontarget.tolist()


def test_of_fewer_than_three_people_no_third_fold_can_be_learnt_from() -> None:
    trials = crossed_trials(np.random.default_rng(5), mu=1.0, speakers=2)
    assert FoldedTrials.of(trials, ScoreCounts.of_trials(trials)) is None


def test_trials_without_ids_have_no_speakers() -> None:
    trials = Trials.from_scores(target=[1.0, 2.0], nontarget=[0.0, 1.0])
    assert FoldedTrials.of(trials, ScoreCounts.of_trials(trials)) is None


def test_counts_are_dealt_out_the_same_way_every_time() -> None:
    counts = ScoreCounts.of_trials(crossed_trials(np.random.default_rng(6), mu=1.0))
    one, other = FoldCounts.of_counts(counts), FoldCounts.of_counts(counts)
    assert one.n_target.tolist() == other.n_target.tolist()
    assert int(one.n_target.sum()) == 100
    assert int(one.n_nontarget.sum()) == 1900
    assert not one.is_by_speaker


@pytest.mark.parametrize("scale", [1.0, 1e-300, 1e300])
def test_most_bins_are_looked_up_and_come_out_as_by_a_search(scale: float) -> None:
    rng = np.random.default_rng(7)
    score = np.concatenate([rng.normal(size=40_000), rng.normal(0.0, 1e-6, 10_000), [-1e4, 1e4]]) * scale
    borders = borders_of(ScoreCounts.of(score, np.arange(len(score)) < 9))
    at = np.concatenate([score, borders])
    assert _bins_of(at, borders).tolist() == np.searchsorted(borders, at, side="right").tolist()
