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
from zebra_core.intake.drop import read_speaker_map
from zebra_core.intake.opening.opening import decode, lines_of, open_file
from zebra_core.intake.tables.columns import column_name
from zebra_core.recordings.folder import Recording, as_id
from zebra_core.recordings.pairing_offers import Pairing
from zebra_core.recordings.small_tables import SmallTable, meant, read_table
from zebra_core.wording.texts import alternatives, in_sentence, say, visible, written


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


# Every way to know who speaks in recordings, with what comes of it.


Source = SpeakerSource


@dataclass(frozen=True)
class SpeakerSourceOffer:
    """A way to know who speaks, and what comes of it."""

    source: Source
    spoken: RecordingSpeakers | None
    fault: InputError | None = None

    @property
    def speakers(self) -> int:
        """How many of them there are."""
        return len(set(self.spoken.speaker.values())) if self.spoken else 0

    @property
    def is_likely(self) -> bool:
        """Whether there are several speakers, one of them with several recordings."""
        speakers = Counter(self.spoken.speaker.values()) if self.spoken else {}
        return len(speakers) > 1 and max(speakers.values()) > 1 and not self.names_nobody

    @property
    def names_nobody(self) -> bool:
        """Whether what it takes for people are dates, times or amounts."""
        return self.spoken is not None and are_no_people({*self.spoken.speaker.values()})

    @property
    def in_words(self) -> str:
        """The way, and how many speakers it finds."""
        if isinstance(self.source, SpeakerRule):
            return say(f"recordings.speakers-{self.source.value}", count=self.speakers)
        column = self.source.column if isinstance(self.source, SpeakerColumn) else ""
        code = "speakers-by-column" if column else "speakers-by-list"
        return say(f"recordings.{code}", file=self.source.name, column=column, count=self.speakers)

    @property
    def examples(self) -> str:
        """Some recordings with their speakers; or why there are none."""
        return self.spoken.examples if self.spoken else str(self.fault)


def offers(
    pairing: Pairing, lists: Sequence[Path], given: Collection[Source | None]
) -> tuple[SpeakerSourceOffer, ...]:
    """Every way to know who speaks: of those that nobody has `given` the ones that say it of somebody.

    Dates, times and amounts are nobody.
    """
    recordings = {name: pairing.originals[name] for name in pairing.complete}
    sources: list[Source] = [*lists, *map(SpeakerRule, RULES)]
    sources[:0] = [one for one in given if one is not None and one not in sources]
    found = []
    for source in sources:
        try:
            found.append(SpeakerSourceOffer(source, who_speaks(recordings, source)))
        except InputError as error:
            columns = () if isinstance(source, SpeakerRule | SpeakerColumn) else _columns(source, recordings)
            found += [SpeakerSourceOffer(one, who_speaks(recordings, one)) for one in columns]
            if source in given and not columns:
                found.append(SpeakerSourceOffer(source, None, error))
    each_once = {one.source: one for one in found}  # a column that is given is among those of its table
    return tuple(one for one in each_once.values() if one.source in given or not one.names_nobody)


def _columns(path: Path, recordings: Mapping[str, Recording]) -> tuple[SpeakerColumn, ...]:
    try:
        return columns_of(path, recordings)
    except InputError:
        return ()  # why it cannot be read is told of the list itself


def undoubted(found: Sequence[SpeakerSourceOffer], lists: Collection[Path]) -> Source | None:
    """The first way, where all that may be right say the same: several speakers, one with two recordings.

    Of lists only these `lists` are taken unasked, for others may come with the copies, from whoever made
    them. A column of a table is for the user to choose; a rule is not taken where one contradicts it, with
    several values for recordings that would be of one speaker, and none bears the rule out.
    """
    likely = {one.source: one.spoken.speaker for one in found if one.is_likely and one.spoken}
    columns = [speaker for source, speaker in likely.items() if isinstance(source, SpeakerColumn)]
    spoken = {
        one.source: one.spoken
        for one in found
        if one.source in likely and one.spoken and not isinstance(one.source, SpeakerColumn)
    }
    whole = {one: of for one, of in spoken.items() if not (of.unknown and isinstance(one, SpeakerRule))}
    ways = sorted((whole or spoken).items(), key=lambda way: len(way[1].unknown))
    for source, of in ways:
        if isinstance(source, SpeakerRule) or source in lists:
            agreed = all(_agree(of.speaker, other.speaker) for _, other in ways)
            by_columns = columns if isinstance(source, SpeakerRule) else ()
            return source if agreed and _is_borne_out(of.speaker, by_columns) else None
    return None


def _is_borne_out(speaker: Mapping[str, str], columns: Collection[Mapping[str, str]]) -> bool:
    """Whether a column says the same, or each has one value for a speaker, as their sex is."""
    if any(_agree(speaker, one) for one in columns):
        return True
    both = [{(speaker[name], one[name]) for name in speaker.keys() & one.keys()} for one in columns]
    return all(len(pairs) == len({who for who, _ in pairs}) for pairs in both)


def _agree(one: Mapping[str, str], other: Mapping[str, str]) -> bool:
    """Whether two ways tell the same recordings apart, as far as both know who speaks in them."""
    pairs = {(one[name], other[name]) for name in one.keys() & other.keys()}
    return len(pairs) == len({a for a, _ in pairs}) == len({b for _, b in pairs})
