"""Which ranks are settled comes back from a project file, or is refused."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.core.document.samples import rewritten
from tests.core.project.comparison.test_difference_tests import known_with_matrices
from zebra_core.document.project_file import open_project, save_project
from zebra_core.errors import InputError


@pytest.fixture(scope="module")
def good(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("good") / "case.zebra"
    save_project(known_with_matrices(), path)
    return path


@pytest.fixture
def case(tmp_path: Path, good: Path) -> Path:
    path = tmp_path / "case.zebra"
    path.write_bytes(good.read_bytes())
    return path


def test_every_pair_comes_back_with_its_interval_and_its_p(case: Path) -> None:
    [before], [after] = known_with_matrices().settled, open_project(case).project.settled
    assert [(i, j) for i, j, _ in after.pairs()] == [(i, j) for i, j, _ in before.pairs()]
    for (*_, one), (*_, other) in zip(before.pairs(), after.pairs(), strict=True):
        assert other.interval == one.interval
        assert (other.p_value, other.p_adjusted) == (one.p_value, one.p_adjusted)
        assert other.value == pytest.approx(one.value, abs=1e-12)
    assert after.ranks_among(list(after.assessments)) == before.ranks_among(list(before.assessments))
    assert (after.settings, after.replicates) == (before.settings, before.replicates)
    assert list(after.voices) == ["strong", "weak"]


def test_matrices_whose_files_lie_elsewhere_are_saved_with_their_differences(tmp_path: Path) -> None:
    project = known_with_matrices()
    item = project.similarities[0]
    moved = project.replacing(replace(item, similarity=replace(item.similarity, files=())))
    save_project(moved, tmp_path / "case.zebra")
    [after] = open_project(tmp_path / "case.zebra").project.settled
    assert list(after.voices) == ["strong", "weak"]


def test_what_no_longer_holds_is_not_saved(tmp_path: Path) -> None:
    project = known_with_matrices().without(["weak"])
    assert project.differences
    save_project(project, tmp_path / "case.zebra")
    assert open_project(tmp_path / "case.zebra").project.differences == ()


def test_differences_of_other_figures_than_todays_are_let_go(case: Path) -> None:
    rewritten(case, lambda document: document["differences"][0]["compared"][0]["values"].reverse())
    assert open_project(case).project.differences == ()


def first(document: dict[str, Any]) -> dict[str, Any]:
    return document["differences"][0]


@pytest.mark.parametrize(
    ("place", "value", "sentence"),
    [
        (("entries",), ["nobody"], "is not an id"),
        (("entries",), ["weak", "weak"], "is not an id"),
        (("voices",), {"weak": "weak"}, "is not an id"),
        (("voices",), {"nobody": "weak"}, "is not an id"),
        (("done",), 10**6, "done is not a whole number"),
        (("level",), 2.0, "level is not a number"),
        (("compared", 0, "figure"), "magic", "figure is not"),
        (("compared", 0, "entries"), ["strong"], "entries is not"),
        (("compared", 0, "entries"), ["strong", "strong", "weak"], "entries is not"),
        (("compared", 0, "values"), [0.1], "pairs is not"),
        (("compared", 0, "pairs"), [], "pairs is not"),
        (("compared", 0, "pairs"), [[0.05, 0.0, 0.1, 0.5]] * 2 + [[0.05, 0.1, 0.0, 0.5]], "3 is not"),
        (("compared", 0, "pairs"), [[0.05, 0.0, 0.1, 0.5]] * 2 + [[0.2, 0.0, 0.1, 0.5]], "3 is not"),
        (("compared", 0, "pairs"), [[0.05, 0.0, 0.1, 1.5]] * 3, "is not a number within its bounds"),
        (("compared", 0, "pairs"), [[0.0, 0.1, 0.5]] * 3, "1 is not"),
        (("compared", 0, "speakers"), 1, "speakers is not"),
        (("compared",), 7, "compared is not a list"),
        (("remarks",), [{}], "remarks"),
    ],
)
def test_values_of_the_wrong_kind(case: Path, place: tuple[Any, ...], value: Any, sentence: str) -> None:
    def change(document: dict[str, Any]) -> None:
        at: Any = first(document)
        for step in place[:-1]:
            at = at[step]
        at[place[-1]] = value

    rewritten(case, change)
    with pytest.raises(InputError, match=r"case\.zebra") as raised:
        open_project(case)
    assert sentence in str(raised.value)
