"""The demo: one key and four score files that ship with the program (see resources/demo/README.md)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

import resources
from core.loading import assess_files
from core.progress import Progress, no_progress, part_of
from core.project import Condition, Project
from core.texts import say

KEY = "demo/data/libri_test_trials_f/trials"


@dataclass(frozen=True)
class DemoFile:
    """One score file of the demo."""

    name: str
    resource: str
    condition: Condition
    colour: int | None

    @property
    def path(self) -> Path:
        """Where it lies."""
        return resources.path(self.resource)


_ORIGINAL = "ASV-libri_test_enrolls-libri_test_trials_f"
FILES = (
    DemoFile("unprotected", f"demo/exp/unprotected/{_ORIGINAL}/scores", Condition.OO, None),
    DemoFile("B1w", f"demo/exp/B1w/{_ORIGINAL}_anon/scores", Condition.OP, 0),
    DemoFile("B2", f"demo/exp/B2/{_ORIGINAL}_anon/scores", Condition.OP, 1),
    DemoFile("B2r", f"demo/exp/B2r/{_ORIGINAL}_anon/scores", Condition.OP, 2),
)


def demo_project(on_progress: Progress = no_progress) -> Project:
    """Read and assess the demo data."""
    key = resources.path(KEY)
    project = Project(title=say("demo.title"))
    for number, file in enumerate(FILES):
        entry = assess_files(
            file.path,
            key,
            name=file.name,
            condition=file.condition,
            on_progress=part_of(on_progress, number / len(FILES), (number + 1) / len(FILES)),
        )
        project = project.with_items(replace(entry, colour=file.colour))
    return project
