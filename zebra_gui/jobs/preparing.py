"""Making what takes long to make in the thread of the window: piece by piece, while the first job works."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import suppress

from PySide6.QtCore import QObject, Qt, QTimer, Signal

from zebra_core.errors import Cancelled
from zebra_gui.jobs.jobs import Watch, Work

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
