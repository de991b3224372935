"""Who speaks in each recording: by a map, a table, or a rule on folders and names that the user states."""

from __future__ import annotations

import csv
import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path

from zebra_core.errors import InputError
from zebra_core.evidence.speaker_names import SpeakerRule
from zebra_core.intake.opening.decoding import decode, lines_of
from zebra_core.intake.opening.opening import open_file
from zebra_core.intake.similarity_files import read_speaker_map
from zebra_core.intake.tables.columns import column_name
from zebra_core.recordings.folder import Recording, as_id
from zebra_core.recordings.small_tables import SmallTable, meant, read_table
from zebra_core.wording.names import alternatives, in_sentence
from zebra_core.wording.texts import say, visible, written


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
_TABLES = frozenset({".csv", ".tsv", ".xlsx"})
_MONTH = (
    r"(?:jan|ene|f[eé][bv]|m[aä]r|apr|avr|abr|ma[iy]|jun|jul|juin|juil|aug|ago|ao[uû]|sep|o[ck]t|nov"
    r"|d[eéi][cz])[a-zûéä]*\.?"
)
_DAY = (
    r"(?:(?:19|20)\d{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])"
    r"|\d{4}[-./_](?:0?[1-9]|1[0-2])(?:[-./_](?:0?[1-9]|[12]\d|3[01]))?"
    r"|\d{1,2}[-./_]\d{1,2}[-./_](?:\d{2}){1,2}"
    rf"|\d{{1,2}}[-. _]{{1,2}}{_MONTH}[- _](?:\d{{2}}){{1,2}})"
)
_TIME = r"\d{1,2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?(?: ?[ap]\.?m\.?)?Z?"
_WHEN = re.compile(
    rf"{_DAY}(?:[ T_-](?:{_TIME}|\d{{1,2}}[-_h.]?\d{{2}}(?:[-_.]?\d{{2}})?))?|{_TIME}", re.IGNORECASE
)
_AMOUNT = re.compile(
    r"[-+]?\d*[.,]\d+(?:e[-+]?\d+)?|[-+]?\d+(?:[.,]\d+)?(?: ?%| (?:s|sec|ms|min|k?Hz|dB))", re.IGNORECASE
)
_Said = tuple[int, str, str]  # line, name of a recording, speaker
_EXAMPLES = 3


@dataclass(frozen=True)
class RecordingSpeakers:
    """Who speaks: by the ids of recordings; those of whom nothing is known are left out."""

    speaker: Mapping[str, str]
    unknown: tuple[str, ...]
    examples: str  # “3331/3331-159605-0001.flac → 3331”, so that a rule can be judged


def are_no_people(names: Collection[str]) -> bool:
    """Whether all of these are dates, times, or amounts: numbers with decimals, percentages."""
    return bool(names) and any(all(map(one.fullmatch, names)) for one in (_WHEN, _AMOUNT))


@dataclass(frozen=True)
class AlikeSpeakers:
    """Two speakers whose recordings are as alike as those of one: by the mean cosine between them."""

    names: tuple[str, str]
    likeness: float
    usual: tuple[float, float]  # the quartiles of the mean cosine between recordings of one speaker

    @property
    def in_words(self) -> str:
        """Both, and how alike they are, so that a find is told from a false alarm."""
        likeness, low, high = (written(one, ".2f") for one in (self.likeness, *self.usual))
        facts = {"likeness": likeness, "low": low, "high": high}
        return say("recordings.alike-pair", names=in_sentence([*map(visible, self.names)]), **facts)


OnePerson = tuple[tuple[str, str], ...]
"""Pairs of names that the user says are of one person: the second counts as the first."""


def as_one_person(spoken: RecordingSpeakers, together: OnePerson) -> RecordingSpeakers:
    """Who speaks, where some names are of one person. Raises InputError for a name that nobody has."""
    speaker = dict(spoken.speaker)
    for first, second in together:
        if lacking := {first, second} - {*speaker.values()}:
            raise InputError("one-person", found=min(lacking))
        speaker = {name: first if who == second else who for name, who in speaker.items()}
    return replace(spoken, speaker=speaker)


def who_speaks(recordings: Mapping[str, Recording], source: SpeakerSource) -> RecordingSpeakers:
    """The speaker of each recording, by a file (utt2spk, spk2utt, CSV or TSV with a header) or its column, or
    by a rule.

    A map may name recordings by id, file or place. Raises InputError for a file that cannot be read, and
    where nothing is known of any recording.
    """
    if isinstance(source, SpeakerRule):
        known = {name: _by_rule(source, recording) for name, recording in recordings.items()}
    else:
        known = _by_list(source, recordings)
    found = {name: as_id(speaker) for name in recordings if (speaker := known.get(name))}
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

    Some value is in several of its lines, and not the same in all; dates, times and amounts name nobody.
    Raises InputError as `who_speaks` does.
    """
    (_, head), *rows = read_table(path, recordings).rows
    column, called = _recordings_in(head, rows, recordings)
    if column is None:
        return ()
    named = [row for _, row in rows if len(row) > column and row[column] in called]
    found = []
    for number, name in enumerate(head):
        values = Counter(row[number] for row in named if len(row) > number and row[number])
        is_column = number != column and name and head.count(name) == 1
        if is_column and 1 < len(values) < values.total() and not are_no_people(values):
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


def _examples(recordings: Mapping[str, Recording], found: Mapping[str, str]) -> str:
    of_different: dict[str, str] = {}
    for name, speaker in found.items():
        of_different.setdefault(speaker, str(recordings[name].place))
    shown = islice(of_different.items(), _EXAMPLES)
    return ", ".join(f"{visible(place)} → {visible(speaker)}" for speaker, place in shown)


def _by_list(source: Path | SpeakerColumn, recordings: Mapping[str, Recording]) -> dict[str, str]:
    """The speaker of each recording that a list names."""
    path = path_of(source)
    if isinstance(source, SpeakerColumn):
        said = _in_table(read_table(path, recordings), recordings, source.column)
    elif path.suffix.lower() in _TABLES or _has_header(path):
        said = _in_table(read_table(path, recordings), recordings)
    else:
        said = _in_lines(path, recordings)
    called = meant((name for _, name, _ in said), recordings)
    known: dict[str, str] = {}
    found: dict[str, str] = {}
    for line, name, speaker in said:
        is_same = known.setdefault(name, speaker) == speaker
        if not is_same or (name in called and found.setdefault(called[name], speaker) != speaker):
            raise InputError("speakers-two", file=path.name, line=line, found=name)
    return found


def _has_header(path: Path) -> bool:
    """Whether the first line names columns of recordings and speakers, whatever the file is called."""
    first = next(iter(_lines(path)), "")
    names = {column_name(name) for name in re.split(r"[;,\t]", first)}
    return bool(names & _RECORDING and names & _SPEAKER)


def _in_lines(path: Path, recordings: Mapping[str, Recording]) -> list[_Said]:
    """Of utt2spk or spk2utt, whichever of the two names recordings."""
    cells = [(number, _cells(line)) for number, line in enumerate(_lines(path), start=1) if line.strip()]
    spoken_first = len(meant((found[0] for _, found in cells), recordings))
    rest = meant((one for _, found in cells for one in found[1:]), recordings)
    if sum(any(one in rest for one in found[1:]) for _, found in cells) > spoken_first:
        return [(number, one, found[0]) for number, found in cells for one in found[1:]]
    return [(number, found[0], " ".join(found[1:])) for number, found in cells]


def _cells(line: str) -> list[str]:
    """What stands in a line of a list: between blanks, or between tabs where names in quotes hold blanks."""
    if line.startswith('"') and '"\t' in line:
        with suppress(csv.Error):
            return next(csv.reader([line], delimiter="\t"))
    return line.split()


def _lines(path: Path) -> list[str]:
    return lines_of(decode(open_file(path))[0].decode())


def _in_table(table: SmallTable, recordings: Mapping[str, Recording], column: str = "") -> list[_Said]:
    """Of two columns: that of speakers by its name, that of recordings by what it holds, or by its name."""
    (_, head), *rows = table.rows
    recording, called = _recordings_in(head, rows, recordings)
    speakers = _columns_called(head, column)
    if len(speakers) > 1:
        several = alternatives([head[number] for number in speakers])
        raise InputError("speakers-several", file=table.name, columns=several)
    others = alternatives([name for number, name in enumerate(head) if number != recording])
    if column and not speakers:
        raise InputError("speakers-no-column", file=table.name, found=column, columns=others)
    if column and not called:
        example = next(iter(recordings.values()), None)
        raise InputError("speakers-no-recordings", file=table.name, found=example.place if example else "")
    if not speakers or recording is None or speakers[0] == recording:
        raise InputError("speakers-columns", file=table.name, found=table.first_line, columns=others)
    named = [(line, cells) for line, cells in rows if len(cells) > max(speakers[0], recording)]
    return [(line, cells[recording], cells[speakers[0]]) for line, cells in named if cells[recording]]


def _columns_called(head: Sequence[str], column: str) -> list[int]:
    """The columns of this name, exactly or else as names are compared; without one those of speakers."""
    exactly = [number for number, name in enumerate(head) if column and name == column]
    wanted = {column_name(column)} if column else _SPEAKER
    return exactly or [number for number, name in enumerate(head) if column_name(name) in wanted]


def _recordings_in(
    head: Sequence[str], rows: Sequence[tuple[int, Sequence[str]]], recordings: Mapping[str, Recording]
) -> tuple[int | None, Mapping[str, str]]:
    """The column in which most recordings are named, else one that is called so, and what it names."""
    is_called = [column_name(name) in _RECORDING for name in head]
    cells = [[row[number] for _, row in rows if number < len(row)] for number in range(len(head))]
    called = [meant(column, recordings) for column in cells]
    best = max(range(len(head)), key=lambda number: (len(set(called[number].values())), is_called[number]))
    return (best if called[best] or is_called[best] else None), called[best]
