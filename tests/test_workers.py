"""Several files of tests are shared out; one file, and what is not there, needs no workers."""

from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.workers import LONG_ONES, TESTS, Clock, are_worth_workers, sort_files


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


@dataclass(frozen=True)
class Item:
    path: Path
    name: str


def test_long_files_come_first_then_those_with_many_tests_and_each_keeps_its_order() -> None:
    few, many, long_, longest = (TESTS / name for name in ("a.py", "b.py", *LONG_ONES[1::-1]))
    items = [Item(path, name) for path in (few, many, long_, longest) for name in "zyx"]
    items.insert(6, Item(many, "w"))
    sort_files(items)
    expected = [*((longest, name) for name in "zyx"), *((long_, name) for name in "zyx")]
    expected += [*((many, name) for name in "zyxw"), *((few, name) for name in "zyx")]
    assert [(item.path, item.name) for item in items] == expected


@pytest.mark.parametrize("name", LONG_ONES)
def test_the_long_files_are_there(name: str) -> None:
    assert (TESTS / name).is_file()


@dataclass(frozen=True)
class Report:
    nodeid: str
    duration: float
    worker_id: str = ""


def test_the_steps_of_the_tests_of_a_file_add_up_and_those_without_workers_are_not_counted() -> None:
    clock = Clock()
    for report in (
        Report("tests/core/test_a.py::test_one", 1.5, "gw0"),
        Report("tests/core/test_a.py::test_two[a::b]", 2.0, "gw0"),
        Report("tests/test_b.py::test_one", 4.0, "gw1"),
        Report("tests/test_b.py::test_one", 8.0),
    ):
        clock.pytest_runtest_logreport(report)
    assert clock.files == {"core/test_a.py": 3.5, "test_b.py": 4.0}
    assert sorted(clock.ended) == ["gw0", "gw1"]
