"""One file of tests needs no workers; whatever is more is shared out."""

from pathlib import Path

import pytest

from tests.workers import are_several_files


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in ("alone/test_a.py", "alone/samples.py", "two/test_a.py", "two/deep/test_b.py"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    ("arguments", "are_several"),
    [
        (["two"], True),
        (["alone", "two/test_a.py"], True),
        (["two/test_a.py::test_one[a/b]", "two/deep/test_b.py::test_two"], True),
        (["alone"], False),
        (["two/deep"], False),
        (["two/test_a.py"], False),
        (["two/test_a.py::test_one", "two/test_a.py::test_two[x::y]", "./two/../two/test_a.py"], False),
        ([], False),
    ],
)
def test_files_are_counted_once_whatever_they_are_called(
    checkout: Path, arguments: list[str], are_several: bool
) -> None:
    assert are_several_files(arguments) is are_several
    assert are_several_files([str(checkout / argument) for argument in arguments]) is are_several
