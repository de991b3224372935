"""What a file says once it is read: rows of ids, scores and labels; or who speaks which segment."""

from __future__ import annotations

import csv
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from zebra_core.evidence.audit import Example, Finding, InputFile
from zebra_core.evidence.trials import BoolArray, FloatArray, Ids, IntArray
from zebra_core.intake.opening.opening import Encoding, OpenedFile
from zebra_core.wording.texts import ENGLISH, say, speaking

# How a table is written: line ends, delimiter, header, decimal sign, quotes; told from a sample.


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
    value_of = {one: _value_column(one, cut[one.delimiter]) for one in plausible}
    telling = [one for one, value in value_of.items() if value is not None]
    best = (telling or plausible or candidates[-1:])[0]
    by_blanks = next((dialect for dialect in telling if dialect.delimiter is Delimiter.BLANKS), best)
    if usual_width(cut[best.delimiter]) == 2 < usual_width(cut[by_blanks.delimiter]):
        best = by_blanks  # `a b 0,5`, and columns aligned with blanks where one tab slipped in
    rows = cut[best.delimiter]
    value = value_of[best] if best in value_of else _value_column(best, rows)
    return replace(best, width=usual_width(rows), value=value), rows


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


# The words that keys use for target and nontarget.


TARGET_WORDS = frozenset(
    [
        *("target", "tgt", "tar", "genuine", "mated", "same", "client", "1", "+1", "1.0"),
        *("true", "wahr", "vrai", "verdadero"),  # as spreadsheets write it
    ]
)
NONTARGET_WORDS = frozenset(
    [
        *(
            "nontarget",
            "non-target",
            "non",
            "imp",
            "impostor",
            "imposter",
            "nonmated",
            "non-mated",
            "different",
        ),
        *("0", "-1", "−1", "0.0", "-1.0", "false", "falsch", "faux", "falso"),
    ]
)
OF_SDSV = {"TC": frozenset({"TC"}), "TC+TW": frozenset({"TC", "TW"})}
"""What may mean target in keys of SdSV, where T is the right speaker and C the right phrase."""
_SDSV_WORDS = frozenset({"TC", "TW", "IC", "IW"})
SPOOF_WORD = "spoof"
_WORDS = TARGET_WORDS | NONTARGET_WORDS
_NUMBER_LABELS = frozenset({"1", "+1", "1.0", "0", "0.0", "-1", "−1", "-1.0"})


def is_label(word: str) -> bool:
    """Whether a word, in any case, says target or nontarget."""
    return word.casefold() in _WORDS


def is_number_label(word: str) -> bool:
    """Whether a label could as well be a number: 0, 1 or −1."""
    return word in _NUMBER_LABELS


def meaning(word: str, target_word: str | None = None) -> bool | None:
    """True for target, False for nontarget, None for a word that says neither.

    `target_word` is what the user said means target, in a file whose words nobody else knows; every other
    word of that file means nontarget.
    """
    if target_word in OF_SDSV:
        return word in OF_SDSV[target_word] if word in _SDSV_WORDS else None
    if target_word is not None:
        return word == target_word
    plain = word.casefold()
    return True if plain in TARGET_WORDS else False if plain in NONTARGET_WORDS else None


def are_of_sdsv(words: Iterable[str]) -> bool:
    """Whether most of these words say, as in keys of SdSV, both who spoke and what was said."""
    found = set(words)
    return "TC" in found and 2 * len(found & _SDSV_WORDS) > len(found)


def are_mixed(words: Iterable[str]) -> bool:
    """Whether these labels are of more than one vocabulary: two words for one class, or numbers and words."""
    known = {word.casefold() for word in words if is_label(word)}
    return len(known) > len({meaning(word) for word in known}) or len(set(map(is_number_label, known))) > 1


def is_spoof(word: str) -> bool:
    """Whether a trial is an attack on the recogniser: neither target nor nontarget, it is set aside."""
    return word.casefold() == SPOOF_WORD


def unknown_words(words: Iterable[str]) -> tuple[str, ...]:
    """The distinct words that say neither target nor nontarget nor spoof."""
    return tuple(dict.fromkeys(word for word in words if meaning(word) is None and not is_spoof(word)))


class FileRole(Enum):
    """What a file contributes to an assessment."""

    SCORES = "scores"
    KEY = "key"
    BOTH = "both"
    TARGET_SCORES = "target-scores"  # one score a line, all of targets
    NONTARGET_SCORES = "nontarget-scores"
    SPEAKERS = "speakers"
    ATTRIBUTES = "attributes"  # of speakers: sex, age, accent
    PREDICTIONS = "predictions"  # what a recogniser of attributes said of recordings
    TRANSCRIPT = "transcript"  # what is said in each recording, beside scores
    RECORDINGS = "recordings"  # from which recordings scores were made, and how
    EMBEDDINGS = "embeddings-record"  # from which embeddings scores were made, and how
    LISTENING_PLAN = "listening-plan"  # what each item of a listening test was
    LISTENING_ANSWERS = "listening-answers"  # what one listener answered
    LISTENING_TEST = "listening-test"  # what one listener heard


def _no_lines(_rows: Sequence[int]) -> list[Example]:
    return []


@dataclass(frozen=True, eq=False)
class Table:
    """The rows of one file. `enrol` and `test` are None where the file names no ids.

    Rows that were set aside (spoof trials) are not in the columns; `row` is then the number of each row left
    among all data of the file, counted from 0. `label_words` are the words of its labels, each
    with the row of the file, counted in the same way, that has it first.
    """

    file: OpenedFile
    format: str
    role: FileRole
    enrol: Ids | None = None
    test: Ids | None = None
    score: FloatArray | None = None
    is_target: BoolArray | None = None
    dialect: Dialect | None = None
    set_aside: int = 0
    row: IntArray | None = None
    label_words: Mapping[str, int] = field(default_factory=dict)
    distance: str = ""  # the name of the column of scores, where by that lower means more alike
    ratio: str = ""  # the same, where by that they are likelihood ratios, not their logarithms
    made_of: tuple[Table, ...] = ()  # the tables that were put one below the other
    computed_from: tuple[InputFile, ...] = ()  # transcripts, where scores were computed from their words
    shape: tuple[int, int] | None = None  # of a matrix whose ids stand in another file, and of these
    labels_are_guessed: bool = False  # the diagonal of a matrix: a key or a speaker map knows better
    find: Callable[[Sequence[int]], list[Example]] = field(default=_no_lines, repr=False)

    def __len__(self) -> int:
        for column in (self.score, self.is_target, self.enrol):
            if column is not None:
                return len(column)
        return 0

    @property
    def name(self) -> str:
        """The name of the file."""
        return self.file.name

    @property
    def sides(self) -> tuple[Ids, Ids] | None:
        """The ids of enrolment and test, or None where one of them is not known."""
        return None if self.enrol is None or self.test is None else (self.enrol, self.test)

    def examples(self, rows: Sequence[int] | NDArray[np.integer]) -> tuple[Example, ...]:
        """The lines of the file behind these rows of the table."""
        of_file = [int(row) if self.row is None else int(self.row[row]) for row in rows]
        return tuple(self.find(of_file))

    def records(self) -> tuple[InputFile, ...]:
        """The files behind the table, for the record of what a result rests on."""
        if self.made_of:
            return tuple(record for table in self.made_of for record in table.records())
        if self.computed_from:
            return self.computed_from
        return (_record(self, len(self) + self.set_aside),)

    def findings(self) -> tuple[Finding, ...]:
        """What is to be told of the files behind the table."""
        return tuple(finding for table in self.made_of or (self,) for finding in table.file.findings)


@dataclass(frozen=True, eq=False)
class SpeakerMap:
    """Who speaks: segment to speaker, or speaker to gender (spk2gender) or another attribute.

    Of a record of recordings or of embeddings: the hash of each file that it lists.
    """

    file: OpenedFile
    format: str
    of: Mapping[str, str]
    dialect: Dialect | None = None

    @property
    def role(self) -> FileRole:
        """What it contributes, by its format."""
        others = (FileRole.ATTRIBUTES, FileRole.PREDICTIONS, FileRole.RECORDINGS, FileRole.EMBEDDINGS)
        every = (*others, FileRole.TRANSCRIPT)
        return next((role for role in every if self.format.startswith(role.value)), FileRole.SPEAKERS)

    def __len__(self) -> int:
        return len(self.of)

    def records(self) -> tuple[InputFile, ...]:
        """The file behind the map."""
        return (_record(self, len(self)),)

    def findings(self) -> tuple[Finding, ...]:
        """What is to be told of the file behind the map."""
        return self.file.findings

    @property
    def is_gender(self) -> bool:
        """Whether the map tells genders of speakers, not speakers of segments."""
        return self.format == "spk2gender"


def joined(target: Table, nontarget: Table) -> Table:
    """One table from two lists of scores, one for each class; ids are not known."""
    parts = [table.score for table in (target, nontarget) if table.score is not None]
    first = len(target)

    def find(rows: Sequence[int]) -> list[Example]:
        return [target.find([row])[0] if row < first else nontarget.find([row - first])[0] for row in rows]

    return Table(
        target.file,
        target.format,
        FileRole.BOTH,
        score=np.concatenate(parts),
        is_target=np.arange(first + len(nontarget)) < first,
        dialect=target.dialect,
        made_of=(target, nontarget),
        find=find,
    )


def one_below_the_other(parts: Sequence[Table], find: Callable[[Sequence[int]], list[Example]]) -> Table:
    """One table from the parts of one file, at least one, in their order."""
    row = None
    firsts = np.cumsum([0, *(len(part) + part.set_aside for part in parts)])
    words: dict[str, int] = {}
    for first, part in zip(firsts, parts, strict=False):
        words = {word: int(first) + at for word, at in part.label_words.items()} | words
    if any(part.row is not None for part in parts):
        rows = (np.arange(len(part)) if part.row is None else part.row for part in parts)
        row = np.concatenate([first + of_part for first, of_part in zip(firsts, rows, strict=False)])
    return replace(
        parts[0],
        enrol=_ids_below([part.enrol for part in parts]),
        test=_ids_below([part.test for part in parts]),
        score=_below([part.score for part in parts]),
        is_target=_below([part.is_target for part in parts]),
        row=row,
        label_words=words,
        set_aside=sum(part.set_aside for part in parts),
        find=find,
    )


def _below(columns: Sequence[np.ndarray | None]) -> np.ndarray | None:
    present = [column for column in columns if column is not None]
    return np.concatenate(present) if present else None


def _ids_below(columns: Sequence[Ids | None]) -> Ids | None:
    present = [column for column in columns if column is not None]
    if not present:
        return None
    known: dict[str, int] = {}
    codes = [
        np.array([known.setdefault(name, len(known)) for name in ids.names], np.int32)[ids.codes]
        for ids in present
    ]
    return Ids(np.concatenate(codes), tuple(known))


def _record(read: Table | SpeakerMap, rows: int) -> InputFile:
    file = read.file
    return InputFile(
        path=file.source.path,
        role=read.role.value,
        size=file.size,
        sha256=file.sha256,
        rows=rows,
        member=file.source.member,
        format=read.format,
        dialect=read.dialect.in_english() if read.dialect else "",
    )
