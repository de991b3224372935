"""Scores of segments against segments, and from them trials between speakers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from zebra_core.errors import InputError
from zebra_core.evidence.audit import InputFile, Remark
from zebra_core.evidence.speaker_names import SpeakerRule, Speakers, speaker_in
from zebra_core.evidence.speaker_trials import NOBODY_KNOWN, SpeakerTrials
from zebra_core.evidence.trials import BoolArray, CodeArray, FloatArray, Ids

_LARGEST_TABLE = 1 << 28  # pairs, one byte each: 16 384 segments


@dataclass(frozen=True, eq=False)
class SegmentScores:
    """Scores of segments against segments, in any order of trials.

    Attributes
    ----------
    `first`, `second`
        The segments of each trial, (n,). In the OP setting `first` are original, `second` protected segments,
        which keep the id of the original.
    `score`
        The score of each trial, (n,): higher means more alike, without a unit.
    `name`
        What to call the scores in a sentence: the file they came from.
    `remarks`
        What the audit of the file found.

    Raises
    ------
    InputError
        Where lengths differ or a score is not finite.

    Examples
    --------
    >>> import numpy as np
    >>> from zebra_core import SegmentScores
    >>> from zebra_core.evidence.trials import Ids
    >>> first, second = ["ann-1", "ann-1", "ann-2"], ["ann-2", "ben-1", "ben-1"]
    >>> scores = SegmentScores(Ids.of(first), Ids.of(second), np.array([2.0, -1.0, 0.0]))
    >>> len(scores), scores.first[2], scores.second[2], float(scores.score[2])
    (3, 'ann-2', 'ben-1', 0.0)
    """

    first: Ids
    second: Ids
    score: FloatArray
    name: str = ""
    remarks: tuple[Remark, ...] = ()

    def __post_init__(self) -> None:
        if not len(self.first) == len(self.second) == len(self.score):
            raise InputError("shapes-disagree", scores=len(self.score), labels=len(self.first))
        if not np.isfinite(self.score).all():
            position = int(np.flatnonzero(~np.isfinite(self.score))[0])
            raise InputError("array-not-finite", position=position, found=str(self.score[position]))

    def __len__(self) -> int:
        return len(self.score)


@dataclass(frozen=True, eq=False)
class SpokenSegments:
    """Segment scores with the speakers of both sides; what is needed before speakers are chosen.

    `names` are all distinct segments; `first` and `second` (n,) code into them; `speaker_of` holds for each
    of them its speaker, or None where nobody is known. `ids_are_speakers` where no segments are known.
    """

    scores: SegmentScores
    names: tuple[str, ...]
    first: CodeArray
    second: CodeArray
    speaker_of: tuple[str | None, ...]
    ids_are_speakers: bool

    @classmethod
    def of(cls, scores: SegmentScores, speakers: Speakers) -> SpokenSegments:
        """Look up the speaker of every segment. Raises InputError at a pair that is scored twice."""
        names = tuple(dict.fromkeys((*scores.first.names, *scores.second.names)))
        position = {name: number for number, name in enumerate(names)}
        first, second = (
            np.array([position[name] for name in ids.names], dtype=np.int32)[ids.codes]
            for ids in (scores.first, scores.second)
        )
        whole = speakers is SpeakerRule.WHOLE_ID
        speaker_of = tuple(speaker_in(speakers, name) for name in names)
        spoken = cls(scores, names, first, second, speaker_of, whole)
        if not whole:
            spoken._refuse_repeats()
        return spoken

    @property
    def speakers(self) -> frozenset[str]:
        """All speakers that are known here."""
        return frozenset(speaker for speaker in self.speaker_of if speaker is not None)

    @property
    def without_speaker(self) -> tuple[str, ...]:
        """The segments of which the speaker is not known."""
        return tuple(
            name for name, speaker in zip(self.names, self.speaker_of, strict=True) if speaker is None
        )

    def self_comparisons(self) -> BoolArray:
        """Which trials compare a segment with itself (in OP: with its own protected version), shape (n,)."""
        if self.ids_are_speakers:
            return np.zeros(len(self.first), dtype=np.bool_)
        return np.asarray(self.first == self.second)

    def n_both_orders(self) -> int:
        """How many pairs of different segments are scored in both orders."""
        if self.ids_are_speakers:
            return 0
        low, high = np.minimum(self.first, self.second), np.maximum(self.first, self.second)
        return len(low) - self._n_distinct(low, high)

    def segments_by_speaker(self) -> dict[str, int]:
        """How many segments of each known speaker there are."""
        count: dict[str, int] = {}
        for speaker in self.speaker_of:
            if speaker is not None:
                count[speaker] = count.get(speaker, 0) + 1
        return count

    def trials(self, speakers: tuple[str, ...], *, mutual: bool) -> SpeakerTrials:
        """The trials between these speakers, self-comparisons of one segment left out.

        `mutual` is true where both sides are of one kind (OO, PP): one trial then stands for both orders.
        """
        code = {speaker: number for number, speaker in enumerate(speakers)}
        speaker_of = np.array(
            [NOBODY_KNOWN if s is None else code.get(s, NOBODY_KNOWN) for s in self.speaker_of], np.int32
        )
        first, second, score = self.first, self.second, self.scores.score
        kept = ~self.self_comparisons()
        if (speaker_of == NOBODY_KNOWN).any():
            kept &= (speaker_of[first] != NOBODY_KNOWN) & (speaker_of[second] != NOBODY_KNOWN)
        if not kept.all():
            first, second, score = first[kept], second[kept], score[kept]
        return SpeakerTrials(
            speakers,
            Ids(first, self.names),
            Ids(second, self.names),
            speaker_of,
            speaker_of,
            score,
            speaker_of[first] == speaker_of[second],
            mutual,
        )

    def _n_distinct(self, first: CodeArray, second: CodeArray) -> int:
        """How many different pairs these are; without a sort where a table of all pairs fits in memory."""
        size = len(self.names)
        pair = first.astype(np.int64) * size + second
        if size * size > _LARGEST_TABLE:
            return len(np.unique(pair))
        seen = np.zeros(size * size, dtype=np.bool_)
        seen[pair] = True
        return int(np.count_nonzero(seen))

    def _refuse_repeats(self) -> None:
        if self._n_distinct(self.first, self.second) == len(self.first):
            return
        pair = self.first.astype(np.int64) * len(self.names) + self.second
        order = np.argsort(pair, kind="stable")
        again = int(order[1:][pair[order][1:] == pair[order][:-1]].min())
        before = int(np.flatnonzero(pair == pair[again])[0])
        raise InputError(
            "segment-pair-twice",
            file=self.scores.name,
            first=self.names[int(self.first[again])],
            second=self.names[int(self.second[again])],
            row=again + 1,
            first_row=before + 1,
        )


@dataclass(frozen=True, eq=False)
class SegmentEvidence:
    """Segment scores of up to three settings, by "oo", "op" and "pp", with who speaks in them.

    `sex` maps speakers to words, as in Kaldi's spk2gender. With `across_runs` PP compares two runs of the
    safeguard. `files` are those that everything was read from.
    """

    scores: Mapping[str, SegmentScores]
    speakers: Speakers
    sex: Mapping[str, str] = field(default_factory=dict)
    files: tuple[InputFile, ...] = ()
    across_runs: bool = False

    def trials(self, setting: str, speakers: tuple[str, ...]) -> SpeakerTrials:
        """The trials of one setting between these speakers, as in its matrix. Raises KeyError."""
        mutual = setting == "oo" or (setting == "pp" and not self.across_runs)
        return SpokenSegments.of(self.scores[setting], self.speakers).trials(speakers, mutual=mutual)

    def all_trials(self, speakers: tuple[str, ...]) -> dict[str, SpeakerTrials]:
        """The trials of every setting between these speakers, by setting."""
        return {setting: self.trials(setting, speakers) for setting in sorted(self.scores)}
