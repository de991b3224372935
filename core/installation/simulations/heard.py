"""Answers of listeners with known spread of speakers, pairs, skills and single answers: the truth is known.

Everybody is compared with themselves and with the next speakers round a circle. A panel of so many listeners
hears all of it; what a listener hears of a difference is theirs to some extent.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from zebra_core.evidence.heard_trials import HeardTrials
from zebra_core.installation.simulations.crossed import Case, truth
from zebra_core.metrics.chance.drawing import normal

_PANELS = 400  # drawn for the mean of what panels of such listeners find


@dataclass(frozen=True)
class HeardCase:
    """So many speakers and listeners, pairs of each speaker of either class, and how far classes lie apart.

    Standard deviations: of what each speaker adds on either side, of a pair, of the skill of listeners, which
    multiplies the separation, and of an answer.
    """

    speakers: int
    listeners: int
    pairs: int
    separation: float
    speaker: float = 0.3
    pair: float = 0.4
    skill: float = 0.4
    answer: float = 1.0

    @property
    def spread(self) -> float:
        """The standard deviation of the mean over a panel."""
        return math.sqrt(2 * self.speaker**2 + self.pair**2 + self.answer**2 / self.listeners)


def drawn_heard(case: HeardCase, rng: np.random.Generator) -> HeardTrials:
    """One set of such answers."""
    n, k = case.speakers, case.pairs
    first = np.tile(np.repeat(np.arange(n), k), 2)
    second = np.concatenate([first[: n * k], (first[n * k :] + 1 + np.tile(np.arange(k), n)) % n])
    is_target = np.arange(2 * n * k) < n * k
    enrolled, heard = normal(n, rng, case.speaker), normal(n, rng, case.speaker)
    common = enrolled[first] + heard[second] + normal(len(first), rng, case.pair)
    skill = case.separation * (1.0 + normal(case.listeners, rng, case.skill))
    said = common[:, np.newaxis] + is_target[:, np.newaxis] * skill
    said = said + normal(said.shape, rng, case.answer)
    names = tuple(f"s{k:03d}" for k in range(n))
    codes = tuple(f"L{k:02d}" for k in range(case.listeners))
    return HeardTrials(names, first, second, is_target, said, codes, np.zeros(len(first), np.int64), ())


def heard_truth(case: HeardCase, rng: np.random.Generator) -> dict[str, float]:
    """What panels of such listeners find of infinitely many speakers, on average over panels."""
    skills = 1.0 + normal(_PANELS, rng, case.skill / math.sqrt(case.listeners))
    found = [truth(Case(3, 1, case.separation * skill / case.spread)) for skill in skills.tolist()]
    return {name: float(np.mean([one[name] for one in found])) for name in found[0]}
