"""What holds beyond the trials that were learnt from."""

import math

import numpy as np
import pytest

from tests.core.crossed_scores import crossed_trials
from zebra_core.evidence.trials import BoolArray, FloatArray, Ids, IntArray, ScoreCounts, Trials
from zebra_core.metrics.cross_fitted import (
    CrossFitted,
    FoldCounts,
    FoldedTrials,
    _bins_of,
    borders_of,
    laplace_llr,
)
from zebra_core.metrics.ece import laplace, pav
from zebra_core.metrics.zebra import LN10


def of(trials: Trials) -> CrossFitted:
    counts = ScoreCounts.of_trials(trials)
    return CrossFitted.of_trials(trials, counts, pav(counts))


def reversed_(trials: Trials) -> Trials:
    return Trials(-trials.score, trials.is_target, trials.enrol, trials.test)


def without_ids(trials: Trials) -> Trials:
    return Trials(trials.score, trials.is_target)


def test_laplace_fills_bins_without_trials_from_below() -> None:
    # 1 target and 1 nontarget beyond each end: 3 targets to 1 above, 1 to 3 below, at prior odds 1.
    llr = laplace_llr(np.array([0, 0, 0, 2, 0]), np.array([0, 2, 0, 0, 0]))
    assert llr == pytest.approx([-math.log(3.0)] * 3 + [math.log(3.0)] * 2)


def test_equal_scores_disclose_nothing_in_any_reading() -> None:
    trials = crossed_trials(np.random.default_rng(0), mu=1.0)
    found = of(Trials(np.zeros(len(trials)), trials.is_target, trials.enrol, trials.test))
    assert found == CrossFitted(0.0, 0.0, 0.0, unordered_exceeds=False, is_by_speaker=True)
    assert found.worst_case_log10_lr == 0.0


def test_of_classes_that_part_the_worst_case_is_borne_out_by_the_number_of_nontargets() -> None:
    found = of(crossed_trials(np.random.default_rng(1), mu=12.0))
    assert found.strongest_for_log10_lr == pytest.approx(math.log10(1900.0), abs=0.4)
    assert found.strongest_for_log10_lr <= math.log10(1901.0)
    assert -math.log10(101.0) <= found.strongest_against_log10_lr < -1.5
    assert found.worst_case_log10_lr == found.strongest_for_log10_lr


def test_where_nothing_is_disclosed_the_worst_case_is_next_to_nothing() -> None:
    found = [
        of(crossed_trials(np.random.default_rng(seed), mu=0.0)).worst_case_log10_lr for seed in range(40)
    ]
    assert float(np.median(found)) < 0.05
    assert max(found) < 1.0


def test_a_system_whose_lr_is_one_and_a_half_everywhere_is_not_worse_than_that() -> None:
    rng = np.random.default_rng(2)
    found = []
    for _ in range(30):
        target = (rng.random(156) < 0.6) + rng.uniform(0.0, 0.5, 156)
        nontarget = (rng.random(9672) < 0.4) + rng.uniform(0.0, 0.5, 9672)
        found.append(of(Trials.from_scores(target=target, nontarget=nontarget)).worst_case_log10_lr)
    assert float(np.median(found)) == pytest.approx(math.log(1.5) / LN10, abs=0.05)
    assert max(found) < 1.0


def test_lines_that_are_written_ten_times_over_show_no_more() -> None:
    trials = crossed_trials(np.random.default_rng(3), mu=1.5)
    assert trials.enrol is not None and trials.test is not None  # noqa: PT018
    ten = [np.tile(array, 10) for array in (trials.score, trials.is_target)]
    sides = [Ids(np.tile(side.codes, 10), side.names) for side in (trials.enrol, trials.test)]
    often = of(Trials(ten[0], ten[1], *sides))
    assert often.worst_case_log10_lr == pytest.approx(of(trials).worst_case_log10_lr, abs=0.35)


@pytest.mark.parametrize("known", [True, False])
def test_scores_that_run_the_wrong_way_are_noticed(known: bool) -> None:
    trials = reversed_(crossed_trials(np.random.default_rng(4), mu=2.0))
    found = of(trials if known else without_ids(trials))
    assert found.unordered_exceeds
    assert found.d_ece_unordered_bits > 0.2
    assert found.worst_case_log10_lr == 0.0, "of the reading that was given"
    assert found.is_by_speaker is known


def test_scores_that_run_the_right_way_raise_no_alarm() -> None:
    assert not of(crossed_trials(np.random.default_rng(5), mu=2.0)).unordered_exceeds


@pytest.mark.parametrize("known", [True, False])
@pytest.mark.parametrize(("speakers", "segments"), [(20, 5), (8, 6), (5, 8), (3, 8)])
def test_no_disclosure_raises_the_alarm_in_fewer_than_one_set_of_twenty(
    speakers: int, segments: int, known: bool
) -> None:
    alarms = 0
    for seed in range(40):
        trials = crossed_trials(np.random.default_rng(seed), mu=0.0, speakers=speakers, segments=segments)
        alarms += of(trials if known else without_ids(trials)).unordered_exceeds
    assert alarms <= 2


def test_the_same_from_counts_alone_as_from_trials_without_speakers() -> None:
    trials = crossed_trials(np.random.default_rng(6), mu=1.0)
    counts = ScoreCounts.of_trials(trials)
    assert of(without_ids(trials)) == CrossFitted.of_counts(counts, pav(counts))


def test_speakers_in_both_tails_are_noticed_as_often_as_a_paired_test_can() -> None:
    """Half of twelve speakers two deviations above others, half below: without an order twice as much."""
    alarms = 0
    for seed in range(20):
        trials = crossed_trials(np.random.default_rng(seed), mu=2.0, speakers=12, segments=5)
        assert trials.enrol is not None
        below = trials.is_target & (trials.enrol.codes % 2 == 0)
        both = Trials(
            np.where(below, trials.score - 4.0, trials.score), trials.is_target, trials.enrol, trials.test
        )
        alarms += of(both).unordered_exceeds
    assert alarms >= 13


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
        learnt.extend((n_target + n_nontarget).sum(axis=-1).tolist())
        return np.broadcast_to(np.arange(1.0, 6.0)[:, np.newaxis], n_target.shape)

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
