"""Parquet: trials with scores and labels, or counts of them, as a cluster delivers them (needs pyarrow).

Columns are known by their names, as in tables of text. Nothing but the columns that are needed is read, some
rows at a time; texts stay coded, so that a long one which is repeated is in memory once.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from importlib import import_module
from typing import Any

import numpy as np
import pandas as pd

from core.errors import InputError
from core.intake import packing
from core.intake.columns import UNPRINTABLE, frozen
from core.intake.formats.headed import part_of_name
from core.intake.formats.reading import Part, Reading, as_table
from core.intake.labels import meaning
from core.intake.opening import OpenedFile
from core.intake.tables import Example, Role, Table, one_below_the_other
from core.progress import Progress
from core.trials import BoolArray, FloatArray, Ids, IntArray

MAGIC = b"PAR1"
ROWS = 1 << 18
_ROW_BYTES = 17  # of one trial in memory: the codes of two ids, a score and a label
MOST_CHUNK = 1 << 30
"""Bytes that one column of one row group may unpack to."""
SCORES = Reading("parquet-scores", Role.SCORES)
KEY = Reading("parquet-key", Role.KEY)
TABLE = Reading("parquet", Role.BOTH)
COUNTS = Reading("parquet-counts", Role.BOTH)

MOST_TRIALS = (1 << 32) - 1
"""Of one assessment: products of the counts of both classes stay whole numbers of 64 bits."""
_COUNTS = {
    "targets": frozenset(["targets", "ntarget", "ntargets", "targetcount"]),
    "nontargets": frozenset(["nontargets", "nnontarget", "nnontargets", "nontargetcount"]),
    "count": frozenset(["count", "counts", "n", "trials", "ntrials"]),
}
# What pyarrow is known to raise; its own exceptions are among these.
_BROKEN = (OSError, ValueError, TypeError, KeyError, NotImplementedError, RuntimeError, MemoryError)


@dataclass(frozen=True)
class CountedRows:
    """Some rows of counts: scores in any order, any of them more than once, perhaps not finite."""

    score: FloatArray
    n_target: IntArray
    n_nontarget: IntArray


def recognise(file: OpenedFile) -> list[Reading]:
    """What the names of the columns promise. Raises InputError."""
    with _opened(file) as data:
        names = _columns(data.schema_arrow.names)
        known = ", ".join(data.schema_arrow.names)
    counts = {"targets", "nontargets"} <= set(names) or "count" in names
    if counts and Part.SCORE in names and (Part.LABEL in names or "targets" in names):
        return [replace(COUNTS, by_file=_not_a_table)]
    has_ids = Part.ENROL in names and Part.TEST in names
    if Part.SCORE in names and Part.LABEL in names:
        return [replace(TABLE, by_file=_read)]
    if has_ids and Part.SCORE in names:
        return [replace(SCORES, by_file=_read)]
    if has_ids and Part.LABEL in names:
        return [replace(KEY, by_file=_read)]
    raise InputError("parquet-unclear", file=file.name, found=known)


def tables(file: OpenedFile, reading: Reading, on_progress: Progress) -> Iterator[tuple[int, Table]]:
    """The rows table by table, each with the number of its first row. Raises InputError."""
    with _opened(file) as data:
        first, wanted = 0, _columns(data.schema_arrow.names)
        parts = {part: name for part, name in wanted.items() if isinstance(part, Part)}
        for batch in _batches(data, file, list(parts.values())):
            on_progress(first / max(1, data.metadata.num_rows))
            columns = {
                part: _numbers(file, batch[name], name, first)
                if part is Part.SCORE
                else _ids(file, batch[name], name, first)
                for part, name in parts.items()
            }
            empty = Table(file, reading.format, reading.role, find=partial(find, file, first))
            yield first, as_table(empty, columns, reading)
            first += batch.num_rows
        on_progress(1.0)


def counts(file: OpenedFile, on_progress: Progress) -> Iterator[tuple[int, CountedRows]]:
    """The rows of a file of counts, each time with the number of the first. Raises InputError."""
    with _opened(file) as data:
        first, names = 0, _columns(data.schema_arrow.names)
        for batch in _batches(data, file, list(names.values())):
            on_progress(first / max(1, data.metadata.num_rows))
            score = _numbers(file, batch[names[Part.SCORE]], names[Part.SCORE], first)
            if "targets" in names:
                both = [_whole(file, batch[names[of]], names[of], first) for of in ("targets", "nontargets")]
                yield first, CountedRows(score, *both)
            else:
                count = _whole(file, batch[names["count"]], names["count"], first)
                is_target = _is_target(file, batch[names[Part.LABEL]], names[Part.LABEL], first)
                yield first, CountedRows(score, np.where(is_target, count, 0), np.where(is_target, 0, count))
            first += batch.num_rows
        on_progress(1.0)


def count_rows(file: OpenedFile) -> int:
    """How many rows a file has. Raises InputError."""
    with _opened(file) as data:
        return int(data.metadata.num_rows)


def find(file: OpenedFile, first: int, rows: Sequence[int]) -> list[Example]:
    """These rows as they are shown, counted from 0 after the `first` ones; one pass through the file."""
    wanted, found, start = sorted({first + row for row in rows}), dict[int, Example](), 0
    with _opened(file) as data:
        used = set(_columns(data.schema_arrow.names).values())
        names = [name for name in data.schema_arrow.names if name in used]
        for batch in _batches(data, file, names):
            for row in (row for row in wanted if start <= row < start + batch.num_rows):
                cells = (str(batch[name][row - start].as_py()) for name in names)
                found[row] = Example(file.name, row + 1, " ".join(cells))
            start += batch.num_rows
            if len(found) == len(wanted):
                break
    return [found[first + row] for row in rows]


def _read(file: OpenedFile, reading: Reading, on_progress: Progress) -> Table:
    """The whole file as one table."""
    parts = [table for _, table in tables(file, reading, on_progress)]
    return one_below_the_other(parts, partial(find, file, 0))


def _not_a_table(file: OpenedFile, _reading: Reading, _on_progress: Progress) -> Table:
    raise InputError("counts-alone", file=file.name)


def _columns(names: Sequence[str]) -> dict[Part | str, str]:
    """Which column means what, the first of its kind: a part of a trial, or of counts."""
    found: dict[Part | str, str] = {}
    for name in names:
        plain = re.sub(r"[^a-z0-9]", "", name.casefold())
        part: Part | str | None = next((of for of, known in _COUNTS.items() if plain in known), None)
        part = part or part_of_name(name)
        if part in (Part.ENROL, Part.TEST, Part.SCORE, Part.LABEL, Part.ATTACK, *_COUNTS):
            found.setdefault(part, name)
    return found


@contextmanager
def _opened(file: OpenedFile) -> Iterator[Any]:
    """The file for pyarrow: from disk where only its beginning is in memory. Its faults become sentences."""
    try:
        pyarrow, parquet = import_module("pyarrow"), import_module("pyarrow.parquet")
    except ImportError as error:
        raise InputError("parquet-not-installed", file=file.name) from error
    try:
        source = (
            pyarrow.OSFile(str(file.source.path)) if file.is_beginning else pyarrow.BufferReader(file.content)
        )
        texts = [field.name for field in parquet.read_schema(source) if _is_text(field.type)]
        source.seek(0)
        with (
            source,
            parquet.ParquetFile(
                source, read_dictionary=texts, buffer_size=1 << 20, page_checksum_verification=True
            ) as data,
        ):
            _refuse_bomb(data, file)
            yield data
    except _BROKEN as error:
        reason = str(error).split("\n")[0] or type(error).__name__
        raise InputError("parquet-broken", file=file.name, reason=reason) from error


def _refuse_bomb(data: Any, file: OpenedFile) -> None:
    """Raise InputError for what says itself that it unpacks to more than any file of scores of its size.

    Runs of equal rows take no room at all in Parquet, so these are counted as they are held.
    """
    meta, names = data.metadata, set(_columns(data.schema_arrow.names).values())
    unpacked = meta.num_rows * _ROW_BYTES
    for group in range(meta.num_row_groups):
        chunks = (meta.row_group(group).column(n) for n in range(meta.num_columns))
        unpacked += sum(one.total_uncompressed_size for one in chunks if one.path_in_schema in names)
    packed = file.size if file.is_beginning else len(file.content)
    if unpacked > max(packing.HARMLESS_BYTES, packing.MOST_RATIO * packed):
        raise InputError("unpacks-too-much", file=file.name, ratio=packing.MOST_RATIO)


def _batches(data: Any, file: OpenedFile, names: list[str]) -> Iterator[Any]:
    """Some rows at a time of these columns, where none of them unpacks to more than is bearable."""
    meta = data.metadata
    for group in range(meta.num_row_groups):
        chunks = (meta.row_group(group).column(n) for n in range(meta.num_columns))
        size = max(
            (chunk.total_uncompressed_size for chunk in chunks if chunk.path_in_schema in names), default=0
        )
        if size > MOST_CHUNK:
            raise InputError("parquet-row-group", file=file.name, most=MOST_CHUNK >> 30)
    yield from data.iter_batches(batch_size=ROWS, columns=names, use_threads=False)


def _is_text(kind: Any) -> bool:
    return str(kind) in ("string", "large_string", "string_view")


def _refuse_nulls(file: OpenedFile, column: Any, name: str, first: int) -> None:
    if column.null_count:
        row = int(np.flatnonzero(column.is_null().to_numpy(zero_copy_only=False))[0])
        raise InputError("parquet-null", file=file.name, line=first + row + 1, column=name)


def _plain(file: OpenedFile, column: Any, name: str, kinds: str) -> np.ndarray:
    """The values of a column whose numbers are of these kinds of NumPy. Raises InputError for any others."""
    kind = str(column.type)
    is_number = kind.startswith(("int", "uint", "float", "double", "halffloat", "bool"))
    values = column.to_numpy(zero_copy_only=False) if is_number else np.empty(0, np.object_)
    if values.dtype.kind not in kinds:
        raise InputError("parquet-type", file=file.name, column=name, found=kind)
    return np.asarray(values)


def _numbers(file: OpenedFile, column: Any, name: str, first: int) -> FloatArray:
    _refuse_nulls(file, column, name, first)
    return frozen(_plain(file, column, name, "iuf").astype(np.float64))


def _whole(file: OpenedFile, column: Any, name: str, first: int) -> IntArray:
    """A column of counts: whole numbers, none of them negative."""
    _refuse_nulls(file, column, name, first)
    values = _plain(file, column, name, "iu")
    bad = np.flatnonzero((values < 0) | (values > MOST_TRIALS))
    if len(bad):
        facts = {"line": first + int(bad[0]) + 1, "column": name, "found": str(values[bad[0]])}
        raise InputError("parquet-count", file=file.name, **facts)
    return values.astype(np.int64)


def _ids(file: OpenedFile, column: Any, name: str, first: int) -> Ids:
    """A column of texts, or of whole numbers and truth values as texts, each distinct one once."""
    _refuse_nulls(file, column, name, first)
    if str(column.type).startswith("dictionary"):
        coded, known = column.indices.to_numpy(zero_copy_only=False), column.dictionary.to_pylist()
        used, codes = np.unique(coded, return_inverse=True)
        names = [known[code] for code in used]
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


def _is_target(file: OpenedFile, column: Any, name: str, first: int) -> BoolArray:
    """The labels of counts, where no spoof trial has a place."""
    words = _ids(file, column, name, first)
    said = [meaning(word) for word in words.names]
    if None in said:
        word = said.index(None)
        row = int(np.flatnonzero(words.codes == word)[0])
        raise InputError("label-unknown", file=file.name, line=first + row + 1, found=words.names[word])
    return np.array(said, np.bool_)[words.codes]
