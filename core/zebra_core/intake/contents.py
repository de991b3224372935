"""What the files of a drop hold, between telling what they are and reading them: each is opened once."""

from __future__ import annotations

from dataclasses import replace
from itertools import chain
from threading import Lock

from zebra_core.errors import InputError
from zebra_core.intake.formats.recognising import RecognisedFile, recognise
from zebra_core.intake.opening.opening import Source, open_source
from zebra_core.intake.opening.packing import LONGEST_NAME
from zebra_core.intake.planned import FoundFile
from zebra_core.intake.tables.columns import text_as_before
from zebra_core.intake.tables.table import FileRole, SpeakerMap, Table
from zebra_core.runtime.progress import Progress, no_progress, part_of

_MOST_BYTES = 128 << 20  # of what is kept; larger files are opened again


class Contents:
    """Recognised files that wait to be read, within bounds, each given out once; for threads."""

    def __init__(self) -> None:
        self._waiting: dict[Source, RecognisedFile] = {}
        self._bytes = 0
        self._lock = Lock()

    def keep(self, recognised: RecognisedFile) -> None:
        """Keep a file until it is read, as long as there is room."""
        size = _held(recognised)
        with self._lock:
            if self._bytes + size <= _MOST_BYTES and recognised.source not in self._waiting:
                self._waiting[recognised.source] = recognised
                self._bytes += size

    def read(self, file: FoundFile, on_progress: Progress = no_progress) -> Table | SpeakerMap:
        """Read a file by its likeliest reading; from disk where it is not kept. Raises InputError."""
        return _bounded(self._read(file, on_progress))

    def _read(self, file: FoundFile, on_progress: Progress) -> Table | SpeakerMap:
        with self._lock:
            if (kept := self._waiting.pop(file.source, None)) is not None:
                self._bytes -= _held(kept)
        if kept is None or kept.file.sha256 != file.sha256:
            return read_found(file, on_progress)
        if kept.text and file.dialect and _is_list(file):
            return file.reading.read(replace(kept.text, dialect=file.dialect), on_progress)
        return kept.read(on_progress, file.reading)

    def table(self, file: FoundFile, on_progress: Progress = no_progress) -> Table:
        """Read a file whose likeliest reading makes a table, as `read` does. Raises InputError."""
        found = self.read(file, on_progress)
        assert isinstance(found, Table)  # noqa: S101 - its role says so
        return found


def read_found(file: FoundFile, on_progress: Progress = no_progress) -> Table | SpeakerMap:
    """Read a file of a drop from disk by its likeliest reading. Raises InputError."""
    if file.in_pieces:
        raise InputError("read-in-pieces", file=file.source.name)
    opened = open_source(file.source, part_of(on_progress, 0.0, 0.3))
    rest, reading = part_of(on_progress, 0.3, 1.0), file.reading
    if _is_list(file) and file.dialect and opened.sha256 == file.sha256:
        return _bounded(reading.read(text_as_before(opened, file.dialect), rest))
    return _bounded(recognise(opened).read(rest, reading))


def _bounded(found: Table | SpeakerMap) -> Table | SpeakerMap:
    """What was read, whose ids and words are none too long to be names; transcripts have whole texts."""
    if isinstance(found, Table):
        names = chain.from_iterable(ids.names for ids in (found.enrol, found.test) if ids)
    else:
        names = chain(found.of, () if found.role is FileRole.TRANSCRIPT else found.of.values())
    longest = max(names, key=len, default="")
    if len(longest) > LONGEST_NAME:
        raise InputError("id-too-long", file=found.file.name, found=longest, most=LONGEST_NAME)
    return found


def _is_list(file: FoundFile) -> bool:
    return file.reading.by is None and file.reading.by_file is None


def _held(recognised: RecognisedFile) -> int:
    content, text = recognised.file.content, recognised.text
    return len(content) + (len(text.content) if text and text.content is not content else 0)
