"""How far figures of matrices can be trusted comes back from a project file draw by draw, or is refused."""

import io
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.core.document.samples import repacked, rewritten
from tests.core.uncertainty.test_voices_trust import found
from zebra_core.document.project_file import open_project, save_project
from zebra_core.errors import InputError
from zebra_core.project.items import SimilarityEntry
from zebra_core.project.project import Project


def saved(path: Path) -> SimilarityEntry:
    trust = found()
    entry = SimilarityEntry("B1", trust.figures, measured=trust)
    save_project(Project(items=(entry,)), path)
    return entry


def test_intervals_and_chance_come_back(tmp_path: Path) -> None:
    before = saved(tmp_path / "case.zebra").trust
    after = open_project(tmp_path / "case.zebra").project.similarities[0].trust
    assert before is not None
    assert after is not None
    assert after.as_json() == before.as_json()
    assert after.lines() == before.lines()
    for name, draws in before.uncertainty.figures.items():
        assert after.uncertainty.figures[name].draws.tolist() == draws.draws.tolist()


def test_matrices_of_which_nobody_asked_have_none(tmp_path: Path) -> None:
    save_project(Project(items=(SimilarityEntry("B1", found().figures),)), tmp_path / "case.zebra")
    assert open_project(tmp_path / "case.zebra").project.similarities[0].measured is None


def test_intervals_of_other_figures_are_left_out_and_that_is_told(tmp_path: Path) -> None:
    saved(path := tmp_path / "case.zebra")
    rewritten(path, lambda document: document["items"][0]["trust"]["figures"].update(de_id=0.123))
    [entry] = open_project(path).project.similarities
    assert entry.measured is None
    assert "to compute them again" in " ".join(map(str, entry.remarks))
    save_project(Project(items=(entry,)), path, overwrite=True)
    [again] = open_project(path).project.similarities
    assert "to compute them again" in " ".join(map(str, again.remarks))


def npy(rows: object) -> bytes:
    file = io.BytesIO()
    np.save(file, np.array(rows, dtype=np.float64))
    return file.getvalue()


@pytest.mark.parametrize(
    ("member", "rows"),
    [
        pytest.param("draws", np.full((10, 40), 7.0), id="outside the range"),
        pytest.param("draws", np.full((10, 40), np.nan), id="nothing but gaps"),
        pytest.param("draws", np.full((3, 40), 0.1), id="other figures"),
        pytest.param("draws", np.full((10, 41), 0.1), id="more than were asked for"),
        pytest.param("left-out", np.full((10, 5), 0.1), id="other speakers"),
        pytest.param("null-oo", np.full((1, 19), 0.1), id="too few sets"),
        pytest.param("null-oo", np.full((1, 40), -0.1), id="no dominance"),
    ],
)
def test_arrays_that_no_draws_can_be_are_refused(tmp_path: Path, member: str, rows: Any) -> None:
    saved(path := tmp_path / "case.zebra")
    repacked(path, lambda members: members.update({f"trust/1-{member}.npy": npy(rows)}))
    with pytest.raises(InputError, match=rf"trust/1-{member}\.npy"):
        open_project(path)


@pytest.mark.parametrize(
    "change",
    [
        pytest.param({"figures": {"eer": 0.1}}, id="no figure of matrices"),
        pytest.param({"figures": {}}, id="no figure"),
        pytest.param({"speakers": 7}, id="other speakers"),
        pytest.param({"null": {"pp": 0}}, id="a setting that is not there"),
        pytest.param({"null": {"../oo": 0}}, id="no setting"),
        pytest.param({"null": {"oo": 3, "op": 4}}, id="other seeds"),
        pytest.param({"level": 2.0}, id="no level"),
    ],
)
def test_values_that_no_intervals_can_be_are_refused(tmp_path: Path, change: dict[str, Any]) -> None:
    saved(path := tmp_path / "case.zebra")
    rewritten(path, lambda document: document["items"][0]["trust"].update(change))
    with pytest.raises(InputError):
        open_project(path)
