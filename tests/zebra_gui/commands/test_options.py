"""`--by`: the people of assessments in groups by an attribute, in words, JSON, tables and a picture."""

import csv
import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tests.core.group_cases import write_safeguard
from zebra_gui.cli import main


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("groups")
    write_safeguard(made, "B1", (3.0, 0.1, 0.5))
    write_safeguard(made, "B2", (0.3, 0.3, 0.3))
    return made


def zebra(*arguments: object) -> Result:
    return CliRunner().invoke(main, [*map(str, arguments), "--bootstrap", "60"])


def one_by_one(folder: Path, *arguments: str) -> Result:
    """`zebra assess` of B1."""
    lists = folder / "data" / "libri_test_trials_mixed"
    (scores,) = folder.glob("exp/B1/*/scores")
    given = ["assess", "-s", scores, "-k", lists / "trials", "--attributes", lists / "sex", "-l", "B1"]
    return zebra(*given, *arguments)


def test_groups_are_printed_with_a_sentence(folder: Path) -> None:
    done = one_by_one(folder, "--by", "sex")
    assert done.exit_code == 0, done.stderr
    head, women, men, sentence, *told = done.stdout.split("\n\n")[-1].splitlines()
    assert head == "By group: sex"
    assert women.startswith("  female  10 people; D_ECE 0.")
    assert men.startswith("  male    9 people; D_ECE 0.")
    assert sentence.startswith("B1 protects “female” less than “male” (sex) under this attack: 0.")
    assert " bit; settled." in sentence
    (few,) = told
    assert few.startswith("One group is not judged, for fewer than 8 of its people have recordings")
    assert few.endswith(": other (2).")


def test_json_has_every_group(folder: Path) -> None:
    found = json.loads(one_by_one(folder, "--by", "sex", "--json").stdout)
    (by_sex,) = found["by_group"]
    assert (by_sex["attribute"], by_sex["replicates"], by_sex["among"]) == ("sex", 60, 9)
    assert [(one["value"], one["speakers"]) for one in by_sex["groups"]] == [
        ("female", 10),
        ("male", 9),
        ("other", 2),
    ]
    assert by_sex["groups"][2]["d_ece_bits"] is None
    assert [one["figure"] for one in by_sex["differences"]] == ["d_ece_bits", "eer", "linkage"]
    assert "by_group" not in json.loads(one_by_one(folder, "--json").stdout)


def test_an_unknown_name_is_refused_with_those_there_are(folder: Path) -> None:
    done = one_by_one(folder, "--by", "age")
    assert done.exit_code == 1
    assert "There is no attribute “age”. Name one of these: sex." in done.stderr
    done = zebra("compare", folder, "--by", "age")
    assert done.exit_code == 1
    assert "There is no attribute “age”. Name one of these: sex." in done.stderr


def test_compare_says_it_of_every_safeguard(folder: Path, tmp_path: Path) -> None:
    done = zebra("compare", folder, "--by", "sex", "-o", tmp_path / "out", "-e", "svg")
    assert done.exit_code == 0, done.stderr
    assert "D_ECE by group (bit)" in done.stdout
    assert "sex=female 0." in done.stdout
    assert "B1 protects “female” less than “male” (sex) under this attack" in done.stdout
    assert done.stdout.count("One group is not judged") == 1
    first, _ = csv.DictReader((tmp_path / "out" / "results.csv").read_text().splitlines())
    low, value, high = (float(first[f"sex=female_d_ece_bits{end}"]) for end in ("_low", "", "_high"))
    assert low < value < high
    assert first["sex=other_d_ece_bits"] == ""
    assert (tmp_path / "out" / "ZEBRA-by-group-sex.svg").is_file()


def test_compare_has_it_in_the_json_of_each_row(folder: Path) -> None:
    done = zebra("compare", folder, "--by", "sex", "--json")
    rows = json.loads(done.stdout)["rows"]
    assert [row["by_group"][0]["attribute"] for row in rows] == ["sex", "sex"]
