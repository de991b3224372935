"""Intervals that are there without anybody having asked: when they come, and what they leave alone."""

import gc
import weakref
from threading import Event

import pytest

from zebra_core.project.requirements.requirement import Requirement, RequirementDetail
from zebra_core.saved.project_file import open_project
from zebra_gui.settings import settings


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
    fewer_draws("zebra_core.project.comparison.intervals.trust_of", 20)


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
    fewer_draws("zebra_core.project.comparison.intervals.trust_of", 100)
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
    monkeypatch.setattr("zebra_gui.session.automatic_intervals.MOST_TRIALS", 9_000)
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
