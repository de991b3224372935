"""Reports and copies for others: where they go, what comes along, and what is said of the key."""

import json
from dataclasses import replace

import pytest

from tests.core.samples import demo_assessments
from zebra_core.document.project_file import open_project
from zebra_core.project.sharing.pseudonymised import keys_folder


@pytest.fixture
def demo_window(shared_window):
    return shared_window


def test_a_report_without_names_says_what_is_not_to_be_shared(
    demo_window, demo, settled, monkeypatch, tmp_path, answers
):
    path = tmp_path / "report.pdf"
    demo_window.session.restart(replace(demo, items=demo.items[:1]))  # what is said is not about how many
    answers["report"] = path
    monkeypatch.setattr("zebra_gui.window.exports.with_missing_intervals", lambda project, _progress: project)
    demo_window.workspace.nameless_requested.emit()
    settled(demo_window.jobs)

    assert {one.name for one in tmp_path.iterdir()} == {"report.pdf", "report-scores"}
    said = demo_window.statusBar().currentMessage()
    assert "Do not share" in said
    assert str(keys_folder()) in said
    [problem] = demo_window.session.problems
    assert "biometric data" in str(problem)


def test_a_copy_without_names_names_nobody_and_the_project_stays(demo_window, settled, answers, tmp_path):
    path, before = tmp_path / "copy.zebra", demo_window.session.project
    answers["project"] = path
    demo_window.file_menu.copying_actions[1].trigger()
    settled(demo_window.jobs)

    names = set(json.loads((keys_folder() / "copy-codes.json").read_text())["names"].values())
    assert demo_assessments().entries[0].trials.enrol.names[0] in names
    opened = open_project(path).project
    assert [entry.name for entry in opened.entries] == [entry.name for entry in before.entries]
    assert demo_window.session.project is before
    assert demo_window.documents.path is None


def test_a_copy_is_the_project_as_it_is(demo_window, settled, answers, tmp_path):
    path = tmp_path / "copy.zebra"
    answers["project"] = path
    demo_window.file_menu.copying_actions[0].trigger()
    settled(demo_window.jobs)

    assert [one.name for one in tmp_path.iterdir()] == ["copy.zebra"]
    assert len(open_project(path).project.items) == len(demo_window.session.items)
    assert "Saved copy.zebra" in demo_window.statusBar().currentMessage()
