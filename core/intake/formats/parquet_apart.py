"""A program of its own, not to be imported: takes a Parquet file apart into plain arrays, batch by batch.

Files that are made for it crash the Parquet library, or keep it busy; then it is this process that dies.
Nothing of the package is imported, for nothing of it is needed, and what is not loaded starts soon.

Input: the file, itself or its bytes. Argument: JSON with

    memory, seconds      how much of both this process may take from when it begins to read
    columns              the numbers of the columns that are wanted, from 0
    batch, most_chunk    rows at a time; bytes that one column of one row group may unpack to
    rows                 null, or the numbers of the only rows that are wanted, as texts, in their order

Answer: messages, each the length of what follows as 8 bytes, JSON, and the bytes of its arrays one behind the
other. The first says {"names": [NAME, ...], "rows": COUNT, "record": TEXT}, the
last {"end": true}. Any of them may be the
last and say {"broken": REASON}, what the library says where it refuses the file; {"memory": true} or
{"chunk": true}, more than was allowed. The others hold {"count": ROWS, "columns": [COLUMN, ...]} in the order
that was asked for, or {"row": NUMBER, "cells": [TEXT, ...]}, and a COLUMN is one of

    {"type": TYPE, "null": ROW}                            nothing stands in this row of these, the first such
    {"type": TYPE, "dtype": "<f8"}                         numbers
    {"type": TYPE, "dtype": "<i4", "texts": [TEXT, ...]}   texts, each distinct one once, and their codes
    {"type": TYPE}                                         what is neither
"""

from __future__ import annotations

import io
import json
import os
import stat
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

_LONGEST = 1000  # characters of a reason, a type or a cell
_RECORD, _LONGEST_RECORD = b"zebra", 10_000  # what ZEBRA says of counts that it wrote
_MOST_NAMES = 10_000
_NUMBERS = ("int", "uint", "float", "double", "halffloat", "bool")
_TEXTS = ("string", "large_string", "string_view")
_BUFFER = 1 << 20
# What pyarrow is known to raise; its own exceptions are among these.
_BROKEN = (
    *(OSError, ValueError, TypeError, KeyError, IndexError, AttributeError),
    *(NotImplementedError, RuntimeError, OverflowError, RecursionError),
)


class _TooLargeError(Exception):
    """One column of one row group unpacks to more than is bearable."""


class _WithoutPandas:
    """Keeps pyarrow from loading pandas with the first array, for nothing: it takes longer than all else."""

    @staticmethod
    def find_spec(name: str, *_: object) -> None:
        """Refuse to find it."""
        if name == "pandas":
            raise ModuleNotFoundError(name)


def main() -> None:
    """Answer once, and end."""
    sys.path.append(str(Path(__file__).parents[2] / "runtime"))
    # The allocators that come with the library reserve much more than they take.
    os.environ["ARROW_DEFAULT_MEMORY_POOL"] = "system"
    sys.meta_path.insert(0, _WithoutPandas())
    asked = json.loads(sys.argv[1])
    pyarrow, parquet = import_module("pyarrow"), import_module("pyarrow.parquet")
    bounds = import_module("bounds_apart")
    pyarrow.set_cpu_count(1)
    pyarrow.set_io_thread_count(1)
    bounds.limit_time(asked["seconds"])
    bounds.limit_memory(asked["memory"])
    try:
        with _source(pyarrow) as source:
            _answer(parquet, source, asked)
        _say({"end": True})
    except _TooLargeError:
        _say({"chunk": True})
    except MemoryError:
        _say({"memory": True})
    except _BROKEN as error:
        _say({"broken": (str(error).split("\n")[0] or type(error).__name__)[:_LONGEST]})


def _source(pyarrow: Any) -> Any:
    """Standard input: a file on disk is read where it lies, all else is taken into memory."""
    raw = io.FileIO(0, closefd=False)
    if stat.S_ISREG(os.fstat(0).st_mode):
        return pyarrow.PythonFile(raw, mode="r")
    return pyarrow.BufferReader(raw.readall())


def _answer(parquet: Any, source: Any, asked: dict[str, Any]) -> None:
    texts = [field.name for field in parquet.read_schema(source) if str(field.type) in _TEXTS]
    source.seek(0)
    with parquet.ParquetFile(
        source, read_dictionary=texts, buffer_size=_BUFFER, page_checksum_verification=True
    ) as data:
        names = data.schema_arrow.names
        if len(names) > _MOST_NAMES:
            raise ValueError(f"{len(names)} columns")
        record = (data.metadata.metadata or {}).get(_RECORD, b"")[:_LONGEST_RECORD]
        _say({"names": names, "rows": data.metadata.num_rows, "record": record.decode("utf-8", "replace")})
        if not asked["columns"]:
            return
        wanted = [names[number] for number in asked["columns"]]
        _refuse_large(data.metadata, wanted, asked["most_chunk"])
        batches = data.iter_batches(batch_size=asked["batch"], columns=wanted, use_threads=False)
        if asked["rows"] is None:
            for batch in batches:
                _say_batch(batch, wanted)
        else:
            for row, cells in _cells(batches, wanted, asked["rows"]):
                _say({"row": row, "cells": cells})


def _refuse_large(meta: Any, names: list[str], most: int) -> None:
    for group in range(meta.num_row_groups):
        row_group = meta.row_group(group)
        for number in range(row_group.num_columns):
            chunk = row_group.column(number)
            if chunk.path_in_schema.partition(".")[0] in names and chunk.total_uncompressed_size > most:
                raise _TooLargeError


def _say_batch(batch: Any, names: list[str]) -> None:
    columns: list[dict[str, Any]] = []
    arrays: list[np.ndarray] = []
    for name in names:
        column = batch[name]
        head: dict[str, Any] = {"type": str(column.type)[:_LONGEST]}
        if column.null_count:
            head["null"] = int(np.flatnonzero(column.is_null().to_numpy(zero_copy_only=False))[0])
        elif head["type"].startswith("dictionary<"):
            _add_texts(column, head, arrays)
        elif head["type"].startswith(_NUMBERS):
            values = column.to_numpy(zero_copy_only=False)
            arrays.append(values.astype(values.dtype.newbyteorder("<"), copy=False))
            head["dtype"] = arrays[-1].dtype.str
        columns.append(head)
    _say({"count": batch.num_rows, "columns": columns}, arrays)


def _add_texts(column: Any, head: dict[str, Any], arrays: list[np.ndarray]) -> None:
    """The codes of a column, and the texts of those that occur, in the order in which the file holds them."""
    known = column.dictionary
    if not str(known.type).startswith((*_TEXTS, "int", "uint", "bool")):
        return
    codes = column.indices.to_numpy(zero_copy_only=False)
    occurs = np.bincount(codes, minlength=len(known)) > 0
    used = known.take(import_module("pyarrow").array(np.flatnonzero(occurs)))
    if used.null_count:
        raise ValueError("a dictionary with gaps")
    head["texts"] = [str(text) for text in used.to_pylist()]
    arrays.append((np.cumsum(occurs) - 1)[codes].astype("<i4"))
    head["dtype"] = "<i4"


def _cells(batches: Iterator[Any], names: list[str], rows: list[int]) -> Iterator[tuple[int, list[str]]]:
    """What stands in these rows, given in ascending order; no further than the last of them."""
    first = 0
    for batch in batches:
        for row in [row for row in rows if first <= row < first + batch.num_rows]:
            yield row, [str(batch[name][row - first].as_py())[:_LONGEST] for name in names]
        first += batch.num_rows
        if not rows or rows[-1] < first:
            break


def _say(head: dict[str, Any], arrays: list[np.ndarray] | None = None) -> None:
    encoded = json.dumps(head).encode("ascii")
    with io.FileIO(1, "w", closefd=False) as raw, io.BufferedWriter(raw, _BUFFER) as out:
        out.write(len(encoded).to_bytes(8, "little") + encoded)
        for array in arrays or ():
            out.write(np.ascontiguousarray(array).data)


if __name__ == "__main__":
    main()
    # All is said by now; at an ordinary end, threads of the library sometimes abort the process.
    os._exit(0)
