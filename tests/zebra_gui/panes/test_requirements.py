"""Requirements in the pane Law: written in a form or dropped as TOML, with their verdicts; all undone."""

import re
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QScrollArea

from zebra_core.errors import InputError
from zebra_core.project.requirements.figures import REQUIRABLE
from zebra_core.project.requirements.requirement import (
    RecordedWhen,
    Requirement,
    Scope,
    Sense,
    read_requirements,
)
from zebra_core.wording.texts import speaking
from zebra_gui.panes.law import LawPane

TEXT = """\
[[requirement]]
name = "no tag beyond B"
figure = "tag"
at_most = "B"

[[requirement]]
name = "little"
figure = "d_ece_bits"
at_most = 0.3
"""


def names_of(box):
    return [box.item(row).text() for row in range(box.count())]


def tick(box, *names):
    for name in names:
        [item] = box.findItems(name, Qt.MatchFlag.MatchExactly)
        item.setCheckState(Qt.CheckState.Checked)


@pytest.fixture
def card(qtbot, demo_session):
    pane = LawPane(demo_session)
    qtbot.addWidget(pane)
    pane.resize(800, 600)
    pane.show()
    yield pane.requirements
    pane.close()


def dropped(session, qtbot, folder: Path, text: str) -> None:
    path = folder / "req.toml"
    path.write_text(text, encoding="utf-8")
    with qtbot.waitSignal(session.requirements.decided, timeout=20_000):
        session.load([path])


def lines(card) -> list[str]:
    return [card.list.item(row).text() for row in range(card.list.count())]


def test_nothing_is_there_before_anything_is_required(card):
    assert not card.isVisible()


def test_a_dropped_file_is_taken_in_and_its_verdicts_are_shown(card, demo_session, qtbot, tmp_path):
    dropped(demo_session, qtbot, tmp_path, TEXT)
    assert card.isVisible()
    assert re.match(
        r"✗  no tag beyond B \(.+ B\): not met on these trials. 2 of 3 assessments", lines(card)[0]
    )
    assert re.match(r"\?  little \(.+\): not yet judged. What it takes has not ", lines(card)[1])
    assert card.measure.isVisible()
    assert demo_session.requirements.asked[0].recorded is RecordedWhen.AFTER
    demo_session.undo_stack.undo()
    assert demo_session.requirements.asked == ()
    assert not card.isVisible()


@pytest.mark.parametrize(
    ("text", "said"),
    [(TEXT, "2 requirements were taken in."), (TEXT.partition("\n\n")[0], "One requirement was taken in.")],
)
def test_how_many_were_taken_in_is_said(demo_session, qtbot, tmp_path, text, said):
    with qtbot.waitSignal(demo_session.requirements.announced, timeout=20_000) as told:
        dropped(demo_session, qtbot, tmp_path, text)
    assert told.args == [said]


def test_a_figure_that_is_called_otherwise_now_is_taken_in_and_that_is_said(demo_session, qtbot, tmp_path):
    dropped(demo_session, qtbot, tmp_path, TEXT.replace("d_ece_bits", "d_ece"))

    assert demo_session.requirements.asked[1].figure == "d_ece_bits"
    (problem,) = demo_session.problems
    assert problem.startswith("d_ece is called d_ece_bits now, as in tables and in JSON.")


def test_a_file_with_a_fault_is_one_sentence_and_changes_nothing(card, demo_session, qtbot, tmp_path):
    path = tmp_path / "req.toml"
    path.write_text(TEXT + 'datasets = ["vctk"]\n', encoding="utf-8")
    before = demo_session.project
    with qtbot.waitSignal(demo_session.problems_changed, timeout=20_000):
        demo_session.load([path])
    (problem,) = demo_session.problems
    assert problem.startswith("req.toml, line 10: “little” applies to nothing here")
    assert demo_session.project is before
    assert not card.isVisible()


def test_one_is_written_with_the_keyboard_alone(card, demo_session, qtbot):
    card.begin()
    form = card.form
    assert form.isVisible()
    form.name.setText("")
    qtbot.keyClicks(form.name, "strict")
    form.figure.setCurrentIndex(form.figure.findData("eer"))
    form.sense.setCurrentIndex(form.sense.findData(Sense.AT_LEAST.value))
    form.bound.setText("30 %")
    tick(form.scope["safeguards"], "B1w", "B2r")
    assert form.scope_hint.text().startswith("In each list, nothing ticked means all.")
    form.why.setText("It was agreed.")
    with qtbot.waitSignal(demo_session.requirements.decided, timeout=20_000):
        qtbot.keyClick(form.bound, Qt.Key.Key_Return)
    (made,) = demo_session.requirements.asked
    assert (made.name, made.figure, made.sense, made.bound) == ("strict", "eer", Sense.AT_LEAST, 0.3)
    assert (made.scope.safeguards, made.why, made.confidence) == (("B1w", "B2r"), "It was agreed.", 0.95)
    assert not form.isVisible()


def test_the_names_of_the_project_are_there_to_be_ticked_each_once(card, demo_session):
    card.begin()
    offered = {key: names_of(box) for key, box in card.form.scope.items()}
    assert offered["safeguards"] == ["B1w", "B2", "B2r"], "unprotected speech is no safeguard"
    assert offered["datasets"] == list(
        dict.fromkeys(filter(None, (entry.dataset for entry in demo_session.entries)))
    )
    assert all(box.ticked == () for box in card.form.scope.values()), "nothing ticked means all"
    assert "OO" in offered["conditions"]


def test_a_pattern_that_is_no_name_stays_and_can_be_unticked(card, demo_session):
    asked = Requirement("a", "eer", 0.3, Sense.AT_LEAST, scope=Scope(safeguards=("B2*", "B1w")))
    card.form.begin(asked, demo_session.entries, (asked,))
    box = card.form.scope["safeguards"]
    assert box.ticked == ("B2*", "B1w")
    assert names_of(box)[-1] == "B2*"
    box.item(box.count() - 1).setCheckState(Qt.CheckState.Unchecked)
    assert card.form.made().scope == Scope(safeguards=("B1w",))


def test_the_scope_is_ticked_by_keyboard(card, qtbot):
    card.begin()
    box = card.form.scope["safeguards"]
    box.setFocus()
    box.setCurrentRow(names_of(box).index("B2"))
    qtbot.keyClick(box, Qt.Key.Key_Space)
    assert box.ticked == ("B2",)


@pytest.mark.parametrize(
    ("bound", "told"),
    [
        ("x", "“x” is not a number"),
        ("0.9", "Population disclosure D_ECE cannot be 0.9"),
        ("", "“” is not a number"),
    ],
)
def test_what_is_wrong_is_said_below_the_form_which_stays(card, demo_session, bound, told):
    card.begin()
    card.form.bound.setText(bound)
    card.form.save.click()
    assert told in card.problem.text()
    assert told in card.problem.accessibleName()
    assert card.form.isVisible()
    assert demo_session.requirements.asked == ()


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        ("0,25", "Read as 0.25."),
        ("1,234", "Read as 1.234."),
        ("0.25", ""),
        ("2,5%", "Read as 2.5 %."),
        ("x", ""),
    ],
)
def test_a_number_typed_otherwise_than_we_write_it_is_told_as_it_is_understood(card, typed, told):
    card.begin()
    card.form.bound.setText(typed)
    assert card.form.hint.text() == told


def test_only_the_fields_that_a_figure_has_are_there(card):
    card.begin()
    form = card.form
    assert (form.confidence.isVisible(), form.tag.isVisible(), form.than.isVisible()) == (True, False, False)
    form.figure.setCurrentIndex(form.figure.findData("share_at_tag"))
    assert (form.confidence.isVisible(), form.tag.isVisible()) == (False, True)
    form.sense.setCurrentIndex(form.sense.findData("no_worse_than"))
    assert form.than.isVisible()


def test_what_a_requirement_takes_is_said_while_it_is_written(card, qtbot):
    card.begin()
    form = card.form
    form.bound.setText("0.01")
    qtbot.waitUntil(lambda: "about 8 where there are 20 people" in form.takes.text(), timeout=20_000)
    form.bound.setText("x")
    assert not form.takes.isVisible()


@pytest.mark.parametrize(
    ("figure", "fields"),
    [
        ("d_ece_bits", {"group"}),
        ("pi_link", {"people", "recordings", "group"}),
        ("most_linked", {"people", "group"}),
        ("hits_at", {"alarms", "group"}),
        ("inference", {"attribute"}),
        ("rating", {"question"}),
        ("wer", set()),
        ("tag", set()),
    ],
)
def test_a_figure_is_asked_for_what_says_which_it_is(card, figure, fields):
    card.begin()
    form = card.form
    form.figure.setCurrentIndex(form.figure.findData(figure))
    every = ("people", "recordings", "alarms", "attribute", "question", "group")
    assert {name for name in every if getattr(form, name).isVisible()} == fields


def test_that_nobody_is_singled_out_is_required_by_mouse_in_german_and_decided(demo_session, qtbot):
    """As an auditor says it: nobody may be singled out with more than x, among so many people."""
    with speaking("de"):
        pane = LawPane(demo_session)
        qtbot.addWidget(pane)
        pane.resize(800, 900)
        pane.show()
        card = pane.requirements
        card.begin()
        form = card.form
        place = form.figure.findText("die Wahrscheinlichkeit π_sing, herausgegriffen zu werden")
        assert place >= 0
        form.figure.setCurrentIndex(place)
        assert form.people.text() == "20"
        form.name.setText("Niemand wird herausgegriffen")
        form.bound.setText("30 %")
        qtbot.mouseClick(form.save, Qt.MouseButton.LeftButton)
        assert "Weniger als das ist kein Schutz" in card.problem.text()
        form.bound.setText("60 %")
        tick(form.scope["safeguards"], "B1w")
        with qtbot.waitSignal(demo_session.requirements.decided, timeout=20_000):
            qtbot.mouseClick(form.save, Qt.MouseButton.LeftButton)
        (made,) = demo_session.requirements.asked
        assert (made.figure, made.detail.people, made.detail.recordings, made.bound) == (
            "pi_sing",
            20,
            1,
            0.6,
        )
        assert "noch nicht beurteilt" in lines(card)[0]
        assert card.measure.isVisible()
        with qtbot.waitSignal(demo_session.requirements.decided, timeout=120_000):
            qtbot.mouseClick(card.measure, Qt.MouseButton.LeftButton)
        qtbot.waitUntil(lambda: not card.measure.isVisible(), timeout=120_000)
        (verdict,) = demo_session.requirements.verdicts
        (row,) = verdict.rows
        assert 0.377 < row.value <= row.high < 0.6
        assert "nicht entschieden" in lines(card)[0]  # while the mean may hide somebody
        pane.close()


@pytest.mark.parametrize(("name", "count"), [("opinion-05-2014", 4), ("voiceprivacy-classes", 4)])
def test_requirements_of_others_are_taken_in_and_undone(demo_session, qtbot, name, count):
    demo_session.set_report(replace(demo_session.project.report, people=11))
    with qtbot.waitSignal(demo_session.requirements.decided, timeout=20_000):
        demo_session.requirements.take_ready(name)
    asked = demo_session.requirements.asked
    assert len(asked) == count
    assert {each.detail.people for each in asked} <= {11, None}
    demo_session.undo_stack.undo()
    assert demo_session.requirements.asked == ()


def test_none_is_selected_before_somebody_chooses_one(card, demo_session, qtbot):
    demo_session.requirements.put(Requirement("a", "tag", "B", confidence=None))
    assert card.list.selectedItems() == []
    assert card.list.currentRow() == 0  # where the keyboard begins
    assert not card.edit.isEnabled()
    qtbot.mouseClick(
        card.list.viewport(),
        Qt.MouseButton.LeftButton,
        pos=card.list.visualItemRect(card.list.item(0)).center(),
    )
    assert card.edit.isEnabled()
    demo_session.requirements.put(Requirement("b", "tag", "C", confidence=None))
    assert [item.text()[:4] for item in card.list.selectedItems()] == [lines(card)[0][:4]]


def test_one_is_changed_removed_and_both_can_be_undone(card, demo_session, qtbot):
    demo_session.requirements.put(Requirement("a", "tag", "B", confidence=None))
    card.list.setCurrentRow(0)
    card.edit.click()
    card.form.bound.setText("C")
    card.form.save.click()
    assert [each.bound for each in demo_session.requirements.asked] == ["C"]
    card.list.setCurrentRow(0)
    card.remove.click()
    assert demo_session.requirements.asked == ()
    demo_session.undo_stack.undo()
    demo_session.undo_stack.undo()
    assert [each.bound for each in demo_session.requirements.asked] == ["B"]


@pytest.mark.parametrize(
    "asked",
    [
        Requirement(
            "a\nb", "d_ece_bits", 0.12345678, confidence=0.87654321, why="one\ntwo " * 100, set_by="me\n"
        ),
        Requirement("a", "eer", 0.07, Sense.AT_LEAST, scope=Scope(safeguards=("B1, tuned", "B2"))),
        Requirement("a", "eer", 0.2912345678, Sense.AT_LEAST, confidence=0.9999),
        Requirement("a", "worst_case_log10_lr", 1e-7, confidence=None),
    ],
)
def test_what_is_not_touched_in_the_form_stays_to_the_last_digit(card, asked):
    card.form.begin(asked, (), (asked,))
    assert card.form.made() == asked
    card.form.set_by.setText("somebody")
    assert card.form.made() == replace(asked, set_by="somebody")


@pytest.mark.parametrize(("bound", "shown"), [(0.12345678, "12.345678 %"), (0.07, "7 %"), (0.3, "30 %")])
def test_a_rate_is_shown_in_per_cent_with_all_its_digits(card, bound, shown):
    card.form.begin(Requirement("a", "eer", bound), (), ())
    assert card.form.bound.text() == shown


def test_they_are_saved_as_a_file_that_can_be_read_again(card, demo_session, tmp_path, answers):
    made = Requirement("a", "d_ece_bits", 0.3)
    demo_session.requirements.put(made)
    path = tmp_path / "out.toml"
    answers["requirements"] = path
    card.export.click()
    assert read_requirements(path) == (made,)


def test_every_field_has_a_name_for_a_screen_reader(card):
    form = card.form
    fields = (form.name, form.figure, form.sense, form.bound, form.than, form.tag, form.confidence)
    assert all(field.accessibleName() for field in (*fields, *form.scope.values(), form.why, form.set_by))
    assert card.list.accessibleName() == "Requirements"


def test_a_bound_is_typed_in_the_words_of_the_answer(card, demo_session):
    card.begin()
    form = card.form
    form.figure.show_value("pi_link")
    form.bound.setText("At most 20 of 100, among 15 people")
    form.bound.editingFinished.emit()
    assert (form.bound.text(), form.people.text()) == ("20 of 100", "15")
    assert "Read as 20 %." in form.hint.text()
    made = form.made()
    assert (made.bound, made.sense, made.detail.people) == (0.2, Sense.AT_MOST, 15)
    form.bound.setText("at least 30 of 100")
    form.bound.editingFinished.emit()
    assert (form.made().bound, form.made().sense) == (0.3, Sense.AT_LEAST)


@pytest.mark.parametrize(
    ("figure", "typed"),
    [
        ("eer", "at most 20 of 100, among 15 people"),  # of which no rate of errors is
        ("eer", "nearly 20 of 100"),
        ("d_ece_bits", "20 of 100"),
    ],
)
def test_words_that_are_not_understood_are_refused_and_none_is_left_out(card, figure, typed):
    card.begin()
    card.form.figure.show_value(figure)
    card.form.bound.setText(typed)
    card.form.bound.editingFinished.emit()
    assert card.form.bound.text() == typed
    with pytest.raises(InputError):
        card.form.made()


def test_figures_that_authorities_ask_for_come_first_and_the_name_is_selected(card, qtbot):
    card.begin()
    form = card.form
    codes = [form.figure.itemData(place) for place in range(form.figure.count())]
    assert codes[:5] == ["pi_link", "most_exposed", "pi_sing", "eer", "d_ece_bits"]
    assert sorted(codes) == sorted(REQUIRABLE)
    assert form.name.selectedText() == form.name.text() != ""


def test_what_is_wrong_is_scrolled_into_sight_and_calls_figures_as_the_form_does(qtbot, demo_session):
    area = QScrollArea()
    qtbot.addWidget(area)
    pane = LawPane(demo_session)
    area.setWidgetResizable(True)
    area.setWidget(pane)
    area.resize(500, 300)
    area.show()
    pane.requirements.begin()
    pane.requirements.form.bound.setText("0.9")
    pane.requirements.form.save.click()
    problem = pane.requirements.problem
    assert problem.text().startswith("Population disclosure D_ECE cannot be 0.9")
    qtbot.waitUntil(lambda: problem.visibleRegion().boundingRect() == problem.rect())
