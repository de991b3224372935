"""What the session's jobs do. Imported by the first job, in its thread: SciPy and pandas come along."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from core.adversary import AdversaryReport, attack
from core.assessment import Assessment, ScoreMeaning, reassess
from core.demo import demo_project
from core.errors import ZebraError
from core.intake.drop import Drop, sort_drop
from core.loading import assess_files
from core.prior import prior_share
from core.progress import Progress, part_of
from core.project import Entry, Project
from core.speaker_folds import CrossValidation, cross_validate


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


def judge_scores(
    entries: Sequence[Entry], meaning: ScoreMeaning, on_progress: Progress
) -> dict[str, Assessment]:
    """The assessments of entries whose scores are now said to be something else, by id."""
    found = {}
    for number, entry in enumerate(entries):
        settings = replace(entry.assessment.settings, score_meaning=meaning)
        part = part_of(on_progress, number / len(entries), (number + 1) / len(entries))
        found[entry.id] = reassess(entry.trials, entry.assessment, settings, part)
    return found


def learn_and_judge(train: Entry, test: Entry, one_in: int, on_progress: Progress) -> AdversaryReport:
    """What calibration learnt on one entry, with its classes weighted to a prior, is worth on another."""
    on_progress(0.1)
    priors = test.assessment.profile.prior_log_odds
    return attack(train.assessment.counts, test.assessment.counts, priors, prior_share(one_in))


def learn_on_other_speakers(entry: Entry, one_in: int, on_progress: Progress) -> CrossValidation:
    """The same within one entry, learnt on some speakers and judged on others."""
    on_progress(0.1)
    priors = entry.assessment.profile.prior_log_odds
    return cross_validate(entry.trials, priors, prior=prior_share(one_in), on_progress=on_progress)
