"""Who speaks in each recording: by a map, a table, or a rule on folders and names that the user states."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from zebra_core.errors import InputError
from zebra_core.evidence.speaker_names import SpeakerRule
from zebra_core.intake.opening.decoding import decode, lines_of
from zebra_core.intake.opening.opening import open_file
from zebra_core.intake.similarity_files import read_speaker_map
from zebra_core.intake.tables.columns import column_name
from zebra_core.recordings.folder import Recording, as_id
from zebra_core.wording.names import alternatives
from zebra_core.wording.texts import visible


@dataclass(frozen=True)
class SpeakerColumn:
    """A column of a table that names speakers; another one names recordings."""

    path: Path
    column: str  # as it is called in the first line

    @property
    def name(self) -> str:
        """The name of the table."""
        return self.path.name


SpeakerSource = Path | SpeakerRule | SpeakerColumn
_RULES = (SpeakerRule.FIRST_FOLDER, SpeakerRule.BEFORE_HYPHEN, SpeakerRule.BEFORE_UNDERSCORE)
RULES = tuple(rule.value for rule in _RULES)
_SPEAKER = frozenset({"speaker", "spk", "speakerid", "spkid", "client", "clientid", "person"})
_RECORDING = frozenset(
    {
        "recording",
        "utterance",
        "utt",
        "uttid",
        "utteranceid",
        "file",
        "filename",
        "path",
        "segment",
        "wav",
        "audio",
    }
)
_DELIMITERS = {".csv": ",;", ".tsv": "\t"}
_EXAMPLES = 3


@dataclass(frozen=True)
class RecordingSpeakers:
    """Who speaks: by the ids of recordings; those of whom nothing is known are left out."""

    speaker: Mapping[str, str]
    unknown: tuple[str, ...]
    examples: str  # “3331/3331-159605-0001.flac → 3331”, so that a rule can be judged


def who_speaks(recordings: Mapping[str, Recording], source: SpeakerSource) -> RecordingSpeakers:
    """The speaker of each recording, by a file (utt2spk, spk2utt, CSV or TSV with a header) or its column, or
    by a rule.

    A map may name recordings by id, file or place. Raises InputError for a file that cannot be read, and
    where nothing is known of any recording.
    """
    known: dict[str, str] = {}
    if not isinstance(source, SpeakerRule):
        called = {one for name, recording in recordings.items() for one in _names(name, recording)}
        known = _map(source, called)
    found: dict[str, str] = {}
    for name, recording in recordings.items():
        speaker = (
            _by_rule(source, recording)
            if isinstance(source, SpeakerRule)
            else _by_map(known, name, recording)
        )
        if speaker:
            found[name] = as_id(speaker)
    if recordings and not found:
        name = source.value if isinstance(source, SpeakerRule) else source.name
        raise InputError("speakers-of-none", file=name, found=next(iter(recordings)))
    unknown = tuple(name for name in recordings if name not in found)
    return RecordingSpeakers(found, unknown, _examples(recordings, found))


def path_of(source: Path | SpeakerColumn) -> Path:
    """Where a list of who speaks lies."""
    return source.path if isinstance(source, SpeakerColumn) else source


def columns_of(path: Path, recordings: Mapping[str, Recording]) -> tuple[SpeakerColumn, ...]:
    """The columns of a table that may name speakers, where another one names recordings.

    Some value is in several of its lines, and not the same in all. Raises InputError as `who_speaks` does.
    """
    if path.suffix.lower() not in _DELIMITERS:
        return ()
    rows = _rows(path, _lines(path))
    called = {one for name, recording in recordings.items() for one in _names(name, recording)}
    column = _column_of(rows, called)
    if column is None:
        return ()
    named = [row for row in rows[1:] if len(row) > column and row[column] in called]
    found = []
    for number, name in enumerate(rows[0]):
        values = Counter(row[number] for row in named if len(row) > number)
        if number != column and name and rows[0].count(name) == 1 and 1 < len(values) < values.total():
            found.append(SpeakerColumn(path, name))
    return tuple(found)


def rule_or_file(word: str) -> Path | SpeakerRule:
    """What a user has typed: one of `RULES`, else the path of a file."""
    return SpeakerRule(word) if word in RULES else Path(word)


def read_sex(path: Path) -> dict[str, str]:
    """Speaker to "f" or "m", from spk2gender. Raises InputError."""
    return {as_id(speaker): sex[:1].lower() for speaker, sex in read_speaker_map(path).items()}


def _by_rule(rule: SpeakerRule, recording: Recording) -> str:
    """The speaker by a rule; "" where its mark does not occur."""
    if rule is SpeakerRule.FIRST_FOLDER:
        return recording.place.parts[0] if len(recording.place.parts) > 1 else ""
    speaker = rule.speaker_of(recording.stem)
    return speaker if speaker != recording.stem else ""


def _by_map(known: Mapping[str, str], name: str, recording: Recording) -> str:
    return next((known[one] for one in _names(name, recording) if one in known), "")


def _names(name: str, recording: Recording) -> tuple[str, ...]:
    """What a list may call a recording: its id, its file without and with ending, its place likewise."""
    places = str(recording.place), recording.place_without_ending
    return name, recording.stem, recording.place.name, *places


def _examples(recordings: Mapping[str, Recording], found: Mapping[str, str]) -> str:
    of_different: dict[str, str] = {}
    for name, speaker in found.items():
        of_different.setdefault(speaker, str(recordings[name].place))
    shown = islice(of_different.items(), _EXAMPLES)
    return ", ".join(f"{visible(place)} → {visible(speaker)}" for speaker, place in shown)


def _map(source: Path | SpeakerColumn, names: Collection[str]) -> dict[str, str]:
    """By a table with a header, else by utt2spk or spk2utt, whichever of the two names recordings."""
    path = path_of(source)
    if isinstance(source, SpeakerColumn):
        return _table(path, names, source.column)
    if path.suffix.lower() in _DELIMITERS:
        return _table(path, names)
    lines = _lines(path)
    cells = [(number, _cells(line)) for number, line in enumerate(lines, start=1) if line.strip()]
    spoken_first = sum(found[0] in names for _, found in cells)
    speaker_first = sum(any(one in names for one in found[1:]) for _, found in cells)
    known: dict[str, str] = {}
    for number, found in cells:
        first, *rest = found
        pairs = [(one, first) for one in rest] if speaker_first > spoken_first else [(first, " ".join(rest))]
        for recording, speaker in pairs:
            if known.setdefault(recording, speaker) != speaker:
                raise InputError("speakers-two", file=path.name, line=number, found=recording)
    return known


def _cells(line: str) -> list[str]:
    """What stands in a line of a list: between blanks, or between tabs where names in quotes hold blanks."""
    if line.startswith('"') and '"\t' in line:
        with suppress(csv.Error):
            return next(csv.reader([line], delimiter="\t"))
    return line.split()


def _lines(path: Path) -> list[str]:
    return lines_of(decode(open_file(path)).content.decode())


def _table(path: Path, called: Collection[str], column: str = "") -> dict[str, str]:
    """Two columns of a table, by their names; by its content where none is called like one of recordings."""
    lines = _lines(path)
    rows = _rows(path, lines)
    names = [column_name(cell) for cell in rows[0]]
    recording = _column(names, _RECORDING)
    if recording is None:
        recording = _column_of(rows, called)
    speaker = _column(rows[0], frozenset({column})) if column else _column(names, _SPEAKER)
    if speaker is None or recording is None or speaker == recording:
        columns = alternatives([name for number, name in enumerate(rows[0]) if number != recording])
        raise InputError("speakers-columns", file=path.name, found=lines[0], columns=columns)
    found: dict[str, str] = {}
    for number, row in enumerate(rows[1:], start=2):
        if len(row) <= max(speaker, recording):
            continue
        if found.setdefault(row[recording], row[speaker]) != row[speaker]:
            raise InputError("speakers-two", file=path.name, line=number, found=row[recording])
    return found


def _rows(path: Path, lines: Sequence[str]) -> list[list[str]]:
    """The cells of a table that has a first line. Raises InputError."""
    if not lines or not lines[0].strip():
        raise InputError("speakers-empty", file=path.name)
    delimiter = max(_DELIMITERS[path.suffix.lower()], key=lines[0].count)
    try:
        return list(csv.reader(lines, delimiter=delimiter))
    except csv.Error as error:
        raise InputError("speakers-table", file=path.name, reason=error) from error


def _column_of(rows: Sequence[Sequence[str]], called: Collection[str]) -> int | None:
    """The column in which most recordings are named; None where none is."""
    counts = Counter(number for row in rows[1:] for number, cell in enumerate(row) if cell in called)
    return counts.most_common(1)[0][0] if counts else None


def _column(names: Iterable[str], wanted: frozenset[str]) -> int | None:
    return next((number for number, name in enumerate(names) if name in wanted), None)
