"""A challenge in small: the reference scores of four systems on two datasets under three conditions."""

import json
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np

from zebra_core.evidence.segments import SegmentScores
from zebra_core.evidence.speaker_names import SpeakerRule
from zebra_core.evidence.trials import Ids
from zebra_core.metrics.similarity import VoiceSimilarity, voice_similarity
from zebra_core.project.items import Condition, Entry, SimilarityEntry
from zebra_core.project.project import Project
from zebra_core.project.reading.reading import assess_files

REFERENCE = Path(__file__).parents[1] / "data" / "reference"
EXPECTED = json.loads((REFERENCE / "expected.json").read_text(encoding="utf-8"))["files"]
ATTACKERS = {Condition.OO: "", Condition.OP: "ignorant", Condition.PP: "lazy-informed"}
SYSTEMS = ("B1w", "B2", "B2r", "B2r_run1")


@cache
def challenge() -> Project:
    """24 entries; B2r_run1 is a second run of B2r, whose first is called run0."""
    project = Project("challenge")
    for name in sorted(EXPECTED):
        project = project.with_items(_entry(name, project))
    return project


def expected_of(entry: Entry) -> dict[str, float]:
    """The reference figures of an entry."""
    return EXPECTED[entry.files[0].path.relative_to(REFERENCE).as_posix()]


def entry_of(name: str, dataset: str, condition: Condition, run: str = "") -> Entry:
    """The entry of the challenge."""
    return next(
        entry
        for entry in challenge().entries
        if (entry.name, entry.dataset, entry.condition, entry.run) == (name, dataset, condition, run)
    )


def two_voices() -> VoiceSimilarity:
    """Similarity matrices of two speakers with two segments each, OO, OP and PP."""
    return voice_similarity(
        oo=_segments(4.0), op=_segments(0.5), pp=_segments(2.0), speakers=SpeakerRule.BEFORE_HYPHEN
    )


def similarity_entry(name: str, dataset: str, run: str = "") -> SimilarityEntry:
    """Matrices as an item of a project."""
    return SimilarityEntry(name, dataset=dataset, run=run, similarity=two_voices())


def _segments(gap: float) -> SegmentScores:
    names = ("a-1", "a-2", "b-1", "b-2")
    pairs = [(i, j) for i in range(4) for j in range(4) if i < j]
    scores = [
        (gap if names[i][0] == names[j][0] else -gap) + 0.6 * (-1) ** k for k, (i, j) in enumerate(pairs)
    ]
    first, second = (np.array([pair[side] for pair in pairs], dtype=np.int32) for side in (0, 1))
    return SegmentScores(Ids(first, names), Ids(second, names), np.array(scores))


def _entry(name: str, project: Project) -> Entry:
    _, system, folder, _ = name.split("/")
    enrols, trials = folder.removeprefix("ASV-").split("-")
    condition = {(False, False): "OO", (False, True): "OP", (True, True): "PP"}[
        enrols.endswith("_anon"), trials.endswith("_anon")
    ]
    dataset = f"other_{trials.removesuffix('_anon')[-1]}"
    found = assess_files(REFERENCE / name, REFERENCE / EXPECTED[name]["key"])
    safeguard, _, run = system.partition("_")
    entry = Entry(
        safeguard,
        found.trials,
        found.assessment,
        Condition(condition),
        attacker=ATTACKERS[Condition(condition)],
        dataset=dataset,
        run=run or ("run0" if safeguard == "B2r" else ""),
    )
    return replace(entry, colour=project.colour_for(entry))
