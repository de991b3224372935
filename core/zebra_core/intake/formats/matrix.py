"""A matrix with ids in its first row and first column: a score in every cell."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from zebra_core.errors import InputError
from zebra_core.evidence.audit import Example, Finding
from zebra_core.evidence.remarks import Severity
from zebra_core.evidence.trials import FloatArray, Ids
from zebra_core.intake.formats.reading import Reading, TextSample
from zebra_core.intake.tables.columns import Text, frozen, read_rows
from zebra_core.intake.tables.dialect import is_missing
from zebra_core.intake.tables.table import FileRole, Table
from zebra_core.runtime.progress import Progress


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
