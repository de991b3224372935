"""HDF5 from somebody else: its library may crash over it or never end, the program may not."""

import io
import json
import re
from pathlib import Path
from typing import Any

import h5py
import numpy as np
import pytest

from zebra_core.errors import InputError
from zebra_core.intake.formats import columns_process
from zebra_core.intake.formats.recognising import recognise
from zebra_core.intake.opening.opening import OpenedFile, Source
from zebra_core.intake.tables.table import Table
from zebra_core.runtime import apart

MUSEUM = Path(__file__).parents[3] / "data" / "intake"
HOSTILE = (
    "scores.h5 crashes the HDF5 library, as a damaged or a malicious file can. Nothing of it was read. Save "
    "it again, or give the scores as text."
)
TOO_MUCH = (
    "scores.h5 unpacks to more than 400 times its size, as score files never do. If you trust it, say so in "
    "the window or with --unpack, or give its contents as plain text."
)


def read(content: bytes) -> Table:
    file = OpenedFile(Source(Path("scores.h5")), content, len(content), "")
    found = recognise(file)
    table = found.read(reading=found.readings[0])
    assert isinstance(table, Table)
    return table


def refusal(content: bytes) -> str:
    with pytest.raises(InputError) as caught:
        read(content)
    return str(caught.value)


def changed(name: str, **bytes_at: int) -> bytes:
    content = bytearray((MUSEUM / name).read_bytes())
    for at, value in bytes_at.items():
        content[int(at.removeprefix("at_"))] = value
    return bytes(content)


def made(**sets: Any) -> bytes:
    stream = io.BytesIO()
    with h5py.File(stream, "w") as file:
        for name, value in sets.items():
            file.create_dataset(name, **(value if isinstance(value, dict) else {"data": value}))
    return stream.getvalue()


def message(head: object, arrays: bytes = b"") -> bytes:
    encoded = json.dumps(head).encode()
    return len(encoded).to_bytes(8, "little") + encoded + arrays


@pytest.mark.parametrize(
    "content",
    [
        pytest.param(changed("pybosaris-key.h5", at_1305=0), id="one byte of a key"),
        pytest.param(changed("dca-plda-scores.h5", at_1240=80), id="one byte of scores"),
    ],
)
def test_a_file_that_keeps_its_library_busy_for_ever_is_a_sentence(
    monkeypatch: pytest.MonkeyPatch, content: bytes
) -> None:
    monkeypatch.setattr(columns_process, "_CPU_SECONDS", 0.0)
    assert re.fullmatch(
        r"scores.h5 took longer than \d+ s and was given up. The computer may be slow or busy with other "
        "work, or the file may be made to take so long. Close other programs and try again; if it takes too "
        "long again, give the file in another form.",
        refusal(content),
    )


@pytest.mark.parametrize("death", ["import ctypes; ctypes.string_at(0)", "raise MemoryError"])
def test_a_file_that_crashes_its_library_is_a_sentence(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, death: str
) -> None:
    program = tmp_path / "dies.py"
    program.write_text(death)
    monkeypatch.setattr(columns_process, "_PROGRAM", program)
    assert refusal((MUSEUM / "bosaris-key.h5").read_bytes()) == HOSTILE


HEAD = message({"names": ["ID/row_ids", "ID/column_ids", "trial_mask"], "rows": 0, "record": ""})


def data_set(**said: object) -> bytes:
    return message({"count": 0, "columns": [{"type": "", "dtype": "<f8", "shape": [1], **said}]}, bytes(8))


@pytest.mark.parametrize(
    "said",
    [
        b"",
        b"nonsense, and more of it",
        message([]),
        message({}),
        message({"names": 1, "rows": 0, "record": ""}),
        HEAD,
        HEAD + message({"end": True}),
        HEAD + message({"count": 0, "columns": []}),
        HEAD + data_set(),
        HEAD + data_set(dtype="O"),
        HEAD + data_set(shape=[200]),
        HEAD + data_set(shape=[-3, -1]),
        HEAD + data_set(texts=1),
        HEAD + (100_000).to_bytes(8, "little") + b"[" * 100_000,
    ],
)
def test_nothing_that_the_process_says_is_trusted(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, said: bytes
) -> None:
    program = tmp_path / "lies.py"
    program.write_text(f"import sys; sys.stdout.buffer.write({said!r})")
    monkeypatch.setattr(columns_process, "_PROGRAM", program)
    assert refusal((MUSEUM / "bosaris-key.h5").read_bytes()) in (HOSTILE, TOO_MUCH)


def test_ids_that_are_neither_texts_nor_numbers_are_not_even_loaded() -> None:
    # Two bytes make sequences of the texts, whose lengths lead the library out of its memory.
    content = changed("bosaris-key.h5", at_857=40, at_1103=158)
    assert refusal(content) == (
        "scores.h5 contains ID/column_ids, ID/row_ids and trial_mask, which are not known data sets of "
        "scores or keys. Give the scores as text."
    )


def test_what_claims_two_thousand_million_rows_costs_nothing() -> None:
    names = {"model_names": [b"a"], "test_names": {"shape": (1 << 31,), "dtype": "i8", "chunks": (1 << 10,)}}
    content = made(**names, scores={"shape": (1, 1 << 31), "dtype": "f8", "chunks": (1, 1 << 10)})
    assert len(content) < 10_000
    assert refusal(content).startswith("scores.h5 unpacks to more than 400 times its size")


def test_a_long_text_that_is_repeated_is_counted_as_often() -> None:
    stream = io.BytesIO()
    with h5py.File(stream, "w") as file:
        ids = file.create_dataset("model_names", (2_000,), f"S{60_000}", chunks=(10,), compression="gzip")
        ids[0] = b"x"
        file["test_names"], file["scores"] = [b"y"], np.zeros((2_000, 1))
    assert refusal(stream.getvalue()).startswith("scores.h5 unpacks to more than 400 times its size")


def test_more_data_sets_than_anybody_has_are_not_looked_at() -> None:
    stream = io.BytesIO()
    with h5py.File(stream, "w") as file:
        one = h5py.h5s.create(h5py.h5s.SCALAR)
        for n in range(10_001):
            h5py.h5d.create(file.id, b"set-%d" % n, h5py.h5t.NATIVE_DOUBLE, one)
    assert refusal(stream.getvalue()) == (
        "scores.h5 is not a complete HDF5 file: more than 10000 data sets. Save it again."
    )


def test_numbers_may_be_ids_and_scores_of_any_width() -> None:
    content = made(
        model_names=np.array([[7], [9]]), test_names=[b"x", b"\xff"], scores=np.ones((2, 2), np.longdouble)
    )
    table = read(content)
    assert table.enrol is not None
    assert table.test is not None
    assert table.score is not None
    assert (table.enrol.names, table.test.names) == (("7", "9"), ("x", "\N{REPLACEMENT CHARACTER}"))
    assert table.score.tolist() == [1.0] * 4


def test_a_file_on_its_side_or_of_the_wrong_shape() -> None:
    names = {"model_names": [b"a", b"b"], "test_names": [b"x", b"y", b"z"]}
    table = read(made(**names, scores=np.arange(6.0).reshape(3, 2)))
    assert table.score is not None
    assert table.score.tolist() == [0.0, 2.0, 4.0, 1.0, 3.0, 5.0]
    assert refusal(made(**names, scores=np.zeros((2, 2)))) == (
        "scores.h5: scores is not a matrix of 2 × 3 numbers, as the ids require. Save it again."
    )
    assert "is not a matrix of 2 × 3" in refusal(made(**names, scores=[b"text"]))
    twice = {**names, "model_names": [b"a", b"a"]}
    assert "the id “a” is listed twice" in refusal(made(**twice, scores=np.zeros((2, 3))))


def test_where_there_is_no_library_nothing_is_started_and_the_extra_is_named(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(columns_process, "find_spec", lambda _name: None)
    monkeypatch.setattr(apart, "running", pytest.fail)
    assert "needs the package h5py" in refusal((MUSEUM / "bosaris-key.h5").read_bytes())
