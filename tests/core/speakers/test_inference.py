"""What is told of attributes: by hand, by laws, and against slow versions."""

import math

import numpy as np
import pytest

from tests.core import brute_force
from tests.core.similarity_cases import ids, ordered_by_name
from zebra_core.errors import InputError
from zebra_core.evidence.speaker_trials import SpeakerTrials
from zebra_core.evidence.trials import Trials
from zebra_core.speakers.inference import (
    AttributePairs,
    Guesses,
    accuracy,
    accuracy_chance,
    attribute_disclosure,
    mutual_information_bits,
    unweighted_average_recall,
    unweighted_average_recall_chance,
)

SEX = {"a": "f", "b": "f", "c": "m"}
SPOKEN = {f"{name}-{k}": name for name in "abc" for k in range(2)}
GUESSED = {"a-0": "f", "a-1": "f", "b-0": "f", "b-1": "m", "c-0": "m", "c-1": "m"}
PEOPLE = "abcdefgh"


def pairs(seed: int = 0, shift: float = 1.0, decimals: int = 1) -> AttributePairs:
    """Everybody of eight against two recordings of each; those of one sex are more alike."""
    rng = np.random.default_rng(seed)
    rows = [(one, f"{other}-{k}") for one in PEOPLE for other in PEOPLE for k in range(2)]
    score = rng.normal(size=len(rows)) + [shift * (sex_of(a) == sex_of(b[0])) for a, b in rows]
    trials = Trials(
        np.round(score, decimals),
        np.array([a == b[0] for a, b in rows]),
        ids([a for a, _ in rows]),
        ids([b for _, b in rows]),
    )
    spoken = {b: b[0] for _, b in rows}
    return AttributePairs.of(SpeakerTrials.of_trials(trials, spoken), {name: sex_of(name) for name in PEOPLE})


def sex_of(name: str) -> str:
    return "fm"[PEOPLE.index(name) % 2]


def test_a_recogniser_by_hand() -> None:
    """Of four recordings of women three are told, of two of men both."""
    confusion = Guesses.of(GUESSED, SEX, SPOKEN).confusion()
    assert confusion.tolist() == [[3, 1], [0, 2]]
    assert accuracy(confusion) == 5 / 6
    assert accuracy_chance(confusion) == 4 / 6
    assert unweighted_average_recall(confusion) == (3 / 4 + 1) / 2
    assert unweighted_average_recall_chance(confusion) == 1 / 2
    by_hand = 3 / 6 * math.log2(6 * 3 / (4 * 3)) + 1 / 6 * math.log2(6 / (4 * 3)) + 2 / 6 * math.log2(2)
    assert mutual_information_bits(confusion) == pytest.approx(by_hand, rel=1e-14)


def test_always_wrong_of_two_tells_as_much_as_always_right_and_a_constant_tells_nothing() -> None:
    right, wrong, constant = (
        np.array([[5, 0], [0, 5]]),
        np.array([[0, 5], [5, 0]]),
        np.array([[5, 0], [5, 0]]),
    )
    assert mutual_information_bits(right) == mutual_information_bits(wrong) == 1.0
    assert mutual_information_bits(constant) == 0.0
    assert [unweighted_average_recall(each) for each in (right, wrong, constant)] == [1.0, 0.0, 0.5]


def test_mutual_information_is_the_difference_of_entropies_and_uar_the_mean_of_recalls() -> None:
    rng = np.random.default_rng(3)
    true, guess = rng.integers(4, size=500), rng.integers(5, size=500)
    guess = np.where(rng.random(500) < 0.4, true, guess)
    confusion = np.zeros((5, 5), dtype=np.int64)
    for t, g in zip(true, guess, strict=True):
        confusion[t, g] += 1

    def entropy(words: list[str]) -> float:
        return -sum(words.count(w) / 500 * math.log2(words.count(w) / 500) for w in set(words))

    both = [f"{t} {g}" for t, g in zip(true, guess, strict=True)]
    expected = entropy([str(t) for t in true]) + entropy([str(g) for g in guess]) - entropy(both)
    assert mutual_information_bits(confusion) == pytest.approx(expected, rel=1e-12)
    recalls = [np.mean(guess[true == value] == value) for value in range(4)]
    assert unweighted_average_recall(confusion) == pytest.approx(np.mean(recalls), rel=1e-14)
    assert unweighted_average_recall_chance(confusion) == 1 / 4


def test_the_order_of_lines_changes_nothing() -> None:
    one = Guesses.of(GUESSED, SEX, SPOKEN)
    other = Guesses.of(dict(reversed(GUESSED.items())), dict(reversed(SEX.items())), SPOKEN)
    assert (one.speakers, one.values) == (other.speakers, other.values)
    assert np.array_equal(one.by_speaker, other.by_speaker)


def test_a_speaker_drawn_twice_is_there_with_all_recordings_twice() -> None:
    drawn = Guesses.of(GUESSED, SEX, SPOKEN).confusion(np.array([0, 2, 1]))
    assert drawn.tolist() == [[2, 2], [0, 2]]


@pytest.mark.parametrize(
    ("guessed", "sex", "sentence"),
    [
        ({}, SEX, "No attribute was guessed for anybody."),
        ({"a": "f", "x": "m"}, SEX, "x has no attribute."),
        ({"a": "f", "x": "m", "y": "m"}, SEX, "2 of the speakers have no attribute, x for one."),
        ({"a": "f", "b": "m"}, SEX, "All speakers have the same attribute, f,"),
    ],
)
def test_what_cannot_be_told_is_said(guessed: dict[str, str], sex: dict[str, str], sentence: str) -> None:
    with pytest.raises(InputError) as caught:
        Guesses.of(guessed, sex)
    assert str(caught.value).startswith(sentence)


def test_perfectly_parted_attributes_disclose_all_and_equal_scores_nothing() -> None:
    parted = pairs(shift=100.0)
    assert attribute_disclosure(parted) == pytest.approx(1 / (2 * math.log(2)), rel=1e-12)
    assert attribute_disclosure(pairs(decimals=-3)) == pytest.approx(0.0, abs=1e-12)


def test_same_speaker_pairs_take_no_part() -> None:
    found = pairs()
    assert len(found.score) == 8 * 7 * 2
    assert (found.first != found.second).all()


def test_attribute_disclosure_is_the_d_ece_of_the_slow_version() -> None:
    found = pairs()
    same = found.same()
    llr_of = brute_force.pav_llrs(found.score[same].tolist(), found.score[~same].tolist())
    expected = brute_force.d_ece(
        [llr_of[score] for score in found.score[same].tolist()],
        [llr_of[score] for score in found.score[~same].tolist()],
    )
    assert attribute_disclosure(found) == pytest.approx(expected, rel=1e-6)


def test_a_monotone_map_of_the_scores_changes_nothing() -> None:
    found = pairs()
    mapped = AttributePairs(
        found.speakers, found.values, found.attribute, found.first, found.second, np.exp(found.score)
    )
    assert attribute_disclosure(mapped) == attribute_disclosure(found)


def test_drawn_speakers_count_as_pairs_repeated() -> None:
    found, times = pairs(), np.array([2, 0, 1, 3, 1, 1, 0, 2])
    often = times[found.first] * times[found.second]
    repeated = AttributePairs(
        found.speakers,
        found.values,
        found.attribute,
        np.repeat(found.first, often),
        np.repeat(found.second, often),
        np.repeat(found.score, often),
    )
    assert attribute_disclosure(found, times) == attribute_disclosure(repeated)
    assert attribute_disclosure(found, np.array([1, 0, 1, 0, 0, 0, 0, 0])) is None


def test_who_has_no_attribute_is_left_out_and_counted() -> None:
    trials = Trials(
        np.array([1.0, 2.0, 3.0, 4.0, 5.0]),
        np.array([True, False, False, False, False]),
        ids(["a", "a", "a", "a", "b"]),
        ids(["a-1", "b-1", "c-1", "x-1", "x-1"]),
    )
    spoken = {"a-1": "a", "b-1": "b", "c-1": "c", "x-1": "x"}
    in_names = ordered_by_name(trials)
    found = AttributePairs.of(SpeakerTrials.of_trials(in_names, spoken), SEX)
    assert (found.speakers, found.score.tolist(), found.n_left_out) == (("a", "b", "c"), [2.0, 3.0], 2)


@pytest.mark.parametrize(
    ("sex", "sentence"),
    [
        ({"a": "f", "b": "m", "c": "n"}, "No two different speakers of the same attribute were compared"),
        ({"a": "f", "b": "f", "c": "f"}, "No speakers of different attributes were compared"),
    ],
)
def test_pairs_of_one_kind_alone_are_refused(sex: dict[str, str], sentence: str) -> None:
    trials = Trials(
        np.array([1.0, 2.0, 3.0]), np.array([True, False, False]), ids(["a"] * 3), ids(["a-1", "b-1", "c-1"])
    )
    spoken = {"a-1": "a", "b-1": "b", "c-1": "c"}
    with pytest.raises(InputError) as caught:
        AttributePairs.of(SpeakerTrials.of_trials(trials, spoken), sex)
    assert str(caught.value).startswith(sentence)
