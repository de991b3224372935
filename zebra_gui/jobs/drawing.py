"""Pictures and pages, made beside the other jobs: they must not wait until files are assessed."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject

from zebra_gui.jobs.jobs import Job, Jobs, Watch


class DrawingQueues(QObject):
    """Two queues of their own: pages take longer than pictures."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._pictures = Jobs(self)
        self._pages = Jobs(self)

    @property
    def is_busy(self) -> bool:
        """Whether something is being made that is wanted."""
        return bool(self._pictures.wanted or self._pages.wanted)

    @property
    def queues(self) -> tuple[Jobs, Jobs]:
        """The queue of the pictures and the queue of the pages."""
        return self._pictures, self._pages

    def draw(self, make: Callable[[], object], supersedes: str) -> Job:
        """Make a figure that takes its time; the newest of `supersedes` is wanted."""
        return self._pictures.start("", lambda _on_progress: make(), supersedes=supersedes)

    def lay_out(self, make: Callable[[Watch], object]) -> Job:
        """Make the pages of a report; only the newest are wanted, and they do not wait for any others."""
        self._pages.drop_all()
        return self._pages.start("", make)

    def drop_all(self) -> None:
        """Drop everything that is being drawn."""
        for queue in self.queues:
            queue.drop_all()
