"""Inference: how well an attribute of speakers (sex, age, accent) is told, by a recogniser or by scores.

Nothing is inferred about anybody who is not in the files: attributes are those that were brought along.
Ref: Article 29 Working Party, Opinion 05/2014, section 2.2, the third of its criteria.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from zebra_core.errors import InputError
from zebra_core.evidence.speaker_trials import NOBODY_KNOWN, SpeakerTrials
from zebra_core.evidence.trials import BoolArray, FloatArray, IntArray, ScoreCounts
from zebra_core.metrics.ece import pav
from zebra_core.metrics.zebra import d_ece_bits


@dataclass(frozen=True, eq=False)
class Guesses:
    """What a recogniser said of recordings, (t,), and the attribute of each of the speakers, (n,).

    `speaker` has the code of each recording's speaker in `speakers`, who are in an order that follows from
    their values and from what was guessed of them: whoever is drawn or dealt does not depend on names.
    `truth` (of speakers) and `guess` (of recordings) are codes into `values`, which ascend; a value may have
    been guessed only.
    """

    speakers: tuple[str, ...]
    values: tuple[str, ...]
    truth: IntArray
    speaker: IntArray
    guess: IntArray

    @classmethod
    def of(
        cls,
        guessed: Mapping[str, str],
        attribute: Mapping[str, str],
        speaker_of: Mapping[str, str] | None = None,
    ) -> Guesses:
        """Guesses by recording, or by speaker where there is no map of recordings to their speakers.

        An id that the map does not list is taken for the name of a speaker. In no order of lines anything
        else comes out. Raises InputError when there is no guess, a speaker has no attribute, or all have the
        same.
        """
        if not guessed:
            raise InputError("inference-nothing-guessed")
        spoken = {one: (speaker_of or {}).get(one, one) for one in sorted(guessed)}
        speakers = tuple(sorted(set(spoken.values())))
        unknown = [name for name in speakers if name not in attribute]
        if unknown:
            raise InputError("inference-without-attribute", example=unknown[0], count=len(unknown))
        true = [attribute[name] for name in speakers]
        if len(set(true)) < 2:
            raise InputError("inference-one-value", found=true[0])
        values = tuple(sorted({*true, *guessed.values()}))
        code = {value: number for number, value in enumerate(values)}
        of_speaker: dict[str, list[int]] = {name: [] for name in speakers}
        for one, who in spoken.items():
            of_speaker[who].append(code[guessed[one]])
        # Who has the same value and the same guesses as another can be exchanged with them.
        speakers = tuple(sorted(speakers, key=lambda who: (code[attribute[who]], sorted(of_speaker[who]))))
        return cls(
            speakers,
            values,
            np.array([code[attribute[who]] for who in speakers], dtype=np.int64),
            np.repeat(np.arange(len(speakers)), [len(of_speaker[who]) for who in speakers]),
            np.array([guess for who in speakers for guess in of_speaker[who]], dtype=np.int64),
        )

    @cached_property
    def by_speaker(self) -> IntArray:
        """How often each speaker was guessed to have each value, (n, values)."""
        size = len(self.values)
        cell = self.speaker * size + self.guess
        return np.bincount(cell, minlength=len(self.speakers) * size).reshape(-1, size)

    def confusion(self, times: IntArray | None = None, truth: IntArray | None = None) -> IntArray:
        """Recordings by true value (rows) and guess (columns), (values, values).

        `times`, (n,), says how often each speaker is there; `truth`, (n,), replaces the attributes.
        """
        weight = self.by_speaker if times is None else self.by_speaker * times[:, np.newaxis]
        found = np.zeros((len(self.values), len(self.values)), dtype=np.int64)
        np.add.at(found, self.truth if truth is None else truth, weight)
        return found


def accuracy(confusion: IntArray) -> float:
    """The fraction of recordings whose value was guessed."""
    return float(np.trace(confusion) / confusion.sum())


def accuracy_chance(confusion: IntArray) -> float:
    """What always guessing the commonest value reaches without listening."""
    return float(confusion.sum(axis=1).max() / confusion.sum())


def unweighted_average_recall(confusion: IntArray) -> float:
    """The mean over true values of the fraction of their recordings that were told; each value counts alike.

    Values that no recording has take no part. Ref: Schuller et al. 2009, the INTERSPEECH emotion challenge.
    """
    n_true = confusion.sum(axis=1)
    there = n_true > 0
    return float(np.mean(np.diagonal(confusion)[there] / n_true[there]))


def unweighted_average_recall_chance(confusion: IntArray) -> float:
    """What any guess without listening reaches: 1 over the number of true values."""
    return 1.0 / int(np.count_nonzero(confusion.sum(axis=1)))


def mutual_information_bits(confusion: IntArray | FloatArray) -> float:
    """I(true value; guess) in bits of these very counts or shares: 0 … the smaller of both entropies.

    A recogniser that is always wrong of two values tells as much as one that is always right. Of few
    recordings it is too high: `uncertainty.inference` adjusts it by what dealt attributes show.
    Ref: Shannon 1948, section 12.
    """
    joint = confusion / confusion.sum()
    apart = joint.sum(axis=1, keepdims=True) * joint.sum(axis=0, keepdims=True)
    there = joint > 0.0
    return max(0.0, float(joint[there] @ np.log2(joint[there] / apart[there])))


@dataclass(frozen=True, eq=False)
class AttributePairs:
    """Comparisons of two different speakers whose attributes are both known.

    `first`, `second` (codes into `speakers`, which ascend) and `score` have one value a trial, (t,);
    `attribute`, (n,), is a code into `values`, which ascend. `n_left_out` comparisons of different speakers
    were of somebody without attribute, or of nobody known.
    """

    speakers: tuple[str, ...]
    values: tuple[str, ...]
    attribute: IntArray
    first: IntArray
    second: IntArray
    score: FloatArray
    n_left_out: int = 0

    @classmethod
    def of(cls, trials: SpeakerTrials, attribute: Mapping[str, str]) -> AttributePairs:
        """The different-speaker trials of those with an attribute.

        Raises InputError where no two different speakers of the same value were compared, or none of
        different values.
        """
        values = tuple(sorted({attribute[name] for name in trials.speakers if name in attribute}))
        code = {value: number for number, value in enumerate(values)}
        of_all = np.array([code.get(attribute.get(name, ""), -1) for name in trials.speakers], dtype=np.int64)
        different = ~trials.is_target & (trials.enrolled != trials.heard)
        heard = trials.heard != NOBODY_KNOWN
        known = different & heard & (of_all[trials.enrolled] >= 0) & (of_all[trials.heard] >= 0)
        there = np.unique(np.concatenate([trials.enrolled[known], trials.heard[known]]))
        made = cls(
            tuple(trials.speakers[int(number)] for number in there),
            values,
            of_all[there],
            np.searchsorted(there, trials.enrolled[known]).astype(np.int64),
            np.searchsorted(there, trials.heard[known]).astype(np.int64),
            trials.score[known],
            int(np.count_nonzero(different & ~known)),
        )
        same = made.same()
        if not same.any() or same.all():
            raise InputError("inference-no-pairs-same" if not same.any() else "inference-no-pairs-different")
        return made

    @cached_property
    def ranked(self) -> tuple[FloatArray, IntArray]:
        """The distinct scores, ascending, and the place of each trial's among them, (t,); sorted once."""
        distinct, place = np.unique(self.score, return_inverse=True)
        return distinct, place.astype(np.int64)

    def same(self, attribute: IntArray | None = None) -> BoolArray:
        """Whether both speakers of each trial have one value, (t,); `attribute`, (n,), replaces theirs."""
        of = self.attribute if attribute is None else attribute
        return np.asarray(of[self.first] == of[self.second])


def attribute_disclosure(
    pairs: AttributePairs, times: IntArray | None = None, attribute: IntArray | None = None
) -> float | None:
    """D_ECE in bits of: same attribute against different attribute, over different-speaker pairs alone.

    0 where different speakers of one value are no more alike than those of two, 1/(2 ln 2) where all of them
    are. Calibrated on these very scores (PAV), so it is never below 0, and too high for few. `times`, (n,),
    says how often each speaker is there: a pair counts as the product; copies of a speaker are no pair.
    `attribute`, (n,), replaces the attributes. None where one of the classes has no pair.
    """
    same = pairs.same(attribute)
    score, place = pairs.ranked
    weight = np.ones(len(same), dtype=np.int64)
    if times is not None:
        weight = times[pairs.first].astype(np.int64) * times[pairs.second]
    n_same, n_different = (
        np.rint(np.bincount(place[kind], weight[kind], len(score))).astype(np.int64) for kind in (same, ~same)
    )
    if not (n_same.any() and n_different.any()):
        return None
    there = n_same + n_different > 0
    blocks = pav(ScoreCounts(score[there], n_same[there], n_different[there]))
    return d_ece_bits(blocks.llr, blocks.target_share, blocks.nontarget_share)
