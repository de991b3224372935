"""A program of its own, not to be imported: takes a Parquet or an HDF5 file apart into plain arrays.

Files that are made for it crash the library that reads them, or keep it busy; then it is this process that
dies. Nothing of the package is imported: nothing of it is needed, and what is not loaded starts soon.

Input: the file itself, to be read to and fro. Argument: JSON with

    format               "parquet", which DuckDB reads, or "hdf5"
    path                 where DuckDB opens what is at standard input
    memory, seconds      how much of both this process may take from when it begins to read
    columns              the numbers of the columns that are wanted, from 0; of HDF5 the names of data sets,
                         or null for all, in whatever groups
    batch, most_chunk    of Parquet: rows at a time; bytes that a column of a row group may unpack to
    rows                 of Parquet: null, or the numbers of the only rows that are wanted, as texts, in order
    most                 of HDF5: bytes that all together may unpack to

Answer: messages, each the length of what follows as 8 bytes, JSON, and the bytes of its arrays one behind the
other. The first says {"names": [NAME, ...], "rows": COUNT, "record": TEXT}, the last {"end": true}. Any of
them may be the last and say {"broken": REASON}, what the library says where it refuses the file, or
{"refused": WHAT}: more "memory", a larger "chunk" or more "bytes" than were allowed. The others hold
{"count": ROWS, "columns": [COLUMN, ...]} in the order that was asked for (a data set is one of no rows), or
{"row": NUMBER, "cells": [TEXT, ...]}, and a COLUMN is one of

    {"type": TYPE, "null": ROW}                       nothing stands in this row, the first such
                                                      (numbers come as well, NaN in its place)
    {"type": TYPE, "dtype": "<f8", "shape": [2, 3]}   numbers
    {"type": TYPE, "dtype": "<i4", "shape": [2], "texts": [TEXT, ...]}
                                                      texts, each distinct one once, and their codes
    {"type": TYPE, "texts": [TEXT, ...]}              texts as they follow each other
    {"type": TYPE}                                    what is neither
"""

from __future__ import annotations

import io
import json
import os
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # they take as long as all else, and what a file says of itself needs few of them
    import numpy as np

_LONGEST = 1000  # characters of a reason, a type or a cell
_BUFFER = 1 << 20


class _RefusedError(Exception):
    """More than is bearable; its argument says of what."""


def main() -> None:
    """Answer once, and end."""
    sys.path.append(str(Path(__file__).parents[2] / "runtime"))
    asked = json.loads(sys.argv[1])
    bounds = import_module("bounds_apart")
    reader = (_Hdf5Reader if asked["format"] == "hdf5" else _ParquetReader)(
        asked
    )  # what is loaded counts for no limit
    bounds.limit_time(asked["seconds"])
    bounds.limit_memory(asked["memory"])
    try:
        reader.answer()
        _say({"end": True})
    except _RefusedError as error:
        _say({"refused": str(error)})
    except (
        OSError,
        LookupError,
        ValueError,
        TypeError,
        RuntimeError,
        AttributeError,
        OverflowError,
    ) as error:
        _say({"broken": (str(error).split("\n")[0] or type(error).__name__)[:_LONGEST]})


def _say(head: dict[str, Any], arrays: list[np.ndarray] | None = None) -> None:
    encoded = json.dumps(head).encode("ascii")
    with io.FileIO(1, "w", closefd=False) as raw, io.BufferedWriter(raw, _BUFFER) as out:
        out.write(len(encoded).to_bytes(8, "little") + encoded)
        for array in arrays or ():
            out.write(array.data)


def _follows(values: np.ndarray, arrays: list[np.ndarray]) -> dict[str, Any]:
    """What is said of an array, which is added to those that follow."""
    arrays.append(values.astype(values.dtype.newbyteorder("<"), order="C", copy=False))
    return {"dtype": arrays[-1].dtype.str, "shape": list(values.shape)}


def _refuse_many(count: int, most: int, what: str) -> None:
    if count > most:
        raise ValueError(f"more than {most} {what}")


# --- Parquet -----------------------------------------------------------------------------------------------

_RECORD, _LONGEST_RECORD = "zebra", 10_000  # what ZEBRA says of counts that it wrote
_MOST_COLUMNS, _MOST_LEVELS = 10_000, 20
_TEXT = "VARCHAR"
_NUMBERS = {
    *("TINYINT", "SMALLINT", "INTEGER", "BIGINT", "UTINYINT", "USMALLINT", "UINTEGER", "UBIGINT"),
    *("FLOAT", "DOUBLE", "BOOLEAN"),
}
_IN_WORDS = {"blob": "binary", "varchar": "string"}


class _Column:
    """A column that is wanted, and how the engine is asked for it."""

    def __init__(self, number: int, kind: object) -> None:
        self.name = f"c{number}"
        self.is_text = str(kind) == _TEXT
        self.is_number = str(kind) in _NUMBERS
        self.type = str(kind).lower()[:_LONGEST]
        for theirs, ours in _IN_WORDS.items():
            self.type = self.type.replace(theirs, ours)

    def asked_for(self, type_of_texts: str) -> str:
        """What stands for it in a query."""
        if self.is_text:
            return f"enum_code({self.name}::{type_of_texts})"
        return self.name if self.is_number else f"nullif({self.name} IS NOT NULL, false)"

    def said(
        self, values: np.ma.MaskedArray, texts: np.ndarray | None, arrays: list[np.ndarray]
    ) -> dict[str, Any]:
        """What is said of some rows; their array is added to those that follow."""
        import numpy as np

        said: dict[str, Any] = {"type": self.type}
        if np.ma.is_masked(values):
            mask = np.ma.getmaskarray(values)
            said["null"] = int(np.flatnonzero(mask)[0])
            if not self.is_number:
                return said
            values = np.ma.asarray(np.where(mask, np.nan, np.ma.getdata(values)))  # no score, as in a list
        plain = np.ma.getdata(values)
        if texts is not None:
            used, plain = np.unique(plain, return_inverse=True)
            said["texts"], plain = texts[used].tolist(), plain.astype("<i4")
        return said | _follows(plain, arrays) if self.is_text or self.is_number else said


class _ParquetReader:
    """DuckDB, which opens this one file and nothing else."""

    def __init__(self, asked: dict[str, Any]) -> None:
        import duckdb

        if asked["columns"] and asked["rows"] is None:
            import_module("numpy")
        self._asked, self._path = asked, asked["path"]
        quoted = self._path.replace("'", "''")
        self._file = f"read_parquet('{quoted}', hive_partitioning = false)"
        self._errors = duckdb.OutOfMemoryException, duckdb.Error
        opening = import_module("bounds_apart").engine_that_opens
        self._open = opening([self._path], asked["memory"], parquet_metadata_cache=True)

    def answer(self) -> None:
        """Say what is asked for. Raises what a broken file makes the engine raise, in words."""
        memory, broken = self._errors
        try:
            self._answer()
        except (MemoryError, memory) as error:
            raise _RefusedError("memory") from error
        except broken as error:
            # Without the name by which it knows the file, and the kind of its error.
            said = str(error).split("\n")[0].replace(f" '{self._path}'", "").partition(" Error: ")
            raise ValueError(said[2] or said[0]) from error

    def _answer(self) -> None:
        names = _top(self._rows("SELECT name, coalesce(num_children, 0) FROM parquet_schema($path)"))
        _refuse_many(len(names), _MOST_COLUMNS, "columns")
        [(rows,)] = self._rows("SELECT num_rows FROM parquet_file_metadata($path)")
        said = self._rows("SELECT value FROM parquet_kv_metadata($path) WHERE key = $key", key=_RECORD)
        record = b"".join(value for (value,) in said[:1])[:_LONGEST_RECORD]
        _say({"names": names, "rows": rows, "record": record.decode("utf-8", "replace")})
        if not (wanted := self._asked["columns"]):
            return
        described = self._open.execute(f"SELECT * FROM {self._file} LIMIT 0").description  # noqa: S608 - our path
        # By their places: one of them may be called as the engine calls the number of a row.
        self._file += f" AS file({', '.join(f'c{place}' for place in range(len(described)))})"
        columns = [_Column(number, described[number][1]) for number in wanted]
        if self._asked["rows"] is not None:
            self._say_cells(columns, self._asked["rows"])
            return
        for first, end in self._parts([names[number] for number in wanted]):
            self._say_rows(columns, first, end)

    def _rows(self, sql: str, **values: object) -> list[tuple[Any, ...]]:
        """All rows of the answer to a query, which may name the file as $path."""
        values |= {"path": self._path} if "$path" in sql else {}
        rows: list[tuple[Any, ...]] = self._open.execute(sql, values or None).fetchall()
        return rows

    def _parts(self, names: list[str]) -> Iterator[tuple[int, int]]:
        """Between which rows to read at a time: whole row groups, or the engine would unpack them again."""
        below, counts = tuple(f"{name}, " for name in names), dict[int, int]()
        for group, count, path, unpacked in self._rows(
            """SELECT row_group_id, row_group_num_rows, path_in_schema, total_uncompressed_size
                FROM parquet_metadata($path)"""
        ):
            counts[group] = count
            if (unpacked or 0) > self._asked["most_chunk"] and (path in names or path.startswith(below)):
                raise _RefusedError("chunk")
        first = end = 0
        for group in sorted(counts):
            end += counts[group]
            if end - first >= self._asked["batch"]:
                yield first, end
                first = end
        if first < end:
            yield first, end

    def _say_rows(self, columns: list[_Column], first: int, end: int) -> None:
        """The rows between two numbers, as messages of so many."""
        import numpy as np

        within = f"FROM {self._file} WHERE file_row_number BETWEEN {first} AND {end - 1}"
        chosen, texts = [], dict[int, np.ndarray]()
        for number, column in enumerate(columns):
            chosen.append(f"{column.asked_for(f'texts_{number}')} AS value_{number}")
            if column.is_text:
                name, there = column.name, f"{within} AND {column.name} IS NOT NULL"
                each = f"SELECT {name} {there} GROUP BY {name} ORDER BY min(file_row_number)"
                self._open.execute(f"CREATE OR REPLACE TYPE texts_{number} AS ENUM ({each})")
                [(known,)] = self._rows(f"SELECT enum_range(NULL::texts_{number})")
                texts[number] = np.array(known, object)
        found = self._open.execute(f"SELECT {', '.join(chosen)} {within}").fetchnumpy()
        values = [np.ma.asarray(one) for one in found.values()]
        for begin in range(0, len(values[0]), self._asked["batch"]):
            arrays: list[np.ndarray] = []
            said = [
                column.said(values[number][begin : begin + self._asked["batch"]], texts.get(number), arrays)
                for number, column in enumerate(columns)
            ]
            _say({"count": len(values[0][begin : begin + self._asked["batch"]]), "columns": said}, arrays)

    def _say_cells(self, columns: list[_Column], rows: list[int]) -> None:
        """What stands in these rows, given in ascending order."""
        chosen = ", ".join(["file_row_number", *(column.name for column in columns)])
        some = f"{self._file} WHERE list_contains($rows, file_row_number) ORDER BY file_row_number"
        for row, *cells in self._rows(f"SELECT {chosen} FROM {some}", rows=rows) if rows else ():  # noqa: S608
            _say({"row": row, "cells": [str(cell)[:_LONGEST] for cell in cells]})


def _top(tree: list[tuple[str, int]]) -> list[str]:
    """The columns of a schema: what hangs from its root, which comes first."""
    names, missing = [], [tree[0][1]]  # children to come, level by level
    for name, children in tree[1:]:
        if len(missing) == 1:
            names.append(name)
        missing[-1] -= 1
        missing.append(children)
        if len(missing) > _MOST_LEVELS:
            raise ValueError("too deeply nested")  # the engine takes a minute for 60
        while missing and not missing[-1]:
            missing.pop()
    return names


# --- HDF5 --------------------------------------------------------------------------------------------------

_AT_ONCE = 1024  # texts: a small file may repeat a long one more often than memory lasts
_MOST_SETS, _MOST_OF_ALL = 10_000, 500_000
_DEEPEST = 8  # groups in groups, as of ids with slashes


class _Hdf5Reader:
    """The data sets of a file that h5py opens."""

    def __init__(self, asked: dict[str, Any]) -> None:
        self._library: Any = import_module("h5py")
        self._wanted: list[str] | None = asked["columns"]
        self._left: int = asked["most"]

    def answer(self) -> None:
        """Say what is asked for. Raises what a broken file makes the library raise."""
        depth, most = (_DEEPEST, _MOST_OF_ALL) if self._wanted is None else (1, _MOST_SETS)
        with self._library.File(sys.stdin.buffer, "r") as file:
            names: list[str] = []
            for name in self._sets(file, "", depth):
                names.append(name)
                _refuse_many(len(names), most, "data sets")
            _say({"names": names, "rows": 0, "record": ""})
            for name in names if self._wanted is None else self._wanted:
                arrays: list[np.ndarray] = []
                said = {"type": "", **self._loaded(file[name], arrays)}
                _say({"count": 0, "columns": [said]}, arrays)

    def _sets(self, group: Any, prefix: str, depth: int) -> Iterator[str]:
        """The names of the data sets of a group and of those in it, so deep.

        Links to other files here are not followed.
        """
        for name in group:
            self._spend(len(name))
            if not isinstance(group.get(name, getlink=True), self._library.HardLink):
                continue
            item = group[name]
            if isinstance(item, self._library.Group) and depth:
                yield from self._sets(item, f"{prefix}{name}/", depth - 1)
            elif isinstance(item, self._library.Dataset) and not item.is_virtual and not item.external:
                yield prefix + name

    def _spend(self, count: int) -> None:
        self._left -= count
        if self._left < 0:
            raise _RefusedError("bytes")

    def _loaded(self, data: Any, arrays: list[np.ndarray]) -> dict[str, Any]:
        import numpy as np

        if data.shape is None:  # it holds nothing, not even an empty array
            return {}
        if data.dtype.kind in "biuf":
            self._spend(data.size * min(8, data.dtype.itemsize))
            found = np.asarray(data[()])
            return _follows(found if found.dtype.itemsize <= 8 else found.astype(np.float64), arrays)
        if data.dtype.kind == "S" or self._library.check_string_dtype(data.dtype):
            return {"texts": self._texts(data)}
        return {}

    def _texts(self, data: Any) -> list[str]:
        self._spend(max(8, data.dtype.itemsize) * data.size)
        if data.ndim != 1:
            return self._plain(data[()].reshape(-1))
        return [
            text
            for start in range(0, data.size, _AT_ONCE)
            for text in self._plain(data[start : start + _AT_ONCE])
        ]

    def _plain(self, values: np.ndarray) -> list[str]:
        texts = [
            value.decode("utf-8", errors="replace") if isinstance(value, bytes) else str(value)
            for value in values.tolist()
        ]
        self._spend(sum(map(len, texts)))
        return texts


if __name__ == "__main__":
    main()
    # All is said by now; at an ordinary end, threads of the library sometimes abort the process.
    os._exit(0)
