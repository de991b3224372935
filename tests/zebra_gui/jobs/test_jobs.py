"""Jobs: every ending is told once, in the UI thread, and nothing is left running."""

import gc
import threading
import time
import weakref

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QObject

from zebra_core.errors import Cancelled, InputError
from zebra_core.runtime import memory
from zebra_core.runtime.progress import no_progress
from zebra_gui.jobs.jobs import Jobs, StepwiseWork, Urgency, _Event
from zebra_gui.settings import settings


def endings_of(job):
    """What the job told, in order: a list that grows."""
    told = []
    job.done.connect(lambda result: told.append(("done", result, threading.current_thread())))
    job.failed.connect(lambda error: told.append(("failed", error, threading.current_thread())))
    job.cancelled.connect(lambda: told.append(("cancelled", None, threading.current_thread())))
    return told


def blocked(gate, started=None):
    """Work that waits for the gate, and then reports its progress."""

    def work(on_progress):
        if started:
            started.set()
        assert gate.wait(10)
        on_progress(0.5)
        return "finished"

    return work


def test_a_result_is_told_in_the_ui_thread(jobs, settled):
    told = endings_of(jobs.start("sum", lambda _: 1 + 1))
    settled(jobs)

    assert told == [("done", 2, threading.main_thread())]


def test_work_runs_in_another_thread(jobs, settled):
    told = endings_of(jobs.start("who", lambda _: threading.current_thread()))
    settled(jobs)

    assert told[0][1] is not threading.main_thread()


@pytest.mark.parametrize("error", [InputError("empty", file="x"), ZeroDivisionError(), MemoryError()])
def test_a_failure_carries_the_exception_itself(jobs, settled, error):
    def work(on_progress):
        raise error

    told = endings_of(jobs.start("fail", work))
    settled(jobs)

    assert told == [("failed", error, threading.main_thread())]


def test_work_for_which_there_is_no_memory_fails_and_the_program_goes_on(jobs, settled):
    told = endings_of(jobs.start("greedy", lambda _: memory.require(1 << 62)))
    settled(jobs)

    [(how, error, _)] = told
    assert (how, type(error)) == ("failed", MemoryError)


def test_a_failure_does_not_stop_the_next_job(jobs, settled):
    jobs.start("fail", lambda _: 1 / 0)
    told = endings_of(jobs.start("go on", lambda _: "well"))
    settled(jobs)

    assert [ending[:2] for ending in told] == [("done", "well")]


def test_cancel_stops_work_when_it_reports_its_progress(jobs, settled):
    gate, started = threading.Event(), threading.Event()
    job = jobs.start("long", blocked(gate, started))
    told = endings_of(job)
    assert started.wait(10)

    jobs.cancel_all()
    gate.set()
    settled(jobs)

    assert [ending[0] for ending in told] == ["cancelled"]


def test_a_result_that_comes_after_cancel_is_not_wanted(jobs, settled):
    gate, started = threading.Event(), threading.Event()

    def work(on_progress):
        started.set()
        return gate.wait(10)  # never looks whether it should stop

    job = jobs.start("deaf", work)
    told = endings_of(job)
    assert started.wait(10)
    job.cancel()
    gate.set()
    settled(jobs)

    assert [ending[0] for ending in told] == ["cancelled"]


def test_queued_jobs_wait_their_turn_and_are_cancelled_unstarted(jobs, settled):
    gate, ran = threading.Event(), []
    jobs.start("first", blocked(gate))
    second = jobs.start("second", lambda _: ran.append("second"))
    told = endings_of(second)
    assert [job.name for job in jobs.waiting] == ["first", "second"]

    jobs.cancel_all()
    gate.set()
    settled(jobs)

    assert ran == []
    assert [ending[0] for ending in told] == ["cancelled"]


def test_the_latest_question_wins(jobs, settled):
    gate = threading.Event()
    earlier = endings_of(jobs.start("earlier", blocked(gate), supersedes="question"))
    later = endings_of(jobs.start("later", lambda _: "answer", supersedes="question"))
    gate.set()
    settled(jobs)

    assert [ending[0] for ending in earlier] == ["cancelled"]
    assert [ending[:2] for ending in later] == [("done", "answer")]


def test_an_answer_to_a_question_that_has_ended_is_dropped(jobs, settled):
    told = endings_of(jobs.start("once", lambda _: "first"))
    settled(jobs)

    jobs._on_reported(0, _Event.DONE, "again")

    assert [ending[:2] for ending in told] == [("done", "first")]


def test_progress_is_told_but_not_more_often_than_the_eye_needs(jobs, settled):
    def work(on_progress):
        for step in range(10_000):
            on_progress(step / 10_000)

    shares = []
    jobs.start("steps", work).progressed.connect(shares.append)
    settled(jobs)

    assert shares == sorted(shares)
    assert len(shares) == 100


def test_shutting_down_leaves_no_thread(jobs):
    before = threading.active_count()
    gate, started = threading.Event(), threading.Event()
    jobs.start("long", blocked(gate, started))
    jobs.start("queued", lambda _: None)
    assert started.wait(10)
    gate.set()

    jobs.shut_down()

    assert jobs.finish(0)
    assert threading.active_count() <= before + 1  # a dummy that Python keeps for the pool's thread


def test_work_that_keeps_what_there_is_is_done_though_it_was_stopped(jobs, settled):
    ended = []
    begun = threading.Event()

    def work(on_progress):
        begun.set()
        try:
            while True:
                on_progress(0.5)
        except Cancelled:
            return "half"

    job = jobs.start("", work, keeps_partial=True)
    job.done.connect(ended.append)
    begun.wait(5)
    jobs.cancel_all()
    settled(jobs)
    assert ended == ["half"]


def test_a_newer_question_drops_what_an_older_one_would_keep(jobs, settled):
    ended = []

    def work(on_progress):
        try:
            while True:
                on_progress(0.5)
        except Cancelled:
            return "old"

    older = jobs.start("", work, supersedes="it", keeps_partial=True)
    older.done.connect(ended.append)
    newer = jobs.start("", lambda _on_progress: "new", supersedes="it", keeps_partial=True)
    newer.done.connect(ended.append)
    settled(jobs)
    assert ended == ["new"]


def test_what_there_is_so_far_is_told_in_the_ui_thread_and_never_after_the_end(jobs, settled, monkeypatch):
    monkeypatch.setattr("zebra_gui.jobs.jobs.PARTIAL_EVERY_S", 0.0)

    def work(watch):
        watch.give_partial("one")
        watch.give_partial("two")
        return "all"

    job = jobs.start("count", work)
    told = endings_of(job)
    job.got_partial.connect(lambda so_far: told.append(("told", so_far, threading.current_thread())))
    settled(jobs)

    here = threading.main_thread()
    assert told == [("told", "one", here), ("told", "two", here), ("done", "all", here)]


def test_what_is_told_in_haste_is_lost_except_the_first(jobs, settled, monkeypatch):
    monkeypatch.setattr("zebra_gui.jobs.jobs.PARTIAL_EVERY_S", 3600.0)
    told = []
    job = jobs.start("count", lambda watch: [watch.give_partial(number) for number in range(100)])
    job.got_partial.connect(told.append)
    settled(jobs)

    assert told == [0]


def test_nothing_is_kept_of_jobs_that_have_ended(jobs, settled):
    made = []
    for work in (lambda _: "well", lambda _: 1 / 0) * 10:
        made.append(weakref.ref(jobs.start("quick", work)))
        settled(jobs)
    jobs.shut_down()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    gc.collect()

    assert [job() for job in made] == [None] * 20


def test_the_most_urgent_job_comes_first_and_urgency_may_change_until_it_is_begun(jobs, settled):
    order, gate, started = [], threading.Event(), threading.Event()
    jobs.start("under way", blocked(gate, started))
    assert started.wait(10)
    made = {
        name: jobs.start(name, lambda _watch, name=name: order.append(name), urgency=urgency)
        for name, urgency in (
            ("later", Urgency.LATER),
            ("seen", Urgency.SEEN),
            ("raised", Urgency.LATER),
            ("asked", Urgency.ASKED),
        )
    }
    made["raised"].urgency = Urgency.SEEN
    assert [job.name for job in jobs.wanted] == ["under way", "asked", "seen", "raised", "later"]
    gate.set()
    settled(jobs)

    assert order == ["asked", "seen", "raised", "later"]


def test_nothing_waits_for_what_was_dropped_and_nothing_is_told_of_it(qtbot, jobs, settled):
    gate, started = threading.Event(), threading.Event()
    dropped = endings_of(jobs.start("old", blocked(gate, started), keeps_partial=True))
    waiting = endings_of(jobs.start("old, too", lambda _: "dropped"))
    assert started.wait(10)
    jobs.drop_all()
    assert jobs.wanted == ()

    done = []
    jobs.start("new", lambda _: "new").done.connect(done.append)
    qtbot.wait(500)
    assert done == ["new"]

    gate.set()
    settled(jobs)
    assert [one for one, *_ in (*dropped, *waiting)] == ["cancelled", "cancelled"]


def test_what_waits_behind_a_job_that_is_dropped_alone_is_done_at_once(qtbot, jobs, settled):
    gate, started = threading.Event(), threading.Event()
    old = jobs.start("old", blocked(gate, started))
    done = []
    jobs.start("of another", lambda _: "kept").done.connect(done.append)
    assert started.wait(10)
    jobs.drop([old])
    qtbot.wait(500)
    assert done == ["kept"]
    gate.set()
    settled(jobs)


def test_work_that_gives_way_rests_while_there_is_something_to_do_elsewhere(qtbot, jobs, settled):
    others = Jobs()
    jobs.give_way_to(others)
    gate, steps = threading.Event(), []

    def steps_that_give_way(watch):
        for step in range(100):
            watch.give_way()
            steps.append(step)
            if step == 3:
                first.set()
            time.sleep(0.005)

    first = threading.Event()
    jobs.start("background", steps_that_give_way)
    assert first.wait(10)
    others.start("asked for", blocked(gate))
    qtbot.wait(100)
    before = len(steps)
    qtbot.wait(200)
    assert len(steps) == before < 100

    gate.set()
    settled(jobs)
    assert len(steps) == 100
    others.shut_down()


def test_work_that_rests_can_be_stopped(qtbot, jobs, settled):
    others = Jobs()
    jobs.give_way_to(others)
    gate = threading.Event()
    others.start("asked for", blocked(gate))
    told = endings_of(jobs.start("background", lambda watch: watch.give_way()))
    qtbot.wait(50)
    jobs.cancel_all()
    settled(jobs)
    assert [one for one, *_ in told] == ["cancelled"]
    gate.set()
    others.shut_down()


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
