"""From files to entries of the project."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from core.assessment import Settings, assess
from core.intake.decisions import Decision
from core.intake.drop import read_trials
from core.intake.opening import Source
from core.intake.plan import Choices, PlannedAssessment, name_of, read_planned
from core.progress import Progress, no_progress, part_of
from core.project import Condition, Entry


def assess_files(  # noqa: PLR0913 - each of them is a word the user may say
    scores: Path,
    key: Path | None = None,
    *,
    name: str | None = None,
    condition: Condition | None = None,
    colour: int | None = 0,
    settings: Settings | None = None,
    allow: Iterable[str | Decision] = (),
    choices: Choices | None = None,
    on_progress: Progress = no_progress,
) -> Entry:
    """Read, match and assess scores with their key, which may be inside. Raises InputError.

    See `intake.drop.read_trials` for `allow` and `choices`.
    """
    trials = read_trials(scores, key, part_of(on_progress, 0.0, 0.6), allow=allow, choices=choices)
    assessment = assess(trials, settings, part_of(on_progress, 0.6, 1.0))
    return Entry(name or name_from(scores), trials, assessment, condition, colour)


def assess_planned(
    planned: PlannedAssessment,
    *,
    colour: int | None = 0,
    settings: Settings | None = None,
    allow: Iterable[str | Decision] = (),
    on_progress: Progress = no_progress,
) -> Entry:
    """Read, match and assess what a drop was planned to come to. Raises InputError."""
    trials = read_planned(planned, allow, part_of(on_progress, 0.0, 0.6))
    assessment = assess(trials, settings, part_of(on_progress, 0.6, 1.0))
    condition = Condition(planned.condition) if planned.condition else None
    return Entry(planned.name, trials, assessment, condition, colour)


def name_from(scores: Path) -> str:
    """What to call an assessment until the user says better: the file, or its folder where that says more."""
    return name_of(Source(scores.absolute()))
