"""Manifests of recordings as JSON lines (NeMo, spkanon_eval): who speaks, and the sex of who speaks.

What else they say, such as words and emotions, is told and not used here; `zebra utility` reads the words.
The record of scores that were made from recordings, or from embeddings, lists, as a file of a drop, what
belongs to it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace

from zebra_core.errors import InputError
from zebra_core.evidence.audit import Finding
from zebra_core.evidence.remarks import Severity
from zebra_core.files import strict_json
from zebra_core.intake.embeddings_record import embeddings_record_of, is_embeddings_record
from zebra_core.intake.formats.reading import Reading
from zebra_core.intake.opening.decoding import decode, lines_of
from zebra_core.intake.opening.opening import OpenedFile
from zebra_core.intake.recordings_file import is_record, record_of
from zebra_core.intake.tables.table import FileRole, SpeakerMap
from zebra_core.runtime.progress import Progress
from zebra_core.wording.texts import visible

_PATHS = ("audio_filepath", "path", "audio", "wav", "file")
_SPEAKERS = ("speaker", "speaker_id", "spk", "label")
_SEXES = ("sex", "gender")
_SUFFIX = re.compile(r"\.[A-Za-z0-9]{1,5}$")


def recognise(file: OpenedFile) -> list[Reading]:
    """Recognise a manifest by its first line: a recording, and who speaks in it."""
    first = _parsed(file.content[: 1 << 20].partition(b"\n")[0])
    if first is None or _field(first, _PATHS) is None or _field(first, _SPEAKERS) is None:
        return []
    return [SPEAKERS, *([SEX] if _field(first, _SEXES) else [])]


def recognise_record(file: OpenedFile) -> list[Reading]:
    """Recognise the record of scores that were made from recordings or embeddings by its first lines."""
    if is_embeddings_record(file.content):
        return [EMBEDDINGS]
    return [RECORD] if is_record(file.content) else []


def _parsed(line: bytes) -> Mapping[str, object] | None:
    found = strict_json.parse_or_none(line) if line.lstrip().startswith(b"{") else None
    return found if isinstance(found, dict) else None


def _field(found: Mapping[str, object], names: tuple[str, ...]) -> str | None:
    values = (found[name] for name in names if name in found)
    return next((str(value) for value in values if isinstance(value, str | int)), None)


def _rows(file: OpenedFile) -> Iterator[tuple[int, Mapping[str, object]]]:
    for number, line in enumerate(lines_of(decode(file)[0].decode()), start=1):
        if not line.strip():
            continue
        if (found := _parsed(line.encode())) is None:
            raise InputError("manifest-line", file=file.name, line=number, found=visible(line, 200))
        yield number, found


def _read(file: OpenedFile, reading: Reading, on_progress: Progress) -> SpeakerMap:
    """Recording to speaker, by the name of its file; or speaker to sex. Raises InputError, with the line."""
    on_progress(0.0)
    used = (_PATHS, _SPEAKERS) if reading is SPEAKERS else (_SPEAKERS, _SEXES)
    of: dict[str, str] = {}
    others: dict[str, None] = {}
    for number, found in _rows(file):
        one, value = (_field(found, names) for names in used)
        if one is None or value is None:
            raise InputError("manifest-line", file=file.name, line=number, found=visible(str(found), 200))
        if reading is SPEAKERS:
            one = _SUFFIX.sub("", one.replace("\\", "/").rpartition("/")[2])
        if of.setdefault(one, value) != value:
            raise InputError(
                "manifest-two", file=file.name, line=number, found=one, value=value, known=of[one]
            )
        others |= dict.fromkeys(name for name in found if name not in {*_PATHS, *used[0], *used[1]})
    findings = file.findings
    if others:
        facts = {"file": file.name, "fields": visible(", ".join(others), 200)}
        findings = (*findings, Finding("manifest-unused", Severity.NOTE, facts))
    return SpeakerMap(replace(file, findings=findings), reading.format, of)


def _read_record(file: OpenedFile, reading: Reading, on_progress: Progress) -> SpeakerMap:
    """The hash of each file that was written with it, by its place."""
    on_progress(0.0)
    of = embeddings_record_of if reading is EMBEDDINGS else record_of
    return SpeakerMap(file, reading.format, of(file.content, file.name).files)


SPEAKERS = Reading("manifest", FileRole.SPEAKERS, by_file=_read)
SEX = Reading("spk2gender", FileRole.SPEAKERS, by_file=_read)
RECORD = Reading(FileRole.RECORDINGS.value, FileRole.RECORDINGS, by_file=_read_record)
EMBEDDINGS = Reading(FileRole.EMBEDDINGS.value, FileRole.EMBEDDINGS, by_file=_read_record)
