"""Reading attributes of speakers and recordings from two columns."""

from pathlib import Path

import pytest

from zebra_core.errors import InputError
from zebra_core.intake.formats.attributes import pairs_of
from zebra_core.intake.opening.opening import open_file
from zebra_core.intake.tables.columns import read_text


def read(path: Path) -> dict[str, str]:
    return pairs_of(read_text(open_file(path)))[0]


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("a f\nb m\n", {"a": "f", "b": "m"}),
        ("007 41\r\n1.0 7\r\n", {"007": "41", "1.0": "7"}),
        ("speaker,accent\na,New Zealand\nb,Irish\n", {"a": "New Zealand", "b": "Irish"}),
        ("a\tf\n\na\tf\nb\tm\n", {"a": "f", "b": "m"}),
    ],
)
def test_every_line_is_an_id_and_its_value_as_it_is_written(
    tmp_path: Path, content: str, expected: dict[str, str]
) -> None:
    (tmp_path / "spk2any").write_bytes(content.encode())
    assert read(tmp_path / "spk2any") == expected


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        ("a f\nb m x\n", "spk2any, line 2: “b m x” has 3 columns, but a line of attributes is an id and its"),
        ("a f\nb\n", "spk2any, line 2: “b” stands alone, but a line of attributes is an id and its value."),
        ("a,f\nb,\n", "spk2any, line 2: the id or the value is missing in “b,”. Correct this line."),
        ("a f\nb m\nc F\n", "spk2any, line 3: “F” differs from “f” in line 1 only in upper and lower case"),
        ("a f\nb m\na m\n", "spk2any, line 3: “a” is m here, but f in line 1. Keep the correct line."),
    ],
)
def test_what_is_no_such_file_is_refused_with_its_line(tmp_path: Path, content: str, sentence: str) -> None:
    (tmp_path / "spk2any").write_text(content)
    with pytest.raises(InputError) as caught:
        read(tmp_path / "spk2any")
    assert str(caught.value).startswith(sentence)
