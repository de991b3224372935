"""The pane that stands first: what the strongest attack finds, and about whom, in plain words."""

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel

from tests.core.project.attacks import attack
from tests.core.samples import small_entry
from zebra_core.evidence.speaker_names import SessionRule
from zebra_core.project.items import Condition
from zebra_core.project.project import Project
from zebra_core.project.requirements.requirement import Requirement
from zebra_core.wording.texts import say
from zebra_gui.panes.answer import AnswerPane


@pytest.fixture
def pane(session, qtbot):
    made = AnswerPane(session)
    qtbot.addWidget(made)
    made.resize(900, 700)
    made.show()
    return made


@pytest.fixture
def opened(pane, session, qtbot):
    def opened(*entries):
        session.open_project(Project("", entries))
        qtbot.waitUntil(lambda: bool(pane.cards) and not session.conclusions.is_looking, timeout=60_000)
        return pane

    return opened


STRONG = attack(2.0, "lazy-informed", seed=1)
WEAK = replace(attack(0.2, "lazy-informed", seed=4), name="B2", id="weak")
ORIGINAL = replace(attack(8.0, "", Condition.OO, seed=3), name="unprotected", id="oo")


def test_each_safeguard_has_a_card_and_unprotected_speech_has_none(opened):
    pane = opened(ORIGINAL, STRONG, WEAK)
    assert [card.name.whole_text for card in pane.cards] == ["B2", "B1"]
    first, second = pane.cards
    assert first.naming.text().startswith("Among 20 people, of whom one is speaking, the attacker names")
    assert "without protection in 100." in first.naming.text()
    assert "Whoever is most exposed gives away " in second.person.text()
    assert first.attack.text().startswith("One attack is judged here: by somebody who protects recordings")


def test_the_question_names_a_safeguard_and_a_number_of_people_and_can_be_undone(opened, session, qtbot):
    pane = opened(STRONG, WEAK)
    pane.people.setValue(5)
    qtbot.waitUntil(lambda: "Among 5 people" in pane.cards[0].naming.text())
    assert session.project.report.people == 5
    pane.safeguard.setCurrentIndex(pane.safeguard.findData("B1"))
    pane.safeguard.activated.emit(pane.safeguard.currentIndex())
    qtbot.waitUntil(lambda: pane.cards[0].name.whole_text == "B1")
    session.undo_stack.undo()
    session.undo_stack.undo()
    qtbot.waitUntil(lambda: "Among 20 people" in pane.cards[0].naming.text())
    assert (pane.people.value(), pane.safeguard.currentData()) == (1, "")


def test_what_all_answers_lack_stands_below_them_once_and_a_button_gives_it(opened):
    unsure = attack(1.0, "lazy-informed", seed=1, sure=False)
    other = attack(1.0, "lazy-informed", seed=2, sure=False)
    pane = opened(unsure, replace(other, name="B2", id="other"))
    assert say("conclusion.no-unprotected") in pane.missing.text()
    assert all(card.missing.text() == "" for card in pane.cards)
    assert not pane.measure.isHidden()
    assert not pane.settle.isHidden()


def test_a_set_that_is_too_small_says_so_above_everything_and_its_badge_is_hatched(opened):
    pane = opened(small_entry())
    (card,) = pane.cards
    assert card.small.text().startswith("9 comparisons, 4 of the same person and 5 of different ones: these")
    assert card.badge.tag.endswith("?")


def test_of_unprotected_speech_alone_there_is_no_answer_but_a_sentence(pane, session, qtbot):
    session.open_project(Project("", (ORIGINAL,)))
    qtbot.waitUntil(lambda: pane.sentence.text() == say("conclusion.only-unprotected"))
    assert pane.cards == ()


def test_nothing_of_a_closed_project_stays(opened, session, qtbot):
    pane = opened(STRONG)
    session.restart(None)
    assert pane.cards == ()
    assert pane.as_text() == ""


def test_all_of_it_is_read_out_and_copied(opened):
    pane = opened(STRONG)
    sentence, box, *whole = pane.as_text().split("\n\n")
    assert sentence == pane.sentence.text()
    assert sentence.startswith("The strongest attack on B1 names the right one of 20 people in ")
    assert box.startswith("Right one of 20 people named, of 100: By guessing: 5; B1: ")
    assert whole[0].startswith("B1 [")
    assert pane.cards[0].accessibleName() == "B1"
    assert pane.people.accessibleName() == "Among how many people somebody is named"


def test_sentence_picture_and_facts_stand_first_and_why_unfolds_the_rest(opened, pane, qtbot):
    opened(ORIGINAL, STRONG, WEAK)
    assert pane.sentence.text() == pane.session.conclusions.known.sentence
    qtbot.waitUntil(lambda: pane.picture.is_drawn)
    assert pane.picture.heading.whole_text.startswith("Right one of 20 people named, of 100 attempts")
    assert "Without protection" in pane.box.as_text()
    assert not pane.cards[0].isVisible()
    pane.why.click()
    qtbot.waitUntil(pane.cards[0].isVisible)
    again = AnswerPane(pane.session)  # the next time it is as it was left
    qtbot.addWidget(again)
    assert again.why.isChecked()


def test_what_a_verdict_lacks_is_computed_from_here(opened, session, qtbot):
    pane = opened(STRONG)
    assert pane.decide.isHidden()
    asked = Requirement("Little", "d_ece", 0.7)
    session.open_project(Project("", (STRONG,), requirements=(asked,)))
    qtbot.waitUntil(lambda: not pane.decide.isHidden())
    pane.decide.click()
    qtbot.waitUntil(pane.decide.isHidden, timeout=20_000)
    qtbot.waitUntil(lambda: "have not been computed" not in pane.cards[0].verdicts.text(), timeout=20_000)


def test_of_forty_safeguards_twelve_have_a_card_and_the_others_a_line(opened, qtbot):
    unsure = attack(1.0, "lazy-informed", seed=1, sure=False)
    pane = opened(*(replace(unsure, name=f"S{k:02d}", id=f"s{k}") for k in range(40)))
    assert len(pane.cards) == 12
    pane.why.click()

    def others_shown():
        return [text for text in pane.findChildren(QLabel) if text.isVisible() and text.text()[:5] == "S12 ["]

    qtbot.waitUntil(lambda: len(others_shown()) == 1)
    (others,) = others_shown()
    assert others.text().count("\n") == 27
    assert others.text().startswith("S12 [C]: Among 20 people, of whom one is speaking")


def test_people_stay_while_the_project_changes_and_what_is_new_comes_in_the_end(opened, session, qtbot):
    pane = opened(STRONG, WEAK)
    for name in ("one", "another", "a third"):
        session.edits.rename([WEAK.id], name)
        assert pane.cards[0].naming.text().startswith("Among 20 people")
    qtbot.waitUntil(lambda: pane.cards[0].name.whole_text == "a third")
    assert pane.cards[0].naming.text().startswith("Among 20 people")


def test_sessions_are_asked_for_where_ids_share_a_prefix_and_that_can_be_undone(opened, session, qtbot):
    assert not opened(STRONG).sessions.isVisible()
    trials = STRONG.trials
    names = tuple(f"{name[:3]}-{number // 4}-{number}" for number, name in enumerate(trials.test.names))
    entry = replace(STRONG, trials=replace(trials, test=replace(trials.test, names=names)))
    pane = opened(entry)
    assert pane.sessions.isVisible()
    told = "Ids of several recordings of one person have more in common"
    assert told in pane.missing.text()
    pane.sessions.settled.emit("before-last-hyphen")
    qtbot.waitUntil(lambda: told not in pane.missing.text())
    assert session.entries[0].sessions is SessionRule.BEFORE_LAST_HYPHEN
    assert pane.sessions.isVisible()
    session.undo_stack.undo()
    assert session.entries[0].sessions is None


def test_what_is_not_ticked_is_said_and_taken_in_again_by_one_click(opened, session, qtbot):
    pane = opened(ORIGINAL, STRONG, WEAK)
    assert pane.left_out.isHidden()
    session.edits.tick(["weak"], False)
    qtbot.waitUntil(lambda: [card.name.whole_text for card in pane.cards] == ["B1"])
    assert pane.left_out.text() == "Without B2."
    assert "B2" not in pane.sentence.text()
    qtbot.mouseClick(pane.take_in, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: len(pane.cards) == 2)
    assert pane.left_out.isHidden()
    assert pane.take_in.isHidden()
    session.undo_stack.undo()
    qtbot.waitUntil(lambda: [card.name.whole_text for card in pane.cards] == ["B1"])


def test_the_same_scores_twice_are_told_above_all_and_one_click_keeps_one(opened, session, qtbot):
    pane = opened(STRONG, replace(STRONG, name="copy", id="copy"), WEAK)
    assert pane.on_the_whole.text().startswith("B1 and copy have the same scores, so these are not ranked")
    assert not any("ways of protecting" in card.figures.text() for card in pane.cards)
    pane.keep_one.click()
    assert [item.name for item in session.items if not item.is_ticked] == ["copy"]
    qtbot.waitUntil(lambda: not pane.on_the_whole.isVisible() and not pane.keep_one.isVisible())
    session.undo_stack.undo()
    qtbot.waitUntil(pane.keep_one.isVisible)
