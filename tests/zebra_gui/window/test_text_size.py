"""Text in the size that the user wants: all of it, at once and at the next start."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QApplication, QScrollArea

from tests.zebra_gui.pseudo_window import window_in
from tests.zebra_gui.turning import turn_events
from zebra_gui.app import make_app
from zebra_gui.tables.rows import Sideways
from zebra_gui.widgets.theme import TEXT_SIZES, Theme


@pytest.fixture
def sized_window(qtbot, demo_window):
    demo_window.activateWindow()
    qtbot.waitUntil(demo_window.isActiveWindow)
    yield demo_window
    demo_window.theme.choose_text_size(100)


def sizes(window):
    """Points of a menu, a tab's words, a heading, a figure in large print, and of an axis."""
    QApplication.processEvents()
    overview = window.workspace.pane("overview")
    axis = overview.figure_cards()[0].view.plot.getAxis("bottom")
    widgets = (window.menuBar(), window.workspace.evidence.tree, overview.heading, overview.population.number)
    return [each.font().pointSizeF() for each in widgets] + [axis.style["tickFont"].pointSizeF()]


def test_all_text_grows_and_shrinks_and_the_keys_are_those_of_a_browser(sized_window, qtbot):
    window, ctrl = sized_window, Qt.KeyboardModifier.ControlModifier
    normal = sizes(window)
    qtbot.keyClick(window, Qt.Key.Key_Plus, ctrl)
    assert window.theme.text_size == 115
    assert sizes(window) == pytest.approx([1.15 * size for size in normal], rel=0.02)

    qtbot.keyClick(window, Qt.Key.Key_Minus, ctrl)
    qtbot.keyClick(window, Qt.Key.Key_Minus, ctrl)
    assert window.theme.text_size == 85
    qtbot.keyClick(window, Qt.Key.Key_0, ctrl)
    assert sizes(window) == normal


def test_the_size_is_remembered_and_one_that_is_not_offered_is_the_normal_one(sized_window):
    sized_window.view_menu.larger_action.trigger()
    assert Theme(make_app()).text_size == 115
    from zebra_gui.settings import settings

    settings().setValue("text_size", "7000")
    assert Theme(make_app()).text_size == 100


def test_the_ends_are_ends(sized_window):
    menu, theme = sized_window.view_menu, sized_window.theme
    theme.choose_text_size(TEXT_SIZES[-1])
    assert not menu.larger_action.isEnabled()
    theme.choose_text_size(TEXT_SIZES[0])
    assert not menu.smaller_action.isEnabled()
    assert menu.normal_action.isEnabled()


def test_other_ways_of_larger(sized_window):
    keys = sized_window.view_menu.larger_action.shortcuts()
    assert QKeySequence("Ctrl+=") in keys


def test_rows_and_legends_are_as_high_as_their_text(sized_window):
    sized_window.theme.choose_text_size(TEXT_SIZES[-1])
    QApplication.processEvents()
    tree = sized_window.workspace.evidence.tree
    index = tree.model().index(0, 0, tree.model().index(0, 0))
    assert tree.visualRect(index).height() >= tree.fontMetrics().height()
    legend = sized_window.workspace.pane("overview").figure_cards()[0].view.legend
    assert legend.items[0].height() >= legend.fontMetrics().height()


def test_in_the_largest_text_no_figure_of_the_comparison_is_cut(sized_window, qtbot):
    sized_window.workspace.show_topic("compare")
    table = sized_window.workspace.pane("compare").table
    sized_window.theme.choose_text_size(TEXT_SIZES[-1])

    def none_is_cut():
        header = table.horizontalHeader()
        for number in table.columns:
            wanted = max(table.sizeHintForColumn(number), header.sectionSizeHint(number))
            assert table.columnWidth(number) >= wanted

    qtbot.waitUntil(lambda: none_is_cut() is None, timeout=5_000)


def test_in_the_largest_text_people_have_rows_below_all_of_their_sentence(sized_window, qtbot):
    sized_window.resize(1366, 768)
    sized_window.workspace.show_topic("speakers")
    pane = sized_window.workspace.pane("speakers")
    qtbot.waitUntil(pane.table.isVisible, timeout=60_000)
    sized_window.theme.choose_text_size(TEXT_SIZES[-1])

    def has_room():
        assert pane.sentence.height() >= pane.sentence.heightForWidth(pane.sentence.width())
        assert pane.table.viewport().height() >= 2 * pane.table.row_height

    qtbot.waitUntil(lambda: has_room() is None, timeout=5_000)
    assert pane.parts.table_only.isChecked()
    sized_window.theme.choose_text_size(100)
    assert not pane.parts.table_only.isChecked()


def test_in_the_largest_text_the_answer_is_as_wide_as_its_pane(sized_window, qtbot):
    sized_window.resize(1366, 768)
    sized_window.workspace.show_topic("answer")
    pane = sized_window.workspace.pane("answer")
    qtbot.waitUntil(lambda: pane.box.as_text() != "", timeout=60_000)
    before = pane.picture.view.minimumHeight()
    sized_window.theme.choose_text_size(TEXT_SIZES[-1])
    qtbot.waitUntil(lambda: pane.sentence.font().pointSizeF() > 20, timeout=5_000)
    qtbot.wait(50)
    assert pane.sentence.width() <= pane.width()
    assert pane.picture.view.minimumHeight() > 1.5 * before
    sized_window.theme.choose_text_size(100)
    qtbot.waitUntil(lambda: pane.picture.view.minimumHeight() == before, timeout=5_000)


@pytest.fixture(params=["en", "de"])
def spoken(request, qapp):
    with window_in(qapp, request.param) as code:
        yield code


def test_in_the_largest_text_no_pane_is_scrolled_sideways(spoken, sized_window):
    window = sized_window
    window.resize(1366, 768)
    window.theme.choose_text_size(TEXT_SIZES[-1])
    wide = []
    for topic in window.workspace.topics:
        window.workspace.show_topic(topic)
        turn_events(10)
        for area in window.workspace.findChildren(QScrollArea):
            is_table = isinstance(area, Sideways)
            if area.isVisible() and not is_table and area.widget().width() > area.viewport().width():
                wide.append((topic, area.accessibleName()))
    assert wide == []


def test_in_the_largest_text_the_cards_of_the_overview_stand_one_below_the_other(sized_window, qtbot):
    sized_window.resize(1366, 768)
    pane = sized_window.workspace.pane("overview")
    worst, average = pane.worst_case, pane.population
    qtbot.waitUntil(lambda: worst.y() == average.y() and worst.x() < average.x())
    sized_window.theme.choose_text_size(TEXT_SIZES[-1])
    qtbot.waitUntil(lambda: worst.y() < average.y() and worst.x() == average.x(), timeout=5_000)
    assert worst.name.text() == worst.name.whole_text
    sized_window.theme.choose_text_size(100)
    qtbot.waitUntil(lambda: worst.y() == average.y() and worst.x() < average.x(), timeout=5_000)
