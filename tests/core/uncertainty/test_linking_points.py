"""The tenth of the people who are linked most: who they are, and ends for whichever tenth that is."""

import math

import numpy as np
import pytest

from zebra_core.uncertainty.linking_points import WorstTenth, ends_of_worst
from zebra_core.uncertainty.mean_bounds import lower_mean, upper_mean


def tenth(recordings: list[int], total: list[float], people: int = 5) -> WorstTenth:
    names = [f"s{k:02}" for k in range(len(total))]
    guessed = np.full(len(total), 1 / people)
    return WorstTenth.of(names, np.array(recordings), np.array(total, dtype=np.float64), people, guessed)


def test_by_hand_two_of_eleven_are_a_tenth_and_each_counts_alike() -> None:
    """4 of 4 and 1 of 2 linked; s01 has no recording. Guessing is one in five: (0.75 - 0.2) / 0.8."""
    found = tenth([4, 0, 2, 4, 4, 4, 4, 4, 4, 4, 4, 4], [4.0, 0.0, 1.0] + [0.0] * 9)
    assert (found.speakers, found.heard, found.people) == (("s00", "s02"), 11, 5)
    assert found.probability == 0.75
    assert found.above_guessing == pytest.approx(0.6875, rel=1e-12)


def test_of_people_linked_as_often_those_with_more_recordings_come_first_then_the_first() -> None:
    found = tenth([2, 3, 2, *[2] * 18], [2.0, 3.0, 2.0, *[0.0] * 18])
    assert found.speakers == ("s01", "s00", "s02")


def test_by_hand_ends_where_all_recordings_of_the_worst_are_linked() -> None:
    """Two of twenty by three recordings: 6 of 6, and 190 sets of two people, p^6 = 0.05/190."""
    low, high = ends_of_worst(np.full(20, 3), np.array([3.0, 3.0] + [0.0] * 18), 2, 0.95)
    assert math.comb(20, 2) == 190
    assert low == pytest.approx((0.05 / 190) ** (1 / 6), rel=1e-9)
    assert high == 1.0


def test_by_hand_ends_where_nothing_is_linked() -> None:
    """0 of 6: (1 - p)^6 = 0.05, whichever two they are."""
    assert ends_of_worst(np.full(20, 3), np.zeros(20), 2, 0.95) == pytest.approx(
        (0.0, 1.0 - 0.05 ** (1 / 6)), abs=1e-9
    )


def test_people_of_different_numbers_of_recordings_count_as_those_with_the_fewest() -> None:
    """Of 2 and 8 recordings, all linked and half: as 2 · (1 + 0.5) of 4; or two of 8 each: 4 + 2 of 16."""
    recordings, total = np.array([2, 8, 8]), np.array([2.0, 4.0, 2.0])
    low, high = ends_of_worst(recordings, total, 2, 0.95)
    assert high == max(upper_mean(3.0, 4, 0.95)[0], upper_mean(6.0, 16, 0.95)[0])
    assert low == max(lower_mean(3.0, 4, 0.95, 3)[0], lower_mean(6.0, 16, 0.95, 3)[0])


def test_a_family_widens_both_ends() -> None:
    recordings, total = np.full(20, 4), np.linspace(0.0, 4.0, 20)
    alone, of_ten = (ends_of_worst(recordings, total, 2, 0.95, family) for family in (1, 10))
    assert of_ten[0] < alone[0] < alone[1] < of_ten[1]


def test_of_very_many_people_each_is_bounded_alone() -> None:
    """2100 people have more tenths than can be corrected for: the lower ends of each of them, the highest."""
    total = np.where(np.arange(2100) < 420, 5.0, 1.0)
    low, _ = ends_of_worst(np.full(2100, 5), total, 210, 0.95)
    assert low == pytest.approx((0.05 / 2100) ** (1 / 5), rel=1e-9)


@pytest.mark.parametrize("is_mixed", [False, True])
def test_the_ends_hold_the_worst_tenth_in_95_of_100_sets(*, is_mixed: bool) -> None:
    """25 people by four recordings; a small form of the simulation in `WorstTenth`."""
    rng = np.random.default_rng(8)
    truth = np.full(25, 0.3)
    truth[:5] += 0.5 * is_mixed
    worst = np.sort(truth)[::-1][:3].mean()
    wrong = np.zeros(2)
    for _ in range(200):
        low, high = ends_of_worst(np.full(25, 4), rng.binomial(4, truth).astype(np.float64), 3, 0.95)
        wrong += low > worst, high < worst
    assert wrong.max() <= 10
