"""How many trials of each pair of speakers got each score: what draws and exchanges of whole speakers need.

A draw of speakers weighs a trial by both of its own, and an exchange of speakers deals out whole pairs of
them. Neither asks which of their trials it was.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import scipy
from numpy.typing import NDArray

from zebra_core.errors import InputError
from zebra_core.evidence.counting import BinnedCounts
from zebra_core.evidence.counts import ScoreCounts
from zebra_core.evidence.ordering import hashes_of, mixed
from zebra_core.evidence.speaker_trials import TrialSide
from zebra_core.evidence.trials import BoolArray, CodeArray, FloatArray, IntArray


@dataclass(frozen=True, eq=False)
class RankedTests:
    """The recordings of enrolled speakers that were compared with their own one, shape (t,) each.

    `speaker` has codes of the speakers of the counts beside, of whom `n_enrolled` are enrolled. Scores with
    several enrolments are those of `engine.questions.best_by_speaker`: `n_higher` speakers have a higher one
    than the speaker who is heard, `n_tied` others the same, of `n_compared`. `n_listed` counts all those of
    enrolled speakers, `n_tests` all there are; `is_single` says that everybody is enrolled once.
    """

    speaker: IntArray
    n_higher: IntArray
    n_tied: IntArray
    n_compared: IntArray
    n_enrolled: int
    n_listed: int
    n_tests: int
    is_single: bool

    @property
    def complete(self) -> RankedTests:
        """The recordings that were compared with every enrolled speaker."""
        return self._chosen(self.n_compared == self.n_enrolled)

    def renumbered(self, code: IntArray) -> RankedTests:
        """The recordings with `code[k]` in place of speaker k, sorted by the new codes, then by ranks."""
        speaker = code[self.speaker]
        order = np.lexsort((self.n_tied, self.n_higher, self.n_compared, speaker))
        return replace(self._chosen(order), speaker=speaker[order])

    def _chosen(self, at: BoolArray | IntArray) -> RankedTests:
        return replace(
            self,
            speaker=self.speaker[at],
            n_higher=self.n_higher[at],
            n_tied=self.n_tied[at],
            n_compared=self.n_compared[at],
        )


BYTES = 12
"""What a cell takes in memory: the trials of one pair of speakers, of one class, with one score."""


def most_bytes(n_trials: int) -> int:
    """How much memory the counts of so many trials take, at most: a cell for each, and once more by class."""
    return 2 * BYTES * n_trials


@dataclass(frozen=True, eq=False)
class TargetTrials:
    """The target trials one by one, shape (n,) each: of which test segment and speaker, with which score.

    `segment` numbers test segments from 0 without gaps, `speaker` is a code of the speakers of the counts
    beside, `place` that of the score among theirs.
    """

    segment: IntArray
    speaker: IntArray
    place: IntArray

    def of(self, speaker: IntArray, place: IntArray) -> TargetTrials:
        """The trials with other speakers and places, (n,), numbered and sorted by these: no id is left."""
        segment = self.segment
        n = int(segment.max()) + 1
        of_segment, seen = np.zeros(n, np.int64), np.zeros(n, np.uint64)
        of_segment[segment] = speaker
        np.add.at(seen, segment, mixed(place.astype(np.uint64)))
        number = np.empty(n, np.int64)
        number[np.lexsort((seen, of_segment))] = np.arange(n)
        order = np.lexsort((place, number[segment]))
        return TargetTrials(number[segment][order], speaker[order], place[order])


@dataclass(frozen=True, eq=False)
class SpeakerCounts:
    """Pairs of speakers, p of them, and of each how many trials got which of b scores.

    `score` (b,) ascends; where `width` is not 0 these are the lower ends of bins (see `counting`). A pair of
    `enrolled` and `heard` (p,), codes of `speakers`, is there once for its target and once for its nontarget
    trials, as `is_target` says. The trials of pair k have the scores `place[start[k]:start[k + 1]]`, `times`
    each. `n_unknown` of the speakers are test segments whose speaker nobody knows. `targets` are the target
    trials once more, with their test segments, and `ranked` the ranks of these, where they are known.
    """

    speakers: tuple[str, ...]
    n_unknown: int
    score: FloatArray
    width: float
    enrolled: IntArray
    heard: IntArray
    is_target: BoolArray
    start: IntArray | CodeArray
    place: CodeArray
    times: IntArray
    targets: TargetTrials | None = None
    ranked: RankedTests | None = None

    @cached_property
    def n_trials(self) -> IntArray:
        """How many trials each pair has, shape (p,)."""
        return np.asarray(np.add.reduceat(self.times, self.start[:-1]))

    @cached_property
    def is_known(self) -> BoolArray:
        """Who is a speaker, shape (speakers,), not a test segment of which nobody knows whose it is.

        Where there are such segments nobody is one who is neither enrolled nor heard in a target trial.
        """
        known = np.full(len(self.speakers), not self.n_unknown)
        known[self.enrolled] = True
        known[self.heard[self.is_target]] = True
        return known

    def sums_by_speaker(
        self, side: TrialSide, *, of_target: bool, value: FloatArray | None = None
    ) -> FloatArray:
        """Σ of the values (b,) of the scores (None: of ones) over the trials that each speaker takes part in.

        Of one class; shape (speakers,). A trial of a speaker against themselves counts once.
        """
        chosen = self.is_target == of_target
        table = self._by_class[0 if of_target else 1]
        total = np.asarray(self.n_trials[chosen] if value is None else table.T @ value, np.float64)
        enrolled, heard = self.enrolled[chosen], self.heard[chosen]
        n = len(self.speakers)
        as_enrolled = np.asarray(np.bincount(enrolled, total, n), np.float64)
        if side is TrialSide.ENROLLED:
            return as_enrolled
        both = heard != enrolled if side is TrialSide.EITHER else slice(None)
        as_heard = np.asarray(np.bincount(heard[both], total[both], n), np.float64)
        return as_heard if side is TrialSide.HEARD else as_enrolled + as_heard

    def highest_by_speaker(self, *, of_target: bool) -> IntArray:
        """The place of the highest score of one class that each speaker takes part in, −1 without trials."""
        chosen = self.is_target == of_target
        highest = np.maximum.reduceat(self.place, self.start[:-1])[chosen]
        found = np.full(len(self.speakers), -1)
        np.maximum.at(found, self.enrolled[chosen], highest)
        np.maximum.at(found, self.heard[chosen], highest)
        return found

    def weighed(self, weight: IntArray) -> ScoreCounts:
        """The counts where the trials of each pair count so many times, shape (p,). O(cells)."""
        return ScoreCounts(self.score, *self.weighed_by_class(weight))

    def weighed_by_class(self, weight: IntArray) -> tuple[IntArray, IntArray]:
        """The counts of `weighed` by class; of several weights, (p, w), at once: (scores, w)."""
        target, nontarget = self._by_class
        return target @ weight[self.is_target], nontarget @ weight[~self.is_target]

    def labelled(self, is_target: BoolArray) -> ScoreCounts:
        """The counts where these pairs, shape (p,), were the target ones. O(b and their cells)."""
        chosen = self._table[:, np.flatnonzero(is_target)]
        n_target = np.asarray(chosen @ np.ones(chosen.shape[1], np.int64))
        return ScoreCounts(self.score, n_target, self._all - n_target)

    @cached_property
    def counted(self) -> BinnedCounts:
        """The counts of all trials, with the width of their bins."""
        return BinnedCounts(self.weighed(np.ones(len(self.enrolled), np.int64)), self.width)

    def turned_round(self) -> SpeakerCounts:
        """The counts with the signs of the scores changed, for scores of which lower ones mean more alike."""
        last = len(self.score) - 1
        # The lower edge of a bin turned round is the upper one.
        score = -self.score[::-1] - self.width
        targets = self.targets and self.targets.of(self.targets.speaker, last - self.targets.place)
        place = (last - self.place).astype(self.place.dtype)
        return replace(self, score=score, place=place, targets=targets).in_order()

    def aligned(self, like: SpeakerCounts) -> SpeakerCounts:
        """The counts with speakers in the order of `like`. Raises InputError where that has other trials."""
        code = {name: number for number, name in enumerate(like.speakers)}
        place = np.array([code.get(name, -1) for name in self.speakers], np.int64)
        made = self.renumbered(place, like.speakers)
        if len(self.speakers) != len(like.speakers) or not np.array_equal(made.of_whom, like.of_whom):
            count, first = (int(one.n_trials.sum()) for one in (self, like))
            raise InputError("difference-other-trials", count=count, first_count=first)
        return made

    def renumbered(self, code: IntArray, names: tuple[str, ...]) -> SpeakerCounts:
        """The counts with `code[k]`, (speakers,), in place of speaker k; `names` are in their new order."""
        targets = self.targets and self.targets.of(code[self.targets.speaker], self.targets.place)
        sides = code[self.enrolled], code[self.heard]
        ranked = self.ranked and self.ranked.renumbered(code)
        made = replace(self, enrolled=sides[0], heard=sides[1], targets=targets, ranked=ranked)
        return replace(made, speakers=names)

    @cached_property
    def of_whom(self) -> NDArray[np.int64]:
        """Each pair as one number, its class and its number of trials whatever the scores; (3, p), sorted."""
        both = (self.enrolled << 32) | self.heard
        order = np.lexsort((self.is_target, both))
        return np.array([both, self.is_target, self.n_trials])[:, order]

    @cached_property
    def _table(self) -> scipy.sparse.csc_array:
        """The counts as a table of scores against pairs."""
        shape = len(self.score), len(self.enrolled)
        return scipy.sparse.csc_array((self.times, self.place, self.start), shape=shape)

    @cached_property
    def _by_class(self) -> tuple[scipy.sparse.csc_array, scipy.sparse.csc_array]:
        sides = np.flatnonzero(self.is_target), np.flatnonzero(~self.is_target)
        return self._table[:, sides[0]], self._table[:, sides[1]]

    @cached_property
    def _all(self) -> IntArray:
        """How many trials of both classes have each score, shape (b,)."""
        return np.asarray(self._table @ np.ones(len(self.enrolled), np.int64))

    def in_order(self) -> SpeakerCounts:
        """The counts with speakers in the order that follows from scores and labels alone; see `ordering`."""
        of_cell = mixed(2 * self.place.astype(np.uint64) + np.repeat(self.is_target, np.diff(self.start)))
        observed = np.add.reduceat(of_cell * self.times.astype(np.uint64), self.start[:-1])
        hashes = hashes_of(self.enrolled, self.heard, observed, len(self.speakers))
        by_hash = sorted(zip(hashes.tolist(), self.speakers, range(len(self.speakers)), strict=True))
        rank = np.empty(len(by_hash), np.int64)
        rank[[number for _, _, number in by_hash]] = np.arange(len(by_hash))
        return self.renumbered(rank, tuple(name for _, name, _ in by_hash))


class CellCountBuilder:
    """Makes counts of cells that come some at a time: those of a pair and a class stand together."""

    def __init__(self, score: FloatArray, cells: int) -> None:
        """`score` are the distinct scores, ascending, of so many cells."""
        self._score, self._done = score, 0
        kind = np.int32 if cells < 1 << 31 else np.int64
        self._place: CodeArray = np.empty(cells, kind)
        self._times = np.empty(cells, np.int64)
        self._starts: list[IntArray] = []
        self._pairs: list[NDArray[np.int64]] = []
        self._last = np.full((3, 1), -1)

    def add(
        self, enrolled: IntArray, heard: IntArray, label: IntArray, score: FloatArray, times: IntArray
    ) -> None:
        """Add some cells, all of shape (c,)."""
        sides = np.array([enrolled, heard, label], np.int64)
        before = np.concatenate([self._last, sides[:, :-1]], axis=1)
        fresh = np.flatnonzero((sides != before).any(axis=0))
        self._pairs.append(sides[:, fresh])
        self._starts.append(fresh + self._done)
        here = slice(self._done, self._done + len(score))
        self._place[here] = np.searchsorted(self._score, score)
        self._times[here] = times
        self._last, self._done = sides[:, -1:], here.stop

    def made(
        self,
        speakers: tuple[str, ...],
        n_unknown: int,
        score: FloatArray,
        width: float,
        targets: TargetTrials | None = None,
        ranked: RankedTests | None = None,
    ) -> SpeakerCounts:
        """The counts of all cells, with these scores in the place of the distinct ones.

        Raises InputError where one of the two classes is empty.
        """
        enrolled, heard, label = np.concatenate([np.empty((3, 0), np.int64), *self._pairs], axis=1)
        if label.all() or not label.any():
            raise InputError("speakers-one-class")
        sides = enrolled, heard, label.astype(np.bool_)
        start = np.append(np.concatenate(self._starts), self._done).astype(self._place.dtype)
        cells = start, self._place, self._times
        return SpeakerCounts(speakers, n_unknown, score, width, *sides, *cells, targets, ranked).in_order()
