"""Files without end: lines, columns and rows that are claimed, or never end, cost next to nothing."""

import io
import os
import struct
from dataclasses import replace
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, strategies as st

import zebra_core
from zebra_core.errors import InputError, ZebraError
from zebra_core.intake.opening import opening
from zebra_core.intake.opening.opening import LONGEST_LINE, OpenedFile, Source, open_file
from zebra_core.intake.sorting.plan import plan
from zebra_core.intake.tables.columns import MOST_COLUMNS, ColumnType, read_columns, read_rows, read_text
from zebra_core.intake.tables.table import Delimiter
from zebra_core.project.reading.reading import try_planned

GIGABYTE = 1 << 30
SCORES = "a x 1\na y 0.5\nb x 0.25\nb y 2.5\n"
KEY = "a x target\na y nontarget\nb x nontarget\nb y target\n"
TOO_WIDE = (
    "scores has lines of more than 100\N{NARROW NO-BREAK SPACE}000 columns, too many for a list or a "
    "matrix of scores. Give a list of trials, one per line."
)


@pytest.fixture
def key(tmp_path: Path) -> Path:
    path = tmp_path / "key"
    path.write_text(KEY)
    return path


def refusal(scores: Path, key: Path | None) -> str:
    with pytest.raises(ZebraError) as caught:
        zebra_core.read_trials(scores, key)
    return str(caught.value)


@pytest.mark.parametrize(
    ("beginning", "said"),
    [
        (b"", "scores, line 1: found the byte 0x00, so this is not a text file."),
        (
            b"x" * (LONGEST_LINE + 1),
            "scores, line 1: this line is longer than 8 MB, too long for a list",
        ),
        (
            SCORES.encode() + b"x" * LONGEST_LINE,
            "scores, line 5: found the byte 0x00, so this is not a text file.",
        ),
    ],
)
def test_a_line_of_a_gigabyte_is_refused_by_its_beginning(
    tmp_path: Path, key: Path, monkeypatch: pytest.MonkeyPatch, beginning: bytes, said: str
) -> None:
    scores = tmp_path / "scores"
    scores.write_bytes(beginning)
    os.truncate(scores, GIGABYTE)
    taken: list[int] = []

    class Counting(io.FileIO):
        def read(self, size: int | None = -1, /) -> bytes:
            taken.append(size or 0)
            return super().read(size)  # type: ignore[arg-type]

    monkeypatch.setattr(opening, "open_regular", lambda path, _name: Counting(path))
    assert refusal(scores, key).startswith(said)
    assert sum(taken) <= 128 << 20


def test_large_arrays_have_no_lines_and_are_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(opening, "_AT_ONCE", LONGEST_LINE + 100)
    np.savez(tmp_path / "both.npz", scores=np.zeros(1 << 21), labels=np.arange(1 << 21) % 2)
    assert open_file(tmp_path / "both.npz").size > 3 * LONGEST_LINE
    np.save(tmp_path / "zeros.npy", np.zeros(1 << 21))
    assert len(open_file(tmp_path / "zeros.npy").content) == (1 << 24) + 128


@pytest.mark.parametrize("delimiter", [" ", "\t", ",", ";"])
def test_ten_million_columns_are_not_even_taken_apart(tmp_path: Path, key: Path, delimiter: str) -> None:
    scores = tmp_path / "scores"
    scores.write_text((f"a{delimiter}" * 4_000_000 + "\n") * 2)  # as many as a line may have bytes for
    assert refusal(scores, key) == TOO_WIDE
    scores.write_text(f"a{delimiter}" * 10_000_000)
    assert refusal(scores, key).startswith("scores, line 1: this line is longer than 8 MB")


def test_a_line_that_widens_later_is_told_with_its_number(tmp_path: Path, key: Path) -> None:
    scores = tmp_path / "scores"
    scores.write_text(SCORES * 10_000 + "a " * 1_000_000 + "\n" + SCORES * 10_000)
    assert refusal(scores, key).startswith("scores, line 40001: found 1000000 columns in “a a a a")


def test_a_wide_matrix_is_read_at_once(tmp_path: Path) -> None:
    width = 20_000
    names = [f"s{n}" for n in range(width)]
    path = tmp_path / "matrix"
    rows = (f"{name}\t" + "\t".join(["0.5"] * width) for name in names[:3])
    path.write_text("\t" + "\t".join(names) + "\n" + "\n".join(rows) + "\n")
    trials = zebra_core.read_trials(path, choices={"speakers": "whole-id"})
    assert len(trials) == 3 * width
    assert np.asarray(trials.score).tolist() == [0.5] * 3 * width
    assert np.flatnonzero(trials.is_target).tolist() == [0, width + 1, 2 * width + 2]


def test_a_name_twice_among_very_many_is_found(tmp_path: Path) -> None:
    names = [*(f"s{n}" for n in range(50_000)), "s7"]
    path = tmp_path / "matrix"
    rows = (f"{name}," + ",".join(["0.5"] * len(names)) for name in names[:3])
    path.write_text("," + ",".join(names) + "\n" + "\n".join(rows) + "\n")
    assert refusal(path, None).startswith("matrix, line 1: the id “s7” heads two rows or columns")


CELLS = st.sampled_from(
    [
        "1",
        "-0.5",
        "1e3",
        "inf",
        "nan",
        "true",
        "1e400",
        "",
        " 2",
        "2 ",
        "x",
        "1_0",
        "0x1",
        '"3"',
        "1,5",
        "٣",
        "-",
    ]
)
NAMES = st.sampled_from(["a", "b c", " d", "", "é", '"q"', "\x01", "\u00a0"])


@given(
    rows=st.lists(st.tuples(NAMES, st.lists(CELLS, min_size=2, max_size=3)), min_size=1, max_size=4),
    delimiter=st.sampled_from(list(Delimiter)),
    line_end=st.sampled_from(["\n", "\r\n", "\r"]),
    decimal_comma=st.booleans(),
    quoted=st.booleans(),
)
def test_rows_are_read_as_columns_are(
    rows: list[tuple[str, list[str]]],
    delimiter: Delimiter,
    line_end: str,
    decimal_comma: bool,
    quoted: bool,
) -> None:
    content = line_end.join(delimiter.value.join([name, *cells]) for name, cells in rows).encode()
    if not content.strip():
        return
    quoted = quoted and delimiter is not Delimiter.BLANKS  # as it is told of no file
    file = OpenedFile(Source(Path("m")), content, len(content), "")
    text = read_text(replace(file, content=b"a 1 2\n"))
    text = replace(
        text,
        content=content,
        dialect=replace(text.dialect, delimiter=delimiter, decimal_comma=decimal_comma, quoted=quoted),
    )
    ways = []
    for read in (
        lambda: read_columns(text, [ColumnType.ID, ColumnType.NUMBER, ColumnType.NUMBER]),
        lambda: read_rows(text, 3),
    ):
        try:
            ids, *numbers = read()
            columns = numbers if len(numbers) == 2 else numbers[0].T
            ways.append((ids.names, ids.codes.tolist(), [[repr(x) for x in c.tolist()] for c in columns]))
        except InputError as error:
            ways.append(str(error))
    assert ways[0] == ways[1]


def test_a_header_of_two_thousand_million_rows_is_not_believed(tmp_path: Path, key: Path) -> None:
    stream = io.BytesIO()
    np.lib.format.write_array_header_1_0(
        stream, {"descr": "<f8", "fortran_order": False, "shape": (1 << 31,)}
    )
    path = tmp_path / "scores.npy"
    path.write_bytes(stream.getvalue() + bytes(800))
    assert refusal(path, key).startswith("scores.npy is not a complete NumPy file")


def test_parquet_that_claims_two_thousand_million_rows_is_not_believed(tmp_path: Path) -> None:
    stream = io.BytesIO()
    table = {"enrol": ["a"] * 77, "test": ["b"] * 77, "score": [0.5] * 77, "label": ["target"] * 77}
    pq.write_table(pa.table(table), stream)
    content = stream.getvalue()
    (length,) = struct.unpack("<I", content[-8:-4])
    before, footer = content[: -8 - length], content[-8 - length : -8]
    footer = footer.replace(b"\x9a\x01", b"\x80\x80\x80\x80\x10", 1)  # 77 and 2³¹ as Thrift writes them
    path = tmp_path / "scores.parquet"
    path.write_bytes(before + footer + struct.pack("<I", len(footer)) + b"PAR1")
    assert pq.ParquetFile(path).metadata.num_rows == 1 << 31
    assert refusal(path, None).startswith(
        "scores.parquet claims to have 2\u202f147\u202f483\u202f648 rows, but contains "
    )


def test_runs_of_equal_rows_that_parquet_packs_into_nothing_are_a_bomb(tmp_path: Path) -> None:
    rows = pa.table({"score": np.zeros(1 << 20), "label": ["target", "nontarget"] * (1 << 19)})
    path = tmp_path / "rows.parquet"
    with pq.ParquetWriter(path, rows.schema, compression="zstd", write_statistics=False) as writer:
        for _ in range(16):
            writer.write_table(rows)
    assert path.stat().st_size < 250_000
    assert refusal(path, None).startswith("rows.parquet unpacks to more than 400 times its size")


def test_an_id_that_parquet_packs_into_nothing_is_a_bomb(tmp_path: Path) -> None:
    table = {"enrol": ["a" * (1 << 26), "b"], "test": ["x", "y"], "score": [1.0, 2.0], "label": ["1", "0"]}
    path = tmp_path / "id.parquet"
    pq.write_table(pa.table(table), path, compression="zstd", write_statistics=False)
    assert path.stat().st_size < 100_000
    assert refusal(path, None).startswith(
        "id.parquet needs far more memory to unpack than a file of its size should"
    )


def test_a_surrogate_in_an_id_makes_it_windows_1252_as_all_that_is_no_utf_8(tmp_path: Path) -> None:
    scores, key = tmp_path / "scores", tmp_path / "key"
    scores.write_bytes(SCORES.encode().replace(b"a ", b"\xed\xa0\x80 "))
    key.write_bytes(KEY.encode().replace(b"a ", b"\xed\xa0\x80 "))
    trials = zebra_core.read_trials(scores, key)
    assert trials.enrol is not None
    assert trials.enrol.names == ("í\u00a0€", "b")


@pytest.mark.parametrize("change", [b"c x 7\n", b""])
@pytest.mark.parametrize("choices", [{}, {"streaming": "yes"}])
def test_a_file_that_changes_while_it_is_read_is_a_sentence(
    tmp_path: Path, key: Path, monkeypatch: pytest.MonkeyPatch, change: bytes, choices: dict[str, str]
) -> None:
    scores = tmp_path / "scores"
    scores.write_text(SCORES)
    made = plan([scores, key], choices)
    (planned,) = made.assessments

    opened = opening.open_regular

    def open_and_change(path: Path, name: str = "") -> object:
        file = opened(path, name)
        if path == scores and not choices:
            seen = os.fstat(file.fileno())
            monkeypatch.setattr(opening.os, "fstat", lambda _descriptor: seen)
            scores.write_bytes(scores.read_bytes() + change if change else b"a x 1\n")
        return file

    if choices:
        scores.write_bytes(scores.read_bytes() + change if change else b"a x 1\n")
    monkeypatch.setattr(opening, "open_regular", open_and_change)
    tried = try_planned(planned)
    assert str(tried.failure) == (
        "scores was changed while it was being read. Wait until it is complete, then give it again."
    )


def test_the_widest_row_is_looked_at() -> None:
    content = b"a " * (MOST_COLUMNS - 1) + b"a\n"
    file = OpenedFile(Source(Path("m")), content, len(content), "")
    assert len(read_text(file).sample[0].cells) == MOST_COLUMNS
    with pytest.raises(InputError, match="more than 100\u202f000 columns"):
        read_text(replace(file, content=b"a " + content))
