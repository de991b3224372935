"""Two layouts of panes: what a reviewer reads is what a new user sees, a laboratory has all."""

import pytest
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QRadioButton, QTabBar

from tests.zebra_gui.turning import turn_until_settled
from zebra_core.document.project_file import save_project
from zebra_gui.settings import settings
from zebra_gui.window.pane_layouts import PaneLayout, PaneLayouts

REVIEWER = ["answer", "compare", "speakers", "people", "files", "report"]


def tabs(window):
    bar = next(bar for bar in window.workspace.findChildren(QTabBar) if bar.isVisible())
    return [bar.tabText(number) for number in range(bar.count())]


def shown(window):
    return [dock.objectName() for dock in window.workspace.pane_docks if not dock.isHidden()]


@pytest.fixture
def reviewer_window(demo_window):
    demo_window.pane_layouts.choose(PaneLayout.REVIEWER)
    return demo_window


def test_a_new_user_gets_what_a_reviewer_reads_and_who_worked_with_all_panes_keeps_them(qapp):
    assert PaneLayouts().now is PaneLayout.REVIEWER
    settings().setValue("layout", b"docks")
    assert PaneLayouts().now is PaneLayout.LABORATORY


def test_a_reviewer_sees_six_panes_in_their_order_and_one_switch_brings_all(reviewer_window, qtbot):
    window = reviewer_window
    assert shown(window) == REVIEWER
    qtbot.waitUntil(lambda: len(tabs(window)) == 6)
    assert tabs(window)[1:] == ["Compare", "People", "Law", "Files", "Report"]

    laboratory = next(a for a in window.view_menu.layouts.actions() if a.text() == "La&boratory")
    laboratory.trigger()
    assert shown(window) == list(window.workspace.topics)
    assert PaneLayouts().now is PaneLayout.LABORATORY  # at the next start, too


def test_a_pane_that_the_layout_hides_is_found_by_name(reviewer_window):
    go = next(a for a in reviewer_window.findChildren(QAction) if a.text() == "Go to Zoo")
    go.trigger()
    assert reviewer_window.workspace.front_pane.topic == "zoo"
    assert shown(reviewer_window) == sorted([*REVIEWER, "zoo"], key=reviewer_window.workspace.topics.index)

    reviewer_window.view_menu.reset_action.trigger()
    assert shown(reviewer_window) == REVIEWER


def test_the_pane_in_front_stays_where_the_other_layout_has_it(reviewer_window):
    workspace, layouts = reviewer_window.workspace, reviewer_window.pane_layouts
    workspace.show_topic("compare")
    layouts.choose(PaneLayout.LABORATORY)
    assert workspace.front_pane.topic == "compare"

    workspace.show_topic("zoo")
    layouts.choose(PaneLayout.REVIEWER)
    assert workspace.front_pane.topic == "answer"


def keys(window):
    found = {a.text(): a.shortcut().toString() for a in window.findChildren(QAction)}
    return [found[f"Go to {name}"] for name in ("Compare", "Report", "ECE")]


def test_keys_count_the_tabs_that_are_there(reviewer_window):
    assert keys(reviewer_window) == ["Ctrl+2", "Ctrl+6", "Ctrl+8"]  # of listening tests there are none here
    reviewer_window.pane_layouts.choose(PaneLayout.LABORATORY)
    assert keys(reviewer_window) == ["Ctrl+4", "", "Ctrl+3"]


def test_the_start_page_has_the_switch_too(window):
    reviewer, laboratory = window.start_page.findChildren(QRadioButton)
    assert laboratory.isChecked()
    reviewer.click()
    assert window.pane_layouts.now is PaneLayout.REVIEWER
    assert window.view_menu.layouts.checkedAction().text() == "Revie&wer"
    window.pane_layouts.choose(PaneLayout.LABORATORY)
    assert laboratory.isChecked()


def opened_again(window, view, tmp_path, demo):
    save_project(demo, tmp_path / "case.zebra", view=view)
    window.open_paths([tmp_path / "case.zebra"])
    turn_until_settled(window.jobs)
    return window


@pytest.mark.parametrize("kind", list(PaneLayout))
def test_a_project_shows_its_panes_whatever_the_user_chose_last(window, demo, tmp_path, kind):
    other = next(each for each in PaneLayout if each is not kind)
    view = {"panes": kind.value, "hidden_panes": [], "front_pane": "compare"}
    if kind is PaneLayout.REVIEWER:
        hidden = ("overview", "zoo", "ece", "certainty", "errors", "strength", "calibration", "similarity")
        view["hidden_panes"] = list(hidden)
    window.pane_layouts.choose(other)
    opened_again(window, view, tmp_path, demo)
    assert window.pane_layouts.now is kind
    assert (shown(window) == REVIEWER) is (kind is PaneLayout.REVIEWER)
    assert window.workspace.front_pane.topic == "compare"

    window.documents.close()
    window.documents.open_demo()
    turn_until_settled(window.jobs)
    assert window.pane_layouts.now is other  # of the user


@pytest.mark.parametrize("layout", [{}, {"layout": "AAAA"}])
def test_a_project_from_before_there_were_two_shows_what_it_showed(window, demo, tmp_path, layout):
    window.pane_layouts.choose(PaneLayout.REVIEWER)
    opened_again(window, {"hidden_panes": ["zoo"], "front_pane": "ece", **layout}, tmp_path, demo)
    assert window.workspace.hidden_panes() == ["zoo"]
    assert window.workspace.front_pane.topic == "ece"


def test_a_layout_of_other_docks_is_left_and_what_is_hidden_is_read(window, demo, tmp_path, monkeypatch):
    window.documents.open_demo()
    turn_until_settled(window.jobs)
    view = dict(window.view())
    view["hidden_panes"] = ["zoo", "guide"]
    monkeypatch.setattr("zebra_gui.window.workspace._LAYOUT_VERSION", 99)
    window.documents.close()
    opened_again(window, view, tmp_path, demo)
    assert set(window.workspace.hidden_panes()) == {"zoo", "guide"}


def test_matrices_alone_are_seen_by_a_reviewer(qtbot, window, demo):
    window.pane_layouts.choose(PaneLayout.REVIEWER)
    from zebra_core.project.demo import demo_project

    whole = demo_project()
    window.session.open_project(whole.without(entry.id for entry in whole.entries))
    assert window.workspace.front_pane.topic == "similarity"


def test_the_prior_is_below_panes_that_follow_it(demo_window):
    def is_below(topic):
        demo_window.workspace.show_topic(topic)
        return demo_window._bottom.isVisible()

    follow = ["overview", "ece", "compare", "errors", "strength", "calibration"]
    assert [topic for topic in demo_window.workspace.topics if is_below(topic)] == follow
