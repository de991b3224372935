"""The prior is one for all panes: it marks every picture, and feeds one sentence."""

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import Qt

from zebra_core.metrics.assessment import assess
from zebra_core.metrics.prior import ROUND_PRIORS, prior_log_odds, strongest_posterior
from zebra_core.metrics.zebra import LN10
from zebra_core.project.project import Project
from zebra_gui.panes.prior import PriorBar


@pytest.fixture
def bar(qtbot, demo_session):
    bar = PriorBar(demo_session)
    qtbot.addWidget(bar)
    bar.show()
    return bar


def test_it_says_what_the_core_says(bar, demo_session, demo):
    assert bar.sentence.text() == str(strongest_posterior(demo.entries[2].assessment, 100))
    assert bar.sentence.text().startswith("From a prior of 1 in 100, the strongest comparison leads to")

    demo_session.select(demo.entries[0].id)
    assert bar.sentence.text() == str(strongest_posterior(demo.entries[0].assessment, 100))
    demo_session.select(None)
    assert bar.sentence.text() == ""


def test_the_prior_follows_the_people_in_question_until_another_is_chosen(bar, demo_session):
    demo_session.set_report(replace(demo_session.project.report, people=17))
    assert demo_session.prior == bar.one_in.value() == 17
    assert bar.sentence.text().startswith("From a prior of 1 in 17,")
    bar.one_in.setValue(1000)
    demo_session.set_report(replace(demo_session.project.report, case="another word"))
    assert demo_session.prior == 1000
    demo_session.undo_stack.undo()
    demo_session.undo_stack.undo()
    assert demo_session.prior == 100  # nobody says how many are in question any more


def test_slider_and_field_move_together(qtbot, bar, demo_session):
    bar.slider.setValue(ROUND_PRIORS.index(1000))
    assert demo_session.prior == bar.one_in.value() == 1000
    assert bar.sentence.text().startswith("From a prior of 1 in 1\u202f000,")

    bar.one_in.setValue(1234)
    assert demo_session.prior == 1234
    assert ROUND_PRIORS[bar.slider.value()] == 1200
    assert "1\u202f234" in bar.sentence.text()


def test_the_slider_is_moved_with_keys(qtbot, bar, demo_session):
    """To the right the prior rises, as in the pictures."""
    qtbot.keyClick(bar.slider, Qt.Key.Key_Right)
    assert demo_session.prior == 80
    qtbot.keyClick(bar.slider, Qt.Key.Key_Left)
    qtbot.keyClick(bar.slider, Qt.Key.Key_Left)
    assert demo_session.prior == 120


def test_a_prior_is_typed(qtbot, bar, demo_session):
    bar.one_in.setFocus()
    bar.one_in.selectAll()
    qtbot.keyClicks(bar.one_in, "5000")
    qtbot.keyClick(bar.one_in, Qt.Key.Key_Return)

    assert demo_session.prior == 5000


def test_everything_on_it_has_a_name(bar):
    assert bar.slider.accessibleName() == "Prior"
    assert bar.one_in.accessibleName() == "Prior: 1 in"
    assert bar.slider.accessibleDescription() == bar.sentence.text()


MARKED = [("overview", "ece", 1.0), ("ece", "ece", 1.0), ("ece", "nece", 1.0)]
MARKED += [("errors", "ape", 1.0), ("errors", "nber", 1.0), ("strength", "tippett", -1.0 / LN10)]


@pytest.mark.parametrize(("pane", "name", "places_per_log_odds"), MARKED)
def test_it_marks_every_picture_over_the_prior(qtbot, shared_window, pane, name, places_per_log_odds):
    shared_window.workspace.show_topic(pane)
    card = shared_window.workspace.front_pane.figure_cards()[0]
    card.choose(next(picture for picture in card.pictures if picture.name == name))
    for one_in in (100, 1000):
        shared_window.session.consider_prior(one_in)
        qtbot.waitUntil(lambda: card.is_drawn)
        place = places_per_log_odds * prior_log_odds(one_in)
        line = card.view.figure.lines[0]
        np.testing.assert_allclose(card.view._curves[0].getData()[0], [place, place])
        assert line.label is None

    shared_window.session.mark_prior(False)
    qtbot.waitUntil(lambda: card.is_drawn)
    assert all(abs(line.x[0] - place) > 1e-9 for line in card.view.figure.lines if line.label is None)


def test_it_is_below_all_panes_once_something_is_open(window, demo):
    assert window.findChild(PriorBar) is None
    window.session._on_demo_assessed(demo)
    window.workspace.show_topic("overview")
    bar = window.findChild(PriorBar)

    assert bar.isVisible()
    window.session.close()
    assert not bar.isVisible()


def test_of_scores_that_run_the_wrong_way_it_says_that_they_disclose_more(qtbot, demo_session, demo):
    entry = demo.entries[0]
    trials = replace(entry.trials, score=-entry.trials.score)
    wrong = replace(entry, trials=trials, assessment=assess(trials), measured=None)
    demo_session.restart(Project("", (wrong,)))
    demo_session.select(wrong.id)
    bar = PriorBar(demo_session)
    qtbot.addWidget(bar)
    assert bar.sentence.text().endswith(
        "That is of the scores as they were given; read otherwise, they disclose more."
    )
