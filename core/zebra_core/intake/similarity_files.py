"""From files of segment pair scores to similarity matrices: read and audited as all files are."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from zebra_core.evidence.decisions import Decision, decisions
from zebra_core.evidence.files import InputFile
from zebra_core.evidence.segments import SegmentScores, SpokenSegments
from zebra_core.evidence.speaker_names import SpeakerRule, Speakers
from zebra_core.evidence.speaker_trials import SpeakerTrials
from zebra_core.intake.contents import read_found
from zebra_core.intake.drop import read_as, read_table_as
from zebra_core.intake.matching.auditing import audited_scores
from zebra_core.intake.planned import Choices, PlannedSimilarity
from zebra_core.intake.tables.table import FileRole, SpeakerMap, Table
from zebra_core.metrics.similarity import Mean
from zebra_core.metrics.voices import VoiceSimilarity, voice_similarity
from zebra_core.runtime.progress import Progress, no_progress, part_of

_SCORES = (FileRole.SCORES, FileRole.BOTH)
_READING = 0.8  # the share of the time that reading takes


@dataclass(frozen=True, eq=False)
class SegmentEvidence:
    """Segment scores of up to three settings, by "oo", "op" and "pp", with who speaks in them.

    `sex` maps speakers to words, as in Kaldi's spk2gender. With `across_runs` PP compares two runs of the
    safeguard. `files` are those that everything was read from.
    """

    scores: Mapping[str, SegmentScores]
    speakers: Speakers
    sex: Mapping[str, str] = field(default_factory=dict)
    files: tuple[InputFile, ...] = ()
    across_runs: bool = False

    def similarity(self, mean: Mean = Mean.GEOMETRIC, on_progress: Progress = no_progress) -> VoiceSimilarity:
        """The similarity matrices. Raises InputError, see `voice_similarity`."""
        found = voice_similarity(
            oo=self.scores.get("oo"),
            op=self.scores.get("op"),
            pp=self.scores.get("pp"),
            speakers=self.speakers,
            mean=mean,
            across_runs=self.across_runs,
            on_progress=on_progress,
        )
        return replace(found, files=self.files, sex=self.sex)

    def trials(self, setting: str, speakers: tuple[str, ...]) -> SpeakerTrials:
        """The trials of one setting between these speakers, as in its matrix. Raises KeyError."""
        mutual = setting == "oo" or (setting == "pp" and not self.across_runs)
        return SpokenSegments.of(self.scores[setting], self.speakers).trials(speakers, mutual=mutual)

    def all_trials(self, found: VoiceSimilarity) -> dict[str, SpeakerTrials]:
        """The trials of every setting of these matrices, by setting."""
        return {setting: self.trials(setting, found.speakers) for setting in found.matrices}


def read_similarity(
    *,
    oo: str | Path | None = None,
    op: str | Path | None = None,
    pp: str | Path | None = None,
    speakers: str | Path | SpeakerRule = SpeakerRule.BEFORE_HYPHEN,
    mean: Mean = Mean.GEOMETRIC,
    allow: Iterable[str | Decision] = (),
    choices: Choices | None = None,
    on_progress: Progress = no_progress,
) -> VoiceSimilarity:
    """Read up to three score files and the map of segments to speakers, or use a rule on the ids.

    Labels in the files play no part: who speaks decides.

    Parameters
    ----------
    `oo`, `op`, `pp`
        They compare originals with originals, originals with protected segments, and these with one another;
        one is enough.
    `speakers`
        A map (utt2spk) or a rule.
    `mean`
        How the LLRs of a cell become one similarity.
    `allow`
        Decisions of the user on scores that are not finite.
    `choices`
        By the name of a file, how to read one that can be read in several ways.
    `on_progress`
        Is told the share that is done, 0 … 1, and may raise Cancelled.

    Returns
    -------
    VoiceSimilarity
        The matrices of the settings that were given, and their figures.

    Raises
    ------
    InputError
        Its text names file and line; see `voice_similarity`.

    Examples
    --------
    >>> import zebra_resources
    >>> from zebra_core import read_similarity
    >>> folder = zebra_resources.path("demo/similarity/libri_test_trials_f")
    >>> utt2spk = zebra_resources.path("demo/data/libri_test_trials_f/utt2spk")
    >>> found = read_similarity(
    ...     oo=folder / "scores_oo.txt.gz",
    ...     op=folder / "B2/scores_op.txt.gz",
    ...     pp=folder / "B2/scores_pp.txt.gz",
    ...     speakers=utt2spk,
    ... )
    >>> round(found.de_id, 2), round(found.g_vd_db, 1)
    (0.63, -0.9)
    """
    found = read_evidence(
        oo=None if oo is None else Path(oo),
        op=None if op is None else Path(op),
        pp=None if pp is None else Path(pp),
        speakers=speakers if isinstance(speakers, SpeakerRule) else Path(speakers),
        allow=allow,
        choices=choices,
        on_progress=part_of(on_progress, 0.0, _READING),
    )
    return found.similarity(mean, part_of(on_progress, _READING, 1.0))


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
    """Read what `read_similarity` reads, but return the segment scores, before matrices are made of them."""
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


def _segment_scores(table: Table, allow: frozenset[Decision]) -> SegmentScores:
    first, second, score, audit = audited_scores(table, allow=allow)
    remarks = tuple(finding.as_remark() for finding in audit.findings)
    return SegmentScores(first, second, score, table.name, remarks)


def _map_of(path: Path, choices: Choices | None) -> SpeakerMap:
    return _as_map(read_as((FileRole.SPEAKERS,), path, choices or {}, no_progress))


def _as_map(found: Table | SpeakerMap) -> SpeakerMap:
    assert isinstance(found, SpeakerMap)  # noqa: S101 - by its role
    return found
