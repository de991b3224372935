"""Docks: titles where there is no tab, tabs where there are several panes."""

import gc

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QSize, Qt
from PySide6.QtGui import QAction
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QStackedWidget, QTabBar
from shiboken6 import isValid

from zebra_gui.panes.answer import AnswerPane
from zebra_gui.panes.pane import ErrorsPane, Pane, StrengthPane
from zebra_gui.window.pane_layouts import PaneLayout, PaneLayouts
from zebra_gui.window.workspace import Workspace


@pytest.fixture
def workspace(qtbot, demo_session):
    around = QStackedWidget()
    around.resize(1200, 700)
    qtbot.addWidget(around)
    layouts = PaneLayouts()
    layouts.choose(PaneLayout.LABORATORY)
    workspace = Workspace(demo_session, QAction(), layouts)
    around.addWidget(workspace)
    for _step in workspace.fill(QSize(1200, 700)):
        pass
    around.show()
    yield workspace
    around.close()


def title_of(dock):
    return dock.titleBarWidget().isVisible() and getattr(dock.titleBarWidget(), "text", str)()


def test_panes_are_tabs_and_have_no_title_besides(workspace):
    bar = workspace.findChild(QTabBar)

    assert [bar.tabText(number) for number in range(bar.count())] == [
        "Answer",
        "Overview",
        "ECE",
        "Compare",
        "Certainty",
        "Errors",
        "Strength",
        "Calibration",
        "Similarity",
        "Zoo",
        "People",
        "Law",
        "Files",
        "Report",
    ]
    assert bar.accessibleName() == "Panes"
    assert not title_of(workspace.pane_docks[0])
    assert title_of(workspace.docks[0]) == "Evidence"


def test_all_tabs_fit_into_a_window_of_1280_pixels(qtbot, demo_window):
    demo_window.resize(1280, 800)
    demo_window.workspace.reset_layout()
    QApplication.processEvents()
    bar = demo_window.workspace.findChild(QTabBar)
    assert bar.tabRect(bar.count() - 1).right() <= bar.width()
    assert not any(button.isVisible() for button in bar.findChildren(QAbstractButton))


def test_a_pane_beside_the_others_has_a_title(qtbot, workspace, demo_session):
    first, _overview, second, *_ = workspace.pane_docks
    workspace.addDockWidget(Qt.DockWidgetArea.RightDockWidgetArea, second)

    qtbot.waitUntil(lambda: title_of(second) == "ECE" and not title_of(first))

    workspace.reset_layout()
    qtbot.waitUntil(lambda: not title_of(first) and not title_of(second))
    assert demo_session.topic == "answer"


def test_a_floating_pane_has_a_title_and_reset_brings_it_back(qtbot, workspace):
    dock = workspace.pane_docks[2]
    dock.setFloating(True)
    qtbot.waitUntil(lambda: title_of(dock) == "ECE")

    workspace.reset_layout()
    assert not dock.isFloating()


def test_the_middle_has_most_of_the_room(workspace):
    evidence, first, *_, guide = workspace.docks

    assert first.width() > 2 * evidence.width()
    assert first.width() > 2 * guide.width()


def test_tab_bars_that_qt_makes_later_are_named_and_not_kept_when_it_throws_them_away(workspace):
    def kept():
        gc.collect()
        bars = [thing for thing in gc.get_objects() if isinstance(thing, QTabBar)]
        return sum(not isValid(bar) or bar.parent() is workspace for bar in bars)  # panes have their own

    before = kept()
    for _ in range(6):
        workspace.reset_layout()
        QApplication.processEvents()
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)

    assert kept() == before
    bars = [bar for bar in workspace.findChildren(QTabBar) if bar.parent() is workspace]
    assert {bar.accessibleName() for bar in bars} == {"Panes"}


def tab_stops():
    """What Tab goes to, from where the focus is, until it is there again."""
    found = []
    while (now := QApplication.focusWidget()) not in found:
        found.append(now)
        QTest.keyClick(now, Qt.Key.Key_Tab)
    return found


def test_a_pane_is_made_when_it_is_first_seen_and_there_when_it_is_painted(qtbot, workspace):
    assert [type(pane) for pane in workspace.findChildren(Pane)] == [AnswerPane]
    workspace.show_topic("errors")

    assert [type(pane) for pane in workspace.findChildren(Pane)] == [AnswerPane, ErrorsPane]
    assert workspace.front_pane is workspace.pane("errors")
    assert workspace.front_pane.isVisible()
    qtbot.waitUntil(lambda: workspace.front_pane.card.is_drawn)


def test_a_pane_that_comes_beside_the_others_unasked_is_made_too(qtbot, workspace):
    """As when a project says that it lies there."""
    dock = workspace.pane_docks[6]
    dock.setFloating(True)

    qtbot.waitUntil(lambda: dock.findChild(StrengthPane) is not None)
    assert dock.findChild(StrengthPane).isVisible()
    workspace.reset_layout()


@pytest.mark.parametrize("before", [(), ("report", "errors")])
def test_tab_goes_through_a_pane_where_it_stands_whenever_it_was_made(qtbot, workspace, before):
    for topic in (*before, "compare"):
        workspace.show_topic(topic)
        qtbot.waitUntil(lambda: not workspace.front_pane.visibleRegion().isEmpty())
    workspace.window().activateWindow()
    workspace.evidence.tree.setFocus()
    stops = tab_stops()
    names = [widget.accessibleName() for widget in stops]
    inside = [number for number, widget in enumerate(stops) if workspace.front_pane.isAncestorOf(widget)]

    assert inside == list(range(inside[0], inside[-1] + 1))
    assert names[inside[0] : inside[0] + 5] == ["Filter", "Columns", "Utility", "Table only", "Comparison"]
    assert names[inside[-1] :][:2] == ["Picture only", "Guide"]


def widths(workspace):
    evidence, *_, guide = workspace.docks
    QApplication.processEvents()
    return evidence.width(), guide.width()


def test_after_a_small_window_the_middle_has_its_room_again_now_and_at_the_next_start(demo_window):
    demo_window.resize(1280, 800)
    first = widths(demo_window.workspace)
    demo_window.resize(640, 400)
    small = widths(demo_window.workspace)
    assert sum(small) > demo_window.width() / 2
    demo_window.workspace.save_layout()

    demo_window.resize(1280, 800)
    assert widths(demo_window.workspace) == first

    session, layouts = demo_window.session, demo_window.pane_layouts
    again = Workspace(session, QAction(), layouts)
    for _step in again.fill(QSize(640, 400)):
        pass
    again.show()
    again.resize(demo_window.workspace.size())
    assert widths(again) == pytest.approx(first, abs=6)
    again.close()
    again.deleteLater()


def test_a_side_stays_as_wide_as_the_user_makes_it(demo_window, monkeypatch):
    demo_window.resize(1280, 800)
    workspace = demo_window.workspace
    QApplication.processEvents()
    evidence, first, *_ = workspace.docks
    monkeypatch.setattr(QApplication, "mouseButtons", lambda: Qt.MouseButton.LeftButton)
    workspace.resizeDocks([evidence, first], [330, 700], Qt.Orientation.Horizontal)
    wide = widths(workspace)
    monkeypatch.undo()
    assert wide[0] == pytest.approx(330, abs=10)

    demo_window.resize(640, 400)
    demo_window.resize(1280, 800)
    assert widths(workspace) == pytest.approx(wide, abs=3)
