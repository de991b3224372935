"""Parquet: trials with scores and labels, or counts of them, as a cluster delivers them.

Columns are known by their names, as in tables of text. Nothing but the columns that are needed is read, some
rows at a time, by a process of its own, which such a file may kill; texts stay coded, so that a long one
which is repeated is in memory once.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

import numpy as np

from zebra_core.errors import InputError
from zebra_core.evidence.audit import Example
from zebra_core.evidence.trials import BoolArray, FloatArray, Ids, IntArray
from zebra_core.intake.formats import columns_process
from zebra_core.intake.formats.columns_process import ReadColumn
from zebra_core.intake.formats.headed import one_for_each_column, part_of_name
from zebra_core.intake.formats.reading import ColumnMeaning, Reading, as_table
from zebra_core.intake.opening.opening import OpenedFile
from zebra_core.intake.tables.columns import UNPRINTABLE, column_name, frozen
from zebra_core.intake.tables.table import FileRole, Table, meaning, one_below_the_other
from zebra_core.runtime.progress import Progress
from zebra_core.wording.texts import in_sentence

MAGIC = columns_process.PARQUET
SCORES = Reading("parquet-scores", FileRole.SCORES)
KEY = Reading("parquet-key", FileRole.KEY)
TABLE = Reading("parquet", FileRole.BOTH)
COUNTS = Reading("parquet-counts", FileRole.BOTH)

RECORD = "zebra"
"""The name under which a file of counts says how it came to be."""
MOST_TRIALS = (1 << 32) - 1
"""The most trials of one assessment: products of the counts of both classes stay whole numbers of 64 bits."""
MOST_CODE = (1 << 53) - 1
"""The largest code of a speaker in counts for each pair of speakers."""
_COUNTS = {
    "targets": frozenset(["targets", "ntarget", "ntargets", "targetcount"]),
    "nontargets": frozenset(["nontargets", "nnontarget", "nnontargets", "nontargetcount"]),
    "enrolled": frozenset(["enrolled"]),
    "heard": frozenset(["heard"]),
    "count": frozenset(["count", "counts", "n", "trials", "ntrials"]),
}


@dataclass(frozen=True)
class CountedRows:
    """Some rows of counts: scores in any order, any of them more than once, perhaps not finite."""

    score: FloatArray
    n_target: IntArray
    n_nontarget: IntArray
    enrolled: IntArray | None = None  # the codes of two speakers, 0 in rows of all trials
    heard: IntArray | None = None
    label_words: Mapping[str, int] = field(default_factory=dict, kw_only=True)  # with the first row of each

    @property
    def of_all(self) -> CountedRows:
        """The counts of all trials alone; rows of pairs of speakers, which count trials again, have none."""
        if self.enrolled is None:
            return self
        both = (np.where(self.enrolled > 0, 0, of_class) for of_class in (self.n_target, self.n_nontarget))
        return CountedRows(self.score, *both)


def recognise(file: OpenedFile) -> list[Reading]:
    """What the names of the columns promise. Raises InputError."""
    head = columns_process.head(file)
    names = _columns(head.names)
    counts = {"targets", "nontargets"} <= set(names) or "count" in names
    if counts and ColumnMeaning.SCORE in names and (ColumnMeaning.LABEL in names or "targets" in names):
        return [replace(COUNTS, by_file=_not_a_table)]
    has_ids = ColumnMeaning.ENROL in names and ColumnMeaning.TEST in names
    if ColumnMeaning.SCORE in names and (has_ids or ColumnMeaning.LABEL in names):
        reading = replace(TABLE if ColumnMeaning.LABEL in names else SCORES, by_file=_read)
        return one_for_each_column(reading, [one for one in head.names if _is_score(one)])
    if has_ids and ColumnMeaning.LABEL in names:
        return [replace(KEY, by_file=_read)]
    raise InputError("parquet-unclear", file=file.name, found=in_sentence(head.names))


def tables(file: OpenedFile, reading: Reading, on_progress: Progress) -> Iterator[tuple[int, Table]]:
    """The rows table by table, each with the number of its first row. Raises InputError."""
    wanted = _columns(columns_process.head(file).names)
    wanted |= {ColumnMeaning.SCORE: reading.column} if reading.column else {}
    parts = {part: name for part, name in wanted.items() if isinstance(part, ColumnMeaning)}
    for first, batch in columns_process.batches(file, list(parts.values()), on_progress):
        columns = {
            part: _numbers(file, batch[name], name, first)
            if part is ColumnMeaning.SCORE
            else _ids(file, batch[name], name, first)
            for part, name in parts.items()
        }
        empty = Table(file, reading.format, reading.role, find=partial(find, file, first))
        yield first, as_table(empty, columns, reading)


def counts(file: OpenedFile, on_progress: Progress) -> Iterator[tuple[int, CountedRows]]:
    """The rows of a file of counts, each time with the number of the first. Raises InputError."""
    names = _columns(columns_process.head(file).names)
    for first, batch in columns_process.batches(file, list(names.values()), on_progress):
        score = _numbers(file, batch[names[ColumnMeaning.SCORE]], names[ColumnMeaning.SCORE], first)
        if "targets" in names:
            both = [_whole(file, batch[names[of]], names[of], first) for of in ("targets", "nontargets")]
            pairs = [
                _whole(file, batch[names[of]], names[of], first, most=MOST_CODE)
                for of in ("enrolled", "heard")
                if {"enrolled", "heard"} <= set(names)
            ]
            yield first, CountedRows(score, *both, *pairs)
        else:
            count = _whole(file, batch[names["count"]], names["count"], first)
            label = _ids(file, batch[names[ColumnMeaning.LABEL]], names[ColumnMeaning.LABEL], first)
            is_target = _is_target(file, label, first)
            words = {word: first + int(np.argmax(label.codes == n)) for n, word in enumerate(label.names)}
            of_target, of_nontarget = np.where(is_target, count, 0), np.where(is_target, 0, count)
            yield first, CountedRows(score, of_target, of_nontarget, label_words=words)


def count_rows(file: OpenedFile) -> int:
    """How many rows a file has. Raises InputError."""
    return columns_process.head(file).rows


def record_of(file: OpenedFile) -> str:
    """What a file says of how its trials were counted, or nothing. Raises InputError."""
    return columns_process.head(file).record


def has_ids(file: OpenedFile) -> bool:
    """Whether both sides of a trial have a column. Raises InputError."""
    names = _columns(columns_process.head(file).names)
    return ColumnMeaning.ENROL in names and ColumnMeaning.TEST in names


def find(file: OpenedFile, first: int, rows: Sequence[int]) -> list[Example]:
    """These rows as they are shown, counted from 0 after the `first` ones; one pass through the file."""
    names = columns_process.head(file).names
    used = set(_columns(names).values())
    wanted = [first + row for row in rows]
    found = columns_process.cells(file, [name for name in names if name in used], wanted)
    return [Example(file.name, row + 1, found[row]) for row in wanted]


def _read(file: OpenedFile, reading: Reading, on_progress: Progress) -> Table:
    """The whole file as one table."""
    parts = [table for _, table in tables(file, reading, on_progress)]
    return one_below_the_other(parts, partial(find, file, 0))


def _not_a_table(file: OpenedFile, _reading: Reading, _on_progress: Progress) -> Table:
    raise InputError("counts-alone", file=file.name)


def _columns(names: Sequence[str]) -> dict[ColumnMeaning | str, str]:
    """Which column means what, the first of its kind: a part of a trial, or of counts."""
    found: dict[ColumnMeaning | str, str] = {}
    for name in names:
        plain = column_name(name)
        part: ColumnMeaning | str | None = next((of for of, known in _COUNTS.items() if plain in known), None)
        part = part or part_of_name(name)
        if part in (
            ColumnMeaning.ENROL,
            ColumnMeaning.TEST,
            ColumnMeaning.SCORE,
            ColumnMeaning.LABEL,
            ColumnMeaning.ATTACK,
            *_COUNTS,
        ):
            found.setdefault(part, name)
    return found


def _is_score(name: str) -> bool:
    return part_of_name(name) is ColumnMeaning.SCORE


def _refuse_nulls(file: OpenedFile, column: ReadColumn, name: str, first: int) -> None:
    if column.null is not None:
        raise InputError("parquet-null", file=file.name, line=first + column.null + 1, column=name)


def _plain(file: OpenedFile, column: ReadColumn, name: str, kinds: str) -> np.ndarray:
    """The values of a column whose numbers are of these kinds of NumPy. Raises InputError for any others."""
    if column.values is None or column.texts is not None or column.values.dtype.kind not in kinds:
        raise InputError("parquet-type", file=file.name, column=name, found=column.kind)
    return column.values


def _numbers(file: OpenedFile, column: ReadColumn, name: str, first: int) -> FloatArray:
    if column.values is None:
        _refuse_nulls(file, column, name, first)
    return frozen(_plain(file, column, name, "iuf").astype(np.float64))  # NaN where nothing stands


def _whole(
    file: OpenedFile, column: ReadColumn, name: str, first: int, *, most: int = MOST_TRIALS
) -> IntArray:
    """A column of counts: whole numbers, none of them negative."""
    _refuse_nulls(file, column, name, first)
    values = _plain(file, column, name, "iu")
    bad = np.flatnonzero((values < 0) | (values > most))
    if len(bad):
        facts = {"line": first + int(bad[0]) + 1, "column": name, "found": str(values[bad[0]])}
        raise InputError("parquet-count", file=file.name, **facts)
    return values.astype(np.int64)


def _ids(file: OpenedFile, column: ReadColumn, name: str, first: int) -> Ids:
    """A column of texts, or of whole numbers and truth values as texts, each distinct one once."""
    import pandas as pd

    _refuse_nulls(file, column, name, first)
    names: list[object]
    if column.texts is not None and column.values is not None:
        codes, names = column.values, [*column.texts]
    else:
        codes, distinct = pd.factorize(_plain(file, column, name, "iub"))
        names = distinct.tolist()
    again: dict[str, int] = {}
    place = np.array([again.setdefault(str(one), len(again)) for one in names], np.int32)
    for text in again:
        fault = "id-empty" if not text.strip() else "id-unprintable" if UNPRINTABLE.search(text) else ""
        if fault:
            row = int(np.flatnonzero(place[codes] == again[text])[0])
            raise InputError(fault, file=file.name, line=first + row + 1, found=text)
    return Ids(frozen(place[codes]), tuple(again))


def _is_target(file: OpenedFile, words: Ids, first: int) -> BoolArray:
    """The labels of counts, where no spoof trial has a place."""
    said = [meaning(word) for word in words.names]
    if None in said:
        word = said.index(None)
        row = int(np.flatnonzero(words.codes == word)[0])
        raise InputError("label-unknown", file=file.name, line=first + row + 1, found=words.names[word])
    return np.array(said, np.bool_)[words.codes]
