"""Right files of trials in every layout that lists and tables have, small, as cells that can be changed."""

from __future__ import annotations

import csv
import io
import json
import random
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import groupby

import numpy as np

_PEOPLE, _RECORDINGS = 6, 5
_NAMES = ("anna", "bob", "carl", "dora", "emil", "fritz", "gina", "hans", "ida", "jan", "kim", "lea")
_UMLAUTS = (
    "jürgen",
    "zoë",
    "andré",
    "søren",
    "begoña",
    "weiß",
    "åse",
    "rené",
    "inês",
    "élodie",
    "jörg",
    "müge",
)

ID_STYLES: dict[str, Callable[[int, int], tuple[str, str]]] = {
    "names": lambda who, n: (_NAMES[who], f"{_NAMES[who]}-{n}"),
    "zeros": lambda who, n: (f"{121 + who:04}", f"{121 + who:04}-{1238 + who}-{n:04}"),
    "numbers": lambda who, n: (f"{1221 + who}000", f"{1234567890120000 + 100 * who + n}"),
    "dates": lambda who, n: (f"{who + 1}-2", f"{n + 1}-{who + 1}"),
    "umlauts": lambda who, n: (_UMLAUTS[who], f"{_UMLAUTS[who]}-{n}"),
    "paths": lambda who, n: (f"id{10270 + who}", f"id{10270 + who}/5r0dWxy17C8/{n:05}.wav"),
}
"""Ids of a person who is enrolled and of a recording, by their numbers."""
SCORE_STYLES: dict[str, Callable[[float], str]] = {
    "llrs": lambda x: _plain(4.0 * x, 4),
    "cosines": lambda x: _plain(float(np.tanh(0.3 + 0.5 * x)), 4),
    "negative": lambda x: _plain(8.0 * x - 60.0, 3),
    "thousands": lambda x: _plain(2200.0 * x, 2),
    "long": lambda x: repr(1.7 * x),
    "whole": lambda x: _plain(20.0 * x, 0),
}
"""How scores are written, whatever stands for zero and has a standard deviation of 1."""
LABELS = ("target", "nontarget")


def _plain(value: float, digits: int) -> str:
    """As spreadsheets write numbers: without zeros at their end."""
    return f"{value:.{digits}f}".rstrip("0").rstrip(".") if digits else f"{value:.0f}"


@dataclass(frozen=True)
class Sheet:
    """A file as cells. Numbers have points in them, whatever the file has; see `content`.

    `columns` has a letter for each column: E and T ids, S scores, L labels, C and R who is claimed and who
    speaks, P both ids in one, others what is the same in every row.
    """

    columns: str
    separator: str = " "
    names: str = ""
    words: tuple[str, str] = LABELS
    kind: str = "text"
    comma: bool = False
    quoting: str = "minimal"  # or all, or none
    of: bool | None = None  # whether only target trials are in it, or only others
    matrix: str = ""  # square or models: a column for each test id
    head: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()
    after: tuple[Callable[[str], str], ...] = ()  # what is done to its text
    encode: Callable[[str], bytes] = str.encode

    @property
    def has_ids(self) -> bool:
        """Whether it says what was compared."""
        letters = {*self.columns}
        return bool(self.matrix) or any({*ids} <= letters for ids in ("ET", "CRT", "P"))

    @property
    def is_in_order(self) -> bool:
        """Whether the rows of each enrolment stand together."""
        pairs = (pair for row in self.rows for pair in self.pairs(row))
        enrolled = [cell.partition("*")[0] for cell, letter in pairs if letter in "ECP"]
        return self.has_ids and len(list(groupby(enrolled))) == len({*enrolled})

    def content(self) -> bytes:
        """The file. Raises ValueError where such a file cannot hold these cells."""
        swap = str.maketrans(".,", ",.")
        rows = [
            [
                cell.translate(swap) if self.comma and letter == "S" else cell
                for cell, letter in self.pairs(row)
            ]
            for row in self.rows
        ]
        if self.kind != "text":
            return _BINARY[self.kind](self, rows)
        text = "".join(f"{self._line(row)}\n" for row in ([self.head] if self.head else []) + rows)
        for change in self.after:
            text = change(text)
        return self.encode(text)

    def pairs(self, row: tuple[str, ...]) -> list[tuple[str, str]]:
        """Cells with the letters of their columns; what is beyond them has a blank for it."""
        return [(cell, self.columns[n] if n < len(self.columns) else " ") for n, cell in enumerate(row)]

    def _line(self, row: tuple[str, ...] | list[str]) -> str:
        plain = self.separator.join(row)
        if self.quoting == "none" or (self.quoting == "minimal" and self.separator == " "):
            return plain
        to = io.StringIO()
        quoting = csv.QUOTE_ALL if self.quoting == "all" else csv.QUOTE_MINIMAL
        csv.writer(to, delimiter=self.separator, quoting=quoting, lineterminator="").writerow(row)
        return to.getvalue()


def _workbook(sheet: Sheet, rows: list[list[str]]) -> bytes:
    import openpyxl

    book = openpyxl.Workbook(write_only=True)
    page = book.create_sheet("Sheet1")
    for row in ([list(sheet.head)] if sheet.head else []) + rows:
        page.append([_value(cell) if letter in "SL " else cell for cell, letter in sheet.pairs(tuple(row))])
    to = io.BytesIO()
    book.save(to)
    return to.getvalue()


def _value(cell: str) -> object:
    try:
        return float(cell) if cell.strip() == cell and "n" not in cell.casefold() else cell
    except ValueError:
        return cell


def _objects(sheet: Sheet, rows: list[list[str]]) -> list[dict[str, object]]:
    return [
        {
            name: _value(cell) if letter == "S" else cell
            for name, (cell, letter) in zip(sheet.head, sheet.pairs(tuple(row)), strict=True)
        }
        for row in rows
    ]


def _json_lines(sheet: Sheet, rows: list[list[str]]) -> bytes:
    return "".join(json.dumps(one) + "\n" for one in _objects(sheet, rows)).encode()


def _json_columns(sheet: Sheet, rows: list[list[str]]) -> bytes:
    listed = _objects(sheet, rows)
    return json.dumps({name: [one[name] for one in listed] for name in sheet.head}).encode()


def _array(_sheet: Sheet, rows: list[list[str]]) -> bytes:
    to = io.BytesIO()
    np.save(to, np.array(rows, np.float64))
    return to.getvalue()


def _arrays(_sheet: Sheet, rows: list[list[str]]) -> bytes:
    to = io.BytesIO()
    scores, labels = np.array(rows, np.float64).T
    np.savez(to, scores=scores, labels=labels)
    return to.getvalue()


_BINARY = {
    "xlsx": _workbook,
    "json lines": _json_lines,
    "json": _json_columns,
    "npy": _array,
    "npz": _arrays,
}

ONES = ("1", "0")
_TABLE = "enrol test score label"
LAYOUTS: dict[str, tuple[Sheet, ...]] = {
    "Kaldi": (Sheet("ETS"), Sheet("ETL")),
    "Kaldi, tabs": (Sheet("ETS", "\t"), Sheet("ETL", "\t")),
    "Kaldi, commas": (Sheet("ETS", ","), Sheet("ETL", ",")),
    "Kaldi, semicolons": (Sheet("ETS", ";", comma=True), Sheet("ETL", ";")),
    "VoxCeleb": (Sheet("SET"), Sheet("LET", words=ONES)),
    "NIST": (
        Sheet("ETAS", "\t", "modelid segmentid side LLR"),
        Sheet("ETAL", "\t", "modelid segmentid side targettype"),
    ),
    "NIST without a header": (Sheet("ETAS"), Sheet("ETL")),
    "table and key": (Sheet("ETS", ",", "enrol test score"), Sheet("ETL", ",", "enrol test label")),
    "table and key, semicolons": (
        Sheet("ETS", ";", "model segment llr", comma=True),
        Sheet("ETL", ";", "model segment target", ONES),
    ),
    "unknown names and key": (Sheet("ETS", ",", "Sprecher Aufnahme Wert"), Sheet("ETL")),
    "ESPnet and key": (Sheet("PS"), Sheet("PL")),
    "combined": (Sheet("ETSL"),),
    "combined, commas": (Sheet("ETSL", ","),),
    "combined, semicolons": (Sheet("ETSL", ";", comma=True),),
    "label then score": (Sheet("ETLS"),),
    "label first": (Sheet("LETS", words=ONES),),
    "ESPnet": (Sheet("PSL"),),
    "table": (Sheet("ETSL", ",", _TABLE),),
    "table, semicolons": (Sheet("ETSL", ";", _TABLE, comma=True),),
    "table, tabs": (Sheet("ETSL", "\t", _TABLE),),
    "table, quoted": (Sheet("ETSL", ",", _TABLE, quoting="all"),),
    "table, blanks": (Sheet("ETSL", " ", _TABLE),),
    "table of 1 and 0": (Sheet("ETSL", ",", "enroll test llr target", ONES),),
    "table, other order": (Sheet("LSTE", ",", "label score test enrolment_id"),),
    "score,label": (Sheet("SL", ",", "score label"),),
    "LLR;hypothesis": (Sheet("SL", ";", "LLR hypothesis", ONES, comma=True),),
    "y_score,y_true": (Sheet("LS", ",", "y_true y_score", ONES),),
    "two columns": (Sheet("SL"),),
    "two columns of numbers": (Sheet("LS", words=("1", "-1")),),
    "two columns, commas": (Sheet("SL", ","),),
    "one column each": (Sheet("S"), Sheet("L")),
    "a list of each class": (Sheet("S", of=True), Sheet("S", of=False)),
    "bob, 4 columns": (Sheet("CRTS"),),
    "bob, 5 columns": (Sheet("CERTS"),),
    "bob.csv": (Sheet("CRTS", ",", "bio_ref_subject_id probe_subject_id probe_key score"),),
    "sources": (Sheet("CRS", ",", "source_id_1 source_id_2 score"),),
    "ASVspoof 2019": (Sheet("BLS"),),
    "matrix": (Sheet("", ",", matrix="square"),),
    "matrix, tabs": (Sheet("", "\t", "id", matrix="square"),),
    "matrix, semicolons": (Sheet("", ";", matrix="square", comma=True),),
    "matrix of models and key": (Sheet("", ",", matrix="models"), Sheet("ETL", ",")),
    "workbook": (Sheet("ETSL", "\t", _TABLE, kind="xlsx"),),
    "workbook and key": (Sheet("ETS", "\t", "enrol test score", kind="xlsx"), Sheet("ETL")),
    "workbook without ids": (Sheet("SL", "\t", "score label", ONES, kind="xlsx"),),
    "JSON, a trial a line": (Sheet("ETSL", names=_TABLE, kind="json lines"),),
    "JSON of columns": (Sheet("SL", names="scores labels", words=ONES, kind="json"),),
    "NumPy": (Sheet("SL", words=ONES, kind="npy"),),
    "NumPy by name": (Sheet("SL", words=ONES, kind="npz"),),
}


def right(layout: str, ids: str, scores: str) -> tuple[Sheet, ...]:
    """The files of a layout with these styles of ids and scores; always the same."""
    return tuple(_filled(sheet, ids, scores) for sheet in LAYOUTS[layout])


@lru_cache(64)
def _trials(ids: str, scores: str) -> tuple[dict[str, str], ...]:
    """Everybody's enrolment with all recordings: the cell of each letter, L empty where it is nontarget."""
    rng, named, written = random.Random(f"{ids} {scores}"), ID_STYLES[ids], SCORE_STYLES[scores]  # noqa: S311
    made = []
    for enrolled in range(_PEOPLE):
        for who in range(_PEOPLE):
            for n in range(_RECORDINGS):
                (model, _), (real, test) = named(enrolled, 0), named(who, n)
                score = written(rng.gauss(1.0 if who == enrolled else -0.5, 0.7))
                cells = {"E": model, "T": test, "S": score, "C": model, "R": real, "A": "a", "B": "bonafide"}
                made.append({**cells, "P": f"{model}*{test}", "L": "yes" if who == enrolled else ""})
    return tuple(made)


def _filled(sheet: Sheet, ids: str, scores: str) -> Sheet:
    if sheet.matrix:
        return _matrix(sheet, ids, scores)
    trials = [one for one in _trials(ids, scores) if sheet.of in (None, bool(one["L"]))]
    cells = [{**one, "L": sheet.words[not one["L"]]} for one in trials]
    rows = tuple(tuple(one[letter] for letter in sheet.columns) for one in cells)
    return replace(sheet, head=tuple(sheet.names.split()), rows=rows)


def _matrix(sheet: Sheet, ids: str, scores: str) -> Sheet:
    trials, corner = _trials(ids, scores), sheet.names
    score = {(one["E"], one["T"]): one["S"] for one in trials}
    models = list(dict.fromkeys(one["E"] for one in trials))
    tests = list(dict.fromkeys(one["T"] for one in trials))
    if sheet.matrix == "square":  # a matrix of speakers; more of them, for there to be any figure
        rng, named = random.Random(f"{ids} {scores}"), ID_STYLES[ids]  # noqa: S311
        models = tests = [named(who, 0)[0] for who in range(len(_NAMES))]
        drawn = {(a, b): rng.gauss(1.0 if a == b else -0.5, 0.7) for a in models for b in tests}
        score = {pair: SCORE_STYLES[scores](value) for pair, value in drawn.items()}
    rows = tuple((model, *(score[model, test] for test in tests)) for model in models)
    return replace(sheet, columns="E" + "S" * len(tests), head=(corner, *tests), rows=rows)
