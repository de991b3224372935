"""The guide says in plain words what is in front, with the core's figures."""

from dataclasses import replace

import pytest
from PySide6.QtWidgets import QLabel, QScrollArea

from zebra_gui.panes.calibration import FOLDS, LEARNT
from zebra_gui.panes.guide import GuidePane, sections
from zebra_gui.panes.pane import EcePane, ErrorsPane, StrengthPane
from zebra_gui.panes.pictures import CALIBRATION

PICTURES = (*EcePane.pictures, *ErrorsPane.pictures, *StrengthPane.pictures, CALIBRATION, LEARNT, FOLDS)
OF_AN_AUDIT = ["To say who attacks", "To tell whether it can be trusted", "To require something"]
SUBJECTS = ["overview", *(picture.name for picture in PICTURES)]


@pytest.fixture
def guide(qtbot, demo_session):
    guide = GuidePane(demo_session)
    qtbot.addWidget(guide)
    demo_session.look_at("overview")
    return guide


@pytest.mark.parametrize("subject", SUBJECTS)
def test_every_picture_has_a_guide(demo, subject):
    found = sections(subject, demo.entries[2])

    assert [section.heading for section in found] == [
        "In one sentence",
        "What this shows",
        "How to read it",
        "What you can do",
        *(OF_AN_AUDIT if subject == "overview" else []),
        "Keep in mind",
    ]
    assert all("{" not in section.text for section in found)


def test_the_sentence_has_the_figures_of_the_selected_entry(guide, demo_session, demo):
    assert "With B2 OP, an attacker gains 0.20 bit of at most 0.721 bit on average (28 %" in guide.text
    assert "odds of about 250 to 1 where both were as likely before" in guide.text
    assert "at most 3.99" in guide.text

    demo_session.select(demo.entries[1].id)
    assert "With B1w OP, an attacker gains 0.04 bit" in guide.text


def test_the_sentence_is_the_answer_for_the_project_once_that_is_known(
    guide, demo_session, demo, jobs, settled
):
    demo_session.conclusions.look()
    settled(jobs)
    said = demo_session.conclusions.known.sentence
    assert said in guide.text
    demo_session.select(demo.entries[0].id)  # whatever is selected
    assert said in guide.text

    demo_session.edits.rename([demo.entries[0].id], "other")  # nobody has looked at that project
    assert "an attacker gains" in guide.text


def test_it_follows_the_pane_in_front(guide, demo_session):
    assert "sums up the worst case" in guide.text
    demo_session.look_at("ece")
    assert "gap between a coloured curve" in guide.text


def test_it_says_when_the_condition_is_not_known(demo):
    entry = replace(demo.entries[2], condition=None)

    assert "has not been stated" in sections("ece", entry)[-1].text


def test_nothing_selected(guide, demo_session):
    demo_session.select(None)

    assert "Select an assessment" in guide.text


def test_foreign_names_are_shown_as_typed(guide, demo_session):
    demo_session.edits.rename([demo_session.selected.id], "<b>x</b>\n<img src=x>")

    texts = [label.text() for label in guide.findChildren(QLabel)]
    assert any("<b>x</b>\\n<img src=x> OP" in text for text in texts)


def test_it_tells_of_the_picture_that_is_seen_though_another_pane_chooses_one(
    qtbot, demo_window, settled, fewer_draws
):
    fewer_draws("zebra_core.project.comparison.difference_tests.trust_of", 20)
    for topic in ("ece", "errors"):
        demo_window.workspace.show_topic("certainty")  # so that its pictures have been seen
        qtbot.wait(20)
        demo_window.workspace.show_topic(topic)
        qtbot.wait(20)
        before, subject = demo_window.workspace.guide.text, demo_window.session.topic
        demo_window.session.intervals.measure_all()
        qtbot.wait(20)
        assert demo_window.session.topic == subject
        demo_window.cancelling.action.trigger()
        settled(demo_window.jobs)
        assert demo_window.session.topic == subject
        assert demo_window.workspace.guide.text.splitlines()[1] == before.splitlines()[1]


def test_a_long_name_without_blanks_goes_on_in_the_next_line(guide, demo_session, demo):
    name = "protected_with_everything_that_was_there_and_more_than_once"
    demo_session.edits.rename([demo.entries[2].id], name)
    demo_session.select(demo.entries[2].id)
    assert name in guide.text
    guide.resize(182, 600)
    guide.show()
    scroll = guide.findChild(QScrollArea)
    assert guide._page.minimumSizeHint().width() <= scroll.viewport().width()
    assert any(name in text.accessibleName() for text in guide.findChildren(QLabel))
