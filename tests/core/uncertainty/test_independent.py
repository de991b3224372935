"""Differences between groups of different people: Welch's test by their intervals, corrected together."""

import numpy as np
import pytest
import scipy.stats

from zebra_core.uncertainty.draws import FigureDraws
from zebra_core.uncertainty.independent import independent_differences


def drawn(value: float, spread: float, n: int, seed: int = 0) -> FigureDraws:
    """A figure of n people whose draws spread by so much to either side alike."""
    half = np.abs(np.random.default_rng(seed).normal(size=2000)) * spread
    return FigureDraws(value, np.concatenate([value - half, value + half]), np.full(n, value), n)


def spread_of(figure: FigureDraws) -> float:
    """The standard error by which Student's interval would be as wide."""
    interval = figure.interval(0.95)
    return (interval.high - interval.low) / 2.0 / scipy.stats.t.ppf(0.975, figure.n_clusters - 1)


def test_two_symmetric_figures_are_tested_as_welch_does() -> None:
    one, other = drawn(0.5, 0.1, 12), drawn(0.2, 0.05, 9, seed=1)
    (found,) = independent_differences([{"eer": one}, {"eer": other}], ["eer"])
    welch = scipy.stats.ttest_ind_from_stats(
        0.5, spread_of(one) * 12**0.5, 12, 0.2, spread_of(other) * 3, 9, equal_var=False
    )
    assert found.value == pytest.approx(0.3)
    assert found.p_value == pytest.approx(welch.pvalue, rel=1e-6)


def test_what_each_figure_adds_is_the_side_that_faces_the_other() -> None:
    """Two draws as far as 0.4 on the far side of the lower figure do not matter; on the near side they do."""
    high = drawn(0.9, 0.02, 10)
    near = FigureDraws(
        0.5, np.concatenate([0.5 + np.linspace(0, 0.4, 99), np.full(99, 0.49)]), np.zeros(10), 10
    )
    far = FigureDraws(
        0.5, np.concatenate([0.5 - np.linspace(0, 0.4, 99), np.full(99, 0.51)]), np.zeros(10), 10
    )
    (open_one,) = independent_differences([{"eer": near}, {"eer": high}], ["eer"])
    (told,) = independent_differences([{"eer": far}, {"eer": high}], ["eer"])
    assert open_one.p_value > 0.01
    assert told.p_value < 0.001


def test_pairs_and_figures_are_one_family() -> None:
    """Three groups by two figures are six tests: Holm multiplies the smallest p-value by six."""
    groups = [
        {"eer": drawn(value, 0.05, 10, seed), "linkage": drawn(value, 0.05, 10, seed + 9)}
        for seed, value in enumerate((0.3, 0.5, 0.35))
    ]
    found = independent_differences(groups, ["eer", "linkage"])
    assert [(each.figure, each.first, each.second) for each in found] == [
        (figure, *pair) for figure in ("eer", "linkage") for pair in ((0, 1), (0, 2), (1, 2))
    ]
    smallest = min(found, key=lambda each: each.p_value)
    assert smallest.p_family == pytest.approx(6 * smallest.p_value)
    assert [each.is_settled for each in found] == [each.p_family <= 0.05 for each in found]


def test_a_figure_that_one_group_lacks_is_not_compared() -> None:
    groups = [{"eer": drawn(0.3, 0.05, 10), "linkage": drawn(0.3, 0.05, 10)}, {"eer": drawn(0.3, 0.05, 10)}]
    assert [each.figure for each in independent_differences(groups, ["eer", "linkage"])] == ["eer"]


def test_figures_without_any_spread_tell_nothing() -> None:
    figure = FigureDraws(0.5, np.full(50, 0.5), np.full(10, 0.5), 10)
    other = FigureDraws(0.4, np.full(50, 0.4), np.full(10, 0.4), 10)
    (found,) = independent_differences([{"eer": figure}, {"eer": other}], ["eer"])
    assert (found.p_value, found.is_settled) == (1.0, False)
