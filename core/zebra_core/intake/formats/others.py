"""What is dropped beside scores and is of no trials: emotions, ratings, transcripts, other JSON."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from zebra_core.errors import InputError
from zebra_core.evidence.audit import Finding, Severity
from zebra_core.files import strict_json
from zebra_core.intake.embeddings_record import embeddings_record_of, is_embeddings_record
from zebra_core.intake.formats.headed import part_of_name
from zebra_core.intake.formats.reading import ColumnMeaning, Reading, TextSample
from zebra_core.intake.opening import packing
from zebra_core.intake.opening.opening import OpenedFile, decode, lines_of
from zebra_core.intake.recordings_file import is_record, record_of
from zebra_core.intake.tables.columns import Text, column_name
from zebra_core.intake.tables.table import Delimiter, FileRole, SpeakerMap
from zebra_core.intake.transcript_files import TranscriptSide, is_transcript, transcripts_in
from zebra_core.runtime.progress import Progress
from zebra_core.wording.texts import visible

EMOTIONS = "recording-attributes"
CODES = (
    EMOTIONS,
    "ratings-dropped",
    "transcript-dropped",
    "json-dropped",
    "embeddings",
    "embeddings-kaldi",
    "embedding-index",
    "mistake-pickle",
    "mistake-mat",
    "mistake-ark",
    "legal-eval-results",
    "scores-without-labels",
)
_BINARY = {
    "mistake-pickle": re.compile(rb"\x80[\x02-\x05][\x00-\xff]"),
    "mistake-mat": re.compile(rb"MATLAB (?:5\.0|7\.3) MAT-file"),
    "mistake-ark": re.compile(rb"[^\s\x00]{1,500} \x00B"),
}
_TEXT_ARK = re.compile(r"\S+ +\[(?: +\S+){3,}.*")
_INDICES = ("id2idx", "idx2spk")
_LEGAL_EVAL = ({"metric", "l", "value"}, {"attacker", "l", "curvetype"})
_EMOTIONS, _HEARD, _RATED = (
    frozenset(words.split())
    for words in (
        """ang hap neu sad exc fru sur fea dis oth angry happy neutral calm excited frustrated surprised
        surprise fear fearful disgust disgusted""",
        "clean original orig unprotected protected anonymized anonymised anon",
        "mos mospred utmos ovrl p808mos rating",
    )
)
_FEWEST_EMBEDDINGS, _SHORTEST_EMBEDDING = 3, 16
_HEAD = 1 << 16  # bytes


def refuse_binary(file: OpenedFile) -> None:
    """Raise InputError for what other programs keep scores and embeddings in and nobody reads here."""
    code = next((code for code, sign in _BINARY.items() if sign.match(file.content)), None)
    if code or packing.is_torch(file.content):
        raise InputError(code or "mistake-pickle", file=file.name)


def are_embeddings(shapes: Sequence[Sequence[int]]) -> bool:
    """Whether arrays of these shapes are embeddings: several, of one length, which is not that of a table."""
    widths = {shape[-1] if shape else 0 for shape in shapes}
    return len(shapes) >= _FEWEST_EMBEDDINGS and len(widths) == 1 and min(widths) >= _SHORTEST_EMBEDDING


def refuse_look_alikes(look: TextSample) -> None:
    """Raise InputError for two columns that would be taken for a map of speakers and surely are none."""
    if look.width != 2 or look.is_ragged:
        return
    words = {word.lower() for word in look.columns[1].words}
    file = look.text.file.name
    ids, numbers = look.columns if look.text.file.source.folders[-1] == _INDICES[0] else look.columns[::-1]
    if look.text.file.source.folders[-1] in _INDICES and all(cell.isdecimal() for cell in numbers.cells):
        raise InputError("embedding-index", file=file, found=ids.cells[0])
    if len(words) > 1 and words <= _EMOTIONS:
        raise InputError(EMOTIONS, file=file, found=look.columns[1].cells[0])
    if words <= _HEARD and look.columns[0].is_number:
        raise InputError("ratings-dropped", file=file)


def named(file: OpenedFile, look: TextSample) -> InputError | None:
    """The sentence for what no family of formats knows; None where it is nothing of these either."""
    line, content = look.text.first_line(), look.text.content
    head = {column_name(cell) for cell in line.cells}
    lasts = look.columns[-1].cells
    are_heard = 2 * sum(cell.lower() in _HEARD for cell in lasts) >= len(lasts)
    is_json = content.lstrip()[:1] in (b"{", b"[")
    is_table = not is_json and look.text.dialect.delimiter is not Delimiter.BLANKS
    known = {
        "embeddings-kaldi": _TEXT_ARK.fullmatch(line.text),
        "legal-eval-results": any(names <= head for names in _LEGAL_EVAL)
        or (is_json and b'"metric"' in content[:_HEAD] and b'"values"' in content[:_HEAD]),
        "ratings-dropped": head & _RATED or (are_heard and look.width > 1 and look.columns[-2].is_number),
        "transcript-dropped": is_transcript(file),
        "json-dropped": is_json,
        "scores-without-labels": is_table and ColumnMeaning.SCORE in map(part_of_name, line.cells),
    }
    return next((InputError(code, file=file.name) for code, is_so in known.items() if is_so), None)


# Transcripts that are compared by their words, with a key in place of scores: one for both sides, or two.


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


# Manifests of recordings as JSON lines (NeMo, spkanon_eval): who speaks, and the sex of who speaks.
#
# What else they say, such as words and emotions, is told and not used here; `zebra utility` reads the words.
# The record of scores that were made from recordings, or from embeddings, lists, as a file of a drop, what
# belongs to it.


_PATHS = ("audio_filepath", "path", "audio", "wav", "file")
_SPEAKERS = ("speaker", "speaker_id", "spk", "label")
_SEXES = ("sex", "gender")
_SUFFIX = re.compile(r"\.[A-Za-z0-9]{1,5}$")


def recognise(file: OpenedFile) -> list[Reading]:
    """Recognise a manifest by its first line: a recording, and who speaks in it."""
    first = _parsed(file.first_line)
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


def _manifests_read(file: OpenedFile, reading: Reading, on_progress: Progress) -> SpeakerMap:
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


SPEAKERS = Reading("manifest", FileRole.SPEAKERS, by_file=_manifests_read)
SEX = Reading("spk2gender", FileRole.SPEAKERS, by_file=_manifests_read)
RECORD = Reading(FileRole.RECORDINGS.value, FileRole.RECORDINGS, by_file=_read_record)
EMBEDDINGS = Reading(FileRole.EMBEDDINGS.value, FileRole.EMBEDDINGS, by_file=_read_record)
