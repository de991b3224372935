"""A program of its own, not to be imported: takes a Parquet file apart into plain arrays, batch by batch.

Files that are made for it crash the engine that reads them, or keep it busy; then it is this process that
dies. Nothing of the package is imported: nothing of it is needed, and what is not loaded starts soon.

Input: the file itself, to be read to and fro. Argument: JSON with

    path                 where the engine opens what is at standard input
    memory, seconds      how much of both this process may take from when it begins to read
    columns              the numbers of the columns that are wanted, from 0
    batch, most_chunk    rows at a time; bytes that one column of one row group may unpack to
    rows                 null, or the numbers of the only rows that are wanted, as texts, in their order

Answer: messages, each the length of what follows as 8 bytes, JSON, and the bytes of its arrays one behind the
other. The first says {"names": [NAME, ...], "rows": COUNT, "record": TEXT}, the last {"end": true}. Any of
them may be the last and say {"broken": REASON}, what the engine says where it refuses the file;
{"memory": true} or {"chunk": true}, more than was allowed. The others hold
{"count": ROWS, "columns": [COLUMN, ...]} in the order that was asked for, or
{"row": NUMBER, "cells": [TEXT, ...]}, and a COLUMN is one of

    {"type": TYPE, "null": ROW}                            nothing stands in this row, the first such
                                                           (numbers come as well, NaN in its place)
    {"type": TYPE, "dtype": "<f8"}                         numbers
    {"type": TYPE, "dtype": "<i4", "texts": [TEXT, ...]}   texts, each distinct one once, and their codes
    {"type": TYPE}                                         what is neither
"""

from __future__ import annotations

import io
import json
import os
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any
from zlib import crc32

import duckdb

if TYPE_CHECKING:  # it takes as long as all else, and what a file says of itself needs none of it
    import numpy as np

_LONGEST = 1000  # characters of a reason, a type or a cell
_RECORD, _LONGEST_RECORD = "zebra", 10_000  # what ZEBRA says of counts that it wrote
_MOST_NAMES, _MOST_LEVELS = 10_000, 20
_TEXT = "VARCHAR"
_NUMBERS = {
    *("TINYINT", "SMALLINT", "INTEGER", "BIGINT", "UTINYINT", "USMALLINT", "UINTEGER", "UBIGINT"),
    *("FLOAT", "DOUBLE", "BOOLEAN"),
}
_IN_WORDS = {"blob": "binary", "varchar": "string"}
_BUFFER = 1 << 20
_FIRST_PAGE = 4  # where the first may begin, behind the magic; some write 0 where there is no dictionary
# Of a page's header: its bytes, its checksum, and either kind of data with the number of its values.
_SIZE, _CHECKSUM, _DATA_PAGES, _VALUES = 3, 4, (5, 8), 1
# Of Thrift's compact protocol.
_TRUTH, _BYTE, _WHOLE, _BINARY, _LISTS, _STRUCT = (1, 2), 3, (4, 5, 6), 8, (9, 10), 12
_FIXED = {1: 0, 2: 0, _BYTE: 1, 7: 8}
_ENGINES_SHARE = 0.75  # of the memory; the arrays are made beside what the engine holds


class _TooLargeError(Exception):
    """One column of one row group unpacks to more than is bearable."""


def main() -> None:
    """Answer once, and end."""
    sys.path.append(str(Path(__file__).parents[2] / "runtime"))
    asked = json.loads(sys.argv[1])
    bounds = import_module("bounds_apart")
    if asked["columns"] and asked["rows"] is None:
        import_module("numpy")  # what is loaded already counts for no limit
    engine = _Engine(asked["path"], asked["memory"])  # reserves as much for its threads alone
    bounds.limit_time(asked["seconds"])
    bounds.limit_memory(asked["memory"])
    try:
        _answer(engine, asked)
        _say({"end": True})
    except _TooLargeError:
        _say({"chunk": True})
    except (MemoryError, duckdb.OutOfMemoryException):
        _say({"memory": True})
    except (duckdb.Error, ValueError, OSError, IndexError, RecursionError) as error:
        # Without the name by which it knows the file, and the kind of its error.
        said = str(error).split("\n")[0].replace(f" '{engine.path}'", "").partition(" Error: ")
        _say({"broken": (said[2] or said[0] or type(error).__name__)[:_LONGEST]})


class _Engine:
    """DuckDB, which opens this one file and nothing else."""

    def __init__(self, path: str, memory: int) -> None:
        quoted = path.replace("'", "''")
        self.path = path
        self.file = f"read_parquet('{quoted}', hive_partitioning = false)"
        self._open = duckdb.connect(
            config={
                "threads": 1,
                "memory_limit": f"{int(memory * _ENGINES_SHARE) >> 20}MiB",
                "temp_directory": "",
                "autoinstall_known_extensions": False,
                "autoload_known_extensions": False,
            }
        )
        for name, value in {  # which it only takes once it is open
            "parquet_metadata_cache": True,
            "allowed_paths": [path],
            "enable_external_access": False,
            "lock_configuration": True,
        }.items():
            self._open.execute(f"SET {name} = $value", {"value": value})

    def asked(self, sql: str, **values: object) -> duckdb.DuckDBPyConnection:
        """What a query answers, which may name the file as $path."""
        values |= {"path": self.path} if "$path" in sql else {}
        return self._open.execute(sql, values or None)

    def rows(self, sql: str, **values: object) -> list[tuple[Any, ...]]:
        """All rows of the answer to a query, which may name the file as $path."""
        return self.asked(sql, **values).fetchall()


def _answer(engine: _Engine, asked: dict[str, Any]) -> None:
    names = _top(engine.rows("SELECT name, coalesce(num_children, 0) FROM parquet_schema($path)"))
    if len(names) > _MOST_NAMES:
        raise ValueError(f"{len(names)} columns")
    [(rows,)] = engine.rows("SELECT num_rows FROM parquet_file_metadata($path)")
    said = engine.rows("SELECT value FROM parquet_kv_metadata($path) WHERE key = $key", key=_RECORD)
    record = b"".join(value for (value,) in said[:1])[:_LONGEST_RECORD]
    _say({"names": names, "rows": rows, "record": record.decode("utf-8", "replace")})
    if not asked["columns"]:
        return
    described = engine.asked(f"SELECT * FROM {engine.file} LIMIT 0").description  # noqa: S608 - of our path
    # By their places: one of them may be called as the engine calls the number of a row.
    engine.file += f" AS file({', '.join(f'c{place}' for place in range(len(described)))})"
    columns = [_Column(number, described[number][1]) for number in asked["columns"]]
    if asked["rows"] is not None:
        _say_cells(engine, columns, asked["rows"])
        return
    for first, end, chunks in _parts(engine, [names[number] for number in asked["columns"]], asked):
        _refuse_changed(engine.path, chunks)
        _say_rows(engine, columns, first, end, asked["batch"])


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


def _parts(
    engine: _Engine, names: list[str], asked: dict[str, Any]
) -> Iterator[tuple[int, int, list[list[int]]]]:
    """Between which rows to read at a time: whole row groups, or the engine would unpack them again.

    With them come the chunks of the columns of these names: where each begins, its bytes, its values.
    """
    below = tuple(f"{name}, " for name in names)
    counts, chunks_of = dict[int, int](), dict[int, list[list[int]]]()
    for group, count, path, unpacked, packed, held, dictionary, data in engine.rows(
        """SELECT row_group_id, row_group_num_rows, path_in_schema, total_uncompressed_size,
            total_compressed_size, num_values, dictionary_page_offset, data_page_offset
            FROM parquet_metadata($path)"""
    ):
        counts[group] = count
        of_group = chunks_of.setdefault(group, [])
        if path in names or path.startswith(below):
            if (unpacked or 0) > asked["most_chunk"]:
                raise _TooLargeError
            of_group.append([dictionary if (dictionary or 0) >= _FIRST_PAGE else data, packed, held])
    first = end = 0
    chunks: list[list[int]] = []
    for group in sorted(counts):
        end, chunks = end + counts[group], chunks + chunks_of[group]
        if end - first >= asked["batch"]:
            yield first, end, chunks
            first, chunks = end, []
    if first < end:
        yield first, end, chunks


# --- checksums ---------------------------------------------------------------------------------------------


def _refuse_changed(path: str, chunks: list[list[int]]) -> None:
    """Compare the pages of these chunks with their checksums, where they have any: the engine does not."""
    with Path(path).open("rb") as file:
        for start, size, values in chunks:
            at, seen = max(0, start), 0
            while at < start + size and seen < values:
                file.seek(at)
                header = _struct(file)
                at = file.tell() + max(0, header.get(_SIZE, 0))
                checksum, left = 0, at - file.tell() if _CHECKSUM in header else 0
                while left and (piece := file.read(min(left, _BUFFER))):
                    checksum, left = crc32(piece, checksum), left - len(piece)
                if checksum != header.get(_CHECKSUM, 0) & 0xFFFFFFFF:
                    raise ValueError(f"the page that ends at byte {at} does not match its checksum")
                seen += max(header.get(100 * data + _VALUES, 0) for data in _DATA_PAGES)


def _struct(file: IO[bytes]) -> dict[int, int]:
    """The whole numbers of a struct in Thrift's compact protocol by their fields.

    Those of a struct inside count from a hundred times its own field.
    """
    found, field = dict[int, int](), 0
    while head := file.read(1)[0]:
        field = field + (head >> 4) if head >> 4 else _whole(file)
        value = _value(file, head & 15)
        if isinstance(value, int):
            found[field] = value
        elif value:
            found |= {100 * field + inside: number for inside, number in value.items()}
    return found


def _value(file: IO[bytes], kind: int) -> int | dict[int, int] | None:
    """A whole number, or a struct; all else is passed over."""
    if kind in _WHOLE:
        return _whole(file)
    if kind == _STRUCT:
        return _struct(file)
    if kind in _FIXED:
        file.seek(_FIXED[kind], 1)
    elif kind == _BINARY:
        file.seek(_varint(file), 1)
    elif kind in _LISTS:
        head = file.read(1)[0]
        for _ in range(_varint(file) if head >> 4 == 15 else head >> 4):
            _value(file, head & 15 if head & 15 not in _TRUTH else _BYTE)
    else:
        raise ValueError("a page has no header")
    return None


def _whole(file: IO[bytes]) -> int:
    number = _varint(file)
    return number >> 1 ^ -(number & 1)


def _varint(file: IO[bytes]) -> int:
    number = shift = 0
    while shift < 64:
        byte = file.read(1)[0]
        number |= (byte & 127) << shift
        if byte < 128:
            return number
        shift += 7
    raise ValueError("a page has no header")


# --- rows --------------------------------------------------------------------------------------------------


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


def _say_rows(engine: _Engine, columns: list[_Column], first: int, end: int, most: int) -> None:
    """The rows between two numbers, as messages of so many."""
    import numpy as np

    within = f"FROM {engine.file} WHERE file_row_number BETWEEN {first} AND {end - 1}"
    chosen, texts = [], dict[int, np.ndarray]()
    for number, column in enumerate(columns):
        chosen.append(f"{column.asked_for(f'texts_{number}')} AS value_{number}")
        if column.is_text:
            name = column.name
            each = (
                f"SELECT {name} {within} AND {name} IS NOT NULL GROUP BY {name} ORDER BY min(file_row_number)"
            )
            engine.asked(f"CREATE OR REPLACE TYPE texts_{number} AS ENUM ({each})")
            [(known,)] = engine.rows(f"SELECT enum_range(NULL::texts_{number})")
            texts[number] = np.array(known, object)
    found = engine.asked(f"SELECT {', '.join(chosen)} {within}").fetchnumpy()
    values = [np.ma.asarray(one) for one in found.values()]
    for begin in range(0, len(values[0]), most):
        pieces = [one[begin : begin + most] for one in values]
        arrays: list[np.ndarray] = []
        heads = [
            _head(column, piece, texts.get(number), arrays)
            for number, (column, piece) in enumerate(zip(columns, pieces, strict=True))
        ]
        _say({"count": len(pieces[0]), "columns": heads}, arrays)


def _head(
    column: _Column, values: np.ma.MaskedArray, texts: np.ndarray | None, arrays: list[np.ndarray]
) -> dict[str, Any]:
    """What is said of some rows of a column; its array is added to those that follow."""
    import numpy as np

    head: dict[str, Any] = {"type": column.type}
    if np.ma.is_masked(values):
        mask = np.ma.getmaskarray(values)
        head["null"] = int(np.flatnonzero(mask)[0])
        if not column.is_number:
            return head
        values = np.ma.asarray(np.where(mask, np.nan, np.ma.getdata(values)))  # no score, as in a list
    if column.is_text or column.is_number:
        plain = np.ma.getdata(values)
        if texts is not None:
            used, plain = np.unique(plain, return_inverse=True)
            head["texts"], plain = texts[used].tolist(), plain.astype("<i4")
        arrays.append(plain.astype(plain.dtype.newbyteorder("<"), copy=False))
        head["dtype"] = arrays[-1].dtype.str
    return head


def _say_cells(engine: _Engine, columns: list[_Column], rows: list[int]) -> None:
    """What stands in these rows, given in ascending order."""
    chosen = ", ".join(["file_row_number", *(column.name for column in columns)])
    some = f"{engine.file} WHERE list_contains($rows, file_row_number) ORDER BY file_row_number"
    for row, *cells in engine.rows(f"SELECT {chosen} FROM {some}", rows=rows) if rows else ():  # noqa: S608
        _say({"row": row, "cells": [str(cell)[:_LONGEST] for cell in cells]})


def _say(head: dict[str, Any], arrays: list[np.ndarray] | None = None) -> None:
    encoded = json.dumps(head).encode("ascii")
    with io.FileIO(1, "w", closefd=False) as raw, io.BufferedWriter(raw, _BUFFER) as out:
        out.write(len(encoded).to_bytes(8, "little") + encoded)
        for array in arrays or ():
            out.write(array.data if array.flags.c_contiguous else array.tobytes())


if __name__ == "__main__":
    main()
    # All is said by now; at an ordinary end, threads of the library sometimes abort the process.
    os._exit(0)
