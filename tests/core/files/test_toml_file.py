"""TOML of somebody else: bounded, and every thing with its line."""

from pathlib import Path

import pytest

from zebra_core.errors import InputError
from zebra_core.files.opening import read_bounded
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
