"""What the session's jobs do. Imported by the first job, in its thread: SciPy and pandas come along."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from core.demo import demo_project
from core.errors import ZebraError
from core.intake.drop import Drop, sort_drop
from core.loading import assess_files
from core.progress import Progress, part_of
from core.project import Entry, Project


@dataclass(frozen=True)
class Sorted:
    """The files that could be told apart, and what is wrong with the others."""

    drop: Drop
    problems: tuple[ZebraError, ...]


@dataclass(frozen=True)
class Assessed:
    """The assessments that came of some files, and what is wrong with the other files."""

    entries: tuple[Entry, ...]
    problems: tuple[ZebraError, ...]


def sort_files(paths: Sequence[Path], on_progress: Progress) -> Sorted:
    """Tell scores from keys; one bad file does not lose the others."""
    drop, problems = Drop(), []
    for number, path in enumerate(paths):
        on_progress(number / len(paths))
        try:
            drop += sort_drop([path])
        except ZebraError as error:
            problems.append(error)
    return Sorted(drop, tuple(problems))


def assess_all(scores: Sequence[Path], key: Path, on_progress: Progress) -> Assessed:
    """Assess every score file with the one key; one bad file does not lose the others."""
    entries, problems = [], []
    for number, path in enumerate(scores):
        part = part_of(on_progress, number / len(scores), (number + 1) / len(scores))
        try:
            entries.append(assess_files(path, key, on_progress=part))
        except ZebraError as error:
            problems.append(error)
    return Assessed(tuple(entries), tuple(problems))


def open_demo(on_progress: Progress) -> Project:
    """The demo project, assessed."""
    return demo_project(on_progress)
