"""The wheel scrolls the page: it turns no value on it, elsewhere none without the focus; Ctrl zooms."""

import re
from pathlib import Path

import pytest
from PySide6.QtCore import QDate, Qt
from PySide6.QtWidgets import QLabel, QScrollArea, QStyleOptionComboBox, QVBoxLayout, QWidget

import zebra_gui
from tests.zebra_gui.turning import turn_events
from tests.zebra_gui.wheeling import turn_wheel
from zebra_gui.plots.canvas import Canvas
from zebra_gui.widgets.decimal_box import DecimalBox, WholeBox
from zebra_gui.widgets.layouts import choice_box
from zebra_gui.widgets.wheel import DateBox, Slider


def chooser():
    box = choice_box("Attackers")
    box.addItems(["All", "Some", "None"])
    box.setCurrentIndex(1)
    return box, box.currentIndex


def number(kind):
    box = kind()
    box.setValue(7)
    return box, box.value


def date():
    box = DateBox(QDate(2026, 3, 15))
    return box, box.date


def picture():
    canvas = Canvas()
    canvas.setFocusPolicy(canvas.focusPolicy().StrongFocus)
    canvas.setFixedSize(200, 200)
    return canvas, lambda: tuple(map(tuple, canvas.getViewBox().viewRange()))


EVERY = [chooser, lambda: number(WholeBox), lambda: number(DecimalBox), lambda: number(Slider), date, picture]


def page(qtbot, widget, height):
    """A widget on a page of this height in a window of 300."""
    inside, area = QWidget(), QScrollArea()
    column = QVBoxLayout(inside)
    column.addWidget(widget)
    column.addWidget(QLabel("below"), 1)
    inside.setFixedHeight(height)
    area.setWidget(inside)
    area.setWidgetResizable(True)
    area.resize(400, 300)
    qtbot.addWidget(area)
    area.show()
    qtbot.waitExposed(area)
    area.setFocus()
    turn_events(20)
    return area


@pytest.mark.parametrize("make", EVERY, ids=["choice", "whole", "decimal", "slider", "date", "picture"])
@pytest.mark.parametrize("focused", [False, True])
def test_on_a_page_that_scrolls_it_scrolls_and_nothing_changes(qtbot, make, focused):
    widget, value = make()
    area, before = page(qtbot, widget, 2_000), value()
    if focused:
        widget.setFocus()
    turn_wheel(widget)

    assert value() == before
    assert area.verticalScrollBar().value() > 0
    assert widget.hasFocus() is focused


@pytest.mark.parametrize("make", EVERY[:-1], ids=["choice", "whole", "decimal", "slider", "date"])
def test_elsewhere_the_wheel_is_its_own_with_the_focus(qtbot, make):
    widget, value = make()
    outside = QWidget()
    column = QVBoxLayout(outside)
    column.addWidget(widget)
    qtbot.addWidget(outside)
    outside.show()
    qtbot.waitExposed(outside)
    outside.setFocus()
    before = value()
    turn_wheel(widget)
    assert value() == before

    widget.setFocus()
    turn_wheel(widget)
    assert value() != before


def test_with_ctrl_the_wheel_zooms_a_picture_and_without_it_scrolls_whoever_has_the_focus(qtbot):
    widget, value = picture()
    area, before = page(qtbot, widget, 2_000), value()
    widget.setFocus()
    turn_wheel(widget)
    assert value() == before
    assert (scrolled := area.verticalScrollBar().value()) > 0

    turn_wheel(widget, keys=Qt.KeyboardModifier.ControlModifier)
    assert value() != before
    assert area.verticalScrollBar().value() == scrolled


@pytest.mark.parametrize("make", [chooser, picture])
def test_where_nothing_is_to_be_scrolled_nothing_changes(qtbot, make):
    widget, value = make()
    _area, before = page(qtbot, widget, 250), value()
    turn_wheel(widget)

    assert value() == before


def test_all_boxes_and_sliders_of_the_program_are_of_these_kinds():
    plain = re.compile(
        r"\bQ(ComboBox|FontComboBox|SpinBox|DoubleSpinBox|Slider|Dial|(Date|Time|DateTime)Edit)\("
    )
    top = Path(zebra_gui.__file__).parent
    found = {path.name for path in top.rglob("*.py") if plain.search(path.read_text(encoding="utf-8"))}

    assert found == set()


@pytest.mark.parametrize("count", [2, 3, 12])
def test_the_list_of_a_box_shows_all_its_entries_where_there_is_room(qtbot, window, count):
    box = choice_box("Attackers")
    box.addItems([f"Attacker {number}" for number in range(count)])
    qtbot.addWidget(box)
    box.show()
    qtbot.waitExposed(box)
    box.showPopup()
    turn_events(20)
    assert box.view().verticalScrollBar().maximum() == 0
    box.hidePopup()


def test_the_list_of_a_narrow_box_shows_its_entries_whole(qtbot, window):
    box = choice_box("Attackers")
    box.addItems(["All", "Those who have trained a recogniser on speech protected in the same way"])
    box.setFixedWidth(90)
    qtbot.addWidget(box)
    box.show()
    qtbot.waitExposed(box)
    box.showPopup()
    turn_events(20)
    assert box.view().viewport().width() >= box.view().sizeHintForColumn(0)
    box.hidePopup()


def test_a_narrow_box_shows_both_ends_of_its_choice(qtbot):
    """Names of safeguards begin alike."""
    box = choice_box("Safeguard", ("Anonymisation by a neural codec, version 12", None), ("B2", None))
    qtbot.addWidget(box)
    box.resize(160, box.sizeHint().height())
    shown = QStyleOptionComboBox()
    box.initStyleOption(shown)
    assert shown.currentText.startswith("Anon")
    assert shown.currentText.endswith("12")
    box.offer((f"Anonymisation by a neural codec, version {n}, condition not stated", n) for n in (11, 12))
    box.resize(220, box.sizeHint().height())
    box.initStyleOption(shown)
    assert shown.currentText.endswith("…11, condition not stated"), "what tells it from the other"
    box.offer((("B2", None),))
    box.resize(box.sizeHint())
    box.initStyleOption(shown)
    assert shown.currentText == box.currentText()
