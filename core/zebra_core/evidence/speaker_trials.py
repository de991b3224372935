"""Trials between named speakers: who is enrolled, who is heard; where speaker by speaker figures start."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import Enum
from functools import cached_property

import numpy as np
import scipy
from numpy.typing import NDArray

from zebra_core.errors import InputError
from zebra_core.evidence.counting import BinnedCounts
from zebra_core.evidence.ordering import hashes_of, in_order, mixed
from zebra_core.evidence.speaker_names import Sessions, Speakers, session_in, speaker_in
from zebra_core.evidence.trials import (
    BoolArray,
    CodeArray,
    FloatArray,
    Ids,
    IntArray,
    ScoreCounts,
    Trials,
    digest_of,
)

NOBODY_KNOWN = -1
"""The code of a test segment whose speaker is not known."""


class TrialSide(Enum):
    """In what part a speaker takes part in a trial. Where neither side is special all mean EITHER."""

    ENROLLED = "enrolled"  # others, or the same speaker, are compared with their voice
    HEARD = "heard"  # their test segments are compared with enrolled voices
    EITHER = "either"


@dataclass(frozen=True, eq=False)
class SpeakerTrials:
    """Comparisons of an enrolment (a speaker's model or one segment) with a test segment.

    Attributes
    ----------
    `speakers`
        Their names, ascending or in the order of their ids (`ordering`).
    `enrol`, `test`, `score`, `is_target`
        One value a trial, (n,), in any order.
    `speaker_of_enrol`, `speaker_of_test`
        For each *name* of `enrol` and `test` the code of its speaker in `speakers`; that of a test may be
        NOBODY_KNOWN.
    `mutual`
        Whether neither side is special (original against original, say): one trial then stands for both
        orders of its pair.

    Examples
    --------
    >>> from zebra_core import SpeakerRule, SpeakerTrials, Trials
    >>> trials = Trials.from_arrays(
    ...     score=[2.0, -1.0, 0.0, 1.5],
    ...     is_target=[True, False, False, True],
    ...     enrol=["ann-1", "ann-1", "ben-1", "ben-1"],
    ...     test=["ann-2", "ben-2", "ann-2", "ben-2"],
    ... )
    >>> spoken = SpeakerTrials.of_trials(trials, SpeakerRule.BEFORE_HYPHEN)
    >>> spoken.speakers, spoken.enrolled.tolist(), spoken.heard.tolist()
    (('ann', 'ben'), [0, 0, 1, 1], [0, 1, 0, 1])
    >>> spoken.taken_part_in("ann")
    array([ True,  True,  True, False])
    """

    speakers: tuple[str, ...]
    enrol: Ids
    test: Ids
    speaker_of_enrol: CodeArray
    speaker_of_test: CodeArray
    score: FloatArray
    is_target: BoolArray
    mutual: bool = False

    def __len__(self) -> int:
        return len(self.score)

    @property
    def digest(self) -> str:
        """Equal for the same scores, in the same order, of the same segments and speakers alone."""
        names = repr((self.speakers, self.enrol.names, self.test.names, self.mutual))
        return digest_of(
            self.enrol.codes,
            self.test.codes,
            self.speaker_of_enrol,
            self.speaker_of_test,
            self.score,
            self.is_target,
            np.frombuffer(names.encode("utf-8", "surrogatepass"), np.uint8),
        )

    @classmethod
    def of_trials(cls, trials: Trials, speakers: Speakers | None = None) -> SpeakerTrials:
        """The trials of an assessment, with their speakers by a map (utt2spk) or a rule on both ids.

        An enrolment that the map does not list is taken for the name of a speaker, as in the VoicePrivacy
        evaluations; so is every enrolment where there is no map. A test segment that it does not list belongs
        to the speaker of its first target trial; where there is none, nobody knows.

        Parameters
        ----------
        `trials`
            They need ids.
        `speakers`
            A map from segment to speaker, or a rule.

        Raises
        ------
        InputError
            Where the trials have no ids, or the label of a trial contradicts the speakers.
        """
        trials = in_order(trials)
        if trials.enrol is None or trials.test is None:
            raise InputError("speakers-unknown")
        said_by = speakers if speakers is not None else {}
        enrol_names = [speaker_in(said_by, name) or name for name in trials.enrol.names]
        test_names = [speaker_in(said_by, name) for name in trials.test.names]
        for position in _first_targets(trials.test, trials.is_target):
            test = int(trials.test.codes[position])
            test_names[test] = test_names[test] or enrol_names[int(trials.enrol.codes[position])]
        everybody = tuple(dict.fromkeys([*enrol_names, *(name for name in test_names if name is not None)]))
        code = {name: number for number, name in enumerate(everybody)}
        made = cls(
            everybody,
            trials.enrol,
            trials.test,
            np.array([code[name] for name in enrol_names], dtype=np.int32),
            np.array([NOBODY_KNOWN if n is None else code[n] for n in test_names], dtype=np.int32),
            trials.score,
            trials.is_target,
        )
        made.refuse_contradictions()
        return made

    @cached_property
    def enrolled(self) -> CodeArray:
        """The code of the enrolled speaker of every trial, shape (n,)."""
        return self.speaker_of_enrol[self.enrol.codes]

    @cached_property
    def heard(self) -> CodeArray:
        """The code of the speaker of the test segment of every trial, shape (n,), or NOBODY_KNOWN."""
        return self.speaker_of_test[self.test.codes]

    def taken_part_in(self, speaker: str) -> BoolArray:
        """Which trials this speaker takes part in, on either side, shape (n,); none for a stranger."""
        if speaker not in self.speakers:
            return np.zeros(len(self), dtype=np.bool_)
        code = self.speakers.index(speaker)
        return np.asarray((self.enrolled == code) | (self.heard == code))

    def own(self) -> IntArray:
        """The places of target trials; of a pair that is listed in both orders one alone, (o,).

        Both are the same comparison: as two, recordings of one speaker would seem to agree.
        """
        at = np.flatnonzero(self.is_target)
        place = {name: number for number, name in enumerate(self.test.names)}
        as_test = np.array([place.get(name, -1) for name in self.enrol.names], np.int64)
        first, second = as_test[self.enrol.codes[at]], self.test.codes[at].astype(np.int64)
        pair = np.minimum(first, second) * len(self.test.names) + np.maximum(first, second)
        is_later = second >= first
        return np.asarray(at[is_later | ~np.isin(pair, pair[is_later])])

    def in_sessions(self, sessions: Sessions) -> SpeakerTrials:
        """The same trials, where all recordings of a speaker in one session are one segment, on either side.

        What they have in common is then no evidence that recordings of this speaker agree.
        """
        enrol, of_enrol = _in_sessions(self.enrol, self.speaker_of_enrol, sessions)
        test, of_test = _in_sessions(self.test, self.speaker_of_test, sessions)
        return replace(self, enrol=enrol, test=test, speaker_of_enrol=of_enrol, speaker_of_test=of_test)

    def both_orders(self) -> SpeakerTrials:
        """The trials with every pair in both orders, where neither side is special; otherwise as they are."""
        if not self.mutual:
            return self
        names = tuple(dict.fromkeys((*self.enrol.names, *self.test.names)))
        position = {name: number for number, name in enumerate(names)}
        speaker = np.full(len(names), NOBODY_KNOWN, dtype=np.int32)
        sides = []
        for ids, speaker_of in ((self.enrol, self.speaker_of_enrol), (self.test, self.speaker_of_test)):
            at = np.array([position[name] for name in ids.names], dtype=np.int32)
            np.maximum.at(speaker, at, speaker_of)  # a name may occur on one side alone
            sides.append(at[ids.codes])
        first, second = sides
        return SpeakerTrials(
            self.speakers,
            Ids(np.concatenate([first, second]), names, self.enrol.is_ordered),
            Ids(np.concatenate([second, first]), names, self.enrol.is_ordered),
            speaker,
            speaker,
            np.tile(self.score, 2),
            np.tile(self.is_target, 2),
        )

    def sums_by_speaker(
        self,
        chosen: BoolArray,
        side: TrialSide,
        values: FloatArray | None = None,
        group: IntArray | None = None,
        n_groups: int = 1,
    ) -> FloatArray:
        """Σ of a value (None: of ones) over the chosen trials that each speaker takes part in.

        With `group`, a number below `n_groups` for each trial, there is one sum for each group. Shape
        (speakers, n_groups). A trial of a speaker against themselves counts once.
        """
        total = np.zeros(len(self.speakers) * n_groups)
        for speaker, part in self._taking_part(chosen, side):
            key = speaker[part].astype(np.intp) * n_groups
            if group is not None:
                key += group[part]
            total += np.bincount(key, None if values is None else values[part], len(total))
        return total.reshape(len(self.speakers), n_groups)

    def _taking_part(self, chosen: BoolArray, side: TrialSide) -> list[tuple[CodeArray, BoolArray]]:
        """Codes of speakers, with the trials in which each code counts."""
        if self.mutual:
            side = TrialSide.EITHER
        known = chosen & (self.heard != NOBODY_KNOWN)
        return {
            TrialSide.ENROLLED: [(self.enrolled, chosen)],
            TrialSide.HEARD: [(self.heard, known)],
            TrialSide.EITHER: [(self.enrolled, chosen), (self.heard, known & (self.heard != self.enrolled))],
        }[side]

    def refuse_contradictions(self) -> None:
        """Raises InputError where the label of a trial says otherwise than its speakers."""
        known = self.heard != NOBODY_KNOWN
        wrong = np.flatnonzero(known & ((self.enrolled == self.heard) != self.is_target))
        if len(wrong):
            first = int(wrong[0])
            code = "target-of-two-speakers" if self.is_target[first] else "nontarget-of-one-speaker"
            raise InputError(
                code,
                enrol=self.enrol[first],
                test=self.test[first],
                speaker=self.speakers[int(self.heard[first])],
                count=len(wrong),
            )


def _in_sessions(ids: Ids, speaker_of: CodeArray, sessions: Sessions) -> tuple[Ids, CodeArray]:
    """Sessions in the place of recordings, in the order of the first of each, and whose they are."""
    names = [
        f"{who}:{session_in(sessions, name)}"
        for name, who in zip(ids.names, speaker_of.tolist(), strict=True)
    ]
    place = {name: number for number, name in enumerate(dict.fromkeys(names))}
    session = np.array([place[name] for name in names], dtype=np.int32)
    speaker = np.empty(len(place), dtype=np.int32)
    speaker[session] = speaker_of
    return Ids(session[ids.codes], tuple(place), ids.is_ordered), speaker


def _first_targets(test: Ids, is_target: BoolArray) -> IntArray:
    """For each test segment that has target trials the position of the first of them."""
    at = np.flatnonzero(is_target)
    _, first = np.unique(test.codes[at], return_index=True)
    return np.asarray(at[first])


def speakers_of(
    enrol: Ids, test: Ids, is_target: BoolArray, utt2spk: Mapping[str, str]
) -> tuple[IntArray, IntArray]:
    """The speaker of each side of every trial, numbered from 0 without gaps; two arrays of shape (n,).

    They ascend by the first of their ids in `enrol.names`, then `test.names`.

    Two ids are of one speaker when `utt2spk` says so, or when a target trial compares them; an id that is
    not in `utt2spk` may itself be a speaker's.
    """
    names = {name: number for number, name in enumerate(dict.fromkeys([*enrol.names, *test.names]))}
    owned = [(name, utt2spk[name]) for name in list(names) if name in utt2spk]
    for _, speaker in owned:
        names.setdefault(speaker, len(names))
    enrol_id = np.array([names[name] for name in enrol.names])[enrol.codes]
    test_id = np.array([names[name] for name in test.names])[test.codes]
    one = np.concatenate([enrol_id[is_target], [names[name] for name, _ in owned]]).astype(np.int64)
    same = np.concatenate([test_id[is_target], [names[speaker] for _, speaker in owned]]).astype(np.int64)
    graph = scipy.sparse.coo_array((np.ones(len(one)), (one, same)), shape=(len(names), len(names)))
    _, speaker_of_id = scipy.sparse.csgraph.connected_components(graph, directed=False)
    sides = np.concatenate([speaker_of_id[enrol_id], speaker_of_id[test_id]])
    number = np.unique(sides, return_inverse=True)[1].astype(np.int64)
    return number[: len(enrol)], number[len(enrol) :]


# How many trials of each pair of speakers got each score: what draws and exchanges of whole speakers need.
#
# A draw of speakers weighs a trial by both of its own, and an exchange of speakers deals out whole pairs of
# them. Neither asks which of their trials it was.


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
