"""`zebra listen`: a test made and evaluated from the shell."""

import json
import sys

import pytest

import zebra_resources
from tests.core.listening.cases import answered, knowing, recordings
from tests.zebra_gui.test_cli import zebra as run_zebra
from zebra_core.listening.making import ListeningTest
from zebra_core.listening.plan import read_plan

TEST = """introduction = "Listen."
consent = "Yes."
original = "original"
speakers = "first-folder"
listeners = 2

[protected]
mask = "mask"

[same]
items = 8

[naturalness]
items = 10
"""


def zebra(*arguments):
    return run_zebra("listen", *map(str, arguments))


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A test for two, of whom one has answered."""
    top = recordings(tmp_path_factory.mktemp("listen"))
    (top / "test.toml").write_text(TEST)
    made = zebra("--new", top / "test.toml", "-o", top / "out")
    assert made.stdout.splitlines() == [
        f"2 files for listeners, each of 18 items, are in {top / 'out'}.",
        "listening-plan.json says what each item is. Do not give it to listeners.",
    ]
    plan = read_plan(top / "out" / "listening-plan.json")
    answered(ListeningTest(plan, (top / "out" / "listening-plan.json",), ()), "L01", knowing(plan.speaker))
    return top


def test_what_is_printed_of_the_answers(folder, tmp_path):
    plan, out = folder / "out" / "listening-plan.json", tmp_path / "found"
    done = zebra("--evaluate", plan, folder / "out", "-o", out, "--bootstrap", 20)
    lines = done.stdout.splitlines()

    assert done.exit_code == 0
    assert done.stderr.splitlines() == [
        "zebra: One of 2 planned listeners has not answered.",
        "zebra: Only one listener answered, so intervals say nothing about what others would hear.",
    ]
    assert lines[0] == "One of 2 listeners"
    assert lines[1].startswith("Same speaker, unprotected: D_ECE ")
    assert lines[1].endswith("EER 0.0 % (4 pairs)")
    assert lines[3].startswith("Naturalness, unprotected: 9.00 on average")
    assert lines[-1] == f"Scores, keys, ratings and all figures are in {out}."


def test_json_is_the_outcome_and_an_altered_file_is_told_with_status_1(folder, tmp_path):
    good = folder / "out" / "L01.zebra-answers"
    bad = tmp_path / "bad.zebra-answers"
    bad.write_text(good.read_text().replace('"rating": 9', '"rating": 1', 1))
    plan = folder / "out" / "listening-plan.json"
    done = zebra("--evaluate", plan, good, bad, "-o", tmp_path / "found", "--bootstrap", 20, "--json")

    assert done.exit_code == 1
    assert "bad.zebra-answers, line" in done.stderr
    found = json.loads(done.stdout)
    assert found.pop("format") == {"name": "zebra-listen", "version": 1}
    assert found == json.loads((tmp_path / "found" / "listening.json").read_text())


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ((), "Give one of --new, --open and --evaluate."),
        (("--new", "a", "--evaluate", "b"), "Give one of --new, --open and --evaluate."),
        (("--evaluate", "a"), "Give the listeners' answers"),
        (("--new", "a", "b"), "--leave-out need --evaluate"),
    ],
)
def test_what_is_missing_is_said(arguments, sentence):
    done = zebra(*arguments, "-o", "x")
    assert done.exit_code == 2
    assert sentence in done.stderr


def test_a_test_that_is_gone_or_a_screen_that_is_not_there_is_told(folder):
    assert "gone was not found" in zebra("--open", folder / "gone").stderr
    done = zebra("--open", folder / "out" / "L02.zebra-listening")
    assert done.exit_code == 1
    assert "screen" in done.stderr
    assert "Give the folder to write with -o" in zebra("--new", folder / "test.toml").stderr


def test_a_listening_test_given_alone_is_taken_and_the_desktop_knows_it(folder, monkeypatch):
    taken = []
    monkeypatch.setattr(
        "zebra_gui.commands.showing.open_listening", lambda path=None: taken.append(path) or 0
    )
    for module in ("cli", "commands.listen"):
        monkeypatch.setattr(f"zebra_gui.{module}.leave", sys.exit)
    path = folder / "out" / "L01.zebra-listening"
    assert run_zebra(str(path)).exit_code == 0
    assert taken == [path]
    assert zebra().exit_code == 0
    assert taken == [path, None]
    assert 'pattern="*.zebra-listening"' in zebra_resources.read_text("desktop/zebra.xml")
    entry = zebra_resources.read_text("desktop/zebra.desktop")
    assert "application/x-zebra-listening;" in entry
    assert "Actions=listen;" in entry
    assert "\nExec=zebra listen\n" in entry
