"""Files of segment pair scores, of which similarity matrices are made: read and audited as all files are."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from zebra_core.evidence.decisions import Decision, decisions
from zebra_core.evidence.files import InputFile
from zebra_core.evidence.segments import SegmentEvidence, SegmentScores
from zebra_core.evidence.speaker_names import SessionRule, Sessions, SpeakerRule, Speakers
from zebra_core.intake.contents import read_found
from zebra_core.intake.drop import read_as, read_table_as
from zebra_core.intake.matching.auditing import audited_scores
from zebra_core.intake.planned import Choices, PlannedSimilarity
from zebra_core.intake.tables.table import FileRole, SpeakerMap, Table
from zebra_core.runtime.progress import Progress, no_progress, part_of

_SCORES = (FileRole.SCORES, FileRole.BOTH)


def read_evidence(
    *,
    oo: Path | None = None,
    op: Path | None = None,
    pp: Path | None = None,
    speakers: Path | SpeakerRule = SpeakerRule.BEFORE_HYPHEN,
    allow: Iterable[str | Decision] = (),
    choices: Choices | None = None,
    on_progress: Progress = no_progress,
) -> SegmentEvidence:
    """Segment scores of up to three settings, with who speaks in them: a map (utt2spk) or a rule.

    Labels in the files play no part. `choices` say, by the name of a file, how to read one that can be read
    in several ways. Raises InputError, whose text names file and line.
    """
    given = {setting: path for setting, path in (("oo", oo), ("op", op), ("pp", pp)) if path is not None}
    chosen, files = decisions(allow), []
    known: Speakers
    if isinstance(speakers, SpeakerRule):
        known = speakers
    else:
        found = _map_of(speakers, choices)
        known, files = found.of, [*found.records()]
    scores = {}
    for done, (setting, path) in enumerate(given.items()):
        share = part_of(on_progress, done / len(given), (done + 1) / len(given))
        table = read_table_as(_SCORES, path, choices or {}, share)
        scores[setting] = _segment_scores(table, chosen)
        files += table.records()
    return SegmentEvidence(scores, known, files=tuple(files))


def read_planned_similarity(
    planned: PlannedSimilarity, allow: Iterable[str | Decision] = (), on_progress: Progress = no_progress
) -> SegmentEvidence:
    """Read what a drop was planned to come to. Raises InputError, an AuditError for what may be decided."""
    chosen = decisions(allow)
    known, sex, files = _speakers_of(planned)
    scores = {}
    for done, (setting, file) in enumerate(planned.settings.items()):
        share = part_of(on_progress, done / len(planned.settings), (done + 1) / len(planned.settings))
        table = read_found(file, share)
        assert isinstance(table, Table)  # noqa: S101 - its role says so
        scores[setting] = _segment_scores(table, chosen)
        files += table.records()
    return SegmentEvidence(scores, known, sex, tuple(files), planned.across_runs)


def _speakers_of(planned: PlannedSimilarity) -> tuple[Speakers, dict[str, str], list[InputFile]]:
    """Who speaks, of which sex where that is known, and from which files."""
    if isinstance(planned.speakers, SpeakerRule):
        return planned.speakers, {}, []
    spoken = _as_map(read_found(planned.speakers))
    sex = _as_map(read_found(planned.sex)) if planned.sex else None
    if sex is None:
        return spoken.of, {}, [*spoken.records()]
    return spoken.of, dict(sex.of), [*spoken.records(), *sex.records()]


def read_speaker_map(path: Path, choices: Choices | None = None) -> dict[str, str]:
    """Read a map of speakers, utt2spk or spk2utt: segment → speaker. Raises InputError with file and line."""
    return dict(_map_of(path, choices).of)


def sessions_named(word: str, folder: Path) -> Sessions:
    """The rule of this name, or the sessions of a file of recordings and sessions: its place in the folder.

    Raises InputError where it is neither.
    """
    rules = {rule.value: rule for rule in SessionRule}
    return rules[word] if word in rules else read_speaker_map(folder / word)


def _segment_scores(table: Table, allow: frozenset[Decision]) -> SegmentScores:
    first, second, score, audit = audited_scores(table, allow=allow)
    remarks = tuple(finding.as_remark() for finding in audit.findings)
    return SegmentScores(first, second, score, table.name, remarks)


def _map_of(path: Path, choices: Choices | None) -> SpeakerMap:
    return _as_map(read_as((FileRole.SPEAKERS,), path, choices or {}, no_progress))


def _as_map(found: Table | SpeakerMap) -> SpeakerMap:
    assert isinstance(found, SpeakerMap)  # noqa: S101 - by its role
    return found
