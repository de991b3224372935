"""`zebra assess` with attributes of speakers: what is told of them, and what is refused."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tests.core.attribute_cases import write_drop
from zebra_gui.cli import main


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write_drop(tmp_path)
    return tmp_path


def assess(folder: Path, *arguments: str) -> Result:
    files = ["-s", str(folder / "scores"), "-k", str(folder / "trials")]
    return CliRunner().invoke(main, ["assess", *files, *arguments])


def test_json_has_each_attribute_and_its_recogniser(folder: Path) -> None:
    sex, accent, heard = (str(folder / name) for name in ("sex", "accent", "heard"))
    done = assess(folder, "--attributes", sex, "--attributes", accent, "--predictions", heard, "--json")
    first, second = json.loads(done.stdout)["inference"]
    assert (first["attribute"], second["attribute"], second["recogniser"]) == ("sex", "accent", None)
    assert first["recogniser"]["accuracy"]["value"] == 15 / 16
    assert first["recogniser"]["accuracy"]["low"] is None


def test_without_attributes_it_is_null_with_a_remark(folder: Path) -> None:
    found = json.loads(assess(folder, "--json").stdout)
    assert found["inference"] is None
    assert any(one.startswith("Inference is not measured:") for one in found["remarks"])


def test_json_has_how_many_people_share_their_combination(folder: Path) -> None:
    sex, accent, heard = (str(folder / name) for name in ("sex", "accent", "heard"))
    given = ["--attributes", sex, "--attributes", accent, "--predictions", heard]
    found = json.loads(assess(folder, *given, "--json").stdout)["uniqueness"]
    assert (found["attributes"], found["people"], found["lacking"]) == (["sex", "accent"], 8, 0)
    assert found["true"] == {"unique": 0.0, "smallest": 2, "below_eleven": 8, "curve": [0.0, 0.0]}
    assert (found["inferred"]["attributes"], found["inferred"]["right"]) == (["sex"], 7 / 8)
    assert found["inferred"]["ties"] == 1
    assert json.loads(assess(folder, "--json").stdout)["uniqueness"] is None
    said = assess(folder, *given).stdout
    assert "(sex, accent): 0 of 8 people; the smallest group of people alike has 2. As inferred" in said
    assert "Inferred combinations are without accent:" in said


def test_in_the_terminal_it_is_a_sentence(folder: Path) -> None:
    done = assess(folder, "--attributes", str(folder / "sex"), "--bootstrap", "20")
    assert "sex: scores disclose whether two different speakers share it by" in done.stdout


def test_predictions_alone_are_refused(folder: Path) -> None:
    done = assess(folder, "--predictions", str(folder / "heard"))
    assert done.exit_code == 2
    assert "Give the attributes of the speakers by --attributes" in done.stderr


def test_a_line_that_is_none_is_told_with_file_and_number(folder: Path) -> None:
    (folder / "sex").write_text("s0 f\ns1 m m\n")
    done = assess(folder, "--attributes", str(folder / "sex"))
    assert done.exit_code == 1
    assert "sex, line 2: “s1 m m” has 3 columns" in done.stderr


def test_where_nothing_can_be_said_the_other_figures_stay(folder: Path) -> None:
    (folder / "sex").write_text("somebody f\nsomebody-else m\n")
    done = assess(folder, "--attributes", str(folder / "sex"), "--json")
    found = json.loads(done.stdout)
    [told] = found["inference"]
    assert (done.exit_code, told["similarity_bits"], told["speakers"]) == (0, None, 0)
    [remark] = told["remarks"]
    assert remark.startswith(
        "None of the 2 ids in this file is a speaker of these scores: it lists somebody, while the scores are"
    )
    assert found["d_ece_bits"] > 0.0
