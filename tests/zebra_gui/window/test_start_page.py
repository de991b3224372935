"""The start page: what the program is for, what to begin with, and what was open lately."""

import pytest
from PySide6.QtCore import Qt

from zebra_core.document.project_file import save_project
from zebra_gui.document.recents import remember_project


@pytest.fixture
def page(window):
    return window.start_page


def test_it_says_in_one_sentence_what_the_program_is_for(page):
    assert page.purpose.text() == "How much does protected speech still give away about who is speaking?"
    assert page.purpose.y() < page.invitation.y()


def test_recordings_are_told_as_large_as_scores(page):
    assert page.from_recordings.font() == page.explanation.font()
    assert page.from_recordings.property("tone") == page.explanation.property("tone")


def test_recent_projects_open_at_a_click_and_missing_ones_say_so(window, qtbot, demo, tmp_path, settled):
    there, gone = tmp_path / "there & here.zebra", tmp_path / "gone.zebra"
    save_project(demo, there)
    for path in (gone, there):
        remember_project(path)
    recent = window.start_page.recent
    recent.fill()
    qtbot.waitUntil(lambda: not recent.buttons[gone].isEnabled())

    assert list(recent.buttons) == [there, gone]
    assert recent.buttons[gone].text().endswith("(no longer there)")
    assert recent.buttons[there].text().startswith("there && here.zebra")
    qtbot.mouseClick(recent.buttons[there], Qt.MouseButton.LeftButton)
    settled(window.jobs)
    assert window.documents.path == there


def test_everything_is_reached_in_the_smallest_window(window, qtbot):
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    window.resize(480, 300)
    for one in (*window.start_page._layout_group.buttons(), window.start_page.open_button):
        one.setFocus(Qt.FocusReason.TabFocusReason)
        qtbot.waitUntil(lambda one=one: not one.visibleRegion().isEmpty())
