"""One way to read a text file: which column holds what. A family of formats proposes, the reading reads."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum

import numpy as np

from zebra_core.errors import InputError
from zebra_core.evidence.audit import Example, Finding, Severity
from zebra_core.evidence.trials import BoolArray, FloatArray, Ids, equal_names
from zebra_core.intake.opening.opening import OpenedFile
from zebra_core.intake.tables import table as labels
from zebra_core.intake.tables.columns import ColumnType, Text, count_lines, frozen, read_columns, read_rows
from zebra_core.intake.tables.table import FileRole, SpeakerMap, Table, is_missing, usual_width
from zebra_core.runtime.progress import Progress


class ColumnMeaning(Enum):
    """What a column means."""

    ENROL = "enrol"
    TEST = "test"
    PAIR = "pair"  # both ids in one, as ESPnet joins them: enrol*test
    SCORE = "score"
    SIDE = "side"  # of the telephone call that is tested: each is a recording of its own
    LABEL = "label"
    CLAIMED = "claimed"  # a trial is target when the claimed speaker is the real one
    REAL = "real"
    ATTACK = "attack"  # what kind of attack the trial is, or nothing; attacks are set aside
    OTHER = "other"


_KINDS = {
    ColumnMeaning.SCORE: ColumnType.NUMBER,
    ColumnMeaning.ATTACK: ColumnType.TEXT,
    ColumnMeaning.SIDE: ColumnType.TEXT,
    ColumnMeaning.OTHER: ColumnType.TEXT,
}
_LEADING_ZERO = re.compile(r"[+-]?0\d")
SOURCES = "sources"
"""The format of tables that know trials by who speaks alone, so that a pair may be there many times."""
JOINED_BY = "*"
"""What stands between both ids of a `ColumnMeaning.PAIR`."""
ReadText = Callable[[Text, "Reading", Progress], Table | SpeakerMap]
ReadFile = Callable[[OpenedFile, "Reading", Progress], Table | SpeakerMap]


@dataclass(frozen=True)
class Reading:
    """One way to read a file, as a value: it can be compared, shown, and chosen by its name."""

    format: str
    role: FileRole
    parts: tuple[ColumnMeaning, ...] = ()
    target_word: str | None = None  # the word that means target, where nobody but the user can know
    column: str = ""  # which column is meant, where several could be
    distance: str = ""  # the name of the column of scores, where by that they are distances
    ratio: str = ""  # the same, where by that they are likelihood ratios, not their logarithms
    skips_header: bool = False
    by: ReadText | None = None  # for text that is no table of columns
    by_file: ReadFile | None = None  # for what is no text of lines

    @property
    def choice(self) -> str:
        """The name by which this reading is chosen and remembered."""
        meant = "+".join(filter(None, (self.column, self.target_word)))
        return f"{self.format}:{meant}" if meant else self.format

    def read(self, text: Text, on_progress: Progress) -> Table | SpeakerMap:
        """Read the file this way. Raises InputError at the first line that is not so."""
        if self.skips_header and not text.dialect.header:
            text = text.with_header()
        return (self.by or read_layout)(text, self, on_progress)

    def preview(self, text: Text, most: int = 5) -> list[dict[ColumnMeaning, str]]:
        """The first rows as they would be read: each part with its text."""
        lines = text.sample[1:] if self.skips_header else text.sample
        return [
            {
                part: cell
                for part, cell in zip(self.parts, line.cells, strict=False)
                if part is not ColumnMeaning.OTHER
            }
            for line in lines[:most]
        ]


@dataclass(frozen=True)
class ColumnSample:
    """What the first rows of a column look like."""

    cells: tuple[str, ...]
    is_number: bool  # most cells are numbers
    is_real: bool  # numbers, and not all of them whole
    is_label: bool  # most cells are label words, or all are numbers that can be labels

    @property
    def words(self) -> tuple[str, ...]:
        """The distinct cells."""
        return tuple(dict.fromkeys(self.cells))

    @property
    def is_number_label(self) -> bool:
        """Whether the cells are labels and numbers at once: 0, 1 and −1."""
        return self.is_label and self.is_number


@dataclass(frozen=True)
class TextSample:
    """What the first rows of a text file look like, for the families to recognise."""

    text: Text
    rows: tuple[tuple[str, ...], ...]  # those of the usual width
    columns: tuple[ColumnSample, ...]
    is_ragged: bool

    @property
    def width(self) -> int:
        """The usual number of columns."""
        return len(self.columns)


def look_at(text: Text) -> TextSample:
    """See what is in the columns of the sample."""
    rows = [line.cells for line in text.sample]
    width = usual_width(rows)
    usual = tuple(row for row in rows if len(row) == width)
    columns = tuple(_look(text, [row[n] for row in usual]) for n in range(width))
    return TextSample(text, usual, columns, is_ragged=len(usual) < len(rows))


def _look(text: Text, cells: Sequence[str]) -> ColumnSample:
    numbers = [number for cell in cells if (number := text.dialect.number(cell)) is not None]
    known = [cell for cell in cells if labels.is_label(cell) or labels.is_spoof(cell)]
    words = [cell for cell in known if not labels.is_number_label(cell)]
    return ColumnSample(
        cells=tuple(cells),
        is_number=2 * len(numbers) >= len(cells) > 0,
        is_real=any(math.isfinite(number) and not number.is_integer() for number in numbers),
        is_label=(bool(words) and 2 * len(known) >= len(cells)) or len(known) == len(cells) > 0,
    )


def read_layout(text: Text, reading: Reading, on_progress: Progress) -> Table:
    """Read a table of columns."""
    kinds = [_KINDS.get(part, ColumnType.ID) for part in reading.parts]
    columns = dict(zip(reading.parts, read_columns(text, kinds, on_progress), strict=True))
    odd = _leading_zeros(text, reading), _blank_lines(text, columns)
    text = replace(text, file=text.file.with_findings(*odd))

    def find(rows: Sequence[int]) -> list[Example]:
        return [Example(text.file.name, line.number, line.text) for line in text.lines(rows)]

    return as_table(
        Table(text.file, reading.format, reading.role, dialect=text.dialect, find=find), columns, reading
    )


def _leading_zeros(text: Text, reading: Reading) -> Finding | None:
    """That scores of the sample begin with zeros, as no number does."""
    if ColumnMeaning.SCORE not in reading.parts:
        return None
    at = reading.parts.index(ColumnMeaning.SCORE)
    rows = (line for line in text.sample if len(line.cells) == len(reading.parts))
    found = next((line for line in rows if _LEADING_ZERO.match(line.cells[at])), None)
    if found is None:
        return None
    facts = {"file": text.file.name, "line": found.number, "found": found.cells[at]}
    return Finding("leading-zeros", Severity.WARNING, facts)


def _blank_lines(text: Text, columns: Mapping[ColumnMeaning, Ids | FloatArray]) -> Finding | None:
    """That there are blank lines in a list of one column, where they may be cells with nothing in them."""
    [column, *others] = columns.values()
    if others:
        return None
    lines = count_lines(text.content.strip()) + 1 - text.dialect.comment_lines
    if lines <= len(column):
        return None
    facts = {"file": text.file.name, "count": lines - len(column)}
    return Finding("blank-lines", Severity.WARNING, facts)


def of_side(segment: str, side: str) -> str:
    """The id of one side of a call: that of the segment for the first or only one, else as NIST writes it."""
    return segment if side in ("", "a", "A", "1") else f"{segment}:{side.lower()}"


def as_table(table: Table, columns: dict[ColumnMeaning, Ids | FloatArray], reading: Reading) -> Table:
    """The table with these columns in it, by what they mean; spoof trials and attacks are set aside."""
    table = replace(
        table,
        enrol=_ids(columns, ColumnMeaning.ENROL, ColumnMeaning.CLAIMED),
        test=_ids(columns, ColumnMeaning.TEST, ColumnMeaning.REAL),
        score=_numbers(columns, ColumnMeaning.SCORE),
        distance=reading.distance,
        ratio=reading.ratio,
    )
    if (pair := _ids(columns, ColumnMeaning.PAIR)) is not None:
        table = _with_both(table, pair)
    side = _ids(columns, ColumnMeaning.SIDE)
    if side is not None and table.test is not None:
        table = replace(table, test=_with_side(table.test, side))
    if ColumnMeaning.CLAIMED in columns and table.test is not None and len(table.test.names) == 1:
        table = replace(table, test=None)  # bob writes one word for all where it does not know the segment
    if reading.format == SOURCES:
        table = replace(table, test=None, labels_are_guessed=ColumnMeaning.LABEL not in columns)
    is_target, kept = _labels(table, columns, reading)
    label = _ids(columns, ColumnMeaning.LABEL)
    words = {} if label is None else {w: int(np.argmax(label.codes == n)) for n, w in enumerate(label.names)}
    return _kept(replace(table, is_target=is_target, label_words=words), kept)


def _with_both(table: Table, pair: Ids) -> Table:
    """Both ids of every pair. Raises InputError, with the line, where it is not clear where one ends."""
    both = [name.split(JOINED_BY) for name in pair.names]
    if unclear := [n for n, ids in enumerate(both) if len(ids) != 2 or not all(ids)]:
        [example] = table.examples([int(np.argmax(pair.codes == unclear[0]))])
        raise InputError("pair-unclear", file=table.name, line=example.line, found=pair.names[unclear[0]])
    sides = []
    for names in zip(*both, strict=True):
        code = {name: n for n, name in enumerate(dict.fromkeys(names))}
        sides.append(Ids(frozen(np.array([code[name] for name in names], np.int32)[pair.codes]), tuple(code)))
    return replace(table, enrol=sides[0], test=sides[1])


def _with_side(segment: Ids, side: Ids) -> Ids:
    pair = segment.codes.astype(np.int64) * len(side.names) + side.codes
    distinct, codes = np.unique(pair, return_inverse=True)
    pairs = (divmod(int(one), len(side.names)) for one in distinct)
    known: dict[str, int] = {}
    names = [of_side(segment.names[of], side.names[at]) for of, at in pairs]
    code = np.array([known.setdefault(name, len(known)) for name in names], np.int32)
    return Ids(frozen(code[codes]), tuple(known))


def _labels(
    table: Table, columns: dict[ColumnMeaning, Ids | FloatArray], reading: Reading
) -> tuple[BoolArray | None, BoolArray | None]:
    """Target or not, row by row, and which rows to keep; None where there are no labels, and for all rows."""
    attack = _ids(columns, ColumnMeaning.ATTACK)
    kept = None
    if attack is not None:
        kept = np.array([name in ("", "-") for name in attack.names], dtype=np.bool_)[attack.codes]
    claimed, real = _ids(columns, ColumnMeaning.CLAIMED), _ids(columns, ColumnMeaning.REAL)
    same = None if claimed is None or real is None else frozen(equal_names(claimed, real))
    label = _ids(columns, ColumnMeaning.LABEL)
    if label is None or (same is not None and reading.format != SOURCES):
        return same, kept
    meanings = [labels.meaning(word, reading.target_word) for word in label.names]
    spoof = [labels.is_spoof(word) and reading.target_word is None for word in label.names]
    unknown = [n for n, said in enumerate(meanings) if said is None and not spoof[n]]
    if unknown:
        row = int(np.flatnonzero(np.isin(label.codes, unknown))[0])
        [example] = table.examples([row])
        raise InputError("label-unknown", file=table.name, line=example.line, found=label[row])
    if any(spoof):
        genuine = ~np.array(spoof)[label.codes]
        kept = genuine if kept is None else kept & genuine
    is_target = np.array([said is True for said in meanings], dtype=np.bool_)[label.codes]
    if same is not None and len(other := np.flatnonzero(is_target != same)):
        [example] = table.examples([int(other[0])])
        raise InputError("label-unlike-sources", file=table.name, line=example.line, found=example.text)
    return frozen(is_target), kept


def _kept(table: Table, kept: BoolArray | None) -> Table:
    """The table without the rows that are set aside."""
    if kept is None or kept.all():
        return table
    return replace(
        table,
        enrol=_some(table.enrol, kept),
        test=_some(table.test, kept),
        score=None if table.score is None else frozen(table.score[kept]),
        is_target=None if table.is_target is None else frozen(table.is_target[kept]),
        row=np.flatnonzero(kept),
        set_aside=int(np.count_nonzero(~kept)),
    )


def _some(ids: Ids | None, kept: BoolArray) -> Ids | None:
    return None if ids is None else Ids(frozen(ids.codes[kept]), ids.names)


def _ids(columns: dict[ColumnMeaning, Ids | FloatArray], *parts: ColumnMeaning) -> Ids | None:
    found = next((columns[part] for part in parts if part in columns), None)
    return found if isinstance(found, Ids) else None


def _numbers(columns: dict[ColumnMeaning, Ids | FloatArray], part: ColumnMeaning) -> FloatArray | None:
    found = columns.get(part)
    return None if isinstance(found, Ids) else found


# A matrix with ids in its first row and first column: a score in every cell.


def recognise(look: TextSample) -> list[Reading]:
    """A first line of ids, then in each line an id and numbers.

    Where most ids of rows are ids of columns, equal ones are of one speaker; else a key says who is.
    """
    lines = [line.cells for line in look.text.sample]
    if len(lines) < 2 or len(lines[1]) < 3:
        return []
    names = frozenset(_names(lines[0], len(lines[1])) or ())
    body = [row for row in lines[1:] if len(row) == len(lines[1])]
    number = look.text.dialect.number
    numbers = [value for name in names if (value := number(name)) is not None]
    if 2 * len({row[0] for row in body}) <= len(body) or any(value % 1 for value in numbers):
        return []  # a list, whose ids may be whole numbers
    are_scores = sum(all(number(cell) is not None or is_missing(cell) for cell in row[1:]) for row in body)
    if 2 * are_scores < len(body):
        return []
    if 2 * sum(row[0] in names for row in body) > len(body):
        _refuse_a_corner_too_many(look, body)
        return [SQUARE]
    return [MODELS] if names and not numbers and not any(number(row[0]) is not None for row in body) else []


def _refuse_a_corner_too_many(look: TextSample, body: Sequence[Sequence[str]]) -> None:
    """Raise InputError where the header has a corner, and a name less than there are columns."""
    first, row = look.text.sample[0].cells, look.text.sample[1]
    has_corner = first[0] not in {one[0] for one in body} and first[1] == row.cells[0]
    if len(first) == len(row.cells) - 1 and has_corner:
        where = {"file": look.text.file.name, "line": row.number, "found": row.text}
        raise InputError("header-unlike-rows", **where, count=len(row.cells), expected=len(first))


def with_cells(table: Table, rows: tuple[str, ...], columns: tuple[str, ...], score: FloatArray) -> Table:
    """The table with one row for each cell of a matrix, row by row; equal ids are target."""
    enrol = np.repeat(np.arange(len(rows), dtype=np.int32), len(columns))
    test = np.tile(np.arange(len(columns), dtype=np.int32), len(rows))
    known = {name: code for code, name in enumerate(columns)}
    twin = np.array([known.get(name, -1) for name in rows], dtype=np.int32)
    return replace(
        table,
        enrol=Ids(frozen(enrol), rows),
        test=Ids(frozen(test), columns),
        score=frozen(score.reshape(-1)),
        is_target=frozen(twin[enrol] == test),
        labels_are_guessed=True,
    )


def _names(first: Sequence[str], width: int) -> tuple[str, ...] | None:
    """The ids of the columns: the corner may be empty, hold a word, or be left out."""
    if len(first) == width:
        return tuple(first[1:])
    return tuple(first) if len(first) == width - 1 else None


def _read(text: Text, reading: Reading, on_progress: Progress) -> Table:
    import pandas as pd

    header = text.sample[0]
    body = text.with_header()
    width = len(body.sample[0].cells)
    names = _names(header.cells, width) or ()
    _refuse_repeats(text, header.number, names)
    first, score = read_rows(body, width, on_progress)
    if len(first.names) < len(first):
        row = int(np.flatnonzero(pd.Series(first.codes).duplicated().to_numpy())[0])
        [line] = body.lines([row])
        raise InputError("matrix-id-twice", file=text.file.name, line=line.number, found=line.cells[0])

    def find(rows: Sequence[int]) -> list[Example]:
        lines = body.lines([row // len(names) for row in rows])
        places = zip(rows, lines, strict=True)
        return [
            Example(
                text.file.name,
                line.number,
                f"{line.cells[0]} {names[row % len(names)]} {line.cells[1 + row % len(names)]}",
            )
            for row, line in places
        ]

    table = Table(text.file, reading.format, reading.role, dialect=body.dialect, find=find)
    alone = sorted({*first.names} ^ {*names})
    if alone and reading is SQUARE:
        facts = {"file": text.file.name, "count": len(alone), "found": alone[0]}
        of_them = Finding("matrix-one-sided", Severity.WARNING, facts)
        table = replace(table, file=text.file.with_findings(of_them))
    cells = with_cells(table, first.names, names, score)
    return replace(cells, is_target=None, labels_are_guessed=False) if reading is MODELS else cells


def _refuse_repeats(text: Text, line: int, names: tuple[str, ...]) -> None:
    seen: set[str] = set()
    for name in names:
        if name in seen:
            raise InputError("matrix-id-twice", file=text.file.name, line=line, found=name)
        seen.add(name)


SQUARE = Reading("matrix", FileRole.BOTH, by=_read)
MODELS = Reading("matrix-models", FileRole.SCORES, by=_read)
