"""A program of its own, not to be imported: copies a table out of a database that somebody else made.

Only a table is taken, so that nothing which the database says is run: a view, or a column that is computed
whenever it is read, could put files of this computer into what goes back. Nothing of the package is imported.

Argument: JSON with

    kind                 "duckdb" or "sqlite"
    path, table          the database, and its table, perhaps with its schema before a dot
    out                  the Parquet file to write; what is neither a number nor a text becomes a text
    memory, seconds      how much of both this process may take from when it begins to read

Answer: JSON {WHAT: TEXT}, where WHAT is "copied", or why it was not: "view", "computed" (which column),
"no-table" (which there are), "no-database" (what the library says), "too-large" or "failed" (what it says).
"""

from __future__ import annotations

import json
import os
import sqlite3
import sys
from collections.abc import Iterable
from contextlib import closing
from importlib import import_module
from pathlib import Path
from shutil import copyfile
from typing import Any

import duckdb
import numpy as np

_AS_IT_IS = {
    *("TINYINT", "SMALLINT", "INTEGER", "BIGINT", "UTINYINT", "USMALLINT", "UINTEGER"),
    *("FLOAT", "DOUBLE", "BOOLEAN", "VARCHAR"),
}
_LONGEST, _MOST_NAMED = 300, 20
_ROWS = 1 << 16
_TEXT = "'"  # the mark around one


class _NotCopiedError(Exception):
    """Why nothing is copied: its arguments are WHAT and TEXT."""


def main() -> None:
    """Answer once, and end."""
    sys.path.append(str(Path(__file__).parents[1] / "runtime"))
    asked = json.loads(sys.argv[1])
    bounds = import_module("bounds_apart")
    opened = [asked["path"], f"{asked['path']}.wal", asked["out"]]
    engine = bounds.engine_that_opens(opened, asked["memory"])
    bounds.limit_time(asked["seconds"])
    bounds.limit_memory(asked["memory"])
    try:
        select = (_select_of_sqlite if asked["kind"] == "sqlite" else _select_of_duckdb)(engine, asked)
        engine.execute(f"COPY ({select}) TO {_quoted(asked['out'], _TEXT)} (FORMAT parquet)")
        what, text = "copied", ""
    except _NotCopiedError as error:
        what, text = error.args
    except (MemoryError, duckdb.OutOfMemoryException):
        what, text = "too-large", ""
    except (duckdb.Error, sqlite3.Error, OSError, ValueError, OverflowError) as error:
        what, text = "failed", _reason(error)
    sys.stdout.write(json.dumps({what: text}))


def _reason(error: Exception) -> str:
    """The first line, without the kind of the error."""
    said = str(error).strip().split("\n")[0]
    return (said.partition(" Error: ")[2] or said or type(error).__name__)[:_LONGEST].rstrip(".!")


def _select_of_duckdb(engine: duckdb.DuckDBPyConnection, asked: dict[str, Any]) -> str:
    try:
        engine.execute(f"ATTACH {_quoted(asked['path'], _TEXT)} AS given (TYPE duckdb, READ_ONLY)")
    except duckdb.Error as error:
        said = _reason(error).replace(asked["path"], Path(asked["path"]).name)
        raise _NotCopiedError("no-database", said) from error
    of = "WHERE database_name = 'given' AND NOT internal"
    listed = engine.execute(
        f"SELECT 'table', schema_name, table_name FROM duckdb_tables() {of} UNION ALL "  # noqa: S608
        f"SELECT 'view', schema_name, view_name FROM duckdb_views() {of}"
    ).fetchall()
    schema, table = _only(asked["table"], listed)
    columns = engine.execute(
        f"SELECT column_name, data_type, is_generated FROM duckdb_columns() {of} "  # noqa: S608
        "AND schema_name = $schema AND table_name = $table",
        {"schema": schema, "table": table},
    ).fetchall()
    _refuse_computed(name for name, _, is_computed in columns if is_computed)
    names = [_quoted(name) for name, kind, _ in columns if kind not in _AS_IT_IS]
    texts = ", ".join(f"{name}::VARCHAR AS {name}" for name in names)
    chosen = f"* REPLACE ({texts})" if texts else "*"
    return f"SELECT {chosen} FROM given.{_quoted(schema)}.{_quoted(table)}"  # noqa: S608


def _select_of_sqlite(engine: duckdb.DuckDBPyConnection, asked: dict[str, Any]) -> str:
    # Beside a database whose log is open SQLite makes files: they are made beside the copy.
    here = f"{asked['out']}.sqlite"
    for end in ("", "-wal", "-journal"):
        if Path(asked["path"] + end).is_file():
            copyfile(asked["path"] + end, here + end)
    with closing(sqlite3.connect(f"{Path(here).as_uri()}?mode=ro", uri=True)) as given:
        try:
            given.execute("PRAGMA trusted_schema = OFF")
            listed = given.execute("SELECT type, schema, name FROM pragma_table_list WHERE schema = 'main'")
            _, table = _only(asked["table"], listed.fetchall())
        except sqlite3.Error as error:
            raise _NotCopiedError("no-database", _reason(error)) from error
        columns = given.execute("SELECT name, hidden FROM pragma_table_xinfo(?)", [table]).fetchall()
        _refuse_computed(name for name, hidden in columns if hidden)
        names = [_quoted(name) for name, _ in columns]
        engine.execute(f"CREATE TABLE rows ({', '.join(f'{name} VARCHAR' for name in names)})")
        rows = given.execute(f"SELECT {', '.join(names)} FROM {_quoted(table)}")  # noqa: S608
        while piece := rows.fetchmany(_ROWS):
            texts = [np.array([*map(_said, column)], object) for column in zip(*piece, strict=True)]
            engine.register("piece", {f"c{number}": column for number, column in enumerate(texts)})
            engine.execute("INSERT INTO rows FROM piece")
    return "FROM rows"


def _only(asked: str, listed: list[tuple[str, str, str]]) -> tuple[str, str]:
    """The schema and the name of the only table that is called so; what else is called so is refused."""
    called = [(schema, name) for _, schema, name in listed if _is_called(asked, schema, name)]
    tables = [(schema, name) for kind, schema, name in listed if kind == "table"]
    found = [one for one in called if one in tables]
    if len(found) == 1:
        return found[0]
    if called and not found:
        raise _NotCopiedError("view", "")
    named = sorted(name if schema == "main" else f"{schema}.{name}" for schema, name in tables)
    raise _NotCopiedError("no-table", ", ".join(named[:_MOST_NAMED])[:_LONGEST] or "–")


def _is_called(asked: str, schema: str, name: str) -> bool:
    called = f"{schema}.{name}".casefold()
    return asked.casefold() == called or (schema == "main" and f"main.{asked}".casefold() == called)


def _refuse_computed(names: Iterable[str]) -> None:
    if name := next(iter(names), None):
        raise _NotCopiedError("computed", name[:_LONGEST])


def _said(value: object) -> str | None:
    """A value of SQLite as a text that says the same."""
    return value.decode() if isinstance(value, bytes) else None if value is None else str(value)


def _quoted(text: str, mark: str = '"') -> str:
    return mark + text.replace(mark, 2 * mark) + mark


if __name__ == "__main__":
    main()
    sys.stdout.flush()
    os._exit(0)  # at an ordinary end, threads of the library sometimes abort the process
