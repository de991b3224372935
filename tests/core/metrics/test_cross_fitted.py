"""What holds beyond the trials that were learnt from."""

import math

import numpy as np
import pytest

from tests.core.crossed_scores import crossed_trials
from zebra_core.evidence.counts import ScoreCounts
from zebra_core.evidence.trials import Ids, Trials
from zebra_core.metrics.calibration import pav
from zebra_core.metrics.cross_fitted import CrossFitted, laplace_llr
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
