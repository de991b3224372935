"""The review beside the pages: comments are added, answered and closed in place, and each can be undone."""

import datetime as dt

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from zebra_core.project.report_settings import Section
from zebra_core.project.review import Review
from zebra_gui.panes.report import ReportPane

AT = dt.datetime(2026, 11, 27, 10, 0, 5, tzinfo=dt.UTC)
COMMENTED = Review().commenting("Which attacker?", "findings", "Ada", AT)


@pytest.fixture
def pane(qtbot, demo_session):
    pane = ReportPane(demo_session)
    qtbot.addWidget(pane)
    pane.review.name.setText("Ada")
    yield pane
    for queue in demo_session.drawing.queues:
        queue.shut_down()


@pytest.fixture
def view(pane):
    return pane.review


@pytest.fixture
def said(demo_session):
    return lambda: demo_session.project.review


def test_a_comment_is_pinned_to_the_chosen_place_and_undone(view, said, demo_session) -> None:
    assert not view.add_button.isEnabled()
    view.place.setCurrentIndex(view.place.findData(Section.RESULTS.value))
    view.comment.setPlainText("Is this all?")
    view.add_button.click()
    (comment,) = said().comments
    assert (comment.on, comment.by, comment.text) == ("results", "Ada", "Is this all?")
    assert abs(dt.datetime.now(dt.UTC) - comment.at) < dt.timedelta(minutes=1)
    assert view.comment.toPlainText() == ""
    assert view.list.item(0).text().startswith("1. Results · open\nAda, ")
    demo_session.undo_stack.undo()
    assert not said()
    assert view.list.count() == 0


def test_the_chosen_comment_is_answered_and_closed(view, said, demo_session) -> None:
    demo_session.set_review("comment", COMMENTED)
    view.list.setCurrentRow(0)
    view.answer.setPlainText("The informed one.")
    view.answer_button.click()
    assert [one.text for one in said().comments[0].answers] == ["The informed one."]
    assert "→ Ada, " in view.list.item(0).text()
    view.close_button.click()
    assert said().comments[0].state == "closed"
    assert not view.close_button.isEnabled()


def test_nothing_is_said_without_a_name_and_what_was_typed_stays(view, said, demo_session) -> None:
    view.name.setText("")
    view.comment.setPlainText("Anonymous?")
    view.add_button.click()
    assert not said()
    assert demo_session.problems == ("It is not stated who says this. Give a name.",)
    assert view.comment.toPlainText() == "Anonymous?"


def test_the_name_is_asked_once(qtbot, view, demo_session) -> None:
    view.name.setText("Grace")
    view.name.editingFinished.emit()
    later = ReportPane(demo_session)
    qtbot.addWidget(later)
    assert later.review.name.text() == "Grace"


def test_a_comment_can_begin_on_the_section_of_the_page(view) -> None:
    view.begin_on(Section.OPINION.value)
    assert view.place.currentData() == "opinion"
    view.begin_on("something else")
    assert view.place.currentData() == "report"


def test_places_of_the_pages_are_offered_and_the_chosen_one_stays(view) -> None:
    view.place.setCurrentIndex(view.place.findData("data"))
    view.show_places({"report": "The whole report", "data": "Data", "picture:ece-1-1": "Picture: ECE"})
    assert view.place.currentData() == "data"
    assert view.place.findData("picture:ece-1-1") == 2


def test_what_is_hidden_in_a_comment_is_shown(view, demo_session) -> None:
    demo_session.set_review("comment", Review().commenting("a\u202eb<b>", "report", "A\u2066da", AT))
    text = view.list.item(0).text()
    assert "a\\u202eb<b>" in text
    assert "A\\u2066da" in text


def test_everything_has_a_name_for_who_hears_it(view) -> None:
    fields = (view.name, view.list, view.answer, view.place, view.comment)
    assert all(isinstance(one, QWidget) and one.accessibleName() for one in fields)
    assert all(one.focusPolicy() & Qt.FocusPolicy.TabFocus for one in fields)
    assert view.comment.tabChangesFocus()
    assert view.answer.tabChangesFocus()


def test_of_another_project_nothing_is_left(view, demo_session) -> None:
    demo_session.set_review("comment", COMMENTED)
    view.comment.setPlainText("half a thought")
    view.forget()
    assert (view.list.count(), view.comment.toPlainText(), view.name.text()) == (0, "", "")
