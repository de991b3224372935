"""What the session's jobs do. Imported by the first job, in its thread: SciPy and pandas come along."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from pathlib import Path

from core.arrival import Arrival, arrive, plan_with
from core.demo import demo_project
from core.intake.answers import Answers
from core.intake.decisions import Decision
from core.intake.plan import Plan
from core.loading import reassess
from core.progress import Progress
from core.project import Entry, Project


def sort_out(paths: Sequence[Path], answers: Answers | None, on_progress: Progress) -> Plan:
    """What these files come to together."""
    return plan_with(paths, answers or Answers(), on_progress)


def try_out(
    paths: Sequence[Path],
    answers: Answers | None,
    made: Plan | None,
    earlier: Arrival | None,
    on_progress: Progress,
) -> Arrival:
    """Read, audit and assess what the files come to; one bad file does not lose the others."""
    done = earlier.done if earlier else frozenset()
    return arrive(paths, answers, made=made, earlier=earlier, done=done, on_progress=on_progress)


def decide(entry: Entry, allow: Collection[Decision], on_progress: Progress) -> Entry:
    """The entry with other decisions."""
    return reassess(entry, allow, on_progress)


def open_demo(on_progress: Progress) -> Project:
    """The demo project, assessed."""
    return demo_project(on_progress)
