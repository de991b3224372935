"""Linking and singling out over the number of people and of pooled recordings, with intervals and chance."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Annotated

import numpy as np
from msgspec import Meta
from numpy.typing import ArrayLike

from zebra_core.errors import InputError
from zebra_core.evidence.audit import Remark
from zebra_core.evidence.speaker_trials import SpeakerCounts
from zebra_core.evidence.trials import FloatArray, Ids, IntArray, Trials
from zebra_core.evidence.value_types import Amount, Positive, json_object, note, object_as_json
from zebra_core.metrics.chance.permutation import band
from zebra_core.metrics.chance.seeds import Purpose, generator
from zebra_core.runtime.progress import Progress, no_progress
from zebra_core.speakers.candidates import (
    Candidates,
    PoolScores,
    linkability_probability,
    linkage,
    linkage_chance,
    linked_by_recording,
    none_drawn,
    with_people,
)
from zebra_core.speakers.design import share_more_than_a_speaker
from zebra_core.speakers.matrix import MatrixLinks
from zebra_core.speakers.rank_disclosure import RankDisclosure, rank_disclosure, rank_disclosures
from zebra_core.speakers.singling_out import (
    IsolationScores,
    singling_out_by_sets,
)
from zebra_core.uncertainty.bootstrap import BootstrapSettings
from zebra_core.uncertainty.linking_points import (
    PeoplePoint,
    WorstTenth,
    above_guessing,
    ends_of_worst,
    linkage_points,
    singling_out_points,
)
from zebra_core.uncertainty.mean_bounds import upper_mean
from zebra_core.wording.texts import listed, say, visible, written

DEALS = 49
"""Sets without disclosure."""

POOLED = (1, 3, 30)
"""How many recordings are pooled, where there are so many: the lengths of a conversation in the paper."""

_LEVEL = 0.95  # of either end of what is said of the person who is linked most

_ROUNDING = 1e-12

_AT_ONCE = 1 << 22  # cells of tables that are dealt anew together

_EVERY_NUMBER = 60  # up to so many people a dense curve has every number


MOST_LINKED = json_object(
    "MostLinked",
    speaker=str,
    people=Annotated[int, Meta(ge=2)],
    recordings=note(Positive, "of this person"),
    probability=Amount,
    low=note(Amount, "somebody is linked at least so often, at 95 %, corrected for the number of people"),
    high=note(Amount, "nobody is linked more often, at 95 %"),
    above_guessing=note(Amount, "(probability − chance)/(1 − chance)"),
    chance=note(Amount, "how often recordings that are dealt out by chance are linked to this person"),
    sessions=note(Positive | None, "of these recordings, on which the ends rest; null where not known"),
    tied=note(Positive, "how many people's recordings are linked as often"),
    alike=note(
        Positive, "how many people cannot be told from whoever is linked most; 1 where it is this one"
    ),
)


@dataclass(frozen=True, eq=False)
class PoolRanks:
    """Pools of so many recordings, (t,) each: whose they are, how many others score higher, how many tie.

    `dealt`, (people, k), is what guessing does (`PoolScores.dealt`); None where scores are not at hand, and
    one in so many people is linked by guessing.
    """

    recordings: int
    person: IntArray
    n_higher: IntArray
    n_tied: IntArray
    dealt: IntArray | None = None
    session: IntArray | None = None  # see `PoolScores`

    def of(self, person: int, n_enrolled: int, people: int) -> float | None:
        """The linkage probability of one person; None where there is no pool of theirs."""
        own = self.person == person
        if not own.any():
            return None
        return linkability_probability(self.n_higher[own], n_enrolled, people, self.n_tied[own])

    @classmethod
    def of_pools(cls, pooled: PoolScores) -> PoolRanks:
        """The ranks of complete pools; what guessing does is not looked at."""
        n_higher, n_tied = pooled.higher.sum(axis=0), pooled.tied.sum(axis=0)
        return cls(pooled.recordings, pooled.own, n_higher, n_tied, session=pooled.session)

    @classmethod
    def with_guessing(cls, pooled: PoolScores) -> PoolRanks:
        """The ranks of complete pools, and of pools that are dealt out."""
        return replace(cls.of_pools(pooled), dealt=pooled.dealt())

    def guessed(self, n_enrolled: int, people: int) -> FloatArray:
        """How often a recording that is dealt out is linked to each person, (n,): 1/people on average."""
        if self.dealt is None:
            return np.full(n_enrolled, linkage_chance(people))
        return np.asarray(none_drawn(n_enrolled - 1, people - 1)[self.dealt].mean(axis=1))

    def chance(self, n_enrolled: int, people: int, *, of_people: bool = False) -> float:
        """What guessing reaches with these recordings, or with these people, each of whom counts alike."""
        count = np.bincount(self.person, minlength=n_enrolled)
        weight = count > 0 if of_people else count
        if len(np.unique(weight)) == 1:
            return linkage_chance(people)
        return float(np.average(self.guessed(n_enrolled, people), weights=weight))

    def naming(self, n_enrolled: int, people: int) -> float:
        """How often somebody who is drawn from those who are heard is named: each counts alike."""
        count, total = self.by_person(n_enrolled, people)
        return float((total[count > 0] / count[count > 0]).mean())

    def by_person(self, n_enrolled: int, people: int) -> tuple[IntArray, FloatArray]:
        """How many pools of each enrolled person there are, and the sum of their linkage probabilities."""
        linked = linked_by_recording(self.n_higher, n_enrolled, people, self.n_tied)
        count = np.bincount(self.person, minlength=n_enrolled).astype(np.int64)
        return count, np.asarray(np.bincount(self.person, linked, n_enrolled))

    def by_session(self, n_enrolled: int, people: int) -> tuple[IntArray, FloatArray]:
        """How many independent values there are of each enrolled person, and their sum.

        The mean of each session is one, where sessions are known; else each pool is one, as in `by_person`.
        """
        if self.session is None:
            return self.by_person(n_enrolled, people)
        linked = linked_by_recording(self.n_higher, n_enrolled, people, self.n_tied)
        _, first, session = np.unique(self.session, return_index=True, return_inverse=True)
        mean, person = np.bincount(session, linked) / np.bincount(session), self.person[first]
        count = np.bincount(person, minlength=n_enrolled).astype(np.int64)
        return count, np.asarray(np.bincount(person, mean, n_enrolled))

    def linkage(self, n_enrolled: int, people: int, *, ties_for_attacker: bool = False) -> float:
        """π_link of all pools among so many; ties by lot, or all for the attacker as in the reference."""
        return linkability_probability(
            self.n_higher, n_enrolled, people, None if ties_for_attacker else self.n_tied
        )

    def ranks(self, n_enrolled: int) -> RankDisclosure:
        """What the rank of the own person among all enrolled discloses."""
        return rank_disclosure(self.n_higher, n_enrolled, self.n_tied)


@dataclass(frozen=True)
class MostLinked:
    """The person whose recordings are linked most often among so many people, by single recordings.

    `probability` is the mean over their `recordings`, or over their `sessions` where these are known, each of
    which counts as one. Between `low` and `high` lies how often the person is linked who is linked most,
    whoever that is, each end with 95 %: `high` is the highest upper bound of anybody, `low` the highest lower
    one, corrected for the number of people who are heard; one session of everybody bounds nothing: 0 and 1.
    `each` has, by dataset and name, the share of everybody who is heard, and its upper bound.
    """

    speaker: str
    people: int
    recordings: int
    probability: float
    low: float
    high: float
    chance: float
    sessions: int | None = None
    each: Mapping[tuple[str, str], tuple[float, float]] = field(default_factory=dict, compare=False)

    @classmethod
    def of(cls, names: Sequence[str], ranks: PoolRanks, people: int, family: int = 1) -> MostLinked:
        """Who is linked most often among so many of the enrolled, who are named in the order of their places.

        Of people who are linked as often the one of whom there are more recordings, then the first. The ends
        of a `family` of so many attacks hold at once (Bonferroni).
        """
        count, total = ranks.by_session(len(names), people)
        heard = np.flatnonzero(count)
        low, high = ends_of_worst(count[heard], total[heard], 1, _LEVEL, family)
        place = max(heard.tolist(), key=lambda one: (total[one] / count[one], count[one], -one))
        share = float(total[place] / count[place])
        chance = float(ranks.guessed(len(names), people)[place])
        upper = np.ones(len(names))
        for n in np.unique(count[heard]).tolist():
            if ranks.session is None or n > 1:
                upper[count == n] = upper_mean(total[count == n], n, _LEVEL, family)
        each = {
            ("", names[one]): (float(total[one] / count[one]), float(upper[one])) for one in heard.tolist()
        }
        sessions = None if ranks.session is None else int(count[place])
        bounds_nothing = sessions is not None and count.max() == 1
        ends = (0.0, 1.0) if bounds_nothing else (min(low, share), max(high, share))
        recordings = int(np.count_nonzero(ranks.person == place))
        return cls(names[place], people, recordings, share, *ends, chance, sessions, each)

    @classmethod
    def over(cls, attacks: Sequence[MostLinked], *, datasets: Sequence[str] = ()) -> MostLinked:
        """Who is linked most often by any of these attacks, whose ends hold at once.

        With `datasets` of the attacks the same name in two of them is not the same person.
        """
        found = max(attacks, key=lambda one: (one.probability, one.recordings))
        each: dict[tuple[str, str], tuple[float, float]] = {}
        for one, dataset in zip(attacks, datasets or [""] * len(attacks), strict=True):
            for (_, name), (share, upper) in one.each.items():
                known = each.get((dataset, name), (share, upper))
                each[dataset, name] = max(share, known[0]), max(upper, known[1])
        low, high = max(one.low for one in attacks), max(one.high for one in attacks)
        return replace(found, low=low, high=high, each=each)

    @property
    def has_ends(self) -> bool:
        """Whether the recordings bound it at all."""
        return self.low > 0.0 or self.high < 1.0

    @property
    def tied(self) -> int:
        """How many people's recordings are linked as often, this one with them."""
        return sum(share >= self.probability - _ROUNDING for share, _ in self.each.values())

    @property
    def alike(self) -> int:
        """How many people cannot be told from whoever is linked most: whose upper bound reaches `low`."""
        return sum(upper >= self.low for _, upper in self.each.values())

    def __str__(self) -> str:
        low, share, high, chance = (
            written(100.0 * one, ".0f") for one in (self.low, self.probability, self.high, self.chance)
        )
        facts: dict[str, object] = {"speaker": visible(self.speaker), "people": self.people}
        facts |= {"share": share, "low": low, "high": high, "chance": chance}
        if self.sessions is None:
            return say("people.most-linked", count=self.recordings, **facts)
        if self.sessions == 1:
            return say("people.most-linked-one-session", count=self.recordings, **facts)
        return say("people.most-linked-sessions", recordings=self.recordings, count=self.sessions, **facts)

    def as_json(self) -> dict[str, object]:
        """The object in `zebra assess --json` and in the evidence; the keys and their order are a promise."""
        return object_as_json(MOST_LINKED, self)

    @property
    def above_guessing(self) -> float:
        """How far it lies above what guessing reaches with this person."""
        return above_guessing(self.probability, self.chance)


@dataclass(frozen=True)
class StatedLinkage:
    """π_link among so many people as somebody states, by pooled recordings; no points if fewer are enrolled.

    What holds of those who are enrolled says nothing of more people than these.
    """

    people: int
    points: tuple[PeoplePoint, ...]

    def as_json(self, of_point: Callable[[PeoplePoint], dict[str, object]]) -> dict[str, object]:
        """The object in `zebra assess --json` and in the evidence."""
        return {"people": self.people, "linkage": [of_point(point) for point in self.points]}


@dataclass(frozen=True, eq=False)
class Reidentification:
    """Both curves, by pooled recordings and people ascending, and what ranks disclose among all enrolled.

    `settings` are those of the intervals, None where there are none; `among` is None unless somebody states
    how many people are in question.
    """

    people: tuple[str, ...]
    linkage: tuple[PeoplePoint, ...]
    singling_out: tuple[PeoplePoint, ...]
    ranks: RankDisclosure
    heard: tuple[PoolRanks, ...]
    n_complete: int
    n_listed: int
    n_calibration: int  # M of a single recording; 0 where nobody can be singled out
    settings: BootstrapSettings | None
    remarks: tuple[Remark, ...]
    among: StatedLinkage | None = None

    @property
    def n_enrolled(self) -> int:
        """How many people are enrolled."""
        return len(self.people)

    @property
    def lengths(self) -> tuple[int, ...]:
        """How many recordings may be pooled."""
        return tuple(pools.recordings for pools in self.heard)

    def linkage_of(self, recordings: int) -> tuple[PeoplePoint, ...]:
        """The curve of π_link for so many pooled recordings."""
        return tuple(point for point in self.linkage if point.recordings == recordings)

    def singling_out_of(self, recordings: int) -> tuple[PeoplePoint, ...]:
        """The curve of π_sing."""
        return tuple(point for point in self.singling_out if point.recordings == recordings)

    def most_linked(self, people: int | None = None) -> MostLinked:
        """Who is linked most often among so many people, by default all who are enrolled."""
        return MostLinked.of(self.people, self.heard[0], people or self.n_enrolled)

    @property
    def in_question(self) -> int:
        """Among how many people a recording is linked: as many as are stated, if so many are enrolled.

        All who are enrolled where nobody states it, or where these are fewer.
        """
        return self.among.people if self.among and self.among.points else self.n_enrolled

    def worst_tenth(self, people: int | None = None, recordings: int | None = None) -> WorstTenth:
        """The tenth of the people who are linked most among so many, by default `in_question`.

        By single recordings, or by so many as are pooled.
        """
        among = people or self.in_question
        ranks = next(each for each in self.heard if recordings in {None, each.recordings})
        guessed = ranks.guessed(self.n_enrolled, among)
        return WorstTenth.of(self.people, *ranks.by_session(self.n_enrolled, among), among, guessed)

    def as_json(self) -> dict[str, object]:
        """The object that `zebra assess --json` prints, for the numbers of people in `shown`; a promise."""
        return {
            "linkage": [point.as_json() for point in shown(self.linkage)],
            "singling_out": [point.as_json() for point in shown(self.singling_out)] or None,
            "rank_disclosure": self._ranks_as_json(),
            "most_linked": self.most_linked().as_json(),
            "worst_tenth": self.worst_tenth().as_json(),
            **({"among": self.among.as_json(PeoplePoint.as_json)} if self.among else {}),
        }

    def as_evidence(self) -> dict[str, object]:
        """The object of `as_json` with what evidence has besides: what chance shows, and what it rests on.

        Evidence always rests on all sets, so that it does not say how many there are.
        """

        def more(point: PeoplePoint) -> dict[str, object]:
            low, high = point.undisclosed or (None, None)
            known = {name: value for name, value in point.as_json().items() if name != "sets"}
            return {**known, "undisclosed_low": low, "undisclosed_high": high}

        return {
            "linkage": [more(point) for point in shown(self.linkage)],
            "singling_out": [more(point) for point in shown(self.singling_out)] or None,
            "rank_disclosure": {**self._ranks_as_json(), **self._undisclosed_ranks()},
            "most_linked": self.most_linked().as_json(),
            "n_enrolled": self.n_enrolled,
            "n_recordings": self.n_complete,
            "n_listed": self.n_listed,
            "n_calibration": self.n_calibration,
            "remarks": [str(remark) for remark in self.remarks],
            "worst_tenth": self.worst_tenth().as_json(),
            **({"among": self.among.as_json(more)} if self.among else {}),
        }

    def _ranks_as_json(self) -> dict[str, object]:
        ranks = self.ranks
        return {"mean_bits": ranks.mean_bits, "worst_bits": ranks.worst_bits, "people": ranks.people}

    def _undisclosed_ranks(self) -> dict[str, object]:
        mean, worst = (
            each or (None, None) for each in (self.ranks.mean_undisclosed, self.ranks.worst_undisclosed)
        )
        return {
            "mean_undisclosed_low": mean[0],
            "mean_undisclosed_high": mean[1],
            "worst_undisclosed_low": worst[0],
            "worst_undisclosed_high": worst[1],
        }


def shown(points: Sequence[PeoplePoint]) -> list[PeoplePoint]:
    """The points for 2, 5, 10, 20, 50 … people and for all there are."""
    most = {each.recordings: each.people for each in points}  # they ascend
    return [each for each in points if each.people in numbers_of_people(most[each.recordings])]


def numbers_of_people(most: int, *, dense: bool = False) -> list[int]:
    """2, 5, 10, 20, 50, 100 … and `most`; with `dense` every number up to 60, and more in between."""
    found = {most}
    for power in range(len(str(most))):
        found |= {step * 10**power for step in (1, 2, 5)}
    if dense:
        found |= set(range(2, _EVERY_NUMBER + 1))
        found |= set(np.geomspace(2, max(most, 2), _EVERY_NUMBER).round().astype(int).tolist())
    return sorted(number for number in found if 2 <= number <= most)


def reidentification(
    candidates: Candidates,
    settings: BootstrapSettings | None = None,
    *,
    deals: int = 0,
    dense: bool = False,
    quick: bool = False,
    seed: int = 0,
    on_progress: Progress = no_progress,
) -> Reidentification:
    """Both probabilities for all numbers of people and of pooled recordings that there are.

    With `settings` there are intervals, with `deals` what so many sets without disclosure show; with `quick`
    singling out takes no more than a moment (`IsolationScores.n_sets`). The same settings and seed give the
    same. Never for more people than are enrolled: what holds of few says nothing
    of many.
    """
    linked: list[PeoplePoint] = []
    singled: list[PeoplePoint] = []
    heard: list[PoolRanks] = []
    n_calibration = 0
    lengths = _lengths(candidates)
    parts = _Parts(len(lengths) * (2 + deals), on_progress)
    for size in lengths:
        pooled = candidates.pooled(size).complete
        if not len(pooled.own):
            continue
        people = numbers_of_people(candidates.n_people, dense=dense)
        heard.append(PoolRanks.with_guessing(pooled))
        linked += _linked(pooled, heard[-1], people, settings)
        parts.done()
        scores = IsolationScores.of(pooled)
        if scores is not None:
            n_calibration = n_calibration or scores.n_calibration
            numbers = numbers_of_people(scores.n_people)
            singled += singling_out_points(scores, size, numbers, settings, seed, quick=quick)
        parts.done()
    ranks = heard[0].ranks(candidates.n_people)
    if deals and len(np.unique(heard[0].person)) > 1:  # else nothing can be dealt out
        linked, singled, ranks = _with_chance(candidates, linked, singled, ranks, deals, seed, parts.done)
    on_progress(1.0)
    return Reidentification(
        candidates.people,
        tuple(linked),
        tuple(singled),
        ranks,
        tuple(heard),
        len(candidates.tests),
        candidates.n_listed,
        n_calibration,
        settings,
        _remarks(candidates, singled, heard[0]),
    )


def linkage_probability(
    scores: ArrayLike, enrol: ArrayLike, test: ArrayLike, speakers: Mapping[str, str], people: int
) -> float:
    """How often a recording is linked to its speaker among so many enrolled people: π_link, 0 … 1.

    Of single recordings that were compared with everybody who is enrolled; who ties is drawn by lot. No
    interval: see `reidentification`. Source: `linkage.linkability_probability`.

    Parameters
    ----------
    `scores`
        (n,), higher is more alike.
    `enrol`, `test`
        The ids of both sides of each trial, (n,) each.
    `speakers`
        Who speaks, for every id.
    `people`
        How many of the enrolled a recording is linked among, with its own speaker: 2 or more.

    Returns
    -------
    float
        The share of linked recordings, 0 … 1; guessing gives 1/`people`.

    Raises
    ------
    InputError
        As for any trials; where an id has no speaker, or fewer people are enrolled.

    Examples
    --------
    >>> from zebra_core import linkage_probability
    >>> speakers = {"a1": "ann", "a2": "ann", "b1": "ben", "b2": "ben"}
    >>> enrol, test = ["a1", "b1", "a1", "b1"], ["a2", "a2", "b2", "b2"]
    >>> scores = [2.0, 1.0, 3.0, 0.0]  # a2 is taken for ann, but so is b2
    >>> linkage_probability(scores, enrol, test, speakers, people=2)
    0.5
    """
    sides = Ids.of(enrol), Ids.of(test)
    if lacking := [name for side in sides for name in side.names if name not in speakers]:
        raise InputError("array-no-speaker", id=lacking[0])
    by_enrol, by_test = (np.array([speakers[name] for name in side.names])[side.codes] for side in sides)
    if len(by_enrol) != len(by_test):
        raise InputError("shapes-disagree", scores=len(by_enrol), labels=len(by_test))
    trials = Trials.from_arrays(score=scores, is_target=by_enrol == by_test, enrol=enrol, test=test)
    candidates = Candidates.of(with_people(trials, speakers))
    if not 2 <= people <= candidates.n_people:
        raise InputError("array-people", found=people, enrolled=candidates.n_people)
    return PoolRanks.of_pools(candidates.pooled().complete).linkage(candidates.n_people, people)


def linkage_among(
    candidates: Candidates,
    people: int,
    settings: BootstrapSettings | None = None,
    *,
    deals: int = 0,
    seed: int = 0,
) -> StatedLinkage:
    """π_link among so many people, 2 at least, with intervals and bands of the same draws as the others."""
    if people > candidates.n_people:
        return StatedLinkage(people, ())
    pools = [pooled for size in _lengths(candidates) if len((pooled := candidates.pooled(size).complete).own)]
    points = [_linked(each, PoolRanks.with_guessing(each), [people], settings)[0] for each in pools]
    if deals and len(np.unique(pools[0].own)) > 1:
        dealt = (candidates.dealt(generator(seed, Purpose.SETS_BY_CHANCE, k)) for k in range(deals))
        linked = [[linkage(one.pooled(each.recordings).complete, people) for each in pools] for one in dealt]
        points = _banded(points, np.array(linked))
    return StatedLinkage(people, tuple(points))


def linkage_among_counted(found: Reidentification, people: int) -> StatedLinkage:
    """The same of trials that were only counted: of single recordings, without intervals."""
    if people > found.n_enrolled:
        return StatedLinkage(people, ())
    linked = found.heard[0].linkage(found.n_enrolled, people)
    return StatedLinkage(people, (PeoplePoint(people, 1, linked, linkage_chance(people)),))


def _linked(
    pooled: PoolScores, ranks: PoolRanks, numbers: Sequence[int], settings: BootstrapSettings | None
) -> list[PeoplePoint]:
    """The points of these pools, with what guessing reaches by them."""
    return [
        replace(one, chance=ranks.chance(len(pooled.score), one.people))
        for one in linkage_points(pooled, numbers, settings)
    ]


def of_matrix(found: MatrixLinks) -> Reidentification:
    """Linking and ranks of single recordings from a matrix on the disk, without intervals.

    Singling out needs all scores of many people at once, and is not measured.
    """
    strangers = found.n_columns - len(found.columns)
    remarks = [Remark("reidentification-strangers", {"count": strangers})] if strangers else []
    heard = PoolRanks(1, found.own, found.n_higher, found.n_tied)
    remarks += _remarks_on_ties(heard, len(found.people))
    remarks.append(Remark("reidentification-of-matrix"))
    return _of_ranks(found.people, heard, len(found.columns), remarks)


def of_counts(counts: SpeakerCounts, *, dense: bool = False) -> Reidentification:
    """Linking and ranks from trials that an engine counted, and ranked for each recording.

    Raises InputError where nobody ranked them, and as `Candidates.of` does.
    """
    ranked = counts.ranked
    if ranked is None:
        raise InputError("ranks-unknown")
    if ranked.n_enrolled < 2:
        raise InputError("reidentification-one-person")
    if not ranked.n_listed:
        raise InputError("reidentification-nobody-enrolled")
    complete = ranked.complete
    if not len(complete.speaker):
        raise InputError("reidentification-incomplete", people=ranked.n_enrolled)
    enrolled, person = np.unique(counts.enrolled), np.full(len(counts.speakers), -1)
    person[enrolled] = np.arange(len(enrolled))
    strangers = sorted(counts.speakers[code] for code in np.setdiff1d(counts.heard, enrolled).tolist())
    remarks = _remarks_on_part(len(complete.speaker), ranked.n_listed, strangers)
    people = tuple(counts.speakers[code] for code in enrolled.tolist())
    heard = PoolRanks(1, person[complete.speaker], complete.n_higher, complete.n_tied)
    remarks += _remarks_on_ties(heard, len(people))
    remarks.append(Remark("reidentification-of-counts"))
    return _of_ranks(people, heard, ranked.n_listed, remarks, dense=dense)


def _of_ranks(
    people: tuple[str, ...],
    heard: PoolRanks,
    n_listed: int,
    remarks: Sequence[Remark],
    *,
    dense: bool = False,
) -> Reidentification:
    """Linking and ranks of single recordings, and nothing else."""
    enrolled = len(people)
    points = tuple(
        PeoplePoint(n, 1, heard.linkage(enrolled, n), linkage_chance(n))
        for n in numbers_of_people(enrolled, dense=dense)
    )
    ranks = heard.ranks(enrolled)
    complete = len(heard.n_higher)
    return Reidentification(people, points, (), ranks, (heard,), complete, n_listed, 0, None, tuple(remarks))


def _lengths(candidates: Candidates) -> list[int]:
    """How many recordings may be pooled, so that at least two people have them."""
    return [size for size in POOLED if np.count_nonzero(candidates.n_of_person >= size) >= 2] or [1]


class _Parts:
    """How many equal parts of the work are done."""

    def __init__(self, number: int, on_progress: Progress) -> None:
        self._number, self._on_progress, self._done = number, on_progress, 0

    def done(self) -> None:
        """One more."""
        self._done = min(self._number, self._done + 1)
        self._on_progress(self._done / self._number)


def _remarks(candidates: Candidates, singled: Sequence[PeoplePoint], heard: PoolRanks) -> tuple[Remark, ...]:
    remarks = _remarks_on_part(len(candidates.tests), candidates.n_listed, candidates.not_enrolled)
    remarks += _remarks_on_ties(heard, candidates.n_people)
    if not singled:
        remarks.append(Remark("reidentification-no-calibration"))
    if candidates.session is None and share_more_than_a_speaker(candidates.speaker_of_test):
        remarks.append(Remark("reidentification-sessions"))
    return tuple(remarks)


def _remarks_on_part(complete: int, listed_there: int, not_enrolled: Sequence[str]) -> list[Remark]:
    """Remarks on recordings that were not compared with everybody, and on people who are not enrolled."""
    remarks = []
    if complete < listed_there:
        remarks.append(Remark("reidentification-part", {"count": complete, "recordings": listed_there}))
    if not_enrolled:
        facts: dict[str, object] = {"count": len(not_enrolled), "names": listed(not_enrolled)}
        remarks.append(Remark("reidentification-not-enrolled", facts))
    return remarks


def _remarks_on_ties(heard: PoolRanks, n_enrolled: int) -> list[Remark]:
    """How many recordings tie, and what the reference implementation would make of them."""
    count = int(np.count_nonzero(heard.n_tied))
    if not count:
        return []
    by_reference = heard.linkage(n_enrolled, n_enrolled, ties_for_attacker=True)
    facts: dict[str, object] = {"count": count, "recordings": len(heard.n_tied), "people": n_enrolled}
    facts |= {
        "share": written(100.0 * heard.linkage(n_enrolled, n_enrolled), ".1f"),
        "reference": written(100.0 * by_reference, ".1f"),
    }
    return [Remark("reidentification-ties", facts)]


def _with_chance(
    candidates: Candidates,
    linked: Sequence[PeoplePoint],
    singled: Sequence[PeoplePoint],
    ranks: RankDisclosure,
    deals: int,
    seed: int,
    done: Callable[[], None],
) -> tuple[list[PeoplePoint], list[PeoplePoint], RankDisclosure]:
    """The points and ranks with the bands of what recordings show that are dealt anew."""
    lengths = sorted({point.recordings for point in linked})
    of_links: list[FloatArray] = []
    of_singling: list[FloatArray] = []
    of_ranks: list[tuple[float, float]] = []
    at_once = max(1, _AT_ONCE // candidates.score.size)
    for first in range(0, deals, at_once):
        rngs = [generator(seed, Purpose.SETS_BY_CHANCE, k) for k in range(deals)[first : first + at_once]]
        dealt = [candidates.dealt(rng) for rng in rngs]
        links: list[FloatArray] = []
        singling: list[FloatArray] = []
        for size in lengths:
            pools = [each.pooled(size).complete for each in dealt]
            ranked = [PoolRanks.of_pools(each) for each in pools]
            n_higher, n_tied = (
                np.array([getattr(each, name) for each in ranked]) for name in ("n_higher", "n_tied")
            )
            if size == lengths[0]:
                by_chance = rank_disclosures(n_higher, ranks.people, n_tied)
                of_ranks += [(each.mean_bits, each.worst_bits) for each in by_chance]
            links += [
                linked_by_recording(n_higher, ranks.people, each.people, n_tied).mean(axis=1)
                for each in linked
                if each.recordings == size
            ]
            scores = [each for each in map(IsolationScores.of, pools) if each is not None]
            singling += [
                singling_out_by_sets(scores, each.people, rngs) for each in singled if each.recordings == size
            ]
            for _ in rngs:
                done()
        of_links.append(np.array(links).T)
        of_singling.append(np.array(singling).T)
    mean, worst = ((float(low), float(high)) for low, high in zip(*band(np.array(of_ranks)), strict=True))
    banded = replace(ranks, mean_undisclosed=mean, worst_undisclosed=worst)
    return _banded(linked, np.concatenate(of_links)), _banded(singled, np.concatenate(of_singling)), banded


def _banded(points: Sequence[PeoplePoint], dealt: FloatArray) -> list[PeoplePoint]:
    """The points with the bands of what was dealt, (deals, points)."""
    if not points:
        return []
    low, high = band(dealt)
    return [replace(point, undisclosed=(float(low[k]), float(high[k]))) for k, point in enumerate(points)]
