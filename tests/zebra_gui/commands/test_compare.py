"""`zebra compare`: a folder or a project side by side, with the figures of the reference."""

import csv
import json
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import zebra_resources
from tests.core.attribute_cases import SEX, two_columns, write_before_and_after, write_drop
from tests.core.challenge_case import EXPECTED, REFERENCE, challenge
from tests.core.samples import demo, demo_assessments, pdflatex
from zebra_core.document.project_file import save_project
from zebra_core.project.items import SpeechKey
from zebra_core.project.utility import Utility
from zebra_core.report import comparison_files
from zebra_gui.cli import main

NAMED_AS_BY_THE_TOOLKIT = {
    f"ZEBRA-{prefix}{label}.png"
    for prefix in ("", "sorted-")
    for label in (
        *(f"multiple_conditions_{system}" for system in ("B1w", "B2", "B2r", "B2r_run1")),
        *(f"task_wise_other-{task}-{sex}" for sex in "fm" for task in ("o-o", "o-a", "a-a")),
    )
}


def zebra(*arguments: object) -> Result:
    return CliRunner().invoke(main, ["compare", *map(str, arguments)])


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One set of one system: quick to draw."""
    folder = tmp_path_factory.mktemp("small") / "run"
    for name in ("data/other_test_trials_f", "exp/B2"):
        shutil.copytree(REFERENCE / name, folder / name, ignore=shutil.ignore_patterns("*_m", "*_m_anon"))
    return folder


@pytest.fixture(scope="module")
def reference_rows() -> list[dict]:
    """What is printed of the reference as JSON, which is asked for once."""
    done = zebra(REFERENCE, "--json")
    assert done.exit_code == 0, done.stderr
    return json.loads(done.stdout)["rows"]


@pytest.fixture(scope="module")
def small_told(small: Path) -> Result:
    """What is said of the small one in a terminal, which is asked for once."""
    done = zebra(small)
    assert done.exit_code == 0, done.stderr
    return done


def test_columns_are_chosen_by_their_keys_and_former_names_are_read_with_a_remark(
    small: Path, tmp_path: Path
) -> None:
    done = zebra(small, "-o", tmp_path / "now", "--columns", "d_ece_bits,hits_at_0_01")
    assert "is called" not in done.stderr
    formerly = zebra(small, "-o", tmp_path / "then", "--columns", "d_ece,hits_at_1e2")
    assert "zebra: d_ece is called d_ece_bits now, as in tables and in JSON." in formerly.stderr
    now, then = ((tmp_path / each / "results.tex").read_bytes() for each in ("now", "then"))
    assert now == then
    refused = zebra(small, "--columns", "d_ece_bit")
    assert refused.exit_code == 2
    assert "d_ece_corrected_bits, d_ece_bits, share" in " ".join(refused.stderr.split())


def test_the_people_in_question_are_the_prior_of_every_row_and_linking_among_them_is_told(
    small: Path,
) -> None:
    found = json.loads(zebra(small, "--json", "--among", "3").stdout)
    assert found["context"]["people"] == 3
    assert {row["prior_one_in"] for row in found["rows"]} == {3}
    among = [row["reidentification"]["among"] for row in found["rows"]]
    assert {(one["people"], one["linkage"][0]["people"]) for one in among} == {(3, 3)}
    found = json.loads(zebra(small, "--json", "--prior", "30").stdout)
    assert {row["prior_one_in"] for row in found["rows"]} == {30}
    assert "among" not in found["rows"][0]["reidentification"]
    assert found["context"]["people"] is None


def test_json_has_a_row_for_each_assessment_with_the_reference_figures(reference_rows: list[dict]) -> None:
    rows = reference_rows
    assert len(rows) == 18  # unprotected speech, which lies in four folders, once for each set
    assert list(rows[0])[:5] == ["system", "run", "dataset", "condition", "attacker"]
    found = {(row["system"], row["run"], row["dataset"], row["condition"]): row for row in rows}
    for name, expected in EXPECTED.items():
        _, system, folder, _ = name.split("/")
        if "_anon" not in folder:
            continue
        safeguard, _, run = system.partition("_")
        sex = folder.removesuffix("_anon")[-1]
        row = found[safeguard, run.removeprefix("run"), f"other_{sex}", "PP" if "_anon-" in folder else "OP"]
        for figure in ("d_ece_bits", "worst_case_log10_lr", "rocch_eer", "min_cllr_bits", "cllr_bits"):
            assert row[figure] == pytest.approx(expected[figure], abs=1e-10)
        assert row["tag"] == expected["tag"]
        linked = row["reidentification"]["linkage"]
        assert [point["people"] for point in linked if point["recordings"] == 1] == [2, 5]
        assert linked[0]["chance"] == 0.5


def test_json_has_gains_ranks_and_what_is_learnt_on_another_run(reference_rows: list[dict]) -> None:
    rows = reference_rows
    run1 = next(
        row for row in rows if (row["run"], row["condition"], row["dataset"]) == ("1", "OP", "other_f")
    )
    oo = EXPECTED["exp/B2r_run1/ASV-other_test_enrolls-other_test_trials_f/scores"]
    assert run1["d_ece_op_oo"] == pytest.approx(1.0 - run1["d_ece_bits"] / oo["d_ece_bits"], abs=1e-9)
    assert run1["rank"] == 4
    assert 0.0 < run1["c_ece_bits"] < run1["d_ece_bits"]
    assert {row["attacker"] for row in rows} == {"", "ignorant", "lazy-informed"}


def test_people_are_columns_and_pictures_where_somebody_asks(small: Path, tmp_path: Path) -> None:
    done = zebra(small, "--people", "-o", tmp_path / "out", "-e", "svg")
    assert done.exit_code == 0, done.stderr
    assert "Linkage probability π_link" in done.stdout
    assert " % among 5" in done.stdout
    heads, *rows = csv.reader((tmp_path / "out" / "results.csv").read_text().splitlines())
    at = heads.index("linkage_probability")
    assert heads[at : at + 4] == ["linkage_probability", "linkage_people", "linkage_low", "linkage_high"]
    assert heads[at + 4 : at + 6] == ["linkage_above_guessing", "singling_out_probability"]
    assert {row[at + 1] for row in rows} == {"5"}
    assert "Linkage probability" in (tmp_path / "out" / "results.md").read_text()
    assert "\\ensuremath{\\pi}\\_link" in (tmp_path / "out" / "results.tex").read_text()
    pictures = {path.name for path in (tmp_path / "out").glob("*.svg")}
    assert {name.split("-")[1] for name in pictures} >= {"LINKAGE", "SINGLING", "RANKS"}


@pytest.fixture(scope="module")
def with_attributes(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Scores, attributes and predictions of one safeguard, and attributes that lie elsewhere."""
    made = tmp_path_factory.mktemp("attributes")
    write_drop(made / "B1")
    (made / "elsewhere").write_text(two_columns(dict(list(SEX.items())[:4])))
    (made / "B1" / "accent").rename(made / "accent")
    return made


def test_attributes_in_the_folder_are_columns_of_every_table(with_attributes: Path, tmp_path: Path) -> None:
    done = zebra(with_attributes / "B1", "--people", "-o", tmp_path / "out", "-e", "svg")
    assert done.exit_code == 0, done.stderr
    assert "Attribute, average recall" in done.stdout
    assert "sex: 94 %, guessing 50 %" in done.stdout
    [row] = csv.DictReader((tmp_path / "out" / "results.csv").read_text().splitlines())
    assert (row["sex_accuracy"], row["sex_accuracy_low"], row["sex_accuracy_chance"]) == ("0.9375", "", "0.5")
    assert "sex: 94 %, guessing 50 %" in (tmp_path / "out" / "results.md").read_text()
    assert "94 \\%" in (tmp_path / "out" / "results.tex").read_text()


def test_attributes_that_are_given_take_the_place_of_those_in_the_folder(with_attributes: Path) -> None:
    folder, files = with_attributes / "B1", [with_attributes / "accent", with_attributes / "elsewhere"]
    given = [argument for file in files for argument in ("--attributes", file)]
    done = zebra(folder, *given, "--json")
    assert done.exit_code == 0, done.stderr
    [row] = json.loads(done.stdout)["rows"]
    assert [one["attribute"] for one in row["inference"]] == ["accent", "elsewhere"]
    assert row["inference"][0]["values"] == ["Irish", "Scottish"]
    assert row["inference"][1]["speakers"] == 4
    assert "zebra: elsewhere: 4 of 8 enrolled speakers have no attribute here, s4 for instance" in done.stderr


def test_in_a_terminal_it_is_a_table_for_each_group(small_told: Result) -> None:
    sentence, facts, answer, lacks, *blocks = small_told.stdout.rstrip("\n").split("\n\n")
    assert sentence.startswith("The strongest attack on B2 names the right one of 5 people in 94 ")
    assert facts.startswith("Right one of 5 people named, of 100: By guessing: 20; B2: 94 (36 to 100); ")
    assert answer.startswith("B2 [")
    assert "Among 5 people, of whom one is speaking, the attacker names the right one in " in answer
    assert "How sure this is, and what the scores tell when they are held against each other, is not" in lacks
    assert [block.splitlines()[0] for block in blocks] == [
        "other_f · OO, unprotected",
        "other_f · OP, test side protected · ignorant",
        "other_f · PP, both sides protected · lazy-informed",
    ]
    assert blocks[1].splitlines()[2].split() == (
        ["B2", "–", "0.365", "51", "%", "1.4", "B", "2.16", "19", "%", "0.49", "0.22", "35", "/", "140"]
    )


def test_a_remark_about_all_is_told_once_without_names(small_told: Result) -> None:
    told = [line for line in small_told.stderr.splitlines() if "Actual ECE" in line]
    assert len(told) == 1
    assert told[0].startswith("zebra: Actual ECE and Cllr judge the scores")


def test_a_folder_gives_every_figure_of_the_toolkits_challenge_script(tmp_path: Path) -> None:
    done = zebra(REFERENCE, "-o", tmp_path / "out")
    assert done.exit_code == 0, done.stderr
    written = {path.name for path in (tmp_path / "out").iterdir()}
    tables = {"results.csv", "results.md", "results.tex"}
    tables |= {f"results-{system}.md" for system in ("B1w", "B2", "B2r", "B2r_run1")}
    assert written == NAMED_AS_BY_THE_TOOLKIT | tables | {"ZEBRA-dots.png", "ZEBRA-multiples.png"}
    with (tmp_path / "out" / "results.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 18
    assert len((tmp_path / "out" / "results-B2r_run1.md").read_text("utf-8").splitlines()) == 2 + 6


def test_pictures_and_the_table_in_tex_compile(small: Path, tmp_path: Path) -> None:
    assert zebra(small, "-o", tmp_path, "-e", "tex").exit_code == 0
    pdflatex("ZEBRA-multiples-standalone.tex", tmp_path)
    (tmp_path / "table.tex").write_text(
        "\\documentclass{article}\\usepackage[a4paper]{geometry}\\usepackage{booktabs,longtable}"
        "\\begin{document}\\input{results}\\end{document}",
        encoding="ascii",
    )
    assert "0.365" in pdflatex("table.tex", tmp_path)


@pytest.mark.parametrize("name", ["results.md", "ZEBRA-dots.png"])
def test_nothing_is_overwritten_unasked_which_is_told_before_anything_is_drawn(
    small: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    (tmp_path / name).write_bytes(b"mine")
    with monkeypatch.context() as patch:
        patch.setattr(comparison_files, "figure_files", None)  # whoever called it would end with status 3
        done = zebra(small, "-o", tmp_path)
    assert done.exit_code == 1
    assert f"{name} already exists" in done.stderr
    assert [path.name for path in tmp_path.iterdir()] == [name]


def test_it_is_overwritten_where_somebody_asks(small: Path, tmp_path: Path) -> None:
    (tmp_path / "results.md").write_bytes(b"mine")
    assert zebra(small, "-o", tmp_path, "-e", "tex", "--overwrite").exit_code == 0  # drawn soonest
    assert (tmp_path / "results.md").read_bytes() != b"mine"


def test_a_project_has_what_was_typed_into_it(tmp_path: Path) -> None:
    project = challenge().with_utility(SpeechKey("other_f", "B2"), Utility(0.25))
    save_project(project, tmp_path / "a.zebra")
    done = zebra(tmp_path / "a.zebra", "--json")
    assert done.exit_code == 0, done.stderr
    rows = json.loads(done.stdout)["rows"]
    assert len(rows) == 24
    assert [row["condition"] for row in rows if row["wer"] == 0.25] == ["OP", "PP"]


def test_of_a_project_only_what_is_ticked_is_compared(tmp_path: Path) -> None:
    entries = (replace(entry, is_ticked=entry.name == "B2") for entry in demo().entries)
    save_project(replace(demo(), items=tuple(entries)), tmp_path / "a.zebra")
    rows = json.loads(zebra(tmp_path / "a.zebra", "--json").stdout)["rows"]
    assert [row["system"] for row in rows] == ["B2"]
    assert rows[0]["d_ece_op_oo"] is not None


@pytest.mark.parametrize(
    ("name", "sentence"),
    [("nowhere", "was not found"), ("empty", "contains nothing to assess"), ("a.zebra", "was not found")],
)
def test_wrong_input_is_one_sentence_and_status_1(tmp_path: Path, name: str, sentence: str) -> None:
    (tmp_path / "empty").mkdir()
    done = zebra(tmp_path / name)
    assert (done.exit_code, done.stdout) == (1, "")
    assert done.stderr.startswith("zebra: ")
    assert sentence in done.stderr
    assert done.stderr.count("\n") == 1


def test_where_nothing_can_be_assessed_every_reason_is_told(tmp_path: Path) -> None:
    for number in range(10):
        (tmp_path / f"broken{number}.npy").write_bytes(b"\x93NUMPY")
    (tmp_path / "scores.txt").write_text("0.5\n0.7\n")
    done = zebra(tmp_path)
    assert (done.exit_code, done.stdout) == (1, "")
    assert done.stderr.startswith(
        f"zebra: error: Nothing in {tmp_path.name} could be assessed. broken0.npy is not a complete"
    )
    assert "broken7.npy" in done.stderr
    assert done.stderr.endswith("3 more files or questions need attention.\n")


def test_what_cannot_be_assessed_is_told_and_the_rest_is_there(small: Path, tmp_path: Path) -> None:
    folder = tmp_path / "run"
    shutil.copytree(small, folder)
    bad = folder / "exp/B2/ASV-other_test_enrolls_anon-other_test_trials_f_anon/scores"
    bad.write_text(bad.read_text("utf-8").replace("\n", " x\n", 1), encoding="utf-8")
    done = zebra(folder, "--json")
    assert done.exit_code == 1
    assert [row["condition"] for row in json.loads(done.stdout)["rows"]] == ["OO", "OP"]
    assert "line 1" in done.stderr


def test_it_runs_as_a_program_without_a_screen(small: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", "from zebra_gui.cli import main; main()", "compare", str(small), "--json"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert len(json.loads(done.stdout)["rows"]) == 3
    assert "Traceback" not in done.stderr


@pytest.fixture(scope="module")
def bootstrapped(tmp_path_factory: pytest.TempPathFactory) -> dict:
    """The demo, matrices and all, with intervals."""
    case = tmp_path_factory.mktemp("bootstrapped") / "case.zebra"
    save_project(demo(), case)
    done = zebra(case, "--bootstrap", 30, "--seed", 5, "--json")
    assert done.exit_code == 0, done.stderr
    return json.loads(done.stdout)


def test_bootstrap_says_which_ranks_are_settled(bootstrapped: dict, tmp_path: Path) -> None:
    found = bootstrapped
    [settled] = found["settled"]
    assert (settled["seed"], settled["replicates"], settled["level"]) == (5, 30, 0.95)
    d_ece = settled["figures"]["d_ece_bits"]
    assert [found["rows"][place]["system"] for place in d_ece["of"]] == ["B1w", "B2", "B2r"]
    assert len(d_ece["differences"]) == 3
    assert found["rows"][1]["rank_low"] == 1
    assert found["rows"][1]["eer_low"] < found["rows"][1]["eer"] < found["rows"][1]["eer_high"]
    alike = demo_assessments().entries[2:]  # B2 and B2r
    save_project(replace(demo(), items=alike), tmp_path / "case.zebra")
    lines = zebra(tmp_path / "case.zebra", "--bootstrap", 30, "--seed", 5).stdout
    assert "Settled?" in lines
    assert "not settled" in lines
    assert "(seed 5)" in lines


def test_bootstrap_gives_intervals_to_what_is_in_no_comparison_too(bootstrapped: dict) -> None:
    rows = bootstrapped["rows"]
    assert [row["system"] for row in rows] == ["unprotected", "B1w", "B2", "B2r"]
    for row in rows:
        assert row["eer_low"] < row["eer"] < row["eer_high"], row["system"]
    assert (rows[0]["rank_low"], rows[0]["rank_high"]) == (None, None)


def test_with_nothing_to_compare_there_are_intervals_and_a_sentence(tmp_path: Path) -> None:
    save_project(replace(demo(), items=demo().entries[:2]), tmp_path / "case.zebra")
    done = zebra(tmp_path / "case.zebra", "--bootstrap", 30, "--json")
    assert done.exit_code == 1
    assert "There is nothing to compare" in done.stderr
    found = json.loads(done.stdout)
    assert found["settled"] == []
    assert all(row["eer_low"] < row["eer_high"] for row in found["rows"])


def test_people_who_share_their_attributes_are_told_before_and_after(tmp_path: Path) -> None:
    write_before_and_after(tmp_path)
    said = zebra(tmp_path, "--people").stdout
    assert "As inferred from original speech: 2 of 8" in said
    assert (
        "As inferred from protected speech: 1 of 8, 1 of them with a combination that is not theirs" in said
    )
    rows = json.loads(zebra(tmp_path, "--json").stdout)["rows"]
    right = {row["condition"]: row["uniqueness"]["inferred"]["right_and_unique"] for row in rows}
    assert right == {"OO": 2 / 8, "PP": 0.0}


def test_printed_figures_that_contradict_are_named(tmp_path: Path) -> None:
    """As the evaluations of 2024 print an EER: a bare share, in a file beside the scores."""
    folder = shutil.copytree(zebra_resources.path("demo"), tmp_path / "demo")
    scores = next((folder / "exp/B2").rglob("scores"))
    (scores.parent / "EER").write_text("0.99\n")
    done = zebra(folder)
    assert done.exit_code == 0
    (said,) = (line for line in done.stderr.splitlines() if "printed 0.99" in line)
    assert said.startswith("zebra: ")
    assert "but 0.276 here (EER, line 1) (libri_f · B2 OP" in said
    assert "printed 0.99" in zebra(folder, "--json").stderr
