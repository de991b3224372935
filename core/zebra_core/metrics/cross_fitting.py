"""Calibration that never sees whom it judges: trials counted by the folds of their speakers.

Speakers are dealt into folds; a trial is judged by a map that was learnt on all trials in which nobody of the
two folds takes part that its own speakers are in. All that learning needs are counts in bins of scores, so
that one pass over the trials is enough for all maps. The borders of the bins follow from the scores alone,
without a look at who is who.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import scipy

from zebra_core.evidence.counts import ScoreCounts
from zebra_core.evidence.trials import BoolArray, FloatArray, Ids, IntArray, Trials
from zebra_core.metrics.chance.partitioning import counts_into_folds
from zebra_core.metrics.chance.seeds import Purpose, generator

FOLDS = 5
FEWEST_PEOPLE = 3  # with target trials: a trial between two folds must leave a third one to learn from
_EVEN, _TAILS = 64, 512  # equal shares of the trials, and equal steps of the logit of the share
_CELLS = 1 << 14  # of the grid that finds most bins without a search
_SEED = 0  # deals out trials of which nobody knows the speakers

Learn = Callable[[IntArray, IntArray], FloatArray]
"""From the counts of target and nontarget trials in ascending bins to natural-log LLRs, each of shape (g,).

Where a class has no trials there is nothing to learn: zeros.
"""


@dataclass(frozen=True, eq=False)
class People:
    """The person behind each id of either side, numbered from 0 without gaps.

    Two ids are one person's where they are equal or where a target trial compares them; an id of which
    nothing is known is a person by itself. `of_enrol` and `of_test` have one number for each *name* of the
    ids, `has_targets` (n,) says of whom there are target trials. Persons ascend by their first id; the order
    of trials is irrelevant.
    """

    of_enrol: IntArray
    of_test: IntArray
    has_targets: BoolArray

    def __len__(self) -> int:
        return len(self.has_targets)

    @classmethod
    def of(cls, enrol: Ids, test: Ids, is_target: BoolArray) -> People:
        """Join the ids of target trials; O(n)."""
        place = {name: number for number, name in enumerate(dict.fromkeys([*enrol.names, *test.names]))}
        of_enrol = np.array([place[name] for name in enrol.names], dtype=np.int64)
        of_test = np.array([place[name] for name in test.names], dtype=np.int64)
        one, other = of_enrol[enrol.codes[is_target]], of_test[test.codes[is_target]]
        graph = scipy.sparse.coo_array((np.ones(len(one)), (one, other)), shape=(len(place), len(place)))
        n, person = scipy.sparse.csgraph.connected_components(graph, directed=False)
        least = np.full(n, np.iinfo(np.int64).max)
        np.minimum.at(least, person, np.arange(len(place)))
        rank = np.empty(n, dtype=np.int64)
        rank[np.argsort(least, kind="stable")] = np.arange(n)
        number = rank[person]
        has_targets = np.zeros(n, dtype=np.bool_)
        has_targets[number[one]] = True
        return cls(number[of_enrol], number[of_test], has_targets)

    def folds(self, n_folds: int) -> IntArray:
        """The fold of every person, shape (n,): first those with target trials are dealt out."""
        dealt = np.empty(len(self), dtype=np.int64)
        for members in (np.flatnonzero(self.has_targets), np.flatnonzero(~self.has_targets)):
            dealt[members] = np.arange(len(members)) % n_folds
        return dealt


@dataclass(frozen=True, eq=False)
class FoldCounts:
    """How many trials fall into each of g bins of scores, by the folds of their two speakers.

    `n_target` and `n_nontarget` have shape (k, k, g): fold of the enrolment, fold of the test, bin. Bin j
    holds the scores from borders[j − 1] up to, not including, borders[j]; `borders` (g − 1,) ascends. Where
    nobody knows the speakers single trials are dealt out (not `is_by_speaker`): both folds are then the same.
    """

    borders: FloatArray
    n_target: IntArray
    n_nontarget: IntArray
    is_by_speaker: bool

    @property
    def n_folds(self) -> int:
        """The number of folds, k."""
        return len(self.n_target)

    @classmethod
    def of_counts(cls, counts: ScoreCounts) -> FoldCounts:
        """Trials without speakers, each dealt into a fold by itself: the same counts give the same folds."""
        borders = borders_of(counts)
        starts = np.searchsorted(counts.score, np.concatenate([[counts.score[0]], borders]))
        rng = generator(_SEED, Purpose.FOLDS)
        dealt = []
        for of_class in (counts.n_target, counts.n_nontarget):
            by_fold = counts_into_folds(np.add.reduceat(of_class, starts), FOLDS, rng)
            table = np.zeros((FOLDS, FOLDS, len(starts)), dtype=np.int64)
            table[np.arange(FOLDS), np.arange(FOLDS)] = by_fold.T
            dealt.append(table)
        return cls(borders, dealt[0], dealt[1], is_by_speaker=False)

    def learnt_on(self, first: int, second: int) -> tuple[IntArray, IntArray]:
        """The counts of both classes, (g,) each, of the trials in which neither of two folds takes part."""
        of_target, of_nontarget = self._without_two_folds
        return of_target[first, second], of_nontarget[first, second]

    @cached_property
    def _without_two_folds(self) -> tuple[IntArray, IntArray]:
        return _without_two_folds(self.n_target), _without_two_folds(self.n_nontarget)

    def judged_by(self, learn: Learn) -> FloatArray:
        """The natural-log LLR that trials get from maps learnt without their folds, shape (k, k, g).

        0 for folds that have no trials with one another: single trials are all in one.
        """
        llr = np.zeros(self.n_target.shape)
        there = (self.n_target + self.n_nontarget).any(axis=2)
        for first, second in np.argwhere(np.triu(there | there.T)).tolist():
            llr[first, second] = llr[second, first] = learn(*self.learnt_on(first, second))
        return llr


def _without_two_folds(counts: IntArray) -> IntArray:
    """The counts of a class, (k, k, g), without those in which either of two folds takes part, (k, k, g).

    Those of all trials, less those with the one and those with the other, which has those with both twice.
    """
    each = np.arange(len(counts))
    with_fold = counts.sum(axis=0) + counts.sum(axis=1) - counts[each, each]
    with_both = counts + counts.swapaxes(0, 1)
    with_both[each, each] = with_fold
    return np.asarray(counts.sum(axis=(0, 1)) - with_fold[:, np.newaxis] - with_fold + with_both)


@dataclass(frozen=True, eq=False)
class FoldedTrials:
    """Counts by folds together with the place of every trial in them; all arrays of shape (n,)."""

    counts: FoldCounts
    people: People
    place: IntArray  # in the flattened (k, k, g)

    @classmethod
    def of(cls, trials: Trials, counts: ScoreCounts) -> FoldedTrials | None:
        """The folds of trials whose distinct scores are `counts`; None where too few speakers are known."""
        if trials.enrol is None or trials.test is None:
            return None
        people = People.of(trials.enrol, trials.test, trials.is_target)
        n_people = int(people.has_targets.sum())
        if n_people < FEWEST_PEOPLE:
            return None
        k = min(FOLDS, n_people)
        fold = people.folds(k)
        borders = borders_of(counts)
        size = len(borders) + 1
        place = (fold[people.of_enrol] * k * size)[trials.enrol.codes]
        place += (fold[people.of_test] * size)[trials.test.codes]
        place += _bins_of(trials.score, borders)
        tables = [
            np.bincount(place[chosen], minlength=k * k * size).reshape(k, k, size)
            for chosen in (trials.is_target, ~trials.is_target)
        ]
        return cls(FoldCounts(borders, tables[0], tables[1], is_by_speaker=True), people, place)


def borders_of(counts: ScoreCounts) -> FloatArray:
    """Where bins begin, but for the first: 64 equal shares of all trials, and 512 steps of their logit.

    The former are fine where most scores are, the latter in both tails down to single trials; where there are
    few distinct scores each has a bin of its own. Labels play no part.
    """
    up_to = np.cumsum(counts.n_target + counts.n_nontarget)
    total = up_to[-1]
    reach = np.log(total)
    even = np.arange(1, _EVEN) / _EVEN
    tails = 1.0 / (1.0 + np.exp(-np.linspace(-reach, reach, _TAILS + 1)))
    share = np.concatenate([even, tails])
    place = np.unique(np.searchsorted(up_to, share * total, side="right"))
    return np.asarray(counts.score[place[(place > 0) & (place < len(up_to))]])


def _bins_of(score: FloatArray, borders: FloatArray) -> IntArray:
    """How many borders each score has reached, shape (n,): a binary search, but for most by one look-up."""
    span = borders[-1] - borders[0] if len(borders) else 0.0
    with np.errstate(over="ignore"):
        scale = _CELLS / span if span > 0.0 else np.inf
    if len(score) < _CELLS or not 0.0 < scale < np.inf:
        return np.asarray(np.searchsorted(borders, score, side="right"))

    def cells(values: FloatArray) -> IntArray:
        with np.errstate(over="ignore"):
            return np.asarray(np.clip((values - borders[0]) * scale, -1.0, _CELLS).astype(np.int64) + 1)

    # Rounding keeps the order: a border in a lower cell is reached, one in a higher cell is not.
    in_cell = np.bincount(cells(borders), minlength=_CELLS + 2)
    cell = cells(score)
    found = (np.cumsum(in_cell) - in_cell)[cell]
    unclear = np.flatnonzero((in_cell > 0)[cell])
    found[unclear] = np.searchsorted(borders, score[unclear], side="right")
    return np.asarray(found)
