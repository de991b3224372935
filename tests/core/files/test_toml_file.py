"""TOML of somebody else: bounded, and every thing with its line."""

import time
from pathlib import Path

import pytest

from zebra_core.errors import InputError
from zebra_core.files.access import read_bounded
from zebra_core.files.toml_file import TomlFile, TomlLines, read_toml

WRITTEN = '''\
"first" = 1
text = """
[[row]]
second = 3
"""
[[row]]
name = "a"
[[ "row" ]]
name = "b"
'second' = 2
[table]
'''


def read(path: Path) -> TomlFile:
    return read_toml(path, no_toml="case-not-toml", too_large="case-too-large")


def test_keys_and_tables_have_their_lines_whatever_stands_in_texts() -> None:
    lines = TomlLines(WRITTEN)
    assert [lines.of_key(key) for key in ("first", "text", "second", "table")] == [1, 2, 10, 11]
    assert [lines.of_row("row", place) for place in (0, 1)] == [6, 8]
    assert [lines.of_row("row", place, "name") for place in (0, 1)] == [7, 9]
    assert lines.of_row("row", 0, "second") == 6, "its head, where the key is not in this row"


def test_what_is_written_in_another_way_stands_in_the_first_line() -> None:
    lines = TomlLines("row = [{name = 'a'}]\n")
    assert (lines.of_key("name"), lines.of_row("row", 3), lines.of_key("none")) == (1, 1, 1)


def test_values_and_lines_come_together(tmp_path: Path) -> None:
    path = tmp_path / "a.toml"
    path.write_bytes(b"\xef\xbb\xbf" + WRITTEN.replace("\n", "\r\n").encode())
    found = read(path)
    assert found.values["row"] == [{"name": "a"}, {"name": "b", "second": 2}]
    assert found.lines.of_key("table") == 11


def test_a_file_is_read_as_far_as_it_may_be_large(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"abc")
    refusal = InputError("case-too-large", file="a", most=1)
    assert read_bounded(path, 3, refusal) == b"abc"
    with pytest.raises(InputError) as told:
        read_bounded(path, 2, refusal)
    assert told.value is refusal


@pytest.mark.parametrize(
    "line",
    [
        "a" + ".a" * 20 + " = 1",
        "[a" + ' . "a.b"' * 20 + "]",
        "[[ 'a'" + ".a" * 20 + "]]",
        "row = [{x = 1, a" + "\t.\ta" * 20 + " = 1}]",
        "é = 1  \na" + ".a" * 20,
    ],
)
def test_a_name_of_more_parts_than_anybody_writes_is_refused_with_its_line(tmp_path: Path, line: str) -> None:
    path = tmp_path / "a.toml"
    path.write_text(f"text = '''\n..\n'''\n{line}\n", encoding="utf-8")
    with pytest.raises(InputError, match=rf"a.toml, line {4 + line.count(chr(10))}: .*more than 8 parts"):
        read(path)


def test_names_of_thousands_of_parts_take_no_time(tmp_path: Path) -> None:
    """tomllib takes memory and time as the square of them: 9 GB and a minute for this file."""
    path = tmp_path / "a.toml"
    path.write_text("a" + ".a" * 60_000 + "=1\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"line 1: .*more than 8 parts"):
        read(path)


@pytest.mark.parametrize("opened", ['"""', "'''", '"', "'", '"""\\"', "#", ".", "a.", '".'])
def test_text_that_never_ends_is_looked_through_once(tmp_path: Path, opened: str) -> None:
    path = tmp_path / "a.toml"
    path.write_text("a = " + opened * (300_000 // len(opened)), encoding="utf-8")
    began = time.monotonic()
    with pytest.raises(InputError):
        read(path)
    assert time.monotonic() - began < 5.0


def test_dots_in_texts_names_in_quotes_notes_and_numbers_are_no_parts_of_names(tmp_path: Path) -> None:
    path = tmp_path / "a.toml"
    path.write_text(
        '# a.b.c.d.e.f.g.h.i.j\n"a.b.c.d.e.f.g.h.i.j" = 1.5\nb = "a.b.c.d.e.f.g.h.i \\" a.b.c.d.e.f.g.h.i"\n'
        "c = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0]\nd.e.f.g.h.i.j.k = 2026-01-01 07:32:00.25\n"
        'e = """\na.b.c.d.e.f.g.h.i.j " a\\"""\na.b.c.d.e.f.g.h.i.j"""\n',
        encoding="utf-8",
    )
    found = read(path).values
    assert (found["a.b.c.d.e.f.g.h.i.j"], len(found["c"])) == (1.5, 10)
