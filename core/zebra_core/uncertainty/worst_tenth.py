"""The tenth of the people whose recordings are linked most, and how often: whoever these are.

Ref: Hoeffding 1956, "On the distribution of the number of successes in independent trials" (the recordings of
several people together are less spread than a binomial of the same mean); Bonferroni for those who are
picked by the same recordings.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Annotated

import numpy as np
from msgspec import Meta

from zebra_core.evidence.trials import FloatArray, IntArray
from zebra_core.evidence.value_types import Amount, Positive, json_object, note
from zebra_core.uncertainty.linking_points import above_guessing
from zebra_core.uncertainty.mean_bounds import lower_mean, upper_mean
from zebra_core.wording.names import in_sentence
from zebra_core.wording.numbers import of_hundred
from zebra_core.wording.texts import say

_LEVEL = 0.95  # of either end
_MOST_VALUES = 50_000  # of all together that an end rests on: more would hardly move it
_BITS = 4  # of a number of recordings of several people that count, so that few numbers are looked at
_MOST_GROUPS = 1e280  # a smaller error than one in so many cannot be computed
_MOST_NAMED = 5

WORST_TENTH = json_object(
    "WorstTenth",
    speakers=note(list[str], "a tenth of those who are heard, rounded up, whoever is linked most first"),
    heard=note(Positive, "how many people are heard"),
    people=note(Annotated[int, Meta(ge=2)], "among how many they are linked"),
    probability=note(Amount, "the mean share of their recordings that is linked, each person counting alike"),
    low=note(Amount, "of whichever tenth is linked most, at 95 %, corrected for the tenths there are"),
    high=note(Amount, "no tenth is linked more often, at 95 %"),
    above_guessing=note(Amount, "(probability − chance)/(1 − chance)"),
    chance=note(Amount, "how often recordings that are dealt out by chance are linked to these people"),
)


@dataclass(frozen=True)
class WorstTenth:
    """A tenth of the people who are heard, rounded up: those whose recordings are linked most often.

    `probability` is the mean of their shares, which lies high by the choice of the people. Between `low` and
    `high` lies the mean share of whichever tenth is linked most, whoever that is, each end with 95 %
    (`ends_of_worst`). In a simulation of 400 sets each of 8, 20 and 40 people with 3, 3 to 10 and 30
    recordings of each, independent of one another, all alike or a fifth of them linked more often, among all
    and among 5, `low` lay above the true value in at most 2.8 % of the sets, and `high` below it in at most
    0.5 %.
    """

    speakers: tuple[str, ...]
    heard: int
    people: int
    probability: float
    low: float
    high: float
    chance: float

    @classmethod
    def of(
        cls,
        names: Sequence[str],
        recordings: IntArray,
        total: FloatArray,
        people: int,
        guessed: FloatArray,
    ) -> WorstTenth:
        """The worst tenth of people of so many recordings with these sums of linkage probabilities, (n,).

        `guessed`, (n,), is how often a recording that is dealt out is linked to each (`PoolRanks.guessed`).
        Those of whom there are no recordings do not count. Of people who are linked as often the one of whom
        there are more recordings comes first, then the first.
        """
        heard = np.flatnonzero(recordings)
        share = total[heard] / recordings[heard]
        size = -(-len(heard) // 10)
        order = np.lexsort((heard, -recordings[heard], -share))[:size]
        mean = float(share[order].mean())
        low, high = ends_of_worst(recordings[heard], total[heard], size, _LEVEL)
        speakers = tuple(names[place] for place in heard[order].tolist())
        chance = float(guessed[heard[order]].mean())
        return cls(speakers, len(heard), people, mean, min(low, mean), max(high, mean), chance)

    def __str__(self) -> str:
        return say(
            "people.worst-tenth",
            count=len(self.speakers),
            heard=self.heard,
            names=in_sentence(self.speakers, _MOST_NAMED),
            people=self.people,
            share=of_hundred(self.probability),
            low=of_hundred(self.low),
            high=of_hundred(self.high),
            chance=of_hundred(self.chance),
        )

    def as_json(self) -> dict[str, object]:
        """The object in `zebra assess --json` and in the evidence; the keys and their order are a promise."""
        found = {**asdict(self), "speakers": list(self.speakers)}
        chance = found.pop("chance")
        return {**found, "above_guessing": self.above_guessing, "chance": chance}

    @property
    def above_guessing(self) -> float:
        """How far it lies above what guessing reaches with these people."""
        return above_guessing(self.probability, self.chance)


def ends_of_worst(
    recordings: IntArray, total: FloatArray, size: int, level: float, family: int = 1
) -> tuple[float, float]:
    """Ends of the mean share of those `size` people who are linked most, whoever they are, each at `level`.

    Of n people with so many `recordings`, one at least, and sums of linkage probabilities `total`, (n,). Any
    people of m recordings or more are spread no more than a binomial of m for each of them, which bounds
    their mean (`mean_bounds`). The upper end is the highest bound of any such people: it is that of the worst
    or above. The lower end is the highest one that is corrected for as many sets of people as there are, so
    that all hold at once; of so many sets that it cannot be computed the mean of the highest lower bounds of
    single people, corrected for their number. Both are corrected for a `family`, too.
    """
    share = total / recordings
    sets = math.comb(len(share), size)
    counted = recordings if size == 1 else _rounded_down(recordings, max(1, _MOST_VALUES // size))
    low = high = 0.0
    for m in np.unique(counted).tolist():
        there = np.sort(share[counted == m])[::-1]
        others = np.concatenate([there[1:], share[counted > m]])
        if 1 + len(others) < size:
            break
        worst = m * (there[0] + np.sort(others)[::-1][: size - 1].sum())
        high = max(high, float(upper_mean(worst, size * m, level, family)[0]))
        if sets <= _MOST_GROUPS:
            low = max(low, float(lower_mean(worst, size * m, level, float(family * sets))[0]))
    if sets > _MOST_GROUPS:
        single = np.empty_like(share)
        for m in np.unique(counted).tolist():
            at = counted == m
            single[at] = lower_mean(m * share[at], m, level, float(family * len(share)))
        low = float(np.sort(single)[::-1][:size].mean())
    return low, high


def _rounded_down(recordings: IntArray, most: int) -> IntArray:
    """At most so many recordings each, with `_BITS` significant bits: fewer are spread no less."""
    shift = np.maximum(0, np.frexp(recordings.astype(np.float64))[1] - _BITS)
    return np.asarray(np.minimum(most, recordings >> shift << shift), dtype=np.int64)
