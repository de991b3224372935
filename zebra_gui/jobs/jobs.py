"""Work off the UI thread: queued, watched, cancelled, and every ending told by a signal."""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable
from enum import Enum, auto
from functools import partial
from itertools import count
from typing import TypeVarTuple

from PySide6.QtCore import QObject, Qt, QThreadPool, Signal

from zebra_core.errors import Cancelled

PARTIAL_EVERY_S = 0.1  # seconds between two of them: the eye needs no more

Given = TypeVarTuple("Given")


class Watch:
    """How work in another thread is watched: called with the share that is done, given what there is so far.

    A core function takes it for its `on_progress`.
    """

    def __init__(self, job: Job, report: Callable[[_Event, object], None]) -> None:
        self._job = job
        self._report = report
        self._percent = -1
        self._partial_given_at = -math.inf

    def __call__(self, share_done: float) -> None:
        """Report the share of the work that is done, 0 … 1; raises Cancelled to stop it."""
        if self._job.is_cancelled:
            raise Cancelled
        percent = int(100.0 * share_done)
        if percent != self._percent:  # the eye needs no more, and the UI thread has other things to do
            self._percent = percent
            self._report(_Event.PROGRESSED, share_done)

    def give_partial(self, so_far: object) -> None:
        """Show what there is so far; most of what is given in haste is lost."""
        if time.monotonic() - self._partial_given_at >= PARTIAL_EVERY_S:
            self._partial_given_at = time.monotonic()
            self._report(_Event.PARTIAL, so_far)


Work = Callable[[Watch], object]
"""What a job does, in another thread: told who watches it, it returns the result or raises."""


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
        self._stop = threading.Event()

    def cancel(self) -> None:
        """Ask the work to stop; it does so when it next reports its progress."""
        self._stop.set()

    @property
    def is_cancelled(self) -> bool:
        """Whether it was asked to stop; its result, should one still come, is not wanted."""
        return self._stop.is_set()


class Jobs(QObject):
    """The queue: one job at a time, in the order they were started.

    Signals:
        changed: a job was started, progressed, was asked to stop, or ended.
    """

    changed = Signal()
    _reported = Signal(int, object, object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._pool = QThreadPool(self)
        self._pool.setMaxThreadCount(1)
        self._numbers = count()
        self._jobs: dict[int, Job] = {}
        self._latest: dict[str, Job] = {}
        # Queued: whatever a worker reports is dealt with in this thread.
        self._reported.connect(self._on_reported, Qt.ConnectionType.QueuedConnection)

    @property
    def waiting(self) -> tuple[Job, ...]:
        """The jobs that have not ended; the first is being worked on."""
        return tuple(self._jobs.values())

    def start(
        self,
        name: str,
        work: Callable[[*Given, Watch], object],
        *given: *Given,
        supersedes: str | None = None,
        keeps_partial: bool = False,
    ) -> Job:
        """Queue work with what it is given. An earlier job of the same `supersedes` is stopped, its answer
        dropped.

        With `keeps_partial` work that returns something when the user stops it is done, not cancelled: what
        it has drawn so far, or has written all the same.
        """
        number, job = next(self._numbers), Job(name, lambda watch: work(*given, watch), self)
        job.keeps_partial = keeps_partial
        self._jobs[number] = job
        if supersedes is not None:
            if earlier := self._latest.get(supersedes):
                earlier.keeps_partial = False
                earlier.cancel()
            self._latest[supersedes] = job
        # Not a QRunnable: the pool would keep it, and with it the job, as long as the window is there.
        self._pool.start(partial(_run, job, partial(self._reported.emit, number)))
        self.changed.emit()
        return job

    def cancel_all(self) -> None:
        """Stop the job under way and those that wait."""
        for job in self.waiting:
            job.cancel()
        self.changed.emit()

    def finish(self) -> None:
        """Wait until everything is done; what came of it is told later."""
        self._pool.waitForDone()

    def shut_down(self) -> None:
        """Stop everything and wait until no thread is left."""
        self.cancel_all()
        self._pool.waitForDone()

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


class _Event(Enum):
    PROGRESSED = auto()
    PARTIAL = auto()
    DONE = auto()
    FAILED = auto()
    CANCELLED = auto()


def _nothing(*_to: object) -> None:
    """The work of a job that has ended."""


def _run(job: Job, report: Callable[[_Event, object], None]) -> None:
    """Do the work of a job, in a thread of the pool."""
    watch = Watch(job, report)
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
