"""Scores with crossed effects of enrolment, speaker, pair and segment of known size: the truth is known.

Everybody's enrolment is compared with everybody's segments. Scores of other speakers have mean 0 and standard
deviation 1, those of the same speaker lie higher by the separation.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
import scipy

from zebra_core.evidence.counts import ScoreCounts
from zebra_core.evidence.trials import FloatArray, Ids, IntArray, Trials
from zebra_core.metrics.chance.resampling import normal
from zebra_core.metrics.ece import LN2
from zebra_core.metrics.oracle import Oracle
from zebra_core.metrics.verification import eer, rocch_eer
from zebra_core.metrics.zebra import disclosed_area

FIGURES = ("d_ece_bits", "min_cllr_bits", "eer", "rocch_eer")
"""The figures whose truth is known."""

USUAL, STRONG_SIDES = (0.3, 0.3, 0.4, 0.3), (0.6, 0.5, 0.4, 0.2)
_ALIKE = 0.5  # the share of their noise that safeguards have in common
_MANY = 10**9  # trials of either class, which tell the truth about scores with ties


@dataclass(frozen=True)
class SimulationCase:
    """So many speakers with so many test segments each (0: some have many), and how far classes lie apart.

    `effects` are the standard deviations of enrolment, speaker heard, pair and segment; `own` is that of a
    speaker in trials with themselves, which comes on top. With `ties`, scores are rounded to whole numbers.
    `share` is that of the comparisons with others that are in the list. `better` is by how much the last of
    several safeguards separates more. The first `exposed` speakers lie `further` higher in their own trials.
    """

    speakers: int
    segments: int
    separation: float
    effects: tuple[float, float, float, float] = USUAL
    own: float = 0.0
    ties: bool = False
    share: float = 1.0
    better: float = 0.0
    exposed: int = 0
    further: float = 0.0

    @property
    def name(self) -> str:
        """The name of the case in lists: speakers × segments, separation, and what else is peculiar."""
        peculiar = [
            "unbalanced" if not self.segments else "",
            "strong sides" if self.effects == STRONG_SIDES else "",
            f"effects {', '.join(f'{one:g}' for one in self.effects)}"
            if self.effects not in (USUAL, STRONG_SIDES)
            else "",
            f"own {self.own:g}" if self.own else "",
            "tied" if self.ties else "",
            f"{self.share:.0%} of the list" if self.share < 1.0 else "",
            f"the third {self.separation + self.better:g}" if self.better else "",
            f"{self.exposed} exposed by {self.further:g}" if self.exposed else "",
        ]
        size = f"{self.speakers} × {self.segments or 'u'}, {self.separation:g}"
        return "; ".join([size, *filter(None, peculiar)])


def speaker_of_segment(case: SimulationCase, rng: np.random.Generator) -> IntArray:
    """Who speaks in each test segment; (segments,)."""
    if case.segments:
        return np.repeat(np.arange(case.speakers), case.segments)
    counts = np.maximum(1, np.round(np.exp(1.2 + normal(case.speakers, rng)))).astype(np.int64)
    return np.repeat(np.arange(case.speakers), counts)


def noise_of(case: SimulationCase, who: IntArray, rng: np.random.Generator) -> FloatArray:
    """What scores are but for the separation; (speakers, segments)."""
    n, (enrolment, speaker, pair, segment) = case.speakers, case.effects
    rest = math.sqrt(1.0 - sum(effect**2 for effect in case.effects))
    score = normal(n, rng, enrolment)[:, np.newaxis] + normal(n, rng, speaker)[who]
    score = score + normal(len(who), rng, segment) + normal((n, n), rng, pair)[:, who]
    return np.asarray(score + normal((n, len(who)), rng, rest))


def scores_of(case: SimulationCase, who: IntArray, noise: FloatArray, rng: np.random.Generator) -> FloatArray:
    """The scores of such noise; (speakers, segments)."""
    is_target = np.arange(case.speakers)[:, np.newaxis] == who
    own = normal(case.speakers, rng, case.own)[who] if case.own else 0.0
    own = own + np.where(who < case.exposed, case.further, 0.0)
    score = noise + (case.separation + own) * is_target
    return np.asarray(np.round(score) if case.ties else score)


def trials_of(case: SimulationCase, who: IntArray, score: FloatArray, rng: np.random.Generator) -> Trials:
    """The list of such scores: every trial with oneself, and the share of those with others."""
    is_target = np.arange(case.speakers)[:, np.newaxis] == who
    listed = np.ones_like(is_target)
    if case.share < 1.0:
        listed = is_target | (scipy.special.ndtr(normal(score.shape, rng)) < case.share)
    enrol, test = np.nonzero(listed)
    return Trials(
        score[enrol, test],
        is_target[enrol, test],
        Ids(enrol.astype(np.int32), tuple(f"s{k:03d}" for k in range(case.speakers))),
        Ids(test.astype(np.int32), tuple(f"s{speaker:03d}-{k}" for k, speaker in enumerate(who))),
    )


def drawn(case: SimulationCase, rng: np.random.Generator) -> Trials:
    """One set of such trials."""
    who = speaker_of_segment(case, rng)
    return trials_of(case, who, scores_of(case, who, noise_of(case, who, rng), rng), rng)


def sharing_noise(kinds: Sequence[SimulationCase], rng: np.random.Generator) -> list[Trials]:
    """The lists of several safeguards, which differ in separation and share half of their noise."""
    first = kinds[0]
    who = speaker_of_segment(first, rng)
    base = noise_of(first, who, rng)
    made = []
    for kind in kinds:
        noise = math.sqrt(_ALIKE) * base + math.sqrt(1.0 - _ALIKE) * noise_of(first, who, rng)
        made.append(trials_of(kind, who, scores_of(kind, who, noise, rng), rng))
    return made


def truth(case: SimulationCase) -> dict[str, float]:
    """The figures of infinitely many trials, by Gauss and Hermite, or counted where scores are rounded."""
    from scipy.special import ndtr

    separation = case.separation
    if case.ties:
        edge = np.arange(-12, 20, dtype=np.float64) + np.float64(0.5)
        target, nontarget = (
            np.round(_MANY * np.diff(ndtr(edge - mean))).astype(np.int64) for mean in (separation, 0.0)
        )
        kept = target + nontarget > 0
        counts = ScoreCounts(np.asarray(edge[:-1] + 0.5)[kept], target[kept], nontarget[kept])
        known = Oracle.of_counts(counts)
        figures = known.d_ece_bits, known.min_cllr_bits, eer(counts), rocch_eer(known.plain)
        return dict(zip(FIGURES, figures, strict=True))
    share = case.exposed / case.speakers
    parts = [(1.0 - share, separation), (share, separation + case.further)]
    parts = [(of, shift) for of, shift in parts if of > 0.0]

    def llr(score: FloatArray) -> FloatArray:
        """Of the targets of all speakers together, each as many."""
        each = [np.log(of) + shift * score - shift**2 / 2.0 for of, shift in parts]
        return np.asarray(np.logaddexp.reduce(each))

    node, weight = _gauss_hermite()
    area, cost = float(weight @ disclosed_area(-llr(node))), float(weight @ np.logaddexp(0, llr(node)))
    for of, shift in parts:
        area += of * float(weight @ disclosed_area(llr(node + shift)))
        cost += of * float(weight @ np.logaddexp(0, -llr(node + shift)))

    def balance(at: float) -> float:
        return float(sum(of * ndtr(at - shift) for of, shift in parts) - ndtr(-at))

    error = float(ndtr(-scipy.optimize.brentq(balance, -9.0, 9.0)))
    return {
        "d_ece_bits": area / LN2,
        "min_cllr_bits": cost / (2.0 * LN2),
        "eer": error,
        "rocch_eer": error,
    }


@cache
def _gauss_hermite() -> tuple[FloatArray, FloatArray]:
    """Nodes and weights for the mean of a function of a normal variate."""
    node, weight = np.polynomial.hermite_e.hermegauss(120)
    return node, weight / weight.sum()
