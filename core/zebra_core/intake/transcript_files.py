"""Transcripts as recognisers and evaluations write them: the words of each utterance, by its id.

Kaldi's `text`; tables with or without names of columns; JSON lines (NeMo, spkanon_eval); NIST's trn, ctm and
stm; and what Whisper writes, a file for each recording (JSON, TSV, SRT, VTT), whose name is the id.
What a file is, its content tells, and its name only where a line could be two things.
"""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from enum import Enum
from functools import partial
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from zebra_core.errors import InputError
from zebra_core.evidence.audit import Remark
from zebra_core.files import strict_json
from zebra_core.files.access import is_folder, is_hidden, size_of, unreadable, walk
from zebra_core.intake.opening.opening import MOST_FILES, OpenedFile, decode, lines_of, open_file
from zebra_core.intake.tables.columns import column_name
from zebra_core.wording.texts import say, visible

Transcripts = Mapping[str, str]
"""The id of each utterance to its words."""

KALDI = "text"
_OF_ONE_RECORDING = (".json", ".tsv", ".vtt", ".srt", ".txt")  # Whisper writes all of them: one is enough
_IDS = ("id", "utt", "uttid", "utterance", "utteranceid", "key", "segment", "segmentid", "name")
_PATHS = ("path", "file", "filename", "filepath", "wav", "audio", "audiofilepath", "recording")
_SOUND = re.compile(r"\.(?:wav|flac|mp3|ogg|opus|m4a|aif|aiff|sph)$", re.IGNORECASE)
_OF_WHISPER = ["start", "end", "text"]
_NUMBER = r"\d{1,9}(?:\.\d{1,9})?"
_TRN = re.compile(r"(.*)\(([^()\s]+)\)\s*")
_CTM = re.compile(rf"(\S+)\s+([1-9A-Za-z]{{1,2}})\s+({_NUMBER})\s+{_NUMBER}\s+(\S+)(?:\s+[\d.eE+-]+)?\s*")
_STM = re.compile(rf"(\S+)\s+(\S+)\s+\S+\s+({_NUMBER})\s+{_NUMBER}(?:\s+<[^>\s]*>)?(?:\s+(.*))?")
_OF_SCLITE = re.compile(
    r"\{[^{}]*/|<ALT|IGNORE_TIME_SEGMENT_IN_SCORING|\b(?:inter|ex)cluded_region\b", re.IGNORECASE
)
_TIMES = re.compile(r"[\d:.,]+ +--> +[\d:.,]+.*")
_TAG = re.compile(r"<[^<>]{0,200}>|\{\\[^{}]{0,200}\}")
_DECIMAL = re.compile(r"[-+]?\d*[.,]\d+")
_SEVERAL_WORDS = 4
_FIRST_CELL = re.compile(r'(?:"[^"\s]+"|[^\s,;"]+)([,;])')


class TranscriptSide(Enum):
    """Which transcripts of a table that holds both are meant, by what columns of words are called."""

    REFERENCE = ("ref", "reference", "groundtruth", "truth", "referencetext")
    HYPOTHESIS = (
        "hyp",
        "hypothesis",
        "hypothesistext",
        "predtext",
        "pred",
        "prediction",
        "asr",
        "recognised",
    )


_WORDS = ("text", "sentence", "transcript", "transcription", "words", "normalizedtext")
_ALL_WORDS = {*_WORDS, *TranscriptSide.REFERENCE.value, *TranscriptSide.HYPOTHESIS.value}


class _TextFile(NamedTuple):
    """A file as its readers take it: with its lines that are not empty, and their numbers."""

    file: OpenedFile
    text: str
    lines: list[tuple[int, str]]
    side: TranscriptSide

    @property
    def stem(self) -> str:
        """The name of the file without its ending, which is the id of the only recording it is about."""
        return PurePosixPath(self.file.source.folders[-1]).stem


class _Utterance(NamedTuple):
    """What one place of a file says: its line, the id of the utterance, and words."""

    number: int
    utterance: str
    words: str


def read_transcripts(path: Path, side: TranscriptSide = TranscriptSide.REFERENCE) -> dict[str, str]:
    """The words of each utterance in a file, or in a folder with a file for each recording; some have none.

    Raises InputError, with the line, where an utterance comes twice or it cannot be known what is meant.
    """
    return _in_folder(path, side) if is_folder(path) else transcripts_in(open_file(path), side)


def read_whole_set(path: Path, side: TranscriptSide) -> dict[str, str]:
    """As `read_transcripts`; of a file of one recording also the others of its folder, in the same format.

    For those who can only choose a file, and not a folder.
    """
    found, kind = read_transcripts(path, side), path.suffix.lower()
    is_one = kind in _OF_ONE_RECORDING[:-1] and [*found] == [path.stem]
    return _in_folder(path.parent, side, kind) if is_one else found


def transcripts_in(file: OpenedFile, side: TranscriptSide = TranscriptSide.REFERENCE) -> dict[str, str]:
    """The transcripts in a file that is open already, as `read_transcripts` reads them."""
    opened = _opened(file, side)
    found: dict[str, str] = {}
    first: dict[str, int] = {}
    for number, utterance, words in _reader(opened)[1](opened):
        if utterance in found:
            facts = {"found": utterance, "first": first[utterance]}
            raise InputError("utterance-twice", file=file.name, line=number, **facts)
        found[utterance], first[utterance] = words.strip(), number
    return found


def how_read(path: Path) -> Remark:
    """What `read_transcripts` takes a file or a folder for, to be told. Raises InputError as that does."""
    if is_folder(path) and (path / KALDI).is_file():
        path = path / KALDI
    kind = "folder" if is_folder(path) else _reader(_opened(open_file(path), TranscriptSide.REFERENCE))[0]
    return Remark("transcript-read", {"file": path.name, "format": say(f"transcript-format.{kind}")})


def is_transcript(file: OpenedFile) -> bool:
    """Whether this surely is one: not in Kaldi's way, in which any list of words is, and with words."""
    try:
        is_named = _reader(_opened(file, TranscriptSide.REFERENCE))[0] != "kaldi"
        return is_named and any(" " in words for words in transcripts_in(file).values())
    except InputError:
        return False


_Reader = Callable[[_TextFile], Iterator[_Utterance]]


def _opened(file: OpenedFile, side: TranscriptSide) -> _TextFile:
    text = decode(file)[0].decode()
    lines = [(number, line) for number, line in enumerate(lines_of(text), start=1) if line.strip()]
    if not lines:
        raise InputError("empty", file=file.name)
    return _TextFile(file, text, lines, side)


def _reader(opened: _TextFile) -> tuple[str, _Reader]:
    """What a file is, and how it is read."""
    lines, start = opened.lines, opened.text.lstrip()
    if start[:1] in ("{", "["):
        return "json", _json
    if start.startswith("WEBVTT") or (len(lines) > 1 and _TIMES.fullmatch(lines[1][1].strip())):
        return "subtitles", _subtitles
    if lines[0][1].split("\t") == _OF_WHISPER:
        return "whisper", _whisper_table
    if nist := _of_nist(opened):
        return nist
    mark = _delimiter(opened)
    return ("kaldi", _kaldi) if mark is None else ("table", _table(mark))


def _kaldi(opened: _TextFile) -> Iterator[_Utterance]:
    for number, line in opened.lines:
        utterance, *words = line.split(None, 1)
        yield _Utterance(number, utterance, "".join(words))


# Tables


def _delimiter(opened: _TextFile) -> str | None:
    """What parts the columns of a table; None for Kaldi's `text`, which has an id and words."""
    head = opened.lines[0][1]
    mark = max("\t,;", key=head.count)
    cells = head.split(mark) if mark in head else head.split()
    names = {column_name(cell) for cell in cells}
    if names & {*_IDS, *_PATHS} and names & _ALL_WORDS:
        if mark not in head and len(cells) > 2 and names <= {*_IDS, *_PATHS, *_ALL_WORDS}:
            raise InputError("transcript-columns", file=opened.file.name, found=visible(head, 300))
        return mark if mark in head else " " if len(cells) == 2 else None
    is_head = len(cells) > 2 and names & _ALL_WORDS and not any(" " in cell.strip() for cell in cells)
    if is_head and all(line.count(mark) >= len(cells) - 1 for _, line in opened.lines):
        return mark
    marks = {found[1] if (found := _FIRST_CELL.match(line)) else "" for _, line in opened.lines}
    return marks.pop() if len(marks) == 1 and "" not in marks else None


def _table(mark: str) -> _Reader:
    def read(opened: _TextFile) -> Iterator[_Utterance]:
        by_blanks = ((number, line.split(None, 1)) for number, line in opened.lines)
        head, *rows = by_blanks if mark == " " else _rows(opened, mark)
        columns = _columns(opened, head[1], [cells for _, cells in rows])
        if columns is None:
            columns = 0, 1, False
            yield _row(opened.file, head, 2, columns)
        for row in rows:
            yield _row(opened.file, row, len(head[1]), columns)

    return read


def _rows(opened: _TextFile, mark: str) -> Iterator[tuple[int, list[str]]]:
    reader = csv.reader(io.StringIO(opened.text, newline=""), delimiter=mark)
    number = 1
    try:
        for row in reader:
            if row and any(map(str.strip, row)):
                yield number, row
            number = reader.line_num + 1
    except csv.Error as error:
        facts = {"line": number, "count": 1, "expected": 2}
        raise InputError("transcript-cells", file=opened.file.name, **facts) from error


def _columns(
    opened: _TextFile, head: list[str], rows: Sequence[Sequence[str]]
) -> tuple[int, int, bool] | None:
    """Where ids and words stand, and whether ids are paths; None where the first line names no columns.

    Where it names but one of the two, the other is the only column that holds what can be it.
    """
    names, side = [column_name(cell) for cell in head], opened.side
    other = TranscriptSide.HYPOTHESIS if side is TranscriptSide.REFERENCE else TranscriptSide.REFERENCE
    paths = [n for n, name in enumerate(names) if name in _PATHS]
    ids = [n for n, name in enumerate(names) if name in _IDS] or paths
    words = [names.index(name) for name in (*side.value, *_WORDS, *other.value) if name in names]
    if bool(ids) != bool(words) and len(names) > 2:
        cells = [[row[n].strip() for row in rows if n < len(row)] for n in range(len(names))]
        files = [n for n, column in enumerate(cells) if column and all(map(_SOUND.search, column))]
        left = [n for n in range(len(names)) if n not in (*ids, *words)]
        one = [n for n in left if n in files] or [n for n in left if _are_ids(cells[n])]
        several = [n for n in left if _are_words(cells[n])]
        ids, words = ids or one[: len(one) == 1], words or several[: len(several) == 1]
        paths += files
    if ids and words:
        return ids[0], words[0], ids[0] in paths
    if ids or words or len(names) != 2:
        raise InputError("transcript-columns", file=opened.file.name, found=visible(", ".join(head), 300))
    return None


def _are_ids(cells: Sequence[str]) -> bool:
    """Whether all of them are different, and none is several words or a number with decimals."""
    return len({*cells}) == len(cells) > 0 and not any(" " in one or _DECIMAL.fullmatch(one) for one in cells)


def _are_words(cells: Sequence[str]) -> bool:
    """Whether most of them are several words: more than names of people have."""
    return 2 * sum(len(one.split()) >= _SEVERAL_WORDS for one in cells) > len(cells)


def _row(
    file: OpenedFile, row: tuple[int, list[str]], width: int, columns: tuple[int, int, bool]
) -> _Utterance:
    number, cells = row
    utterance, words, is_path = columns
    if len(cells) != width and not (width == 2 and len(cells) == 1):
        raise InputError("transcript-cells", file=file.name, line=number, count=len(cells), expected=width)
    return _Utterance(number, _id(cells[utterance], is_path), cells[words] if words < len(cells) else "")


def _id(cell: str, is_path: bool) -> str:
    return _SOUND.sub("", cell.strip().replace("\\", "/").rpartition("/")[2]) if is_path else cell.strip()


# JSON


def _json(opened: _TextFile) -> Iterator[_Utterance]:
    """Whisper's object of one recording, or an object on each line."""
    whole = strict_json.parse_or_none(opened.text.encode())
    if isinstance(whole, dict) and isinstance(whole.get("text"), str) and "segments" in whole:
        yield _Utterance(1, opened.stem, whole["text"])
        return
    listed = [(1, one) for one in whole] if isinstance(whole, list) else None
    each = ((number, strict_json.parse_or_none(line.encode())) for number, line in opened.lines)
    for number, one in listed or each:
        if (found := _said(one, opened.side)) is None:
            raise InputError("transcript-json", file=opened.file.name, line=number)
        yield _Utterance(number, *found)


def _said(found: object, side: TranscriptSide) -> tuple[str, str] | None:
    """Id and words of an object, by the names of its fields."""
    if not isinstance(found, dict):
        return None
    fields = {column_name(name): str(value) for name, value in found.items() if isinstance(value, str | int)}
    ids = [name for name in (*_IDS, *_PATHS) if name in fields]
    words = [name for name in (*side.value, *_WORDS) if name in fields]
    return (_id(fields[ids[0]], ids[0] in _PATHS), fields[words[0]]) if ids and words else None


# What Whisper and others write of one recording


def _whisper_table(opened: _TextFile) -> Iterator[_Utterance]:
    rows = [(number, line.split("\t")) for number, line in opened.lines[1:]]
    for number, cells in rows:
        if len(cells) != len(_OF_WHISPER):
            facts = {"count": len(cells), "expected": len(_OF_WHISPER)}
            raise InputError("transcript-cells", file=opened.file.name, line=number, **facts)
    yield _Utterance(1, opened.stem, " ".join(cells[-1] for _, cells in rows))


def _subtitles(opened: _TextFile) -> Iterator[_Utterance]:
    """SRT and VTT: what stands below a line of times, up to an empty line."""
    words: list[str] = []
    is_said = False
    for line in map(str.strip, lines_of(opened.text)):
        if _TIMES.fullmatch(line):
            is_said = True
        elif not line:
            is_said = False
        elif is_said:
            words.append(_TAG.sub(" ", line))
    yield _Utterance(1, opened.stem, " ".join(words))


def _in_folder(folder: Path, side: TranscriptSide, kind: str = "") -> dict[str, str]:
    """The file `text` of a folder; else its files of one recording each, in the format that most are in.

    With a `kind`, the ending of names, those of it.
    """
    if not kind and (folder / KALDI).is_file():
        return read_transcripts(folder / KALDI, side)
    closed: list[OSError] = []
    names = next((files for _, _, files in walk(folder, closed.append)), [])
    if closed:
        raise unreadable(folder.name, closed[0])
    of: dict[str, list[str]] = {kind: [] for kind in _OF_ONE_RECORDING}
    for name in sorted(names):
        if not is_hidden(name) and (ending := PurePosixPath(name).suffix.lower()) in of:
            of[ending].append(name)
    kind = kind or max(of, key=lambda kind: len(of[kind]))
    if not of[kind] or len(of[kind]) > MOST_FILES:
        raise InputError("transcript-folder", folder=folder.name or str(folder))
    return {PurePosixPath(name).stem: _of_one_recording(folder / name, kind, side) for name in of[kind]}


def _of_one_recording(path: Path, kind: str, side: TranscriptSide) -> str:
    if size_of(path) == 0:  # nothing was understood
        return ""
    file = open_file(path)
    if kind == ".txt":
        return " ".join(lines_of(decode(file)[0].decode()))
    found = transcripts_in(file, side)
    if [*found] != [path.stem]:
        raise InputError("transcript-of-several", file=file.name)
    return found[path.stem]


# NIST's, in which lines that begin with ;; are comments


def _of_nist(opened: _TextFile) -> tuple[str, _Reader] | None:
    """How a file of NIST's is read: it is called so, or all lines are as no other transcripts have them."""
    said = [(number, line) for number, line in opened.lines if not line.startswith(";;")]
    suffix = PurePosixPath(opened.file.source.folders[-1]).suffix.lower()
    for kind, pattern in (("ctm", _CTM), ("stm", _STM), ("trn", _TRN)):
        found = [pattern.fullmatch(line) for _, line in said]
        if suffix == f".{kind}" and None in found:
            raise InputError(f"transcript-{kind}", file=opened.file.name, line=said[found.index(None)][0])
        lines_found = [one for one in found if one]
        if found and None not in found and (suffix == f".{kind}" or _looks_so(kind, lines_found)):
            numbered = [(number, one) for (number, _), one in zip(said, lines_found, strict=True)]
            return kind, partial(_nist, kind, numbered)
    return None


def _looks_so(kind: str, lines: list[re.Match[str]]) -> bool:
    """Whether lines that could also be an id with words are surely not: (noise) is no id, 3 no time."""
    if kind != "trn":
        return any("." in line[3] for line in lines)
    ids = [line[2] for line in lines]
    return len({*ids}) == len(ids) and all(re.search(r"[\d_-]", one) for one in ids)


def _nist(kind: str, said: list[tuple[int, re.Match[str]]], opened: _TextFile) -> Iterator[_Utterance]:
    """What is said in each file in the order of its times; where there are several channels, in each."""
    of: dict[tuple[str, str], list[tuple[float, int, str]]] = {}
    for number, found in said:
        if of_sclite := _OF_SCLITE.search(found[0]):
            raise InputError("transcript-of-sclite", file=opened.file.name, line=number, found=of_sclite[0])
        if kind == "trn":
            yield _Utterance(number, found[2], found[1])
        else:
            of.setdefault((found[1], found[2]), []).append((float(found[3]), number, found[4] or ""))
    channels = Counter(name for name, _ in of)
    for (name, channel), parts in of.items():
        words = " ".join(words for _, _, words in sorted(parts))
        yield _Utterance(parts[0][1], name if channels[name] == 1 else f"{name}-{channel}", words)
