"""From files of segment pair scores to similarity matrices: the one place where they are read."""

from __future__ import annotations

import gzip
import zlib
from pathlib import Path

from core.errors import InputError
from core.intake.columns import check_text, ids_and_numbers
from core.intake.opening import OpenedFile, open_file
from core.progress import Progress, no_progress, part_of
from core.segments import SegmentScores
from core.similarity import Mean
from core.speaker_names import SpeakerRule
from core.voices import VoiceSimilarity, voice_similarity

_GZIP = b"\x1f\x8b"


def read_similarity(
    *,
    oo: Path | None = None,
    op: Path | None = None,
    pp: Path | None = None,
    utt2spk: Path | None = None,
    rule: SpeakerRule = SpeakerRule.BEFORE_HYPHEN,
    mean: Mean = Mean.GEOMETRIC,
    on_progress: Progress = no_progress,
) -> VoiceSimilarity:
    """Read up to three score files and the map of segments to speakers; without a map, use the rule.

    Raises InputError, whose text names file and line; see `voice_similarity`.
    """
    given = {setting: path for setting, path in (("oo", oo), ("op", op), ("pp", pp)) if path is not None}
    speakers = rule if utt2spk is None else read_speaker_map(utt2spk)
    scores = {}
    for done, (setting, path) in enumerate(given.items(), start=1):
        scores[setting] = read_segment_scores(path)
        on_progress(0.8 * done / len(given))
    return voice_similarity(
        **scores, speakers=speakers, mean=mean, on_progress=part_of(on_progress, 0.8, 1.0)
    )


def read_segment_scores(path: Path) -> SegmentScores:
    """Read `segment segment score` lines, plain or gzipped. Raises InputError with file and line."""
    file = _opened(path)
    check_text(file)
    return SegmentScores(*ids_and_numbers(file), name=file.name)


def read_speaker_map(path: Path) -> dict[str, str]:
    """Read `segment speaker` lines (Kaldi's utt2spk), plain or gzipped: segment → speaker.

    Raises InputError with the line where there are not two columns, and with both lines where one segment
    is given two speakers; a line that only repeats another is no harm.
    """
    file = _opened(path)
    check_text(file)
    speaker_of: dict[str, str] = {}
    line_of: dict[str, int] = {}
    for number, line in enumerate(file.content.decode("utf-8").split("\n"), start=1):
        columns = line.split()
        if not columns:
            continue
        if len(columns) != 2:
            found = " ".join(columns)
            raise InputError("speaker-map-columns", file=file.name, line=number, found=found)
        segment, speaker = columns
        if speaker_of.setdefault(segment, speaker) != speaker:
            raise InputError(
                "segment-of-two-speakers",
                file=file.name,
                line=number,
                segment=segment,
                speaker=speaker,
                first_line=line_of[segment],
                first_speaker=speaker_of[segment],
            )
        line_of.setdefault(segment, number)
    return speaker_of


def _opened(path: Path) -> OpenedFile:
    """The file, unpacked where it begins as a gzip file does, whatever its name."""
    file = open_file(path)
    if not file.content.startswith(_GZIP):
        return file
    try:
        content = gzip.decompress(file.content)
    except (OSError, EOFError, zlib.error) as error:
        raise InputError("gzip-broken", file=file.name, reason=str(error)) from error
    if not content.strip():
        raise InputError("empty", file=file.name)
    return OpenedFile(path, content)
