"""What people type: pipes, mistyped words, folders that are not there yet, Ctrl-C, and who speaks."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import zebra_resources
from zebra_core.uncertainty import trust
from zebra_gui.cli import main

DEMO = zebra_resources.path("demo")
SCORES = DEMO / "exp/B2/ASV-libri_test_enrolls-libri_test_trials_f_anon/scores"
KEY, MAP = (DEMO / "data/libri_test_trials_f" / name for name in ("trials", "utt2spk"))
MATRIX = DEMO / "similarity/libri_test_trials_f/scores_oo.txt.gz"
PROGRAM = [sys.executable, "-c", "from zebra_gui.cli import main; main()"]
LINES = "ZEBRA profile\nPopulation: 0.205 bit\nIndividual: 2.394 (C)\n"


def zebra(*arguments: object, given: bytes | None = None) -> Result:
    return CliRunner().invoke(main, [*map(str, arguments)], input=given)


def test_a_dash_is_standard_input() -> None:
    done = zebra("assess", "-s", "-", "-k", KEY, given=SCORES.read_bytes())
    assert (done.exit_code, done.stdout) == (0, LINES)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="pipes with names are those of POSIX")
def test_a_pipe_is_read_as_a_file_is(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with subprocess.Popen(["cp", SCORES, tmp_path / "pipe"]):
        done = zebra("assess", "--scores", tmp_path / "pipe", "--key", KEY)
    assert (done.exit_code, done.stdout) == (0, LINES)


def test_what_is_wrong_with_standard_input_names_it() -> None:
    done = zebra("assess", "-s", "-", "-k", KEY, given=b"a b c d e f\n")
    assert done.exit_code == 1
    assert done.stderr.startswith("zebra: error: standard-input, line 1: ")


@pytest.mark.parametrize(
    ("word", "said"),
    [
        ("asses", "neither a command nor a file called asses. Did you mean assess?"),
        ("nosuchcommand", "called nosuchcommand. zebra --help lists the commands."),
    ],
)
def test_a_mistyped_command_opens_no_window(word: str, said: str) -> None:
    done = zebra(word, "-s", SCORES)
    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr.startswith("Usage: ")
    assert said in done.stderr


def test_a_folder_that_is_written_into_is_made(tmp_path: Path) -> None:
    done = zebra("assess", "-s", SCORES, "-k", KEY, "-e", "csv", "-o", tmp_path / "new/figures")
    assert done.exit_code == 0
    assert [path.name for path in (tmp_path / "new/figures").iterdir()] == ["ZEBRA-ZEBRA-profile.csv"]


def test_where_nothing_came_into_it_the_folder_goes_again(tmp_path: Path) -> None:
    assert zebra("copy", tmp_path / "nowhere", "-o", tmp_path / "new/copy.zebra").exit_code == 1
    assert not (tmp_path / "new").exists()


@pytest.mark.parametrize(
    ("arguments", "status", "code"),
    [
        (["assess", "-s", "nowhere", "-k", KEY], 1, "missing"),
        (["assess", "-k", KEY], 2, "usage"),
    ],
)
def test_with_json_an_error_is_an_object(arguments: list[object], status: int, code: str) -> None:
    done = zebra(*arguments, "--json")
    found = json.loads(done.stdout)
    assert (done.exit_code, found["format"]) == (status, {"name": "zebra-assess", "version": 1})
    assert found["error"]["code"] == code
    assert found["error"]["sentence"] in done.stderr


def test_an_error_after_the_object_is_on_standard_error_alone(tmp_path: Path) -> None:
    (tmp_path / "ZEBRA-ZEBRA-profile.csv").touch()
    done = zebra("assess", "-s", SCORES, "-k", KEY, "--json", "-e", "csv", "-o", tmp_path)
    assert done.exit_code == 1
    assert json.loads(done.stdout)["tag"] == "C"
    assert "zebra: error: ZEBRA-ZEBRA-profile.csv already exists" in done.stderr


def test_a_reader_that_has_seen_enough_is_no_fault() -> None:
    reading, writing = os.pipe()
    os.close(reading)
    command = [*PROGRAM, "assess", "-s", str(SCORES), "-k", str(KEY), "--json"]
    done = subprocess.run(command, stdout=writing, stderr=subprocess.PIPE, check=False, text=True)
    os.close(writing)
    assert (done.returncode, "error" in done.stderr) == (141, False)


def test_ctrl_c_keeps_what_there_is_and_says_that_it_was_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    measure = trust.trust_of

    def stopped(*arguments: object, **how: object) -> object:
        os.kill(os.getpid(), signal.SIGINT)
        return measure(*arguments, **{**how, "on_progress": lambda _share: None})  # type: ignore[arg-type]

    monkeypatch.setattr("zebra_core.uncertainty.trust.trust_of", stopped)
    done = zebra("assess", "-s", SCORES, "-k", KEY, "--bootstrap", "20")
    assert done.exit_code == 130
    assert done.stdout.startswith(LINES)


def test_ctrl_c_anywhere_else_ends_with_the_status_that_shells_know(monkeypatch: pytest.MonkeyPatch) -> None:
    def pressed(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("zebra_core.project.reading.folder.project_of_folder", pressed)
    done = zebra("compare", DEMO)
    assert (done.exit_code, done.stdout, done.stderr) == (130, "", "Aborted!\n")


@pytest.mark.parametrize("option", ["--speakers", "--utt2spk"])
@pytest.mark.parametrize("who", [MAP, "before-hyphen"])
def test_who_speaks_is_told_in_one_way(option: str, who: object) -> None:
    done = zebra("similarity", "--oo", MATRIX, option, who)
    assert (done.exit_code, "D_diag          0.95" in done.stdout) == (0, True)


def test_every_command_that_needs_to_know_who_speaks_has_both_options() -> None:
    needs = [
        "assess",
        "compare",
        "similarity",
        "score",
        "utility",
        "reidentify",
        "count",
        "protect",
        "calibration",
    ]
    told = {name: zebra(name, "--help").stdout for name in needs}
    assert [name for name, text in told.items() if "--speakers, --utt2spk" not in text] == []


def test_compare_takes_who_speaks_for_a_folder_that_does_not_say_it(tmp_path: Path) -> None:
    """Six speakers with three recordings each, and the scores of all pairs without any map."""
    ids = [f"s{person}-{number}" for person in range(6) for number in range(3)]
    lines = [f",{','.join(ids)}"]
    for one, name in enumerate(ids):
        row = [3.0 * (name[:2] == other[:2]) + 31 * (one + n) % 7 / 7 for n, other in enumerate(ids)]
        lines.append(",".join([name, *map(str, row)]))
    (tmp_path / "matrix.csv").write_text("\n".join(lines))
    alone = zebra("compare", tmp_path)
    assert alone.exit_code == 1
    assert "who speaks" in alone.stderr.lower()
    done = zebra("compare", tmp_path, "--speakers", "before-hyphen")
    assert done.exit_code == 0, done.stderr


def test_who_speaks_changes_nothing_beside_a_key_and_that_is_told() -> None:
    done = zebra("assess", "-s", SCORES, "-k", KEY, "--speakers", MAP)
    assert done.stdout == LINES
    assert "Who speaks (--speakers) changes none of these figures" in done.stderr
    drawn = zebra("assess", "-s", SCORES, "-k", KEY, "--speakers", MAP, "--bootstrap", "20")
    assert "changes none" not in drawn.stderr


def test_who_speaks_may_be_a_rule_where_attributes_are_inferred(tmp_path: Path) -> None:
    people = sorted({line.split()[1] for line in MAP.read_text().splitlines()})
    (tmp_path / "sex").write_text("".join(f"{name} {'mf'[n % 2]}\n" for n, name in enumerate(people)))
    arguments = ["assess", "-s", SCORES, "-k", KEY, "--attributes", tmp_path / "sex", "--json"]
    by_map, by_rule = (
        json.loads(zebra(*arguments, "--speakers", who).stdout)["inference"] for who in (MAP, "before-hyphen")
    )
    assert by_map == by_rule
    assert by_map is not None
