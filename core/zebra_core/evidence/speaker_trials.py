"""Trials between named speakers: who is enrolled, who is heard; where speaker by speaker figures start."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import Enum
from functools import cached_property

import numpy as np
import scipy

from zebra_core.errors import InputError
from zebra_core.evidence.counts import digest_of
from zebra_core.evidence.ordering import in_order
from zebra_core.evidence.speaker_names import Sessions, Speakers, session_in, speaker_in
from zebra_core.evidence.trials import BoolArray, CodeArray, FloatArray, Ids, IntArray, Trials

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
