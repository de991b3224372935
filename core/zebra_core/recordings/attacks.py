"""What attackers know, and the scores of every trial by back ends that have heard neither speaker."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from zebra_core.attackers.cohort import LEAST, normalised
from zebra_core.attackers.fusion import LEAST_SPEAKERS, Fold, fold_of_each, folds_of_trials, fused
from zebra_core.attackers.gaussian import learnt_from
from zebra_core.attackers.words import Texts, word_scores
from zebra_core.evidence.trials import ScoreCounts
from zebra_core.metrics.error_rates import eer
from zebra_core.recordings.recogniser import unit
from zebra_core.recordings.trial_list import TrialList
from zebra_core.runtime.progress import Progress, no_progress

# Back ends, which compare embeddings: the cosine, or one learnt from recordings of other speakers.


Vectors = NDArray[np.float64]
"""Shape (n, dimensions)."""
People = NDArray[np.int64]
"""Shape (n,): who speaks, by number."""

SHRINKAGES = (0.1, 0.3, 0.5, 0.7, 0.9)
"""How far the covariance within speakers may be drawn towards the identity."""
MOST_LEARNT = 1_000
"""Recordings that the shrinkage is judged on."""
_PAIRS = 1 << 16  # that are compared at once


class BackEndKind(Enum):
    """What is compared and how; the value is the folder of the scores. The first four compare embeddings."""

    COSINE = "cosine_out"  # nothing is learnt
    CENTRED = "centred_out"  # the cosine after the mean of each side was removed
    WITHIN = "within_out"  # then whitened by the covariance within speakers, shrunk towards the identity
    NORMALISED = "asnorm_out"  # the cosine, held against that with others who are enrolled
    GAUSSIAN = "gaussian_out"  # pitch
    NGRAMS = "ngrams_out"  # words
    FUSED = "fused_out"  # the scores of all others

    @property
    def recogniser(self) -> str:
        """What is compared, by its code among the texts of attacks; empty for the network's embeddings."""
        return {"GAUSSIAN": "pitch", "NGRAMS": "words", "FUSED": "together"}.get(self.name, "")

    @property
    def learns(self) -> bool:
        """Whether it learns from other speakers."""
        return self not in (BackEndKind.COSINE, BackEndKind.NORMALISED)


@dataclass(frozen=True, eq=False)
class TrainingMaterial:
    """Recordings to learn from: enrolment and test sides as the attacker has them, and who speaks.

    Both sides are of the same recordings, in the same order; `is_one_side` where both are the same speech.
    """

    enrol: Vectors
    test: Vectors
    people: People
    is_one_side: bool

    def of(self, chosen: NDArray[np.bool_]) -> TrainingMaterial:
        """Some of the recordings."""
        return replace(self, enrol=self.enrol[chosen], test=self.test[chosen], people=self.people[chosen])

    @property
    def speakers(self) -> int:
        """How many speakers there are with several recordings: from these one learns what varies within."""
        _, counts = np.unique(self.people, return_counts=True)
        return int((counts > 1).sum())


@dataclass(frozen=True, eq=False)
class BackEnd:
    """A back end: what is subtracted from each side, and a linear map.

    Its scores are cosines, from −1 to 1, and stay as they are: nontargets that it learnt from score otherwise
    than those of other speakers, and a scale taken from them would be another one in every fold.
    """

    enrol_mean: Vectors
    test_mean: Vectors
    whitening: Vectors | None = None
    shrinkage: float | None = None

    def scores(self, enrol: Vectors, test: Vectors, pairs: NDArray[np.int64]) -> NDArray[np.float64]:
        """Scores of pairs of rows, shape (n, 2); shape (n,)."""
        left, right = self._mapped(enrol, self.enrol_mean), self._mapped(test, self.test_mean)
        found = np.empty(len(pairs))
        for start in range(0, len(pairs), _PAIRS):
            some = pairs[start : start + _PAIRS]
            found[start : start + _PAIRS] = np.einsum("nd,nd->n", left[some[:, 0]], right[some[:, 1]])
        return found

    def matrix(self, enrol: Vectors, test: Vectors) -> NDArray[np.float64]:
        """Scores of every enrolment row with every test row; shape (enrolments, tests)."""
        return self._mapped(enrol, self.enrol_mean) @ self._mapped(test, self.test_mean).T

    def _mapped(self, vectors: Vectors, mean: Vectors) -> Vectors:
        centred = unit(vectors) - mean
        return unit(centred if self.whitening is None else centred @ self.whitening)


def cosine(dimensions: int) -> BackEnd:
    """The cosine back end, which learns nothing."""
    return BackEnd(np.zeros(dimensions), np.zeros(dimensions))


def learnt(kind: BackEndKind, material: TrainingMaterial) -> BackEnd:
    """A back end learnt from this material alone.

    The shrinkage is the one with the smallest EER in two-fold validation over the material's speakers; of
    equals the largest.
    """
    if kind is BackEndKind.COSINE:
        return cosine(material.enrol.shape[1])
    if kind is BackEndKind.CENTRED:
        return _centring(material)
    return _within(material)(chosen_shrinkage(material))


def chosen_shrinkage(material: TrainingMaterial) -> float:
    """See `learnt`. The middle of `SHRINKAGES` where there are too few speakers to judge by."""
    _, person = np.unique(material.people, return_inverse=True)
    halves = material.of(person % 2 == 0), material.of(person % 2 == 1)
    if min(half.speakers for half in halves) < 2:
        return SHRINKAGES[len(SHRINKAGES) // 2]
    errors = np.zeros(len(SHRINKAGES))
    for teaching, judged in (halves, halves[::-1]):
        make, thinned = _within(teaching), _thinned(judged)
        for number, shrinkage in enumerate(SHRINKAGES):
            errors[number] += eer(ScoreCounts.of(*_all_pairs(make(shrinkage), thinned)))
    return max(s for s, error in zip(SHRINKAGES, errors, strict=True) if error <= errors.min() + 1e-12)


def _centring(material: TrainingMaterial) -> BackEnd:
    enrol, test = unit(material.enrol), unit(material.test)
    return BackEnd(enrol.mean(axis=0), test.mean(axis=0))


def _within(material: TrainingMaterial) -> Callable[[float], BackEnd]:
    """A back end for each shrinkage."""
    plain = _centring(material)
    centred, people = unit(material.enrol) - plain.enrol_mean, material.people
    if not material.is_one_side:
        centred = np.concatenate([centred, unit(material.test) - plain.test_mean])
        people = np.concatenate([people, people])
    _, person, counts = np.unique(people, return_inverse=True, return_counts=True)
    means = np.zeros((len(counts), centred.shape[1]))
    np.add.at(means, person, centred)
    apart = centred - (means / counts[:, None])[person]
    freedom = max(1, len(centred) - len(counts))
    values, axes = np.linalg.eigh(apart.T @ apart / freedom)
    values = values.clip(0.0)
    size = float(values.mean()) or 1.0

    def make(shrinkage: float) -> BackEnd:
        shrunk = (1.0 - shrinkage) * values + shrinkage * size
        return replace(plain, whitening=(axes / np.sqrt(shrunk)) @ axes.T, shrinkage=shrinkage)

    return make


def _all_pairs(
    back_end: BackEnd, material: TrainingMaterial
) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """The scores of every pair of recordings, counted once, and whether one speaker speaks in both."""
    above = np.triu_indices(len(material.people), 1)
    same = np.equal.outer(material.people, material.people)[above]
    return back_end.matrix(material.enrol, material.test)[above], same


def _thinned(material: TrainingMaterial) -> TrainingMaterial:
    """A part of the recordings, at most so many, so that time stays bounded.

    They are taken in pairs from each speaker in turn: with one from each there would be no targets.
    """
    if len(material.people) <= MOST_LEARNT:
        return material
    by_person = np.argsort(material.people, kind="stable")
    _, first, counts = np.unique(material.people[by_person], return_index=True, return_counts=True)
    place = np.arange(len(by_person)) - np.repeat(first, counts)  # of a recording among those of its speaker
    chosen = np.zeros(len(by_person), dtype=np.bool_)
    chosen[by_person[np.argsort(place // 2, kind="stable")[:MOST_LEARNT]]] = True
    return material.of(chosen)


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
