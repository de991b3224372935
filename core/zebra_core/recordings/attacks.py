"""What attackers know, and the scores of every trial by back ends that have heard neither speaker."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from zebra_core.attackers.cohort import LEAST, normalised
from zebra_core.attackers.folds import LEAST_SPEAKERS, Fold, fold_of_each, folds_of_trials
from zebra_core.attackers.fusion import fused
from zebra_core.attackers.gaussian import learnt_from
from zebra_core.attackers.words import Texts, word_scores
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


class AttackerChoice(Enum):
    """Which attackers are tried."""

    ALL = "all"  # and their combination, which in small sets is weaker than the best of them
    COSINE = "cosine"  # on the network's embeddings
    WORDS = "words"
    PITCH = "pitch"


@dataclass(frozen=True)
class Attack:
    """Which speech is compared, what the attacker knows, and what is compared of it.

    `safeguard` is "" where nothing is protected. `adapted`: whoever attacks has protected speech of other
    speakers, from which whatever learns learns; the network itself was never trained again.
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
    def group(self) -> tuple[str, str]:
        """Safeguard and condition, of which all attackers may be taken together."""
        return self.safeguard, self.condition

    @property
    def knowledge(self) -> str:
        """The code of what the attacker knows."""
        if not self.safeguard:
            return "none"
        if self.adapted:
            return "semi-informed"
        return "lazy-informed" if self.enrol_protected else "ignorant"

    @property
    def adds(self) -> bool:
        """Whether it finds what no other does: what does not learn is the same whatever is known."""
        return self.kind is not BackEndKind.FUSED and (self.kind.learns or not self.adapted)

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
    parts: tuple[Attack, ...] = ()  # which attackers were taken together


_OF_EMBEDDINGS = BackEndKind.COSINE, BackEndKind.CENTRED, BackEndKind.WITHIN
_CHOSEN = {
    AttackerChoice.COSINE: (BackEndKind.COSINE,),
    AttackerChoice.WORDS: (BackEndKind.NGRAMS,),
    AttackerChoice.PITCH: (BackEndKind.GAUSSIAN,),
}
_KNOWING_LESS = (*_OF_EMBEDDINGS, BackEndKind.NORMALISED, BackEndKind.GAUSSIAN, BackEndKind.NGRAMS)
_ADAPTED = (*_OF_EMBEDDINGS, BackEndKind.NORMALISED, BackEndKind.GAUSSIAN)


def attacks_on(
    safeguards: Sequence[str],
    choice: AttackerChoice = AttackerChoice.ALL,
    *,
    has_words: bool = False,
    understood: Collection[str] = (),
) -> tuple[Attack, ...]:
    """What is tried: first on unprotected speech, then on each safeguard, one condition after the other.

    Words are compared where there are any (`has_words`). Where nobody says what is understood of a
    safeguard's speech it is taken to keep them, and whether enrolments are protected makes no difference. The
    last of a condition takes all others together, where there are several.
    """
    conditions = [(ORIGINAL, False, False)]
    conditions += [(name, enrol, True) for name in safeguards for enrol in (False, True)]
    chosen, found = _CHOSEN.get(choice), list[Attack]()
    for safeguard, enrol, test in conditions:
        is_heard = has_words and (not enrol or safeguard in understood)
        group = [
            Attack(safeguard, enrol, test, False, kind)
            for kind in chosen or _KNOWING_LESS
            if is_heard or kind is not BackEndKind.NGRAMS
        ]
        if safeguard and choice is not AttackerChoice.COSINE:
            kinds = [kind for kind in _ADAPTED if chosen is None or kind in chosen]
            group += [Attack(safeguard, enrol, test, True, kind) for kind in kinds]
        if chosen is None:
            group.append(Attack(safeguard, enrol, test, bool(safeguard), BackEndKind.FUSED))
        found += group
    return tuple(found)


@dataclass(frozen=True, eq=False)
class TrainingEmbeddings:
    """Embeddings of other speakers, original ("") and of safeguards, and who speaks; and their pitch."""

    embeddings: Mapping[str, Vectors]
    people: People
    pitch: Mapping[str, Vectors] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class Arena:
    """What is known of all recordings, original ("") and of each safeguard, rows in the order of the ids.

    `words` has what is said, and what is understood of a safeguard's speech where somebody says that.
    """

    trials: TrialList
    embeddings: Mapping[str, Vectors]
    training: TrainingEmbeddings | None = None  # that back ends learn from; else they learn in folds
    pitch: Mapping[str, Vectors] = field(default_factory=dict)
    words: Mapping[str, Sequence[str]] = field(default_factory=dict)
    _of_originals: dict[tuple[BackEndKind, tuple[int, int] | None], BackEnd] = field(
        default_factory=dict, init=False, repr=False
    )

    def attacked(self, attack: Attack, on_progress: Progress = no_progress) -> AttackScores | None:
        """The scores of an attack; None where there are too few speakers to learn from.

        Without other speakers to learn from, speakers fall into ten folds, and a trial is scored by a back
        end that has learnt from the folds of neither of its speakers.
        """
        if attack.kind is BackEndKind.NGRAMS:
            return self._by_words(attack, on_progress)
        if attack.kind is BackEndKind.NORMALISED:
            return self._normalised(attack)
        learn = self._gaussian if attack.kind is BackEndKind.GAUSSIAN else self._back_end
        if attack.kind is BackEndKind.COSINE and not attack.adapted:
            enrol, test = self._sides(attack)
            scores = cosine(enrol.shape[1]).scores(enrol, test, self.trials.pairs)
            return self._found(attack, scores)
        if self.training is not None:
            return self._attacked_as_trained(attack, self.training, learn)
        values = self.pitch if attack.kind is BackEndKind.GAUSSIAN else self.embeddings
        material = _material(attack, values, self.trials.people)
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
            scores[chosen], shrinkage = learn(attack, folds, taught, self.trials.pairs[chosen])
            shrinkages.add(shrinkage)
        used = tuple(sorted(each for each in shrinkages if each is not None))
        return self._found(attack, scores, fewest, used)

    def together(
        self, attack: Attack, parts: Sequence[AttackScores], on_progress: Progress = no_progress
    ) -> AttackScores | None:
        """All attackers of a condition as one; None where there are not several, or too few speakers."""
        parts = [one for one in parts if one.attack.adds]
        if len(parts) < 2 or (fewest := self._fewest_apart()) < LEAST_SPEAKERS:
            return None
        enrol, test = self._folds_of_sides()
        columns = np.column_stack([one.scores for one in parts])
        scores = fused(columns, self.trials.is_target, enrol, test, on_progress)
        if scores is None:
            return None
        found = self._found(attack, scores, fewest)
        return replace(found, parts=tuple(one.attack for one in parts))

    def _by_words(self, attack: Attack, on_progress: Progress) -> AttackScores | None:
        """By what is said, or understood; what is usual is learnt from what other speakers say."""
        if (fewest := self._fewest_apart()) < LEAST_SPEAKERS:
            return None
        said = self.words[ORIGINAL]
        understood = self.words.get(attack.safeguard, said)
        models = [
            " ".join((understood if attack.enrol_protected else said)[number] for number in members)
            for members in self.trials.models
        ]
        tested = understood if attack.test_protected else said
        of_models, of_recordings = self._fold[self.trials.enrolled], self._fold[self.trials.people]
        scores = word_scores(
            Texts(models, of_models),
            Texts(tested, of_recordings),
            self.trials.pairs,
            Texts(said, of_recordings),
            on_progress,
        )
        return self._found(attack, scores, fewest)

    def _normalised(self, attack: Attack) -> AttackScores | None:
        if self._fewest_apart() < LEAST:
            return None
        enrol, test = self._sides(attack)
        of_models, of_recordings = self._fold[self.trials.enrolled], self._fold[self.trials.people]
        scores = normalised(enrol, test, self.trials.pairs, of_models, of_recordings)
        return None if scores is None else self._found(attack, scores)

    def _attacked_as_trained(
        self, attack: Attack, training: TrainingEmbeddings, learn: _Learn
    ) -> AttackScores | None:
        """By one back end, which has learnt from other speakers."""
        values = training.pitch if attack.kind is BackEndKind.GAUSSIAN else training.embeddings
        taught = _material(attack, values, training.people)
        if taught is None or taught.speakers < LEAST_SPEAKERS:
            return None
        scores, shrinkage = learn(attack, None, taught, self.trials.pairs)
        used = () if shrinkage is None else (shrinkage,)
        return self._found(attack, scores, taught.speakers, used)

    def _back_end(
        self, attack: Attack, folds: tuple[int, int] | None, taught: TrainingMaterial, pairs: _Pairs
    ) -> tuple[NDArray[np.float64], float | None]:
        """Scores of embeddings, and the shrinkage that was chosen."""
        enrol, test = self._sides(attack)
        back_end = self._learnt(attack, folds, taught)
        return back_end.scores(enrol, test, pairs), back_end.shrinkage

    def _gaussian(
        self, attack: Attack, _folds: tuple[int, int] | None, taught: TrainingMaterial, pairs: _Pairs
    ) -> tuple[NDArray[np.float64], None]:
        """Scores of pitch."""
        enrol = self.pitch[attack.safeguard if attack.enrol_protected else ORIGINAL]
        test = self.pitch[attack.safeguard if attack.test_protected else ORIGINAL]
        several = [enrol[list(members)] for members in self.trials.models]
        known = [one[np.isfinite(one).all(axis=1)] for one in several]
        counts = np.array([max(1, len(one)) for one in known])
        means = np.stack([one.mean(axis=0) if len(one) else np.full(3, np.nan) for one in known])
        model = learnt_from(taught.enrol, taught.test, taught.people)
        return model.scores(means[pairs[:, 0]], counts[pairs[:, 0]], test[pairs[:, 1]]), None

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

    def _folds_of_sides(self) -> tuple[Fold, Fold]:
        """The folds of both speakers of each trial."""
        of_models, of_recordings = self._fold[self.trials.enrolled], self._fold[self.trials.people]
        return of_models[self.trials.pairs[:, 0]], of_recordings[self.trials.pairs[:, 1]]

    def _folds_of_trials(self) -> Iterator[tuple[tuple[int, int], NDArray[np.int64]]]:
        return folds_of_trials(*self._folds_of_sides())

    def _fewest_apart(self) -> int:
        """The fewest speakers outside two folds."""
        return min(int((~np.isin(self._fold, folds)).sum()) for folds, _ in self._folds_of_trials())

    def _found(
        self, attack: Attack, scores: NDArray[np.float64], speakers: int = 0, used: tuple[float, ...] = ()
    ) -> AttackScores:
        taught_by = speakers if attack.kind.learns else None
        found = eer(ScoreCounts.of(scores, self.trials.is_target))
        return AttackScores(attack, scores, found, taught_by, used)


_Pairs = NDArray[np.int64]
_Learn = Callable[
    [Attack, tuple[int, int] | None, TrainingMaterial, _Pairs], tuple[NDArray[np.float64], float | None]
]


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
