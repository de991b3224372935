"""`zebra review`: comments from the shell go into the project file, and nothing else in it changes."""

import json
import time
import zipfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest
from click.testing import CliRunner
from PySide6.QtCore import QLockFile

from tests.core.samples import demo, pdf_text
from zebra_core.document import project_file
from zebra_core.document.project_file import open_project, save_project
from zebra_core.project.report_settings import ReportSettings, Section
from zebra_gui.cli import main
from zebra_gui.document.autosave import lock_of

BRIEF = ReportSettings(left_out=frozenset(Section) - {Section.QUESTION, Section.APPENDIX}, author="Cy")


def run(*arguments: object):
    return CliRunner().invoke(main, ["review", *map(str, arguments)])


@pytest.fixture
def project(tmp_path: Path) -> Path:
    path = tmp_path / "case.zebra"
    save_project(replace(demo(), items=demo().entries[:1], report=BRIEF), path, {"pane": "report"})
    return path


def members(path: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(path) as packed:
        return {name: packed.read(name) for name in packed.namelist()}


def test_a_comment_is_added_answered_and_closed_and_all_else_stays(project: Path) -> None:
    before = members(project)
    assert run(project, "--comment", "Which attacker?", "--on", "question", "--by", "Ada").exit_code == 0
    done = run(project, "--answer", 1, "The informed one.", "--close", 1, "--by", "Bo", "--json")
    assert done.exit_code == 0, done.output
    (comment,) = json.loads(done.stdout)["comments"]
    assert (comment["on"], comment["by"], comment["text"]) == ("question", "Ada", "Which attacker?")
    assert [one["text"] for one in comment["answers"]] == ["The informed one."]
    assert comment["closed"]["by"] == "Bo"
    after = members(project)
    document = json.loads(after.pop("project.json"))
    assert document.pop("review")["comments"] == [comment]
    assert document == json.loads(before.pop("project.json"))
    assert after == before


def test_who_comments_is_the_author_of_the_report_unless_said_otherwise(project: Path) -> None:
    run(project, "--comment", "Mine.")
    assert open_project(project).project.review.comments[0].by == "Cy"


def test_listing_changes_nothing_and_shows_what_is_hidden_in_a_text(project: Path) -> None:
    assert run(project).stdout == "Nobody has said anything about this report yet.\n"
    run(project, "--comment", "a\u202eb\x1b[31m", "--by", "Ada")
    kept = project.read_bytes()
    assert "report, open" in (shown := run(project).stdout)
    assert "a\\u202eb\\x1b[31m" in shown
    assert project.read_bytes() == kept


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("--comment", "x", "--on", "nowhere"), "There is no place called “nowhere”"),
        (("--answer", 3, "x"), "There is no comment 3"),
        (("--comment", " "), "The text is empty."),
        (("--close", 1), "There is no comment 1"),
    ],
)
def test_what_cannot_be_is_refused_in_a_sentence_and_nothing_is_written(
    project: Path, arguments: tuple[object, ...], told: str
) -> None:
    before = project.read_bytes()
    done = run(project, *arguments)
    assert done.exit_code == 1
    assert told in done.stderr
    assert project.read_bytes() == before


def test_a_project_that_a_window_has_open_is_not_written(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("zebra_gui.commands.review._WAIT", 10)
    lock: QLockFile = lock_of(project)
    assert lock.tryLock(0)
    before = project.read_bytes()
    done = run(project, "--comment", "x")
    lock.unlock()
    assert (done.exit_code, project.read_bytes()) == (1, before)
    assert "is open in another program" in done.stderr


@pytest.mark.parametrize("has_qt", [True, False])
def test_five_comments_at_once_are_five(project: Path, has_qt: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    reads = project_file.open_project

    def slowly(file: Path) -> object:
        found = reads(file)
        time.sleep(0.1)
        return found

    monkeypatch.setattr(project_file, "open_project", slowly)
    monkeypatch.setattr("zebra_gui.commands.review.find_spec", lambda _name: has_qt or None)
    monkeypatch.setattr(
        "zebra_gui.commands.review._content", lambda _file: SimpleNamespace(places={"report": ""})
    )

    def comment(number: int) -> None:
        main(["review", str(project), "--comment", str(number), "--by", "Ada"], standalone_mode=False)

    with ThreadPoolExecutor(5) as pool:
        list(pool.map(comment, range(5)))
    assert sorted(one.text for one in reads(project).project.review.comments) == ["0", "1", "2", "3", "4"]


def _report(project: Path, out: Path, *more: str) -> str:
    done = CliRunner().invoke(main, ["report", str(project), "-o", str(out), "--no-intervals", *more])
    assert done.exit_code == 0, done.output
    return " ".join(pdf_text(out).split())


def test_comments_are_in_a_report_that_is_asked_for_them(project: Path, tmp_path: Path) -> None:
    run(project, "--comment", "Which attacker?", "--by", "Ada")
    assert "Which attacker?" not in _report(project, tmp_path / "a.pdf")
    assert "Which attacker?" in _report(project, tmp_path / "b.pdf", "--comments")


def test_places_are_listed_by_their_names(project: Path) -> None:
    places = json.loads(run(project, "--places", "--json").stdout)["places"]
    assert places["report"] == "The whole report"
    assert places["question"] == "Question and propositions"
