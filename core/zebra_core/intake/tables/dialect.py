"""How a table is written: line ends, delimiter, header, decimal sign, quotes; told from a sample."""

from __future__ import annotations

import csv
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import Enum
from functools import lru_cache

from zebra_core.intake.opening.decoding import Encoding
from zebra_core.intake.tables.labels import is_label
from zebra_core.wording.languages import ENGLISH, speaking
from zebra_core.wording.texts import say

_NUMBER = re.compile(r"[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?", re.ASCII)
_COMMA_NUMBER = re.compile(r"[+-]?(?:\d+(?:,\d*)?|,\d+)(?:[eE][+-]?\d+)?", re.ASCII)
_WHOLE, _FRACTION = re.compile(r"[+-]?\d+", re.ASCII), re.compile(r"\d+(?:[eE][+-]?\d+)?", re.ASCII)
_SHEET_ERROR = re.compile(r"#{4,}|#[^\W\d_/]+[!?]|#NV|#N/A|#DIV/0!")
"""What a spreadsheet could not compute, or had no room to show."""
_MISSING = frozenset({"", "na", "n/a", "#n/a", "<na>", "null", "none"})
_HEADS = re.compile(
    r"#(?:enrol|enroll|enrolment|enrollment|model|model_?id|speaker|spk|label)", re.IGNORECASE
)
_CELL = re.compile(r'"((?:[^"]|"")*)"(?=[ \t]|$)|([^ \t]+)')
_NON_FINITE = re.compile(r"[+-]?(?:inf|infinity|nan)", re.IGNORECASE | re.ASCII)


class Delimiter(Enum):
    """What stands between two columns."""

    BLANKS = " "  # any number of spaces and tabs
    TAB = "\t"
    COMMA = ","
    SEMICOLON = ";"


class LineEnd(Enum):
    """What stands at the end of a line."""

    LF = "\n"
    CRLF = "\r\n"
    CR = "\r"
    MIXED = ""


@dataclass(frozen=True)
class Dialect:
    """How the text of one file is written."""

    encoding: Encoding = Encoding.UTF_8
    line_end: LineEnd = LineEnd.LF
    delimiter: Delimiter = Delimiter.BLANKS
    decimal_comma: bool = False
    quoted: bool = False
    header: tuple[str, ...] = ()
    comment_lines: int = 0
    width: int = 0  # the usual number of columns
    value: int | None = None  # the column that holds numbers or labels

    def __str__(self) -> str:
        words = [
            say(f"dialect.{self.encoding.name.lower().replace('_', '-')}"),
            say(f"dialect.{self.delimiter.name.lower()}"),
            say(f"dialect.{self.line_end.name.lower()}"),
        ]
        words += [say("dialect.decimal-comma")] if self.decimal_comma else []
        words += [say("dialect.quoted")] if self.quoted else []
        words += [say("dialect.header")] if self.header else []
        words += [say("dialect.comments", count=self.comment_lines)] if self.comment_lines else []
        return ", ".join(words)

    def in_english(self) -> str:
        """The dialect in English, as files keep it; `list_as_said` shows it in the language of the moment."""
        with speaking(ENGLISH):
            return str(self)

    def cells(self, line: str) -> tuple[str, ...]:
        """The columns of a line, without blanks around them; none where there is nothing in the line."""
        if self.delimiter is Delimiter.BLANKS:
            if self.quoted and '"' in line:
                return tuple(
                    cell[2] or cell[1].replace('""', '"').strip(" ") for cell in _CELL.finditer(line)
                )
            return tuple(filter(None, line.replace("\t", " ").split(" ")))
        if not line.strip():
            return ()
        if self.quoted and '"' in line:
            try:
                found = next(csv.reader([line], delimiter=self.delimiter.value, skipinitialspace=True), [])
            except csv.Error:  # a cell beyond csv.field_size_limit
                found = line.split(self.delimiter.value)
        else:
            found = line.split(self.delimiter.value)
        return tuple(cell.strip(" ") for cell in found)

    def is_data(self, line: str, *, leads: bool) -> bool:
        """Whether a line that begins with # is like the others of the file; `leads`: none of them is above.

        Then it may hold the names of columns. Lines of two ids are like any two words.
        """
        cells = self.cells(line)
        if len(cells) != self.width or (leads and _HEADS.fullmatch(cells[0])):
            return False
        if self.value is None:
            return self.width == 2 and not leads
        cell = cells[self.value]
        is_value = self.number(cell) is not None or is_label(cell) or is_missing(cell)
        return is_value or bool(_SHEET_ERROR.fullmatch(cell))

    def number(self, text: str) -> float | None:
        """The number that a cell says, infinities and NaN by name included, or None where it says none."""
        return (_known if len(text) <= _SHORT else _number)(text, self.decimal_comma)


def is_missing(cell: str) -> bool:
    """Whether a cell says that there is no value: it is empty, or says NA, null or None."""
    return cell.casefold() in _MISSING


def _number(text: str, decimal_comma: bool) -> float | None:
    if (_COMMA_NUMBER if decimal_comma else _NUMBER).fullmatch(text):
        return float(text.replace(",", "."))
    return float(text) if _NON_FINITE.fullmatch(text) else None


_SHORT = 40  # characters: longer ones are not worth the memory
_known = lru_cache(4096)(_number)  # the few cells of a sample are asked for again and again


def sniff(
    lines: Sequence[str], encoding: Encoding, line_end: LineEnd
) -> tuple[Dialect, list[tuple[str, ...]]]:
    """The dialect of a file by lines that carry data, and the cells of these lines.

    The header is told later, by who knows the columns.
    """
    quoted = any('"' in line and _is_quoted(line) for line in lines)
    candidates = [
        Dialect(encoding, line_end, delimiter, quoted=quoted)
        for delimiter in (Delimiter.TAB, Delimiter.SEMICOLON, Delimiter.COMMA, Delimiter.BLANKS)
        if delimiter is Delimiter.BLANKS or any(delimiter.value in line for line in lines)
    ]
    if lines and all(
        line.startswith('"') and '"\t' in line for line in lines
    ):  # as we write names that hold blanks
        candidates = [one for one in candidates if one.delimiter is Delimiter.TAB]
    # Cut once each; the decimal sign changes numbers, not cells.
    cut = {dialect.delimiter: [dialect.cells(line) for line in lines] for dialect in candidates}
    plausible = [
        _with_decimal_sign(dialect, cut[dialect.delimiter])
        for dialect in candidates
        if _cuts(cut[dialect.delimiter])
    ]
    telling = [one for one in plausible if _value_column(one, cut[one.delimiter]) is not None]
    best = (telling or plausible or candidates[-1:])[0]
    by_blanks = next((dialect for dialect in telling if dialect.delimiter is Delimiter.BLANKS), best)
    if usual_width(cut[best.delimiter]) == 2 < usual_width(cut[by_blanks.delimiter]):
        best = by_blanks  # `a b 0,5`, and columns aligned with blanks where one tab slipped in
    rows = cut[best.delimiter]
    return replace(best, width=usual_width(rows), value=_value_column(best, rows)), rows


def cut_by_commas(dialect: Dialect, rows: Sequence[Sequence[str]]) -> list[int]:
    """Where, in rows of one width, cells and the next ones may be numbers cut in two at decimal commas."""
    if dialect.delimiter is not Delimiter.COMMA or not rows:
        return []
    if any("." in cell and _NUMBER.fullmatch(cell) for row in rows for cell in row):
        return []

    def is_so(column: int) -> bool:
        both = ((row[column], row[column + 1]) for row in rows)
        fitting = sum(bool(_WHOLE.fullmatch(a) and _FRACTION.fullmatch(b)) for a, b in both)
        return 10 * fitting >= 9 * len(rows)

    return list(filter(is_so, range(len(rows[0]) - 1)))


def surely_cut_by_commas(columns: Sequence[int], rows: Sequence[Sequence[str]]) -> bool:
    """Whether at one of these columns there are numbers cut in two, and no whole numbers side by side.

    Only fractions begin with zeros and are of several lengths; only numbers that are cut are −0, or below
    zero before what has no sign; and ids are not 0 and 1 alone before digits that are all different.
    """

    def is_so(column: int) -> bool:
        both = [
            (row[column], row[column + 1])
            for row in rows
            if _WHOLE.fullmatch(row[column]) and _FRACTION.fullmatch(row[column + 1])
        ]
        whole, fraction = zip(*both, strict=True)
        lengths = {*map(len, fraction)}
        are_others_whole = len(rows[0]) > 2 and all(map(_WHOLE.fullmatch, rows[0]))
        return (
            any(cell.startswith("-") and cell != "-1" for cell in whole)
            or (len(lengths) > 1 and any(cell.startswith("0") and len(cell) > 1 for cell in fraction))
            or (
                {*whole} <= {"0", "1", "-1"}
                and min(lengths) > 2
                and 10 * len({*fraction}) > 9 * len(fraction)
                and not are_others_whole
            )
        )

    return any(map(is_so, columns))


def usual_width(rows: Sequence[Sequence[str]]) -> int:
    """How many columns most rows have."""
    return Counter(map(len, rows)).most_common(1)[0][0] if rows else 0


def _cuts(rows: Sequence[Sequence[str]]) -> bool:
    """Whether most lines fall into the same number of columns, two at least."""
    widths = Counter(map(len, rows))
    width, count = widths.most_common(1)[0] if widths else (0, 0)
    return width >= 2 and 2 * count > len(rows)


def _value_column(dialect: Dialect, rows: Sequence[Sequence[str]]) -> int | None:
    """The last column that holds, in most rows, numbers or labels; they stand last as a rule."""
    width = usual_width(rows)
    rows = [row for row in rows if len(row) == width]

    def holds_values(column: int) -> bool:
        values = sum(dialect.number(row[column]) is not None or is_label(row[column]) for row in rows)
        return 2 * values >= len(rows)

    return next(filter(holds_values, reversed(range(width))), None)


def _with_decimal_sign(dialect: Dialect, rows: Sequence[Sequence[str]]) -> Dialect:
    """A comma is a decimal sign where it stands in a number and no number has a point."""
    if dialect.delimiter is Delimiter.COMMA:
        return dialect
    cells = [cell for row in rows for cell in row]
    comma = any("," in cell and _COMMA_NUMBER.fullmatch(cell) for cell in cells)
    comma = comma and not any(
        "." in cell and _NUMBER.fullmatch(cell) and not is_label(cell) for cell in cells
    )
    return replace(dialect, decimal_comma=comma)


def _is_quoted(line: str) -> bool:
    return bool(re.search(r'(?<![^,;\s])"(?:[^"]|"")*+"(?![^,;\s])', line))
