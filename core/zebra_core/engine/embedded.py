"""DuckDB inside this program: tables in a private folder, within the memory that is free."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path

import duckdb
import ibis
import numpy as np
from ibis.expr.operations import Node
from ibis.expr.types import Table

from zebra_core.engine import questions
from zebra_core.engine.room import no_room_left, room_for
from zebra_core.runtime import memory
from zebra_core.runtime.progress import Progress, no_progress

Arrays = dict[str, np.ndarray]
_SHARE = 2  # of what is free; the counts themselves, and the rest of the program, take theirs
_SMALL = 32  # data this many times smaller than the memory given
_PAIR = 64  # bytes of memory for each row that is matched, about
_ID = 512  # and for each id that goes by a number
_MOST_THREADS = 8  # each takes memory of its own
_BEAT = 0.05  # seconds between two looks at whether the user has stopped the work
REFUSED = (duckdb.Error,)
"""What is raised for data that the engine does not read; a full disk is an InputError."""
_NAME = re.compile(r"[a-z_]+")


class EmbeddedEngine:
    """An open database of its own. Everything that is asked waits for its answer, and can be stopped."""

    def __init__(
        self, folder: Path, on_progress: Progress, most_memory: int | None, size: int | None
    ) -> None:
        self._memory = most_memory or max(memory.LEAST_GIVEN, memory.free_bytes() // _SHARE)
        settings: dict[str, str | bool | int | float | list[str]] = {
            "memory_limit": f"{self._memory >> 20}MiB",
            "threads": min(_MOST_THREADS, os.cpu_count() or 1),
            "temp_directory": str(folder / "spilled"),
            # Nothing is fetched from anywhere, and nobody's settings count.
            "autoinstall_known_extensions": False,
            "autoload_known_extensions": False,
            "allow_community_extensions": False,
            "allow_persistent_secrets": False,
        }
        self.on_progress, self.share = on_progress, 0.0
        self.folder = folder
        # On disk tables are packed, which takes a third of the time; what is small need not be.
        is_small = size is not None and size * _SMALL < self._memory
        place = ":memory:" if is_small else str(folder / "trials.duckdb")
        self._open = duckdb.connect(place, config=settings)
        self._thread = ThreadPoolExecutor(1)
        self._run("SET enable_progress_bar = false")
        self._run("PRAGMA disable_checkpoint_on_shutdown")  # nobody opens it again

    def close(self) -> None:
        """Let go of all files."""
        self._thread.shutdown()
        self._open.close()

    def keep(self, name: str, asked: Table) -> Table:
        """The answer as a table of this name, to be asked again."""
        self._run(f"CREATE TABLE {_plain(name)} AS {_sql(asked)}")
        return ibis.table(asked.schema(), name=name)

    def keep_by_pair(self, name: str, ask: Callable[..., Table], *tables: Table) -> Table:
        """What is asked of each pair of ids by itself, kept; of as many at a time as memory has room for."""
        rows = sum(self.one(questions.how_many(table))["count"] for table in tables)
        parts = 1 + rows * _PAIR // self._memory
        if parts == 1:
            return self.keep(name, ask(*tables))
        views = [f"{name}_part_{'abcdefgh'[number]}" for number in range(len(tables))]
        some = ask(
            *(ibis.table(table.schema(), name=view) for table, view in zip(tables, views, strict=True))
        )
        for part in range(parts):
            for table, view in zip(tables, views, strict=True):
                is_here = f"hash({', '.join(questions.PAIR)}) % {parts} = {part}"
                self._run(f"CREATE OR REPLACE VIEW {view} AS SELECT * FROM ({_sql(table)}) WHERE {is_here}")  # noqa: S608
            self._run(f"INSERT INTO {name} {_sql(some)}") if part else self.keep(name, some)
        for view in views:
            self._run(f"DROP VIEW {view}")
        return ibis.table(some.schema(), name=name)

    def keep_numbered(self, tables: Mapping[str, Table]) -> list[Table]:
        """Tables of pairs under their names; ids are numbers inside, and texts for whoever asks."""
        names = self.keep("names", questions.names_of(*tables.values()))
        number = ""
        if self.one(questions.how_many(names))["count"] * _ID < self._memory:
            self._run("CREATE TYPE numbered AS ENUM (SELECT name FROM names ORDER BY name)")
            number = "::numbered"
        for name, table in tables.items():
            ids = ", ".join(f"{side}{number} AS {side}" for side in questions.PAIR)
            numbered = f"SELECT * REPLACE ({ids}) FROM ({_sql(table)})"  # noqa: S608 - names of ours
            self._run(f"CREATE TABLE {_plain(name)} AS {numbered} LIMIT 0")
            # What one statement adds is held in memory until it ends, whatever the limit.
            most = max(1, self._memory // _PAIR)
            found = self._run(f"SELECT DISTINCT row // {most} AS part FROM ({_sql(table)}) ORDER BY part")  # noqa: S608
            for part in found["part"].tolist():
                here = f"row BETWEEN {int(part) * most} AND {(int(part) + 1) * most - 1}"
                self._run(f"INSERT INTO {name} {numbered} WHERE {here}")
        self.forget("names")
        return [ibis.table(table.schema(), name=name) for name, table in tables.items()]

    def forget(self, *names: str) -> None:
        """Give back the room of tables that nobody will ask again."""
        for name in names:
            self._run(f"DROP TABLE {_plain(name)}")

    def fetch(self, asked: Table) -> Arrays:
        """The answer in memory: each column by its name, in one order."""
        return _typed(self._run(_sql(asked)), asked)

    def one(self, asked: Table) -> dict[str, int]:
        """The answer to what is answered by one row of whole numbers."""
        return {name: int(column[0]) for name, column in self.fetch(asked).items()}

    def pieces(self, name: str, kept: Table, rows: int) -> Iterator[Arrays]:
        """A kept table in memory, so many rows at a time."""
        total = self._run(f"SELECT count(*) AS n FROM {_plain(name)}")["n"][0]  # noqa: S608 - a name of ours
        chosen = ", ".join(f'"{column}"' for column in kept.columns)
        for first in range(0, int(total), rows):
            within = f"rowid BETWEEN {first} AND {first + rows - 1}"
            found = self._run(f"SELECT {chosen} FROM {_plain(name)} WHERE {within}")  # noqa: S608
            yield _typed(found, kept)

    def new(self, name: str, schema: Mapping[str, str]) -> Table:
        """An empty table, to be added to."""
        columns = ", ".join(f'"{column}" {_TYPES[kind]}' for column, kind in schema.items())
        self._run(f"CREATE TABLE {_plain(name)} ({columns})")
        return ibis.table(schema, name=name)

    def add(self, name: str, select: str, **given: Arrays) -> None:
        """Add to a table what a query makes of arrays, which it finds under their names."""
        for table, arrays in given.items():
            self._open.register(_plain(table), arrays)
        try:
            self._run(f"INSERT INTO {_plain(name)} {select}")
        finally:
            for table in given:
                self._open.unregister(table)

    def read(self, sql: str, *values: object) -> Arrays:
        """What a query in DuckDB's own language answers. Raises duckdb.Error where it cannot."""
        return self._run(sql, values)

    def as_parquet(self, sql: str, name: str, said: str) -> bytes:
        """The answer to a query as a Parquet file that says something of itself under this name."""
        path = self.folder / "answer.parquet"
        place = str(path).replace("'", "''")
        metadata = f"KV_METADATA {{{_plain(name)}: '{said}'}}"
        self._run(f"COPY ({sql}) TO '{place}' (FORMAT parquet, COMPRESSION zstd, {metadata})")
        return path.read_bytes()

    def _run(self, sql: str, values: tuple[object, ...] = ()) -> Arrays:
        answer = self._thread.submit(self._answered, sql, values)
        try:
            self._wait(answer)
        except BaseException:
            self._open.interrupt()
            wait([answer])
            raise
        try:
            return answer.result()
        except (duckdb.OutOfMemoryException, duckdb.IOException) as error:
            raise no_room_left(str(error).split("\n")[0]) from error

    def _wait(self, answer: Future[Arrays]) -> None:
        while not wait([answer], timeout=_BEAT).done:
            self.on_progress(self.share)

    def _answered(self, sql: str, values: tuple[object, ...]) -> Arrays:
        found = self._open.execute(sql, values) if values else self._open.execute(sql)
        if not found.description:
            return {}
        return {name: np.ma.getdata(column) for name, column in found.fetchnumpy().items()}


_TYPES = {
    "string": "VARCHAR",
    "float64": "DOUBLE",
    "int8": "TINYINT",
    "int64": "BIGINT",
}


@contextmanager
def embedded(
    size: int | None, on_progress: Progress = no_progress, most_memory: int | None = None
) -> Iterator[EmbeddedEngine]:
    """An engine for data that may take so many bytes on disk; nothing is left of it. Raises InputError.

    Without a size nobody knows how many.
    """
    with room_for(size or 1) as folder:
        engine = EmbeddedEngine(folder, on_progress, most_memory, size)
        try:
            yield engine
        finally:
            engine.close()


def _typed(found: Arrays, asked: Table) -> Arrays:
    """Whole numbers as such: DuckDB's sums are wider than those of NumPy, and come as floats."""
    kinds = asked.schema()
    return {
        name: column.astype(np.int64) if kinds[name].is_integer() else column
        for name, column in found.items()
    }


def _sql(asked: Table) -> str:
    return _sql_of(asked.op())


@lru_cache(maxsize=256)
def _sql_of(asked: Node) -> str:
    # The same few questions are asked of every pair of files, and Ibis takes as long to say one as the engine
    # to answer it about some thousand trials.
    return str(ibis.to_sql(asked.to_expr(), dialect="duckdb"))


def _plain(name: str) -> str:
    assert _NAME.fullmatch(name)  # noqa: S101 - names are ours, never the user's
    return name
