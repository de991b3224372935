"""Several files of tests are shared out; one file, and what is not there, needs no workers."""

from pathlib import Path

import pytest

from tests.workers import are_worth_workers


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in ("alone/test_a.py", "alone/samples.py", "two/test_a.py", "two/deep/test_b.py"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["two"], True),
        (["alone", "two/test_a.py"], True),
        (["alone"], False),
        (["two/deep"], False),
        (["two/test_a.py"], False),
        (["two/deep", "two/../two/deep/test_b.py"], False),
        (["two/test_a.py::test_one", "two/deep/test_b.py::test_two[x/y]"], False),
        (["two", "nowhere"], False),
        ([], False),
    ],
)
def test_only_several_files_are_shared_out(checkout: Path, arguments: list[str], expected: bool) -> None:
    assert are_worth_workers(arguments) is expected
    assert are_worth_workers([str(checkout / argument) for argument in arguments]) is expected
