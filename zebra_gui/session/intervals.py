"""How sure figures are, asked for by the user: one job for any number of entries, which keeps what it has."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

from PySide6.QtCore import QObject, Signal

from zebra_core.wording.texts import visible
from zebra_gui import core_types as core
from zebra_gui.jobs.jobs import Job
from zebra_gui.session import work
from zebra_gui.session.open_project import OpenProject


class Intervals(QObject):
    """Starts the job, and gives the project what came of it; stopped, it keeps the replicates there are.

    Signals:
        asked: somebody asked how sure assessments are.
        stopped: the user wanted no more of them, and they may not all be there.
        advanced: there is more of what is being measured, or it has begun or ended.
    """

    asked = Signal()
    advanced = Signal()
    stopped = Signal()

    def __init__(self, project: OpenProject, counting_again: RecountConsent) -> None:
        super().__init__(project)
        self._open = project
        self._counting_again = counting_again
        self._measuring: Job | None = None
        self._is_asked = False
        self._so_far: core.Entry | None = None
        self._settling: Job | None = None
        project.left.connect(self._forget)

    @property
    def is_measuring(self) -> bool:
        """Whether speakers of an assessment are being drawn."""
        return self._measuring is not None

    @property
    def is_asked(self) -> bool:
        """Whether somebody asked for that, and waits."""
        return self._is_asked

    @property
    def is_settling(self) -> bool:
        """Whether safeguards are being compared."""
        return self._settling is not None

    @property
    def so_far(self) -> core.Entry | None:
        """The assessment that is being measured, with the intervals of the draws so far."""
        return self._so_far

    def stop(self) -> None:
        """Draw no further; what there is stays."""
        if self._measuring is not None:
            self._measuring.keeps_partial = True
            self._measuring.cancel()

    def follow(self, job: Job, *items: core.Item, is_asked: bool = False) -> None:
        """Tell what this job measures, as it goes on; what was asked for goes before what was not."""
        has_assessments = bool({item.id for item in items} & {one.id for one in self._open.entries})
        if not has_assessments or (self._is_asked and not is_asked):
            return
        self._measuring, self._is_asked, self._so_far = job, is_asked, None
        job.got_partial.connect(partial(self._on_partial, job))
        for ended in (job.done, job.failed, job.cancelled):
            ended.connect(partial(self._on_ended, job))
        if is_asked:
            self.asked.emit()
        self.advanced.emit()

    def measure_selected(self) -> None:
        """Compute intervals and the limit of no disclosure for what is selected, be it matrices."""
        if (selected := self._open.selected_item) is not None:
            self.measure(selected)

    def measure_all(self) -> None:
        """Compute intervals and the limit of no disclosure for every item."""
        self.measure(*self._open.items)

    def measure(self, *items: core.Item) -> None:
        """Compute intervals for these items, once the user agrees to counting some of them again."""
        ids = {item.id for item in items}

        def later() -> None:
            self.measure(*(item for item in self._open.items if item.id in ids))

        if not items or not self._counting_again.is_agreed(items, later):
            return
        if len(items) == 1:
            name = self.tr("How sure is {name}?").format(name=visible(items[0].name))
        else:
            name = self.tr("How sure are all figures?")
        job = self._open.start_work(name, work.measure_trust, items, supersedes="trust", keeps_partial=True)
        job.done.connect(self._on_measured)
        for ended in (job.done, job.cancelled):
            ended.connect(partial(self._on_stopped, job))
        self.follow(job, *items, is_asked=True)

    def settle_differences(self) -> None:
        """Test in every group whether its members differ, and which of their ranks are settled."""
        items = self._open.items
        if self._open.project is not None and self._counting_again.is_agreed(items, self.settle_differences):
            name = self.tr("Are the differences real?")
            job = self._open.start_work(
                name, work.settle_differences, self._open.project, supersedes="settle", keeps_partial=True
            )
            job.done.connect(self._on_settled)
            for ended in (job.done, job.failed, job.cancelled):
                ended.connect(partial(self._on_settling_ended, job))
            self._settling = job
            self.advanced.emit()

    def _on_settling_ended(self, job: Job, *_result: object) -> None:
        if job is self._settling:
            self._settling = None
            self.advanced.emit()

    def _on_stopped(self, job: Job, *_result: object) -> None:
        is_last = self._measuring in (None, job)  # or a newer question has taken its place
        if job.is_cancelled and not job.is_dropped and is_last:
            self.stopped.emit()

    def _forget(self) -> None:
        self._measuring, self._is_asked, self._so_far = None, False, None
        if self._open.project is None:
            self._settling = None
        self.advanced.emit()

    def _on_partial(self, job: Job, so_far: core.Entry) -> None:
        if job is self._measuring:  # not of one that was superseded
            self._so_far = so_far
            self.advanced.emit()

    def _on_ended(self, job: Job, *_result: object) -> None:
        if job is self._measuring:
            self._forget()

    def _on_measured(self, measured: core.MeasuredItems) -> None:
        for fault in measured.faults:
            self._open.report_problem(fault)
        self._open.take_measured(measured.trust)

    def _on_settled(self, found: core.SettledGroups) -> None:
        project = self._open.project
        for fault in found.faults:
            self._open.report_problem(fault)
        if project is not None and found.settled:
            text = self.tr("test of the differences")
            self._open.change(text, replace(project, differences=found.settled))


# Trials that were only counted are read again to tell speakers apart, once the user has agreed to it.


class RecountConsent(QObject):
    """Which assessments the user wants to be counted once more.

    Signals:
        agreed: more of them.
        asked: somebody wants something for which they have to be counted, or no longer.
    """

    agreed = Signal()
    asked = Signal()

    def __init__(self, project: OpenProject) -> None:
        super().__init__(project)
        self._open = project
        self._agreed: set[str] = set()
        self._waiting: tuple[frozenset[str], Callable[[], None]] | None = None
        project.left.connect(self._forget)

    def offer(self, *items: core.Item) -> str:
        """What counting would take; empty where nothing has to be counted, or the user has agreed."""
        from zebra_core.project.reading.reading import counting_again_in_words

        missing = [entry for one in items for entry in one.entries if one.id not in self._agreed]
        return counting_again_in_words(*missing)

    def agree(self, *items: core.Item) -> None:
        """Count these, whoever asks."""
        self._agreed.update(item.id for item in items)
        self.agreed.emit()

    # What somebody asked for

    def is_agreed(self, items: Sequence[core.Item], then: Callable[[], None]) -> bool:
        """Whether these can be measured at once; else the user is asked, and `then` is done if they agree."""
        wanted = self.offer(*items)
        self._waiting = (frozenset(item.id for item in items), then) if wanted else None
        self.asked.emit()
        return not wanted

    @property
    def question(self) -> str:
        """What it would take to do what somebody asked for; empty where nobody waits."""
        return self.offer(*self._waited_for())

    def answer(self, *, yes: bool) -> None:
        """What the user says to that."""
        items, waiting, self._waiting = self._waited_for(), self._waiting, None
        if yes and waiting:
            self.agree(*items)
            waiting[1]()
        self.asked.emit()

    def _waited_for(self) -> tuple[core.Item, ...]:
        ids = self._waiting[0] if self._waiting else frozenset()
        return tuple(item for item in self._open.items if item.id in ids)

    def _forget(self) -> None:
        self._agreed.clear()
        self.answer(yes=False)
