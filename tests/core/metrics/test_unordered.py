"""An LR that supposes no order of the scores."""

import math

import numpy as np
import pytest

from tests.core import brute_force
from tests.core.crossed_scores import crossed_trials
from zebra_core.evidence.trials import ScoreCounts, Trials
from zebra_core.metrics.cross_fitted import FoldCounts, FoldedTrials, d_ece_unordered_bits, unordered_llr


def unordered_bits(trials: Trials) -> float:
    folded = FoldedTrials.of(trials, ScoreCounts.of_trials(trials))
    assert folded is not None
    return d_ece_unordered_bits(folded.counts, folded.counts.judged_by(unordered_llr))


def test_a_case_worked_by_hand() -> None:
    # Two cells. One trial of either class is added to each: 4 of 6 targets against 2 of 6 nontargets.
    llr = unordered_llr(np.array([3, 1]), np.array([1, 3]))
    assert llr == pytest.approx([math.log(2.0), -math.log(2.0)])


def test_where_all_scores_are_equal_nothing_is_learnt() -> None:
    assert unordered_llr(np.array([7]), np.array([90])).tolist() == [0.0]


@pytest.mark.parametrize("counts", [([0, 0], [1, 2]), ([1, 2], [0, 0])])
def test_without_one_of_the_classes_nothing_is_learnt(counts: tuple[list[int], list[int]]) -> None:
    assert unordered_llr(np.array(counts[0]), np.array(counts[1])).tolist() == [0.0, 0.0]


def test_a_bin_of_which_nothing_is_known_says_little() -> None:
    llr = unordered_llr(np.array([20, 0, 0]), np.array([0, 0, 20]))
    assert abs(llr[1]) < abs(llr[0])


@pytest.mark.parametrize("seed", range(10))
def test_it_agrees_with_a_slow_version(seed: int) -> None:
    rng = np.random.default_rng(seed)
    target, nontarget = rng.poisson(1.5, 40), rng.poisson(20.0, 40)
    fast = unordered_llr(target, nontarget)
    assert fast == pytest.approx(brute_force.unordered_llr(target.tolist(), nontarget.tolist()), abs=1e-9)


def test_read_backwards_it_is_the_same_backwards() -> None:
    rng = np.random.default_rng(2)
    target, nontarget = rng.poisson(3.0, 50), rng.poisson(30.0, 50)
    backwards = unordered_llr(target[::-1], nontarget[::-1])
    assert backwards[::-1] == pytest.approx(unordered_llr(target, nontarget), abs=1e-9)


def test_where_nothing_is_disclosed_it_comes_to_about_nothing_and_not_more() -> None:
    found = [unordered_bits(crossed_trials(np.random.default_rng(seed), mu=0.0)) for seed in range(40)]
    assert -0.02 < float(np.mean(found)) < 0.002
    assert min(found) < 0.0, "negative values stay"


def test_it_sees_what_runs_the_wrong_way_as_it_sees_the_right_one() -> None:
    given = crossed_trials(np.random.default_rng(1), mu=3.0)
    reversed_ = Trials(-given.score, given.is_target, given.enrol, given.test)
    assert unordered_bits(given) == pytest.approx(unordered_bits(reversed_), abs=0.02)
    assert unordered_bits(reversed_) > 0.4


def test_it_sees_targets_in_both_tails() -> None:
    rng = np.random.default_rng(3)
    target = np.concatenate([rng.normal(4.0, 0.5, 78), rng.normal(-4.0, 0.5, 78)])
    nontarget = rng.normal(0.0, 1.0, 9672)
    counts = ScoreCounts.of(np.concatenate([target, nontarget]), np.arange(9828) < 156)
    folds = FoldCounts.of_counts(counts)
    assert d_ece_unordered_bits(folds, folds.judged_by(unordered_llr)) > 0.55
