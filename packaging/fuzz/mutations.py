"""What spreadsheets, locales, exports and e-mail do to files, and which words of ours are about just that.

Which codes count was written down before anything was tried: of questions, refusals and remarks, those that
speak of what was done to the file, by its effect if not by its cause.
"""

from __future__ import annotations

import gzip
import itertools
import math
import random
import re
import unicodedata
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from statistics import fmean

from fuzz.right_files import LABELS, Sheet

Row = tuple[str, ...]
Change = Callable[[Sheet, random.Random], Sheet | None]

_IDS = "ETCRP"
# Codes by what they speak of.
SHAPE = "columns columns-one not-recognised two-words header-unlike-rows"
NUMBER = """score-not-a-number score-too-large decimal-commas header-decimal-commas json-value
    spreadsheet-error array-broken"""
NO_VALUE = f"nan-scores infinite-scores {NUMBER}"
PAIRS = """trial-without-score scores-outside-key nothing-shared ids-spelt-differently columns-swapped
    lengths-differ"""
TWICE = "repeats-agree repeats-contradict matrix-id-twice lengths-differ"
LABEL = "label-unknown labels-mixed label-unlike-sources labels-contradict-key"
COLUMN = f"needs-key-columns {SHAPE}"
TIES = "many-ties constant-scores stand-in-lowest stand-in-highest stand-in-between"
STAND_IN = "stand-in-lowest stand-in-highest stand-in-between constant-scores many-ties"
ORDER = "targets-score-lower reversed-discloses-more column-is-distance unordered-discloses-more"
LOST = "points-lost points-lost-in-some points-between-thousands leading-zeros"
AS_NUMBERS = f"ids-as-numbers spreadsheet-date {PAIRS} {TWICE}"
BYTES = "binary not-utf8 not-utf16"
SELF = "self-left-out self-kept self-speakers self-nontarget matrix-speakers"
SORTED_ALONE = "scores-sorted-alone labels-sorted-alone"
ONE_SIDED = "matrix-one-sided"
REALS = "ids-as-decimals"

MILD = "figures of few digits differ so little that rounding them leaves hardly a tie"
PART = "a file that says itself which trials are target is as complete with fewer of them"
ONE_MORE = "below nothing but numbers, a sum or a mean is one number more"
UNTOLD = "without ids nothing says which score and which label were beside each other, or how often"


@dataclass(frozen=True)
class Mutation:
    """Something that is done to a file.

    `codes` count as words about it. `unseen` is the reason why no reader can see it, in the files that
    `where` says: those that hold scores and labels ("alone"), those that name no trial ("without ids"), or
    those whose rows are in no order, too ("without order").
    """

    change: Change
    codes: str = ""
    unseen: str = ""
    where: str = ""

    def is_unseen(self, sheets: Iterable[Sheet], *, in_all: bool) -> bool:
        """Whether nobody could see it in these files, all or one of which it was done to."""
        files = list(sheets)
        alone = in_all or len(files) == 1 or files[0].of is not None
        by = {"": True, "alone": alone, "without ids": not any(file.has_ids for file in files)}
        by["without order"] = not all(file.is_in_order for file in files)
        return bool(self.unseen) and by[self.where]


def value(cell: str) -> float | None:
    """The finite number in a cell."""
    try:
        return found if math.isfinite(found := float(cell)) else None
    except ValueError:
        return None


def number(change: Callable[[float], str]) -> Callable[[str], str]:
    """Change a cell where it is a number."""
    return lambda cell: cell if (found := value(cell)) is None else change(found)


def rows(change: Callable[[list[Row], random.Random], Iterable[Row]]) -> Change:
    """Change the rows below the header."""
    return lambda sheet, rng: replace(sheet, rows=tuple(change([*sheet.rows], rng)))


def each_row(change: Callable[[Sheet, Row], Row], share: float = 1.0) -> Change:
    """Change rows by themselves, or a share of them."""
    return lambda sheet, rng: replace(
        sheet, rows=tuple(change(sheet, row) if rng.random() < share else row for row in sheet.rows)
    )


def cells(letters: str, change: Callable[[str], str], share: float = 1.0) -> Change:
    """Change the cells of some columns, in a share of the rows."""
    return each_row(
        lambda sheet, row: tuple(change(cell) if one in letters else cell for cell, one in sheet.pairs(row)),
        share,
    )


def some(letters: str, change: Callable[[str], str]) -> Change:
    """Change a tenth of the cells of some columns."""
    return lambda sheet, rng: cells(letters, lambda cell: change(cell) if rng.random() < 0.1 else cell)(
        sheet, rng
    )


def stand_in(stands: str) -> Change:
    """A value for some scores, 12 at least and up to a third; not where several are of that value anyhow."""

    def mutated(sheet: Sheet, rng: random.Random) -> Sheet | None:
        if [cell for row in sheet.rows for cell, one in sheet.pairs(row) if one == "S"].count(stands) > 1:
            return None
        share, count = rng.choice([0.06, 0.12, 0.3]), len(sheet.rows) * sheet.columns.count("S")
        left, at = rng.sample(range(count), min(count // 3, max(12, round(share * count)))), itertools.count()
        return cells("S", lambda cell: stands if next(at) in left else cell)(sheet, rng)

    return mutated


def relabelled(words: Callable[[Sheet], tuple[str, str]], share: float = 1.0) -> Change:
    """Other words for target and nontarget."""
    return lambda sheet, rng: cells(
        "L", lambda cell: dict(zip(sheet.words, words(sheet), strict=True)).get(cell, cell), share
    )(sheet, rng)


def text(change: Callable[[str, Sheet, random.Random], str]) -> Change:
    """Change the text that cells come to."""
    return lambda sheet, rng: (
        replace(sheet, after=(*sheet.after, lambda given: change(given, sheet, rng)))
        if sheet.kind == "text"
        else None
    )


def lines(change: Callable[[str, Sheet], str]) -> Change:
    """Change every line of a text."""
    return text(lambda given, sheet, _rng: "".join(f"{change(one, sheet)}\n" for one in given.splitlines()))


def coded(encode: Callable[[str], bytes]) -> Change:
    """Write the text by other bytes."""
    return lambda sheet, _rng: replace(sheet, encode=encode) if sheet.kind == "text" else None


def quoted(quoting: str, change: Change = lambda sheet, _rng: sheet) -> Change:
    """The same with quotation marks around "all" cells or around "none"."""
    return lambda sheet, rng: (
        replace(new, quoting=quoting) if sheet.kind == "text" and (new := change(sheet, rng)) else None
    )


def columns(order: Callable[[str, random.Random], list[int]], *, under_names: bool = False) -> Change:
    """Only these columns, in this order; `under_names`: below the header as it was."""

    def mutated(sheet: Sheet, rng: random.Random) -> Sheet | None:
        places, width = order(sheet.columns, rng), len(sheet.columns)
        if (
            not places
            or sheet.matrix
            or any(len(row) != width for row in (*sheet.rows, sheet.head or "x" * width))
        ):
            return None
        moved = tuple(tuple(row[n] for n in places) for row in sheet.rows)
        if under_names:
            return replace(sheet, rows=moved)
        head = tuple(sheet.head[n] for n in places) if sheet.head else ()
        return replace(sheet, columns="".join(sheet.columns[n] for n in places), head=head, rows=moved)

    return mutated


def exchanged(pair: str) -> Change:
    """The cells of two columns each in the place of the other."""
    other = str.maketrans(pair, pair[::-1])
    return columns(
        lambda letters, _rng: (
            [letters.index(one) for one in letters.translate(other)] if {*pair} <= {*letters} else []
        ),
        under_names=True,
    )


def without(letter: str) -> Change:
    """One column left out."""
    return columns(
        lambda letters, _rng: (
            [n for n, one in enumerate(letters) if one != letter] if letter in letters else []
        )
    )


def another(
    made: Callable[[int, random.Random], str], name: str | None = "", *, behind: bool = False
) -> Change:
    """Another column, at the left or at the right. Its name is left out of the header where it is None."""

    def mutated(sheet: Sheet, rng: random.Random) -> Sheet | None:
        if sheet.kind not in ("text", "xlsx"):
            return None
        new = [(made(n, rng),) for n in range(len(sheet.rows))]
        moved = tuple(row + one if behind else one + row for row, one in zip(sheet.rows, new, strict=True))
        names = () if name is None or not sheet.head else (name,)
        head = sheet.head + names if behind else names + sheet.head
        return replace(sheet, head=head, rows=moved, columns=sheet.columns if behind else f" {sheet.columns}")

    return mutated


def renamed(letter: str, name: str) -> Change:
    """A column under another name."""
    return lambda sheet, _rng: (
        replace(sheet, head=(*sheet.head[:at], name, *sheet.head[at + 1 :]))
        if sheet.names and not sheet.matrix and 0 <= (at := sheet.columns.find(letter)) < len(sheet.head)
        else None
    )


def sorted_alone(letter: str) -> Change:
    """One column in order, the others as they were."""

    def mutated(sheet: Sheet, _rng: random.Random) -> Sheet | None:
        at = sheet.columns.find(letter)
        if sheet.columns.count(letter) != 1 or any(len(row) <= at for row in sheet.rows):
            return None
        found = sorted((row[at] for row in sheet.rows), key=lambda cell: (value(cell) or 0.0, cell))
        put = zip(sheet.rows, found, strict=True)
        return replace(sheet, rows=tuple((*row[:at], cell, *row[at + 1 :]) for row, cell in put))

    return mutated


def summed(word: str, of: Callable[[list[float]], float]) -> Change:
    """A last row with a word, and a sum or a mean under each column of scores."""

    def mutated(sheet: Sheet, _rng: random.Random) -> Sheet | None:
        by_column = zip(sheet.columns, itertools.zip_longest(*sheet.rows, fillvalue=""), strict=False)
        values = [[value(cell) or 0.0 for cell in column] if one == "S" else [] for one, column in by_column]
        last = tuple(f"{of(one):.4f}" if one else "" if n else word for n, one in enumerate(values))
        return replace(sheet, rows=(*sheet.rows, last))

    return mutated


def again(change: Callable[[Sheet, Row], Row]) -> Change:
    """A tenth of the rows a second time, below, changed or not."""
    return lambda sheet, rng: replace(
        sheet,
        rows=(
            *sheet.rows,
            *(change(sheet, row) for row in rng.sample(sheet.rows, len(sheet.rows) // 10 + 1)),
        ),
    )


def _with_selves(sheet: Sheet, _rng: random.Random) -> Sheet | None:
    """Each recording compared with itself."""
    tests = dict.fromkeys(cell for row in sheet.rows for cell, one in sheet.pairs(row) if one == "T")
    cells_of = [{"S": "1", "L": sheet.words[0], "A": "a"} | dict.fromkeys("ETCR", test) for test in tests]
    selves = [tuple(one.get(letter, "x") for letter in sheet.columns) for one in cells_of]
    return replace(sheet, rows=(*sheet.rows, *selves)) if "E" in sheet.columns else None


def diagonal(*, by_recording: bool) -> Change:
    """A matrix whose diagonal is of recordings with themselves."""

    def mutated(sheet: Sheet, _rng: random.Random) -> Sheet | None:
        ids = [
            f"{sheet.rows[n // 2][0]}-{n % 2}" if by_recording else row[0] for n, row in enumerate(sheet.rows)
        ]
        ones = [
            (name, *row[1 : n + 1], "1", *row[n + 2 :])
            for n, (name, row) in enumerate(zip(ids, sheet.rows, strict=True))
        ]
        is_square = sheet.matrix == "square" and len(sheet.head) == len(ids) + 1
        return replace(sheet, head=(sheet.head[0], *ids), rows=tuple(ones)) if is_square else None

    return mutated


def _wrapped(given: str, most: int, end: str) -> str:
    """Lines broken after so many characters, at a blank where there is one, as mail programs do."""
    found = []
    for line in given.splitlines():
        while len(line) > most:
            at = line.rfind(" ", 1, most) + 1 or most
            found.append(line[:at].rstrip(" ") + end)
            line = line[at:]  # noqa: PLW2901
        found.append(line)
    return "".join(f"{line}\n" for line in found)


def _cut(sheet: Sheet, rng: random.Random) -> Sheet | None:
    """The first half of the rows and some more, the last of them only up to a place within it."""
    whole = rng.randrange(len(sheet.rows) // 2, len(sheet.rows))
    last = sheet.separator.join(sheet.rows[whole])
    left = tuple(last[: rng.randrange(1, max(2, len(last)))].split(sheet.separator))
    ends = (*sheet.after, lambda given: given.rstrip("\n"))
    return replace(sheet, rows=(*sheet.rows[:whole], left), after=ends) if sheet.kind == "text" else None


def _as_date(cell: str) -> str:
    months = "JanFebMrzAprMaiJunJulAugSepOktNovDez"
    found = re.fullmatch(r"(\d{1,2})-(\d{1,2})", cell)
    return f"{int(found[1]):02}. {months[3 * int(found[2]) - 3 :][:3]}" if found else cell


_LABEL_WORDS = """TRUE/FALSE True/False WAHR/FALSCH VRAI/FAUX VERDADERO/FALSO ja/nein yes/no oui/non sí/no J/N
    T/F SS/DS Hp/Hd H1/H2 KM/KNM match/non-match pos/neg genuine/impostor gleich/verschieden 1/0 1.0/0.0 1/-1
    1/2 Target/Nontarget"""
_BLANK = "\u00a0"
_SWAPPED = str.maketrans(".,", ",.")
_ANY = f"{SHAPE} {NUMBER} {LABEL}"

MUTATIONS: dict[str, Mutation] = {
    # Numbers.
    "decimal commas": Mutation(
        quoted("none", lambda sheet, _rng: replace(sheet, comma=not sheet.comma)), f"{SHAPE} {NUMBER}"
    ),
    "decimal commas, quoted": Mutation(
        quoted("all", lambda sheet, _rng: replace(sheet, comma=not sheet.comma)), f"{SHAPE} {NUMBER}"
    ),
    "decimal commas in some rows": Mutation(
        cells("S", lambda cell: cell.translate(_SWAPPED), 0.3), f"{SHAPE} {NUMBER}"
    ),
    "decimal commas in some rows, unquoted": Mutation(
        quoted("none", cells("S", lambda cell: cell.translate(_SWAPPED), 0.3)), f"{SHAPE} {NUMBER}"
    ),
    "commas between thousands": Mutation(cells("S", number("{:,}".format)), f"{SHAPE} {NUMBER}"),
    "commas between thousands, unquoted": Mutation(
        quoted("none", cells("S", number("{:,}".format))), f"{SHAPE} {NUMBER}"
    ),
    **{
        f"{name} between thousands": Mutation(
            cells("S", number(lambda x, mark=mark: f"{x:,}".replace(",", mark))), f"{SHAPE} {NUMBER}"
        )
        for name, mark in {"apostrophes": "'", "blanks": " ", "narrow blanks": "\u202f"}.items()
    },
    "decimal points lost": Mutation(cells("S", lambda cell: cell.replace(".", "")), LOST),
    "decimal points lost in some rows": Mutation(cells("S", lambda cell: cell.replace(".", ""), 0.3), LOST),
    "decimal points and zeros lost": Mutation(
        cells("S", lambda cell: number("{:.0f}".format)(cell.replace(".", ""))), LOST
    ),
    "points between thousands, decimals lost": Mutation(
        cells("S", number(lambda x: f"{round(x * 1e4):,}".replace(",", "."))), f"{NUMBER} {LOST}"
    ),
    **{
        f"rounded to {digits} digits": Mutation(
            cells("S", number(f"{{:.{digits}f}}".format)), TIES, MILD if digits else ""
        )
        for digits in range(4)
    },
    "shown as 9.44E-01": Mutation(cells("S", number("{:.2E}".format)), TIES, MILD),
    "percentages": Mutation(cells("S", number(lambda x: f"{100 * x:.2f}%")), f"{NUMBER} {TIES} {SHAPE}"),
    **{
        f"{name} for minus": Mutation(
            cells("S", lambda cell, mark=mark: cell.replace("-", mark)), f"{SHAPE} {NUMBER}"
        )
        for name, mark in {"dashes": "–", "a sign": "−", "question marks": "?", "hyphens": "\u2010"}.items()
    },
    "minus in brackets": Mutation(
        cells("S", lambda cell: re.sub("-(.*)", r"(\1)", cell)), f"{SHAPE} {NUMBER}"
    ),
    "minus after numbers": Mutation(
        cells("S", lambda cell: re.sub("-(.*)", r"\1-", cell)), f"{SHAPE} {NUMBER}"
    ),
    "signs turned": Mutation(cells("S", number(lambda x: f"{-x:.16g}")), ORDER),
    "non-breaking blanks around numbers": Mutation(
        cells("S", f"{_BLANK}{{}}{_BLANK}".format), f"{SHAPE} {NUMBER}"
    ),
    "apostrophes before numbers": Mutation(cells("S", "'{}".format), f"{SHAPE} {NUMBER}"),
    "numbers as formulas": Mutation(cells("S", '="{}"'.format), f"{SHAPE} {NUMBER}"),
    # Something else for scores.
    **{
        f"{stands} for some scores": Mutation(stand_in(stands), STAND_IN)
        for stands in ("-999", "0", "-1", "1", "100", "-99.0")
    },
    **{
        f"“{word}” for some scores": Mutation(
            some("S", lambda _cell, word=word: word), f"{NO_VALUE} {SHAPE} id-empty blank-lines"
        )
        for word in ("#N/A", "#WERT!", "####", "NaN", "", "-", ".", "inf", "n.a.", "fehlt", "NULL")
    },
    "one score everywhere": Mutation(cells("S", lambda _cell: "0.5"), TIES),
    # Ids.
    "ids as 1.00E+03": Mutation(
        cells(_IDS, lambda cell: f"{float(cell):.2E}" if cell.isdecimal() and len(cell) > 4 else cell),
        AS_NUMBERS,
    ),
    "ids as dates": Mutation(cells(_IDS, _as_date), f"{AS_NUMBERS} {SHAPE}"),
    "zeros before ids lost": Mutation(cells(_IDS, lambda cell: cell.lstrip("0") or "0"), AS_NUMBERS),
    "ids of fifteen digits": Mutation(
        cells(_IDS, lambda cell: cell[:15] + "0" * len(cell[15:]) if cell.isdecimal() else cell), AS_NUMBERS
    ),
    "ids with .0": Mutation(cells(_IDS, lambda cell: f"{cell}.0" if cell.isdecimal() else cell), AS_NUMBERS),
    "ids in capitals": Mutation(cells(_IDS, str.upper), PAIRS),
    "ids with .wav": Mutation(cells("ET", "{}.wav".format), PAIRS),
    "folders before ids": Mutation(cells("ET", "/data/{}".format), PAIRS),
    "ids of eight characters": Mutation(cells(_IDS, lambda cell: cell[:8]), f"{PAIRS} {TWICE}"),
    "ids decomposed": Mutation(cells(_IDS, lambda cell: unicodedata.normalize("NFD", cell)), PAIRS),
    "ids misread": Mutation(
        text(lambda given, _sheet, _rng: given.encode().decode("cp1252", errors="replace")),
        f"{PAIRS} {BYTES}",
    ),
    "dashes for hyphens": Mutation(cells(_IDS, lambda cell: cell.replace("-", "–")), PAIRS),
    "blanks for hyphens": Mutation(cells(_IDS, lambda cell: cell.replace("-", " ")), f"{PAIRS} {SHAPE}"),
    "blanks behind ids": Mutation(cells(_IDS, "{} ".format), f"{PAIRS} {SHAPE}"),
    "non-breaking blanks behind ids": Mutation(cells(_IDS, f"{{}}{_BLANK}".format), f"{PAIRS} {SHAPE}"),
    "ids in apostrophes": Mutation(cells(_IDS, "'{}'".format), f"{PAIRS} {SHAPE}"),
    "some ids missing": Mutation(some("ET", lambda _cell: ""), f"id-empty {PAIRS} {SHAPE} {TWICE}"),
    "some ids “nan”": Mutation(some("ET", lambda _cell: "nan"), f"{PAIRS} {TWICE} id-empty {ONE_SIDED}"),
    "enrolment and test exchanged": Mutation(exchanged("ET"), PAIRS),
    "scores and labels exchanged": Mutation(exchanged("SL"), f"{NUMBER} {LABEL} {SHAPE}"),
    "scores and tests exchanged": Mutation(exchanged("ST"), f"{NUMBER} {SHAPE} {PAIRS} {REALS}"),
    # Labels.
    **{
        f"labels {words}": Mutation(relabelled(lambda _sheet, words=words: tuple(words.split("/"))), LABEL)
        for words in _LABEL_WORDS.split()
    },
    "some labels misspelt": Mutation(some("L", "{}t".format), LABEL),
    "some labels missing": Mutation(some("L", lambda _cell: ""), f"{LABEL} {SHAPE}"),
    "a third label": Mutation(some("L", lambda _cell: "unsure"), LABEL),
    "two vocabularies": Mutation(
        relabelled(lambda sheet: ("1", "0") if sheet.words == LABELS else LABELS, 0.3), LABEL
    ),
    "labels inverted": Mutation(relabelled(lambda sheet: (sheet.words[1], sheet.words[0])), ORDER),
    # Rows.
    "rows filtered": Mutation(
        rows(lambda given, rng: [row for row in given if rng.random() < 0.8]), PAIRS, PART, "alone"
    ),
    "cut at a line's end": Mutation(
        rows(lambda given, rng: given[: rng.randrange(len(given) // 2, len(given))]), PAIRS, PART, "alone"
    ),
    "rows sorted": Mutation(rows(lambda given, _rng: sorted(given)), PAIRS, UNTOLD, "without ids"),
    "rows shuffled": Mutation(
        rows(lambda given, rng: rng.sample(given, len(given))), PAIRS, UNTOLD, "without ids"
    ),
    "scores sorted alone": Mutation(sorted_alone("S"), SORTED_ALONE, UNTOLD, "without order"),
    "labels sorted alone": Mutation(sorted_alone("L"), SORTED_ALONE, UNTOLD, "without order"),
    "tests sorted alone": Mutation(sorted_alone("T"), f"{SORTED_ALONE} {PAIRS} {TWICE}"),
    "header in the middle": Mutation(
        lambda sheet, rng: (
            replace(sheet, rows=(*sheet.rows[:at], sheet.head, *sheet.rows[at:]))
            if sheet.names and sheet.head and (at := rng.randrange(1, len(sheet.rows)))
            else None
        ),
        f"{_ANY} {TWICE} {ONE_SIDED}",
    ),
    **{
        f"a last row {word or 'without a word'}": Mutation(
            summed(word, of), f"id-empty {_ANY} {PAIRS} {ONE_SIDED} sum-below", ONE_MORE, "without ids"
        )
        for word, of in {"Total": sum, "": fmean, "Ø": fmean}.items()
    },
    "a title above": Mutation(text(lambda given, _sheet, _rng: f"Results of 12 March\n\n{given}"), _ANY),
    "a count below": Mutation(text(lambda given, _sheet, _rng: f"{given}(180 rows)\n"), _ANY),
    "merged cells": Mutation(
        rows(
            lambda given, _rng: [
                ("" if row[:1] == above[:1] else row[0], *row[1:])
                for row, above in zip(given, [("",), *given], strict=False)
            ]
        ),
        f"id-empty {SHAPE} {NO_VALUE} {LABEL} {PAIRS} {TWICE}",
    ),
    "some rows twice": Mutation(again(lambda _sheet, row: row), TWICE, UNTOLD, "without ids"),
    "some rows twice with other scores": Mutation(
        again(
            lambda sheet, row: tuple(
                number(lambda x: f"{x + 0.25:.4f}")(cell) if one == "S" else cell
                for cell, one in sheet.pairs(row)
            )
        ),
        f"{TWICE} {PAIRS}",
        UNTOLD,
        "without ids",
    ),
    "some rows twice with other labels": Mutation(
        again(
            lambda sheet, row: tuple(
                sheet.words[cell == sheet.words[0]] if one == "L" else cell for cell, one in sheet.pairs(row)
            )
        ),
        f"{TWICE} {PAIRS}",
        UNTOLD,
        "without ids",
    ),
    "the same twice": Mutation(rows(lambda given, _rng: given * 2), f"{TWICE} {TIES}"),
    "the same twice with its header": Mutation(
        text(lambda given, _sheet, _rng: given + given), f"{TWICE} {TIES} {_ANY}"
    ),
    "comparisons with themselves": Mutation(_with_selves, f"{SELF} {PAIRS}", UNTOLD, "without ids"),
    "ones on the diagonal": Mutation(diagonal(by_recording=False), f"{SELF} {STAND_IN}"),
    "a matrix of recordings": Mutation(diagonal(by_recording=True), f"{SELF} {STAND_IN}"),
    "half a matrix": Mutation(
        lambda sheet, _rng: (
            replace(
                sheet,
                rows=tuple((*row[: n + 2], *[""] * len(row[n + 2 :])) for n, row in enumerate(sheet.rows)),
            )
            if sheet.matrix == "square"
            else None
        ),
        NO_VALUE,
    ),
    # Columns.
    "numbers without a name in front": Mutation(
        another(lambda _n, rng: f"{rng.gauss(0, 1):.3f}", None), f"{SHAPE} {PAIRS} {REALS}"
    ),
    "numbers without a name behind": Mutation(
        another(lambda _n, rng: f"{rng.gauss(0, 1):.3f}", None, behind=True), f"{SHAPE} {LABEL} {REALS}"
    ),
    "a note without a name behind": Mutation(
        another(lambda n, _rng: "ok" if n % 9 else "noisy", None, behind=True), f"{SHAPE} {LABEL}"
    ),
    "raw scores behind": Mutation(
        another(lambda _n, rng: f"{rng.gauss(0, 1):.3f}", "raw_score", behind=True),
        f"{SHAPE} {REALS} {ONE_SIDED}",
    ),
    "row names of R": Mutation(another(lambda n, _rng: str(n + 1), None), SHAPE),
    "row names of R, quoted": Mutation(quoted("all", another(lambda n, _rng: str(n + 1), None)), SHAPE),
    "an index of pandas": Mutation(another(lambda n, _rng: str(n)), SHAPE),
    "an empty column in front": Mutation(another(lambda _n, _rng: ""), f"id-empty {SHAPE}"),
    "the score left out": Mutation(without("S"), f"{COLUMN} scores-wanted"),
    "the label left out": Mutation(without("L"), f"{COLUMN} key-wanted needs-key scores-without-labels"),
    "the enrolment left out": Mutation(
        without("E"), f"{COLUMN} {PAIRS} scores-wanted no-ids {TWICE} scores-without-labels"
    ),
    "the test left out": Mutation(
        without("T"), f"{COLUMN} {PAIRS} scores-wanted no-ids {TWICE} scores-without-labels"
    ),
    "columns in another order": Mutation(
        columns(lambda letters, rng: rng.sample(range(len(letters)), len(letters))),
        f"{_ANY} {PAIRS} {REALS}",
    ),
    **{
        f"scores called {name}": Mutation(renamed("S", name), f"{COLUMN} {ORDER} column-is-ratio")
        for name in ("cosine_similarity", "log10LR", "prob", "Punktzahl", "distance", "LR", "x")
    },
    **{f"labels called {name}": Mutation(renamed("L", name), COLUMN) for name in ("is_same", "gt", "Typ")},
    "enrolments called Sprecher": Mutation(renamed("E", "Sprecher"), COLUMN),
    "the header lost": Mutation(
        lambda sheet, _rng: replace(sheet, head=()) if sheet.names and not sheet.matrix else None,
        f"{SHAPE} {LABEL} {REALS}",
    ),
    # The text.
    "semicolons behind lines": Mutation(lines(lambda line, _sheet: f"{line};;;"), SHAPE),
    "separators behind lines": Mutation(lines(lambda line, sheet: f"{line}{sheet.separator}"), SHAPE),
    "separators behind rows": Mutation(
        another(lambda _n, _rng: "", None, behind=True), f"{SHAPE} {NO_VALUE} id-empty {LABEL}"
    ),
    "all in quotes": Mutation(quoted("all"), SHAPE),
    "lines in quotes": Mutation(lines(lambda line, _sheet: f'"{line}"'), _ANY),
    "curly quotes": Mutation(
        lines(lambda line, _sheet: re.sub(r"[^\s,;]+", r"“\g<0>”", line)), f"{_ANY} {PAIRS}"
    ),
    "sep= above": Mutation(text(lambda given, sheet, _rng: f"sep={sheet.separator}\n{given}"), SHAPE),
    "tabs for blanks": Mutation(text(lambda given, _sheet, _rng: given.replace(" ", "\t")), SHAPE),
    "blanks for tabs": Mutation(text(lambda given, _sheet, _rng: given.replace("\t", "    ")), SHAPE),
    "wrapped by mail": Mutation(
        text(lambda given, _sheet, _rng: _wrapped(given, 76, "")), f"{_ANY} {NO_VALUE}"
    ),
    "wrapped by a narrow mail": Mutation(
        text(lambda given, _sheet, _rng: _wrapped(given, 30, "")), f"{_ANY} {NO_VALUE} {PAIRS} id-empty"
    ),
    "quoted-printable": Mutation(text(lambda given, _sheet, _rng: _wrapped(given, 75, "=")), _ANY),
    "quoted by mail": Mutation(lines(lambda line, _sheet: f"> {line}"), f"{_ANY} {PAIRS}"),
    "quoted by mail, tightly": Mutation(lines(lambda line, _sheet: f">{line}"), f"{_ANY} {PAIRS}"),
    "lines indented": Mutation(lines(lambda line, _sheet: f"    {line}"), SHAPE),
    "blank lines between": Mutation(lines(lambda line, _sheet: f"{line}\n"), SHAPE),
    "a table of Markdown": Mutation(
        lines(lambda line, sheet: f"| {' | '.join(line.split(sheet.separator))} |"), f"{_ANY} {PAIRS}"
    ),
    "a line of dashes below the header": Mutation(
        lambda sheet, _rng: (
            replace(sheet, rows=(("---",) * len(sheet.columns), *sheet.rows)) if sheet.head else None
        ),
        f"{_ANY} {PAIRS}",
    ),
    "CRLF": Mutation(text(lambda given, _sheet, _rng: given.replace("\n", "\r\n")), SHAPE),
    "CR": Mutation(text(lambda given, _sheet, _rng: given.replace("\n", "\r")), SHAPE),
    "CRCRLF": Mutation(text(lambda given, _sheet, _rng: given.replace("\n", "\r\r\n")), SHAPE),
    "cut within a line": Mutation(_cut, f"{_ANY} {PAIRS} {NO_VALUE} id-empty", PART, "alone"),
    "marks of a conflict": Mutation(
        text(
            lambda given, _sheet, _rng: re.sub(
                "\n(.*)\n(.*)$", r"\n<<<<<<< HEAD\n\1\n=======\n\1\n>>>>>>> theirs\n\2", given
            )
        ),
        f"{_ANY} {TWICE}",
    ),
    # Bytes.
    "a byte-order mark": Mutation(coded(lambda given: given.encode("utf-8-sig")), BYTES),
    "byte-order marks within": Mutation(
        text(lambda given, _sheet, _rng: f"\ufeff{given}\ufeff{given}"), f"{_ANY} {TWICE} {TIES} {PAIRS}"
    ),
    "UTF-16": Mutation(coded(lambda given: given.encode("utf-16")), BYTES),
    "UTF-16 without a mark": Mutation(coded(lambda given: given.encode("utf-16-le")), BYTES),
    "Windows-1252": Mutation(
        coded(lambda given: given.encode("cp1252", errors="replace")), f"{BYTES} {PAIRS}"
    ),
    "of an old Mac": Mutation(
        coded(lambda given: given.encode("mac-roman", errors="replace")), f"{BYTES} {PAIRS}"
    ),
    "question marks for letters": Mutation(
        coded(lambda given: given.encode("ascii", errors="replace")), f"{PAIRS} {TWICE} {NUMBER} {SHAPE}"
    ),
    "zeros at the end": Mutation(coded(lambda given: given.encode() + bytes(512)), BYTES),
    "packed": Mutation(coded(lambda given: gzip.compress(given.encode(), mtime=0)), BYTES),
}
"""What is done to files, by what it is called."""
ADDED, LEFT_OUT = (
    frozenset(name for name in MUTATIONS if re.search(form, name))
    for form in ("front$|behind$|row names|an index", "left out$")
)
"""Columns that are added and left out: one of each may make another right file."""
