"""What leaving out speakers did comes back from a saved project."""

from pathlib import Path

import pytest

from tests.core.document.test_utilities import resaved
from tests.core.project.attacks import attack
from zebra_core.document.project_file import open_project, save_project
from zebra_core.errors import InputError
from zebra_core.project.comparison.spans import robustness_as_json
from zebra_core.project.gathering.robustness import with_robustness
from zebra_core.project.project import Project


@pytest.fixture(scope="module")
def examined() -> Project:
    return with_robustness(Project("", (attack(1.0, seed=1), attack(0.2, "lazy-informed", seed=2))))[0]


def test_it_comes_back(tmp_path: Path, examined: Project) -> None:
    found = open_project(save_project(examined, tmp_path / "p.zebra").path).project
    assert len(found.robust) == 2
    for entry in examined.entries:
        old, new = examined.robust[entry.id], found.robust[entry.id]
        assert (new.n_speakers, new.figures, new.left_out) == (old.n_speakers, old.figures, old.left_out)


@pytest.mark.parametrize(
    "change",
    [
        {"assessment": 2},
        {"assessment": 1},
        {"speakers": 0},
        {"figures": {"d_ece_bits": "0.1"}},
        {"figures": {"bits": 0.1}},
        {"left_out": [{}]},
        {"left_out": 3},
    ],
)
def test_what_is_none_is_refused(tmp_path: Path, examined: Project, change: dict[str, object]) -> None:
    path = save_project(examined, tmp_path / "p.zebra").path
    first, second = robustness_as_json(examined)
    with pytest.raises(InputError, match=r"p\.zebra"):
        open_project(resaved(path, {"robustness": [{**first, **change}, second]}))
