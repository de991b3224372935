"""Answers dropped on the window: the pane of listening tests, decisions with undo, and bad files in place."""

import numpy as np
import pytest
from PySide6.QtCore import Qt

from tests.core.listening.cases import answered, knowing, made, recordings
from tests.zebra_gui.conftest import drop
from tests.zebra_gui.turning import turn_events
from zebra_core.listening.answers import ItemAnswer
from zebra_core.listening.design import QuestionDesign
from zebra_core.listening.items import ItemTask
from zebra_gui.models.evidence import row_name
from zebra_gui.widgets.theme import TEXT_SIZES

WANTED = (QuestionDesign(ItemTask.SAME, 12, anchors=4, repeats=3), QuestionDesign(ItemTask.NATURALNESS, 10))


class Level:
    """Instead of the network: the level of a recording."""

    def embedding(self, samples, name=""):
        return np.array([np.abs(samples).max(), 0.0], dtype=np.float32)


def blunt(item):
    return ItemAnswer(confidence=2) if item.question is ItemTask.SAME else ItemAnswer(rating=5)


@pytest.fixture(scope="module")
def test(tmp_path_factory):
    found = made(recordings(tmp_path_factory.mktemp("listening")), *WANTED)
    for code, rule in (("L01", knowing(found.plan.speaker)), ("L02", blunt)):
        answered(found, code, rule)
    return found


@pytest.fixture
def heard(window, test, monkeypatch):
    monkeypatch.setattr("zebra_core.listening.evaluation.shipped", Level)
    drop(window, test.files[0].parent)
    rest(window)
    window.workspace.show_topic("listening")
    turn_events(10)
    return window


def rest(window):
    while window.jobs.waiting:
        turn_events(5)


def pane_of(window):
    return window.workspace.pane("listening")


def dock_of(window):
    return next(one for one in window.workspace.pane_docks if one.objectName() == "listening")


def test_there_is_a_tab_for_listening_tests_only_where_there_is_one(window, demo):
    window.session.open_project(demo)
    workspace = window.workspace
    for change in (workspace.reset_layout, lambda: workspace.hide_panes(["zoo"])):
        change()
        assert dock_of(window).isHidden()
        assert not dock_of(window).toggleViewAction().isVisible()
    workspace.show_topic("listening")
    assert dock_of(window).isHidden()
    assert "listening" not in workspace.topics
    assert workspace.hidden_panes() == ["zoo"]


def test_a_folder_of_answers_is_taken_in_decided_about_and_undone(heard, test):
    pane, session = pane_of(heard), heard.session
    assert session.problems == ()
    assert heard.workspace.front_pane is pane
    assert not dock_of(heard).isHidden()
    assert {e.recogniser for e in session.entries} == {"panel of 2", "CAM++ (3D-Speaker)"}
    assert pane.panels.grid.as_text().splitlines()[1].startswith("unprotected, Same speaker\t6 + 6\t")
    assert "Naturalness\tmask\t10\t4.50" in pane.ratings.grid.as_text()
    assert f"seed {test.plan.seed}" in pane.made.text()
    assert "2 of 4 planned listeners have not answered." in pane.told.text()
    assert [card.file_stem() for card in pane.figure_cards()] == ["ZEBRA-EARS", "ZEBRA-RATED-NATURALNESS"]
    assert pane.listeners.decision.text() == (
        "These listeners judged fewer than 75 % of the anchors correctly and were kept: L02."
    )

    pane.listeners.alone.click()
    rest(heard)
    assert {e.attacker for e in session.entries} == {
        "listeners",
        "listener L01",
        "listener L02",
        "ignorant",
        "",
    }
    assert pane.listeners.alone.isChecked()
    assert {row_name(e) for e in session.entries} == {
        *("unprotected", "mask"),
        *("L01: unprotected", "L01: mask", "L02: unprotected", "L02: mask"),
    }

    item = pane.listeners.list.item(1)
    assert item.text() == "L02: missed too many anchors"
    item.setCheckState(Qt.CheckState.Unchecked)
    rest(heard)
    assert heard.listening.results.studies[0].left_out == ("L02",)
    assert pane.listeners.decision.text() == "The user decided to leave these listeners out: L02."
    assert "listener L02" not in {e.attacker for e in session.entries}
    assert "unprotected, Same speaker\t3 + 3\t0.721 (" in pane.panels.grid.as_text()

    pane.listeners.list.item(0).setCheckState(Qt.CheckState.Unchecked)  # then nobody would be left
    rest(heard)
    assert "Nobody’s answers can be used" in " ".join(session.problems)
    assert pane.listeners.list.item(0).checkState() is Qt.CheckState.Checked

    session.undo_stack.undo()
    assert heard.listening.results.studies[0].left_out == ()
    assert pane.listeners.list.item(1).checkState() is Qt.CheckState.Checked
    session.undo_stack.undo()
    assert not pane.listeners.alone.isChecked()
    session.undo_stack.undo()
    assert session.items == ()
    assert dock_of(heard).isHidden()
    assert heard.workspace.front_pane.topic != "listening"
    session.undo_stack.redo()
    assert not dock_of(heard).isHidden()


def test_answers_that_cannot_be_used_are_told_and_the_rest_is_kept(heard, test, tmp_path):
    altered = tmp_path / "L03.zebra-answers"
    altered.write_bytes(
        (test.files[0].parent / "L01.zebra-answers").read_bytes().replace(b"true", b"false", 1)
    )
    before = heard.listening.results.studies[0].values["listeners"]
    drop(heard, altered)
    rest(heard)
    assert "the answers were altered after they were given" in " ".join(heard.session.problems)
    assert heard.listening.results.studies[0].values["listeners"] == before


def test_in_the_largest_text_no_row_of_a_table_is_cut(heard, qtbot):
    pane = pane_of(heard)
    heard.theme.choose_text_size(TEXT_SIZES[-1])
    try:
        for table in (pane.panels, pane.listeners.table, pane.ratings):
            qtbot.waitUntil(lambda table=table: table.viewport().height() >= table.grid.sizeHint().height())
        rows = pane.listeners.list
        assert rows.viewport().height() >= rows.sizeHintForRow(0) * rows.count()
    finally:
        heard.theme.choose_text_size(100)
