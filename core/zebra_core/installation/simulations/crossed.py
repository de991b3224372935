"""Scores with crossed effects of enrolment, speaker, pair and segment of known size: the truth is known.

Everybody's enrolment is compared with everybody's segments. Scores of other speakers have mean 0 and standard
deviation 1, those of the same speaker lie higher by the separation.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache

import numpy as np
import scipy

import zebra_resources
from zebra_core.evidence.heard_trials import HeardTrials
from zebra_core.evidence.trials import FloatArray, Ids, IntArray, ScoreCounts, Trials
from zebra_core.listening.scores import nearness
from zebra_core.metrics.assessment import assess
from zebra_core.metrics.chance.seeds import Purpose, generator, normal
from zebra_core.metrics.ece import LN2
from zebra_core.metrics.error_rates import eer, rocch_eer
from zebra_core.metrics.oracle import Oracle
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


# Answers of listeners with known spread of voices, recordings, skills and answers: the truth is known.
#
# Either pairs are judged: everybody is compared with themselves and with the next speakers round a circle. Or
# recordings are placed on canvases, of a few speakers each. What a listener hears of a difference is theirs
# to some extent; of what misleads, some is theirs, and some misleads all of them.


VALUES = "simulations.json"
_PANELS = 40  # drawn for the mean of what panels of such listeners find
_MANY_SPEAKERS, _MANY_CANVASES = 20_000, 4_000  # which each of them hears, where that has no closed form
_ON_CANVAS, _RECORDINGS = 4, 3  # speakers on a canvas, and how often each is there


@dataclass(frozen=True)
class HeardCase:
    """So many speakers and listeners, pairs of each speaker of either class, and how far classes lie apart.

    With `canvases` recordings are placed instead. Listeners hear an item under one of so many `safeguards`,
    in turn; those under the first are looked at. Standard deviations: of what each speaker adds
    on either side; of a pair of speakers; of a pair of recordings, or of where one lies; of the skill of
    listeners, which multiplies the separation; of what each listener adds everywhere; and of an answer.
    """

    speakers: int
    listeners: int
    pairs: int
    separation: float
    canvases: int = 0
    safeguards: int = 1
    speaker: float = 0.3
    cell: float = 0.0
    pair: float = 0.4
    skill: float = 0.4
    habit: float = 0.0
    answer: float = 1.0

    @property
    def name(self) -> str:
        """The name of the case in lists: size, listeners, separation, and what else is peculiar."""
        size = f"{self.canvases} canvases" if self.canvases else f"{self.pairs} pairs"
        peculiar = [
            f"{self.safeguards} safeguards" if self.safeguards > 1 else "",
            f"skill {self.skill:g}" if self.skill != HeardCase.skill else "",
            f"pairs of speakers {self.cell:g}" if self.cell else "",
            f"recordings {self.pair:g}" if self.pair != HeardCase.pair else "",
            f"habits {self.habit:g}" if self.habit else "",
        ]
        size = f"{self.speakers} speakers × {size}, {self.listeners} listeners, {self.separation:g}"
        return "; ".join([size, *filter(None, peculiar)])


def drawn_heard(case: HeardCase, rng: np.random.Generator) -> HeardTrials:
    """One set of such answers."""
    return _heard(case, 1.0 + normal(case.listeners, rng, case.skill), rng)


def _heard(case: HeardCase, skill: FloatArray, rng: np.random.Generator) -> HeardTrials:
    first, second, canvas, said = (_placed if case.canvases else _judged)(case, skill, rng)
    said = said + normal(case.listeners, rng, case.habit) if case.habit else said
    is_target = first == second
    names = tuple(f"s{k:04d}" for k in range(case.speakers))
    codes = tuple(f"L{k:02d}" for k in range(case.listeners))
    item = canvas if case.canvases else _place_in_class(is_target)
    is_heard = (item[:, np.newaxis] + np.arange(case.listeners)) % case.safeguards == 0
    said = np.where(is_heard, said, np.nan)
    there = is_heard.any(axis=1)
    canvases = tuple(sorted(set(canvas[there].tolist()))) if case.canvases else ()
    return HeardTrials(
        names, first[there], second[there], is_target[there], said[there], codes, canvas[there], canvases
    )


def _place_in_class(is_target: np.ndarray) -> IntArray:
    return np.where(is_target, np.cumsum(is_target), np.cumsum(~is_target)).astype(np.int64)


_Answers = tuple[IntArray, IntArray, IntArray, FloatArray]


def _judged(case: HeardCase, skill: FloatArray, rng: np.random.Generator) -> _Answers:
    n, k = case.speakers, case.pairs
    first = np.tile(np.repeat(np.arange(n), k), 2)
    second = np.concatenate([first[: n * k], (first[n * k :] + 1 + np.tile(np.arange(k), n)) % n])
    enrolled, heard = normal(n, rng, case.speaker), normal(n, rng, case.speaker)
    common = enrolled[first] + heard[second] + normal(len(first), rng, case.pair)
    if case.cell:
        common = common + normal((n, n), rng, case.cell)[first, second]
    said = common[:, np.newaxis] + (first == second)[:, np.newaxis] * case.separation * skill
    said = said + normal(said.shape, rng, case.answer)
    return first, second, np.zeros(len(first), np.int64), said


def _placed(case: HeardCase, skill: FloatArray, rng: np.random.Generator) -> _Answers:
    """Voices lie in a plane, and recordings near their voices; canvases take speakers in turn."""
    voice = normal((case.speakers, 2), rng, case.separation)
    first: list[IntArray] = []
    second: list[IntArray] = []
    canvas: list[IntArray] = []
    said: list[FloatArray] = []
    one, other = np.triu_indices(_ON_CANVAS * _RECORDINGS, k=1)
    for number in range(case.canvases):
        on_it = (number * _ON_CANVAS + np.arange(_ON_CANVAS)) % case.speakers
        who = np.repeat(on_it, _RECORDINGS)
        common = normal((len(who), 2), rng, case.pair)
        columns = [
            nearness(voice[who] * of + common + normal(common.shape, rng, case.answer))
            for of in skill.tolist()
        ]
        said.append(np.stack([np.zeros(len(one)) if of is None else of for of in columns], axis=1))
        first.append(who[one])
        second.append(who[other])
        canvas.append(np.full(len(one), number, dtype=np.int64))
    return np.concatenate(first), np.concatenate(second), np.concatenate(canvas), np.concatenate(said)


@cache
def known_truths() -> Mapping[str, Mapping[str, float]]:
    """What `heard_truth` came to for the release, by the names of the cases: it takes a minute or so each."""
    truths: Mapping[str, Mapping[str, float]] = json.loads(zebra_resources.read_text(VALUES))["truth"]
    return truths


def heard_truth(case: HeardCase) -> dict[str, float]:
    """What panels of such listeners find of infinitely many speakers, on average over panels.

    Of canvases, and of listeners who hear an item under one safeguard each, of very many instead. The mean
    skills of panels lie where those of so many panels do, evenly in probability.
    """
    if case.canvases or case.safeguards > 1:
        return found_of_many(case, _PANELS, _MANY_CANVASES if case.canvases else _MANY_SPEAKERS)
    spread = math.sqrt(2 * case.speaker**2 + case.cell**2 + case.pair**2 + case.answer**2 / case.listeners)
    means = 1.0 + _mean_skills(case, _PANELS)
    found = [truth(SimulationCase(3, 1, case.separation * mean / spread)) for mean in means.tolist()]
    return {name: float(np.mean([one[name] for one in found])) for name in FIGURES}


def found_of_many(case: HeardCase, panels: int, many: int) -> dict[str, float]:
    """What so many panels find on average of so many speakers, or canvases, on which nobody is twice."""
    rng = generator(0, Purpose.MADE_UP, case.speakers, case.canvases)
    if case.canvases:
        big = replace(case, speakers=many * _ON_CANVAS, canvases=many)
    else:
        big = replace(case, speakers=many)
    found = []
    for mean in _mean_skills(case, panels).tolist():
        skill = normal(case.listeners, rng, case.skill)
        heard = _heard(big, 1.0 + mean + skill - skill.mean(), rng)
        known = assess(Trials(heard.score, heard.is_target))
        found.append([getattr(known, name) for name in FIGURES])
    return dict(zip(FIGURES, np.mean(found, axis=0).tolist(), strict=True))


def _mean_skills(case: HeardCase, panels: int) -> FloatArray:
    """The mean skills of panels less one, at evenly spread quantiles; shape (panels,)."""
    quantiles = (np.arange(panels) + 0.5) / panels
    return np.asarray(scipy.special.ndtri(quantiles) * case.skill / math.sqrt(case.listeners))
