"""The session: files come in, become a project, and every change can be undone."""

import logging

import pytest
from PySide6.QtCore import QTimer

from zebra_core.project.items import Condition


def names(session):
    return [entry.name for entry in session.entries]


def waiting(session):
    return [file.source.path for file in session.arrivals.waiting]


@pytest.mark.parametrize("order", [["scores", "key"], ["key", "scores"]])
def test_halves_that_come_one_by_one_find_each_other(session, jobs, settled, scores, key, order):
    files = {"scores": scores["B2"], "key": key}

    session.load([files[order[0]]])
    settled(jobs)
    assert session.project is None
    assert waiting(session) == [files[order[0]]]

    session.load([files[order[1]]])
    settled(jobs)
    assert session.arrivals.waiting == ()
    assert session.selected.assessment.tag == "C"
    assert session.selected.assessment.d_ece_bits == pytest.approx(0.2045, abs=1e-4)


def test_halves_dropped_before_the_first_was_read_find_each_other_too(session, jobs, settled, scores, key):
    session.load([scores["B2"]])
    session.load([key])
    settled(jobs)

    assert len(session.entries) == 1


def test_several_score_files_with_one_key_become_several_entries(session, jobs, settled, scores, key):
    session.load([scores["B1w"], key, scores["B2"], scores["B2r"]])
    settled(jobs)

    assert [entry.assessment.tag for entry in session.entries] == ["A", "C", "C"]
    assert [entry.colour for entry in session.entries] == [0, 1, 2]
    assert session.selected is session.entries[0]


def test_entries_that_come_later_are_added_and_selected(demo_session, jobs, settled, scores, key):
    demo_session.load([scores["B2"], key])
    settled(jobs)

    assert len(demo_session.entries) == 5
    assert demo_session.selected is demo_session.entries[-1]
    assert demo_session.selected.colour == 1  # that of its safeguard, whatever is shown beside it


def test_the_same_file_twice_in_a_drop_is_one_file(session, jobs, settled, scores, key):
    session.load([scores["B2"], key, scores["B2"], key])
    settled(jobs)

    assert len(session.entries) == 1
    assert session.problems == ()


def test_one_bad_file_does_not_lose_the_others(session, jobs, settled, scores, key, tmp_path):
    contradicting = tmp_path / "contradicting"
    contradicting.write_text(scores["B2"].read_text() + "39 39-121914-0000-1 99\n")
    session.load([scores["B1w"], contradicting, key, scores["B2"]])
    settled(jobs)

    assert [entry.assessment.tag for entry in session.entries] == ["A", "C"]
    assert len(session.problems) == 1
    assert "contradicting, line 9829" in session.problems[0]
    assert session.arrivals.arrival is None


def test_what_is_wrong_leaves_the_project_as_it_was(demo_session, demo, jobs, settled, key, bad_scores):
    demo_session.load([bad_scores, key])
    settled(jobs)

    assert demo_session.project is demo
    assert len(demo_session.problems) == 1


def test_a_new_drop_clears_old_problems(session, jobs, settled, tmp_path, scores, key):
    session.load([tmp_path])
    settled(jobs)
    session.load([scores["B2"], key])
    settled(jobs)

    assert session.problems == ()


def test_two_keys_that_both_fit_are_a_question(session, jobs, settled, scores, key, tmp_path):
    copies = [tmp_path / name for name in ("mine", "trials", "other-key")]
    for copy, file in zip(copies, (scores["B2"], key, key), strict=True):
        copy.write_text(file.read_text())
    session.load(copies)
    settled(jobs)

    assert session.project is None
    [question] = session.arrivals.arrival.plan.questions
    assert [one.words for one in question.alternatives] == ["trials", "other-key", "none of these"]


def test_two_keys_wait_for_scores_that_fit_one_of_them(session, jobs, settled, scores, key, tmp_path):
    other = tmp_path / "other-key"
    other.write_text("a b target\na c nontarget\n")
    for path in (key, other):
        session.load([path])
        settled(jobs)
    assert waiting(session) == [key, other]

    session.load([scores["B2"]])
    settled(jobs)
    session.arrivals.accept()

    assert [file.name for file in session.selected.trials.files] == ["scores", "trials"]


def test_the_waiting_half_can_be_forgotten(qtbot, session, jobs, settled, scores, key):
    session.load([scores["B2"]])
    settled(jobs)
    with qtbot.waitSignal(session.arrivals.waiting_changed):
        session.arrivals.forget_waiting()
    session.load([key])
    settled(jobs)

    assert waiting(session) == [key]
    assert session.project is None


@pytest.fixture
def wrong_key(tmp_path):
    path = tmp_path / "wrong-key"
    path.write_text("a b target\na c nontarget\n")
    return path


def test_scores_wait_on_for_their_key_when_a_wrong_one_is_dropped(
    session, jobs, settled, scores, key, wrong_key
):
    session.load([scores["B2"]])
    settled(jobs)
    session.load([wrong_key])
    settled(jobs)
    session.arrivals.dismiss()
    assert scores["B2"] in waiting(session)

    session.load([key])
    settled(jobs)
    session.arrivals.accept()
    assert [entry.name for entry in session.entries] == ["B2"]


def test_scores_wait_on_for_their_key_when_looking_at_one_is_stopped(session, jobs, settled, scores, key):
    session.load([scores["B2"]])
    settled(jobs)
    session.load([key])
    session.arrivals.waiting_changed.connect(lambda: QTimer.singleShot(0, jobs.cancel_all))
    settled(jobs)
    assert waiting(session) == [scores["B2"]]


def test_what_waited_for_a_case_that_was_closed_does_not_wait_for_the_next(
    session, jobs, settled, scores, wrong_key
):
    session.load([scores["B2"]])
    settled(jobs)
    session.load([wrong_key])
    settled(jobs)
    session.restart(None)
    assert waiting(session) == []


def test_cancelling_a_drop_changes_nothing(session, jobs, settled, scores, key):
    session.load([scores["B2"], key])
    jobs.cancel_all()
    settled(jobs)

    assert session.project is None
    assert session.problems == ()


def test_our_own_failure_is_told_as_such(session, jobs, settled, monkeypatch, caplog):
    def fail(on_progress):
        raise ZeroDivisionError("never <b>mind</b>")

    monkeypatch.setattr("zebra_gui.session.work.demo_project", fail)
    with caplog.at_level(logging.CRITICAL):
        session.open_demo()
        settled(jobs)

    assert len(session.problems) == 1
    assert session.problems[0].startswith("ZEBRA failed (ZeroDivisionError: never <b>mind</b>).")
    assert session.problems[0].endswith("This is a fault in the program, not in your files.")


def test_the_demo_replaces_what_is_open_and_can_be_undone(session, jobs, settled, scores, key):
    session.load([scores["B2"], key])
    settled(jobs)
    before = session.project
    session.open_demo()
    session.open_demo()
    settled(jobs)
    assert names(session) == ["unprotected", "B1w", "B2", "B2r"]

    session.undo_stack.undo()

    assert session.project is before
    assert session.selected is before.entries[0]


def test_adding_is_undone_back_to_nothing_and_done_again(session, jobs, settled, scores, key):
    session.load([scores["B2"], key])
    settled(jobs)
    entry = session.selected
    session.undo_stack.undo()
    assert session.entries == ()
    assert session.selected is None

    session.undo_stack.redo()
    assert session.selected is entry


@pytest.mark.parametrize(
    ("place", "selected_then"),
    [
        pytest.param(0, "B1w", id="the first"),
        pytest.param(1, "B2", id="in between"),
        pytest.param(3, "B2", id="last"),
    ],
)
def test_removing_selects_the_neighbour(demo_session, place, selected_then):
    entry = demo_session.entries[place]
    demo_session.edits.remove([entry.id])

    assert entry not in demo_session.entries
    assert demo_session.selected.name == selected_then

    demo_session.undo_stack.undo()
    assert demo_session.entries[place] is entry


@pytest.mark.parametrize("name", ["new", "x" * 300, "two\nlines", "<img src=x>"])
def test_renaming_can_be_undone(demo_session, name):
    entry_id = demo_session.selected.id
    demo_session.edits.rename([entry_id], name)
    assert names(demo_session) == ["unprotected", "B1w", name, "B2r"]
    assert demo_session.selected.id == entry_id

    demo_session.undo_stack.undo()
    assert names(demo_session) == ["unprotected", "B1w", "B2", "B2r"]


@pytest.mark.parametrize("name", ["", "  \n", "B2", " B2 "])
def test_a_name_that_is_none_or_no_other_changes_nothing(demo_session, demo, name):
    demo_session.edits.rename([demo_session.selected.id], name)

    assert demo_session.project is demo


def test_the_condition_can_be_stated_and_taken_back(demo_session):
    entry_id = demo_session.selected.id
    demo_session.edits.set_condition([entry_id], Condition.PP)
    assert demo_session.selected.full_name == "B2 PP"
    demo_session.edits.set_condition([entry_id], None)
    assert demo_session.selected.full_name == "B2, condition not stated"

    demo_session.undo_stack.undo()
    demo_session.undo_stack.undo()
    assert demo_session.selected.full_name == "B2 OP"


def test_selecting_tells_only_what_is_new(qtbot, demo_session):
    with qtbot.assertNotEmitted(demo_session.selection_changed):
        demo_session.select(demo_session.selected.id)
    with qtbot.waitSignal(demo_session.selection_changed):
        demo_session.select(demo_session.entries[0].id)


def test_closing_can_be_undone(demo_session, demo):
    demo_session.close()
    assert demo_session.entries == ()

    demo_session.undo_stack.undo()
    assert demo_session.project is demo


def test_one_edit_is_told_once(demo_session, demo):
    """What shows both the project and the selection need not be shown twice."""
    told = []
    for name in ("project_changed", "selection_changed", "changed"):
        getattr(demo_session, name).connect(lambda name=name: told.append(name))

    demo_session.edits.rename([demo.entries[0].id], "bare")
    assert told == ["project_changed", "changed"]
    told.clear()
    demo_session.select(demo.entries[1].id)
    assert told == ["selection_changed", "changed"]
    told.clear()
    demo_session.edits.remove([demo.entries[1].id])
    assert told == ["project_changed", "selection_changed", "changed"]
    told.clear()
    demo_session.undo_stack.undo()
    assert told == ["project_changed", "selection_changed", "changed"]


def test_the_same_problem_is_told_once_until_it_was_read(session):
    told = []
    session.problems_changed.connect(lambda: told.append(session.problems))
    for _ in range(3):
        session.report_problem("The disk is full.")
    session.dismiss_problems()
    session.report_problem("The disk is full.")

    assert told == [("The disk is full.",), (), ("The disk is full.",)]
