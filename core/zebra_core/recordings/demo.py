"""The demo from recordings: ten speakers, heard and attacked when it is asked for
(zebra_resources/recordings).
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import zebra_resources
from zebra_core.evidence.speaker_names import SpeakerRule
from zebra_core.project.attackers import AttackWords
from zebra_core.project.project import Project
from zebra_core.project.reading.folder import project_of_folder
from zebra_core.recordings.comparable import Begin
from zebra_core.recordings.overview import ExpectedWork
from zebra_core.recordings.request import Request
from zebra_core.recordings.scoring import ScoringResult, score
from zebra_core.runtime.progress import Progress, no_progress, part_of
from zebra_core.wording.texts import in_english

ORIGINAL, PROTECTED = "recordings/original", "recordings/B2"


def demo_scores(
    out: Path,
    *,
    overwrite: bool = False,
    on_progress: Progress = no_progress,
    on_begin: Begin = lambda _expected: None,
) -> ScoringResult:
    """Scores and keys of the demo's recordings, every pair, into a folder. Raises InputError, OutputError."""
    original, protected = zebra_resources.path(ORIGINAL), zebra_resources.path(PROTECTED)
    request = Request(original, {"B2": protected}, SpeakerRule.FIRST_FOLDER, every_pair=True)
    return score(request, out, overwrite=overwrite, on_progress=on_progress, on_begin=on_begin)


def demo_from_recordings(
    out: Path, *, overwrite: bool = False, on_progress: Progress = no_progress
) -> Project:
    """The demo assessed from its recordings, as `zebra compare` does it, with the name of the recogniser."""
    share = 0.0  # of making scores, as soon as it is known

    def begin(expected: ExpectedWork) -> None:
        nonlocal share
        share = expected.share_of_scores

    scored = demo_scores(
        out, overwrite=overwrite, on_progress=lambda done: on_progress(share * done), on_begin=begin
    )
    found = project_of_folder(out, part_of(on_progress, share, 1.0)).project
    named = AttackWords(recogniser=scored.compared.recogniser.name).said_in(found)
    return replace(named, title=in_english("demo.from-recordings"))
