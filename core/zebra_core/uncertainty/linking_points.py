"""Linking and singling out among so many people, with intervals over those who are drawn again.

Speakers are drawn with all of their recordings, as those who are heard and as candidates; copies of one who
is drawn twice are never candidates for each other. A set that is drawn so has fewer different people than
there are, which makes linking look easier: the draws give the spread, and are moved to the figure on the
logit.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from typing import Annotated

import numpy as np
from msgspec import Meta

from zebra_core.evidence.trials import FloatArray, IntArray
from zebra_core.evidence.value_types import Amount, Positive, json_object, note
from zebra_core.metrics.chance.seeds import Purpose, draw_often, generator, left_out
from zebra_core.speakers.candidates import PoolScores, linkage, linkage_chance, weighted_linkage
from zebra_core.speakers.rank_disclosure import weighted_rank_bits
from zebra_core.speakers.singling_out import (
    SETS,
    IsolationScores,
    singling_out,
    singling_out_chance,
    singling_out_drawn,
)
from zebra_core.uncertainty.bootstrap import BootstrapSettings
from zebra_core.uncertainty.intervals import Interval, IntervalScale
from zebra_core.uncertainty.mean_bounds import lower_mean, upper_mean
from zebra_core.uncertainty.resampling import FEWEST_CLUSTERS, FigureDraws, rate_draws
from zebra_core.wording.texts import in_sentence, of_hundred, say

_MOST_SETS_DRAWN = 200  # replicates of singling out, each of which goes through sets of people
_AT_ONCE = 1 << 21  # cells of draws against recordings


@dataclass(frozen=True)
class PeoplePoint:
    """One of the two probabilities among so many people, when so many recordings are pooled.

    `interval` is None where nobody asked, or where it takes more people; between the ends of `undisclosed`
    lie 95 % of the sets without disclosure, or nobody asked. `chance` is what guessing reaches. `sets` of
    people were drawn for each enrolment and recording tested; None where `probability` is exact.
    """

    people: int
    recordings: int
    probability: float
    chance: float
    interval: Interval | None = None
    undisclosed: tuple[float, float] | None = None
    sets: int | None = None

    def as_json(self) -> dict[str, object]:
        """The object that `zebra assess --json` prints for a point; keys and their order are a promise."""
        return {
            "people": self.people,
            "recordings": self.recordings,
            "probability": self.probability,
            "low": self.interval.low if self.interval else None,
            "high": self.interval.high if self.interval else None,
            "chance": self.chance,
            "sets": self.sets,
            "above_guessing": self.above_guessing,
        }

    @property
    def above_guessing(self) -> float:
        """See the function of this name."""
        return above_guessing(self.probability, self.chance)


def above_guessing(probability: float, chance: float) -> float:
    """How far a probability lies above guessing: (π − chance)/(1 − chance), 0 below it, 1 where it is 1.

    Where guessing is always right nothing can lie above it.
    Ref: Giomi et al. 2023, "A unified framework for quantifying privacy risk in synthetic data", PoPETs,
    whose risk holds an attack against a baseline in this way.
    """
    return max(0.0, (probability - chance) / (1.0 - chance)) if chance < 1.0 else 0.0


def linkage_points(
    pooled: PoolScores, numbers: Sequence[int], settings: BootstrapSettings | None
) -> list[PeoplePoint]:
    """π_link for these numbers of people, with intervals if there are settings and three who are heard."""
    drawn = linkage_draws(pooled, numbers, settings) if settings else [None] * len(numbers)
    level = settings.level if settings else 0.0
    return [
        PeoplePoint(
            people,
            pooled.recordings,
            linkage(pooled, people),
            linkage_chance(people),
            each.interval(level) if each else None,
        )
        for people, each in zip(numbers, drawn, strict=True)
    ]


def linkage_draws(
    pooled: PoolScores, numbers: Sequence[int], settings: BootstrapSettings, *, of_people: bool = False
) -> list[FigureDraws | None]:
    """π_link for these numbers of people, with people drawn again; None where fewer than three are heard.

    With `of_people` the mean over people of each one's share, as `PoolRanks.naming`, in place of the share of
    recordings.
    """
    n, own = len(pooled.score), pooled.own
    has = np.bincount(own, minlength=n) > 0
    n_heard = int(has.sum())
    if n_heard < FEWEST_CLUSTERS:
        return [None] * len(numbers)
    rng = generator(settings.seed, Purpose.PEOPLE_DRAWN)
    stratum = np.unique(has, return_inverse=True)[1].astype(np.int64)
    drawn, left = (
        _in_blocks(pooled, times.astype(np.int64), numbers, of_people=of_people)
        for times in (draw_often(stratum, rng, settings.replicates), np.array(list(left_out(n))))
    )
    return [
        _rate_draws(linkage(pooled, people, of_people=of_people), drawn[:, k], left[:, k], n_heard, of_people)
        for k, people in enumerate(numbers)
    ]


def _rate_draws(
    rate: float, drawn: FloatArray, left: FloatArray, n_heard: int, of_people: bool
) -> FigureDraws | None:
    """The draws of a rate; of people a share whom nobody in the sample is like may be at either end.

    Each end leaves out half of the error then: it is the mean over people that is bounded, of whom a few may
    always be named and none of them be in the sample.
    """
    found = rate_draws(rate, drawn, left, n_heard)
    if found is None or not of_people:
        return found
    half = 0.5 ** (1.0 / n_heard)
    return replace(found, at_error=(lambda e: (1.0 - e) * half, lambda e: 1.0 - (1.0 - e) * half))


def _in_blocks(pooled: PoolScores, times: IntArray, numbers: Sequence[int], *, of_people: bool) -> FloatArray:
    """`weighted_linkage` of so many draws at once as fit into memory."""
    step = max(1, _AT_ONCE // max(1, len(pooled.own)))
    blocks = [
        weighted_linkage(pooled, times[start : start + step], numbers, of_people=of_people)
        for start in range(0, len(times), step)
    ]
    return np.concatenate(blocks)


def rank_draws(pooled: PoolScores, settings: BootstrapSettings) -> FigureDraws | None:
    """What ranks among all enrolled disclose in bits, with people drawn again; None of fewer than three."""
    own, n = pooled.own, len(pooled.score)
    has = np.bincount(own, minlength=n) > 0
    n_heard = int(has.sum())
    if n_heard < FEWEST_CLUSTERS:
        return None
    rng = generator(settings.seed, Purpose.PEOPLE_DRAWN)
    stratum = np.unique(has, return_inverse=True)[1].astype(np.int64)
    once = np.ones((1, n), dtype=np.int64)
    lots = once, draw_often(stratum, rng, settings.replicates), np.array(list(left_out(n)))
    (estimate,), drawn, left = (weighted_rank_bits(pooled, each.astype(np.int64)) for each in lots)
    return rank_draws_of(float(estimate), drawn, left, n_heard, float(np.log2(n)))


def rank_draws_of(
    estimate: float, drawn: FloatArray, left: FloatArray, n_heard: int, highest: float
) -> FigureDraws:
    """Bits of ranks with their draws, which end at log2 n.

    As they are: fitted by two shapes they adapt to a set hardly more than its size explains.
    """
    return FigureDraws(estimate, drawn, left, n_heard, False, 0.0, highest, IntervalScale.LEFT)


def singling_out_draws(
    scores: IsolationScores, people: int, settings: BootstrapSettings, estimate: float
) -> FigureDraws | None:
    """π_sing, which is `estimate`, with people drawn again, at most 200 times; None for fewer than three."""
    n = scores.n_people
    if n < FEWEST_CLUSTERS:
        return None
    rng = generator(settings.seed, Purpose.PEOPLE_DRAWN, people)
    replicates = min(settings.replicates, _MOST_SETS_DRAWN)
    one_stratum = np.zeros(n, dtype=np.int64)
    drawn, left = (
        singling_out_drawn(scores, times, people, rng)
        for times in (draw_often(one_stratum, rng, replicates), np.array(list(left_out(n))))
    )
    return rate_draws(estimate, drawn, left, n)


def singling_out_points(
    scores: IsolationScores,
    recordings: int,
    numbers: Sequence[int],
    settings: BootstrapSettings | None,
    seed: int,
    *,
    quick: bool = False,
) -> list[PeoplePoint]:
    """π_sing for these numbers of people, with intervals as in `linkage_points`.

    With `quick` by fewer sets of people where all that are drawn else would take long.
    """
    points = []
    for people in numbers:
        sets = scores.n_sets(people, quick=quick)
        estimate = singling_out(scores, people, generator(seed, Purpose.SETS, people), sets or SETS)
        drawn = singling_out_draws(scores, people, settings, estimate) if settings else None
        interval = drawn.interval(settings.level) if settings and drawn else None
        chance = singling_out_chance(people)
        points.append(PeoplePoint(people, recordings, estimate, chance, interval, sets=sets))
    return points


# The tenth of the people whose recordings are linked most, and how often: whoever these are.
#
# Ref: Hoeffding 1956, "On the distribution of the number of successes in independent trials" (the recordings
# of several people together are less spread than a binomial of the same mean); Bonferroni for those who are
# picked by the same recordings.


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
