"""How far LRs are borne out by the numbers of trials."""

import math

import numpy as np
import pytest

from tests.core import brute_force
from zebra_core.metrics.cross_fitted import elub


def test_of_classes_that_part_the_bounds_are_the_numbers_of_trials_and_one() -> None:
    low, high = elub(np.array([-20.0, 20.0]), np.array([0, 9]), np.array([99, 0]))
    assert high == pytest.approx(math.log(100.0))  # 1/100 of nontargets are supposed beyond: θ/100 ≤ 1
    assert low == pytest.approx(-math.log(10.0))


def test_smaller_llrs_than_are_borne_out_stay_as_they_are() -> None:
    assert elub(np.array([-1.0, 2.0]), np.array([0, 9]), np.array([99, 0])) == (-1.0, 2.0)


def test_llrs_that_are_of_no_use_right_from_one_are_bounded_to_nothing() -> None:
    # At any θ above 1 half of the targets are missed, and half of the nontargets and more are accepted.
    assert elub(np.array([-1.0, 1.0]), np.array([5, 5]), np.array([5, 5])) == (0.0, 0.0)


def test_a_bound_between_two_llrs_is_exact() -> None:
    # Above 0.5 half of the targets are missed and 1 of 10 nontargets, the supposed one, is accepted: θ ≤ 5.
    _, high = elub(np.array([-3.0, 0.5, 3.0]), np.array([0, 5, 5]), np.array([9, 0, 0]))
    assert high == pytest.approx(math.log(5.0))


def test_nothing_but_zeros_is_bounded_by_zeros() -> None:
    assert elub(np.zeros(1), np.array([3]), np.array([4])) == (0.0, 0.0)


@pytest.mark.parametrize("seed", range(20))
def test_it_agrees_with_a_search_over_thresholds_one_by_one(seed: int) -> None:
    rng = np.random.default_rng(seed)
    mu = float(rng.choice([0.3, 1.0, 2.0, 4.0]))
    target, nontarget = rng.normal(mu, mu, 30), rng.normal(-mu, mu, 200)
    llr = np.concatenate([target, nontarget])
    is_target = np.arange(230) < 30
    low, high = elub(llr, is_target.astype(np.int64), (~is_target).astype(np.int64))
    slow_low, slow_high = brute_force.elub(target.tolist(), nontarget.tolist())
    assert low == pytest.approx(slow_low, abs=2e-3)
    assert high == pytest.approx(slow_high, abs=2e-3)


def test_exchanging_the_classes_exchanges_the_bounds() -> None:
    rng = np.random.default_rng(1)
    llr, target, nontarget = rng.normal(0.0, 2.0, 40), rng.integers(0, 9, 40), rng.integers(0, 9, 40)
    low, high = elub(llr, target, nontarget)
    assert elub(-llr, nontarget, target) == (-high, -low)
