"""One seed, and streams that do not depend on each other."""

import numpy as np

from zebra_core.metrics.chance.seeds import Purpose, generator


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
