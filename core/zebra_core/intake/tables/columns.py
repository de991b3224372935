"""Columns of a text file: read fast by the C parser, and looked at again line by line where that fails.

What the slow look says is the truth; the fast way is only a shortcut to the same.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from itertools import islice

import numpy as np

from zebra_core.errors import InputError
from zebra_core.evidence.audit import Finding, Severity
from zebra_core.evidence.trials import CodeArray, FloatArray, Ids, IntArray
from zebra_core.intake.opening.opening import OpenedFile, decode
from zebra_core.intake.tables.plain_lines import PlainColumn, PlainIds, plain_columns, plain_numbers
from zebra_core.intake.tables.table import Delimiter, Dialect, LineEnd, is_label, is_missing, sniff
from zebra_core.runtime.progress import Progress, no_progress

Column = Ids | FloatArray

_LINE_END = re.compile(r"\r\n|\n|\r")
_LINE_END_BYTES = re.compile(rb"\r\n|\n|\r")
_COMMENT_LINE = re.compile(rb"(?:^|(?<=[\r\n]))[ \t]*#[^\r\n]*")
_SPREADSHEET_LINE = re.compile(rb"\A\s*\"?sep=[^\r\n]\"?[ \t;,]*(?=[\r\n])", re.IGNORECASE)
"""The first line by which Excel is told what separates columns."""
_WIDE_BLANKS = tuple(blank.encode() for blank in "\u00a0\u2007\u202f")
_AT_EDGES = re.compile(
    rb"(?:(?<=[,;\t\r\n \"])|\A)(?:%(b)s)+|%(no)s(?:%(b)s)+(?=[,;\t\r\n \"]|\Z)"
    % {b"b": b"|".join(_WIDE_BLANKS), b"no": b"".join(b"(?<!%s)" % blank for blank in _WIDE_BLANKS)}
)
"""Blanks that do not break, beside what separates columns."""
_FIRST_DATA = re.compile(rb"(?:^|[\r\n])[ \t]*[^#\s]")
UNPRINTABLE = re.compile(r"[\x00-\x1f\x7f]")
_NO_ID = frozenset({"", "#N/A"})  # as spreadsheets write what they do not know
_DECIMAL_COMMA = re.compile(rb"[ \t;][+-]?\d*,\d+[ \t;\r\n]")
_SAMPLE_BYTES = 1 << 16
_SAMPLE_LINES = 120  # from the beginning
_MORE_SAMPLE_LINES = 30  # from the middle and from the end, each
_WIDEST_SAMPLE = 16 << 20
_PLAIN_BYTES = 1 << 20  # with all that is made of them they stay in the processor's cache
_PIECE_BYTES = 4 << 20  # larger ones are read no faster, and take more memory at the peak
_MORE_ROWS = 1.02  # than lines of one length would make, room is made for
_RUN = 8  # where as many equal ids follow one another, runs are coded
_ROOM = 32  # so many times its size a piece takes at most while it is parsed: one short id a line
MOST_COLUMNS = 100_000
"""The most columns of a line: as many as a matrix of ten thousand million scores has."""


def column_name(cell: str) -> str:
    """The name of a column as names are compared: `Model-ID`, `model id` and `modelid` are one."""
    return "".join(filter(str.isalnum, cell.casefold()))


class ColumnType(Enum):
    """What a column holds."""

    ID = "id"  # never empty
    TEXT = "text"  # may be empty
    NUMBER = "number"


@dataclass(frozen=True)
class TextLine:
    """One line that carries data: its number, counted from 1 over all lines of the file, and its columns."""

    number: int
    cells: tuple[str, ...]
    found: str = ""  # the line as it is written

    @property
    def text(self) -> str:
        """The line as it is shown: as it is written, with blanks for tabs."""
        return self.found.strip().replace("\t", " ")


@dataclass(frozen=True, eq=False)
class Text:
    """A text file: UTF-8 bytes, comments blanked, lines counted as in the file; and how it is written."""

    file: OpenedFile
    content: bytes
    dialect: Dialect
    sample: tuple[TextLine, ...]  # the first lines that carry data, and some from the middle and the end

    def with_header(self) -> Text:
        """The text with its first line taken for the names of its columns."""
        return replace(
            self, dialect=replace(self.dialect, header=self.sample[0].cells), sample=self.sample[1:]
        )

    def lines(self, rows: Sequence[int]) -> list[TextLine]:
        """The lines behind these rows of data, counted from 0; one pass through the file."""
        wanted = sorted(set(rows))
        found: dict[int, TextLine] = {}
        lines = enumerate(_data_lines(self))
        for row in wanted:
            found[row] = next(islice(lines, row - (max(found) + 1 if found else 0), None))[1]
        return [found[row] for row in rows]

    def all_lines(self) -> Iterator[TextLine]:
        """Every line that carries data, the slow way."""
        return _data_lines(self)

    def first_line(self) -> TextLine:
        """The first line with data. A text has one."""
        return next(_data_lines(self))


def read_text(file: OpenedFile) -> Text:
    """Decode a file and tell its dialect. Raises InputError when it is no text, or empty."""
    text, encoding = decode(file)
    content, comments, _ = without_comments(text)
    if content.isspace():
        content = text  # every line begins like a comment
    numbered = _sample(content)
    _refuse_endless_rows(file, numbered)
    dialect, rows = sniff([line for _, line in numbered], encoding, _line_end(content))
    if comments > 1 and len(rows) == 1 and dialect.value is None:  # the names of columns alone
        every = [line for _, line in _sample(text)]
        dialect, rows = sniff(every, encoding, _line_end(content))
    if b"#" in text:
        content, comments, kept = without_comments(text, dialect)
        if content.isspace():
            raise InputError("empty", file=file.name)
        file = file.with_findings(*like_comments(file.name, kept))
        numbered = _sample(content)
        rows = [dialect.cells(line) for _, line in numbered]
    if not dialect.decimal_comma and dialect.delimiter is not Delimiter.COMMA and b"," in content:
        # The first numbers may all be whole.
        cells = (cell for row in rows for cell in row)
        has_point = any(
            "." in cell and dialect.number(cell) is not None and not is_label(cell) for cell in cells
        )
        dialect = replace(dialect, decimal_comma=not has_point and bool(_DECIMAL_COMMA.search(content)))
    dialect = replace(dialect, comment_lines=comments)
    sample = _lines_of(numbered, rows)
    if not sample:
        raise InputError("empty", file=file.name)
    return Text(file, content, dialect, sample)


def _refuse_endless_rows(file: OpenedFile, numbered: Sequence[tuple[int, str]]) -> None:
    for _, line in numbered:
        if len(line) > MOST_COLUMNS and _most_cells(line) > MOST_COLUMNS:
            raise InputError("too-many-columns", file=file.name, most=MOST_COLUMNS)


def _most_cells(line: str) -> int:
    """Into how many columns a line may fall, whatever its delimiter is."""
    marks = (delimiter.value for delimiter in Delimiter if delimiter is not Delimiter.BLANKS)
    return max(len(line.split()), *(line.count(mark) + 1 for mark in marks))


def text_as_before(file: OpenedFile, dialect: Dialect) -> Text:
    """A text file whose dialect is known, for its columns to be read. Raises InputError."""
    content, _, kept = without_comments(decode(file)[0], dialect)
    numbered = _sample(content)
    sample = _lines_of(numbered, [dialect.cells(line) for _, line in numbered])
    return Text(file.with_findings(*like_comments(file.name, kept)), content, dialect, sample)


def _lines_of(numbered: Sequence[tuple[int, str]], rows: Sequence[tuple[str, ...]]) -> tuple[TextLine, ...]:
    lines = (TextLine(number, cells, line) for (number, line), cells in zip(numbered, rows, strict=True))
    return tuple(line for line in lines if any(line.cells))


def without_comments(content: bytes, dialect: Dialect | None = None) -> tuple[bytes, int, list[TextLine]]:
    """Whole lines with their comments blanked, how many those were, and the other lines that begin with #.

    Ids may begin with #: by its dialect, a line that is like the others of the file is none of its comments.
    """
    content = _SPREADSHEET_LINE.sub(b"", content, count=1)
    if not content.isascii() and any(blank in content for blank in _WIDE_BLANKS):
        content = _AT_EDGES.sub(b" ", content)
    if b"#" not in content:
        return content, 0, []
    data = _FIRST_DATA.search(content)
    begins = data.start() if data else len(content)
    kept: list[TextLine] = []

    def without(match: re.Match[bytes]) -> bytes:
        line = match[0].decode()
        if dialect is None or not dialect.is_data(line, leads=match.start() < begins):
            return b""
        number = kept[-1].number if kept else count_lines(content[: match.start()]) + 1
        kept.append(TextLine(number, (), line))  # the first is told, the others are counted
        return match[0]

    found, blanked = _COMMENT_LINE.subn(without, content)
    return found, blanked - len(kept), kept


def like_comments(name: str, kept: Sequence[TextLine]) -> list[Finding]:
    """The finding that lines of a file begin with # and were read all the same; none where there are none."""
    facts = [{"file": name, "line": one.number, "found": one.text, "count": len(kept)} for one in kept[:1]]
    return [Finding("begins-like-comment", Severity.WARNING, of_first) for of_first in facts]


def count_lines(content: bytes) -> int:
    """How many lines end in this text, in whatever manner."""
    if b"\r" not in content:
        return content.count(b"\n")
    return content.count(b"\n") + content.count(b"\r") - content.count(b"\r\n")


def read_columns(
    text: Text, kinds: Sequence[ColumnType], on_progress: Progress = no_progress
) -> list[Column]:
    """Read a table of exactly these columns, in pieces, so that the work can be watched and stopped.

    Raises InputError at the first line that has another number of columns, no number where one belongs, or
    no id where one belongs. NaN and infinities are numbers here.
    """
    columns = [_NumberColumn() if kind is ColumnType.NUMBER else _IdColumn(kind) for kind in kinds]
    start, is_plain = _body_start(text), True
    while start < len(text.content):
        on_progress(start / len(text.content))
        end = _line_behind(text.content, start + (_PLAIN_BYTES if is_plain else _PIECE_BYTES))
        piece = text.content[start:end]
        cells = _plain(piece, columns, text.dialect) if is_plain else None
        is_plain = cells is not None  # of a file some of which is not plain, little is
        cells = cells or _not_plain(text, start, piece, columns)
        for column, part in zip(columns, cells, strict=True):
            column.add(part, end / len(text.content))
        start = end
    on_progress(1.0)
    return [column.done() for column in columns]


def _plain(
    piece: bytes, columns: Sequence[_NumberColumn | _IdColumn], dialect: Dialect
) -> list[np.ndarray] | None:
    """What plain lines hold in each column; None where they are not plain, or not as they should be."""
    cells = plain_columns(piece, len(columns), dialect)
    if cells is None:
        return None
    found = dict[int, np.ndarray]()
    # Numbers first, which are plain less often than ids.
    for place, column in sorted(enumerate(columns), key=lambda each: isinstance(each[1], _IdColumn)):
        part = column.plain(cells[place], dialect)
        if part is None:
            return None
        found[place] = part
    return [found[place] for place in range(len(columns))]


def _not_plain(
    text: Text, start: int, piece: bytes, columns: Sequence[_NumberColumn | _IdColumn]
) -> list[np.ndarray]:
    """The same of any lines. Raises InputError at the first line that is not as it should be."""
    kinds = [column.kind for column in columns]
    for separator in _separators(text.dialect):
        cells = _parsed(piece, kinds, text.dialect, separator)
        if cells and all(c.fits(part, piece) for c, part in zip(columns, cells, strict=True)):
            return cells
    return _looked_at_again(text, start, piece, kinds)


def read_rows(text: Text, width: int, on_progress: Progress = no_progress) -> tuple[Ids, FloatArray]:
    """Read lines of an id and `width` − 1 numbers: the ids, and the numbers with a row for each line.

    It is `read_columns` for a matrix: the parser of tables looks at every column by itself, which takes long
    where there are thousands. Raises InputError as that does.
    """
    kinds = [ColumnType.ID] + [ColumnType.NUMBER] * (width - 1)
    ids, numbers = _IdColumn(ColumnType.ID), _NumberColumn()
    for start, end in _pieces(text.content, _body_start(text)):
        on_progress(start / len(text.content))
        piece = text.content[start:end]
        found = _parsed_rows(piece, width, text.dialect)
        if found is None or not (ids.fits(found[0], piece) and numbers.fits(found[1], piece)):
            first, *others = _looked_at_again(text, start, piece, kinds)
            found = first, np.column_stack(others) if others else np.empty((len(first), 0))
        ids.add(found[0], end / len(text.content))
        numbers.add(found[1], end / len(text.content))
    on_progress(1.0)
    return ids.done(), numbers.done()


class _Rows:
    """Rows that are put one below the other where they stay: copying all of them in the end takes as long."""

    def __init__(self, kind: type[np.generic]) -> None:
        self._rows, self._count = np.empty(0, kind), 0

    def add(self, part: np.ndarray, share: float) -> None:
        """Put these rows below the others; `share` is how much of the text was read with them."""
        end = self._count + len(part)
        if end > len(self._rows):
            wanted = end + int(_MORE_ROWS * end * (1.0 / share - 1.0))
            rows = np.empty((wanted, *part.shape[1:]), self._rows.dtype)
            if self._count:
                rows[: self._count] = self._rows[: self._count]
            self._rows = rows
        self._rows[self._count : end] = part
        self._count = end

    def done(self) -> np.ndarray:
        """All of them, read-only."""
        self._rows.resize((self._count, *self._rows.shape[1:]), refcheck=False)
        return frozen(self._rows)


class _NumberColumn:
    """Collects the numbers of one column."""

    kind = ColumnType.NUMBER

    def __init__(self) -> None:
        self._rows = _Rows(np.float64)

    def plain(self, cells: PlainColumn, dialect: Dialect) -> FloatArray | None:
        """The numbers in plain cells, or None."""
        return plain_numbers(cells, dialect)

    def fits(self, part: np.ndarray, piece: bytes) -> bool:
        """Whether the parser surely took nothing for a number that is none: it reads `true` as 1."""
        if not np.isfinite(part).all():
            return False  # 1e400, or an infinity that is one
        if not ((part == 0.0) | (part == 1.0)).any():
            return True
        small = piece.lower()
        return b"true" not in small and b"false" not in small

    def add(self, part: np.ndarray, share: float) -> None:
        """Take numbers of a piece; see `_Rows`."""
        self._rows.add(part, share)

    def done(self) -> FloatArray:
        return self._rows.done()


class _IdColumn:
    """Collects the ids of one column as codes, each distinct id once."""

    def __init__(self, kind: ColumnType) -> None:
        self.kind = kind
        self._codes: dict[str, int] = {}
        self._rows = _Rows(np.int32)
        self._looked_at: tuple[np.ndarray, tuple[IntArray, list[str]]] | None = None
        self._plain = PlainIds()
        self._of_plain = np.empty(0, np.int32)  # the code of each name of these

    def plain(self, cells: PlainColumn, _dialect: Dialect) -> CodeArray | None:
        """The codes of the ids in plain cells, or None where one is no id."""
        places = self._plain.places(cells)
        fresh = self._plain.names[len(self._of_plain) :]
        if places is None or not self._are_ids(fresh):
            return None
        if fresh:
            self._of_plain = np.concatenate([self._of_plain, self._coded(fresh)])
        codes: CodeArray = self._of_plain[places]
        return codes

    def fits(self, part: np.ndarray, _piece: bytes) -> bool:
        """Whether every id is one: not empty, and without control characters."""
        self._looked_at = part, _distinct(part)
        return self._are_ids([name for name in self._looked_at[1][1] if name not in self._codes])

    def _are_ids(self, names: Sequence[str]) -> bool:
        together = "".join(names)
        if not together.isprintable() and UNPRINTABLE.search(together):
            return False
        return self.kind is ColumnType.TEXT or _NO_ID.isdisjoint(_without_blanks(names))

    def _coded(self, names: Sequence[str]) -> CodeArray:
        names, known = _without_blanks(names), self._codes
        fresh = [name for name in dict.fromkeys(names) if name not in known]
        known.update(zip(fresh, range(len(known), len(known) + len(fresh)), strict=True))
        return np.fromiter(map(known.__getitem__, names), np.int32, len(names))

    def add(self, part: np.ndarray, share: float) -> None:
        """Take ids of a piece, codes of its own or strings; see `_Rows`."""
        if part.dtype == object:
            seen, distinct = self._looked_at or (None, None)
            codes, names = distinct if distinct and seen is part else _distinct(part)
            part = self._coded(names)[codes]
        self._rows.add(part, share)

    def done(self) -> Ids:
        return Ids(self._rows.done(), tuple(self._codes))


def _without_blanks(names: Sequence[str]) -> Sequence[str]:
    """Names without blanks around them; as a rule there are none in any."""
    return [name.strip(" ") for name in names] if " " in "".join(names) else names


def _distinct(strings: np.ndarray) -> tuple[IntArray, list[str]]:
    """A code for each string, and the strings the codes stand for.

    The parser makes one object of equal strings, so their addresses are coded, ten times as fast as their
    text. Where it did not, a string has several codes, and whoever puts them into a dict will notice.
    """
    import pandas as pd

    strings = np.ascontiguousarray(strings)
    addresses = np.ndarray(strings.shape, np.intp, strings.data)
    begins = np.flatnonzero(np.diff(addresses, prepend=0))
    if _RUN * len(begins) < len(addresses):  # a list goes enrolment by enrolment, as a rule
        codes, distinct = _distinct(strings[begins])
        return np.repeat(codes, np.diff(begins, append=len(addresses))), distinct
    codes, known = pd.factorize(addresses)
    row = np.empty(len(known), np.intp)
    row[codes[::-1]] = np.arange(len(codes) - 1, -1, -1)
    return codes, strings[row].tolist()


def frozen(array: np.ndarray) -> np.ndarray:
    """The array itself, read-only from now on."""
    array.flags.writeable = False
    return array


def _separators(dialect: Dialect) -> tuple[str, ...]:
    """What to try: a single blank is read much faster than any white space, where it will do."""
    return (" ", r"\s+") if dialect.delimiter is Delimiter.BLANKS else (dialect.delimiter.value,)


def _parsed(
    piece: bytes, kinds: Sequence[ColumnType], dialect: Dialect, separator: str
) -> list[np.ndarray] | None:
    """What the C parser makes of these lines, or None where it finds anything but these columns.

    Ids are read as objects: as categories, pandas would turn `007` into 7. Raises MemoryError.
    """
    import pandas as pd

    np.empty(_ROOM * len(piece), np.uint8)  # where this is not to be had, the parser would crash
    try:
        frame = pd.read_csv(
            io.BytesIO(piece),
            sep=separator,
            header=None,
            dtype={n: "float64" if kind is ColumnType.NUMBER else "object" for n, kind in enumerate(kinds)},
            quoting=csv.QUOTE_MINIMAL if dialect.quoted else csv.QUOTE_NONE,
            decimal="," if dialect.decimal_comma else ".",
            skipinitialspace=dialect.delimiter is not Delimiter.BLANKS,
            na_filter=False,
            encoding="utf-8",
            low_memory=False,
        )
    except (ValueError, OverflowError):
        return None
    if frame.shape[1] != len(kinds):
        return None
    return [frame[column].to_numpy() for column in range(len(kinds))]


def _parsed_rows(piece: bytes, width: int, dialect: Dialect) -> tuple[np.ndarray, np.ndarray] | None:
    """The first cells of these lines and their numbers, or None where they are not surely just that."""
    if dialect.quoted and b'"' in piece:
        return None
    mark = None if dialect.delimiter is Delimiter.BLANKS else dialect.delimiter.value.encode()
    names, below = [], []
    for line in filter(bytes.strip, piece.splitlines()):
        name, *cells = line.split(mark)
        if len(cells) != width - 1:
            return None
        names.append(name.decode().strip(" "))
        below.append(b"\n".join(cells))
    # One number below the other is one column, which the parser looks at once.
    found = _parsed(b"\n".join(below), [ColumnType.NUMBER], replace(dialect, delimiter=Delimiter.TAB), "\t")
    if found is None or found[0].size != len(names) * (width - 1):
        return None
    return np.array(names, dtype=object), found[0].reshape(len(names), width - 1)


def _looked_at_again(text: Text, start: int, piece: bytes, kinds: Sequence[ColumnType]) -> list[np.ndarray]:
    """Read line by line, and raise InputError at the first line that is not as it should be."""
    rows: list[tuple[object, ...]] = []
    before = len(_LINE_END.findall(text.content[:start].decode()))
    for line in _lines(piece, before + 1, text.dialect):
        if len(line.cells) != len(kinds):
            raise InputError(
                "columns",
                file=text.file.name,
                line=line.number,
                count=len(line.cells),
                found=line.text,
                expected=len(kinds),
            )
        rows.append(tuple(_value(text, line, *pair) for pair in zip(line.cells, kinds, strict=True)))
    return [
        np.array([row[n] for row in rows], dtype=np.float64 if kind is ColumnType.NUMBER else object)
        for n, kind in enumerate(kinds)
    ]


def _value(text: Text, line: TextLine, cell: str, kind: ColumnType) -> str | float:
    where = {"file": text.file.name, "line": line.number}
    if kind is ColumnType.NUMBER:
        number = np.nan if is_missing(cell) else text.dialect.number(cell)
        if number is None:
            raise InputError("score-not-a-number", **where, found=cell)
        if np.isinf(number) and "n" not in cell.casefold():
            raise InputError("score-too-large", **where, found=cell)
        return number
    if rubbish := UNPRINTABLE.search(cell):
        raise InputError("binary", **where, found=f"0x{ord(rubbish.group()):02x}")
    if kind is ColumnType.ID and cell in _NO_ID:
        raise InputError("id-empty", **where, found=line.text)
    return cell


def _data_lines(text: Text) -> Iterator[TextLine]:
    start = _body_start(text)
    before = len(_LINE_END.findall(text.content[:start].decode()))
    return _lines(text.content[start:], before + 1, text.dialect)


def _lines(content: bytes, first_number: int, dialect: Dialect) -> Iterator[TextLine]:
    for number, line in enumerate(_LINE_END.split(content.decode()), start=first_number):
        cells = dialect.cells(line)
        if any(cells):
            yield TextLine(number, cells, line)


def _body_start(text: Text) -> int:
    """The place where the data begin: at once, or behind the first line with anything in it."""
    if not text.dialect.header:
        return 0
    first = re.compile(rb"\S[^\r\n]*(?:\r\n|\n|\r|$)").search(text.content)
    return first.end() if first else len(text.content)


def _pieces(content: bytes, start: int) -> Iterator[tuple[int, int]]:
    """Parts of whole lines, in order."""
    while start < len(content):
        end = _line_behind(content, start + _PIECE_BYTES)
        yield start, end
        start = end


def _line_behind(content: bytes, place: int) -> int:
    """The place behind the line that a place is in, or the end of the text."""
    line_end = b"\n" if b"\n" in content else b"\r"
    return content.find(line_end, min(place, len(content) - 1)) + 1 or len(content)


def _sample(content: bytes) -> list[tuple[int, str]]:
    """Numbered lines that carry something: the first ones, and a few from the middle and the end."""
    found: list[tuple[int, str]] = []
    for start in (0, len(content) // 2, max(0, len(content) - _SAMPLE_BYTES)):
        end = start + _SAMPLE_BYTES
        if not start and end < len(content):
            # The lines of a matrix may be long; two of them tell what it is.
            wide = islice(_LINE_END_BYTES.finditer(content, 0, _WIDEST_SAMPLE), 3)
            end = max(end, *(match.end() for match in wide), 0)
        part = content[start:end].decode(errors="replace")
        whole = _whole_lines(part, begins=not start, ends=end >= len(content))
        telling = ((number, line) for number, line in whole if line.strip())
        found += list(islice(telling, _MORE_SAMPLE_LINES if start else _SAMPLE_LINES))
        if end >= len(content):
            break
    return found


def _whole_lines(text: str, *, begins: bool, ends: bool) -> Iterator[tuple[int, str]]:
    """The lines of a part of a file, counted from 1, without those cut off where it begins and ends.

    Where nothing is left, the first line as it is. One by one, for a sample needs few of them.
    """
    number, at = 1, 0
    for line_end in _LINE_END.finditer(text):
        if number > 1 or begins:
            yield number, text[at : line_end.start()]
        number, at = number + 1, line_end.end()
    if ends and (number > 1 or begins):
        yield number, text[at:]
    elif number == 1 or (number == 2 and not begins):
        yield 1, _LINE_END.split(text, maxsplit=1)[0]


def _line_end(content: bytes) -> LineEnd:
    if b"\r" not in content:
        return LineEnd.LF
    crlf = content.count(b"\r\n")
    lf, cr = content.count(b"\n") - crlf, content.count(b"\r") - crlf
    used = [end for end, count in ((LineEnd.LF, lf), (LineEnd.CRLF, crlf), (LineEnd.CR, cr)) if count]
    return used[0] if len(used) == 1 else LineEnd.MIXED
