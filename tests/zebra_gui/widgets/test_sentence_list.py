"""A list of sentences is as high as its rows."""

import pytest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from zebra_gui.widgets.sentence_list import SentenceList


@pytest.mark.parametrize(("rows", "scrolls"), [(1, False), (3, False), (4, True)])
def test_it_is_as_high_as_its_rows_and_scrolls_only_beyond_the_most(
    qtbot: QtBot, rows: int, scrolls: bool
) -> None:
    around = QWidget()
    qtbot.addWidget(around)
    shown = SentenceList("Checks", 3)
    shown.setParent(around)
    shown.resize(300, 50)
    around.show()
    shown.addItems(["a sentence that goes on and on, until it stands in more than one line"] * rows)
    shown.fit()
    qtbot.waitUntil(lambda: (shown.verticalScrollBar().maximum() > 0) is scrolls)
    assert shown.accessibleName() == "Checks"


def test_with_rows_of_several_lines_it_is_higher(qtbot: QtBot) -> None:
    shown = SentenceList("Checks", 3)
    qtbot.addWidget(shown)
    shown.resize(300, 50)
    shown.fit()
    empty = shown.height()
    shown.addItem("short")
    shown.fit()
    short = shown.height()
    shown.addItem("long " * 40)
    shown.fit()
    assert empty <= short < shown.height() - short
