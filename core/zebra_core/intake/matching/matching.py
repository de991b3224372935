"""Matching scores with their key by the pair of ids, never by position; and pairs that a file lists twice.

Everything works on codes: one number for each pair, looked up in a table when the numbers are dense enough,
in a hash table when not.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import repeat

import numpy as np
from numpy.typing import NDArray

from zebra_core.evidence.trials import BoolArray, Ids, IntArray
from zebra_core.intake.tables.table import Table

Rows = NDArray[np.integer]
Sides = tuple[Ids, Ids]  # enrolment and test
_AT_ONCE = 1 << 16  # pairs, which stay in the processor's cache
_DENSE = 8  # so many cells of a table for each row still cost less than a hash table


@dataclass(frozen=True, eq=False)
class Repeats:
    """Pairs that a file lists more than once: rows that agree with the first such row, and others."""

    agreeing: IntArray
    contradicting: IntArray
    first_of_contradicting: IntArray  # the first row of the same pair, for each of these


@dataclass(frozen=True, eq=False)
class Match:
    """Which score belongs to which row of the key."""

    score_row: Rows | None  # for each row of the key the row of its score, or −1; None: the same row
    extra_scores: IntArray  # rows of scores whose pair the key does not list


NO_REPEATS = Repeats(*(np.empty(0, np.int64),) * 3)


def pairs(enrol: Ids, test: Ids) -> IntArray:
    """One number for each pair of ids of a file, shape (n,)."""
    pair = enrol.codes.astype(np.int64)
    pair *= len(test.names)
    pair += test.codes
    return pair


def count_shared(sides: Sides, wanted: Iterable[tuple[str, str]]) -> int:
    """How many of these pairs of names a file lists."""
    enrol, test = ({name: code for code, name in enumerate(ids.names)} for ids in sides)
    numbers = [enrol[a] * len(test) + test[b] for a, b in wanted if a in enrol and b in test]
    if not numbers:
        return 0
    return int(np.count_nonzero(np.isin(np.array(numbers, dtype=np.int64), pairs(*sides))))


def repeats(table: Table) -> Repeats:
    """The pairs listed more than once. Without ids there is nothing to repeat."""
    if table.enrol is None or table.test is None:
        return NO_REPEATS
    if _go_in_order(table.enrol, table.test):
        return NO_REPEATS
    pair = pairs(table.enrol, table.test)
    again = _again(pair)
    if not len(again):
        return NO_REPEATS
    import pandas as pd

    firsts = np.flatnonzero(~pd.Series(pair).duplicated().to_numpy())
    first = firsts[pd.Index(pair[firsts]).get_indexer(pd.Index(pair[again]))]
    same = np.ones(len(again), np.bool_)
    if table.score is not None:
        here, there = table.score[again], table.score[first]
        same &= (here == there) | (np.isnan(here) & np.isnan(there))
    if table.is_target is not None:
        same &= table.is_target[again] == table.is_target[first]
    return Repeats(again[same], again[~same], first[~same])


def _again(numbers: IntArray) -> IntArray:
    """The places of numbers that are at an earlier place, too."""
    if _ascend(np.sort(numbers)):  # costs less than a hash table
        return np.empty(0, np.int64)
    import pandas as pd

    return np.flatnonzero(pd.Series(numbers).duplicated().to_numpy())


def _go_in_order(enrol: Ids, test: Ids) -> bool:
    """Whether pairs are listed enrolment by enrolment, as they usually are."""
    for start in range(0, len(enrol), _AT_ONCE):
        some = slice(start, start + _AT_ONCE + 1)
        if not _ascend(pairs(*(replace(ids, codes=ids.codes[some]) for ids in (enrol, test)))):
            return False
    return True


def _ascend(numbers: IntArray) -> bool:
    return bool((numbers[1:] > numbers[:-1]).all())


def without(table: Table, rows: IntArray) -> BoolArray | None:
    """Which rows are left when these go; None when all are."""
    if not len(rows):
        return None
    kept = np.ones(len(table), np.bool_)
    kept[rows] = False
    return kept


def symmetric_repeats(enrol: Ids, test: Ids) -> IntArray:
    """Rows whose pair is listed the other way round in an earlier row (a b, then b a)."""
    twin = _codes_in(enrol, test.names)
    if (twin < 0).all():
        return np.empty(0, np.int64)
    left, right = enrol.codes.astype(np.int64), twin[test.codes]
    both = np.flatnonzero((right >= 0) & (left != right) & np.isin(left, twin))
    low, high = np.minimum(left[both], right[both]), np.maximum(left[both], right[both])
    return both[_again(low * len(enrol.names) + high)]


def match(scores: Sides, key: Sides) -> Match:
    """The score for each row of the key, both as (enrolment, test). Neither lists a pair twice any more."""
    if _same_pairs_in_same_order(scores, key):
        return Match(None, np.empty(0, np.int64))
    enrol, test = (_in_terms_of(ids, other) for ids, other in zip(key, scores, strict=True))
    n_enrol, n_test = (len(ids.names) for ids in scores)
    wanted = enrol * n_test + test
    wanted[(enrol < 0) | (test < 0)] = -1
    row = _lookup(pairs(*scores), wanted, n_enrol * n_test)
    used = np.zeros(len(scores[0]), np.bool_)
    used[row[row >= 0]] = True
    return Match(row, np.flatnonzero(~used))


def _same_pairs_in_same_order(scores: Sides, key: Sides) -> bool:
    return all(
        len(left) == len(right) and left.names == right.names and np.array_equal(left.codes, right.codes)
        for left, right in zip(scores, key, strict=True)
    )


def _in_terms_of(ids: Ids, other: Ids) -> IntArray:
    """The column in the codes of another one; −1 for an id that is not there."""
    codes = _codes_in(other, ids.names)
    return codes[ids.codes] if len(codes) else np.empty(0, np.int64)


def _codes_in(ids: Ids, names: Sequence[str]) -> IntArray:
    """The code of each of these names in a column, −1 where it is not there."""
    code_of = dict(zip(ids.names, range(len(ids.names)), strict=True))
    return np.fromiter(map(code_of.get, names, repeat(-1)), np.int64, len(names))


def _lookup(pair: IntArray, wanted: IntArray, cells: int) -> Rows:
    """The place of each of the wanted numbers in `pair`, or −1."""
    import pandas as pd

    if cells <= _DENSE * (len(pair) + len(wanted)):
        row_of = np.full(cells + 1, -1, np.int32)  # one cell more, for −1 to find nothing in
        row_of[pair] = np.arange(len(pair), dtype=np.int32)
        return row_of[wanted]
    return np.asarray(pd.Index(pair).get_indexer(pd.Index(wanted)))
