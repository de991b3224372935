"""Test recordings against every enrolled person: what linking and singling out are measured on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from zebra_core.errors import InputError
from zebra_core.evidence.ordering import in_order
from zebra_core.evidence.speaker_names import Sessions, session_in
from zebra_core.evidence.speaker_trials import NOBODY_KNOWN, SpeakerTrials, speakers_of
from zebra_core.evidence.trials import BoolArray, FloatArray, Ids, IntArray, Trials, digest_of
from zebra_core.metrics.chance.partitioning import dealt_within_rows, lots, places_by_lot
from zebra_core.metrics.chance.seeds import Purpose, generator

_MOST_DEALT = 1 << 17  # people times recordings that are dealt out, of which chance is told

LARGEST_TABLE = 1 << 25
"""Cells of models against recordings: beyond it a table is too large for the memory it would take."""


@dataclass(frozen=True, eq=False)
class Candidates:
    """The complete part of a list: recordings of enrolled people that were scored against all of them.

    `score` is (models, recordings), NaN where a model and a recording were not compared. Models are ordered
    by person and name, recordings too: no order of lines is left. `person_of_model` and `person_of_test` are
    places in `people`, the enrolled, who are in the order of their ids (`ordering`). `n_listed` counts the
    recordings of enrolled people, complete or not; `not_enrolled` names the others who are heard. `session`,
    (recordings,), is a number for each session of a person; None where sessions are not known.
    """

    people: tuple[str, ...]
    models: tuple[str, ...]
    tests: tuple[str, ...]
    person_of_model: IntArray
    person_of_test: IntArray
    score: FloatArray
    n_listed: int
    not_enrolled: tuple[str, ...] = ()
    session: IntArray | None = None

    @classmethod
    def of(
        cls, trials: SpeakerTrials, *, is_one_kind: bool = False, sessions: Sessions | None = None
    ) -> Candidates:
        """The complete part of these trials; a pair that is scored twice has the mean of its scores.

        A person is complete for a recording who has a model that was compared with it. Where both sides are
        one kind of speech (`is_one_kind`), a list that has every pair of recordings once is read in both
        orders, see `with_both_orders`. Raises InputError
        where fewer than two people are enrolled, where nobody heard is enrolled, where no recording was
        compared with everybody, or where the table would be too large.
        """
        trials = with_both_orders(trials) if is_one_kind else trials.both_orders()
        enrolled = np.unique(trials.enrolled)
        if len(enrolled) < 2:
            raise InputError("reidentification-one-person")
        models = _in_order(trials.enrol, trials.speaker_of_enrol, enrolled)
        tests = _in_order(trials.test, trials.speaker_of_test, enrolled)
        if not len(tests):
            raise InputError("reidentification-nobody-enrolled")
        if len(models) * len(tests) > LARGEST_TABLE:
            raise InputError("reidentification-too-large", models=len(models), recordings=len(tests))
        score = _table(trials, models, tests)
        if np.array_equal(
            [trials.enrol.names[code] for code in models.tolist()],
            [trials.test.names[code] for code in tests.tolist()],
        ):
            score = _without_one_of_each(score, trials.speaker_of_test[tests])
        person = np.full(len(trials.speakers), NOBODY_KNOWN, dtype=np.int64)
        person[enrolled] = np.arange(len(enrolled))
        heard = np.unique(trials.heard)
        strangers = heard[(heard != NOBODY_KNOWN) & (person[heard] == NOBODY_KNOWN)]
        made = cls(
            tuple(trials.speakers[int(code)] for code in enrolled),
            tuple(trials.enrol.names[int(code)] for code in models),
            tuple(trials.test.names[int(code)] for code in tests),
            person[trials.speaker_of_enrol[models]],
            person[trials.speaker_of_test[tests]],
            score,
            len(tests),
            tuple(sorted(trials.speakers[int(code)] for code in strangers)),
        )
        complete = np.flatnonzero(~np.isnan(made.pooled().score).any(axis=0))
        if not len(complete):
            raise InputError("reidentification-incomplete", people=len(enrolled))
        kept = tuple(made.tests[int(place)] for place in complete)
        person = made.person_of_test[complete]
        return replace(
            made,
            tests=kept,
            session=None if sessions is None else _numbered(kept, person, sessions),
            person_of_test=person,
            score=np.ascontiguousarray(score[:, complete]),
        )

    @property
    def n_people(self) -> int:
        """How many are enrolled."""
        return len(self.people)

    @property
    def speaker_of_test(self) -> dict[str, int]:
        """The person who is heard in each recording."""
        return dict(zip(self.tests, self.person_of_test.tolist(), strict=True))

    @property
    def digest(self) -> str:
        """Equal for the same scores of the same models and recordings, made in the same sessions."""
        sessions = np.empty(0, np.int64) if self.session is None else self.session
        return digest_of(self.person_of_model, self.person_of_test, sessions, self.score)

    @cached_property
    def n_of_person(self) -> IntArray:
        """How many recordings there are of each enrolled person, shape (people,)."""
        return np.asarray(np.bincount(self.person_of_test, minlength=self.n_people))

    def pooled(self, recordings: int = 1) -> PoolScores:
        """Recordings of each person, in their order, in disjoint groups of so many: the mean of their scores.

        What is left over is in no group. Models of a person are grouped alike, or all together where there
        are fewer; `of_each_person` says what counts of several groups. A pair of groups in which a comparison
        is missing has no score.
        """
        by_group, starts, person = self._by_group(recordings)
        # Groups of several recordings may share a session: of each person they are one.
        session = self.session if self.session is None or recordings == 1 else person
        return PoolScores(of_each_person(by_group, starts), person, recordings, session)

    def best_of_as_many(self) -> PoolScores | None:
        """Single recordings by the best of as many models of everybody; None where that is `pooled`.

        As many as whoever has the fewest that were compared with the recording; which, is drawn by lot.
        """
        by_group, starts, person = self._by_group(1)
        n_there = _n_there(by_group, starts)
        if _has_as_many(n_there).all():
            return None
        score, few = by_group.copy(), n_there.min(axis=0)
        lot = np.where(np.isnan(by_group), 2.0, lots(by_group.shape, generator(0, Purpose.MODELS)))
        for own in np.split(np.arange(len(score)), starts[1:]):
            score[own] = np.where(lot[own].argsort(axis=0).argsort(axis=0) < few, score[own], np.nan)
        return PoolScores(np.fmax.reduceat(score, starts, axis=0), person, session=self.session)

    def _by_group(self, recordings: int) -> tuple[FloatArray, IntArray, IntArray]:
        """Scores of groups of models (g, t), where those of each person begin (n,), and who is heard (t,)."""
        tests, person = groups_of_size(self.person_of_test, recordings, self.n_people)
        models, owner = model_groups(self.person_of_model, recordings, self.n_people)
        by_test = self.score[:, tests].mean(axis=2) if recordings > 1 else self.score[:, tests[:, 0]]
        starts = np.flatnonzero(np.diff(owner, prepend=-1))
        if all(len(group) == 1 for group in models):
            return by_test[[int(group[0]) for group in models]], starts, person
        return np.stack([by_test[group].mean(axis=0) for group in models]), starts, person

    def dealt(self, rng: np.random.Generator) -> Candidates:
        """The candidates with nothing disclosed: recordings dealt anew within each model's row.

        Exchanging the names of people alone would leave singling out as it is.
        """
        return replace(self, score=dealt_within_rows(self.score, rng))


@dataclass(frozen=True, eq=False)
class PoolScores:
    """Groups of `recordings` recordings against all enrolled people: a score for each (`of_each_person`).

    `score` is (people, groups), NaN where a comparison is missing; `own` (groups,) is the place of the person
    who is heard, ascending; `session` (groups,) numbers what is independent of all else of this person, or
    None where each group is taken to be.
    """

    score: FloatArray
    own: IntArray
    recordings: int = 1
    session: IntArray | None = None

    @property
    def complete(self) -> PoolScores:
        """The groups that were compared with every enrolled person."""
        kept = ~np.isnan(self.score).any(axis=0)
        if kept.all():
            return self
        session = None if self.session is None else self.session[kept]
        return replace(self, score=self.score[:, kept], own=self.own[kept], session=session)

    @property
    def higher(self) -> BoolArray:
        """Which people score strictly higher than the person who is heard, shape (people, groups)."""
        return np.asarray(self.score > self._own_score)

    @property
    def tied(self) -> BoolArray:
        """Which other people score the same as the person who is heard, shape (people, groups)."""
        found = np.asarray(self.score == self._own_score)
        found[self.own, np.arange(len(self.own))] = False
        return found

    def dealt(self) -> IntArray:
        """What guessing does, (people, k): how many others come before each person in a recording dealt out.

        Scores are dealt out within each person's row, as `Candidates.dealt` does; who ties comes first by
        lot. Of complete groups. The same scores give the same.
        """
        rng, n = generator(0, Purpose.NAMED_BY_CHANCE), len(self.score)
        shape = n, max(1, _MOST_DEALT // n)
        at = places_by_lot(self.score.shape[1], shape, rng)
        order = np.lexsort((lots(shape, rng), np.take_along_axis(self.score, at, axis=1)), axis=0)
        found = np.empty(shape, dtype=np.int64)
        np.put_along_axis(found, order, np.arange(n - 1, -1, -1)[:, np.newaxis], axis=0)
        return found

    @property
    def _own_score(self) -> FloatArray:
        return self.score[self.own, np.arange(len(self.own))]


def of_each_person(by_group: FloatArray, starts: IntArray) -> FloatArray:
    """The score of each person, (n, t), from those of groups of their models, (g, t), beginning at `starts`.

    The best where everybody has as many that were compared with the recording: whoever speaks is then likely
    to have one that was made in the same way. Else the mean: with the best, whoever has more models comes
    first more often though nothing is disclosed. NaN where a person has none.
    """
    if len(starts) == len(by_group):
        return by_group
    n_there, best = _n_there(by_group, starts), np.fmax.reduceat(by_group, starts, axis=0)
    total = np.add.reduceat(np.where(np.isnan(by_group), 0.0, by_group), starts, axis=0)
    mean = np.divide(total, n_there, out=np.full(n_there.shape, np.nan), where=n_there > 0)
    return np.where(_has_as_many(n_there), best, mean)


def _n_there(by_group: FloatArray, starts: IntArray) -> IntArray:
    """How many groups of models of each person were compared with each recording, (n, t)."""
    return np.asarray(np.add.reduceat(~np.isnan(by_group), starts, axis=0, dtype=np.int64))


def _has_as_many(n_there: IntArray) -> BoolArray:
    """With which recordings, (t,), everybody was compared by as many groups of models."""
    return np.asarray(n_there.min(axis=0) == n_there.max(axis=0))


def with_people(trials: Trials, utt2spk: Mapping[str, str] | None = None) -> SpeakerTrials:
    """Trials with who is who by the map, or by target trials: models of one test segment are one person's.

    A person is called as the map says, or as the first of their models by name. Raises InputError where
    trials have no ids, or where a nontarget trial compares somebody with themselves.
    """
    trials = in_order(trials)
    if trials.enrol is None or trials.test is None:
        raise InputError("speakers-unknown")
    said = utt2spk or {}
    enrol, test = speakers_of(trials.enrol, trials.test, trials.is_target, said)
    by_enrol, by_test = _of_names(trials.enrol, enrol), _of_names(trials.test, test)
    called: dict[int, str] = {}
    for names, codes in ((trials.enrol.names, by_enrol), (trials.test.names, by_test)):
        missing: dict[int, str] = {}
        for name, code in zip(names, codes.tolist(), strict=True):
            if code >= 0 and code not in called:
                known = said.get(name, name)
                missing[code] = min(known, missing.get(code, known))
        called |= missing
    everybody = sorted(called)
    place = np.full(max(everybody) + 1, NOBODY_KNOWN, dtype=np.int32)
    place[everybody] = np.arange(len(everybody))
    made = SpeakerTrials(
        tuple(called[code] for code in everybody),
        trials.enrol,
        trials.test,
        np.where(by_enrol >= 0, place[by_enrol], NOBODY_KNOWN).astype(np.int32),
        np.where(by_test >= 0, place[by_test], NOBODY_KNOWN).astype(np.int32),
        trials.score,
        trials.is_target,
    )
    made.refuse_contradictions()
    return made


def with_both_orders(trials: SpeakerTrials) -> SpeakerTrials:
    """A list that has every pair of its recordings once, in both orders; any other as it is.

    A score of two recordings serves an attacker to name the speaker of either. As it is listed, a recording
    meets those before it alone, and few meet everybody. That is so of ZEBRA's own lists of every pair, and of
    anybody's. Only where both sides are one kind of speech: a protected recording is not its original.
    """
    names = {*trials.enrol.names} | {*trials.test.names}
    place = {name: number for number, name in enumerate(names)}
    sides = [
        np.array([place[name] for name in ids.names], np.int64)[ids.codes]
        for ids in (trials.enrol, trials.test)
    ]
    first, last = np.minimum(*sides), np.maximum(*sides)
    n_pairs = len(names) * (len(names) - 1) // 2
    is_each_once = len(trials) == n_pairs == len(np.unique((first * len(names) + last)[first != last]))
    return replace(trials, mutual=True).both_orders() if is_each_once else trials.both_orders()


def _numbered(recordings: Sequence[str], person: IntArray, sessions: Sessions) -> IntArray:
    """A number for each session of each person, (recordings,)."""
    names = [(who, session_in(sessions, name)) for name, who in zip(recordings, person.tolist(), strict=True)]
    number = {name: n for n, name in enumerate(dict.fromkeys(names))}
    return np.array([number[name] for name in names], dtype=np.int64)


def _of_names(ids: Ids, code: IntArray) -> IntArray:
    """The code of each name, (names,); −1 for one that occurs in no trial."""
    found = np.full(len(ids.names), -1, dtype=np.int64)
    found[ids.codes] = code
    return found


def _in_order(ids: Ids, speaker_of: IntArray | np.ndarray, enrolled: np.ndarray) -> IntArray:
    """The codes of the ids that occur and whose person is enrolled, by person and name."""
    codes = np.unique(ids.codes)
    codes = codes[np.isin(speaker_of[codes], enrolled)]
    return np.array(
        sorted(codes.tolist(), key=lambda code: (int(speaker_of[code]), ids.names[code])), dtype=np.int64
    )


def _table(trials: SpeakerTrials, models: IntArray, tests: IntArray) -> FloatArray:
    row = np.full(len(trials.enrol.names), -1, dtype=np.int64)
    column = np.full(len(trials.test.names), -1, dtype=np.int64)
    row[models], column[tests] = np.arange(len(models)), np.arange(len(tests))
    at_row, at_column = row[trials.enrol.codes], column[trials.test.codes]
    used = np.flatnonzero((at_row >= 0) & (at_column >= 0))
    cell, score = at_row[used] * len(tests) + at_column[used], trials.score[used]
    found = np.full(len(models) * len(tests), np.nan)
    found[cell] = score
    if int(np.count_nonzero(~np.isnan(found))) < len(cell):  # some twice: added up in the order of scores
        order = np.lexsort((score, cell))
        first = np.flatnonzero(np.diff(cell[order], prepend=-1))
        count = np.diff(first, append=len(cell))
        found[cell[order][first]] = np.add.reduceat(score[order], first) / count
    return found.reshape(len(models), len(tests))


def _without_one_of_each(score: FloatArray, person: IntArray | np.ndarray) -> FloatArray:
    """The scores of recordings with one another, (n, n), without one model of everybody who has several.

    Where no recording was compared with itself, whoever speaks has one model less than they had as somebody
    else: means of fewer scores scatter more, and the best of fewer is lower, so that with nothing disclosed
    the right person came first too often or too seldom. So the recording at place k of its person meets
    nobody's model at that place, counted round. `person`, (n,), ascends. Else the scores as they are.
    """
    if not np.isnan(np.diag(score)).all():
        return score
    first = np.searchsorted(person, person)
    count = np.searchsorted(person, person, side="right") - first
    place = np.arange(len(person)) - first
    left_out = (count > 1)[:, np.newaxis] & (place[:, np.newaxis] == place % count[:, np.newaxis])
    return np.where(left_out, np.nan, score)


def groups_of_size(person: IntArray, size: int, n_people: int) -> tuple[IntArray, IntArray]:
    """Places of disjoint groups, (groups, size), and whose they are, (groups,); `person` (n,) ascends."""
    first = np.searchsorted(person, np.arange(n_people))
    n_groups = np.bincount(person, minlength=n_people) // size
    owner = np.repeat(np.arange(n_people), n_groups)
    within = np.arange(len(owner)) - np.repeat(np.cumsum(n_groups) - n_groups, n_groups)
    return (first[owner] + within * size)[:, np.newaxis] + np.arange(size), owner


def model_groups(person: IntArray, size: int, n_people: int) -> tuple[list[IntArray], IntArray]:
    """Groups as `groups_of_size` makes them, and one of all there is for a person with less than a group."""
    full, owner = groups_of_size(person, size, n_people)
    few = np.setdiff1d(person, owner)
    groups = [*full, *(np.flatnonzero(person == one) for one in few)]
    owners = np.concatenate([owner, few])
    order = np.argsort(owners, kind="stable")
    return [groups[int(k)] for k in order], owners[order]


# Linking: whether a recording scores highest with its own person among so many who are enrolled.
#
# Ref: Vauquier, Srivastava, Hosseini and Vincent 2025, "Legally validated evaluation framework for voice
# anonymization", Interspeech; doi 10.21437/Interspeech.2025-1699.


def linkability_probability(
    n_higher: ArrayLike, n_enrolled: int, people: int, n_tied: ArrayLike | None = None
) -> float:
    """The linkage probability π_link over `people` candidates, 2 … n_enrolled, the own one among them.

    `n_higher` (t,) counts for each recording the other enrolled people who score strictly higher, `n_tied`
    (t,) those who score the same: who of these comes first is drawn by lot, so that constant scores link one
    in N′. Without `n_tied` each tie counts for the own person, as the reference implementation has it.
    The others are drawn from all enrolled without replacement: a recording with m higher ones is linked with
    probability C(n−1−m, N′−1)/C(n−1, N′−1), which is exact. Raises ValueError for a number of people that
    nobody enrolled.
    """
    if not 1 <= people <= n_enrolled:
        raise ValueError(f"people must be from 1 to {n_enrolled}; found {people}")
    return float(linked_by_recording(n_higher, n_enrolled, people, n_tied).mean())


def linked_by_recording(
    n_higher: ArrayLike, n_enrolled: int, people: int, n_tied: ArrayLike | None = None
) -> FloatArray:
    """The probability that each recording, (t,), is linked among so many; their mean is π_link."""
    higher = np.asarray(n_higher, dtype=np.int64)
    tied = np.zeros_like(higher) if n_tied is None else np.asarray(n_tied, dtype=np.int64)
    table = none_drawn(n_enrolled - 1, people - 1)[np.newaxis]
    return _mean_over_ties(table, np.zeros_like(higher), higher, tied)


def _mean_over_ties(table: FloatArray, row: IntArray, higher: IntArray, tied: IntArray) -> FloatArray:
    """The mean of table[row, m] over m = higher … higher + tied: those who tie are above as by lot."""
    found = table[row, higher]
    at = np.nonzero(tied)
    if len(at[0]):
        sums = np.concatenate([np.zeros((len(table), 1)), np.cumsum(table, axis=1)], axis=1)
        first, last = higher[at], higher[at] + tied[at] + 1
        found[at] = (sums[row[at], last] - sums[row[at], first]) / (tied[at] + 1)
    return found


def linkage_chance(people: int) -> float:
    """What guessing reaches."""
    return 1.0 / people


def none_drawn(others: int, drawn: int) -> FloatArray:
    """The probability that none of m marked ones is among `drawn` of `others`, for m = 0 … others.

    Shape (others + 1,). It is C(others − m, drawn)/C(others, drawn), as a product of one factor for each m.
    """
    m = np.arange(others, dtype=np.float64)
    return np.concatenate([[1.0], np.cumprod(np.maximum(others - drawn - m, 0.0) / (others - m))])


def weighted_linkage(
    pooled: PoolScores, times: IntArray, numbers: Sequence[int], *, of_people: bool = False
) -> FloatArray:
    """π_link where each person is there so many times, `times` (R, n): a row for each, (R, numbers).

    With `of_people` each person counts alike, however many recordings there are of them.

    Copies of one person are never candidates for each other: whoever is there w times has n − w others.
    Where these are fewer than asked for, all of them are candidates. NaN where nobody with a recording is
    left.
    """
    own, weights = pooled.own, times.astype(np.float64)
    n_higher = np.rint(weights @ pooled.higher).astype(np.int64)  # own is never above itself
    n_tied = np.rint(weights @ pooled.tied).astype(np.int64)
    others = times.sum(axis=1)[:, np.newaxis] - times[:, own]
    most = int(others.max(initial=0))
    weight = weights[:, own] / np.bincount(own)[own] if of_people else weights[:, own]
    total = weight.sum(axis=1)
    found = np.full((len(times), len(numbers)), np.nan)
    for column, people in enumerate(numbers):
        table = _none_drawn_of_so_many(most, people - 1)
        sums = (_mean_over_ties(table, others, n_higher, n_tied) * weight).sum(axis=1)
        np.divide(sums, total, out=found[:, column], where=total > 0)
    return found


def _none_drawn_of_so_many(most: int, drawn: int) -> FloatArray:
    """`none_drawn` for each number of others, 0 … most, a row each, of whom at most all are drawn."""
    others = np.arange(most + 1, dtype=np.float64)[:, np.newaxis]
    left = others - np.arange(most, dtype=np.float64)
    factors = np.ones_like(left)
    np.divide(np.maximum(left - np.minimum(drawn, others), 0.0), left, out=factors, where=left > 0.0)
    return np.asarray(np.cumprod(np.hstack([np.ones_like(others), factors]), axis=1), dtype=np.float64)


def linkage(pooled: PoolScores, people: int, *, of_people: bool = False) -> float:
    """π_link of these groups among so many of all who are enrolled.

    With `of_people` the mean over people of each one's share: everybody counts alike.
    """
    n_higher, n_tied = pooled.higher.sum(axis=0), pooled.tied.sum(axis=0)
    if not of_people:
        return linkability_probability(n_higher, len(pooled.score), people, n_tied)
    linked = linked_by_recording(n_higher, len(pooled.score), people, n_tied)
    return float(np.average(linked, weights=1.0 / np.bincount(pooled.own)[pooled.own]))
