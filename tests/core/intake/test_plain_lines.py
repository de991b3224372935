"""Plain lines are read by operations on arrays, and what is read is what the readers of any lines find."""

import os
import random
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from zebra_core.errors import InputError
from zebra_core.evidence.trials import Ids
from zebra_core.intake.opening.opening import OpenedFile, Source
from zebra_core.intake.tables import columns
from zebra_core.intake.tables.columns import ColumnType, read_columns, read_text
from zebra_core.intake.tables.plain_lines import PlainIds, plain_columns, plain_numbers
from zebra_core.intake.tables.table import Dialect

ID, TEXT, NUMBER = ColumnType.ID, ColumnType.TEXT, ColumnType.NUMBER
IDS = (
    "a",
    "s1",
    "id-0001",
    "id-00010",
    "id-000100",
    "é",
    "日本語の話者",
    "x" * 8,
    "x" * 9,
    "x" * 64,
    "007",
    "+1",
    '"',
)
NUMBERS = ("0", "-0", "-0.000000", "7", "007", "2.522404", "-0.631536", ".5", "-.5", "5.", "12345678.125")
NUMBERS += (
    "123456789.25",
    "-99999999",
    "0.00000001",
    "123456789012345",
    "-12345678.9012345",
    "0.1234567890123",
)
ODD = (
    "1e-05",
    "0.12345678901234567",
    "nan",
    "inf",
    "+3",
    "1234567890123456",
    "12345678901234567890",
    "0x1",
    "-",
    ".",
)
ODD += ("1.2.3", "1,5", "true", "--1", "-", "", "1 2", "\t1", "1\t2", "1_0", "1\r", "\0", "１")


def read(content: bytes, kinds: list[ColumnType]) -> object:
    """What is in the columns, to the bit, or what is said instead."""
    try:
        text = read_text(OpenedFile(Source(Path("list")), content, len(content), ""))
        found = read_columns(text, kinds)
    except InputError as error:
        return error.code, error.facts
    return [(one.codes.tolist(), one.names) if isinstance(one, Ids) else one.tobytes() for one in found]


def read_in_both_ways(
    content: bytes, kinds: list[ColumnType], monkeypatch: pytest.MonkeyPatch
) -> tuple[object, object, bool]:
    """By arrays and without them; and whether arrays could read any of it."""
    plain: list[bool] = []
    monkeypatch.setattr(columns, "_plain", told(columns._plain, plain))
    by_arrays = read(content, kinds)
    monkeypatch.setattr(columns, "_plain", lambda *_: None)
    by_others = read(content, kinds)
    monkeypatch.undo()
    return by_arrays, by_others, any(plain)


def told(function: Callable[..., object], into: list[bool]) -> Callable[..., object]:
    def telling(*arguments: object) -> object:
        found = function(*arguments)
        into.append(found is not None)
        return found

    return telling


@pytest.mark.parametrize("separator", [" ", "\t", ",", ";"])
@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
def test_plain_lists_are_the_same_to_the_bit(
    separator: str, line_end: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng = random.Random(separator + line_end)  # noqa: S311 - to be repeated, not to be secret
    any_was_plain = False
    for _ in range(30):
        numbers = rng.sample(NUMBERS, rng.randint(1, len(NUMBERS)))
        rows = [[rng.choice(IDS), rng.choice(IDS), rng.choice(numbers)] for _ in range(rng.randint(1, 40))]
        content = line_end.join(separator.join(row) for row in rows) + rng.choice(
            ["", line_end, 3 * line_end]
        )
        by_arrays, by_others, was_plain = read_in_both_ways(content.encode(), [ID, ID, NUMBER], monkeypatch)
        assert by_arrays == by_others, content
        any_was_plain |= was_plain
    assert any_was_plain


def test_numbers_of_as_many_digits_as_are_plain_are_the_nearest_floats() -> None:
    rng = random.Random(51)  # noqa: S311 - to be repeated, not to be secret
    for _ in range(200):
        cells = []
        for _ in range(50):
            digits = "".join(rng.choices("0123456789", k=rng.randint(1, 15)))
            point = rng.randint(0, len(digits))
            cells.append(rng.choice(["", "-"]) + rng.choice([digits, f"{digits[:point]}.{digits[point:]}"]))
        [column] = plain_columns("\n".join(cells).encode(), 1, Dialect()) or []
        found = plain_numbers(column, Dialect())
        assert found is not None
        assert found.tobytes() == np.array([float(cell) for cell in cells]).tobytes()


@pytest.mark.parametrize("odd", ODD)
def test_one_odd_number_among_plain_ones_is_read_or_refused_like_before(
    odd: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for at in (0, 1, 40):
        lines = [f"e{n % 3} t{n} {n / 7:.6f}" for n in range(80)]
        lines[at] = f"e t {odd}"
        by_arrays, by_others, _ = read_in_both_ways("\n".join(lines).encode(), [ID, ID, NUMBER], monkeypatch)
        assert by_arrays == by_others


@pytest.mark.parametrize(
    "line",
    ["", "  ", "a b", "a b 1 2", "a  b 1", " a b 1", "a b 1 ", "# a b", "a #N/A 1", "a b\x01 1", "a , 1"],
)
def test_a_line_that_is_not_plain_is_read_or_refused_like_before(
    line: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for separator in (" ", ","):
        lines = [f"e{n % 3} t{n} {n / 7:.6f}".replace(" ", separator) for n in range(80)]
        lines.insert(40, line.replace(" ", separator))
        for kinds in ([ID, ID, NUMBER], [ID, TEXT, NUMBER]):
            by_arrays, by_others, _ = read_in_both_ways("\n".join(lines).encode(), kinds, monkeypatch)
            assert by_arrays == by_others


def test_ids_keep_their_codes_from_piece_to_piece(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(columns, "_PLAIN_BYTES", 1000)
    monkeypatch.setattr(columns, "_PIECE_BYTES", 1500)
    rng = random.Random(3)  # noqa: S311 - to be repeated, not to be secret
    lines = [
        f"{rng.randint(0, 50)} {'n' * rng.randint(1, 40)}{rng.randint(0, 5000)} {n}" for n in range(6000)
    ]
    lines[3000] = "7 nn7 1e-3"  # from here on the C parser reads
    read_before = read("\n".join(lines).encode(), [ID, ID, NUMBER])
    monkeypatch.setattr(columns, "_plain", lambda *_: None)
    assert read_before == read("\n".join(lines).encode(), [ID, ID, NUMBER])


def test_ids_with_one_hash_are_told_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "urandom", bytes)  # factors of 1: words in another order have the same sum
    ids = PlainIds()
    names = [f"{a:08d}{b:08d}" for a in range(40) for b in range(40)]
    [column] = plain_columns("\n".join(names + names[::-1]).encode(), 1, Dialect()) or []
    places = ids.places(column)
    assert places is not None
    assert [ids.names[place] for place in places] == names + names[::-1]
    assert sorted(ids.names) == sorted(names)


def test_a_quote_is_part_of_an_id_only_where_nothing_is_quoted() -> None:
    line = b'a "b 1\n'
    assert plain_columns(line, 3, Dialect()) is not None
    assert plain_columns(line, 3, Dialect(quoted=True)) is None


def test_pandas_is_not_loaded_for_plain_lists(tmp_path: Path) -> None:
    pairs = [(f"e{e}", f"t{t}", e == t % 5) for e in range(5) for t in range(40)]
    (tmp_path / "scores").write_text(
        "".join(f"{e} {t} {n % 17 + 9 * y}.25\n" for n, (e, t, y) in enumerate(pairs))
    )
    (tmp_path / "key").write_text("".join(f"{e} {t} {'non' * (not y)}target\n" for e, t, y in pairs))
    program = (
        "import sys; from zebra_core.intake.drop import read_trials;"
        "print(len(read_trials(*sys.argv[1:])), 'pandas' in sys.modules)"
    )
    command = [sys.executable, "-c", program, str(tmp_path / "scores"), str(tmp_path / "key")]
    assert subprocess.run(command, check=True, capture_output=True, text=True).stdout == "200 False\n"
