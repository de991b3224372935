"""The answers of the open project: looked for by a job when a pane asks, first without people, then with."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal

from zebra_gui import core_types as core
from zebra_gui.jobs.jobs import Job, Urgency
from zebra_gui.session import work
from zebra_gui.session.open_project import OpenProject


class Conclusions(QObject):
    """The answer for each safeguard of the open project, as far as it is worked out.

    Signals:
        found: there are other answers, or none.
    """

    found = Signal()

    def __init__(self, project: OpenProject) -> None:
        super().__init__(project)
        self._open = project
        self._rest_on: core.Project | None = None
        self._job: Job | None = None
        self._known: core.ProjectAnswer | None = None
        project.left.connect(self._forget)

    @property
    def known(self) -> core.ProjectAnswer | None:
        """What is known, perhaps of the project as it was a moment ago; None where nothing is."""
        return self._known

    @property
    def sentence(self) -> str:
        """The answer in a sentence; empty unless it is known of the project as it is."""
        return self._known.sentence if self._known and self._open.project is self._rest_on else ""

    @property
    def is_looking(self) -> bool:
        """Whether people are still being looked at."""
        return self._job is not None

    def look(self) -> None:
        """Look for the answers of the project as it is, unless that was done.

        While some are looked for, those of a project that has changed come after them: intervals change it
        one by one.
        """
        project = self._open.project
        if project is self._rest_on or self._job is not None:
            return
        self._rest_on = project
        if project is None:
            self._forget()
            return
        name = self.tr("Looking for the answer")
        job = self._job = self._open.start_work(
            name, work.conclude, project, is_reported=False, supersedes="answer", urgency=Urgency.SEEN
        )
        job.got_partial.connect(lambda found: self._take(job, found))
        job.done.connect(lambda found: self._end(job, found))
        job.failed.connect(lambda error: self._fail(job, error))
        job.cancelled.connect(lambda: self._end(job, self._known))

    def _take(self, job: Job, found: core.ProjectAnswer | None) -> None:
        """What is known without people, unless answers are there already, which say more."""
        if job is self._job and self._known is None:
            self._known = found
            self.found.emit()

    def _end(self, job: Job, found: core.ProjectAnswer | None) -> None:
        if job is self._job:
            self._job, self._known = None, found
            self.found.emit()
            self.look()

    def _fail(self, job: Job, error: Exception) -> None:
        if job is self._job:
            self._open.report_failure(error)
            self._end(job, self._known)

    def _forget(self) -> None:
        self._rest_on, self._job, self._known = self._open.project, None, None
        self.found.emit()
