"""Intervals, chance and differences of small simulated sets: whether they are those of the release.

Scores have crossed effects of enrolment, speaker, pair and segment, as in the simulations that the manual
tells of (tests/benchmarks/levels_and_coverage.py in the source). These here are few: they show that the
procedures are the same ones, not how good they are.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
from scipy.special import ndtr

from zebra_core.evidence.trials import FloatArray, Ids, Trials
from zebra_core.installation.examined import Examined
from zebra_core.metrics.assessment import assess
from zebra_core.metrics.chance.drawing import normal
from zebra_core.metrics.chance.seeds import Purpose, generator
from zebra_core.runtime.progress import Progress, no_progress
from zebra_core.uncertainty.bootstrap import BootstrapSettings, bootstrap, bootstrap_together
from zebra_core.uncertainty.difference import ranking
from zebra_core.uncertainty.no_disclosure import without_disclosure
from zebra_core.uncertainty.resampling import Clusters
from zebra_core.wording.texts import say

RELATIVE = 1e-9
SEED = 27
_DRAWS, _DEALS = 100, 99
_SIDES = (0.3, 0.3, 0.4, 0.3)  # of the enrolment, speaker, pair and segment; the total variance is 1
_COVERED_SETS, _COVERED_SEPARATION = 20, 1.5
_TEST = "tests/benchmarks/levels_and_coverage.py"


@dataclass(frozen=True)
class Case:
    """So many speakers with so many segments each, and how far the classes lie apart."""

    speakers: int
    segments: int
    separation: float

    @property
    def name(self) -> str:
        """How the release's values are listed."""
        return f"{self.speakers} x {self.segments}, {self.separation:g}"


CASES = (Case(12, 3, 0.3), Case(12, 3, 1.5), Case(20, 3, 4.0))


def noise_of(case: Case, rng: np.random.Generator) -> FloatArray:
    """Scores but for the separation, of everybody's enrolment against everybody's segments."""
    who = np.repeat(np.arange(case.speakers), case.segments)
    n, (enrolment, speaker, pair, segment) = case.speakers, _SIDES
    rest = math.sqrt(1.0 - sum(effect**2 for effect in _SIDES))
    score = normal(n, rng, enrolment)[:, np.newaxis] + normal(n, rng, speaker)[who]
    score = score + normal(len(who), rng, segment) + normal((n, n), rng, pair)[:, who]
    return np.asarray(score + normal((n, len(who)), rng, rest))


def trials_of(case: Case, noise: FloatArray) -> Trials:
    """The trials of such noise."""
    n, who = case.speakers, np.repeat(np.arange(case.speakers), case.segments)
    is_target = np.arange(n)[:, np.newaxis] == who
    enrol, test = np.nonzero(np.ones_like(noise))
    return Trials(
        (noise + case.separation * is_target)[enrol, test],
        is_target[enrol, test],
        Ids(enrol.astype(np.int32), tuple(f"s{k:03d}" for k in range(n))),
        Ids(test.astype(np.int32), tuple(f"s{speaker:03d}-{k}" for k, speaker in enumerate(who))),
    )


def intervals_found(case: Case) -> dict[str, float]:
    """Figures and the ends of their intervals, of one set."""
    trials = trials_of(case, noise_of(case, generator(SEED, Purpose.MADE_UP)))
    known = assess(trials)
    drawn = bootstrap(trials, known, BootstrapSettings(_DRAWS, seed=SEED))
    found: dict[str, float] = {}
    for name in ("d_ece_bits", "min_cllr_bits", "eer"):
        interval = drawn.intervals[name]
        found |= {name: getattr(known, name), f"{name}, low": interval.low, f"{name}, high": interval.high}
    return found


def chance_found(case: Case) -> dict[str, float]:
    """What no disclosure would show of one set."""
    trials = trials_of(case, noise_of(case, generator(SEED, Purpose.MADE_UP)))
    chance = without_disclosure(trials, assess(trials), replicates=_DEALS, seed=SEED)
    return {
        "p_value": chance.p_value("d_ece_bits"),
        "median": chance.median("d_ece_bits"),
        "one in twenty": chance.one_in_twenty("d_ece_bits"),
    }


def difference_found(case: Case) -> dict[str, float]:
    """The tested difference of two safeguards that share half of their noise."""
    rng = generator(SEED, Purpose.MADE_UP)
    base = noise_of(case, rng)
    both = [trials_of(case, math.sqrt(0.5) * (base + noise_of(case, rng))) for _ in range(2)]
    drawn = bootstrap_together(
        [(each, assess(each)) for each in both],
        Clusters.of_trials(both[0]),
        BootstrapSettings(_DRAWS, seed=SEED),
    )
    (found,) = ranking("d_ece_bits", [each.figures["d_ece_bits"] for each in drawn]).differences
    return {
        "difference": found.value,
        "low": found.interval.low,
        "high": found.interval.high,
        "p_value": found.p_value,
    }


def coverage_found(on_progress: Progress = no_progress) -> dict[str, float]:
    """In how many of some sets the 95 % interval of the EER holds the truth, which is known."""
    case = Case(12, 3, _COVERED_SEPARATION)
    truth, rng, held = float(ndtr(-_COVERED_SEPARATION / 2.0)), generator(SEED, Purpose.MADE_UP), 0
    for seed in range(_COVERED_SETS):
        on_progress(seed / _COVERED_SETS)
        trials = trials_of(case, noise_of(case, rng))
        held += (
            truth in bootstrap(trials, assess(trials), BootstrapSettings(_DRAWS, seed=seed)).intervals["eer"]
        )
    return {"sets": float(_COVERED_SETS), "held": float(held)}


def answers_now(on_progress: Progress = no_progress) -> dict[str, dict[str, float]]:
    """What this installation finds, in the form in which the release's values are kept."""
    found: dict[str, dict[str, float]] = {}
    made: Mapping[str, Callable[[Case], dict[str, float]]] = {
        "intervals": intervals_found,
        "chance": chance_found,
        "difference": difference_found,
    }
    for number, case in enumerate(CASES):
        on_progress(number / len(CASES) / 2)
        found |= {f"{what} {case.name}": make(case) for what, make in made.items()}
    found["coverage"] = coverage_found(lambda share: on_progress(0.5 + share / 2))
    return found


def compared(known: Mapping[str, Mapping[str, float]], on_progress: Progress = no_progress) -> list[Examined]:
    """Each set against the release's values."""
    found = answers_now(on_progress)
    lines = []
    for name, expected in known.items():
        what, _, size = name.partition(" ")
        values = found.get(name, {})
        apart = float(
            np.max([_relative(values.get(figure, math.nan), value) for figure, value in expected.items()])
        )
        lines.append(
            Examined(
                say(f"dossier.simulated-{what}", size=size),
                say("dossier.simulated-criterion", tolerance=f"{RELATIVE:g}"),
                say(f"dossier.simulated-{what}-result", found=f"{apart:.2g}", **_as_facts(values)),
                apart <= RELATIVE,
                say(f"dossier.simulated-{what}-source"),
                _TEST,
            )
        )
    return lines


def _as_facts(values: Mapping[str, float]) -> dict[str, int]:
    """What the sentence on coverage says in numbers."""
    return {name: int(values[name]) for name in ("sets", "held") if name in values}


def _relative(found: float, expected: float) -> float:
    return abs(found - expected) / max(abs(expected), 1e-3)
