"""How sure figures are, worked out as soon as they are there, beside everything that is asked for."""

from __future__ import annotations

from PySide6.QtCore import QObject

from zebra_core.wording.texts import visible
from zebra_gui import core_types as core
from zebra_gui.jobs.jobs import Job, Jobs
from zebra_gui.session import work
from zebra_gui.session.changes import ids_to_come_back
from zebra_gui.session.session import Session
from zebra_gui.settings import settings

MOST_TRIALS = 100_000
"""More than these take minutes: somebody must ask."""

INTERVALS_AT_ONCE = "intervals_at_once"


class AutomaticIntervals(QObject):
    """One item after the other, the selected one first, while nothing else is being worked on: what has been
    begun rests while the user waits for something, be it a picture.

    What comes of it follows from the project and is not a change of the user's: it is not undone, need not be
    saved, and is there again when a change of the user's is undone.
    """

    def __init__(self, session: Session, asked_for: Jobs, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._asked_for = asked_for
        self.jobs = Jobs(self)  # a queue of its own, for nothing that is asked for may wait behind it
        self.jobs.give_way_to(asked_for, *session.drawing.queues)
        self._found: dict[str, core.Trust] = {}  # by id
        self._tried: dict[str, object] = {}  # by id, the figures it was tried for
        self._is_over = False
        self._judged: object = None  # requirements and figures for which bounds were tried
        session.requirements.decided.connect(self._go_on)
        session.left.connect(self._on_left)
        session.project_changed.connect(self._on_project_changed)
        asked_for.changed.connect(self._go_on)

    @property
    def is_on(self) -> bool:
        """Whether the user wants it; at first it is on."""
        return bool(settings().value(INTERVALS_AT_ONCE, True, bool))

    def switch(self, on: bool) -> None:
        """Do it from now on, or no longer; the next start remembers."""
        settings().setValue(INTERVALS_AT_ONCE, on)
        if on:
            self._go_on()
        else:
            self.jobs.cancel_all()

    def cancel(self) -> None:
        """Leave out what is not there yet; it can be asked for."""
        self._tried.update((item.id, item.figures) for item in self._session.items)
        self.jobs.cancel_all()
        self._session.intervals.stopped.emit()

    def stop(self) -> None:
        """Begin with nothing more."""
        self._is_over = True
        self.jobs.drop_all()

    def _on_left(self) -> None:
        self._found.clear()
        self._tried.clear()
        self.jobs.drop_all()

    def _on_project_changed(self) -> None:
        self._session.supplement(self._found)
        self._go_on()

    def _go_on(self, _ended: object = None) -> None:
        if self._is_over or self.jobs.wanted or self._asked_for.wanted or not self.is_on:
            return
        first = self._session.selected_item
        items = (first, *self._session.items) if first else self._session.items
        if (item := next(filter(self._is_wanted, items), None)) is not None:
            self._tried[item.id] = item.figures
            name = self.tr("How sure is {name}?").format(name=visible(item.full_name))
            job = self.jobs.start(name, work.measure_trust, (item,))
            self._watch(job)
            self._session.intervals.follow(job, item)
        elif self._session.requirements.lacks_bounds:
            self._judge()

    def _judge(self) -> None:
        """Let verdicts follow intervals, once for the same requirements of the same figures."""
        session, project = self._session, self._session.project
        tried = session.requirements.asked, tuple(item.figures for item in session.items)
        if (
            project is not None
            and tried != self._judged
            and not any(map(session.counting_again.offer, session.items))
        ):
            self._judged = tried
            name = self.tr("Drawing the speakers for the verdicts")
            job = self.jobs.start(name, work.with_bounds, project, session.requirements.asked, None)
            job.done.connect(self._on_judged)
            job.failed.connect(session.report_failure)
            for ended in (job.done, job.failed, job.cancelled):
                ended.connect(self._go_on)

    def _on_judged(self, found: tuple[core.Project, tuple[str, ...]]) -> None:
        trust = {item.id: item.trust for item in found[0].items if item.trust is not None}
        self._found.update(trust)
        self._session.supplement(trust, has_bounds=True)

    def _watch(self, job: Job) -> None:
        job.done.connect(self._on_measured)
        job.failed.connect(self._session.report_failure)
        for ended in (job.done, job.failed, job.cancelled):
            ended.connect(self._go_on)

    def _is_wanted(self, item: core.Item) -> bool:
        return (
            item.lacks_intervals
            and self._tried.get(item.id) is not item.figures
            and item.n_trials <= MOST_TRIALS
            and item.is_as_read
            and not self._session.counting_again.offer(item)
        )

    def _on_measured(self, measured: core.MeasuredItems) -> None:
        """What cannot be said of these figures, the user is told when it is asked for."""
        self._found.update(measured.trust)
        self._session.supplement(measured.trust)
        self._forget_what_is_gone()

    def _forget_what_is_gone(self) -> None:
        """What comes back neither by undoing nor by doing again; it would stay as long as the window."""
        ids = {item.id for item in self._session.items} | ids_to_come_back(self._session.undo_stack)
        for known in (self._found, self._tried):
            for gone in known.keys() - ids:
                del known[gone]
