"""One figure with its draws."""

import numpy as np
import pytest

from zebra_core.uncertainty.draws import FigureDraws
from zebra_core.uncertainty.intervals import Method, jackknife_bias

DRAWS = np.linspace(0.0, 2.0, 201)


def figure(estimate: float = 1.0, left_out: float = 1.0, *, optimistic: bool = False) -> FigureDraws:
    return FigureDraws(estimate, DRAWS, np.full(10, left_out), 10**9, optimistic, lowest=0.0)


def test_only_what_is_optimistic_is_moved() -> None:
    plain, moved = figure(1.0, 1.05), figure(1.0, 1.05, optimistic=True)
    bias = float(jackknife_bias(1.0, np.full(10, 1.05)))
    assert (plain.corrected, moved.corrected) == (1.0, pytest.approx(1.0 - bias))
    assert plain.interval(0.9) == plain.interval(0.9, Method.PERCENTILE)
    assert moved.interval(0.9).high == pytest.approx(plain.interval(0.9).high - bias)


def test_no_interval_leaves_the_range() -> None:
    assert figure(0.0, 0.1, optimistic=True).interval(0.99).low == 0.0
    assert figure(0.0, 0.1, optimistic=True).corrected == 0.0


def test_beyond_its_range_the_draws_lie_around_its_end_for_something_is_left_to_be_known() -> None:
    """Draws 0 … 2, the figure freed of its bias below 0: from 0 to as far as 90 % lie from their middle."""
    found = figure(0.1, 0.5, optimistic=True)
    assert found.corrected == 0.0
    assert (found.interval(0.9).low, found.interval(0.9).high) == (0.0, pytest.approx(0.9))


def test_the_difference_is_of_pairs() -> None:
    """Draws that move together leave a difference without any spread."""
    found = figure(1.5).minus(figure(1.0))
    assert found.estimate == 0.5
    assert found.interval(0.9).low == found.interval(0.9).high == 0.0


def test_the_p_value_counts_draws_as_far_from_their_mean_as_the_figure_is_from_zero() -> None:
    """Draws −1 … 1 about their mean in steps of 0.01: of 201 those beyond ±0.75 are 2 · 26."""
    assert FigureDraws(0.75, DRAWS, np.full(10, 0.75), 10).p_value_of_zero == pytest.approx(53 / 202)
    assert FigureDraws(5.0, DRAWS, np.full(10, 5.0), 10).p_value_of_zero == pytest.approx(1 / 202)
    assert FigureDraws(0.0, DRAWS, np.zeros(10), 10).p_value_of_zero == 1.0


def test_without_any_draw_nothing_is_told_from_zero() -> None:
    assert FigureDraws(1.0, np.full(5, np.nan), np.ones(3), 10).p_value_of_zero == 1.0


def test_the_standard_error_is_the_spread_of_the_draws() -> None:
    assert figure().standard_error == pytest.approx(DRAWS.std(ddof=1))
