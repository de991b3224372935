"""The order of ids that chance is dealt by: it follows from scores and labels, not from anybody's name.

Folds, draws and exchanges meet an order of people and of their recordings. Were it that of their names,
figures would change with the names, and files under codes would have other figures than those with names.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from zebra_core.evidence.trials import BoolArray, CodeArray, FloatArray, Ids, IntArray, Trials

_ROUNDS = 4  # how far around an id is looked; two tell apart almost all that can be told apart
_AT_ONCE = 1 << 15  # trials, which with all that is made of them stay in the processor's cache
Hashes = NDArray[np.uint64]


def in_order(trials: Trials) -> Trials:
    """The trials with the names of either side put in order; trials that are in order stay as they are.

    Ids ascend by a hash of what was observed of them: the ranks of the scores that they got on
    either side, with the labels, and the same of those whom they were compared with. So it is the same
    whatever ids are called, in whatever order trials are listed, and however scores are stretched, and says
    no more of the scores than a lot would. Ids that all of this does not tell apart can be exchanged without
    changing any trial, as a rule; they follow by name. Trials without ids have no order.
    Two sorts beside O(n).
    """
    if trials.enrol is None or trials.test is None or trials.enrol.is_ordered:
        return trials
    hashes = _of_names(trials.enrol, trials.test, _observed(trials.score, trials.is_target))
    enrol, test = (_sorted(*each) for each in zip((trials.enrol, trials.test), hashes, strict=True))
    return replace(trials, enrol=enrol, test=test)


def order_of_tests(enrol: Ids, test: Ids, score: FloatArray, is_target: BoolArray) -> IntArray:
    """The places of the names of `test` in the same order; for what is dealt among segments of a matrix."""
    _, hashes = _of_names(enrol, test, _observed(score, is_target))
    return _ascending(hashes, test.names)


def order_of_speakers(
    lists: Iterable[tuple[CodeArray, CodeArray, FloatArray, BoolArray]], speakers: Sequence[str]
) -> IntArray:
    """The places of speakers in the same order, by all these lists of trials between them.

    A list has the codes of the enrolled and of the heard speakers, scores and labels, each of shape (n,).
    """
    total = np.zeros(len(speakers), dtype=np.uint64)
    for enrolled, heard, score, is_target in lists:
        found = hashes_of(enrolled, heard, _observed(score, is_target), len(speakers))
        total = mixed(total) + found
    return _ascending(total, speakers)


def _of_names(enrol: Ids, test: Ids, observed: Hashes) -> tuple[Hashes, Hashes]:
    """Hashes of the names of either side; a name that is on both has one."""
    place = {name: number for number, name in enumerate(dict.fromkeys([*enrol.names, *test.names]))}
    first, second = (np.array([place[name] for name in ids.names], dtype=np.int64) for ids in (enrol, test))
    hashes = hashes_of(first[enrol.codes], second[test.codes], observed, len(place))
    return hashes[first], hashes[second]


def _observed(score: FloatArray, is_target: BoolArray) -> Hashes:
    """What was observed in each trial: the rank of its score and its label, mixed; shape (n,)."""
    found = _ranks(score).view(np.uint64)  # none is negative
    for start in range(0, len(found), _AT_ONCE):
        some = slice(start, start + _AT_ONCE)
        found[some] = mixed(2 * found[some] + is_target[some])
    return found


def _ranks(score: FloatArray) -> IntArray:
    """The place of each score among the distinct ones, shape (n,)."""
    order = np.argsort(score)
    ascending, fresh = score[order], np.zeros(len(score), dtype=np.bool_)
    np.not_equal(ascending[1:], ascending[:-1], out=fresh[1:])
    del ascending  # of so many trials
    # Not by searching each among the distinct ones, which takes twice as long.
    rank = np.empty(len(score), dtype=np.int64)
    rank[order] = np.cumsum(fresh, dtype=np.int64)
    return rank


def hashes_of(enrol: IntArray | CodeArray, test: IntArray | CodeArray, observed: Hashes, n: int) -> Hashes:
    """A hash of each of n ids, from what was observed in its trials, and of those it was compared with."""
    found = np.zeros(n, dtype=np.uint64)
    n_told_apart = 1
    for _ in range(_ROUNDS):
        total = np.zeros(n, dtype=np.uint64)  # sums wrap around, and know no order
        as_test, as_enrol = mixed(found + np.uint64(1)), mixed(found + np.uint64(2))
        for start in range(0, len(observed), _AT_ONCE):
            some = slice(start, start + _AT_ONCE)
            np.add.at(total, enrol[some], mixed(observed[some] + as_test[test[some]]))
            np.add.at(total, test[some], mixed(observed[some] + as_enrol[enrol[some]]))
        found = mixed(total + mixed(found))
        told_apart = len(np.unique(found))
        if told_apart in (n, n_told_apart):
            break
        n_told_apart = told_apart
    return found


def _sorted(ids: Ids, hashes: Hashes) -> Ids:
    """Ids whose names ascend by their hashes, then by themselves."""
    order = _ascending(hashes, ids.names)
    rank = np.empty(len(order), dtype=np.int32)
    rank[order] = np.arange(len(order), dtype=np.int32)
    return Ids(rank[ids.codes], tuple(ids.names[place] for place in order.tolist()), is_ordered=True)


def _ascending(hashes: Hashes, names: Sequence[str]) -> IntArray:
    """The places of names by their hashes, then by themselves."""
    by_hash = sorted(zip(hashes.tolist(), names, range(len(names)), strict=True))
    return np.array([place for _, _, place in by_hash], dtype=np.int64)


def mixed(values: Hashes) -> Hashes:
    """A bijection of 64 bits, every bit of which rests on all. Ref: Steele, Lea, Flood 2014, SplitMix64."""
    with np.errstate(over="ignore"):
        found = values + np.uint64(0x9E3779B97F4A7C15)
        for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB), (31, 1)):
            found ^= found >> np.uint64(shift)
            found *= np.uint64(factor)
        return found
