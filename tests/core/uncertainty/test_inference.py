"""Intervals of what is told of attributes, and what dealt attributes show."""

from dataclasses import asdict

import numpy as np
import pytest

from zebra_core.metrics.zebra import FULL_DISCLOSURE_BITS
from zebra_core.speakers.inference import AttributePairs, Guesses
from zebra_core.uncertainty.bootstrap import BootstrapSettings
from zebra_core.uncertainty.inference import adjusted, inference, similarity_inference

SETTINGS = BootstrapSettings(replicates=200)


def guesses(n: int = 16, right: float = 0.8, seed: int = 0) -> Guesses:
    """Half women, half men, of each five recordings, each told with this probability."""
    rng = np.random.default_rng(seed)
    sex = {f"s{k:02}": "fm"[k % 2] for k in range(n)}
    guessed, spoken = {}, {}
    for name, own in sex.items():
        for k in range(5):
            spoken[f"{name}-{k}"] = name
            guessed[f"{name}-{k}"] = own if rng.random() < right else "mf"["fm".index(own)]
    return Guesses.of(guessed, sex, spoken)


def pairs(n: int = 10, shift: float = 2.0, seed: int = 0) -> AttributePairs:
    rng = np.random.default_rng(seed)
    first, second = (place.ravel() for place in np.meshgrid(np.arange(n), np.arange(n)))
    apart = first != second
    first, second, attribute = first[apart], second[apart], np.arange(n) % 2
    score = rng.normal(size=len(first)) + shift * (attribute[first] == attribute[second])
    names = tuple(f"s{k:02}" for k in range(n))
    return AttributePairs(names, ("f", "m"), attribute, first, second, score)


def test_intervals_hold_the_figures_and_the_same_seed_gives_the_same() -> None:
    found = inference(guesses(), SETTINGS)
    for told in (found.accuracy, found.unweighted_average_recall, found.mutual_information_bits):
        assert told.interval is not None
        assert told.value in told.interval
        assert told.interval.low < told.interval.high
    assert asdict(found) == asdict(inference(guesses(), SETTINGS))
    assert (found.n_speakers, found.n_recordings) == (16, 80)
    assert (found.accuracy.chance, found.unweighted_average_recall.chance) == (0.5, 0.5)


def test_without_settings_or_with_two_speakers_of_a_value_there_is_no_interval() -> None:
    assert inference(guesses()).accuracy.interval is None
    assert inference(guesses(n=5), SETTINGS).accuracy.interval is None
    assert similarity_inference(pairs(n=5), SETTINGS).interval is None


def test_where_no_error_was_seen_the_interval_ends_at_what_so_many_speakers_allow() -> None:
    interval = inference(guesses(right=1.0), SETTINGS).accuracy.interval
    assert interval is not None
    assert (interval.low, interval.high) == (pytest.approx(0.05 ** (1 / 16)), 1.0)


def test_what_is_told_lies_beyond_dealt_attributes_and_what_is_not_within() -> None:
    told, untold = inference(guesses(right=0.95)), inference(guesses(right=0.5))
    for one, other in (
        (told.unweighted_average_recall, untold.unweighted_average_recall),
        (told.mutual_information_bits, untold.mutual_information_bits),
    ):
        assert one.value > one.undisclosed[1]
        assert other.value <= other.undisclosed[1]


def test_scores_that_part_the_attribute_disclose_it_and_others_do_not() -> None:
    alike, not_alike = similarity_inference(pairs(), SETTINGS), similarity_inference(pairs(shift=0.0))
    assert alike.value > alike.undisclosed[1]
    assert alike.interval is not None
    assert 0.0 < alike.interval.low < alike.interval.high <= FULL_DISCLOSURE_BITS
    assert not_alike.undisclosed[0] <= not_alike.value <= not_alike.undisclosed[1]


def test_without_disclosure_mutual_information_is_about_nothing_even_of_few_recordings() -> None:
    """Ten values guessed at random of twenty speakers: as computed, 0.7 bit of the 3.3 there are."""
    shown, computed = [], []
    for seed in range(10):
        rng = np.random.default_rng(seed)
        spoken = {f"s{k:02}-{n}": f"s{k:02}" for k in range(20) for n in range(5)}
        value = {f"s{k:02}": str(k % 10) for k in range(20)}
        found = inference(Guesses.of({one: str(rng.integers(10)) for one in spoken}, value, spoken))
        shown.append(found.mutual_information_bits.value)
        computed.append(found.mutual_information_as_computed_bits)
    assert np.mean(computed) > 0.6
    assert 0.0 <= np.mean(shown) < 0.1


def test_who_is_always_right_tells_all_there_is_to_know() -> None:
    found = inference(guesses(right=1.0), SETTINGS).mutual_information_bits
    assert found.value == pytest.approx(1.0, rel=1e-12)
    assert found.interval is not None
    assert found.interval.high == pytest.approx(1.0, rel=1e-12)
    assert adjusted(2.0, 0.5, 2.0) == 2.0
    assert adjusted(0.5, 0.5, 2.0) == adjusted(0.2, 0.5, 2.0) == 0.0
    assert adjusted(1.25, 0.5, 2.0) == 1.0  # half-way from chance to all
    assert adjusted(1.0, 1.0, 1.0) == 0.0  # whatever is dealt to whom: nothing differs from chance
