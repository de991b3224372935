"""The demo: a key, four score files and segment scores that come along in zebra_resources/demo."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import zebra_resources
from zebra_core.evidence.speaker_names import SessionRule
from zebra_core.intake.sorting.plan import plan
from zebra_core.project.items import Condition, SimilarityEntry
from zebra_core.project.project import Project
from zebra_core.project.reading.reading import assess_files, try_planned_similarity
from zebra_core.runtime.progress import Progress, no_progress, part_of
from zebra_core.wording.texts import in_english

KEY = "demo/data/libri_test_trials_f/trials"
SPEAKERS = "demo/data/libri_test_trials_f/utt2spk"
SEX = "demo/data/libri_test_trials_f/spk2gender"
SEGMENT_SCORES = "demo/similarity/libri_test_trials_f"

_ASSESSING = 0.8  # the share of the time that assessments take


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
        return zebra_resources.path(self.resource)


_ORIGINAL = "ASV-libri_test_enrolls-libri_test_trials_f"
FILES = (
    DemoFile("unprotected", f"demo/exp/unprotected/{_ORIGINAL}/scores", Condition.OO, None),
    DemoFile("B1w", f"demo/exp/B1w/{_ORIGINAL}_anon/scores", Condition.OP, 0),
    DemoFile("B2", f"demo/exp/B2/{_ORIGINAL}_anon/scores", Condition.OP, 1),
    DemoFile("B2r", f"demo/exp/B2r/{_ORIGINAL}_anon/scores", Condition.OP, 2),
)


def demo_project(on_progress: Progress = no_progress) -> Project:
    """Read and assess the demo data; matrices come after the assessments."""
    key = zebra_resources.path(KEY)
    project = Project(title=in_english("demo.title"))
    for number, file in enumerate(FILES):
        entry = assess_files(
            file.path,
            key,
            name=file.name,
            condition=file.condition,
            on_progress=part_of(
                on_progress, _ASSESSING * number / len(FILES), _ASSESSING * (number + 1) / len(FILES)
            ),
        )
        project = project.with_items(replace(entry, colour=file.colour))
    for matrices in _matrices(part_of(on_progress, _ASSESSING, 1.0)):
        project = project.with_items(replace(matrices, colour=project.colour_for(matrices)))
    return project.in_sessions(SessionRule.BEFORE_LAST_HYPHEN)  # recordings are cuts of one utterance


def _matrices(on_progress: Progress) -> Iterator[SimilarityEntry]:
    """The similarity matrices of the demo, found as if their folder had been dropped with the map."""
    folder, utt2spk, sex = (zebra_resources.path(name) for name in (SEGMENT_SCORES, SPEAKERS, SEX))
    planned = plan([folder, utt2spk, sex]).similarities
    for number, one in enumerate(planned):
        share = part_of(on_progress, number / len(planned), (number + 1) / len(planned))
        entry = try_planned_similarity(one, on_progress=share).made
        yield replace(entry, dataset="")  # as the assessments, which are of the only dataset
