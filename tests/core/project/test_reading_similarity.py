"""Segment scores on their way into a project: figures, files, decisions, and reading them again."""

import json
from pathlib import Path

import numpy as np
import pytest

from zebra_core.errors import InputError
from zebra_core.evidence.audit import Answers, Decision
from zebra_core.metrics.similarity import similarity_of
from zebra_core.project.items import SimilarityEntry
from zebra_core.project.project import Project
from zebra_core.project.reading.arrival import arrive, leaves_something_open
from zebra_core.project.reading.reading import evidence_of

DATA = Path(__file__).parents[2] / "data" / "similarity"
EXPECTED = json.loads((DATA / "expected.json").read_text())["sets"]

PAIRS = "a-1 a-2 1\na-1 b-1 0\na-2 b-1 0.5\nb-1 b-2 1\n"
MAP = "a-1 a\na-2 a\nb-1 b\nb-2 b\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "B2").mkdir()
    (tmp_path / "B2" / "oo").write_text(PAIRS)
    (tmp_path / "utt2spk").write_text(MAP)
    return tmp_path


def only(arrival) -> SimilarityEntry:
    [entry] = arrival.entries
    assert isinstance(entry, SimilarityEntry)
    return entry


@pytest.mark.parametrize("name", sorted(EXPECTED))
def test_dropped_folders_give_the_figures_of_an_independent_implementation(name: str) -> None:
    dataset, safeguard = name.split("/")
    expected = EXPECTED[name]
    found = arrive([DATA / dataset])
    [entry] = [entry for entry in found.entries if entry.name == safeguard]

    assert not leaves_something_open(found.plan)
    assert not found.has_offers
    assert isinstance(entry, SimilarityEntry)
    voices = entry.similarity
    assert entry.dataset == dataset
    assert voices.de_id == pytest.approx(expected["de_id"], abs=1e-6)
    assert voices.g_vd_db == pytest.approx(expected["g_vd_db"], abs=1e-6)
    for setting, d_diag in expected["d_diag"].items():
        assert voices.d_diag(setting) == pytest.approx(d_diag, abs=1e-6)


def test_its_files_are_recorded_with_their_hashes(folder: Path) -> None:
    entry = only(arrive([folder]))
    assert [(file.path.name, file.role, file.rows) for file in entry.files] == [
        ("utt2spk", "speakers", 4),
        ("oo", "scores", 4),
    ]
    assert all(len(file.sha256) == 64 for file in entry.files)


def test_genders_come_along(folder: Path) -> None:
    (folder / "spk2gender").write_text("a f\nb m\n")
    entry = only(arrive([folder]))
    assert dict(entry.similarity.sex) == {"a": "f", "b": "m"}
    assert [file.path.name for file in entry.files] == ["utt2spk", "spk2gender", "oo"]


def test_a_score_that_is_no_number_is_offered_to_be_decided(folder: Path) -> None:
    (folder / "B2" / "oo").write_text(PAIRS + "a-2 b-2 nan\n")
    found = arrive([folder])
    assert found.entries == ()
    assert found.has_offers

    place = found.tried[0].planned.place
    allowed = Answers().deciding([place], Decision.NAN_SCORES, holds=True)
    again = arrive(found.paths, allowed, earlier=found)
    entry = only(again)
    assert "nan-left-out" in [remark.code for remark in entry.similarity.remarks]
    assert evidence_of(entry).scores["oo"].score.tolist() == [1.0, 0.0, 0.5, 1.0]
    assert only(arrive(found.paths, allowed, earlier=again)) is entry


def test_a_map_of_other_speakers_is_a_sentence(folder: Path) -> None:
    (folder / "utt2spk").write_text("a-1 a\nb-1 b\na-2 a\n")
    entry = only(arrive([folder]))
    assert any("no speaker in the speaker map" in str(remark) for remark in entry.similarity.remarks)
    assert any("b-2" in str(remark) for remark in entry.similarity.remarks)


def test_its_scores_are_read_again_as_they_were(folder: Path) -> None:
    entry = only(arrive([folder]))
    evidence = evidence_of(entry)
    trials = evidence.trials("oo", entry.similarity.speakers)

    assert trials.score.tolist() == [1.0, 0.0, 0.5, 1.0]
    assert trials.mutual
    again = similarity_of(evidence)
    np.testing.assert_array_equal(again.matrices["oo"].cells(), entry.similarity.matrices["oo"].cells())


def test_scores_that_changed_since_are_refused(folder: Path) -> None:
    entry = only(arrive([folder]))
    (folder / "B2" / "oo").write_text(PAIRS.replace("0.5", "0.4"))
    with pytest.raises(InputError, match="oo"):
        evidence_of(entry)


def test_a_safeguard_has_one_colour_in_assessments_and_matrices(folder: Path) -> None:
    entry = only(arrive([folder]))
    project = Project().with_items(entry)
    assert project.colour_for(entry) == entry.colour


def test_pp_across_runs_keeps_its_sides_apart(folder: Path) -> None:
    rows = "a-1 a-2 9\na-2 a-1 8\na-1 b-1 7.5\nb-1 a-1 4\na-2 b-1 2\nb-1 a-2 5\nb-1 b-2 7\nb-2 b-1 6\n"
    (folder / "B2" / "oo").unlink()
    (folder / "B2" / "p0p1").write_text(rows)
    entry = only(arrive([folder]))

    matrix = entry.similarity.pp
    assert matrix is not None
    assert matrix.n_trials.tolist() == [[2, 2], [2, 2]]
    assert matrix.sum_llr[0, 1] > matrix.sum_llr[1, 0]
    assert "pp-across-runs" in [remark.code for remark in entry.similarity.remarks]
    assert "pairs-in-both-orders" not in [remark.code for remark in entry.similarity.remarks]
    assert entry.run == "0–1"
