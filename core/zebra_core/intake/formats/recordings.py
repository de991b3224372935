"""The record of scores that were made from recordings; as a file of a drop it lists what belongs to it."""

from __future__ import annotations

from zebra_core.intake.formats.reading import Reading
from zebra_core.intake.opening.opening import OpenedFile
from zebra_core.intake.recordings_file import is_record, record_of
from zebra_core.intake.tables.table import FileRole, SpeakerMap
from zebra_core.runtime.progress import Progress


def recognise(file: OpenedFile) -> list[Reading]:
    """Recognise the record by its first line."""
    return [RECORD] if is_record(file.content) else []


def _read(file: OpenedFile, reading: Reading, on_progress: Progress) -> SpeakerMap:
    """The hash of each file that was written with it, by its place."""
    on_progress(0.0)
    return SpeakerMap(file, reading.format, record_of(file.content, file.name).files)


RECORD = Reading(FileRole.RECORDINGS.value, FileRole.RECORDINGS, by_file=_read)
