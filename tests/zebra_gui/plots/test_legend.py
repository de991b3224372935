"""The legend stands below the picture and copes with many and with long names."""

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QFontMetrics

from zebra_core.figures.figure import Line, Marker, Points
from zebra_gui.plots.legend import Legend, elided_name
from zebra_gui.widgets.theme import LIGHT, style_sheet


def lines(count, name="line {}"):
    return tuple(Line(np.zeros(2), np.zeros(2), name.format(number), number) for number in range(count))


@pytest.fixture
def legend(qtbot):
    legend = Legend()
    qtbot.addWidget(legend)
    legend.resize(760, 100)
    legend.show()
    return legend


RIM = 2  # pixels, above and below, in which the theme shows the focus


def test_at_the_height_that_it_asks_for_nothing_scrolls(qtbot, legend):
    legend.setStyleSheet(style_sheet(LIGHT))
    legend.show_entries(lines(3))
    legend.setFixedSize(240, legend.height_for(240))
    qtbot.wait(20)
    assert legend.verticalScrollBar().maximum() == 0
    assert max(item.geometry().bottom() for item in legend.items) < legend.viewport().height()


def test_there_is_an_item_for_each_line_and_for_points(legend):
    points = Points(np.zeros(1), np.zeros(1), 2, "points")
    legend.show_entries((*lines(2), points, replace(points, label="diamonds", marker=Marker.DIAMOND)))

    assert [item.text for item in legend.items] == ["line 0", "line 1", "points", "diamonds"]
    for item in legend.items:
        item.grab()


@pytest.mark.parametrize(("width", "rows"), [(200, 40), (520, 20), (760, 14)])
def test_columns_follow_the_room(legend, width, rows):
    legend.show_entries(lines(40))

    assert legend.height_for(width) == rows * legend.items[0].sizeHint().height() + RIM


def test_forty_entries_scroll(qtbot, legend):
    legend.show_entries(lines(40))

    qtbot.waitUntil(lambda: legend.verticalScrollBar().maximum() > 0)


def test_items_are_rearranged_when_the_room_changes(qtbot, legend):
    legend.show_entries(lines(6))
    legend.resize(260, 300)

    qtbot.waitUntil(lambda: len({item.x() for item in legend.items}) == 1)


def test_foreign_names_are_shown_as_typed_and_whole_in_the_tooltip(legend):
    name = "<img src=x>\n" + "long " * 60
    legend.show_entries(lines(1, name))
    item = legend.items[0]

    assert item.text.startswith("<img src=x>\\nlong")
    assert "&lt;img src=x&gt;" in item.toolTip()
    assert item.accessibleName() == item.text
    assert item.width() <= legend.width()
    item.grab()


def test_a_new_figure_replaces_the_items(legend):
    legend.show_entries(lines(40))
    legend.show_entries(lines(3))

    assert len(legend.items) == 3
    assert legend.height_for(760) == legend.items[0].sizeHint().height() + RIM


def test_long_labels_get_wider_columns(qtbot, legend):
    legend.show_entries(lines(6))
    before = legend.height_for(760)
    legend.show_entries(lines(6, "line {} with quite a long name (ROCCH-EER 12.34 %)"))

    assert legend.height_for(760) > before
    qtbot.waitUntil(lambda: len({item.x() for item in legend.items}) == 2)


@pytest.mark.parametrize("direction", list(Qt.LayoutDirection)[:2])
def test_the_line_stands_where_one_begins_to_read(legend, direction):
    legend.setLayoutDirection(direction)
    legend.show_entries(lines(1))
    image = legend.items[0].grab().toImage()
    coloured = [
        x for x in range(image.width()) if image.pixelColor(x, image.height() // 2).saturation() > 100
    ]
    assert len(coloured) > 20
    near_the_beginning = {
        Qt.LayoutDirection.LeftToRight: coloured[-1] < 40,
        Qt.LayoutDirection.RightToLeft: coloured[0] > image.width() - 40,
    }
    assert near_the_beginning[direction]


def test_a_label_that_is_cut_keeps_what_it_holds_for(legend):
    metrics = QFontMetrics(legend.font())
    label = "a_very_long_safeguard_name_" * 5 + " PP, lazy-informed (0.037, 0.94, A)"
    shown = elided_name(label, metrics, 400)

    assert shown.endswith(" PP, lazy-informed (0.037, 0.94, A)")
    assert shown.startswith("a_")
    assert shown.count("…") == 1
    assert metrics.horizontalAdvance(shown) <= 400
    assert elided_name("B2 OP", metrics, 400) == "B2 OP"


def test_where_there_is_little_room_the_name_stays_and_that_nothing_was_stated_goes(legend):
    metrics = QFontMetrics(legend.font())
    label = "german speakers B2, condition not stated (0.205)"
    room = metrics.horizontalAdvance("german speakers B2 (0.205)") + 2
    assert elided_name(label, metrics, room) == "german speakers B2 (0.205)"
    assert elided_name(label, metrics, room - 30).startswith("germ")
    assert elided_name(label, metrics, 1000) == label
