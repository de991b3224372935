"""Intervals from draws and from a jackknife."""

import numpy as np
import pytest
from scipy import stats

from zebra_core.uncertainty.intervals import (
    Interval,
    corrected,
    freedom,
    jackknife_bias,
    of_largest,
    percentile,
)


def mean_draws(values: np.ndarray, replicates: int, seed: int = 0) -> np.ndarray:
    rng = np.random.default_rng(seed)
    return np.array([rng.choice(values, len(values)).mean() for _ in range(replicates)])


def test_an_expanded_interval_of_a_mean_is_student_s() -> None:
    values = np.random.default_rng(1).normal(size=12) + np.arange(12)
    low, high = percentile(mean_draws(values, 40000), 0.95, 12)
    expected = stats.t.interval(0.95, 11, values.mean(), stats.sem(values))
    assert (low, high) == pytest.approx(expected, abs=0.05)


def test_with_many_clusters_percentiles_are_the_plain_ones() -> None:
    draws = np.arange(1001.0)
    assert percentile(draws, 0.95, 10**9) == pytest.approx((25.0, 975.0), abs=1e-3)


@pytest.mark.parametrize("rate", [1.0, 2.0 / 3.0, 0.5])
def test_the_jackknife_finds_a_bias_of_its_rate(rate: float) -> None:
    n, bias_of_one = 40, 3.0
    estimate = 5.0 + bias_of_one * n**-rate
    left_out = np.full(n, 5.0 + bias_of_one * (n - 1) ** -rate)
    assert jackknife_bias(estimate, left_out, rate) == pytest.approx(bias_of_one * n**-rate, rel=1e-9)


def test_with_rate_one_it_turns_the_variance_into_the_unbiased_one() -> None:
    values = np.random.default_rng(0).normal(size=9)
    left_out = np.array([np.delete(values, k).var() for k in range(9)])
    assert values.var() - jackknife_bias(values.var(), left_out, 1.0) == pytest.approx(values.var(ddof=1))


def test_a_corrected_interval_has_the_width_of_the_draws_and_the_place_of_the_jackknife() -> None:
    draws, left_out = np.linspace(9.0, 11.0, 201), np.array([6.0, 8.0])
    low, high = corrected(5.0, draws, left_out, 0.9, 10**9)
    middle = 5.0 - float(jackknife_bias(5.0, left_out))
    assert (low, high) == pytest.approx((middle - 0.9, middle + 0.9))


def test_no_corrected_interval_leaves_its_range_nor_has_it_no_width_at_its_end() -> None:
    draws, left_out = np.linspace(9.0, 11.0, 201), np.array([6.0, 8.0])
    assert corrected(5.0, draws, left_out, 0.9, 10**9, 4.9, 6.0) == pytest.approx((4.9, 5.8))
    assert corrected(5.0, draws, left_out, 0.9, 10**9, -9.0, -5.0) == pytest.approx((-5.9, -5.0))


def test_what_was_not_measurable_is_left_out() -> None:
    assert percentile(np.array([1.0, np.nan, 2.0, 3.0]), 1e-9, 10) == pytest.approx((2.0, 2.0))


def test_an_interval_holds_its_ends() -> None:
    assert 1.0 in Interval(1.0, 2.0)
    assert 2.1 not in Interval(1.0, 2.0)


def test_the_freedom_of_a_normal_spread_is_one_less_than_the_clusters() -> None:
    """Values with the kurtosis 3 exactly: ±√3 once each among six, and zeros."""
    added = np.array([np.sqrt(3.0), -np.sqrt(3.0), 0.0, 0.0, 0.0, 0.0])
    assert freedom(added) == pytest.approx(5.0)


def test_a_spread_that_one_cluster_makes_has_the_least_freedom() -> None:
    assert freedom(np.array([0.0] * 19 + [1.0])) == 3.0


def test_a_figure_without_spread_and_one_whose_clusters_are_all_alike_have_all_of_it() -> None:
    assert freedom(np.zeros(20)) == 19.0
    assert freedom(np.array([1.0, -1.0] * 10)) == 19.0
    assert freedom(np.array([np.nan, 1.0, -1.0] * 10)) == 19.0


def test_the_largest_of_several_lies_between_the_largest_ends() -> None:
    assert of_largest([Interval(0.1, 0.9), Interval(0.3, 0.5)]) == Interval(0.3, 0.9)


def test_of_the_largest_nothing_is_known_while_one_of_them_is_not_or_there_is_none() -> None:
    assert of_largest([Interval(0.1, 0.9), None]) is None
    assert of_largest([]) is None
