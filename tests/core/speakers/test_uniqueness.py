"""Uniqueness: by hand, by laws, and against a slow version."""

from itertools import pairwise

import numpy as np
import pytest

from tests.core import brute_force
from zebra_core.evidence.trials import IntArray
from zebra_core.speakers.uniqueness import (
    MOST_ATTRIBUTES,
    Combinations,
    class_sizes,
    codes_of,
    most_guessed,
    unique_by_number,
)

SEX = {"a": "f", "b": "f", "c": "f", "d": "m", "e": "m"}
ACCENT = {"a": "Irish", "b": "Irish", "c": "Scottish", "d": "Irish", "e": "Scottish"}
AGE = {"a": "old", "b": "young", "c": "old", "d": "old", "e": "old"}


def some_people(seed: int, n_people: int = 40, n_attributes: int = 4) -> IntArray:
    return np.random.default_rng(seed).integers(0, 4, (n_people, n_attributes))


def test_five_people_by_hand() -> None:
    """By sex and accent c, d and e are alone, a and b alike."""
    codes = codes_of([SEX, ACCENT], "abcde")
    assert class_sizes(codes).tolist() == [2, 2, 1, 1, 1]
    found = Combinations.of(codes)
    assert (found.n_people, found.n_unique, found.smallest, found.n_in_small) == (5, 3, 1, 5)
    assert found.share_unique == 3 / 5
    assert found.curve == (0.0, 3 / 5)


def test_the_curve_is_the_mean_over_every_choice_of_attributes() -> None:
    """One alone: age picks b out. Two: sex and accent 3; sex and age b; accent and age b. All: everybody."""
    curve = unique_by_number(codes_of([SEX, ACCENT, AGE], "abcde"))
    assert curve == ((0 + 0 + 1) / 15, (3 + 1 + 1) / 15, 1.0)


def test_classes_of_eleven_are_not_small() -> None:
    codes = np.array([[0]] * 11 + [[1]] * 10)
    found = Combinations.of(codes)
    assert (found.n_unique, found.smallest, found.n_in_small) == (0, 10, 10)


def test_one_person_is_alone_by_anything() -> None:
    assert Combinations.of(np.zeros((1, 2), dtype=np.int64)) == Combinations(1, 1, 1, 1, (1.0, 1.0))


@pytest.mark.parametrize("seed", range(20))
def test_a_slow_version_says_the_same(seed: int) -> None:
    codes = some_people(seed)
    rows = [tuple(row) for row in codes.tolist()]
    assert class_sizes(codes).tolist() == [rows.count(row) for row in rows]
    assert unique_by_number(codes) == pytest.approx(brute_force.unique_by_number(rows), rel=1e-12)


@pytest.mark.parametrize("seed", range(20))
def test_with_more_attributes_never_fewer_are_unique(seed: int) -> None:
    codes = some_people(seed)
    sizes = [class_sizes(codes[:, :number]) for number in range(5)]
    assert all((more <= fewer).all() for fewer, more in pairwise(sizes))
    curve = unique_by_number(codes)
    assert all(more >= fewer for fewer, more in pairwise(curve))


@pytest.mark.parametrize("seed", range(10))
def test_in_no_order_and_by_no_names_anything_else_comes_out(seed: int) -> None:
    rng, codes = np.random.default_rng(seed), some_people(seed)
    otherwise = codes[rng.permutation(len(codes))][:, rng.permutation(4)]
    renamed = rng.permutation(4)[otherwise] * 7 - 3
    assert Combinations.of(otherwise) == Combinations.of(codes)
    assert Combinations.of(renamed) == Combinations.of(codes)


def test_beyond_twelve_attributes_all_are_counted_without_a_curve() -> None:
    codes = some_people(0, n_attributes=MOST_ATTRIBUTES + 1)
    assert Combinations.of(codes).curve == ()
    assert Combinations.of(codes).n_unique == 40
    assert len(Combinations.of(codes[:, :MOST_ATTRIBUTES]).curve) == MOST_ATTRIBUTES


def test_what_was_guessed_most_often_is_taken() -> None:
    spoken = {"a-1": "a", "a-2": "a", "a-3": "a", "b-1": "b"}
    guessed = {"a-1": "f", "a-2": "m", "a-3": "f", "b-1": "m", "c": "m"}
    found = most_guessed(guessed, spoken)
    assert found.of == {"a": "f", "b": "m", "c": "m"}
    assert not found.tied


def test_of_a_tie_the_commoner_guess_is_taken_and_it_is_told() -> None:
    spoken = {"a-1": "a", "a-2": "a", "b-1": "b"}
    found = most_guessed({"a-1": "f", "a-2": "m", "b-1": "m"}, spoken)
    assert (found.of["a"], found.tied) == ("m", {"a"})
    found = most_guessed({"a-2": "m", "a-1": "f"}, spoken)
    assert (found.of["a"], found.tied) == ("f", {"a"})
