"""From a score file and its key to an entry of the project."""

from __future__ import annotations

from pathlib import Path

from core.assessment import Settings, assess
from core.intake.drop import read_trials
from core.progress import Progress, no_progress, part_of
from core.project import Condition, Entry

_SAYS_NOTHING = ("scores", "score")


def assess_files(
    scores: Path,
    key: Path,
    *,
    name: str | None = None,
    condition: Condition | None = None,
    colour: int | None = 0,
    settings: Settings | None = None,
    on_progress: Progress = no_progress,
) -> Entry:
    """Read, match and assess one pair of files. Raises InputError; see `intake.drop.read_trials`."""
    trials = read_trials(scores, key, part_of(on_progress, 0.0, 0.6))
    assessment = assess(trials, settings, part_of(on_progress, 0.6, 1.0))
    return Entry(name or name_from(scores), trials, assessment, condition, colour)


def name_from(scores: Path) -> str:
    """What to call an assessment until the user says better: the file, or its folder where that says more."""
    stem = scores.name.split(".")[0]
    return scores.resolve().parent.name if stem.lower() in _SAYS_NOTHING else scores.stem
