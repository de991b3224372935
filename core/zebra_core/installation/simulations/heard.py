"""Answers of listeners with known spread of voices, recordings, skills and answers: the truth is known.

Either pairs are judged: everybody is compared with themselves and with the next speakers round a circle. Or
recordings are placed on canvases, of a few speakers each. What a listener hears of a difference is theirs to
some extent; of what misleads, some is theirs, and some misleads all of them.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache

import numpy as np
import scipy

import zebra_resources
from zebra_core.evidence.heard_trials import HeardTrials
from zebra_core.evidence.trials import FloatArray, IntArray, Trials
from zebra_core.installation.simulations.crossed import FIGURES, SimulationCase, truth
from zebra_core.listening.scores import nearness
from zebra_core.metrics.assessment import assess
from zebra_core.metrics.chance.resampling import normal
from zebra_core.metrics.chance.seeds import Purpose, generator

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
