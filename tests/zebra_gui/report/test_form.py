"""The form says how the report is wanted; the session changes the project, and every change is undone."""

import datetime as dt
import re
from dataclasses import replace

import pytest
from PySide6.QtCore import QDate, Qt

from tests.core.samples import CONTEXT
from zebra_core.project.report_settings import TEXTS, Access, Paper, ReportSettings, Section
from zebra_gui.panes.report import ReportPane
from zebra_gui.report.form import LineField, ReportForm

CONTEXT_TEXTS = [name for name in CONTEXT if name in TEXTS]


@pytest.fixture
def pane(qtbot, demo_session):
    pane = ReportPane(demo_session)
    qtbot.addWidget(pane)
    yield pane
    for queue in demo_session.drawing.queues:
        queue.shut_down()


@pytest.fixture
def said(pane, demo_session):
    """What the project says about its report."""
    return lambda: demo_session.project.report


def test_lines_are_taken_when_they_are_left(qtbot, pane, said, demo_session):
    lines = {name: field for name, field in pane.form.fields.items() if isinstance(field, LineField)}
    assert list(lines) == ["case", "requester", "author", "organisation", "report_id"]
    for name, line in lines.items():
        line.setText(f"my {name}")
        line.editingFinished.emit()
    assert (said().case, said().requester, said().report_id) == ("my case", "my requester", "my report_id")
    demo_session.undo_stack.undo()
    assert said().report_id == ""
    assert pane.form.fields["report_id"].text() == ""


def test_prose_is_taken_when_typing_pauses(qtbot, pane, said):
    field = pane.form.fields["question"]
    qtbot.keyClicks(field, "*Who?*")
    assert said().question == ""
    field.settle()
    assert said().question == "*Who?*"


def test_signers_date_paper_and_resolution(pane, said):
    pane.form.signers.setPlainText("A. B.\n\n C. D. ")
    pane.form.signers.settle()
    pane.form.date.is_stated.click()
    pane.form.date.setDate(QDate(2026, 2, 3))
    pane.form.fields["paper"].setCurrentIndex(1)
    pane.form.fields["paper"].activated.emit(1)
    pane.form.dpi.setValue(300)
    pane.form.dpi.editingFinished.emit()
    assert said().signers == ("A. B.", "C. D.")
    assert said().date == dt.date(2026, 2, 3)
    assert (said().paper, said().dpi) == (Paper.LETTER, 300)
    pane.form.date.is_stated.click()
    assert said().date is None


def test_the_context_of_the_release_is_stated_by_keyboard_and_mouse(qtbot, pane, said, demo_session):
    fields = pane.form.fields
    for name in CONTEXT_TEXTS:
        qtbot.keyClicks(fields[name], f"my {name}")
        fields[name].settle()
    qtbot.keyClick(fields["access"], Qt.Key.Key_End)
    fields["access"].activated.emit(fields["access"].currentIndex())
    fields["people"].lineEdit().selectAll()
    qtbot.keyClicks(fields["people"].lineEdit(), "17")
    qtbot.keyClick(fields["people"], Qt.Key.Key_Return)
    fields["review_on"].is_stated.click()
    fields["review_on"].setDate(QDate(2027, 1, 31))
    assert {name: getattr(said(), name) for name in CONTEXT_TEXTS} == {
        name: f"my {name}" for name in CONTEXT_TEXTS
    }
    assert (said().access, said().people) == (Access.CONTROLLED, 17)
    assert said().review_on == dt.date(2027, 1, 31)
    assert said().unstated == ()
    assert demo_session.prior == 17

    fields["review_on"].is_stated.click()
    fields["people"].setValue(fields["people"].minimum())
    assert said().unstated == ("people", "review_on")
    assert demo_session.prior == 100


def test_what_of_the_context_is_not_stated_is_empty_or_says_so(pane):
    fields = pane.form.fields
    assert {fields[name].toPlainText() for name in CONTEXT_TEXTS} == {""}
    assert fields["access"].currentText() == fields["people"].text() == "not stated"
    assert not fields["review_on"].is_stated.isChecked()
    assert not fields["review_on"].isEnabled()


def test_the_context_of_the_project_is_shown_and_undone(pane, demo_session):
    fields = pane.form.fields
    demo_session.set_report(replace(demo_session.project.report, **CONTEXT))
    assert {name: fields[name].toPlainText() for name in CONTEXT_TEXTS} == {
        name: CONTEXT[name] for name in CONTEXT_TEXTS
    }
    assert (fields["access"].currentData(), fields["people"].value()) == (Access.CONTROLLED, 20)
    assert (fields["review_on"].is_stated.isChecked(), fields["review_on"].date()) == (
        True,
        QDate(2027, 1, 31),
    )
    demo_session.undo_stack.undo()
    assert (fields["access"].currentData(), fields["people"].value()) == (None, 1)
    assert (fields["review_on"].is_stated.isChecked(), fields["review_on"].date()) == (
        False,
        QDate.currentDate().addYears(1),
    )


def test_each_field_of_the_context_has_a_name_and_a_help_that_names_its_source(pane):
    sources = re.compile(r"\((ISO/IEC 27559|IPC Ontario|GDPR|ICO|EDPB)")
    for field in (pane.form.fields[name] for name in CONTEXT):
        assert field.accessibleName()
        assert sources.search(field.accessibleDescription())


def test_a_context_of_some_pages_is_refused_in_a_sentence(pane, said, demo_session):
    field = pane.form.fields["motive"]
    field.setPlainText("m" * 2001)
    field.settle()
    assert said().motive == ""
    assert "2\u202f000 characters" in demo_session.problems[0]


def test_too_many_signers_are_refused_in_a_sentence(pane, said, demo_session):
    pane.form.signers.setPlainText("\n".join("abcdefghi"))
    pane.form.signers.settle()
    assert said() == ReportSettings()
    assert demo_session.problems == ("There is room for at most 8 signatures. Name fewer people.",)


def test_sections_are_unticked_and_moved_by_keys(qtbot, pane, said):
    sections = pane.form.sections
    sections.list.setCurrentRow(2)
    sections.list.item(2).setCheckState(Qt.CheckState.Unchecked)
    assert said().left_out == {Section.EXAMINED}
    qtbot.keyClick(sections.list, Qt.Key.Key_Up, Qt.KeyboardModifier.AltModifier)
    assert said().order[:3] == (Section.QUESTION, Section.EXAMINED, Section.FINDINGS)
    assert sections.chosen is Section.EXAMINED
    qtbot.keyClick(sections.list, Qt.Key.Key_Down, Qt.KeyboardModifier.AltModifier)
    assert said().order == tuple(Section)


def test_a_dragged_section_stays_where_it_was_dropped(pane, said):
    sections = pane.form.sections.list
    sections.model().moveRow(sections.rootIndex(), 9, sections.rootIndex(), 1)
    assert said().order[:3] == (Section.QUESTION, Section.GLOSSARY, Section.FINDINGS)


def test_each_section_has_its_own_note(pane, said):
    sections = pane.form.sections
    sections.list.setCurrentRow(5)
    sections.note.setPlainText("Mind this.")
    sections.note.settle()
    sections.list.setCurrentRow(6)
    assert sections.note.toPlainText() == ""
    assert said().notes == {Section.RESULTS: "Mind this."}


def test_what_is_shown_is_not_said_again(qtbot):
    form = ReportForm()
    qtbot.addWidget(form)
    with qtbot.assertNotEmitted(form.changed):
        form.show_settings(replace(ReportSettings(), case="7", question="a", date=dt.date(2020, 1, 1)))
    assert form.fields["case"].text() == "7"


def test_every_field_has_a_name(pane):
    fields = [*pane.form.fields.values(), pane.form.signers]
    fields += [pane.form.sections.list, pane.form.sections.note]
    assert all(field.accessibleName() for field in fields)


def test_a_long_line_shows_how_it_begins(qtbot):
    line = LineField("Case")
    qtbot.addWidget(line)
    line.show_value("The case of " + "a very long name " * 20)
    assert line.cursorPosition() == 0
