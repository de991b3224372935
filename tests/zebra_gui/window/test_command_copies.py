"""What is copied as a command does on the command line what the window does."""

import shlex

import pytest
from click.testing import CliRunner
from PySide6.QtWidgets import QApplication

from zebra_core.saved.project_file import open_project
from zebra_gui.cli import main
from zebra_gui.session.automatic_intervals import INTERVALS_AT_ONCE
from zebra_gui.settings import settings


@pytest.fixture
def saved(demo_window, settled, answers, tmp_path):
    """The demo, saved under a name with a blank and a quotation mark."""
    settings().setValue(INTERVALS_AT_ONCE, False)
    answers["project"] = tmp_path / "a case's.zebra"
    demo_window.documents.save_as()
    settled(demo_window.jobs)
    assert not demo_window.documents.is_modified
    return demo_window


def copied(action) -> list[str]:
    action.trigger()
    program, *words = shlex.split(QApplication.clipboard().text())
    assert program == "zebra"
    return words


def test_the_copied_report_is_the_one_that_the_window_saves(saved, settled, answers, tmp_path):
    words = copied(saved.export_menu.command_actions[0])
    done = CliRunner().invoke(main, words)
    assert done.exit_code == 0, done.output
    answers["report"] = tmp_path / "window.pdf"
    saved.exports.save_report()
    settled(saved.jobs)
    made = tmp_path / "a case's-report.pdf"
    assert made.read_bytes() == (tmp_path / "window.pdf").read_bytes()


def test_the_copied_comparison_is_of_the_project_at_the_prior_that_is_shown(saved, tmp_path):
    saved.session.consider_prior(37)
    words = copied(saved.export_menu.command_actions[1])
    assert words[:2] == ["compare", str(tmp_path / "a case's.zebra")]
    assert words[-2:] == ["--prior", "37"]
    done = CliRunner().invoke(main, words)
    assert done.exit_code == 0, done.output
    table = (tmp_path / "a case's-comparison" / "results.csv").read_text()
    shown = [entry.name for entry in open_project(tmp_path / "a case's.zebra").project.entries]
    assert all(name in table for name in shown)


def test_a_project_that_is_not_saved_has_no_command(demo_window):
    QApplication.clipboard().setText("before")
    demo_window.export_menu.command_actions[0].trigger()
    assert QApplication.clipboard().text() == "before"
    assert demo_window.session.problems == (
        "The command would read the saved project. Save it first, then copy again.",
    )
