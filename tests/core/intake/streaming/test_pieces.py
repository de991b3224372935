"""Which files are read piece by piece, and what is too large to be read at all."""

import ast
import os
import pkgutil
import zipfile
from importlib import import_module
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from zebra_core.errors import InputError
from zebra_core.intake import formats
from zebra_core.intake.formats.reading import Reading
from zebra_core.intake.sorting.plan import plan
from zebra_core.intake.streaming import pieces
from zebra_core.intake.streaming.pieces import recognise_beginning
from zebra_core.intake.tables.table import FileRole
from zebra_core.runtime import memory

LINES = "".join(f"s{n % 7} t{n} {n / 8}\n" for n in range(2000))
MIB = 1 << 20


@pytest.fixture
def free(monkeypatch):
    """Sets how much memory is said to be free, the least of all included."""

    def set_to(size: int) -> None:
        monkeypatch.setattr(memory, "LEAST", 0)
        monkeypatch.setattr(memory, "free_bytes", lambda: size)

    return set_to


@pytest.fixture
def scores(tmp_path: Path) -> Path:
    (tmp_path / "scores").write_bytes(LINES.encode())
    return tmp_path / "scores"


def test_a_list_of_more_than_an_eighth_of_the_free_memory_is_read_in_pieces(scores: Path, free) -> None:
    free(8 * len(LINES))
    assert recognise_beginning(scores, {}) is None
    free(8 * len(LINES) - 1)
    found = recognise_beginning(scores, {})
    assert found is not None
    assert found.file.is_beginning
    assert found.roles == {FileRole.SCORES}


def test_a_compressed_list_counts_four_times(tmp_path: Path, free) -> None:
    import gzip

    (tmp_path / "s.gz").write_bytes(gzip.compress(LINES.encode()))
    size = (tmp_path / "s.gz").stat().st_size
    free(32 * size)
    assert recognise_beginning(tmp_path / "s.gz", {}) is None
    free(32 * size - 1)
    assert recognise_beginning(tmp_path / "s.gz", {}) is not None


def test_the_user_decides_otherwise_for_one_file_or_for_all(scores: Path, free) -> None:
    free(1 << 40)
    assert recognise_beginning(scores, {"streaming": "yes"}) is not None
    assert recognise_beginning(scores, {f"streaming:{scores}": "yes"}) is not None
    free(len(LINES) + 1)
    assert recognise_beginning(scores, {"streaming": "no"}) is None
    assert recognise_beginning(scores, {"streaming": "yes", f"streaming:{scores}": "no"}) is None


def test_a_small_file_never_asks_how_much_is_free(scores: Path, monkeypatch) -> None:
    monkeypatch.setattr(memory, "free_bytes", lambda: pytest.fail("asked"))
    assert recognise_beginning(scores, {}) is None


def too_large(path: Path, free: int) -> str:
    facts = f"needs {path.stat().st_size / 1e9:.1f} GB of memory, of which only {free / 1e9:.1f} GB are free"
    return f"“?{path.name}”? {facts}, and a file of its kind cannot be read piece by piece"


@pytest.mark.parametrize("choices", [{}, {"streaming": "no"}, {"streaming": "yes"}])
def test_what_is_no_list_and_larger_than_memory_is_refused_before_it_is_read(tmp_path, free, choices) -> None:
    free(100 * MIB)
    np.save(tmp_path / "matrix.npy", np.zeros(3))
    os.truncate(tmp_path / "matrix.npy", 300 * MIB)  # mere holes on disk
    with zipfile.ZipFile(tmp_path / "results.zip", "w") as archive:
        archive.writestr("scores", LINES)
    os.truncate(tmp_path / "results.zip", 300 * MIB)
    for name in ("matrix.npy", "results.zip"):
        with pytest.raises(InputError, match=too_large(tmp_path / name, 100 * MIB)):
            recognise_beginning(tmp_path / name, choices)


def test_a_list_of_which_the_beginning_cannot_be_read_is_bounded_too(tmp_path: Path, free) -> None:
    (tmp_path / "scores").write_bytes(b"a b \x01\n" * 10)
    os.truncate(tmp_path / "scores", 300 * MIB)
    free(100 * MIB)
    made = plan([tmp_path / "scores"])
    [problem] = made.problems
    assert problem.error.code == "too-large-to-hold"
    free(1 << 40)
    [problem] = plan([tmp_path / "scores"]).problems
    assert problem.error.code == "binary"


@pytest.mark.parametrize("choices", [{}, {"streaming": "yes"}])
def test_pipes_and_what_is_gone_are_left_to_whoever_opens_them(tmp_path: Path, choices) -> None:
    os.mkfifo(tmp_path / "pipe")
    codes = {"pipe": "not-a-file", "gone": "missing"}
    for name, code in codes.items():
        assert recognise_beginning(tmp_path / name, choices) is None
        [problem] = plan([tmp_path / name], choices).problems
        assert problem.error.code == code


def test_parquet_is_large_by_its_rows_whatever_they_take_on_disk(tmp_path: Path, free) -> None:
    path = tmp_path / "trials.parquet"
    pq.write_table(pa.table({"score": np.zeros(100_000), "label": ["1", "0"] * 50_000}), path)
    assert path.stat().st_size < 50_000
    free(8 * 32 * 100_000)
    assert recognise_beginning(path, {}) is None
    free(8 * 32 * 100_000 - 1)
    assert recognise_beginning(path, {}) is not None


def test_of_scores_and_keys_only_matrices_of_text_are_held_in_memory_whole() -> None:
    """Readings with a `by` are not read in pieces: a row of a matrix has as many trials as it has columns."""
    modules = [
        import_module(f"{formats.__name__}.{one.name}") for one in pkgutil.iter_modules(formats.__path__)
    ]
    readings = [one for module in modules for one in vars(module).values() if isinstance(one, Reading)]
    whole = {one.format for one in readings if one.by and one.role in pieces._LISTED}
    assert whole == {"matrix", "matrix-models"}


def test_no_reading_with_a_by_is_made_where_that_would_not_be_seen() -> None:
    inside = [
        f"{path.name}:{call.lineno}"
        for path in Path(next(iter(formats.__path__))).glob("*.py")
        for one in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(one, ast.FunctionDef)
        for call in ast.walk(one)
        if isinstance(call, ast.Call) and "by" in {word.arg for word in call.keywords}
    ]
    assert inside == []
