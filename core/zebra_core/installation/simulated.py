"""Intervals, chance and differences of small simulated sets: whether they are those of the release.

Scores have crossed effects of enrolment, speaker, pair and segment, as in the simulations that the manual
tells of. These here are few: they show that the procedures are the same ones, not how good they are.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping

import numpy as np

from zebra_core.installation.examined import ExaminedRequirement
from zebra_core.installation.simulations.crossed import SimulationCase, drawn, sharing_noise, truth
from zebra_core.installation.simulations.measured import bootstrapped
from zebra_core.metrics.assessment import assess
from zebra_core.metrics.chance.seeds import Purpose, generator
from zebra_core.runtime.progress import Progress, no_progress
from zebra_core.uncertainty.bootstrap import BootstrapSettings, bootstrap
from zebra_core.uncertainty.difference import ranking
from zebra_core.uncertainty.no_disclosure import without_disclosure
from zebra_core.wording.texts import say, written

RELATIVE = 1e-9
SEED = 27
_DRAWS, _DEALS = 100, 99
_COVERED_SETS, _COVERED_SEPARATION = 20, 1.5
_TEST = "tests/core/installation/simulations/test_measured.py"


CASES = (SimulationCase(12, 3, 0.3), SimulationCase(12, 3, 1.5), SimulationCase(20, 3, 4.0))


def _name(case: SimulationCase) -> str:
    """How the release's values of it are listed."""
    return f"{case.speakers} x {case.segments}, {written(case.separation, 'g')}"


def intervals_found(case: SimulationCase) -> dict[str, float]:
    """Figures and the ends of their intervals, of one set."""
    trials = drawn(case, generator(SEED, Purpose.MADE_UP))
    assessment = assess(trials)
    measured = bootstrap(trials, assessment, BootstrapSettings(_DRAWS, seed=SEED))
    found: dict[str, float] = {}
    for name in ("d_ece_bits", "min_cllr_bits", "eer"):
        interval = measured.intervals[name]
        found |= {
            name: getattr(assessment, name),
            f"{name}, low": interval.low,
            f"{name}, high": interval.high,
        }
    return found


def chance_found(case: SimulationCase) -> dict[str, float]:
    """What no disclosure would show of one set."""
    trials = drawn(case, generator(SEED, Purpose.MADE_UP))
    chance = without_disclosure(trials, assess(trials), replicates=_DEALS, seed=SEED)
    return {
        "p_value": chance.p_value("d_ece_bits"),
        "median": chance.median("d_ece_bits"),
        "one in twenty": chance.one_in_twenty("d_ece_bits"),
    }


def difference_found(case: SimulationCase) -> dict[str, float]:
    """The tested difference of two safeguards that share half of their noise."""
    made = sharing_noise([case, case], generator(SEED, Purpose.MADE_UP))
    measured = bootstrapped(made, BootstrapSettings(_DRAWS, seed=SEED))
    (found,) = ranking("d_ece_bits", [each.figures["d_ece_bits"] for each in measured]).differences
    return {
        "difference": found.value,
        "low": found.interval.low,
        "high": found.interval.high,
        "p_value": found.p_value,
    }


def coverage_found(on_progress: Progress = no_progress) -> dict[str, float]:
    """In how many of some sets the 95 % interval of the EER holds the truth, which is known."""
    case = SimulationCase(12, 3, _COVERED_SEPARATION)
    true, rng, held = truth(case)["eer"], generator(SEED, Purpose.MADE_UP), 0
    for seed in range(_COVERED_SETS):
        on_progress(seed / _COVERED_SETS)
        trials = drawn(case, rng)
        held += (
            true in bootstrap(trials, assess(trials), BootstrapSettings(_DRAWS, seed=seed)).intervals["eer"]
        )
    return {"sets": float(_COVERED_SETS), "held": float(held)}


def answers_now(on_progress: Progress = no_progress) -> dict[str, dict[str, float]]:
    """What this installation finds, in the form in which the release's values are kept."""
    found: dict[str, dict[str, float]] = {}
    made: Mapping[str, Callable[[SimulationCase], dict[str, float]]] = {
        "intervals": intervals_found,
        "chance": chance_found,
        "difference": difference_found,
    }
    for number, case in enumerate(CASES):
        on_progress(number / len(CASES) / 2)
        found |= {f"{what} {_name(case)}": make(case) for what, make in made.items()}
    found["coverage"] = coverage_found(lambda share: on_progress(0.5 + share / 2))
    return found


def compared(
    release: Mapping[str, Mapping[str, float]], on_progress: Progress = no_progress
) -> list[ExaminedRequirement]:
    """Each set against the release's values."""
    found = answers_now(on_progress)
    lines = []
    for name, expected in release.items():
        what, _, size = name.partition(" ")
        values = found.get(name, {})
        apart = float(
            np.max([_relative(values.get(figure, math.nan), value) for figure, value in expected.items()])
        )
        lines.append(
            ExaminedRequirement(
                say(f"dossier.simulated-{what}", size=size),
                say("dossier.simulated-criterion", tolerance=written(RELATIVE, "g")),
                say(f"dossier.simulated-{what}-result", found=written(apart, ".2g"), **_as_facts(values)),
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
