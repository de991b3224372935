"""What recordings do to trials."""

import numpy as np
import pytest

from zebra_core.speakers.recordings import Units, additive_effects, less_enrolment, p_of_spread


def units(values: list[float], speakers: list[int]) -> Units:
    return Units(np.array(values), np.ones(len(values), dtype=np.int64), np.array(speakers))


def test_effects_that_add_are_found_exactly() -> None:
    row, column = np.repeat(np.arange(3), 4), np.tile(np.arange(4), 3)
    of_row, of_column = np.array([5.0, 7.0, -2.0]), np.array([1.0, -2.0, 0.5, 0.5])
    found = additive_effects(of_row[row] + of_column[column], row, column, (3, 4))
    assert found[0] == pytest.approx(of_row)
    assert found[1] == pytest.approx(of_column)


def test_columns_are_measured_against_those_they_were_compared_beside() -> None:
    """Two parts of a list were never compared: what sets all of one apart is no effect of its columns."""
    row, column = np.array([0, 0, 1, 1]), np.array([0, 1, 2, 3])
    _, of_column = additive_effects(np.array([1.0, 3.0, 101.0, 103.0]), row, column, (2, 4))
    assert of_column == pytest.approx([-1.0, 1.0, -1.0, 1.0])


def test_what_goes_with_an_enrolment_is_taken_out_by_its_slope() -> None:
    """Target values are twice the effect of the enrolment: nothing is left to tell speakers by."""
    effect = np.array([0.0, 0.0, 1.0, 1.0, 2.0])
    speaker = np.array([0, 0, 1, 1, 2])
    left, count, own = less_enrolment(2.0 * effect + 3.0, effect, np.arange(5), speaker, (5, 3))
    assert left == pytest.approx([3.0] * 5)
    assert count.tolist() == [1] * 5
    assert own == pytest.approx([0.0, 2.0, 4.0])


def test_the_share_of_exchanges_worked_by_hand() -> None:
    """Of the three ways to pair four segments one spreads as far as (1, 1), (−1, −1)."""
    alike = units([1.0, 1.0, -1.0, -1.0], [0, 0, 1, 1])
    found = p_of_spread(alike, 2999, np.random.default_rng(0))
    assert found == pytest.approx(1 / 3, abs=0.03)


@pytest.mark.parametrize("speakers", [[0, 1, 2], [0, 0, 0]], ids=["one segment each", "one speaker"])
def test_speakers_that_cannot_be_told_from_recordings_do_not_differ(speakers: list[int]) -> None:
    given = units([1.0, 2.0, 9.0], speakers)
    assert not given.can_be_told
    assert p_of_spread(given, 99, np.random.default_rng(0)) == 1.0
