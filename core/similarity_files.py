"""From files of segment pair scores to similarity matrices: read and audited as all files are."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from core.intake.auditing import audited_scores
from core.intake.decisions import Decision, decisions
from core.intake.drop import read_as, read_table_as
from core.intake.planned import Choices
from core.intake.tables import Role, SpeakerMap
from core.progress import Progress, no_progress, part_of
from core.segments import SegmentScores
from core.similarity import Mean
from core.speaker_names import SpeakerRule
from core.voices import VoiceSimilarity, voice_similarity

_SCORES = (Role.SCORES, Role.BOTH)


def read_similarity(
    *,
    oo: Path | None = None,
    op: Path | None = None,
    pp: Path | None = None,
    speakers: Path | SpeakerRule = SpeakerRule.BEFORE_HYPHEN,
    mean: Mean = Mean.GEOMETRIC,
    allow: Iterable[str | Decision] = (),
    choices: Choices | None = None,
    on_progress: Progress = no_progress,
) -> VoiceSimilarity:
    """Read up to three score files and the map of segments to speakers, or use a rule on the ids.

    Labels in the files play no part: who speaks decides. `allow` names decisions of the user on scores that
    are not finite, `choices` tells, by the name of a file, how to read one that can be read in several ways.
    Raises InputError, whose text names file and line; see `voice_similarity`.
    """
    given = {setting: path for setting, path in (("oo", oo), ("op", op), ("pp", pp)) if path is not None}
    known = speakers if isinstance(speakers, SpeakerRule) else read_speaker_map(speakers, choices)
    scores = {}
    for done, (setting, path) in enumerate(given.items()):
        share = part_of(on_progress, 0.8 * done / len(given), 0.8 * (done + 1) / len(given))
        scores[setting] = read_segment_scores(path, allow=allow, choices=choices, on_progress=share)
    return voice_similarity(**scores, speakers=known, mean=mean, on_progress=part_of(on_progress, 0.8, 1.0))


def read_segment_scores(
    path: Path,
    *,
    allow: Iterable[str | Decision] = (),
    choices: Choices | None = None,
    on_progress: Progress = no_progress,
) -> SegmentScores:
    """Read segment, segment, score in any format that has them. Raises InputError with file and line.

    A line that only repeats another is kept once, and told in the remarks.
    """
    table = read_table_as(_SCORES, path, choices or {}, on_progress)
    first, second, score, audit = audited_scores(table, allow=decisions(allow))
    remarks = tuple(finding.as_remark() for finding in audit.findings)
    return SegmentScores(first, second, score, table.name, remarks)


def read_speaker_map(path: Path, choices: Choices | None = None) -> dict[str, str]:
    """Read a map of speakers, utt2spk or spk2utt: segment → speaker. Raises InputError with file and line."""
    found = read_as((Role.SPEAKERS,), path, choices or {}, no_progress)
    assert isinstance(found, SpeakerMap)  # noqa: S101 - by its role
    return dict(found.of)
