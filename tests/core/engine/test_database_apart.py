"""A database of somebody else hands over what its tables store; nothing that it says is run."""

import sqlite3
import sys
from contextlib import closing
from pathlib import Path
from types import ModuleType

import duckdb
import pytest

from zebra_core.engine import elsewhere
from zebra_core.errors import Cancelled, InputError
from zebra_core.intake.streaming.remote_counting import Counts, count_elsewhere

COLUMNS = "t(enrol, test, score, label)"
ROWS = f"(VALUES ('a', 'b', 1.5, 'target'), ('a', 'c', 0.5, 'nontarget')) {COLUMNS}"


def made(path: Path, *statements: str) -> str:
    if path.suffix == ".sqlite":
        with closing(sqlite3.connect(path)) as lite, lite:
            for statement in statements:
                lite.execute(statement)
        return f"sqlite://{path}"
    with duckdb.connect(str(path)) as database:
        for statement in statements:
            database.execute(statement)
    return f"duckdb://{path}"


def counted(url: str, table: str = "scores") -> Counts:
    return count_elsewhere(url, table, None)


@pytest.mark.parametrize("name", ["trials.duckdb", "trials.sqlite"])
def test_a_table_is_counted_and_no_file_is_changed_or_made(tmp_path, name) -> None:
    table = "CREATE TABLE scores (enrol VARCHAR, test VARCHAR, score DOUBLE, label VARCHAR)"
    rows = "INSERT INTO scores VALUES ('a', 'b', 1.5, 'target'), ('a', 'c', 0.5, 'nontarget')"
    url = made(tmp_path / name, table, rows)
    before = (tmp_path / name).read_bytes()
    found = counted(url)
    assert (found.counts.score.tolist(), found.counts.n_target.tolist()) == ([0.5, 1.5], [0, 1])
    assert found.record.engine == f"DuckDB {duckdb.__version__}"
    assert (tmp_path / name).read_bytes() == before
    assert [path.name for path in tmp_path.iterdir()] == [name]


def test_rows_that_lie_in_the_log_of_sqlite_are_counted_and_no_file_is_made_beside(tmp_path) -> None:
    path = tmp_path / "trials.sqlite"
    with closing(sqlite3.connect(path)) as open_:
        open_.execute("PRAGMA journal_mode = WAL")
        open_.execute("CREATE TABLE scores (enrol, test, score, label)")
        open_.execute("INSERT INTO scores VALUES ('a', 'b', 1.5, 'target')")
        open_.commit()
        given = {end: Path(f"{path}{end}").read_bytes() for end in ("", "-wal")}
    (tmp_path / "given").mkdir()
    for end, content in given.items():
        (tmp_path / "given" / f"trials.sqlite{end}").write_bytes(content)
    assert counted(f"sqlite://{tmp_path}/given/trials.sqlite").record.n_scores == 1
    names = sorted(one.name for one in (tmp_path / "given").iterdir())
    assert names == ["trials.sqlite", "trials.sqlite-wal"]


def test_ids_of_large_numbers_and_scores_of_any_kind_stay_what_they_are(tmp_path) -> None:
    ids = f"{2**100}::HUGEINT AS enrol, {2**100 + 1}::HUGEINT AS test"
    rows = f"SELECT {ids}, 1.10::DECIMAL(9, 2) AS score, 'target'::ENUM('target') AS label"
    url = made(tmp_path / "trials.duckdb", f"CREATE TABLE scores AS {rows}")
    found = counted(url)
    assert found.counts.score.tolist() == [1.1]
    assert found.record.self_comparisons == 0


def test_a_table_is_taken_though_a_view_of_another_schema_is_called_like_it(tmp_path) -> None:
    view = "CREATE VIEW other.scores AS SELECT 1"
    url = made(tmp_path / "t.duckdb", f"CREATE TABLE scores AS FROM {ROWS}", "CREATE SCHEMA other", view)
    assert counted(url).record.n_scores == 2
    with pytest.raises(InputError, match=r"“other\.scores” of t\.duckdb is a view"):
        counted(url, "other.scores")


LITE = "CREATE TABLE scores (enrol, test, score, label"


@pytest.mark.parametrize(
    ("name", "statements", "said"),
    [
        (
            "t.duckdb",
            [f"CREATE TABLE a AS FROM {ROWS}", f"CREATE SCHEMA s; CREATE TABLE s.b AS FROM {ROWS}"],
            "are: a, s.b",
        ),
        ("t.duckdb", ["CREATE TABLE scores (a INT, score AS (a + 1))"], "“score” of .* is computed whenever"),
        ("t.duckdb", ["CREATE MACRO scores() AS TABLE SELECT 1"], "has no table “scores”"),
        (
            "t.sqlite",
            [f"{LITE})", "ALTER TABLE scores RENAME TO b"],
            "has no table “scores”; its tables are: b",
        ),
        ("t.sqlite", ["CREATE VIEW scores AS SELECT 1"], "is a view, not a table"),
        (
            "t.sqlite",
            ["CREATE /* a */ VIRTUAL TABLE scores USING fts5(enrol, test, score)"],
            "is a view, not a table",
        ),
        (
            "t.sqlite",
            [f"{LITE}, other AS (hex(zeroblob(1000000000))))"],
            "“other” of .* is computed whenever",
        ),
        ("t.sqlite", [f"{LITE})", "INSERT INTO scores VALUES (x'ff', 'b', 1, 'target')"], "cannot do this"),
    ],
)
def test_what_is_not_stored_in_a_table_is_refused(tmp_path, name, statements, said) -> None:
    with pytest.raises(InputError, match=said):
        counted(made(tmp_path / name, *statements))


def test_a_database_whose_copy_takes_too_long_or_too_much_memory_is_a_sentence(tmp_path, monkeypatch) -> None:
    ids = "range::VARCHAR AS enrol, 'b' AS test, random() AS score, 'target' AS label"
    url = made(tmp_path / "t.duckdb", f"CREATE TABLE scores AS FROM range(3000000) SELECT {ids}")
    with monkeypatch.context() as short:
        short.setattr(elsewhere, "_WAIT_SECONDS", 0.0)
        short.setattr(elsewhere, "_BYTES_PER_WAIT", 1 << 40)
        with pytest.raises(InputError, match=r"t\.duckdb took longer than"):
            counted(url)
    monkeypatch.setattr(elsewhere, "_MEMORY", 8 << 20)
    monkeypatch.setattr(elsewhere, "_MEMORY_RATIO", 0)
    with pytest.raises(InputError, match=r"takes far more memory|crashes the database library"):
        counted(url)


def test_the_copy_ends_when_the_user_stops_it(tmp_path) -> None:
    def stop(_: float) -> None:
        raise Cancelled

    url = made(tmp_path / "t.duckdb", f"CREATE TABLE scores AS FROM {ROWS}")
    with pytest.raises(Cancelled):
        count_elsewhere(url, "scores", None, on_progress=stop)


def test_links_devices_and_pipes_are_refused_wherever_a_path_leads_to_them(tmp_path) -> None:
    given, mine = tmp_path / "given", tmp_path / "mine"
    for folder in (given, mine):
        folder.mkdir()
        (folder / "a.csv").write_text("enrol,test,score,label\na,b,1,target\na,c,0,nontarget\n")
    (given / "b.csv").symlink_to(mine / "a.csv")
    (given / "part").symlink_to(mine)
    (tmp_path / "called").symlink_to(given)
    for path in ("given/b.csv", "given/*.csv", "given/*/a.csv", "called/b.csv"):
        with pytest.raises(InputError, match=r"(b\.csv|part) in .* is a link, which leads to "):
            counted("duckdb", str(tmp_path / path))
    typed = f"{tmp_path}/called/a.csv"
    assert counted("duckdb", typed).led_to == {typed: (1, str(given.resolve()))}
    with pytest.raises(InputError, match="is not a regular file"):
        counted("duckdb", "/dev/zero")
    made(mine / "t.duckdb", f"CREATE TABLE scores AS FROM {ROWS}")
    (given / "t.duckdb").symlink_to(mine / "t.duckdb")
    with pytest.raises(InputError, match="is a link, which leads to"):
        counted(f"duckdb://{given}/t.duckdb")


def test_an_engine_elsewhere_reads_no_folder_with_a_link_and_no_view_that_it_knows(
    tmp_path, monkeypatch
) -> None:
    import ibis

    monkeypatch.setitem(sys.modules, "pyarrow_hotfix", ModuleType("pyarrow_hotfix"))  # it asks for it
    (tmp_path / "given").mkdir()
    (tmp_path / "given" / "deep").symlink_to("/etc")
    monkeypatch.chdir(tmp_path)
    open_ = ibis.duckdb.connect()
    open_.raw_sql(f"CREATE TABLE scores AS FROM {ROWS}; CREATE VIEW seen AS FROM scores")
    engine = elsewhere._OtherEngine(open_)
    with pytest.raises(InputError, match=r"“seen” of duckdb .* is a view, not a table"):
        engine.rows("seen")
    assert not engine._is_view("scores")
    with pytest.raises(InputError, match=r"deep in given is a link, which leads to /etc"):
        engine.rows("./given")
    open_.disconnect()
