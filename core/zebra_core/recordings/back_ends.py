"""Back ends, which compare embeddings: the cosine, or one learnt from recordings of other speakers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import Enum

import numpy as np
from numpy.typing import NDArray

from zebra_core.evidence.counts import ScoreCounts
from zebra_core.metrics.verification import eer
from zebra_core.recordings.recogniser import unit

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
