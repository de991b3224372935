"""Scales on which draws spread evenly, and figures without their optimism."""

import numpy as np
import pytest

from zebra_core.uncertainty.interval_scale import (
    OPTIMISM,
    BoundedScale,
    IntervalScale,
    on_scale,
    without_optimism,
)

ENDS = (0.0, 1.0)
NORMAL = np.random.default_rng(9).normal(0.1, 0.001, 200)  # a jackknife without anything remarkable


@pytest.mark.parametrize("scale", IntervalScale)
def test_a_scale_ascends_and_leads_back(scale: IntervalScale) -> None:
    values = np.linspace(0.01, 0.99, 99)
    straight = BoundedScale.of(scale, 1.0, values)
    there = straight.there(values)
    assert (np.diff(there) > 0.0).all()
    assert straight.back(there) == pytest.approx(values)


def test_by_hand() -> None:
    values = np.array([0.2, 0.5])
    assert BoundedScale.of(IntervalScale.LEFT, 0.7, values).there(0.2) == pytest.approx(-np.log(0.5))
    assert BoundedScale.of(IntervalScale.LOG, 1.0, values).there(0.2) == pytest.approx(np.log(0.2))
    assert BoundedScale.of(IntervalScale.LOGIT, 1.0, values).there(0.2) == pytest.approx(np.log(0.25))


def test_what_lies_at_an_end_is_put_half_as_near_as_the_nearest_that_does_not() -> None:
    assert BoundedScale.of(IntervalScale.LOG, 1.0, np.array([0.0, 0.02, 0.5])).there(0.0) == pytest.approx(
        np.log(0.01)
    )
    assert BoundedScale.of(IntervalScale.LEFT, 0.7, np.array([0.7, 0.6])).there(0.7) == pytest.approx(
        -np.log(0.05)
    )


def test_the_optimism_is_a_fixed_multiple_of_what_draws_show_of_it() -> None:
    draws = np.exp([-1.1, -1.3])
    found = without_optimism(np.exp(-1.0), draws, IntervalScale.LOG, ENDS, optimistic=True)
    assert np.log(found) == pytest.approx(-1.0 + OPTIMISM * 0.2)
    assert without_optimism(0.3, draws, IntervalScale.LOG, ENDS, optimistic=False) == 0.3
    assert (
        without_optimism(0.9, np.array([0.5, 0.5]), IntervalScale.LOG, ENDS, optimistic=True) == 1.0
    )  # the end of its range


def test_an_interval_is_moved_to_the_figure_and_is_lopsided_near_an_end() -> None:
    """Draws with a standard deviation of 0.5 on the logarithm: as far down as up there, and only there."""
    draws = np.exp(np.random.default_rng(0).normal(-3.0, 0.5, 40_000))
    found = on_scale(0.1, draws, NORMAL, 0.95, 10**9, IntervalScale.LOG, ENDS)
    assert (np.log(found.low / 0.1), np.log(found.high / 0.1)) == pytest.approx((-0.98, 0.98), abs=0.02)


def test_an_interval_stays_within_its_ends_and_holds_its_figure() -> None:
    draws = np.random.default_rng(0).uniform(0.9, 1.0, 999)
    found = on_scale(1.0, draws, NORMAL, 0.95, 20, IntervalScale.LOG, ENDS)
    assert 0.0 < found.low < found.high == 1.0


def test_where_few_speakers_make_most_of_the_spread_the_interval_is_wider() -> None:
    draws = np.exp(np.random.default_rng(0).normal(-3.0, 0.5, 999))
    one_of_twenty = np.array([0.1] * 19 + [0.12])
    even = np.linspace(0.099, 0.101, 20)
    wide, narrow = (
        on_scale(0.1, draws, left, 0.95, 20, IntervalScale.LOG, ENDS) for left in (one_of_twenty, even)
    )
    assert wide.high > 1.2 * narrow.high
    assert wide.low < narrow.low


def test_draws_that_are_all_the_same_leave_no_width() -> None:
    found = on_scale(0.7, np.full(99, 0.7), NORMAL, 0.95, 20, IntervalScale.LEFT, (0.0, 0.7))
    assert (found.low, found.high) == (0.7, 0.7)
