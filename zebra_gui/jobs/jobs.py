"""Work off the UI thread: queued, watched, cancelled, and every ending told by a signal."""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from enum import Enum, IntEnum, auto
from functools import partial
from itertools import count
from typing import TypeVarTuple

from PySide6.QtCore import QObject, Qt, QThreadPool, QTimer, Signal

from zebra_core.errors import Cancelled

PARTIAL_EVERY_S = 0.1  # seconds between two of them: the eye needs no more
_HEARTBEAT_S = 0.05  # between two looks at whether work that gives way may go on, or was stopped

Given = TypeVarTuple("Given")


Report = Callable[["_Event", object], None]
"""Tells the thread of the window what has happened."""


class Watch:
    """How work in another thread is watched: called with the share that is done, given what there is so far.

    A core function takes it for its `on_progress`.
    """

    def __init__(self, job: Job, report: Report, may_go_on: threading.Event) -> None:
        self.report = report
        self._job = job
        self._may_go_on = may_go_on
        self._percent = -1
        self._partial_given_at = -math.inf

    def __call__(self, share_done: float) -> None:
        """Report the share of the work that is done, 0 … 1; raises Cancelled to stop it."""
        if self._job.is_cancelled:
            raise Cancelled
        percent = int(100.0 * share_done)
        if percent != self._percent:  # the eye needs no more, and the UI thread has other things to do
            self._percent = percent
            self.report(_Event.PROGRESSED, share_done)

    def give_way(self) -> None:
        """Wait while something more urgent is under way; raises Cancelled where it is stopped meanwhile.

        Call it only where nothing is held that others may need: a lock, say.
        """
        while not self._may_go_on.wait(_HEARTBEAT_S):
            if self._job.is_cancelled:
                raise Cancelled

    def give_partial(self, so_far: object, *, is_last: bool = False) -> None:
        """Show what there is so far; most of what is given in haste is lost, but never what is last."""
        if is_last or time.monotonic() - self._partial_given_at >= PARTIAL_EVERY_S:
            self._partial_given_at = time.monotonic()
            self.report(_Event.PARTIAL, so_far)


Work = Callable[[Watch], object]
"""What a job does, in another thread: told who watches it, it returns the result or raises."""


class Urgency(IntEnum):
    """Which of the jobs that wait in a queue comes first; of the same urgency the one started first."""

    LATER = 0  # nobody looks at what it is for
    SEEN = 1  # something on the screen waits for it
    ASKED = 2  # the user has asked for it


class Job(QObject):
    """One piece of work under way, which ends with exactly one of `done`, `failed` and `cancelled`.

    Signals:
        progressed: the share of the work that is done, 0 … 1.
        got_partial: what there is so far, where the work gives it.
        done: the result.
        failed: the exception.
        cancelled: the user, or a newer question, stopped it.
    """

    progressed = Signal(float)
    got_partial = Signal(object)
    done = Signal(object)
    failed = Signal(object)
    cancelled = Signal()

    def __init__(self, name: str, work: Work, parent: QObject) -> None:
        super().__init__(parent)
        self.name = name
        self.work = work  # let go of in this thread, for it may hold what no other thread may throw away
        self.share_done = 0.0
        self.keeps_partial = False  # a result that comes although the user stopped it is wanted
        self.urgency = Urgency.ASKED  # may change until it is begun
        self.is_begun = False
        self.is_dropped = False  # what it was for is gone
        self._stop = threading.Event()

    def cancel(self) -> None:
        """Ask the work to stop; it does so when it next reports its progress."""
        self._stop.set()

    def drop(self) -> None:
        """Ask the work to stop; its result is no longer wanted, and it is no longer shown."""
        self.is_dropped, self.keeps_partial = True, False
        self.cancel()

    @property
    def is_cancelled(self) -> bool:
        """Whether it was asked to stop; its result, should one still come, is not wanted."""
        return self._stop.is_set()


class Jobs(QObject):
    """The queue: one job at a time, the most urgent first, else in the order they were started.

    What was dropped is not waited for: a job that does not stop at once goes on beside the next.

    Signals:
        changed: a job was started, progressed, was asked to stop, or ended.
    """

    changed = Signal()
    _reported = Signal(int, object, object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._lane = _Lane(self)
        self._left: list[_Lane] = []  # at work on what was dropped
        self._numbers = count()
        self._jobs: dict[int, Job] = {}
        self._may_go_on = threading.Event()
        self._may_go_on.set()
        self._before: tuple[Jobs, ...] = ()
        self._latest: dict[str, Job] = {}
        # Queued: whatever a worker reports is dealt with in this thread.
        self._reported.connect(self._on_reported, Qt.ConnectionType.QueuedConnection)

    @property
    def waiting(self) -> tuple[Job, ...]:
        """The jobs that have not ended, in the order of their starts."""
        return tuple(self._jobs.values())

    @property
    def wanted(self) -> tuple[Job, ...]:
        """The jobs whose results are wanted, in the order of their turn: the first is being worked on."""
        wanted = (job for job in self.waiting if not job.is_dropped)
        return tuple(sorted(wanted, key=lambda job: (not job.is_begun, -job.urgency)))

    def start(
        self,
        name: str,
        work: Callable[[*Given, Watch], object],
        *given: *Given,
        supersedes: str | None = None,
        keeps_partial: bool = False,
        urgency: Urgency = Urgency.ASKED,
    ) -> Job:
        """Queue work with what it is given. An earlier job of the same `supersedes` is stopped, its answer
        dropped.

        With `keeps_partial` work that returns something when the user stops it is done, not cancelled: what
        it has drawn so far, or has written all the same.
        """
        number, job = next(self._numbers), Job(name, lambda watch: work(*given, watch), self)
        job.keeps_partial, job.urgency = keeps_partial, urgency
        self._jobs[number] = job
        if supersedes is not None:
            if earlier := self._latest.get(supersedes):
                earlier.keeps_partial = False
                earlier.cancel()
            self._latest[supersedes] = job
        self._lane.put(job, Watch(job, partial(self._reported.emit, number), self._may_go_on))
        self.changed.emit()
        return job

    def give_way_to(self, *others: Jobs) -> None:
        """Let work of this queue that gives way wait for as long as any of the other queues has work."""
        self._before = others
        for other in others:
            other.changed.connect(self._on_others_changed)
        self._on_others_changed()

    def cancel_all(self) -> None:
        """Stop the job under way and those that wait."""
        for job in self.waiting:
            job.cancel()
        self.changed.emit()

    def drop(self, jobs: Iterable[Job]) -> None:
        """Drop these: what comes after them begins at once."""
        for job in jobs:
            job.drop()
        self._left = [lane for lane in self._left if not lane.finish(0)]
        if any(job.is_dropped and job.is_begun for job in self.waiting):
            left, self._lane = self._lane, _Lane(self)
            self._left.append(left)
            left.hand_over(self._lane)
        self.changed.emit()

    def drop_all(self) -> None:
        """Drop the job under way and those that wait."""
        self.drop(self.waiting)

    def finish(self, most_ms: int = -1) -> bool:
        """Wait until everything is done, at most so long; what came of it is told later. Whether it is."""
        until = time.monotonic() + most_ms / 1000.0
        return all(
            lane.finish(-1 if most_ms < 0 else max(0, round(1000.0 * (until - time.monotonic()))))
            for lane in (*self._left, self._lane)
        )

    def shut_down(self) -> None:
        """Stop everything and wait until no thread is left."""
        self.cancel_all()
        self.finish()

    def _on_others_changed(self) -> None:
        if any(other.wanted for other in self._before):
            self._may_go_on.clear()
        else:
            self._may_go_on.set()

    def _on_reported(self, number: int, event: _Event, value: object) -> None:
        job = self._jobs.get(number)
        if job is None:
            return  # it has ended already
        if event is _Event.PROGRESSED:
            job.share_done = float(value)  # type: ignore[arg-type]
            job.progressed.emit(job.share_done)
        elif event is _Event.PARTIAL:
            job.got_partial.emit(value)
            return
        else:
            self._end(number, job, event, value)
        self.changed.emit()

    def _end(self, number: int, job: Job, event: _Event, value: object) -> None:
        del self._jobs[number]
        job.work = _nothing  # its runner, which holds the job, is thrown away in the other thread
        self._latest = {subject: latest for subject, latest in self._latest.items() if latest is not job}
        dropped = job.is_cancelled and not (job.keeps_partial and event is _Event.DONE)
        if dropped or event is _Event.CANCELLED:
            job.cancelled.emit()
        elif event is _Event.DONE:
            job.done.emit(value)
        else:
            job.failed.emit(value)
        job.deleteLater()


class _Lane(QObject):
    """A thread, and the jobs that wait for it."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._pool = QThreadPool(self)
        self._pool.setMaxThreadCount(1)
        self._unbegun: list[tuple[Job, Watch]] = []
        self._choosing = threading.Lock()

    def put(self, job: Job, watch: Watch) -> None:
        """Let this job wait here."""
        with self._choosing:
            self._unbegun.append((job, watch))
        # Not a QRunnable: the pool would keep it as long as the window is there.
        self._pool.start(self._run_next)

    def hand_over(self, other: _Lane) -> None:
        """Hand over the jobs that have not begun to another lane."""
        with self._choosing:
            unbegun, self._unbegun = self._unbegun, []
        for job, watch in unbegun:
            other.put(job, watch)

    def finish(self, most_ms: int) -> bool:
        """Wait until nothing is left to do, at most so long (−1: as long as it takes); whether it is done."""
        return self._pool.waitForDone(most_ms)

    def _run_next(self) -> None:
        """Do the most urgent job that is left, in the thread."""
        with self._choosing:
            if not self._unbegun:
                return  # another one does it
            job, watch = max(self._unbegun, key=lambda one: one[0].urgency)  # the first of the most urgent
            self._unbegun.remove((job, watch))
            job.is_begun = True
        _run(job, watch)


class _Event(Enum):
    PROGRESSED = auto()
    PARTIAL = auto()
    DONE = auto()
    FAILED = auto()
    CANCELLED = auto()


def _nothing(*_to: object) -> None:
    """The work of a job that has ended."""


def _run(job: Job, watch: Watch) -> None:
    """Do the work of a job, in a thread of the pool."""
    report = watch.report
    try:
        watch(0.0)
        result = job.work(watch)
    except Cancelled:
        report(_Event.CANCELLED, None)
    except Exception as error:  # noqa: BLE001 - whoever started the job deals with it
        report(_Event.FAILED, error)
    except BaseException as error:  # noqa: BLE001 - as if it asked the program to end: the job must not hang
        died = RuntimeError(f"the worker ended by {type(error).__name__}")
        died.__cause__ = error
        report(_Event.FAILED, died)
    else:
        report(_Event.DONE, result)


# Making what takes long to make in the thread of the window: piece by piece, while the first job works.


_HEARTBEAT = 0.02  # seconds between two looks at whether the user has stopped the job


class StepwiseWork(QObject):
    """Takes one step in each turn of the event loop, so that the window answers between two.

    The first job begins it, as soon as it has imported what the steps need, and hands in its result when
    all is made: otherwise everything left would be made in one go, and the window would stand still.

    Signals:
        done: everything is made.
    """

    done = Signal()
    _wanted = Signal()

    def __init__(
        self, import_all: Callable[[], None], make: Callable[[], Iterator[None]], parent: QObject
    ) -> None:
        super().__init__(parent)
        self._import_all = import_all
        self._make = make
        self._steps: Iterator[None] | None = None
        self._is_made = threading.Event()
        self._turns = QTimer(self)
        self._turns.setInterval(0)
        self._turns.timeout.connect(self._step)
        self._wanted.connect(self._begin, Qt.ConnectionType.QueuedConnection)  # from the thread of a job

    @property
    def is_done(self) -> bool:
        """Whether everything is made."""
        return self._is_made.is_set()

    def during(self, work: Work) -> Work:
        """The given work, extended: everything is made while it runs, and its result comes only then."""

        def work_and_wait(watch: Watch) -> object:
            if not self.is_done:
                self._import_all()
                self._wanted.emit()
            result = work(watch)
            with suppress(Cancelled):  # whoever stops the work now may still want what came of it
                while not self._is_made.wait(_HEARTBEAT):
                    watch(1.0)
            return result

        return work_and_wait

    def finish(self) -> None:
        """Make at once whatever is not made yet."""
        self._begin()
        while not self.is_done:
            self._step()

    def _begin(self) -> None:
        if self._steps is None:
            self._steps = self._make()
            self._turns.start()

    def _step(self) -> None:
        assert self._steps is not None  # noqa: S101 - the timer runs only after it has begun
        is_last = True
        try:
            next(self._steps)
            is_last = False
        except StopIteration:
            pass
        finally:  # a fault must not keep the jobs waiting
            if is_last:
                self._turns.stop()
                self._is_made.set()
                self.done.emit()
