"""Attackers on embeddings brought along: scores of a key's trials, and linking everybody with everybody.

As on recordings, the cosine learns nothing, and back ends learn in folds from embeddings of neither speaker
of a trial. For linking and singling out L recordings are pooled in two ways: by the average of their
embeddings, as Vauquier et al. 2025 do (see `speakers.candidates`), and by the mean of their scores.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Literal

import numpy as np

from zebra_core.attackers.cohort import LEAST, normalised
from zebra_core.attackers.fusion import LEAST_SPEAKERS, Fold, fold_of_each, folds_of_trials
from zebra_core.evidence.trials import BoolArray, FloatArray, IntArray, ScoreCounts
from zebra_core.metrics.error_rates import eer
from zebra_core.recordings.attacks import (
    Attack,
    AttackScores,
    BackEnd,
    BackEndKind,
    TrainingMaterial,
    Vectors,
    cosine,
    learnt,
)
from zebra_core.recordings.embedding_files import EmbeddingTrials
from zebra_core.recordings.recogniser import unit
from zebra_core.runtime.progress import Progress, no_progress
from zebra_core.speakers.candidates import (
    LARGEST_TABLE,
    Candidates,
    PoolScores,
    groups_of_size,
    linkage_chance,
    model_groups,
    of_each_person,
)
from zebra_core.speakers.singling_out import IsolationScores
from zebra_core.uncertainty.linking_points import PeoplePoint, singling_out_points
from zebra_core.uncertainty.reidentification import POOLED, PoolRanks, numbers_of_people

PooledBy = Literal["embeddings", "scores"]
WAYS: tuple[PooledBy, PooledBy] = ("embeddings", "scores")
SEED = 0


@dataclass(frozen=True, eq=False)
class EnrolledOthers:
    """People who are only enrolled, and never the right answer: their models, (m, dimensions), by person."""

    people: tuple[str, ...]
    models: Vectors = field(repr=False)
    person: IntArray = field(repr=False)  # (m,), ascending


NOBODY = EnrolledOthers((), np.empty((0, 0)), np.empty(0, dtype=np.int64))


@dataclass(frozen=True)
class PooledFigures:
    """π_link and π_sing where so many recordings are pooled in one of two ways."""

    pooled_by: PooledBy
    linkage: tuple[PeoplePoint, ...]
    singling_out: tuple[PeoplePoint, ...]  # none where there are too few recordings, or too many


@dataclass(eq=False)
class _PooledSoFar:
    """What was found of the people who are heard, one after the other, by place among the enrolled."""

    size: int
    way: PooledBy
    n_own: int  # people of the key, who come first
    ranks: list[PoolRanks] = field(default_factory=list)
    tables: list[PoolScores] = field(default_factory=list)

    def add(self, pooled: PoolScores, *, keeps: bool) -> None:
        """The groups of one more person; their scores with the people of the key are kept, or not."""
        if len(pooled.own):
            self.ranks.append(PoolRanks.of_pools(pooled))
            if keeps:
                self.tables.append(replace(pooled, score=pooled.score[: self.n_own]))

    def figures(self, n_people: int) -> PooledFigures:
        """Linkage among all who are enrolled, and singling out of the people of the key."""
        columns = ("person", "n_higher", "n_tied")
        ranks = PoolRanks(
            self.size, *(np.concatenate([getattr(one, name) for one in self.ranks]) for name in columns)
        )
        linkage = tuple(
            PeoplePoint(people, self.size, ranks.linkage(n_people, people), linkage_chance(people))
            for people in sorted({*numbers_of_people(n_people), self.n_own})
        )
        singled: list[PeoplePoint] = []
        if self.tables:
            score = np.concatenate([one.score for one in self.tables], axis=1)
            own = np.concatenate([one.own for one in self.tables])
            if (scores := IsolationScores.of(PoolScores(score, own, self.size))) is not None:
                numbers = numbers_of_people(scores.n_people)
                singled = singling_out_points(scores, self.size, numbers, None, SEED, quick=True)
        return PooledFigures(self.way, linkage, tuple(singled))


@dataclass(frozen=True, eq=False)
class EmbeddingArena:
    """Trials with their embeddings, what back ends learn from, and who is enrolled besides."""

    trials: EmbeddingTrials
    material: TrainingMaterial | None  # None: nobody knows who speaks, or there is nothing to learn from
    taught: tuple[str, ...]  # the speakers of the material, by its numbers
    others: EnrolledOthers = NOBODY
    _learnt: dict[tuple[BackEndKind, tuple[int, int]], tuple[BackEnd | None, int]] = field(
        default_factory=dict, init=False, repr=False
    )

    def attacked(self, attack: Attack, on_progress: Progress = no_progress) -> AttackScores | None:
        """The scores of an attack on the key's trials; None where there are too few people to learn from."""
        trials = self.trials
        if attack.kind is BackEndKind.COSINE:
            scores = cosine(trials.enrol.shape[1]).scores(trials.enrol, trials.test, trials.pairs)
            return self._found(attack, scores, None, ())
        if attack.kind is BackEndKind.NORMALISED:
            return self._normalised(attack)
        scores = np.full(len(trials.pairs), np.nan)
        found = list(self._folds_of_trials()) if self.material else []
        fewest, shrinkages = len(self.taught), set[float]()
        for number, (folds, chosen) in enumerate(found):
            on_progress(number / len(found))
            back_end, speakers = self._without(attack.kind, folds)
            if back_end is None:
                return None
            fewest = min(fewest, speakers)
            if back_end.shrinkage is not None:
                shrinkages.add(back_end.shrinkage)
            models, model = np.unique(trials.pairs[chosen, 0], return_inverse=True)
            tests, test = np.unique(trials.pairs[chosen, 1], return_inverse=True)
            pairs = np.stack([model, test], axis=1)
            scores[chosen] = back_end.scores(trials.enrol[models], trials.test[tests], pairs)
        return self._found(attack, scores, fewest, tuple(sorted(shrinkages))) if found else None

    def _normalised(self, attack: Attack) -> AttackScores | None:
        """None where nobody knows who speaks, or too few others are enrolled."""
        trials = self.trials
        if self.material is None:
            return None
        _, of_models, of_tests = self._folds
        for folds, _chosen in self._folds_of_trials():
            if len(np.unique(trials.person_of_model[~np.isin(of_models, folds)])) < LEAST:
                return None
        scores = normalised(unit(trials.enrol), unit(trials.test), trials.pairs, of_models, of_tests)
        return None if scores is None else self._found(attack, scores, None, ())

    def people_figures(
        self, kind: BackEndKind, on_progress: Progress = no_progress
    ) -> tuple[PooledFigures, ...]:
        """Linking and singling out with every test recording against everybody who is enrolled.

        Also where the key does not list the pair; a recording is never compared with an average of which it
        is a part. `kind` is one whose attack found something. Empty where fewer than two people are enrolled
        or nobody who is heard is, and for scores that are held against those of others already.
        """
        if kind is BackEndKind.NORMALISED:
            return ()
        if len(self._enrolled) < 2 or not len(self._heard):
            return ()
        n_own = len(self._enrolled)
        sizes = [size for size in POOLED if size <= int(np.bincount(self._own).max())]
        found = {(size, way): _PooledSoFar(size, way, n_own) for size in sizes for way in WAYS}
        heard = np.unique(self._own).tolist()
        for number, person in enumerate(heard):  # one by one, so that no table is larger than it must be
            on_progress(number / len(heard))
            for (size, way), pooled in self._of_person(kind, person, sizes):
                keeps = n_own * len(self._heard) <= LARGEST_TABLE * size
                found[size, way].add(pooled.complete, keeps=keeps)
        n_people = n_own + len(self.others.people)
        return tuple(one.figures(n_people) for one in found.values() if one.ranks)

    @cached_property
    def _enrolled(self) -> IntArray:
        """The people who are enrolled, ascending, by their places in `trials.people`."""
        return np.unique(self.trials.person_of_model)

    @cached_property
    def _heard(self) -> IntArray:
        """The test recordings of people who are enrolled, by person and name."""
        of = self.trials.person_of_test
        heard = np.flatnonzero(np.isin(of, self._enrolled)).tolist()
        ordered = sorted(heard, key=lambda at: (int(of[at]), self.trials.tests[at]))
        return np.array(ordered, dtype=np.int64)

    @cached_property
    def _own(self) -> IntArray:
        """Whose these are, among the enrolled."""
        return np.searchsorted(self._enrolled, self.trials.person_of_test[self._heard]).astype(np.int64)

    @cached_property
    def _models(self) -> tuple[Vectors, IntArray, IntArray]:
        """The models of all who are enrolled, whose they are, and their places in the trials or −1."""
        of = np.searchsorted(self._enrolled, self.trials.person_of_model)
        names = self.trials.models
        order = np.array(sorted(range(len(of)), key=lambda at: (int(of[at]), names[at])), dtype=np.int64)
        vectors, person = self.trials.enrol[order], of[order].astype(np.int64)
        if self.others.people:
            vectors = np.concatenate([vectors, self.others.models])
            person = np.concatenate([person, len(self._enrolled) + self.others.person])
            order = np.concatenate([order, np.full(len(self.others.person), -1, dtype=np.int64)])
        return vectors, person, order

    def _of_person(
        self, kind: BackEndKind, person: int, sizes: Sequence[int]
    ) -> Iterator[tuple[tuple[int, PooledBy], PoolScores]]:
        """The recordings of one person, in groups of so many, against everybody."""
        vectors, owner, at = self._models
        tests = self._heard[self._own == person]
        people = (*(self.trials.people[place] for place in self._enrolled.tolist()), *self.others.people)
        mine = np.full(len(tests), person, dtype=np.int64)
        is_part = self._parts(at, np.asarray(owner == person), tests)
        score = self._matrix(kind, vectors, at, self.trials.test[tests], tests[0])
        score[is_part] = np.nan
        names = tuple(self.trials.tests[test] for test in tests.tolist())
        table = Candidates(people, (), names, owner, mine, score, len(tests))
        for size in sizes:
            by_scores = table.pooled(size)
            yield (size, "scores"), by_scores
            if size == 1:  # an average of one embedding is that embedding
                yield (size, "embeddings"), by_scores
                continue
            groups, own = groups_of_size(mine, size, len(people))
            models, whose = model_groups(owner, size, len(people))
            averaged = np.stack([vectors[group].mean(axis=0) for group in models])
            heard = self.trials.test[tests][groups].mean(axis=1)
            places = np.array([at[group[0]] for group in models])
            of_groups = self._matrix(kind, averaged, places, heard, tests[0])
            for row in np.flatnonzero(whose == person).tolist():
                has_part = np.asarray(is_part[models[row]].any(axis=0))
                of_groups[row, has_part[groups].any(axis=1)] = np.nan
            starts = np.flatnonzero(np.diff(whose, prepend=-1))
            yield (size, "embeddings"), PoolScores(of_each_person(of_groups, starts), own, size)

    def _parts(self, at: IntArray, of_person: BoolArray, tests: IntArray) -> BoolArray:
        """Which models have which of these test recordings among their own, (models, tests)."""
        found = np.zeros((len(at), len(tests)), dtype=np.bool_)
        column = {self.trials.tests[test]: number for number, test in enumerate(tests.tolist())}
        for row in np.flatnonzero(of_person).tolist():
            for name in self.trials.members[at[row]]:
                if name in column:
                    found[row, column[name]] = True
        return found

    def _matrix(
        self, kind: BackEndKind, models: Vectors, at: IntArray, heard: Vectors, test: int | np.int64
    ) -> FloatArray:
        """Scores of models, of which `at` are in the trials, with what one person says: `test` for one."""
        if kind is BackEndKind.COSINE:
            return cosine(models.shape[1]).matrix(models, heard)
        fold, of_models, of_tests = self._folds
        mine = int(of_tests[test])
        theirs = np.where(at >= 0, of_models[at], mine)  # the others are in no fold
        found = np.empty((len(models), len(heard)))
        for one in np.unique(theirs).tolist():
            other = (mine + 1) % (fold + 1) if one == mine else one
            back_end, _ = self._without(kind, (min(mine, other), max(mine, other)))
            rows = theirs == one
            found[rows] = back_end.matrix(models[rows], heard) if back_end else np.nan
        return found

    @cached_property
    def _fold_of(self) -> dict[str, int]:
        names = sorted({*self.trials.people, *self.taught})
        return dict(zip(names, fold_of_each(names).tolist(), strict=True))

    @cached_property
    def _folds(self) -> tuple[int, Fold, Fold]:
        """The highest fold of the trials, and the fold of each model and of each test recording."""
        of = np.array([self._fold_of[name] for name in self.trials.people], dtype=np.int64)
        of_models, of_tests = of[self.trials.person_of_model], of[self.trials.person_of_test]
        return int(max(of_models.max(), of_tests.max())), of_models, of_tests

    @cached_property
    def _fold_of_taught(self) -> Fold:
        return np.array([self._fold_of[name] for name in self.taught], dtype=np.int64)

    def _folds_of_trials(self) -> Iterator[tuple[tuple[int, int], IntArray]]:
        _, of_models, of_tests = self._folds
        return folds_of_trials(of_models[self.trials.pairs[:, 0]], of_tests[self.trials.pairs[:, 1]])

    def _without(self, kind: BackEndKind, folds: tuple[int, int]) -> tuple[BackEnd | None, int]:
        """What is learnt without these folds, and from how many; nothing from too few speakers."""
        assert self.material is not None  # noqa: S101 - only asked where there is something to learn from
        if (kind, folds) not in self._learnt:
            kept = self.material.of(~np.isin(self._fold_of_taught[self.material.people], folds))
            back_end = learnt(kind, kept) if kept.speakers >= LEAST_SPEAKERS else None
            self._learnt[kind, folds] = back_end, kept.speakers
        return self._learnt[kind, folds]

    def _found(
        self, attack: Attack, scores: FloatArray, taught_by: int | None, shrinkages: tuple[float, ...]
    ) -> AttackScores:
        error = eer(ScoreCounts.of(scores, self.trials.is_target))
        return AttackScores(attack, scores, error, taught_by, shrinkages)


def others_of(vectors: Vectors, speaker: Sequence[str], *, averaged: bool) -> EnrolledOthers:
    """People who are only enrolled, as the key enrols its own.

    Each recording alone is a model where the key's enrolments are recordings; else one model of each person
    is the average of all of their recordings.
    """
    names, person = np.unique(np.array(speaker), return_inverse=True)
    order = np.argsort(person, kind="stable")
    if not averaged:
        return EnrolledOthers(tuple(map(str, names)), vectors[order], person[order].astype(np.int64))
    models = np.stack([vectors[person == number].mean(axis=0) for number in range(len(names))])
    return EnrolledOthers(tuple(map(str, names)), models, np.arange(len(names), dtype=np.int64))
