"""Names from files are shown as they are: nothing on screen takes them for rich text or for a key."""

import re
from dataclasses import replace

import pytest
from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QAbstractButton, QLabel, QTextEdit, QWidget

from tests.zebra_gui.turning import turn_events

HOSTILE = "<img src=x>&x %1 \u202eevil"


@pytest.fixture(scope="module")
def hostile_window(window_of_module, demo):
    """A window in which every pane has shown every item; the tests of this module only read what it says."""
    window = window_of_module.lend()
    project = demo
    for item in demo.items:
        project = project.replacing(replace(item, name=HOSTILE, dataset=f"<b>{HOSTILE}", notes=HOSTILE))
    window.session.restart(replace(project, title=HOSTILE))
    pictures, pages = window.session.drawing.queues
    for item in project.items:
        window.session.select(item.id)
        for topic in window.workspace.topics:
            window.workspace.show_topic(topic)
            _finish(window.jobs, pictures)
    window.workspace.show_topic("overview")  # the pages of the report wait for nothing any more
    for _ in range(2):  # what begins after a pause ends, too
        pages.drop_all()  # nobody waits for these
        _finish(window.jobs, pictures, pages)
        turn_events(400)
    for timer in window.findChildren(QTimer):  # what waits for a pause waits no longer
        timer.stop()
    yield window
    window.session.restart(None)  # nothing is to be saved when the window is closed


def _finish(*queues):
    while any(queue.waiting for queue in queues):
        turn_events(5)


def test_labels_with_names_are_plain_text(hostile_window):
    shown = [one for one in hostile_window.findChildren(QLabel) if "img" in one.text()]
    assert shown
    for label in shown:
        is_plain = label.textFormat() is Qt.TextFormat.PlainText
        assert is_plain or "<img" not in label.text(), label.text()


def test_tooltips_with_names_are_no_rich_text(hostile_window):
    for widget in hostile_window.findChildren(QWidget):
        assert "<img" not in widget.toolTip() or not Qt.mightBeRichText(widget.toolTip()), widget.toolTip()


def test_rows_of_the_trees_and_tables_have_no_rich_tooltips(hostile_window):
    for pane in (hostile_window.workspace.evidence.tree,):
        model = pane.model()
        for row in range(model.rowCount()):
            for parent in (model.index(row, 0), *(model.index(k, 0, model.index(row, 0)) for k in range(9))):
                tip = parent.data(Qt.ItemDataRole.ToolTipRole) or ""
                assert not ("<img" in tip and Qt.mightBeRichText(tip)), tip


def test_an_ampersand_is_no_key_on_buttons_and_in_menus(hostile_window):
    things = [*hostile_window.findChildren(QAbstractButton), *hostile_window.findChildren(QAction)]
    for thing in things:
        if "img" in thing.text():
            assert not re.search(r"(?<!&)(&&)*&(?!&)", thing.text()), thing.text()


def test_texts_show_no_pictures_and_no_reversed_writing(hostile_window):
    for view in hostile_window.findChildren(QTextEdit):
        assert "<img" not in view.toHtml(), view.toPlainText()
    for label in hostile_window.findChildren(QLabel):
        assert "\u202e" not in label.text()
    assert "\u202e" not in hostile_window.windowTitle()
