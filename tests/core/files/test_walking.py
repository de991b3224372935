"""What lies below a folder is found however deep it lies, and no link leads anywhere."""

import os
import sys
from pathlib import Path

import pytest

from tests.core.saved.samples import rich_project
from zebra_core.files.walking import walk
from zebra_core.project.project import Project
from zebra_core.project.reading.arrival import arrive
from zebra_core.project.reading.inputs import check
from zebra_core.report.found_files import find_inputs

SCORES = "a x 1\na y 0.5\nb x 0.25\nb y 2.5\n"
KEY = "a x target\na y nontarget\nb x nontarget\nb y target\n"


@pytest.fixture
def case(tmp_path: Path) -> Path:
    folder = tmp_path / "case"
    folder.mkdir()
    (folder / "scores").write_text(SCORES)
    (folder / "key").write_text(KEY)
    return folder


def test_it_is_what_the_library_finds_in_the_same_order(tmp_path: Path) -> None:
    for name in ("b/d/f", "b/c", "a/x/y/z", "e"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    (tmp_path / "b/gone").symlink_to("nowhere")

    def in_order(walk: object) -> list[tuple[str, list[str], list[str]]]:
        found = []
        for folder, folders, names in walk:  # type: ignore[attr-defined]
            folders.sort(reverse=True)
            if "x" in folders:
                folders.remove("x")
            found.append((folder, list(folders), sorted(names)))
        return found

    assert in_order(walk(tmp_path)) == in_order(os.walk(tmp_path))


def test_folders_deeper_than_any_recursion_are_looked_into(case: Path, tmp_path: Path) -> None:
    depth = sys.getrecursionlimit() + 100
    place = os.open(case, os.O_RDONLY)
    for _ in range(depth):
        os.mkdir("d", dir_fd=place)
        inner = os.open("d", os.O_RDONLY, dir_fd=place)
        os.close(place)
        place = inner
    os.close(place)
    try:
        assert len(list(walk(case))) == depth + 1
        assert len(arrive([case]).entries) == 1
        one = {"size": len(SCORES), "sha256": "0" * 64, "name": "scores"}
        assert find_inputs([one], [case])[0].changed == case / "scores"
        assert check(rich_project(tmp_path / "rich"), [case]).moves == {}
    finally:  # deeper than what removes a folder for us goes
        for folder, _, _ in reversed(list(walk(case))):
            if folder != str(case):
                os.rmdir(folder)  # noqa: PTH106 - as above
    assert sorted(path.name for path in case.iterdir()) == ["key", "scores"]


def test_links_that_go_round_are_no_way_and_others_are_told(case: Path, tmp_path: Path) -> None:
    elsewhere = tmp_path / "else\nwhere"
    elsewhere.mkdir()
    (elsewhere / "scores").write_text(SCORES)
    (case / "round").symlink_to(case)
    (case / "sub").mkdir()
    (case / "sub" / "up").symlink_to("..")
    (case / "itself").symlink_to("itself")
    (case / ".hidden").symlink_to(elsewhere)
    (case / "out").symlink_to(elsewhere)
    arrival = arrive([case])
    assert len(arrival.entries) == 1
    linked, unreadable = (str(problem.error) for problem in arrival.plan.problems)
    assert linked == (
        "out is a link to another folder, which was not searched. If its contents belong to the evidence, "
        "give that folder too."
    )
    assert unreadable.startswith("itself cannot be read: Too many levels of symbolic links.")
    assert arrive([case, elsewhere]).plan.problems[0].source.path.name == "itself"


def test_nothing_is_found_below_nothing() -> None:
    assert list(walk(Path("nowhere at all"))) == []
    assert check(Project(), [Path("nowhere at all")]).moves == {}
