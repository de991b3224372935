"""Uniqueness: how many people share one's combination of attributes, such as sex, accent and age.

Who shares it with nobody can be picked out by it, though no single attribute of theirs is rare. The size of
the smallest class of people alike is the k of k-anonymity. All of it counts the people that are given: of
anybody else it says nothing. Ref: Samarati and Sweeney 1998, Protecting privacy when disclosing information:
k-anonymity and its enforcement through generalization and suppression; Article 29 Working Party, Opinion
05/2014, section 3.2.1.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np

from zebra_core.evidence.trials import IntArray

MOST_ATTRIBUTES = 12
"""Of more, the subsets are too many to go through: 2^12 = 4096."""
SMALL_CLASS = 11
"""People in a class of fewer are told apart: one of eleven is 0.09, a bound used for clinical data."""


@dataclass(frozen=True)
class Combinations:
    """How alike people are: all of `n_people`, n ≥ 1, have a value of each attribute.

    `n_unique` share their combination with nobody; `smallest` is the size of the smallest class (k), in which
    all have one combination; `n_in_small` are in classes of fewer than `SMALL_CLASS`. `curve` is the share of
    people who are unique by 1, 2, … all attributes, the mean over all subsets of that many; empty where there
    are more than `MOST_ATTRIBUTES`.
    """

    n_people: int
    n_unique: int
    smallest: int
    n_in_small: int
    curve: tuple[float, ...]

    @classmethod
    def of(cls, codes: IntArray) -> Combinations:
        """Of the values of all people, (people, attributes): in each column equal codes are equal values."""
        sizes = class_sizes(codes)
        return cls(
            len(sizes),
            int(np.count_nonzero(sizes == 1)),
            int(sizes.min()),
            int(np.count_nonzero(sizes < SMALL_CLASS)),
            unique_by_number(codes) if codes.shape[1] <= MOST_ATTRIBUTES else (),
        )

    @property
    def share_unique(self) -> float:
        """The share of people who are unique, 0 … 1."""
        return self.n_unique / self.n_people


def class_sizes(codes: IntArray) -> IntArray:
    """How many people have the combination of each, themselves among them, (people,).

    `codes`, (people, attributes), are of equal values where they are equal. Of no attribute all are alike.
    """
    combined = np.zeros(len(codes), dtype=np.int64)
    for column in codes.T:
        combined = _joined(combined, column)
    return _sizes(combined)


def unique_by_number(codes: IntArray) -> tuple[float, ...]:
    """The share of people who are unique by 1, 2, … all attributes: the mean over all subsets of that many.

    Exact: every subset of the columns of `codes`, (people, attributes), is gone through.
    """
    n_people, n_attributes = codes.shape
    unique: list[list[int]] = [[] for _ in range(n_attributes + 1)]

    def go(combined: IntArray, first: int, size: int) -> None:
        """Add every attribute from `first` on to those that are `combined`."""
        for number in range(first, n_attributes):
            more = _joined(combined, codes[:, number])
            unique[size + 1].append(int(np.count_nonzero(_sizes(more) == 1)))
            go(more, number + 1, size + 1)

    go(np.zeros(n_people, dtype=np.int64), 0, 0)
    return tuple(sum(each) / (len(each) * n_people) for each in unique[1:])


@dataclass(frozen=True)
class InferredValues:
    """The value that was guessed most often of each person, and who had several such values."""

    of: Mapping[str, str]
    tied: frozenset[str]


def most_guessed(guessed: Mapping[str, str], speaker_of: Mapping[str, str]) -> InferredValues:
    """Of each person the value that was guessed of most of their recordings.

    `guessed` is by recording; what `speaker_of` does not list is the name of a person. Of values guessed
    equally often of a person the one guessed more often of everybody is taken, and of these, too, the first
    by name: `tied` says of whom that was decided so.
    """
    of_everybody = Counter(guessed.values())
    of_each: dict[str, Counter[str]] = {}
    for recording, value in guessed.items():
        of_each.setdefault(speaker_of.get(recording, recording), Counter())[value] += 1
    taken, tied = {}, set()
    for person, counts in of_each.items():
        most = max(counts.values())
        best = [value for value, count in counts.items() if count == most]
        taken[person] = min(best, key=lambda value: (-of_everybody[value], value))
        if len(best) > 1:
            tied.add(person)
    return InferredValues(taken, frozenset(tied))


def codes_of(columns: Iterable[Mapping[str, str]], people: Iterable[str]) -> IntArray:
    """The values of people as codes, (people, attributes): equal where values are. Everybody has them all."""
    names = list(people)
    coded = [np.unique([column[name] for name in names], return_inverse=True)[1] for column in columns]
    return np.stack(coded, axis=1).astype(np.int64)


def _joined(combined: IntArray, column: IntArray) -> IntArray:
    """The class of each person with one attribute more, as codes from 0."""
    _, values = np.unique(column, return_inverse=True)
    both = combined * (int(values.max()) + 1) + values
    _, classes = np.unique(both, return_inverse=True)
    return np.asarray(classes, dtype=np.int64)


def _sizes(combined: IntArray) -> IntArray:
    return np.asarray(np.bincount(combined)[combined], dtype=np.int64)
