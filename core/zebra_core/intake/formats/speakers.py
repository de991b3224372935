"""Speaker maps of Kaldi: utt2spk, spk2utt, spk2gender."""

from __future__ import annotations

from zebra_core.errors import InputError
from zebra_core.intake.formats.attributes import refuse_cases
from zebra_core.intake.formats.others import TESTED
from zebra_core.intake.formats.reading import Reading, TextSample
from zebra_core.intake.tables.columns import Text, TextLine
from zebra_core.intake.tables.table import Delimiter, FileRole, SpeakerMap
from zebra_core.runtime.progress import Progress

_GENDERS = frozenset({"m", "f", "M", "F", "male", "female"})


def recognise(look: TextSample) -> list[Reading]:
    """Two ids a line, or a speaker and any number of segments."""
    cells = "".join(cell for column in look.columns for cell in column.cells)
    dialect = look.text.dialect
    is_quoted = dialect.quoted and (dialect.delimiter is Delimiter.TAB or '"' not in cells)  # unlike JSON
    if any(column.is_real for column in look.columns) or (" " in cells and not is_quoted):
        return []
    if look.width == 2 and set(look.columns[1].words) <= _GENDERS:
        return [GENDER]
    firsts = [line.cells[0] for line in look.text.sample]
    rest = [cell for line in look.text.sample for cell in line.cells[1:]]
    if (
        2 * len(set(firsts)) <= len(firsts) or not rest
    ):  # a few repeats are mistakes, to be told with their lines
        return []
    if look.width == 2 and not look.is_ragged:
        # A segment is called after its speaker, so the longer id is that of the segment.
        is_spk2utt = all(b.startswith(a) and a != b for a, b in look.rows)
        if is_spk2utt:
            return [SPEAKER_FIRST]
        return [SEGMENT_FIRST, TESTED] if _may_be_words(look) else [SEGMENT_FIRST]
    after_speaker = sum(
        cell.startswith(line.cells[0]) for line in look.text.sample for cell in line.cells[1:]
    )
    return [SPEAKER_FIRST] if len(set(rest)) == len(rest) and 2 * after_speaker > len(rest) else []


def _may_be_words(look: TextSample) -> bool:
    """Whether the second column may be what is said: most words stand once, without digits, in no id."""
    ids, words = (column.cells for column in look.columns)
    are_ids = sum(
        any(map(str.isdigit, word)) or word.casefold() in one.casefold()
        for one, word in zip(ids, words, strict=True)
    )
    return 2 * len(set(words)) > len(words) and 2 * are_ids < len(words)


def _read(text: Text, reading: Reading, on_progress: Progress) -> SpeakerMap:
    found: dict[str, str] = {}
    speakers: dict[str, str] = {}  # one object for each: ten million segments have few speakers
    lines: dict[str, int] = {}  # the first of each speaker, or sex
    on_progress(0.0)
    for line in text.all_lines():
        for segment, speaker in _pairs(text, reading, line):
            speaker = speakers.setdefault(speaker, speaker)  # noqa: PLW2901 - the same word
            if found.setdefault(segment, speaker) != speaker:
                raise _two_speakers(text, reading, line, segment, speaker)
            lines.setdefault(speaker, line.number)
    if reading is GENDER:
        refuse_cases(text.file.name, lines.items())
    return SpeakerMap(text.file, reading.format, found, text.dialect)


def _pairs(text: Text, reading: Reading, line: TextLine) -> list[tuple[str, str]]:
    """Segments and their speakers. Raises InputError where a line holds no such."""
    if (reading is not SPEAKER_FIRST and len(line.cells) != 2) or len(line.cells) < 2:
        raise InputError(
            "map-columns", file=text.file.name, line=line.number, found=line.text, count=len(line.cells)
        )
    first, *rest = line.cells
    return [(segment, first) for segment in rest] if reading is SPEAKER_FIRST else [(first, rest[0])]


def _two_speakers(text: Text, reading: Reading, line: TextLine, segment: str, speaker: str) -> InputError:
    """Another line, which came before, gives the segment to somebody else."""
    first, known = next(
        (earlier, of)
        for earlier in text.all_lines()
        for one, of in _pairs(text, reading, earlier)
        if one == segment
    )
    return InputError(
        "two-speakers",
        file=text.file.name,
        line=line.number,
        found=segment,
        speaker=speaker,
        first_line=first.number,
        first_speaker=known,
    )


SEGMENT_FIRST = Reading("utt2spk", FileRole.SPEAKERS, by=_read)
SPEAKER_FIRST = Reading("spk2utt", FileRole.SPEAKERS, by=_read)
GENDER = Reading("spk2gender", FileRole.SPEAKERS, by=_read)
