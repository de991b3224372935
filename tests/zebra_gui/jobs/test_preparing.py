"""What takes long to make is made in small steps while the first job works, and its result waits for it."""

import threading

import pytest
from PySide6.QtCore import QObject

from zebra_core.errors import Cancelled
from zebra_core.runtime.progress import no_progress
from zebra_gui.jobs.preparing import StepwiseWork
from zebra_gui.settings import settings


@pytest.fixture
def made():
    """What was made, and in which thread, one for each step."""
    return []


@pytest.fixture
def preparing(qtbot, made):
    parent = QObject()

    def steps():
        for number in range(5):
            made.append((number, threading.current_thread()))
            yield

    preparing = StepwiseWork(lambda: None, steps, parent)
    yield preparing
    preparing.finish()
    parent.deleteLater()


def test_the_result_of_the_first_job_comes_when_everything_is_made(jobs, settled, preparing, made):
    found = []
    job = jobs.start("first", preparing.during(lambda _: "result"))
    job.done.connect(lambda result: found.append((result, len(made), preparing.is_done)))
    settled(jobs)

    assert found == [("result", 5, True)]
    assert {thread for _number, thread in made} == {threading.main_thread()}


def test_between_two_steps_the_window_answers(qtbot, jobs, settled, preparing, made):
    """Each turn of the event loop takes one step only, so that whatever else waits there comes in between."""
    seen = []
    preparing._turns.timeout.connect(lambda: seen.append(len(made)))
    jobs.start("first", preparing.during(lambda _: None))
    settled(jobs)

    assert seen == [1, 2, 3, 4, 5, 5]


def test_nothing_is_made_before_a_job_wants_it(qtbot, preparing, made):
    qtbot.wait(10)

    assert made == []
    assert not preparing.is_done


def test_it_is_made_once(jobs, settled, preparing, made):
    told = []
    preparing.done.connect(lambda: told.append("done"))
    for _ in range(2):
        jobs.start("again", preparing.during(lambda _: None))
    settled(jobs)

    assert [number for number, _thread in made] == [0, 1, 2, 3, 4]
    assert told == ["done"]


def test_what_is_wanted_at_once_is_made_at_once(preparing, made):
    preparing.finish()

    assert len(made) == 5
    assert preparing.is_done
    assert preparing.during(lambda _: "soon")(no_progress) == "soon"


def test_a_job_that_is_stopped_while_it_waits_hands_in_what_it_has(preparing):
    def stopped(_share):
        raise Cancelled

    found = []
    work = preparing.during(lambda _: "partial")
    thread = threading.Thread(target=lambda: found.append(work(stopped)))
    thread.start()
    thread.join(10)  # this thread answers no events, and yet it ends

    assert found == ["partial"]


def test_a_fault_in_a_step_does_not_keep_the_jobs_waiting(qtbot, jobs, settled):
    parent = QObject()

    def steps():
        yield
        raise ZeroDivisionError

    preparing = StepwiseWork(lambda: None, steps, parent)
    done = []
    job = jobs.start("first", preparing.during(lambda _: "result"))
    job.done.connect(done.append)
    with qtbot.captureExceptions() as caught:
        settled(jobs)

    assert done == ["result"]
    assert [kind for kind, _value, _trace in caught] == [ZeroDivisionError]
    parent.deleteLater()


def test_the_panes_are_made_while_the_first_job_works(window, settled, monkeypatch):
    """No more than one in each turn of the event loop; and the project comes when all are there."""
    steps = []
    begun = StepwiseWork._step
    monkeypatch.setattr(StepwiseWork, "_step", lambda self: (steps.append(window.jobs.waiting), begun(self)))
    finished = []
    monkeypatch.setattr(StepwiseWork, "finish", lambda _self: finished.append("in one go"))
    window.documents.open_demo()
    settled(window.jobs)

    assert window.session.entries
    assert window.workspace is not None
    assert finished == []
    assert len(steps) >= len(window.workspace.topics)
    assert all(steps)  # the job was there at each of them
    assert window.workspace.window() is window  # and not a window of its own
    assert window.workspace.front_pane.isVisibleTo(window)


def test_a_project_that_is_there_at_once_is_shown_at_once(window, demo):
    window.session.open_project(demo)

    assert window.workspace is not None
    assert len(window.workspace.topics) == 14
    assert window.preparing.is_done


def test_a_workspace_that_nobody_has_seen_leaves_the_layout_as_it_was(window, demo):
    window.preparing.finish()
    window.workspace.save_layout()
    assert settings().value("layout") is None

    window.session.open_project(demo)
    window.workspace.save_layout()
    assert settings().value("layout") is not None
