"""The overview shows the selected entry."""

import pytest
from PySide6.QtWidgets import QLabel

from zebra_gui.panes.overview import OverviewPane


@pytest.fixture
def pane(qtbot, demo_session):
    pane = OverviewPane(demo_session)
    qtbot.addWidget(pane)
    pane.resize(800, 600)
    pane.show()
    return pane


def test_the_badge_says_letter_number_odds_and_ceiling(pane):
    assert pane.worst_case.badge.tag == "C"
    assert pane.worst_case.number.text() == "2.39"
    assert (
        pane.worst_case.meaning.text()
        == "one wrong in about 248 · at most 3.99 with these data\nC, at the limit of these data"
    )
    assert pane.population.number.text() == "0.205 bit"


def test_it_follows_the_selection(pane, demo_session, demo):
    demo_session.select(demo.entries[1].id)

    assert pane.worst_case.badge.tag == "A"
    assert pane.worst_case.number.text() == "0.94"


def test_nothing_selected_shows_no_figures(pane, demo_session):
    demo_session.select(None)

    assert not pane.worst_case.isVisible()
    assert not pane.remarks.isVisible()


def test_remarks_are_words(pane, demo):
    [shown] = [label.text() for label in pane.remarks.findChildren(QLabel) if not label.isHidden()]
    [remark] = demo.entries[2].assessment.remarks
    assert shown == f"•  {remark}"
    assert "log-likelihood ratios" in shown


def test_the_selected_profile_is_emphasised(pane, demo_session, demo):
    lines = pane.figure_cards()[0].view._figure.lines
    assert [line.emphasis for line in lines] == [False, False, False, False, True, False]

    demo_session.select(demo.entries[0].id)
    lines = pane.figure_cards()[0].view._figure.lines
    assert [line.emphasis for line in lines] == [False, False, True, False, False, False]


@pytest.mark.parametrize("width", [480, 620, 1000])
def test_the_cards_fit_the_room(qtbot, pane, width):
    pane.resize(width, 700)

    qtbot.waitUntil(lambda: (pane.conventional.y() > pane.worst_case.y()) == (width < 760))
    assert pane.conventional.geometry().right() <= pane.width()


def test_how_many_trials_the_next_tags_would_take_is_told_where_the_mouse_rests(pane):
    told = "To show tag D at all it would take 9\u202f937 nontarget trials, or 9\u202f999 target"
    assert told in pane.worst_case.meaning.toolTip()
    assert told in pane.worst_case.badge.toolTip()
