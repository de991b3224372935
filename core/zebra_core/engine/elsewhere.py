"""Engines by their URL: Spark on a cluster or here, whatever else Ibis knows, and DuckDB in this program."""

from __future__ import annotations

import json
import logging
import os
import re
import warnings
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from glob import glob
from importlib.util import find_spec
from pathlib import Path, PurePosixPath
from threading import Thread
from typing import Any, TypeVar

import ibis
import numpy as np
from ibis.expr.types import Table

from zebra_core.engine.embedded import Arrays, EmbeddedEngine, embedded
from zebra_core.errors import Cancelled, InputError
from zebra_core.files.access import folder_of, is_folder, open_regular, refuse_links, walk
from zebra_core.runtime import apart
from zebra_core.runtime.progress import Progress

T = TypeVar("T")
ANSWERS_WITHIN_S = 10.0
_WORKS_WITHIN_S = 90.0  # a cluster that is there may have to start its workers first
_STARTS_WITHIN_S = 60.0  # Java, on this machine
_ON_SPARK = re.compile(r"local(\[.*\])?|local-cluster\[.*\]|(spark|k8s|yarn)(://.*)?")
_IN_HERE = "duckdb"
_IN_FILES = ("duckdb", "sqlite")
_AS_TABLE = (".parquet", ".pq")
_NOT_COPIED = ("view", "computed", "no-table", "no-database", "too-large", "failed")
_MOST_SAID = 1 << 16
# What the process that copies a table may take, as with Parquet (intake.formats.columns_process).
_WAIT_SECONDS, _BYTES_PER_WAIT = 120.0, 1 << 16
_CPU_SECONDS, _BYTES_PER_CPU = 4.0, 1 << 18
_MEMORY, _MEMORY_RATIO, _MOST_MEMORY = 512 << 20, 10, 4 << 30
_ROW = "zebra_row"
_CAUSE = "Caused by: "
_WILD = re.compile(r"[*?\[]")


class Engine(ABC):
    """An engine that is there. Whatever it raises is told as an InputError."""

    def __init__(self, name: str) -> None:
        """`name` is what it is, with its version."""
        self.name = name
        self.led_to: dict[str, tuple[int, str]] = {}  # how many files, and where, if that is not plain to see

    def look_at(self, given: str, found: Sequence[str]) -> None:
        """Refuse links, devices and pipes among the files here that a path means; they may lead anywhere.

        Folders that the user has typed may be links, and are told. Raises InputError.
        """
        typed = Path(given).parts
        first = next((number for number, part in enumerate(typed) if _WILD.search(part)), len(typed) - 1)
        for file in map(Path, found):
            refuse_links(file, first)
            open_regular(file).close()
        typed_folder = Path(*typed[:first])
        folder = os.path.realpath(typed_folder)
        if len(found) > 1 or (found and folder != os.path.abspath(typed_folder)):  # noqa: PTH100 - no links
            self.led_to[given] = len(found), folder

    @abstractmethod
    def rows(self, given: str) -> Table:
        """A table by its name, or what a path holds, with the column `zebra_row` that orders it."""

    @abstractmethod
    def keep(self, name: str, asked: Table) -> Table:
        """The answer, to be asked again without being computed again."""

    def keep_by_pair(self, name: str, ask: Callable[..., Table], *tables: Table) -> Table:
        """What is asked of each pair of ids by itself, kept."""
        return self.keep(name, ask(*tables))

    def keep_read(self, tables: dict[str, Table]) -> list[Table]:
        """Tables of pairs under their names, to be asked often."""
        return [*tables.values()]

    @abstractmethod
    def fetch(self, asked: Table) -> Arrays:
        """The answer in memory."""

    @abstractmethod
    def put(self, name: str, given: Arrays) -> Table:
        """These columns, of texts and whole numbers, as a table of the engine."""

    def one(self, asked: Table) -> dict[str, int]:
        """The answer to what is answered by one row of whole numbers."""
        return {name: int(column[0]) for name, column in self.fetch(asked).items()}


@contextmanager
def engine_at(url: str, on_progress: Progress, most_memory: int | None = None) -> Iterator[Engine]:
    """The engine of this URL. Raises InputError where it is not installed, or does not answer.

    How much memory is taken can only be said of the one in this program.
    """
    kind, _, database = url.partition("://")
    is_here = url == _IN_HERE or (kind in _IN_FILES and url != kind)
    if most_memory and not is_here:
        raise InputError("engine-memory", engine=url)
    if is_here:
        with embedded(None, on_progress, most_memory) as opened:
            yield _LocalEngine(opened, kind, database)
    elif _ON_SPARK.fullmatch(url):
        yield from _on_spark(url, on_progress)
    else:
        yield _by_ibis(url, on_progress)


def in_time(url: str, work: Callable[[], T], seconds: float, on_progress: Progress) -> T:
    """What comes of work that may never end; raises InputError after so many seconds, and waits no more."""
    done: list[T] = []
    failed: list[BaseException] = []

    def run() -> None:
        try:
            done.append(work())
        except BaseException as error:  # noqa: BLE001 - raised again by the thread that waits
            failed.append(error)

    # A daemon: nobody waits for it when the program ends.
    thread = Thread(target=run, daemon=True)
    thread.start()
    for _ in range(int(seconds / 0.1)):
        thread.join(0.1)
        if not thread.is_alive():
            break
        on_progress(0.0)
    if failed:
        raise failed[0]
    if not done:
        raise InputError("engine-silent", engine=url, seconds=int(seconds))
    return done[0]


@contextmanager
def engine_errors_as_input_error(url: str) -> Iterator[None]:
    """Turn whatever an engine raises into an InputError with the first line of its reason."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    except (InputError, Cancelled):
        raise
    except Exception as error:
        reason = reason_in(str(error)) or type(error).__name__
        raise InputError("engine-failed", engine=url, reason=reason[:300].rstrip(".")) from error


def reason_in(said: str) -> str:
    """The line that says most: the first, or the cause where Java only says that something failed."""
    lines = [line.strip() for line in said.splitlines() if line.strip()]
    if not lines or not lines[0].startswith("An error occurred while calling"):
        return lines[0] if lines else ""
    causes = [line for line in lines if line.startswith(_CAUSE)]
    return causes[-1].removeprefix(_CAUSE) if causes else " ".join(lines[1:2]).lstrip(": ") or lines[0]


def is_path(given: str) -> bool:
    """Whether this names files, and not a table of the engine."""
    return "/" in given or os.sep in given or bool(re.search(r"\.(parquet|pq|csv|tsv|txt)$", given))


def short(given: str) -> str:
    """What a table or path is called in a sentence."""
    return PurePosixPath(given.replace(os.sep, "/")).name if is_path(given) else given


def _lying_here(given: str) -> list[str]:
    """What a path means on this computer, if anything: files, or all that lie below a folder."""
    found, links = list[Path](), list[Path]()
    for path in map(Path, glob(given)):  # noqa: PTH207 - a pattern may begin anywhere
        within = walk(path, on_link=links.append) if is_folder(path) else ()
        found += [Path(folder, name) for folder, _, names in within for name in names] if within else [path]
    return [str(path) for path in found + links]


def _separator(given: str) -> tuple[str, bool]:
    """What stands between two columns of a text, and whether its first line names them: told by its name."""
    suffix = PurePosixPath(given).suffix
    return {".csv": (",", True), ".tsv": ("\t", True)}.get(suffix, (" ", False))


# --- DuckDB in this program --------------------------------------------------------------------------------


class _LocalEngine(Engine):
    def __init__(self, opened: EmbeddedEngine, kind: str, database: str) -> None:
        """`database` is a file with tables, of DuckDB or another `kind`, opened to be read, or empty."""
        import duckdb

        super().__init__(f"DuckDB {duckdb.__version__}")
        self._opened, self._kind, self._database = opened, kind, Path(database) if database else None
        self._given: list[str] = []
        self._lay: dict[str, list[tuple[object, ...]]] = {}  # what lay there when it was first looked at
        self._held: list[str] = []

    def rows(self, given: str) -> Table:
        name = f"given_{'abcdefgh'[len(self._given)]}"
        self._given.append(given)
        if self._database is None and not is_path(given) and Path(given).exists():
            given = str(Path(given).absolute())
        if not is_path(given):
            if self._database is None:
                raise InputError("engine-no-tables", engine=_IN_HERE, found=given)
            copy = self._copied(self._database, given, name)
            with engine_errors_as_input_error(self.name):
                return self._parquet(name, copy)
        with engine_errors_as_input_error(self.name):
            found = self._opened.read("SELECT file FROM glob(?)", given)["file"].tolist()
            if not found:
                open_regular(Path(given)).close()  # which says what else it is
                raise InputError("missing", file=Path(given).name, folder=folder_of(Path(given)))
            self.look_at(given, found)
            return self._parquet(name, given) if given.endswith(_AS_TABLE) else self._text(name, given)

    def _copied(self, database: Path, given: str, name: str) -> str:
        """Where a copy of a table of the database lies, in Parquet, made by a process of its own.

        Raises InputError for what is not a table: whoever made the database could read files of this computer
        by it, and counts go back to them.
        """
        for log in ("", ".wal", "-wal", "-journal"):
            refuse_links(Path(f"{database}{log}"), len(database.parts) - 1)
        with open_regular(database) as file:
            size = os.fstat(file.fileno()).st_size
        asked = {
            "kind": self._kind,
            "path": str(database.absolute()),
            "table": given,
            "out": str(self._opened.folder / f"{name}.parquet"),
            "memory": _MEMORY + min(_MOST_MEMORY, _MEMORY_RATIO * size),
            "seconds": _CPU_SECONDS + size / _BYTES_PER_CPU,
        }
        program, seconds = (
            Path(__file__).with_name("database_apart.py"),
            _WAIT_SECONDS + size / _BYTES_PER_WAIT,
        )
        try:
            with apart.running(
                program, [json.dumps(asked)], b"", seconds=seconds, on_progress=self._opened.on_progress
            ) as answer:
                [(what, reason)] = json.loads(answer.rest(_MOST_SAID)).items()
        except (apart.NoAnswer, ValueError, AttributeError) as error:
            raise apart.refusal(error, "engine-hostile", database.name) from error
        if what != "copied":
            code = f"engine-{what}" if what in _NOT_COPIED else "engine-hostile"
            raise InputError(code, engine=self.name, file=database.name, found=given, reason=str(reason))
        return str(asked["out"])

    def _held_table(self, name: str) -> Table:
        self._held.append(name)
        return ibis.table({**self._kinds(name), "rowid": "int64"}, name=name).rename(**{_ROW: "rowid"})

    def _parquet(self, name: str, given: str) -> Table:
        """Read where it lies whenever it is asked for; a row goes by its file and its place there."""
        quoted = given.replace("'", "''")
        self._lay.setdefault(given, self._lying(given))
        file = f"read_parquet('{quoted}')"
        kinds = self._kinds(f"SELECT * FROM {file}")
        # By their places: one of them may be called as the engine calls the number of a row.
        columns = {column: f"c{place}" for place, column in enumerate(kinds)}
        wanted = [
            f'{c} AS "{n.replace(chr(34), 2 * chr(34))}"' for n, c in columns.items() if n.lower() != _ROW
        ]
        row = f"((file_index << 40) + file_row_number)::BIGINT AS {_ROW}"
        of_file = f"{file} AS file({', '.join(columns.values())})"
        self._opened.read(f"CREATE VIEW {name} AS SELECT {', '.join([*wanted, row])} FROM {of_file}")
        return ibis.table(self._kinds(name), name=name)

    def _text(self, name: str, given: str) -> Table:
        separator, has_names = _separator(given)
        reader = f"read_csv(?, delim = '{separator}', header = {has_names}, all_varchar = true, quote = '\"')"
        self._opened.read(f"CREATE TABLE {name} AS SELECT * FROM {reader}", given)
        return self._held_table(name)

    def _kinds(self, table: str) -> dict[str, str]:
        found = self._opened.read(f"SELECT column_name AS name, column_type AS type FROM (DESCRIBE {table})")
        return {n: _kind(t) for n, t in zip(found["name"].tolist(), found["type"].tolist(), strict=True)}

    def _lying(self, given: str) -> list[tuple[object, ...]]:
        found = self._opened.read("SELECT filename, size, last_modified::VARCHAR FROM read_blob(?)", given)
        return [*zip(*(column.tolist() for column in found.values()), strict=True)]

    def keep(self, name: str, asked: Table) -> Table:
        with engine_errors_as_input_error(self.name):
            return self._opened.keep(name, asked)

    def keep_by_pair(self, name: str, ask: Callable[..., Table], *tables: Table) -> Table:
        with engine_errors_as_input_error(self.name):
            return self._opened.keep_by_pair(name, ask, *tables)

    def keep_read(self, tables: dict[str, Table]) -> list[Table]:
        with engine_errors_as_input_error(self.name):
            kept = self._opened.keep_numbered(tables)
            for given, lay in self._lay.items():
                if self._lying(given) != lay:
                    raise InputError("changing", file=short(given))
            self._opened.forget(*self._held)
            self._held.clear()
            return kept

    def put(self, name: str, given: Arrays) -> Table:
        kinds = {
            column: "int64" if values.dtype.kind == "i" else "string" for column, values in given.items()
        }
        table = self._opened.new(name, kinds)
        self._opened.add(name, f"SELECT {', '.join(kinds)} FROM given", given=given)
        return table

    def fetch(self, asked: Table) -> Arrays:
        with engine_errors_as_input_error(self.name):
            return self._opened.fetch(asked)


def _kind(of_duckdb: str) -> str:
    whole = {"TINYINT", "SMALLINT", "INTEGER", "BIGINT", "UTINYINT", "USMALLINT", "UINTEGER"}
    known = {"VARCHAR": "string", "DOUBLE": "float64", "FLOAT": "float32", "BOOLEAN": "boolean"}
    return "int64" if of_duckdb in whole else known.get(of_duckdb, "json")


# --- Spark -------------------------------------------------------------------------------------------------


def _on_spark(url: str, on_progress: Progress) -> Iterator[Engine]:
    if find_spec("pyspark") is None or find_spec("pyarrow") is None:
        raise InputError("engine-not-installed", engine=url, extra="spark")
    within_s = _STARTS_WITHIN_S if url.startswith("local") else ANSWERS_WITHIN_S
    with engine_errors_as_input_error(url):
        in_time(url, _java, _STARTS_WITHIN_S, on_progress)
        session = in_time(url, lambda: _session(url), within_s, on_progress)
    try:
        with engine_errors_as_input_error(url):
            in_time(url, lambda: session.range(1).count(), _WORKS_WITHIN_S, on_progress)
            engine = _Spark(session)
        yield engine
    finally:
        with suppress(Exception):
            in_time(url, session.stop, ANSWERS_WITHIN_S, lambda _: None)


def _java() -> bool:
    """Start the Java that talks to Spark."""
    from pyspark import SparkConf, SparkContext

    os.environ.setdefault("SPARK_LOG_LEVEL", "ERROR")
    # What it prints about a query that fails is a page of Java; the sentence says it.
    logging.getLogger("SQLQueryContextLogger").disabled = True
    SparkContext._ensure_initialized(conf=SparkConf())  # noqa: SLF001 - there is no other way to do just this
    return True


def _session(url: str) -> Any:
    from pyspark.sql import SparkSession

    builder = SparkSession.builder.master(url).appName("zebra count")
    settings = {
        "spark.ui.enabled": "false",
        "spark.log.level": "OFF",
        "spark.sql.ansi.enabled": "true",
        "spark.sql.session.timeZone": "UTC",
        "spark.sql.execution.arrow.pyspark.enabled": "true",
        "spark.ui.showConsoleProgress": "false",
    }
    if url.startswith("local"):
        settings |= {"spark.driver.bindAddress": "127.0.0.1", "spark.driver.host": "127.0.0.1"}
        settings |= {"spark.sql.shuffle.partitions": "8"}
    for name, value in settings.items():
        builder = builder.config(name, value)
    return builder.getOrCreate()


class _Spark(Engine):
    def __init__(self, session: Any) -> None:
        super().__init__(f"Spark {session.version}")
        self._session, self._views = session, 0
        self._ibis = ibis.pyspark.connect(session)

    def rows(self, given: str) -> Table:
        from pyspark.sql import functions

        with engine_errors_as_input_error(self.name):
            self.look_at(given, _lying_here(given) if is_path(given) else ())
            if not is_path(given):
                if "VIEW" in str(self._session.catalog.getTable(given).tableType).upper():
                    raise InputError("engine-view", file=self.name, found=given)
                frame = self._session.table(given)
            elif given.endswith(_AS_TABLE):
                frame = self._session.read.parquet(given)
            else:
                separator, has_names = _separator(given)
                text = self._session.read.option("mode", "FAILFAST").option("sep", separator)
                frame = text.option("header", has_names).option("enforceSchema", value=False).csv(given)
            self._views += 1
            view = f"zebra_given_{self._views}"
            # Kept, so that a row goes by one number however often it is asked for.
            frame.withColumn(_ROW, functions.monotonically_increasing_id()).persist().createTempView(view)
            return self._ibis.table(view)

    def keep(self, name: str, asked: Table) -> Table:  # noqa: ARG002 - it names it itself
        with engine_errors_as_input_error(self.name):
            return asked.cache()

    def put(self, name: str, given: Arrays) -> Table:
        import pandas as pd

        with engine_errors_as_input_error(self.name):
            self._session.createDataFrame(pd.DataFrame(given)).persist().createOrReplaceTempView(name)
            return self._ibis.table(name)

    def fetch(self, asked: Table) -> Arrays:
        with engine_errors_as_input_error(self.name):
            return _arrays(self._ibis.to_pandas(asked))


# --- whatever else Ibis knows ------------------------------------------------------------------------------


def _by_ibis(url: str, on_progress: Progress) -> Engine:
    kind = url.partition("://")[0]
    if "://" not in url or not re.fullmatch(r"[a-z0-9_+-]+", kind) or kind == "file":
        raise InputError("engine-unknown", found=url)
    with engine_errors_as_input_error(kind):
        try:
            return _OtherEngine(in_time(kind, lambda: ibis.connect(url), ANSWERS_WITHIN_S, on_progress))
        except ImportError as error:
            raise InputError("engine-not-installed-for-ibis", engine=kind) from error
        except ValueError as error:
            raise InputError("engine-unknown", found=kind) from error


class _OtherEngine(Engine):
    def __init__(self, opened: Any) -> None:
        super().__init__(f"{opened.name} {opened.version}")
        self._opened = opened

    def rows(self, given: str) -> Table:
        with engine_errors_as_input_error(self.name):
            self.look_at(given, _lying_here(given) if is_path(given) else ())
            if not is_path(given):
                if self._is_view(given):
                    raise InputError("engine-view", file=self.name, found=given)
                table = self._opened.table(given)
            elif given.endswith(_AS_TABLE):
                table = self._opened.read_parquet(given)
            else:
                table = self._opened.read_csv(given)
            return table.mutate(**{_ROW: ibis.row_number()}).cache()

    def _is_view(self, given: str) -> bool:
        """Whether the engine says so: most have a schema of information, as SQL has it."""
        with suppress(Exception):
            listed = self._opened.table("tables", database="information_schema").rename("snake_case")
            called = listed.filter(listed["table_name"] == given.rpartition(".")[2])
            return "VIEW" in " ".join(called.select("table_type").to_pandas()["table_type"]).upper()
        return False

    def keep(self, name: str, asked: Table) -> Table:  # noqa: ARG002 - it names it itself
        with engine_errors_as_input_error(self.name):
            return asked.cache()

    def put(self, name: str, given: Arrays) -> Table:
        import pandas as pd

        with engine_errors_as_input_error(self.name):
            return self._opened.create_table(name, pd.DataFrame(given), temp=True)

    def fetch(self, asked: Table) -> Arrays:
        with engine_errors_as_input_error(self.name):
            return _arrays(asked.to_pandas())


def _arrays(frame: Any) -> Arrays:
    return {str(name): np.asarray(frame[name].to_numpy()) for name in frame.columns}
