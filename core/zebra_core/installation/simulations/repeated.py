"""The release's simulations: what they found, in words, and the same made again on this machine."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import zebra_resources
from zebra_core.installation.examined import ExaminedRequirement
from zebra_core.installation.simulations.crossed import (
    STRONG_SIDES,
    USUAL,
    VALUES,
    HeardCase,
    SimulationCase,
    known_truths,
    truth,
)
from zebra_core.installation.simulations.measured import SEED, SIMULATIONS, AnyCase, Simulation
from zebra_core.runtime.progress import Progress, no_progress
from zebra_core.wording.texts import clauses, say, written

Counts = Mapping[str, Sequence[Sequence[int]]]
"""What was counted, by the names of the cases: a list for each column, of a count for each set."""


@dataclass(frozen=True)
class SimulationRow:
    """One case of a simulation: what was counted in all its sets, and out of how many, column by column."""

    simulation: Simulation
    case: AnyCase
    counted: tuple[int, ...]
    out_of: tuple[int, ...]

    @property
    def shares(self) -> tuple[float, ...]:
        """The share of each column, 0 … 1."""
        return tuple(count / all_ for count, all_ in zip(self.counted, self.out_of, strict=True))

    @property
    def true_d_ece_bits(self) -> float | None:
        """The true D_ECE in bits; None where scores run the wrong way, or speakers themselves spread them."""
        if isinstance(self.case, HeardCase):
            return known_truths()[self.case.name]["d_ece_bits"] if self.case.separation else 0.0
        return truth(self.case)["d_ece_bits"] if self.case.separation >= 0.0 and not self.case.own else None


def known_counts() -> dict[str, Counts]:
    """What the release counted, by the names of the simulations."""
    values = json.loads(zebra_resources.read_text(VALUES))
    return {name: found["cases"] for name, found in values["simulations"].items()}


def minutes_of_release() -> int:
    """How many minutes of one processor core the release simulated."""
    values = json.loads(zebra_resources.read_text(VALUES))
    seconds = sum(int(found["seconds"]) for found in values["simulations"].values())
    return round(seconds / 60.0)


def sets_in_all() -> int:
    """How many sets are simulated, of all cases together."""
    return sum(len(one.cases) * one.sets for one in SIMULATIONS)


def rows_of(simulation: Simulation, counts: Counts) -> tuple[SimulationRow, ...]:
    """The rows of a table, one a case."""
    return tuple(_row(simulation, case, counts[case.name]) for case in simulation.cases)


def simulation_named(name: str) -> Simulation:
    """The one of this name. Raises StopIteration where there is none."""
    return next(one for one in SIMULATIONS if one.name == name)


def in_words(case: AnyCase) -> str:
    """How large it is, the separation, and in which way the case is peculiar, as a list."""
    return clauses(_of_listeners(case) if isinstance(case, HeardCase) else _of_scores(case))


def _of_listeners(case: HeardCase) -> list[str]:
    facts = {"speakers": case.speakers, "pairs": case.pairs, "canvases": case.canvases}
    kind = "canvases" if case.canvases else "pairs"
    size: dict[str, object] = {
        **facts,
        "listeners": case.listeners,
        "separation": written(case.separation, "g"),
    }
    words = [say(f"simulation.heard-{kind}", **size)]
    if case.safeguards > 1:
        words.append(say("simulation.heard-safeguards", safeguards=case.safeguards))
    peculiar = {
        name: value
        for name in ("skill", "cell", "pair", "habit")
        if (value := getattr(case, name)) != getattr(HeardCase, name)
    }
    said = [say(f"simulation.heard-{name}", value=written(value, "g")) for name, value in peculiar.items()]
    return [*words, *said]


def _of_scores(case: SimulationCase) -> list[str]:
    effects = dict(zip(("enrolment", "speaker", "pair", "segment"), case.effects, strict=True))
    segments = str(case.segments) if case.segments else say("simulation.unequal")
    words = [
        say(
            "simulation.size",
            speakers=case.speakers,
            segments=segments,
            separation=written(case.separation, "g"),
        )
    ]
    if case.effects == STRONG_SIDES:
        words.append(say("simulation.strong-sides"))
    elif case.effects != USUAL:
        words.append(say("simulation.effects", **{name: written(one, "g") for name, one in effects.items()}))
    if case.own:
        words.append(say("simulation.own", own=written(case.own, "g")))
    if case.ties:
        words.append(say("simulation.tied"))
    if case.share < 1.0:
        words.append(say("simulation.listed", share=f"{100.0 * case.share:.0f}"))
    if case.better:
        words.append(say("simulation.better", separation=written(case.separation + case.better, "g")))
    if case.exposed:
        words.append(say("simulation.exposed", count=case.exposed, further=written(case.further, "g")))
    return words


def repeated(
    release: Mapping[str, Counts],
    simulations: Sequence[Simulation] = SIMULATIONS,
    on_progress: Progress = no_progress,
) -> Iterator[ExaminedRequirement]:
    """Simulate all sets again: a line for each case, against what the release counted set by set."""
    in_all, done = sum(len(one.cases) * one.sets for one in simulations), 0
    for simulation in simulations:
        for case in simulation.cases:
            counts = []
            for number in range(simulation.sets):
                on_progress(done / in_all)
                counts.append(simulation.counted(case, number))
                done += 1
            columns = [list(column) for column in zip(*counts, strict=True)]
            expected = release.get(simulation.name, {}).get(case.name, [[] for _ in columns])
            yield _line(simulation, case, columns, expected)


def _line(
    simulation: Simulation, case: AnyCase, found: Sequence[Sequence[int]], expected: Sequence[Sequence[int]]
) -> ExaminedRequirement:
    return ExaminedRequirement(
        say(f"simulation.{simulation.name}-requirement", case=in_words(case)),
        say("simulation.criterion", seed=SEED),
        say(
            "simulation.result", found=_counts_in_words(simulation, case, found), release=_told_sums(expected)
        ),
        [list(column) for column in expected] == [list(column) for column in found],
        say(f"simulation.{simulation.name}-source"),
        simulation.test,
    )


def _counts_in_words(simulation: Simulation, case: AnyCase, found: Sequence[Sequence[int]]) -> str:
    row = _row(simulation, case, found)
    return ", ".join(
        say("simulation.count", count=count, all=of)
        for count, of in zip(row.counted, row.out_of, strict=True)
    )


def _told_sums(expected: Sequence[Sequence[int]]) -> str:
    return ", ".join(str(sum(column)) for column in expected)


def _row(simulation: Simulation, case: AnyCase, found: Sequence[Sequence[int]]) -> SimulationRow:
    counted = tuple(sum(column) for column in found)
    return SimulationRow(
        simulation, case, counted, tuple(each * simulation.sets for each in simulation.out_of(case))
    )
