"""`zebra calibration`: learnt on one run, judged on another, with the core's numbers."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import zebra_resources
from zebra_core.evidence.trials import ScoreCounts
from zebra_core.intake.drop import read_trials
from zebra_core.metrics.learnt_calibration import LearntCalibration, attack
from zebra_core.project import demo
from zebra_gui.cli import main

KEY = zebra_resources.path(demo.KEY)
FILES = {file.name: file.path for file in demo.FILES}
PAIR = ["-s", FILES["B2"], "-k", KEY, "--train-scores", FILES["B2r"], "--train-key", KEY]


def zebra(*arguments: object) -> Result:
    return CliRunner().invoke(main, ["calibration", *map(str, arguments)])


@pytest.fixture(scope="module")
def expected() -> LearntCalibration:
    train, test = (ScoreCounts.of_trials(read_trials(FILES[name], KEY)) for name in ("B2r", "B2"))
    return attack(train, test, demo.demo_project().entries[0].assessment.profile.prior_log_odds)


def test_json_has_the_cores_numbers_and_nothing_else(expected: LearntCalibration) -> None:
    done = zebra(*PAIR, "--json")

    assert done.exit_code == 0
    assert json.loads(done.stdout) == {
        "format": {"name": "zebra-calibration", "version": 1},
        "linear": {"c_ece_bits": expected.linear.c_ece_bits, "cllr_bits": expected.linear.cllr_bits},
        "isotonic": {"c_ece_bits": expected.isotonic.c_ece_bits, "cllr_bits": expected.isotonic.cllr_bits},
    }
    assert done.stderr == ""


def test_without_json_it_says_the_same_in_two_lines() -> None:
    done = zebra(*PAIR)

    assert done.stdout == (
        "linear: C_ECE 0.178 bit, Cllr 0.741 bit\nisotonic: C_ECE 0.175 bit, Cllr 0.746 bit\n"
    )


@pytest.mark.parametrize("kind", ["png", "pdf", "svg", "tex"])
def test_the_figure_is_saved(tmp_path: Path, kind: str) -> None:
    done = zebra(*PAIR, "-e", kind, "-o", tmp_path)

    assert done.exit_code == 0, done.stderr
    stem = "ZEBRA-LEARNT-ASV-libri_test_enrolls-libri_test_trials_f_anon"
    assert (tmp_path / f"{stem}.{kind}").stat().st_size > 1000


def test_separable_training_scores_are_flagged(tmp_path: Path) -> None:
    scores, key = tmp_path / "s", tmp_path / "k"
    scores.write_text("a x 1\na y 2\nb x -1\nb y -2\n")
    key.write_text("a x target\na y target\nb x nontarget\nb y nontarget\n")
    done = zebra("-s", FILES["B2"], "-k", KEY, "--train-scores", scores, "--train-key", key, "--json")

    assert done.exit_code == 0
    assert "A threshold separates the training scores" in done.stderr
    assert set(json.loads(done.stdout)) == {"format", "linear", "isotonic"}


def test_a_missing_file_is_one_sentence(tmp_path: Path) -> None:
    done = zebra("-s", tmp_path / "gone", *PAIR[2:])

    assert done.exit_code == 1
    assert done.stderr.startswith("zebra: ")
    assert "was not found" in done.stderr


def test_what_is_not_given_is_wrong_usage() -> None:
    assert zebra(*PAIR[:4]).exit_code == 2


def test_scores_with_their_labels_need_no_key(tmp_path):
    scores = tmp_path / "both.csv"
    scores.write_text(
        "enrol,test,score,label\na,b,2,target\na,c,0,nontarget\nd,e,1,target\nd,f,1.5,nontarget\n"
    )
    done = CliRunner().invoke(main, ["calibration", "-s", str(scores), "--train-scores", str(scores)])
    assert (done.exit_code, "linear" in done.stdout) == (0, True)
