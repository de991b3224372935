"""One seed, and streams that do not depend on each other."""

from collections import Counter

import numpy as np
import pytest

from zebra_core.metrics.chance.seeds import (
    Purpose,
    draw,
    draw_often,
    drawn_until,
    generator,
    heads,
    left_out,
    one_of,
    shuffled,
)


def test_the_same_seed_gives_the_same_numbers_for_the_same_purpose() -> None:
    assert generator(7, Purpose.LINKAGE).random() == generator(7, Purpose.LINKAGE).random()
    assert generator(7, Purpose.LINKAGE).random() != generator(8, Purpose.LINKAGE).random()


def test_what_is_drawn_for_one_purpose_says_nothing_about_another_nor_one_part_about_the_next() -> None:
    streams = [
        generator(0, Purpose.LINKAGE).normal(size=20_000),
        generator(0, Purpose.LISTENERS).normal(size=20_000),
        generator(0, Purpose.LINKAGE, 0).normal(size=20_000),
        generator(0, Purpose.LINKAGE, 1).normal(size=20_000),
    ]
    assert np.abs(np.corrcoef(streams) - np.eye(4)).max() < 0.03


def test_the_first_purposes_share_the_stream_of_the_bare_seed() -> None:
    for purpose in (Purpose.SPEAKERS_DRAWN, Purpose.NO_DISCLOSURE, Purpose.MATRICES, Purpose.FOLDS):
        assert generator(3, purpose).random() == np.random.default_rng(3).random()


def test_no_two_new_purposes_share_a_key() -> None:
    keys = [purpose.key for purpose in Purpose if purpose.key]
    assert len(set(keys)) == len(keys)


def test_a_draw_keeps_the_size_of_each_stratum() -> None:
    stratum, rng = np.array([0, 1, 0, 1, 1]), np.random.default_rng(0)
    for _ in range(50):
        times = draw(stratum, rng)
        assert (times[stratum == 0].sum(), times[stratum == 1].sum()) == (2, 3)


def test_draws_are_multinomial() -> None:
    """Mean 1, variance 1 − 1/n, covariance −1/n."""
    rng = np.random.default_rng(0)
    drawn = np.array([draw(np.zeros(3, dtype=np.int64), rng) for _ in range(20_000)])
    assert drawn.mean(0) == pytest.approx([1.0] * 3, abs=0.02)
    assert np.cov(drawn.T) == pytest.approx(np.eye(3) - 1.0 / 3.0, abs=0.02)


def test_every_unit_is_left_out_once_and_many_of_them_in_groups() -> None:
    assert sorted(times.tolist() for times in left_out(3)) == [[0, 1, 1], [1, 0, 1], [1, 1, 0]]
    groups = [times == 0 for times in left_out(600)]
    assert [group.sum() for group in groups] == [3] * 200
    assert np.sum(groups, axis=0).tolist() == [1] * 600


def test_what_cannot_be_drawn_is_given_up() -> None:
    results = iter([None, None, 5])
    assert drawn_until(lambda: next(results)) == 5
    assert drawn_until(lambda: None, redraws=3) is None


def test_every_order_comes_equally_often() -> None:
    rng = np.random.default_rng(0)
    found = Counter("".join(shuffled("abc", rng)) for _ in range(6000))
    assert len(found) == 6
    assert all(abs(times - 1000) < 120 for times in found.values())  # four standard deviations
    assert {one_of(2, 4, rng) for _ in range(50)} == {2, 3}
    assert {heads(rng) for _ in range(50)} == {True, False}


def test_draws_in_one_go_are_those_that_come_one_after_the_other() -> None:
    """Also to the next number of the generator: seeds of old reports give the same draws."""
    stratum = np.array([0, 1, 0, 2, 1, 0, 3])
    rng, other = np.random.default_rng(8), np.random.default_rng(8)
    together = draw_often(stratum, rng, 50)
    for times in together:
        expected = np.zeros(len(stratum), int)
        for members in (np.flatnonzero(stratum == k) for k in range(4)):
            for chosen in other.integers(len(members), size=len(members)):
                expected[members[chosen]] += 1
        assert times.tolist() == expected.tolist()
    assert rng.integers(1 << 40) == other.integers(1 << 40)
