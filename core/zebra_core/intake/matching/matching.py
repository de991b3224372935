"""Matching scores with their key by the pair of ids, never by position; and pairs that a file lists twice.

Everything works on codes: one number for each pair, looked up in a table when the numbers are dense enough,
in a hash table when not.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, repeat

import numpy as np
from numpy.typing import NDArray

from zebra_core.evidence.audit import ID_MAPPINGS, Decision
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


# Ids of two files that differ only in how they are written: found, and mapped when asked.


_SUFFIX = re.compile(
    r"(?:\.(?:wav|flac|sph|mp3|ogg|opus|m4a|aac|pcm|raw|npy|pt|ark)|[_-]anon(?:ymi[sz]ed)?)$", re.IGNORECASE
)
_SIDE = re.compile(r":[ab12]$", re.IGNORECASE)
_MOST_LOOKED_AT = 5000


@dataclass(frozen=True)
class IdMapping:
    """A way to compare the ids of two files other than letter by letter."""

    by: frozenset[Decision]
    depth: int = 1  # how many last parts of a path count, where folders are ignored

    def __call__(self, name: str) -> str:
        """The id as it is compared."""
        if Decision.IGNORE_ENCODING in self.by and not name.isascii():
            name = _read_as_utf8(name)
        if Decision.IGNORE_COMPOSITION in self.by:
            name = unicodedata.normalize("NFC", name)
        if Decision.IGNORE_QUOTES in self.by:
            name = name.strip("\"'") or name
        if Decision.IGNORE_SIDES in self.by:
            name = _SIDE.sub("", name) or name
        if Decision.IGNORE_DIRECTORIES in self.by:
            name = "/".join(name.replace("\\", "/").split("/")[-self.depth :])
        if Decision.IGNORE_SUFFIXES in self.by:
            while (shorter := _SUFFIX.sub("", name)) and shorter != name:
                name = shorter
        if Decision.IGNORE_CASE in self.by:
            name = name.casefold()
        if Decision.IGNORE_LEADING_ZEROS in self.by and name.isdecimal():
            name = name.lstrip("0") or "0"
        return name


def _read_as_utf8(name: str) -> str:
    """The name as it was before UTF-8 was taken for Windows-1252, or as it is."""
    try:
        return name.encode("cp1252").decode()
    except UnicodeError:
        return name


def mapping_for(by: Iterable[Decision], *columns: Ids) -> IdMapping:
    """The mapping for one side of two files.

    Of paths as many last parts count as the shortest has; fewer where most are the same only then.
    """
    chosen = frozenset(by) & frozenset(ID_MAPPINGS)
    if Decision.IGNORE_DIRECTORIES not in chosen:
        return IdMapping(chosen)
    paths = (name.replace("\\", "/") for ids in columns for name in ids.names)
    deepest = min((path.count("/") for path in paths), default=0) + 1
    ways = (IdMapping(chosen, depth) for depth in range(deepest, 0, -1))
    return next((way for way in ways if _join(way, columns)), IdMapping(chosen, deepest))


def _join(way: IdMapping, columns: Sequence[Ids]) -> bool:
    """Whether most ids of the shortest column are in every other one, as they are compared."""
    compared = [{way(name) for name in ids.names} for ids in columns]
    return 2 * len(set.intersection(*compared)) > min(map(len, compared))


def mapped(ids: Ids, mapping: Callable[[str], str]) -> tuple[Ids, tuple[str, str] | None]:
    """The column with mapped names, and two ids that the mapping would take for one, if there are such."""
    names = tuple(mapping(name) for name in ids.names)
    first: dict[str, str] = {}
    for old, new in zip(ids.names, names, strict=True):
        if first.setdefault(new, old) != old:
            return ids, (first[new], old)
    return Ids(ids.codes, names), None


def explains(left: Ids, right: Ids) -> tuple[Decision, ...] | None:
    """The fewest mappings under which most ids of `left` that are not among `right` are found there.

    None where there are no such mappings.
    """
    known = set(right.names)
    missing = [name for name in left.names if name not in known][:_MOST_LOOKED_AT]
    if not missing:
        return ()
    some = [*missing, *right.names[:_MOST_LOOKED_AT]]
    telling = [one for one in ID_MAPPINGS if any(IdMapping(frozenset([one]))(name) != name for name in some)]
    for count in range(1, len(telling) + 1):
        for chosen in combinations(telling, count):
            if _explains(missing, left, right, chosen):
                return chosen
    return None


def example(left: Ids, right: Ids, by: Iterable[Decision]) -> tuple[str, str]:
    """An id of each column which the mapping takes for one though they are spelt differently."""
    way = mapping_for(by, left, right)
    there = {way(name): name for name in right.names}
    known = set(right.names)
    mine = next(name for name in left.names if name not in known and way(name) in there)
    return mine, there[way(mine)]


def _explains(missing: Sequence[str], left: Ids, right: Ids, by: Iterable[Decision]) -> bool:
    mapping = mapping_for(by, left, right)
    if mapped(left, mapping)[1] or mapped(right, mapping)[1]:
        return False
    there = {mapping(name) for name in right.names}
    return 2 * sum(mapping(name) in there for name in missing) > len(missing)
