"""Arrow keys within a row of boxes, and Enter on the button that has the focus."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication


@pytest.fixture
def boxes(qtbot, demo_window):
    demo_window.activateWindow()
    qtbot.waitUntil(demo_window.isActiveWindow)
    demo_window.workspace.show_topic("ece")
    card = demo_window.workspace.front_pane.card
    return [box for box in card._parts.values() if box.isVisible()]


@pytest.mark.parametrize(
    ("key", "begin", "end"),
    [(Qt.Key.Key_Right, 0, 1), (Qt.Key.Key_Down, 0, 1), (Qt.Key.Key_Right, -1, -1), (Qt.Key.Key_Left, 0, 0)],
)
def test_arrow_keys_stay_within_a_row_of_boxes(qtbot, boxes, key, begin, end):
    assert len(boxes) > 2
    boxes[begin].setFocus()
    qtbot.keyClick(boxes[begin], key)
    assert QApplication.focusWidget() is boxes[end]


@pytest.mark.parametrize("pressed", [Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space])
def test_enter_presses_the_button_of_a_bar_that_has_the_focus(qtbot, window, settled, drop, key, pressed):
    drop(window, key)
    settled(window.jobs)
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    button = window.waiting_bar.button
    button.setFocus()
    qtbot.waitUntil(button.hasFocus)
    qtbot.keyClick(button, pressed)
    assert not window.waiting_bar.isVisible()
