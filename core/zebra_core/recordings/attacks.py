"""What attackers know, and the scores of every trial by back ends that have heard neither speaker."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from zebra_core.attackers.folds import LEAST_SPEAKERS, Fold, fold_of_each, folds_of_trials
from zebra_core.evidence.counts import ScoreCounts
from zebra_core.metrics.verification import eer
from zebra_core.recordings.back_ends import (
    BackEnd,
    BackEndKind,
    People,
    TrainingMaterial,
    Vectors,
    cosine,
    learnt,
)
from zebra_core.recordings.recogniser import unit
from zebra_core.recordings.trial_list import TrialList
from zebra_core.runtime.progress import Progress, no_progress

ORIGINAL = ""
"""The name of what was not protected."""


@dataclass(frozen=True)
class Attack:
    """Which speech is compared, what the attacker knows, and how embeddings are compared.

    `safeguard` is "" where nothing is protected. `adapted`: whoever attacks has protected speech of other
    speakers, from which every back end learns but the cosine; the network itself was never trained again.
    """

    safeguard: str
    enrol_protected: bool
    test_protected: bool
    adapted: bool
    kind: BackEndKind

    @property
    def condition(self) -> str:
        """In the words of the challenge: oo, oa, aa."""
        return "".join("a" if side else "o" for side in (self.enrol_protected, self.test_protected))

    @property
    def knowledge(self) -> str:
        """The code of what the attacker knows."""
        if not self.safeguard:
            return "none"
        if self.adapted:
            return "semi-informed"
        return "lazy-informed" if self.enrol_protected else "ignorant"

    @property
    def learns_first(self) -> bool:
        """Whether back ends are learnt for it; what was learnt from original speech serves all later ones."""
        return self.kind is not BackEndKind.COSINE and (self.adapted or not self.safeguard)


@dataclass(frozen=True, eq=False)
class AttackScores:
    """The scores of all trials under an attack, in the order of the trials."""

    attack: Attack
    scores: NDArray[np.float64]
    eer: float
    taught_by: int | None  # the fewest speakers that a back end has learnt from; None where nothing is learnt
    shrinkages: tuple[float, ...] = ()


def attacks_on(safeguards: Sequence[str], *, all_of_them: bool) -> tuple[Attack, ...]:
    """What is tried: first on unprotected speech, then on each safeguard; with the cosine alone, or all."""
    kinds = tuple(BackEndKind) if all_of_them else (BackEndKind.COSINE,)
    found = [Attack(ORIGINAL, False, False, False, kind) for kind in kinds]
    for safeguard in safeguards:
        for enrol in (False, True):
            found += [Attack(safeguard, enrol, True, False, kind) for kind in kinds]
        if all_of_them:
            found += [Attack(safeguard, enrol, True, True, kind) for enrol in (False, True) for kind in kinds]
    return tuple(found)


@dataclass(frozen=True, eq=False)
class TrainingEmbeddings:
    """Embeddings of other speakers, original ("") and of safeguards, and who speaks."""

    embeddings: Mapping[str, Vectors]
    people: People


@dataclass(frozen=True, eq=False)
class Arena:
    """The embeddings of all recordings, original ("") and of each safeguard, rows in the order of the ids."""

    trials: TrialList
    embeddings: Mapping[str, Vectors]
    training: TrainingEmbeddings | None = None  # that back ends learn from; else they learn in folds
    _of_originals: dict[tuple[BackEndKind, tuple[int, int] | None], BackEnd] = field(
        default_factory=dict, init=False, repr=False
    )

    def attacked(self, attack: Attack, on_progress: Progress = no_progress) -> AttackScores | None:
        """The scores of an attack; None where there are too few speakers to learn from.

        Without other speakers to learn from, speakers fall into ten folds, and a trial is scored by a back
        end that has learnt from the folds of neither of its speakers.
        """
        enrol, test = self._sides(attack)
        if attack.kind is BackEndKind.COSINE and not attack.adapted:
            scores = cosine(enrol.shape[1]).scores(enrol, test, self.trials.pairs)
            return self._found(attack, scores)
        if self.training is not None:
            return self._attacked_as_trained(attack, self.training, enrol, test)
        material = _material(attack, self.embeddings, self.trials.people)
        assert material is not None  # noqa: S101 - of all that is compared there are copies
        scores = np.full(len(self.trials.pairs), np.nan)
        shrinkages: set[float | None] = set()
        fewest, found = len(self._fold), list(self._folds_of_trials())
        for number, (folds, chosen) in enumerate(found):
            on_progress(number / len(found))
            taught = material.of(~np.isin(self._fold[material.people], folds))
            fewest = min(fewest, taught.speakers)
            if taught.speakers < LEAST_SPEAKERS:
                return None
            back_end = self._learnt(attack, folds, taught)
            shrinkages.add(back_end.shrinkage)
            scores[chosen] = back_end.scores(enrol, test, self.trials.pairs[chosen])
        used = tuple(sorted(each for each in shrinkages if each is not None))
        return self._found(attack, scores, fewest, used)

    def _attacked_as_trained(
        self, attack: Attack, training: TrainingEmbeddings, enrol: Vectors, test: Vectors
    ) -> AttackScores | None:
        """By one back end, which has learnt from other speakers."""
        taught = _material(attack, training.embeddings, training.people)
        if taught is None or taught.speakers < LEAST_SPEAKERS:
            return None
        back_end = self._learnt(attack, None, taught)
        scores = back_end.scores(enrol, test, self.trials.pairs)
        used = () if back_end.shrinkage is None else (back_end.shrinkage,)
        return self._found(attack, scores, taught.speakers, used)

    def _learnt(self, attack: Attack, folds: tuple[int, int] | None, taught: TrainingMaterial) -> BackEnd:
        """What is learnt without these folds: from original speech once for all who learn from that."""
        if attack.adapted:
            return learnt(attack.kind, taught)
        key = attack.kind, folds
        if key not in self._of_originals:
            self._of_originals[key] = learnt(attack.kind, taught)
        return self._of_originals[key]

    def _sides(self, attack: Attack) -> tuple[Vectors, Vectors]:
        """Models and recordings: a model of several recordings is the mean of their directions."""
        side = self.embeddings[attack.safeguard if attack.enrol_protected else ORIGINAL]
        models = np.stack([side[list(members)].mean(axis=0) for members in self.trials.models])
        return unit(models), self.embeddings[attack.safeguard if attack.test_protected else ORIGINAL]

    @cached_property
    def _fold(self) -> Fold:
        return fold_of_each([str(name) for name in np.unique(np.array(self.trials.speaker))])

    def _folds_of_trials(self) -> Iterator[tuple[tuple[int, int], NDArray[np.int64]]]:
        left, right = (
            self.trials.enrolled[self.trials.pairs[:, 0]],
            self.trials.people[self.trials.pairs[:, 1]],
        )
        return folds_of_trials(self._fold[left], self._fold[right])

    def _found(
        self, attack: Attack, scores: NDArray[np.float64], speakers: int = 0, used: tuple[float, ...] = ()
    ) -> AttackScores:
        taught_by = None if attack.kind is BackEndKind.COSINE else speakers
        found = eer(ScoreCounts.of(scores, self.trials.is_target))
        return AttackScores(attack, scores, found, taught_by, used)


def _material(attack: Attack, embeddings: Mapping[str, Vectors], people: People) -> TrainingMaterial | None:
    """What the attacker has to learn from: protected speech only where the back end is adapted to it.

    None where there is none of that.
    """
    original = embeddings[ORIGINAL]
    if not attack.adapted:
        return TrainingMaterial(original, original, people, is_one_side=True)
    protected = embeddings.get(attack.safeguard)
    if protected is None:
        return None
    enrol = protected if attack.enrol_protected else original
    return TrainingMaterial(enrol, protected, people, is_one_side=attack.enrol_protected)
