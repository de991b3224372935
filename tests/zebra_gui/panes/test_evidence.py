"""The evidence tree and the session's selection follow each other."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QLineEdit, QPushButton

from zebra_gui.panes.evidence import EvidencePane


@pytest.fixture
def pane(qtbot, demo_session):
    pane = EvidencePane(demo_session, QAction())
    qtbot.addWidget(pane)
    pane.resize(220, 400)
    pane.show()
    return pane


def test_a_row_chosen_is_an_entry_selected(qtbot, pane, demo_session, demo):
    qtbot.keyClick(pane.tree, Qt.Key.Key_Up)

    assert demo_session.selected is demo.entries[1]


def test_an_entry_selected_is_a_row_chosen(pane, demo_session, demo):
    demo_session.select(demo.entries[3].id)

    assert pane.tree.currentIndex().data() == "B2r"


def test_the_selection_survives_a_change_of_the_tree(pane, demo_session, demo):
    demo_session.edits.remove([demo.entries[0].id])
    assert pane.tree.currentIndex().data() == "B1w"

    demo_session.undo_stack.undo()
    assert pane.tree.currentIndex().data() == "B2"


def test_a_name_is_edited_in_its_place(qtbot, pane, demo_session):
    pane.edit_current()
    editor = pane.tree.findChild(QLineEdit)
    assert editor.text() == "B2"
    editor.setText("mine")
    qtbot.keyClick(editor, Qt.Key.Key_Return)

    qtbot.waitUntil(lambda: demo_session.selected.name == "mine")


def test_the_button_opens_files(qtbot, demo_session):
    action = QAction()
    pane = EvidencePane(demo_session, action)
    qtbot.addWidget(pane)
    with qtbot.waitSignal(action.triggered):
        next(button for button in pane.findChildren(QPushButton) if button.text() == "Add files…").click()


def test_rows_are_painted_with_badges(pane):
    image = pane.tree.grab().toImage()
    colours = {
        image.pixelColor(x, y).name() for x in range(0, image.width(), 2) for y in range(0, image.height(), 2)
    }

    assert {"#b35900", "#00755a"} <= colours  # tags C and A
    assert "#009e73" in colours  # the swatch of the first series
