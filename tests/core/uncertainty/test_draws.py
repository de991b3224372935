"""One figure with its draws."""

from dataclasses import replace

import numpy as np
import pytest

from zebra_core.uncertainty.draws import FigureDraws
from zebra_core.uncertainty.interval_scale import IntervalScale
from zebra_core.uncertainty.intervals import Interval, jackknife_bias, percentile

DRAWS = np.linspace(0.0, 2.0, 201)


def figure(estimate: float = 1.0, left_out: float = 1.0, *, optimistic: bool = False) -> FigureDraws:
    return FigureDraws(estimate, DRAWS, np.full(10, left_out), 10**9, optimistic, lowest=0.0)


def test_only_what_is_optimistic_is_moved() -> None:
    plain, moved = figure(1.0, 1.05), figure(1.0, 1.05, optimistic=True)
    bias = float(jackknife_bias(1.0, np.full(10, 1.05)))
    assert (plain.corrected, moved.corrected) == (1.0, pytest.approx(1.0 - bias))
    assert plain.interval(0.9) == Interval(*map(float, percentile(DRAWS, 0.9, 10**9)))
    assert moved.interval(0.9).high == pytest.approx(plain.interval(0.9).high - bias)


def test_no_interval_leaves_the_range() -> None:
    assert figure(0.0, 0.1, optimistic=True).interval(0.99).low == 0.0
    assert figure(0.0, 0.1, optimistic=True).corrected == 0.0


def test_beyond_its_range_the_draws_lie_around_its_end_for_something_is_left_to_be_known() -> None:
    """Draws 0 … 2, the figure freed of its bias below 0: from 0 to as far as 90 % lie from their middle."""
    found = figure(0.1, 0.5, optimistic=True)
    assert found.corrected == 0.0
    assert (found.interval(0.9).low, found.interval(0.9).high) == (0.0, pytest.approx(0.9))


def scaled(estimate: float, around: np.ndarray) -> FigureDraws:
    return FigureDraws(estimate, around, np.full(10, estimate), 20, True, 0.0, 1.0, IntervalScale.LOG)


def test_on_its_scale_a_figure_loses_a_fixed_multiple_of_what_its_draws_lie_beyond_it() -> None:
    """Draws a tenth below the figure on the logarithm: the figure without optimism is 1.7 tenths above."""
    found = scaled(0.3, 0.3 * np.exp(-0.1 + 0.05 * np.array([-1.0, 1.0] * 50)))
    assert found.corrected == pytest.approx(0.3 * np.exp(0.17))
    assert found.corrected in found.interval(0.95)
    assert replace(found, scale=None).interval(0.95) != found.interval(0.95)


def test_what_stands_beside_an_interval_lies_inside_it() -> None:
    found = scaled(0.3, 0.3 * np.exp(-0.1 + 0.01 * np.array([-1.0, 1.0] * 50)))
    assert found.estimate not in found.interval(0.95)
    assert found.beside(found.interval(0.95)) == found.corrected
    assert found.beside(Interval(0.29, 0.31)) == 0.3


def test_what_is_not_optimistic_is_held_by_its_interval_too() -> None:
    assert 3.0 in figure(3.0, 3.0).interval(0.9)
    assert percentile(DRAWS, 0.9, 10**9)[1] < 3.0


def of_so_many(n: int, estimate: float = 0.1) -> FigureDraws:
    """Draws that lie so far above the figure that without its optimism it is 0."""
    return FigureDraws(estimate, DRAWS, np.full(10, 0.5), n, optimistic=True, lowest=0.0)


def test_few_speakers_do_not_bear_out_that_nothing_is_disclosed() -> None:
    few, many = of_so_many(5), of_so_many(20)
    assert few.corrected == many.corrected == 0.0
    assert few.beside(Interval(0.0, 0.9)) == 0.1  # as it was computed
    assert many.beside(Interval(0.0, 0.9)) == 0.0
    assert few.beside(Interval(0.0, 0.05)) == 0.0  # which does not hold it as it was computed
    away = of_so_many(5, estimate=10.0)  # freed of its optimism it stands amid the interval
    assert away.beside(Interval(0.0, 2.0 * away.corrected)) == away.corrected
