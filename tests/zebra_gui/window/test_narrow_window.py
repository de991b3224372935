"""A window of 1024 × 700: nothing covers anything else, is cut at an edge, or stretched."""

import time

import pytest
from PySide6.QtWidgets import QApplication, QPushButton, QStatusBar

from tests.zebra_gui.geometry import misplaced, place_in


@pytest.fixture
def demo_window(shared_window):
    """The tests of this module take turns with one window."""
    return shared_window


def test_every_pane_has_its_room_beside_the_others(qtbot, demo_window):
    demo_window.resize(1024, 700)
    workspace = demo_window.workspace
    found = {}
    for topic in workspace.topics:
        if topic == "report":  # its pages take long: see its own test
            continue
        workspace.show_topic(topic)
        qtbot.waitUntil(lambda: not demo_window.session.drawing.is_busy, timeout=60_000)
        QApplication.processEvents()
        found[topic] = list(misplaced(demo_window))
    assert len(found) == len(workspace.topics) - 1
    assert found == {topic: [] for topic in found}


@pytest.mark.parametrize("topic", ["people", "zoo", "errors"])
def test_in_the_smallest_window_a_pane_scrolls_and_nothing_lies_on_anything_else(qtbot, demo_window, topic):
    demo_window.resize(1, 1)
    demo_window.workspace.show_topic(topic)
    qtbot.waitUntil(lambda: not demo_window.session.drawing.is_busy, timeout=60_000)
    QApplication.processEvents()
    pane = demo_window.workspace.front_pane
    # At 200 % a screen of 1440 × 900 has 720 × 450, of which a desktop takes some; panes are scrolled there.
    assert demo_window.width() <= 720
    assert demo_window.height() <= 380
    assert pane.width() >= pane.minimumSizeHint().width()
    assert pane.height() >= pane.minimumSizeHint().height()
    guide = place_in(demo_window.workspace.guide, demo_window)
    assert place_in(pane.parentWidget(), demo_window).right() < guide.left()
    assert guide.right() < demo_window.width()


def _work_on(on_progress):
    while True:
        time.sleep(0.005)
        on_progress(0.5)


@pytest.mark.parametrize("size", [(1024, 700), (2400, 700)])
def test_the_button_that_cancels_is_as_large_as_its_word_and_a_long_job_makes_nothing_wider(
    qtbot, demo_window, size
):
    demo_window.resize(*size)
    status = demo_window.findChild(QStatusBar)
    least = demo_window.minimumSizeHint().width()
    job = demo_window.jobs.start("Reading " + "a_very_long_name_of_a_file_" * 12, _work_on)
    qtbot.waitUntil(status._job.isVisible)
    QApplication.processEvents()
    cancel = next(one for one in status.findChildren(QPushButton) if one.text() == "Cancel")
    job.cancel()  # nobody waits for what could not be undone
    assert cancel.size() == cancel.sizeHint()
    assert place_in(cancel, demo_window).right() < demo_window.width() == size[0]
    assert demo_window.minimumSizeHint().width() == least
