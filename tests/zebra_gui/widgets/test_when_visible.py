"""What stands behind another tab is brought up to date when it is looked at, and not before."""

import pytest
from PySide6.QtWidgets import QTabWidget, QWidget

from zebra_gui.widgets.when_visible import WhenVisible


@pytest.fixture
def tabs(qtbot):
    """Two pages, each with how often it was refreshed."""
    tabs = QTabWidget()
    qtbot.addWidget(tabs)
    counts = {}
    for name in ("front", "behind"):
        page = QWidget()
        counts[name] = []
        tabs.addTab(page, name)
        page.seen = WhenVisible(page, lambda name=name: counts[name].append(name))
    return tabs, counts


def refresh(tabs):
    for place in range(tabs.count()):
        tabs.widget(place).seen.refresh()


def test_what_is_behind_waits_and_several_changes_are_shown_once(qtbot, tabs):
    tabs, counts = tabs
    tabs.show()
    refresh(tabs)
    refresh(tabs)

    assert [len(of) for of in counts.values()] == [2, 0]
    tabs.setCurrentIndex(1)
    qtbot.waitUntil(lambda: len(counts["behind"]) == 1)
    tabs.setCurrentIndex(0)
    tabs.setCurrentIndex(1)
    assert [len(of) for of in counts.values()] == [2, 1]


def test_in_a_window_that_was_never_shown_everything_is_up_to_date(tabs):
    tabs, counts = tabs
    refresh(tabs)

    assert [len(of) for of in counts.values()] == [1, 1]


def test_what_takes_work_waits_until_it_is_seen_for_the_first_time_and_needs_no_word(qtbot):
    page, done = QWidget(), []
    qtbot.addWidget(page)
    seen = WhenVisible(page, lambda: done.append(1), only_visible=True)
    seen.refresh()
    assert not done

    page.show()
    qtbot.waitUntil(lambda: done == [1])
    seen.refresh()
    assert done == [1, 1]
