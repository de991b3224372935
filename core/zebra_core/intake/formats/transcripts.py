"""Transcripts that are compared by their words, with a key in place of scores: one for both sides, or two."""

from __future__ import annotations

from zebra_core.intake.formats.reading import Reading
from zebra_core.intake.opening.opening import OpenedFile
from zebra_core.intake.tables.columns import Text
from zebra_core.intake.tables.table import FileRole, SpeakerMap
from zebra_core.intake.transcript_files import TranscriptSide, transcripts_in
from zebra_core.runtime.progress import Progress


def _read_file(file: OpenedFile, reading: Reading, on_progress: Progress) -> SpeakerMap:
    side = TranscriptSide.REFERENCE if reading.format == _ENROLLED else TranscriptSide.HYPOTHESIS
    on_progress(0.0)
    return SpeakerMap(file, reading.format, transcripts_in(file, side))


def _read(text: Text, reading: Reading, on_progress: Progress) -> SpeakerMap:
    return _read_file(text.file, reading, on_progress)


_ENROLLED = "transcript-enrolled"
TESTED = Reading(FileRole.TRANSCRIPT.value, FileRole.TRANSCRIPT, by=_read, by_file=_read_file)
"""What is said in recordings that are tested, and in those that are enrolled where nothing else says that."""
ENROLLED = Reading(_ENROLLED, FileRole.TRANSCRIPT, by=_read, by_file=_read_file)
"""What is said in recordings that are enrolled."""
AS_SAID = (TESTED, ENROLLED)
"""Ways to read any transcript that somebody must have chosen: what it came with settles it."""
