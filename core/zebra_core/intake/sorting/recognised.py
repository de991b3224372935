"""One file of a drop, as far as a plan needs it: what it may be, some of its ids, and none of its content."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping

from zebra_core.intake.formats.reading import JOINED_BY, ColumnMeaning, Reading, of_side
from zebra_core.intake.formats.recognising import RecognisedFile
from zebra_core.intake.opening.opening import Source
from zebra_core.intake.planned import Alternative, Choices, FoundFile, Pair, Question, Topic, reading_id
from zebra_core.intake.tables.table import Dialect, SpeakerMap
from zebra_core.wording.texts import say

_SAMPLED_PAIRS = 40
_GOLDEN = (5.0**0.5 - 1.0) / 2.0  # multiples of it, without their whole part, meet no rhythm


def found_file(recognised: RecognisedFile) -> FoundFile:
    """A recognised file without its content."""
    text, file = recognised.text, recognised.file
    pairs, ids, values = _sampled(recognised)
    is_as_it_lies = not file.source.member and len(file.content) == file.size
    return FoundFile(
        recognised.source,
        recognised.readings,
        _dialect(recognised),
        tuple(line.text for line in text.sample[:5]) if text else (),
        tuple(recognised.preview(reading) for reading in recognised.readings),
        pairs,
        ids,
        values,
        size=file.size,
        sha256=file.sha256,
        content_sha256=""
        if file.is_beginning
        else file.sha256
        if is_as_it_lies
        else hashlib.sha256(file.content).hexdigest(),
        in_pieces=file.is_beginning,
    )


def as_question(file: FoundFile) -> Question:
    """How is this file to be read?"""
    return Question(Topic.READING, file.source, alternatives_of(file))


def words_of(reading: Reading) -> str:
    """What a reading is called."""
    name = say(f"format.{reading.format}")
    name = say("format.with-column", format=name, column=reading.column) if reading.column else name
    word = reading.target_word
    return name if word is None else say("format.with-word", format=name, word=word)


def chosen_reading(source: Source, choices: Choices) -> str | None:
    """The reading that the user chose for a file: under its question, or under its plain name."""
    names = (reading_id(source), source.place, source.name)
    return next((choices[name] for name in names if name in choices), None)


def alternatives_of(file: FoundFile) -> tuple[Alternative, ...]:
    """The readings of a file, to be chosen from."""
    return tuple(
        Alternative(reading.choice, words_of(reading), preview)
        for reading, preview in zip(file.readings, file.previews, strict=True)
    )


def _dialect(recognised: RecognisedFile) -> Dialect | None:
    text = recognised.text
    if text and recognised.readings and recognised.readings[0].skips_header:
        text = text.with_header()
    return text.dialect if text else None


def _sampled(recognised: RecognisedFile) -> tuple[frozenset[Pair], frozenset[str], Mapping[str, str]]:
    """Some pairs and ids of a file, to be looked for in others; all ids of a map, and what it says of them.

    Lists are sampled from the lines that were looked at already; of anything else the file itself is read.
    """
    if not recognised.readings or (recognised.text is None and recognised.file.is_beginning):
        return frozenset(), frozenset(), {}
    parts, text = recognised.readings[0].parts, recognised.text
    if text is None or not parts:
        whole = recognised.read()
        if isinstance(whole, SpeakerMap):
            return frozenset(), frozenset(whole.of), whole.of
        sides = whole.sides
        pairs = [(sides[0][row], sides[1][row]) for row in _some_of(len(whole))] if sides else []
    elif ColumnMeaning.PAIR in parts:
        at = parts.index(ColumnMeaning.PAIR)
        cells = [line.cells[at].split(JOINED_BY) for line in text.sample if len(line.cells) == len(parts)]
        both = [(ids[0], ids[1]) for ids in cells if len(ids) == 2]
        pairs = [both[row] for row in _some_of(len(both))]
    elif ColumnMeaning.ENROL in parts and ColumnMeaning.TEST in parts:
        lines = text.sample[1 if recognised.readings[0].skips_header else 0 :]
        enrol, test = parts.index(ColumnMeaning.ENROL), parts.index(ColumnMeaning.TEST)
        rows = [line.cells for line in lines if len(line.cells) == len(parts)]
        side = parts.index(ColumnMeaning.SIDE) if ColumnMeaning.SIDE in parts else None
        pairs = [
            (row[enrol], row[test] if side is None else of_side(row[test], row[side]))
            for row in map(rows.__getitem__, _some_of(len(rows)))
        ]
    else:
        pairs = []
    return frozenset(pairs), frozenset(id_ for pair in pairs for id_ in pair), {}


def _some_of(n: int) -> list[int]:
    """About so many of n places, spread evenly, but not regularly: lists go round speakers and sexes."""
    if n < 2 * _SAMPLED_PAIRS:
        return list(range(n))
    return sorted({int(n * (number * _GOLDEN % 1.0)) for number in range(_SAMPLED_PAIRS)})
