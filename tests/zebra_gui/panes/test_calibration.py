"""The calibration pane pairs runs, and shows the core's numbers."""

import numpy as np
import pytest
from PySide6.QtGui import QGuiApplication

from zebra_core.evidence.trials import Trials
from zebra_core.figures.calibration import cross_validation_figure, learnt_calibration_figure
from zebra_core.metrics.assessment import assess
from zebra_core.metrics.learnt_calibration import attack
from zebra_core.metrics.prior import prior_log_odds
from zebra_core.project.items import Entry
from zebra_core.speakers.study import cross_validate
from zebra_core.wording.texts import bits, signed
from zebra_gui.panes.calibration import FOLDS, LEARNT


def separable_entry():
    trials = Trials.from_scores(target=[3.0, 4.0], nontarget=[-1.0, 0.0])
    return Entry("separable", trials, assess(trials))


@pytest.fixture(scope="module")
def seen_panes():
    return ("calibration",)


@pytest.fixture
def demo_window(shared_window):
    """The tests of this module take turns with one window."""
    return shared_window


@pytest.fixture
def card(demo_window):
    demo_window.session.select(demo_window.session.entries[2].id)
    demo_window.workspace.show_topic("calibration")
    return demo_window.workspace.front_pane.card


def wait(qtbot, card):
    qtbot.waitUntil(lambda: card.is_drawn and card.report is not None)


def test_the_run_most_like_it_is_the_one_to_learn_on(qtbot, card, demo):
    card.choose(LEARNT)
    wait(qtbot, card)

    assert (card.train.currentText(), card.test.currentText()) == ("B2r OP", "B2 OP")
    train, test = demo.entries[3], demo.entries[2]
    expected = attack(train.assessment.counts, test.assessment.counts, test.assessment.profile.prior_log_odds)
    assert card.report.as_json() == expected.as_json()
    figure = learnt_calibration_figure(train, test, expected, prior_log_odds=prior_log_odds(100))
    for curve, line in zip(card.view._curves, figure.lines, strict=True):
        np.testing.assert_array_equal(curve.getData()[1], line.y)


def test_the_table_says_what_was_found(qtbot, card, demo_window):
    card.choose(LEARNT)
    wait(qtbot, card)
    linear, isotonic = card.report.linear, card.report.isotonic

    assert card.table.as_text().splitlines() == [
        "Calibration\tC_ECE (bit)\tCllr (bit)",
        f"Linear\t{signed(linear.c_ece_bits)}\t{bits(linear.cllr_bits)}",
        f"Isotonic\t{signed(isotonic.c_ece_bits)}\t{bits(isotonic.cllr_bits)}",
    ]
    demo_window.edit_menu.copy_action.trigger()
    assert card.table.as_text() in QGuiApplication.clipboard().text()


def test_another_pair_is_learnt_anew(qtbot, card, demo):
    card.choose(LEARNT)
    wait(qtbot, card)
    card.train.setCurrentIndex(0)
    card.train.activated.emit(0)
    wait(qtbot, card)

    counts = [demo.entries[number].assessment.counts for number in (0, 2)]
    expected = attack(*counts, demo.entries[2].assessment.profile.prior_log_odds)
    assert card.report.as_json() == expected.as_json()


def test_a_run_against_itself_is_no_pair(qtbot, card):
    card.choose(LEARNT)
    wait(qtbot, card)
    card.train.setCurrentIndex(2)
    card.train.activated.emit(2)

    assert card.report is None
    assert "Choose two runs" in card.note.text()
    assert not card.view.isVisible()
    assert not card.export_button.isEnabled()


def test_within_one_run_by_other_speakers(qtbot, card, demo):
    card.choose(FOLDS)
    wait(qtbot, card)
    entry = demo.entries[2]
    expected = cross_validate(entry.trials, entry.assessment.profile.prior_log_odds)

    assert card.report.linear.cllr_bits == expected.linear.cllr_bits
    assert card.table.as_text().splitlines()[-1] == "Oracle\t0.212\t0.695"
    assert "Assumed: two ids belong to the same speaker" in card.note.text()
    assert "63 speakers" in card.note.text()
    figure = cross_validation_figure(entry, expected, prior_log_odds=prior_log_odds(100))
    assert [line.label for line in card.view.figure.lines] == [line.label for line in figure.lines]


def test_what_was_learnt_is_kept_when_only_names_change(qtbot, card, demo_window, settled):
    settled(demo_window.jobs)
    card.choose(LEARNT)
    wait(qtbot, card)
    demo_window.session.edits.rename([demo_window.session.entries[2].id], "renamed")

    assert card.report is not None
    assert [job.name for job in demo_window.jobs.waiting] == []


def test_separable_scores_are_flagged_in_words(qtbot, card, demo_window):
    separable = separable_entry()
    project = demo_window.session.project.with_items(separable)
    demo_window.session._change("add", project, demo_window.session.entries[2].id)
    card.choose(LEARNT)
    place = card.train.findData(separable.id)
    card.train.setCurrentIndex(place)
    card.train.activated.emit(place)
    wait(qtbot, card)

    assert card.report.linear_map.bounded
    assert "separates the training scores" in card.note.text()
    card.choose(FOLDS)


def test_trials_without_ids_cannot_be_divided_and_it_says_so(qtbot, card, demo_window):
    nameless = separable_entry()
    project = demo_window.session.project.with_items(nameless)
    demo_window.session._change("add", project, nameless.id)
    card.choose(FOLDS)

    qtbot.waitUntil(lambda: "have no ids" in card.note.text())
    assert card.report is None


def test_learning_can_be_stopped(qtbot, card, demo_window):
    card.choose(LEARNT)
    demo_window.jobs.cancel_all()

    qtbot.waitUntil(lambda: "Stopped" in card.note.text())
    card.choose(LEARNT)
    wait(qtbot, card)


def test_learning_may_weight_the_classes_to_the_prior_of_the_slider(qtbot, card, demo, demo_window):
    card.choose(LEARNT)
    wait(qtbot, card)
    card.part("at_prior").click()
    for one_in in (100, 1000):
        demo_window.session.consider_prior(one_in)
        wait(qtbot, card)
        counts = [demo.entries[number].assessment.counts for number in (3, 2)]
        priors = demo.entries[2].assessment.profile.prior_log_odds
        assert card.report.as_json() == attack(*counts, priors, 1.0 / one_in).as_json()
