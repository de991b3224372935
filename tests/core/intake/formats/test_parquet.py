"""Parquet from somebody else: its library may crash over it or never end, the program may not."""

import io
import json
import struct
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import zebra_core
from fuzz import thrift
from zebra_core.errors import Cancelled, InputError
from zebra_core.intake.formats import columns_process, parquet
from zebra_core.intake.formats.recognising import recognise
from zebra_core.intake.opening import packing
from zebra_core.intake.opening.opening import OpenedFile, Source
from zebra_core.intake.tables.table import Table
from zebra_core.runtime import apart, bounds_apart
from zebra_core.runtime.progress import LastUsed

ROW = {"enrol": ["a"], "test": ["b"], "score": [0.5], "label": ["target"]}
HOSTILE = (
    "scores.parquet crashes the Parquet library, as a damaged or a malicious file can. Nothing of it was "
    "kept. Write it again, or give the scores as text."
)
TOO_MUCH = (
    "scores.parquet unpacks to more than 400 times its size, as score files never do. If you trust it, say "
    "so in the window or with --unpack, or give its contents as plain text."
)
MEMORY = (
    "scores.parquet needs far more memory to unpack than a file of its size should. Write it with smaller "
    "pages and row groups, or give the scores as text."
)


def made(columns: dict[str, Any], **options: Any) -> bytes:
    stream = io.BytesIO()
    pq.write_table(pa.table(columns), stream, **options)
    return stream.getvalue()


def opened(content: bytes) -> OpenedFile:
    return OpenedFile(Source(Path("scores.parquet")), content, len(content), "")


def read(content: bytes) -> Table:
    found = recognise(opened(content))
    table = found.read(reading=found.readings[0])
    assert isinstance(table, Table)
    return table


def refusal(content: bytes) -> str:
    with pytest.raises(InputError) as caught:
        read(content)
    return str(caught.value)


def with_footer(content: bytes, change: Any) -> bytes:
    """With the fields of the footer changed."""
    (length,) = struct.unpack("<I", content[-8:-4])
    fields, _ = thrift.parse(content[-8 - length : -8])
    change(fields)
    footer = thrift.made(fields)
    return content[: -8 - length] + footer + struct.pack("<I", len(footer)) + b"PAR1"


def programmed(monkeypatch: pytest.MonkeyPatch, folder: Path, program: str) -> None:
    """Read Parquet with another program."""
    (folder / "program.py").write_text(program)
    monkeypatch.setattr(columns_process, "_PROGRAM", folder / "program.py")


def constant(count: int, text: str) -> pa.DictionaryArray:
    return pa.DictionaryArray.from_arrays(pa.array(np.zeros(count, "i4")), pa.array([text]))


# --- the library -------------------------------------------------------------------------------------------


def test_a_footer_that_ended_the_process_of_another_library_does_no_harm() -> None:
    def with_a_histogram(fields: list[Any]) -> None:
        group = thrift.field(fields, 4)[1][0]
        meta = thrift.field(thrift.field(group, 1)[1][0], 3)
        statistics = [[3, thrift.LIST, [thrift.I64, [1, 2, 3, 4]]]]  # of levels that the column does not have
        meta[:] = [one for one in meta if one[0] != 16] + [[16, thrift.STRUCT, statistics]]

    table = read(with_footer(made(ROW), with_a_histogram))
    assert table.score is not None
    assert table.score.tolist() == [0.5]


@pytest.mark.parametrize("death", ["import ctypes; ctypes.string_at(0)", "raise MemoryError"])
def test_a_file_that_crashes_its_library_is_a_sentence(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, death: str
) -> None:
    programmed(monkeypatch, tmp_path, death)
    assert refusal(made(ROW)) == HOSTILE


def test_a_file_that_keeps_its_library_busy_is_a_sentence(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(columns_process, "_WAIT_SECONDS", 0.3)
    programmed(monkeypatch, tmp_path, "while True: pass")
    assert "took longer than" in refusal(made(ROW))


def test_the_process_may_not_use_more_of_a_processor_than_its_file_is_worth(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    bounds = Path(bounds_apart.__file__).read_text()
    programmed(monkeypatch, tmp_path, f"{bounds}\nlimit_time(0.0)\nwhile True: pass")
    monkeypatch.setattr(columns_process, "_WAIT_SECONDS", 1e6)
    assert "The computer may be slow or busy with other work, or the file may be" in refusal(made(ROW))


def message(head: object, arrays: bytes = b"") -> bytes:
    encoded = json.dumps(head).encode()
    return len(encoded).to_bytes(8, "little") + encoded + arrays


HEAD = message({"names": ["enrol", "test", "score"], "rows": 1, "record": ""})


def column(**said: object) -> dict[str, object]:
    return {"type": "double", "dtype": "<f8", "shape": [1], **said}


@pytest.mark.parametrize(
    "said",
    [
        b"",
        b"nonsense, and more of it than there are bytes in a number",
        message([]),
        message({"end": True}),
        message({"names": 1, "rows": 1}),
        message({"names": ["enrol", "test", "score"], "rows": -1}),
        message({"names": ["enrol", "test", "score"], "rows": 1, "record": ""})[:-1],
        HEAD,
        HEAD + message({"count": 1, "columns": []}),
        HEAD + message({"count": 1 << 40, "columns": [column()] * 3}),
        HEAD + message({"count": 1, "columns": [column(shape=[2])] * 3}, bytes(48)),
        HEAD + message({"count": 1, "columns": [column(dtype="O")] * 3}, bytes(24)),
        HEAD + message({"count": 1, "columns": [column()] * 3}, bytes(23)),
        HEAD + message({"count": 1, "columns": [column(dtype="<i4", texts=[])] * 3}, bytes(12)),
        HEAD + message({"count": 1, "columns": [column(dtype="<i4", texts=["a"])] * 3}, b"\xff" * 12),
        HEAD + message({"count": 1, "columns": [column(dtype="<i4", texts=[1])] * 3}, bytes(12)),
        HEAD + message({"count": 1, "columns": [column(null=1)] * 3}),
        HEAD + message({"count": 1, "columns": 3}),
        HEAD + (100_000).to_bytes(8, "little") + b"[" * 100_000,
        HEAD + message({"end": True}, b"and more"),
    ],
)
def test_nothing_that_the_process_says_is_trusted(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, said: bytes
) -> None:
    programmed(monkeypatch, tmp_path, f"import sys; sys.stdout.buffer.write({said!r})")
    assert refusal(made(ROW)) in (HOSTILE, TOO_MUCH)


def test_what_is_said_of_another_file_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    file = opened(made(ROW))
    found = recognise(file)
    columns_process._HEADS[file] = columns_process.ColumnsHeader(("enrol", "test", "score", "label"), 2)
    with pytest.raises(InputError, match=r"^scores.parquet was changed while it was being read"):
        found.read(reading=found.readings[0])


def test_the_user_can_stop_it(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    file = opened(made(ROW))
    found = recognise(file)
    programmed(monkeypatch, tmp_path, "while True: pass")

    def stop(_share: float) -> None:
        raise Cancelled

    with pytest.raises(Cancelled):
        found.read(stop, found.readings[0])


@pytest.mark.parametrize("python", ["", None])
def test_where_no_process_can_be_started_it_is_said(
    monkeypatch: pytest.MonkeyPatch, python: str | None
) -> None:
    monkeypatch.setattr("sys.executable", python)
    assert refusal(made(ROW)).startswith(
        "Files that could crash the program are read in a separate process, and the system cannot start one"
    )


@pytest.mark.parametrize("name", ["file_row_number", "filename", 'c"0', "SCORE"])
def test_a_column_beside_may_be_called_as_the_engine_calls_its_own(name: str) -> None:
    table = read(made({**{key: values * 3 for key, values in ROW.items()}, name: [7, 8, 9]}))
    assert table.score is not None
    assert table.score.tolist() == [0.5] * 3
    assert [example.text for example in table.examples([2])] == ["a b 0.5 target"]


# --- what is small and claims, or unpacks to, much ---------------------------------------------------------
# Nobody looks at the statistics of large columns here, which take most of the time of writing them.


def test_millions_of_equal_rows_in_a_few_bytes_are_refused() -> None:
    count = 1 << 22
    ids = {"enrol": constant(count, "a"), "test": constant(count, "b"), "label": constant(count, "target")}
    content = made({**ids, "score": np.zeros(count)})
    assert len(content) < 1 << 17
    assert refusal(content) == TOO_MUCH


@pytest.mark.parametrize(
    "make_texts",
    [
        pytest.param(lambda: ["x" * (70 << 20)], id="one of 70 MB"),
        pytest.param(lambda: [f"{n}{'x' * 50_000}" for n in range(4000)], id="many long ones"),
    ],
)
def test_texts_that_unpack_to_very_much_are_refused(make_texts: Callable[[], list[str]]) -> None:
    texts = make_texts()
    columns = {"enrol": texts, "test": ["x"] * len(texts), "score": np.zeros(len(texts))}
    content = made(columns, compression="zstd", use_dictionary=False, write_statistics=False)
    assert len(content) < 1 << 20
    assert refusal(content) in (TOO_MUCH, MEMORY)


def test_lists_of_millions_in_one_row_are_refused() -> None:
    values = pa.array(np.zeros(1 << 25))
    lists = pa.ListArray.from_arrays([0, 1 << 25], values)
    content = made({"enrol": ["a"], "test": ["b"], "score": lists}, write_statistics=False)
    assert len(content) < 1 << 17
    assert refusal(content) == MEMORY


def test_lists_in_lists_and_very_many_columns_cost_nothing() -> None:
    nested: Any = pa.array([1.0])
    for _ in range(60):
        nested = pa.ListArray.from_arrays([0, 1], nested)
    assert "nested" in refusal(made({"enrol": ["a"], "test": ["b"], "score": nested}))
    assert "more than 10000 columns" in refusal(made({f"c{n}": [1] for n in range(20_000)}))


def test_a_column_of_a_row_group_larger_than_is_bearable_is_refused() -> None:
    def claim(fields: list[Any]) -> None:
        for chunk in thrift.field(thrift.field(fields, 4)[1][0], 1)[1]:
            next(one for one in thrift.field(chunk, 3) if one[0] == 6)[2] = (1 << 30) + 1

    assert refusal(with_footer(made(ROW), claim)) == (
        "scores.parquet has more than 1 GiB in one column of one row group. Write it with smaller row groups."
    )


def test_what_does_not_fit_into_memory_at_all_is_told_to_be_read_in_pieces(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(packing, "MOST_BYTES", 100)
    columns = {"enrol": ["a"] * 99, "test": ["b"] * 99, "score": [0.5] * 99}
    assert refusal(made(columns)).startswith(
        "scores.parquet unpacks to more than 0 GiB. Have it read piece by"
    )


# --- rows --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("claimed", "found"), [(3, 2), (1, 2), (1 << 31, 2)])
def test_a_file_that_does_not_hold_as_many_rows_as_it_says_is_refused(claimed: int, found: int) -> None:
    def claim(fields: list[Any]) -> None:
        next(one for one in fields if one[0] == 3)[2] = claimed

    content = with_footer(made({name: values * found for name, values in ROW.items()}), claim)
    said = f"{claimed:,}".replace(",", "\u202f")
    assert refusal(content) == (
        f"scores.parquet claims to have {said} rows, but contains {found}. Write it again."
    )


def test_a_file_without_rows_is_empty() -> None:
    texts = pa.array([], pa.string())
    columns = {"enrol": texts, "test": texts, "score": pa.array([], pa.float64())}
    assert refusal(made(columns)).startswith("scores.parquet is empty.")


def test_row_groups_batches_and_dictionaries_do_not_matter(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(columns_process, "ROWS", 7)
    rng = np.random.default_rng(2)
    columns = {
        "enrol": [f"s{n}" for n in rng.integers(0, 9, 100)],
        "test": [f"t{n}é" for n in rng.integers(0, 50, 100)],
        "score": rng.normal(size=100),
        "label": ["target" if n else "nontarget" for n in rng.integers(0, 2, 100)],
    }
    for options in ({}, {"row_group_size": 13}, {"use_dictionary": False, "data_page_version": "2.0"}):
        table = read(made(columns, **options))
        assert table.enrol is not None
        assert table.test is not None
        assert table.score is not None
        assert table.is_target is not None
        assert [table.enrol.names[code] for code in table.enrol.codes] == columns["enrol"]
        assert [table.test.names[code] for code in table.test.codes] == columns["test"]
        assert table.score.tolist() == columns["score"].tolist()
        assert [("nontarget", "target")[one] for one in table.is_target.tolist()] == columns["label"]
        assert [example.text for example in table.examples([99, 3])] == [
            " ".join(str(values[row]) for values in columns.values()) for row in (99, 3)
        ]


def test_rows_are_shown_by_one_pass_and_none_is_made_up() -> None:
    file = opened(made({name: values * 5 for name, values in ROW.items()}))
    [first, second] = parquet.find(file, 2, [1, 0])
    assert (first.line, second.line, first.text) == (4, 3, "a b 0.5 target")
    with pytest.raises(InputError, match="have 5 rows, but contains"):
        parquet.find(file, 0, [5])


@pytest.mark.parametrize(
    ("ids", "names"),
    [
        (pa.array([7, 9, 7]), ("7", "9")),
        (pa.array([7, 9, 7]).dictionary_encode(), ("7", "9")),
        (pa.array([True, False, True]), ("True", "False")),
        (pa.array(["x", "y", "x"], pa.large_string()), ("x", "y")),
        (pa.array(["x", "y", "x"], pa.string_view()), ("x", "y")),
        (pa.array(["x", "y", "x"]).dictionary_encode(), ("x", "y")),
    ],
)
def test_ids_are_texts_of_any_kind_or_whole_numbers(ids: Any, names: tuple[str, ...]) -> None:
    table = read(made({"enrol": ids, "test": ids, "score": [1.0, 2.0, 3.0]}))
    assert table.enrol is not None
    assert table.enrol.names == names
    assert table.enrol.codes.tolist() == [0, 1, 0]


@pytest.mark.parametrize(
    ("ids", "said"),
    [
        (pa.array([b"x"]), "binary"),
        (pa.array([b"x"]).dictionary_encode(), "binary"),
        (pa.array([0.5]), "double"),
        (pa.array([["x"]]), "string[]"),
    ],
)
def test_ids_of_other_kinds_are_refused(ids: Any, said: str) -> None:
    assert refusal(made({"enrol": ids, "test": ["b"], "score": [1.0]})).startswith(
        f"scores.parquet: the column enrol contains {said}"
    )


@pytest.mark.parametrize("kind", ["i1", "u2", "i4", "u8", "f2", "f4", "f8"])
def test_scores_of_every_width_are_read_as_they_are(kind: str) -> None:
    score = np.array([0, 3, 100], kind)
    table = read(made({"enrol": ["a", "b", "c"], "test": ["a", "b", "c"], "score": score}))
    assert table.score is not None
    assert table.score.dtype == np.float64
    assert table.score.tolist() == [0.0, 3.0, 100.0]


def test_a_name_of_a_file_that_is_no_unicode_does_not_matter(tmp_path: Path) -> None:
    path = tmp_path / "scores\udcff.parquet"
    path.write_bytes(
        made({"enrol": ["a", "a"], "test": ["b", "c"], "score": [1, 0], "label": ["tar", "non"]})
    )
    trials = zebra_core.read_trials(path, choices={"streaming": "yes"})
    assert isinstance(trials, zebra_core.CountedTrials)
    assert trials.counts.total_target == 1


def test_a_small_file_is_taken_apart_once_however_often_it_is_looked_into(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    asked: list[list[int]] = []
    started = apart._started

    def counting(program: Path, arguments: list[str], given: Any) -> Any:
        asked.append(json.loads(arguments[0])["columns"])
        return started(program, arguments, given)

    monkeypatch.setattr(apart, "_started", counting)
    monkeypatch.setattr(columns_process, "_KEPT", LastUsed(1 << 20))
    columns = {"enrol": ["a", "a"], "test": ["b", "c"], "score": [1.5, 0.5], "label": ["tar", "non"]}
    (tmp_path / "scores.parquet").write_bytes(made(columns))
    trials = zebra_core.read_trials(tmp_path / "scores.parquet")
    assert np.asarray(trials.score).tolist() == [1.5, 0.5]
    assert asked == [[], [0, 1, 2, 3]]
    (tmp_path / "scores.parquet").write_bytes(made({**columns, "score": [2.5, 0.5]}))
    trials = zebra_core.read_trials(tmp_path / "scores.parquet")
    assert np.asarray(trials.score).tolist() == [2.5, 0.5]
    assert asked == [[], [0, 1, 2, 3]] * 2
