"""`zebra reidentify`: people linked in a matrix on the disk, and what is refused."""

import json
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner, Result

from zebra_gui.cli import main

SCORES = np.array([[3.0, 1.0, 0.0, 5.0], [1.0, 2.0, 4.0, 5.0], [2.0, 0.0, 1.0, 5.0]], dtype=np.float32)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """a, b and c are enrolled; of a, b, c and a stranger there is a recording: c's ranks second of three."""
    np.save(tmp_path / "m.npy", SCORES)
    (tmp_path / "rows").write_text("a\nb\nc\n")
    (tmp_path / "columns").write_text("a-1\nb-1\nc-1\nx-1\n")
    (tmp_path / "who").write_text("a-1 a\nb-1 b\nc-1 c\nx-1 x\n")
    return tmp_path


def reidentify(folder: Path, *arguments: str, matrix: str = "m.npy") -> Result:
    lists = ["--enrolled", folder / "rows", "--tests", folder / "columns", "--utt2spk", folder / "who"]
    return CliRunner().invoke(main, ["reidentify", str(folder / matrix), *map(str, lists), *arguments])


def test_json_has_the_keys_of_assess_with_its_nulls(folder: Path) -> None:
    found = json.loads(reidentify(folder, "--json").stdout)
    assert (found["enrolled"], found["recordings"], found["singling_out"]) == (3, 3, None)
    two, three = found["linkage"]
    assert two == {
        "people": 2, "recordings": 1, "probability": pytest.approx((1 + 1 + 1 / 2) / 3),
        "low": None, "high": None, "chance": 0.5, "sets": None, "above_guessing": pytest.approx(2 / 3),
    }  # fmt: skip
    assert three["probability"] == pytest.approx(2 / 3)
    assert list(found["rank_disclosure"]) == ["mean_bits", "worst_bits", "people"]
    assert found["remarks"][0].startswith("One recording is of somebody who is not enrolled")


def test_in_the_terminal_it_is_a_small_table(folder: Path) -> None:
    lines = reidentify(folder).stdout.splitlines()
    assert lines[0] == "3 recordings against 3 enrolled people"
    assert lines[1].split() == ["people", "linkage", "probability", "π_link", "guessing"]
    assert [line.split() for line in lines[2:4]] == [
        ["2", "83.33", "%", "50.00", "%"],
        ["3", "66.67", "%", "33.33", "%"],
    ]
    assert lines[4].startswith("Rank among all 3 people: ")


def test_what_does_not_fit_is_a_sentence_and_status_1(folder: Path) -> None:
    (folder / "rows").write_text("a\nb\n")
    done = reidentify(folder)
    assert (done.exit_code, "3 × 4 values" in done.stderr) == (1, True)
    done = reidentify(folder, matrix="gone.npy")
    assert (done.exit_code, "gone.npy" in done.stderr) == (1, True)
    np.savez(folder / "several.npz", SCORES)
    done = reidentify(folder, matrix="several.npz")
    assert (done.exit_code, "not a NumPy matrix" in done.stderr) == (1, True)


def test_ids_beside_the_matrix_need_not_be_given(folder: Path) -> None:
    said = {"enroll_speakers": ["a", "b", "c"], "test_speakers": ["a", "b", "c", "x"]}
    (folder / "m.npy.json").write_text(json.dumps(said))
    alone = CliRunner().invoke(main, ["reidentify", str(folder / "m.npy"), "--json"])
    assert json.loads(alone.stdout) == json.loads(reidentify(folder, "--json").stdout)
    (folder / "m.npy.json").write_text('{"enroll_speakers": ["a"]}')
    done = CliRunner().invoke(main, ["reidentify", str(folder / "m.npy")])
    assert (done.exit_code, "“test_speakers” is not a list of names" in done.stderr) == (1, True)
    (folder / "m.npy.json").unlink()
    done = CliRunner().invoke(main, ["reidentify", str(folder / "m.npy")])
    assert (done.exit_code, "m.npy.json was not found" in done.stderr) == (1, True)
