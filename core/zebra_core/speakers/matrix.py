"""Linking in a matrix of scores that need not fit into memory: .npy with a list of ids for either side."""

from __future__ import annotations

import mmap
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.lib.format import open_memmap
from numpy.typing import NDArray

from zebra_core.errors import InputError
from zebra_core.evidence.speaker_names import Speakers, speaker_in
from zebra_core.evidence.trials import IntArray
from zebra_core.files.access import open_regular, refuse_missing
from zebra_core.runtime.progress import Progress, no_progress
from zebra_core.speakers.candidates import linkability_probability
from zebra_core.speakers.rank_disclosure import RankDisclosure, rank_disclosure

Scores = NDArray[Any]

_PEOPLE_AT_ONCE = 500
_AT_ONCE = 1 << 22  # scores between two reports of progress


@dataclass(frozen=True, eq=False)
class MatrixLinks:
    """For each recording of an enrolled person, (t,), how many of the others score higher, or the same.

    `people` ascend; `columns` (t,) are the places of the recordings in the matrix, which has `n_columns`, and
    `own` (t,) whose they are among the people; of the other recordings nobody is enrolled.
    """

    people: tuple[str, ...]
    n_columns: int
    columns: IntArray
    own: IntArray
    n_higher: IntArray
    n_tied: IntArray

    @property
    def n_enrolled(self) -> int:
        """How many people are enrolled."""
        return len(self.people)

    def linkage(self, people: int) -> float:
        """The linkage probability π_link among so many people."""
        return linkability_probability(self.n_higher, self.n_enrolled, people, self.n_tied)

    @property
    def ranks(self) -> RankDisclosure:
        """What the rank among all discloses."""
        return rank_disclosure(self.n_higher, self.n_enrolled, self.n_tied)


def links_in_file(
    scores: Path,
    enrolled: Path | Sequence[str],
    tests: Path | Sequence[str],
    speakers: Speakers,
    on_progress: Progress = no_progress,
) -> MatrixLinks:
    """Links in a matrix on disk, which is mapped and read once.

    Rows are enrolments, columns recordings; their ids are given in this order, or lists with one a line. Who
    speaks say `speakers`; an id that a map does not list is taken for the name of a person. Raises InputError
    where the file is no matrix of numbers or the ids do not fit it.
    """
    refuse_missing(scores)
    try:
        matrix = open_memmap(scores, mode="r")
    except (ValueError, EOFError) as error:
        raise InputError("matrix-broken", file=scores.name) from error
    sides = [_people(ids, speakers) for ids in (enrolled, tests)]
    shape = tuple(map(len, sides))
    if matrix.shape != shape or matrix.dtype.kind not in "iuf":
        found = " × ".join(map(str, matrix.shape))
        raise InputError("matrix-and-lists", file=scores.name, found=found, rows=shape[0], columns=shape[1])
    return links(matrix, *sides, name=scores.name, on_progress=on_progress)


def links(
    scores: Scores,
    enrolled: Sequence[str],
    heard: Sequence[str],
    *,
    name: str = "",
    on_progress: Progress = no_progress,
) -> MatrixLinks:
    """Compare each column of scores (rows, columns) with the score of its own person, row by row.

    `enrolled` and `heard` name the person of each row and column; of several rows of one person the best
    counts. Reads every score once, in memory for a few rows. Raises
    InputError where fewer than two people are enrolled, nobody heard is, or a score is not a number.
    """
    people = sorted(set(enrolled))
    place = {person: number for number, person in enumerate(people)}
    if len(people) < 2:
        raise InputError("reidentification-one-person")
    own = np.array([place.get(person, -1) for person in heard], dtype=np.int64)
    columns = np.flatnonzero(own >= 0)
    if not len(columns):
        raise InputError("reidentification-nobody-enrolled")
    rows_of: list[list[int]] = [[] for _ in people]
    for row, person in enumerate(enrolled):
        rows_of[place[person]].append(row)
    threshold = _own_scores(scores, rows_of, own, columns)
    is_every = len(columns) == scores.shape[1]
    higher, same = _Counts(len(columns), np.greater), _Counts(len(columns), np.equal)
    step = max(1, _AT_ONCE // scores.shape[1])
    for number, rows in enumerate(rows_of):
        best = scores[rows[0]] if len(rows) == 1 else scores[rows].max(axis=0)
        if np.isnan(best.min()):
            raise InputError("matrix-not-a-number", file=name, person=people[number])
        for count in (higher, same):
            count.add(best if is_every else best[columns], threshold)
        if number % step == 0:
            _let_go(scores)
            on_progress(number / len(rows_of))
    on_progress(1.0)
    return MatrixLinks(
        tuple(people), scores.shape[1], columns, own[columns], higher.total(), same.total() - 1
    )


class _Counts:
    """How often a comparison of each of n values with its threshold held, counted in bytes while these do."""

    def __init__(self, n: int, compare: np.ufunc) -> None:
        self._compare = compare
        self._total = np.zeros(n, dtype=np.int64)
        self._bytes = np.zeros(n, dtype=np.uint8)
        self._is_so = np.empty(n, dtype=np.bool_)
        self._n_added = 0

    def add(self, values: Scores, threshold: Scores) -> None:
        """Compare so many values more, (n,)."""
        self._compare(values, threshold, out=self._is_so)
        np.add(self._bytes, self._is_so.view(np.uint8), out=self._bytes)
        self._n_added += 1
        if self._n_added % np.iinfo(np.uint8).max == 0:
            self._flush()

    def total(self) -> IntArray:
        """The counts, (n,)."""
        self._flush()
        return self._total

    def _flush(self) -> None:
        self._total += self._bytes
        self._bytes[:] = 0


def _own_scores(scores: Scores, rows_of: Sequence[Sequence[int]], own: IntArray, columns: IntArray) -> Scores:
    """The best score of each column, (t,), with its own person, as precise as the matrix has it."""
    found: Scores = np.empty(len(columns), dtype=scores.dtype)
    order = np.argsort(own[columns], kind="stable")
    starts = np.searchsorted(own[columns][order], np.arange(len(rows_of) + 1))
    for person, rows in enumerate(rows_of):
        mine = order[starts[person] : starts[person + 1]]
        if len(mine):
            found[mine] = np.max([scores[row, columns[mine]] for row in rows], axis=0)
        if person % _PEOPLE_AT_ONCE == 0:  # every place that is read brings what lies around it along
            _let_go(scores)
    return found


def _let_go(scores: Scores) -> None:
    """Pages of a mapped file that were read are not kept, where the system can be told so."""
    mapped: object = scores.base
    if sys.platform != "win32" and isinstance(mapped, mmap.mmap) and hasattr(mmap, "MADV_DONTNEED"):
        mapped.madvise(mmap.MADV_DONTNEED)


def _people(ids: Path | Sequence[str], speakers: Speakers) -> list[str]:
    if isinstance(ids, Path):
        with open_regular(ids) as file:
            ids = file.read().decode("utf-8", "surrogateescape").split()
    return [speaker_in(speakers, name) or name for name in ids]
