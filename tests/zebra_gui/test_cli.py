"""The command line: what it prints, where, and how it ends."""

import json
import os
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import zebra_resources
from tests.known_answers import exported_once
from tests.watched import sockets_of_commands
from zebra_core.installation import selftest
from zebra_core.project import demo
from zebra_core.wording.texts import say
from zebra_gui.cli import main
from zebra_gui.commands.options import choices_of

SCORES = str(demo.FILES[2].path)
KEY = str(zebra_resources.path(demo.KEY))


def zebra(*arguments: str) -> Result:
    return CliRunner().invoke(main, list(arguments))


def test_the_help_has_every_command_once_in_a_group_and_cuts_no_line():
    text = CliRunner().invoke(main, ["--help"], terminal_width=80).output
    shown = text.partition("Assess:")[2]
    assert [name for name in main.list_commands(None) if shown.count(f"\n  {name} ") != 1] == []
    heads = re.findall(r"^(\S.*):$", text, re.MULTILINE)
    assert heads == [
        "Options",
        "Assess",
        "Compare and report",
        "Recordings and listeners",
        "Verify and sign",
        "This installation",
    ]
    told = " ".join(shown.split())
    assert "..." not in text
    firsts = [say(f"cli.{name}").partition("\n\n")[0] for name in main.list_commands(None)]
    assert [first for first in firsts if f" {' '.join(first.split())}" not in told] == []
    assert [first for first in firsts if not first.endswith(".")] == []
    assert max(map(len, text.splitlines())) <= 80


def test_the_demo_without_a_screen_writes_its_report_set_and_opens_no_socket(tmp_path: Path) -> None:
    """In a process of its own, that is watched; the figures told are without intervals, so few are drawn."""
    folder, told = tmp_path / "demo-report", tmp_path / "told"
    assert sockets_of_commands(told, ("demo", "--out", folder)) == []
    printed = told.read_text("utf-8")
    assert "B2 OP\nPopulation: 0.205 bit\nIndividual: 2.394 (C)\n" in printed
    assert "unprotected OO\nPopulation: 0.678 bit\nIndividual: 3.879 (C)\n" in printed
    written = {path.relative_to(folder).as_posix() for path in folder.rglob("*")}
    assert {
        "report.pdf",
        "tex/report.tex",
        "results.csv",
        "results.md",
        "results.tex",
        "evidence.json",
    } <= written
    assert any(name.endswith(".png") for name in written)


def test_a_window_without_a_screen_is_refused_in_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QT_QPA_PLATFORM", "offscreen")
    done = zebra(SCORES, KEY)
    assert done.exit_code == 1
    assert done.stderr == (
        "zebra: error: There is no screen to open a window on. Use a command instead: zebra --help lists "
        "them.\n"
    )


@pytest.mark.parametrize("command", [[], *([name] for name in main.commands)], ids="".join)
def test_help_does_not_wait_for_numpy_or_qt(command: list[str]) -> None:
    probe = (
        f"import sys; from zebra_gui.cli import main; main([*{command}, '--help'], standalone_mode=False);"
        "slow = 'numpy', 'pandas', 'PySide6', 'matplotlib', 'importlib.metadata';"
        "sys.exit(any(name in sys.modules for name in slow))"
    )
    done = subprocess.run([sys.executable, "-c", probe], capture_output=True, check=False, text=True)
    assert done.returncode == 0, done.stderr
    assert command or "How much does protected speech still give away" in done.stdout


PROGRAM = [sys.executable, "-c", "from zebra_gui.cli import main; main()"]
ASSESS = ["assess", "-s", SCORES, "-k", KEY]


def test_a_reader_that_closes_early_gets_no_traceback() -> None:
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run(
        [*PROGRAM, *ASSESS, "--json"], stdout=writing, stderr=subprocess.PIPE, check=False, text=True
    )
    os.close(writing)
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("arguments", [ASSESS, [*ASSESS, "--json"], ["--help"]])
@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_where_what_is_printed_finds_no_room_a_sentence_says_so(
    arguments: list[str], unbuffered: str
) -> None:
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [*PROGRAM, *arguments],
            env={**os.environ, "PYTHONUNBUFFERED": unbuffered},
            stdout=full,
            stderr=subprocess.PIPE,
            check=False,
            text=True,
        )
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1] == (
        "zebra: error: Standard output cannot be written: No space left on device. Free some space, or send "
        "it elsewhere."
    )
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("name", [*main.list_commands(None), "--help", "--version"])
def test_where_standard_output_is_closed_no_command_begins(name: str, tmp_path: Path) -> None:
    command = ["sh", "-c", 'exec "$@" >&-', "sh", *PROGRAM, name]
    done = subprocess.run(command, capture_output=True, check=False, text=True, cwd=tmp_path)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("zebra: error: Standard output cannot be written: Bad file descriptor.")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("reading", "file", "way"),
    [
        ("a=kaldi-key", "a", "kaldi-key"),
        ("a=b=kaldi-key", "a=b", "kaldi-key"),
        ("a=kaldi-key:x=y", "a", "kaldi-key:x=y"),
    ],
)
def test_equals_signs_in_names_are_no_matter(reading: str, file: str, way: str) -> None:
    assert choices_of([reading]) == {file: way}


def test_a_fault_in_the_program_is_one_sentence_and_status_3(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: object, **__: object) -> None:
        raise ValueError("speaker 1089")

    monkeypatch.setattr("zebra_core.project.reading.reading.assess_files", fails)
    done = zebra("assess", "-s", SCORES, "-k", KEY)
    assert done.exit_code == 3
    assert re.fullmatch(
        r"zebra: error: This is a fault in the program, not in your files "
        r"\(ValueError at zebra_gui/commands/assess\.py:\d+\)\. "
        r"Nothing was changed; please report it\.\n",
        done.stderr,
    )
    assert done.stderr.count("\n") == 1
    assert "1089" not in done.stderr


def test_version_names_the_commit_in_a_checkout():
    assert re.fullmatch(r"zebra \d+\.\d+\.\d+( \([0-9a-f]{12}(-dirty)?\))?\n", zebra("--version").output)


@pytest.fixture(scope="module")
def checked(tmp_path_factory):
    """The command with the real tests, whose exports take a while: what it printed, its page, the outcome."""
    outcomes, page, compute = [], tmp_path_factory.mktemp("checked") / "page.txt", selftest.selftest

    def compute_and_keep(*on_progress):
        outcomes.append(compute(*on_progress))
        return outcomes[-1]

    with exported_once(tmp_path_factory), pytest.MonkeyPatch.context() as patch:
        patch.setattr(selftest, "selftest", compute_and_keep)
        done = zebra("selftest", "-o", str(page))
    return done, page, outcomes[0]


@pytest.fixture
def outcome(checked):
    return checked[2]


def test_selftest_prints_its_page_and_writes_it(checked):
    done, page, _ = checked

    assert done.exit_code == 0
    assert ": PASSED\n" in done.stdout
    assert page.read_text("utf-8") == done.stdout


def test_selftest_overwrites_nothing_unasked(tmp_path, monkeypatch, outcome):
    monkeypatch.setattr(selftest, "selftest", lambda _progress: outcome)
    (tmp_path / "page.txt").write_text("mine")
    done = zebra("selftest", "-o", str(tmp_path / "page.txt"))

    assert done.exit_code == 1
    assert "already exists" in done.stderr


def test_selftest_that_fails_has_status_1(monkeypatch, outcome):
    failed = replace(outcome, checks=(replace(outcome.checks[0], passed=False), *outcome.checks[1:]))
    monkeypatch.setattr(selftest, "selftest", lambda _progress: failed)
    done = zebra("selftest", "--json")

    assert done.exit_code == 1
    assert json.loads(done.stdout)["passed"] is False
