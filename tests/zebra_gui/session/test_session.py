"""The session: files come in, become a project, and every change can be undone."""

import gc
import logging
import weakref
from threading import Event

import pytest
from PySide6.QtCore import QTimer

from zebra_core.document.project_file import open_project
from zebra_core.project.items import Condition
from zebra_core.project.requirements.requirement import Requirement, RequirementDetail
from zebra_gui.settings import settings


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


@pytest.fixture
def by_itself(window, settled):
    """A window in which it is on; waits until there is nothing more to do."""
    window.assess_menu.automatic_intervals_action.setChecked(True)

    def wait():
        settled(window.jobs)
        settled(window.automatic_intervals.jobs)

    return wait


@pytest.fixture
def quick(fewer_draws):
    """Draws as few replicates as an interval may have."""
    fewer_draws("zebra_core.project.comparison.difference_tests.trust_of", 20)


def names_of_sure(session):
    return [entry.name for entry in session.entries if entry.trust]


def test_it_is_on_until_the_user_says_otherwise(window, another_window):
    settings().remove("intervals_at_once")
    assert another_window().assess_menu.automatic_intervals_action.isChecked()
    window.assess_menu.automatic_intervals_action.setChecked(True)
    window.assess_menu.automatic_intervals_action.setChecked(False)
    assert not another_window().assess_menu.automatic_intervals_action.isChecked()


def test_every_figure_has_its_interval_soon_after_the_files_are_read(
    window, by_itself, key, scores, fewer_draws
):
    fewer_draws("zebra_core.project.comparison.difference_tests.trust_of", 100)
    window.open_paths([key, scores["B1w"], scores["B2"]])
    by_itself()
    assert names_of_sure(window.session) == ["B1w", "B2"]
    b2 = window.session.entries[1]
    interval = b2.trust.uncertainty.intervals["d_ece_bits"]
    assert interval.low < b2.assessment.d_ece_bits < interval.high


@pytest.mark.usefixtures("quick")
def test_it_is_nothing_to_be_undone_and_nothing_to_be_saved(window, by_itself, case):
    window.open_paths([case])
    by_itself()
    assert len(names_of_sure(window.session)) == 4
    assert window.session.undo_stack.count() == 0
    assert not window.documents.is_modified
    assert not any(entry.trust for entry in open_project(case).project.entries)


@pytest.mark.usefixtures("quick")
def test_what_is_undone_keeps_its_intervals(window, by_itself, case, settled):
    window.open_paths([case])
    settled(window.jobs)
    window.session.edits.rename(window.session.entries[0].id, "another")
    by_itself()
    window.session.undo_stack.undo()
    assert len(names_of_sure(window.session)) == 4
    assert not window.automatic_intervals.jobs.waiting
    assert not window.documents.is_modified


@pytest.mark.usefixtures("quick")
def test_what_was_worked_out_is_kept_as_long_as_its_figures_can_come_back(window, by_itself, key, scores):
    window.open_paths([key, scores["B1w"]])
    by_itself()
    first = weakref.ref(window.session.entries[0].trust)
    window.session.edits.remove([window.session.entries[0].id])
    window.open_paths([key, scores["B2"]])
    by_itself()
    gc.collect()
    assert first() is not None

    window.session.undo_stack.clear()
    window.open_paths([key, scores["B1w"]])
    by_itself()
    gc.collect()
    assert first() is None
    assert names_of_sure(window.session) == ["B2", "B1w"]


def test_it_waits_until_nothing_else_is_being_worked_on(window, case, settled):
    window.open_paths([case])
    settled(window.jobs)
    may_end = Event()
    window.jobs.start("Asked for", lambda _watch: may_end.wait(60.0))
    window.assess_menu.automatic_intervals_action.setChecked(True)
    assert not window.automatic_intervals.jobs.waiting
    may_end.set()
    settled(window.jobs)
    assert [job.name for job in window.automatic_intervals.jobs.waiting] == ["How sure is unprotected OO?"]


def test_the_selected_figures_come_first(window, case, settled):
    window.open_paths([case])
    settled(window.jobs)
    window.session.select(window.session.entries[2].id)
    window.assess_menu.automatic_intervals_action.setChecked(True)
    assert [job.name for job in window.automatic_intervals.jobs.waiting] == ["How sure is B2 OP?"]


def test_cancelled_it_does_not_begin_anew(window, by_itself, case, settled):
    window.open_paths([case])
    settled(window.jobs)
    assert window.automatic_intervals.jobs.waiting
    window.cancelling.action.trigger()
    by_itself()
    window.session.edits.rename(window.session.entries[0].id, "another")
    assert not window.automatic_intervals.jobs.waiting
    assert names_of_sure(window.session) == []


def test_closing_the_window_ends_it(another_window, case, settled):
    window = another_window()
    window.assess_menu.automatic_intervals_action.setChecked(True)
    window.open_paths([case])
    settled(window.jobs)
    assert window.automatic_intervals.jobs.waiting
    window.close()
    settled(window.automatic_intervals.jobs)  # and begins no other


def test_switched_off_nothing_is_worked_out(window, case, settled):
    window.open_paths([case])
    settled(window.jobs)
    assert not window.automatic_intervals.jobs.waiting


def test_sets_that_take_minutes_wait_for_somebody_to_ask(window, by_itself, case, monkeypatch):
    monkeypatch.setattr("zebra_gui.session.session.MOST_TRIALS", 9_000)
    window.open_paths([case])
    by_itself()
    assert names_of_sure(window.session) == []


def test_the_status_bar_says_what_is_being_worked_out(window, by_itself, case, settled):
    window.open_paths([case])
    settled(window.jobs)
    assert window.statusBar().job_name.text() == "How sure is unprotected OO?"
    window.jobs.start("Something asked for", lambda watch: watch(1.0))
    assert window.statusBar().job_name.text() == "Something asked for"


def test_what_there_is_so_far_is_told_and_can_be_stopped_with_what_there_is(window, case, settled, qtbot):
    window.open_paths([case])
    settled(window.jobs)
    intervals = window.session.intervals
    window.assess_menu.automatic_intervals_action.setChecked(True)
    assert (intervals.is_measuring, intervals.is_asked) == (True, False)
    qtbot.waitUntil(lambda: intervals.so_far is not None, timeout=60_000)
    name = intervals.so_far.name
    intervals.stop()
    qtbot.waitUntil(lambda: name in names_of_sure(window.session), timeout=60_000)
    stopped = next(entry for entry in window.session.entries if entry.name == name)
    assert 20 <= stopped.trust.uncertainty.replicates < 1000
    window.automatic_intervals.cancel()


@pytest.mark.usefixtures("quick")
def test_verdicts_follow_intervals_without_a_button(window, case, settled, qtbot):
    window.open_paths([case])
    window.assess_menu.automatic_intervals_action.setChecked(False)
    settled(window.jobs)
    session = window.session
    session.requirements.put(Requirement("Few", "pi_link", 0.9, detail=RequirementDetail(people=2)))
    settled(window.jobs)
    assert session.requirements.lacks_bounds
    window.assess_menu.automatic_intervals_action.setChecked(True)
    count = session.undo_stack.count()
    qtbot.waitUntil(lambda: not session.requirements.lacks_bounds, timeout=60_000)

    assert not any(one.is_awaited for one in session.requirements.verdicts)
    assert session.undo_stack.count() == count
