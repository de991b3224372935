"""The overview shows the selected entry."""

from shutil import copy

import pytest
from PySide6.QtWidgets import QLabel

import zebra_resources
from zebra_core.evidence.decisions import Decision
from zebra_core.project import demo
from zebra_gui.panes.facts import as_text
from zebra_gui.panes.guide import sections
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
    assert pane.worst_case.meaning.text() == (
        "for the same speaker: odds of about 248 to 1 where both were as likely before · at most 3.99 with "
        "these data\n1.04 (B) by what other speakers bear out"
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


@pytest.fixture
def distances(session, jobs, settled, tmp_path):
    """A session with the demo's unprotected scores, their signs changed."""
    rows = [line.rsplit(" ", 1) for line in demo.FILES[0].path.read_text().splitlines()]
    (tmp_path / "scores").write_text("".join(f"{ids} {-float(score)}\n" for ids, score in rows))
    copy(zebra_resources.path(demo.KEY), tmp_path / "key")
    session.load([tmp_path / "scores", tmp_path / "key"])
    settled(jobs)
    return session


def test_scores_that_run_the_wrong_way_are_told_everywhere_and_can_be_turned_round(
    qtbot, distances, jobs, settled
):
    pane = OverviewPane(distances)
    qtbot.addWidget(pane)
    told = (
        "Read the other way round, lower meaning more alike, these scores disclose 0.678 bit, C (worst case "
        "3.88), and not 0."
    )
    assert pane.worst_case.badge.tag == "A / C"
    assert pane.worst_case.meaning.text().startswith(told)
    assert pane.population.meaning.text().startswith(told)
    guide = {section.heading: section.text for section in sections("overview", distances.selected)}
    assert guide["In one sentence"].startswith(told)
    assert (
        as_text(distances.selected).splitlines()[1].endswith("read the other way round C · 3.88 · 0.678 bit")
    )

    button = pane.remarks.buttons[Decision.LOWER_IS_MORE_ALIKE, True]
    assert button.text() == "Lower means more alike"
    button.click()
    settled(jobs)
    assert pane.worst_case.badge.tag == "C"
    assert pane.population.number.text() == "0.678 bit"
    assert (Decision.LOWER_IS_MORE_ALIKE, True) not in pane.remarks.buttons
    distances.undo_stack.undo()
    assert pane.worst_case.badge.tag == "A / C"
