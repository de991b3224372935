"""Files that change while they are open: marked when the window is come back to, read again when asked."""

import os
import threading

import pytest
from PySide6.QtCore import Qt

from tests.core.document.samples import KEY, SCORES
from zebra_gui.models.evidence import EvidenceRole, item_data


@pytest.fixture
def opened_files(shared_empty, settled, drop, tmp_path):
    """A shared_empty with two files dropped, and the files."""
    scores, key = tmp_path / "scores", tmp_path / "trials"
    scores.write_text(SCORES.replace("inf", "9"))
    key.write_text(KEY)
    drop(shared_empty, scores, key)
    settled(shared_empty.jobs)
    settled(shared_empty.changed_files.jobs)
    assert len(shared_empty.session.entries) == 1
    return shared_empty, scores, key


def come_back(window, settled):
    """As when another program was in front."""
    window.changed_files._on_application_state(Qt.ApplicationState.ApplicationActive)
    settled(window.changed_files.jobs)


def change(path):
    path.write_text(path.read_text().replace("9", "8"))
    os.utime(path, ns=(1, 10**18))


def test_a_changed_file_is_marked_on_its_row_when_the_window_is_come_back_to(opened_files, settled, qtbot):
    window, scores, _key = opened_files
    assert not window.inputs_bar.isVisible()
    assert not window.file_menu.document_actions.read_again.isEnabled()
    change(scores)
    come_back(window, settled)

    item = window.session.items[0]
    assert "has changed since it was read" in item_data(item, EvidenceRole.MARK)
    assert "Changed since they were read" in window.inputs_bar.text.text()
    assert window.inputs_bar.read_again_button.isVisible()
    assert not window.inputs_bar.find_button.isVisible()
    window.workspace.show_topic("files")
    table = window.workspace.front_pane.table
    qtbot.waitUntil(lambda: bool(table.files.rows))
    assert table.files.rows[0].standing == "changed since it was read"
    shown = [table.files.index(row, table.files.name_column).data() for row in (0, 1)]
    assert shown == ["✕  changed since it was read: scores", "trials"]


@pytest.mark.parametrize("how", ["button", "key"])
def test_reading_again_gives_the_new_figures_and_can_be_undone(opened_files, settled, qtbot, how):
    window, scores, _key = opened_files
    window.session.edits.rename([window.session.items[0].id], "mine")
    before = window.session.items[0]
    change(scores)
    come_back(window, settled)
    if how == "button":
        window.inputs_bar.read_again_button.click()
    else:
        qtbot.keyClick(window, Qt.Key.Key_F5)
    settled(window.jobs)

    after = window.session.items[0]
    assert after.name == "mine"
    assert after.id == before.id
    assert after.is_as_read
    assert after.assessment.rests_on != before.assessment.rests_on
    assert not window.inputs_bar.isVisible()
    assert window.session.problems == ()
    assert (
        window.statusBar()
        .currentMessage()
        .startswith("Read again: mine, condition not stated. Its figures are")
    )
    window.session.undo_stack.undo()
    assert window.session.items[0].assessment.rests_on == before.assessment.rests_on


def test_what_can_no_longer_be_read_keeps_its_figures_and_says_why(opened_files, settled):
    window, scores, _key = opened_files
    before = window.session.items[0].assessment.rests_on
    scores.write_text("hello\n")
    come_back(window, settled)
    window.inputs_bar.read_again_button.click()
    settled(window.jobs)

    assert window.session.items[0].assessment.rests_on == before
    assert "was not read again, and keeps its figures" in window.problem_bar.text.text()


def test_reading_again_that_is_stopped_says_so(opened_files, settled):
    window, scores, _key = opened_files
    change(scores)
    come_back(window, settled)
    first = threading.Event()
    window.jobs.start("what comes first", lambda _watch: first.wait(60))
    window.inputs_bar.read_again_button.click()
    window.cancelling.action.trigger()
    first.set()
    settled(window.jobs)

    assert (
        window.statusBar().currentMessage() == "Cancelled. The figures are those of the files as they were."
    )
    assert not window.session.items[0].is_as_read


def test_marks_alone_are_nothing_to_be_saved(opened_files, settled, tmp_path, answers):
    window, scores, _key = opened_files
    answers["project"] = tmp_path / "case.zebra"
    window.documents.save()
    settled(window.jobs)
    change(scores)
    come_back(window, settled)

    assert not window.session.items[0].is_as_read
    assert not window.isWindowModified()


def test_the_bar_names_safeguard_and_file_and_goes_once_the_bytes_are_back(opened_files, settled):
    window, scores, _key = opened_files
    window.session.edits.rename([window.session.items[0].id], "B1w")
    before = scores.read_bytes()
    change(scores)
    come_back(window, settled)
    assert f"B1w: “{scores.parent.name}/scores”" in window.inputs_bar.text.text()

    scores.write_bytes(before)
    os.utime(scores, ns=(1, 10**18 + 10**9))
    come_back(window, settled)
    assert not window.inputs_bar.isVisible()
    assert item_data(window.session.items[0], EvidenceRole.MARK) == ""
