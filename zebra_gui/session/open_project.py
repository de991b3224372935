"""The open project: what is selected in it, what went wrong, and the only place that changes it."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import NamedTuple, TypeVarTuple

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QUndoCommand, QUndoStack

from zebra_core.errors import ZebraError
from zebra_core.wording.texts import visible
from zebra_gui import core_types as core
from zebra_gui.faults.faults import message_of
from zebra_gui.jobs.jobs import Job, Jobs, StepwiseWork, Urgency, Watch, Work

log = logging.getLogger(__name__)

MOST_UNDONE = 100
"""How many changes can be undone: what was removed stays in memory as long as it can come back."""

Given = TypeVarTuple("Given")


class OpenProject(QObject):
    """What is open, what is selected in it, and what went wrong; everything else of the session rests on it.

    Signals:
        settling: what is being typed belongs to the project as it is now: put it in.
        left: what was open is gone, and nothing of it may be seen any more; nothing is open meanwhile.
        project_changed: entries came, went or are called otherwise.
        selection_changed: another entry is selected, or none, or other items beside it.
        changed: after one of these or both, once; for what is shown of both together.
        problems_changed: something went wrong, or the user has read it.
        supplemented: the project before and after something was added to it that follows from it.
        faulted: the program itself failed, and goes on.
    """

    settling = Signal()
    left = Signal()
    project_changed = Signal()
    selection_changed = Signal()
    changed = Signal()
    problems_changed = Signal()
    supplemented = Signal(object, object)
    faulted = Signal(Exception)

    def __init__(self, jobs: Jobs, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._jobs = jobs
        self._project: core.Project | None = None  # nothing was opened yet
        self._selected_id: str | None = None  # the one that panes are about
        self._selected_ids: tuple[str, ...] = ()  # all that an operation acts on
        self._problems: tuple[str, ...] = ()
        self._about_project: list[Job] = []  # those of the jobs under way
        self.preparing: StepwiseWork | None = None  # of the window, where there is one
        self.before: core.Project | None = None  # what the open one, while empty, is to be made like
        self.undo_stack = QUndoStack(self)
        self.undo_stack.setUndoLimit(MOST_UNDONE)

    @property
    def project(self) -> core.Project | None:
        """The open project, or None until something was opened."""
        return self._project

    @property
    def entries(self) -> tuple[core.Entry, ...]:
        """The assessments of the project, in its order."""
        return self._project.entries if self._project else ()

    @property
    def items(self) -> tuple[core.Item, ...]:
        """Everything in the project, in its order."""
        return self._project.items if self._project else ()

    @property
    def selected(self) -> core.Entry | None:
        """The selected entry, where what panes are about is an assessment."""
        return next((entry for entry in self.entries if entry.id == self._selected_id), None)

    @property
    def selected_item(self) -> core.Item | None:
        """What panes are about, whatever it is."""
        return next((item for item in self.items if item.id == self._selected_id), None)

    @property
    def selected_id(self) -> str | None:
        """The id of what panes are about."""
        return self._selected_id

    @property
    def selected_items(self) -> tuple[core.Item, ...]:
        """All that is selected, which operations act on, in the order of the project."""
        return tuple(item for item in self.items if item.id in self._selected_ids)

    @property
    def selected_ids(self) -> tuple[str, ...]:
        """The ids of these."""
        return tuple(item.id for item in self.selected_items)

    @property
    def shown_entries(self) -> tuple[core.Entry, ...]:
        """What pictures of several show: what is ticked, and the selected entry."""
        return tuple(entry for entry in self.entries if entry.is_ticked or entry.id == self._selected_id)

    @property
    def problems(self) -> tuple[str, ...]:
        """What went wrong since the last drop, one sentence each."""
        return self._problems

    # What is selected

    def select(self, entry_id: str | None) -> None:
        """Select an entry, or none."""
        self.select_items((entry_id,) if entry_id else (), entry_id)

    def select_items(self, item_ids: Iterable[str], current_id: str | None) -> None:
        """Select several items, and one that the panes are about."""
        selection = current_id, tuple(item_ids)
        if selection != (self._selected_id, self._selected_ids):
            self._selected_id, self._selected_ids = selection
            self.selection_changed.emit()
            self.changed.emit()

    # What went wrong

    def report_problem(self, sentence: str) -> None:
        """Show one more sentence about what went wrong, unless it is there already."""
        if sentence not in self._problems:
            self._problems = (*self._problems, sentence)
            self.problems_changed.emit()

    def report_failure(self, error: Exception) -> None:
        """Show what went wrong: the sentence of what the user can mend, or that the fault is ours."""
        if isinstance(error, ZebraError):
            self.report_problem(str(error))
            return
        if isinstance(error, MemoryError):
            self.report_problem(
                self.tr(
                    "There is not enough memory for this. What was open still is; close other programs, or "
                    "open fewer files at once."
                )
            )
            return
        log.error("unexpected failure", exc_info=error)
        self.report_fault_again(error)
        self.faulted.emit(error)

    def report_fault_again(self, error: Exception) -> None:
        """Show only the sentence about a fault in the program, of which all else was told before."""
        text = visible(message_of(error), 200)
        said = f"{type(error).__name__}: {text}" if text else type(error).__name__
        sentence = self.tr("ZEBRA failed ({what}). This is a fault in the program, not in your files.")
        self.report_problem(sentence.format(what=said))

    def dismiss_problems(self) -> None:
        """The user has read them."""
        if self._problems:
            self._problems = ()
            self.problems_changed.emit()

    def settle(self) -> None:
        """Take in what is being typed: the project is about to be saved, or left."""
        if self._project is not None:
            self.settling.emit()

    # Changes of the project, all of which can be undone

    def take_in(self, arrival: core.Arrival) -> int:
        """Put the assessments of an arrival at the end of the project and select one to look at first.

        Those whose transcripts came again are there already: how many is returned.
        """
        from zebra_core.project.again import with_items_as
        from zebra_core.project.arranging import grouped
        from zebra_core.project.reading.published import with_printed_word_errors

        project = (self._project or _empty_project()).remembering(arrival.answers)
        there = arrival.there_with_words(project)
        project = project.publishing(arrival.plan.published)
        for entry in arrival.entries:
            if entry.id not in there:
                project = project.with_items(replace(entry, colour=project.colour_for(entry)))
        project = with_printed_word_errors(
            project.with_words(arrival.words.of).with_emotions(arrival.words.told)
        )
        if self.before is not None and not self.items:
            project = with_items_as(project, self.before)
        first = arrival.first.id
        self._change(self.tr("add"), grouped(project), there[first].id if first in there else first)
        return len(there)

    def take_measured(self, found: Mapping[str, core.Trust]) -> None:
        """Show how sure items are, by id; what has changed since is left as it is."""
        if self._project is not None:
            project = self._project.with_trust(found)
            if project is not self._project:
                self._change(self.tr("intervals"), project, self._selected_id)

    def supplement(self, found: Mapping[str, core.Trust], *, has_bounds: bool = False) -> None:
        """Show how sure items are that nobody asked about: nothing to be undone, and nothing to be saved.

        With `has_bounds` it takes the place of what is known, for verdicts need more than intervals.
        """
        lacking = {item.id: item.trust for item in self.items if item.lacks_intervals or has_bounds}
        new = {one: trust for one, trust in found.items() if one in lacking}
        found = {one: trust for one, trust in new.items() if lacking[one] is None or trust.tried_normalised}
        before = self._project
        if before is not None and (project := before.with_trust(found)) is not before:
            self.supplemented.emit(before, project)
            self._show(project, self._selected_id, self._selected_ids)

    def change(
        self,
        text: str,
        project: core.Project,
        selected_ids: tuple[str, ...] | None = None,
        *,
        merges: str = "",
    ) -> None:
        """Change the project, which `text` names for undoing it; the selection stays unless another is given.

        Changes in a row that `merges` calls the same are undone together.
        """
        if selected_ids is None:
            self._change(text, project, self._selected_id, self._selected_ids, merges)
        else:
            self._change(text, project, next(iter(selected_ids), None), selected_ids, merges)

    def _change(
        self,
        text: str,
        project: core.Project | None,
        selected_id: str | None,
        selected_ids: tuple[str, ...] | None = None,
        merges: str = "",
    ) -> None:
        if selected_ids is None:
            kept = selected_id == self._selected_id
            selected_ids = self._selected_ids if kept else tuple(filter(None, [selected_id]))
        before = SessionState(self._project, self._selected_id, self._selected_ids)
        after = SessionState(project, selected_id, selected_ids)
        self.undo_stack.push(Change(text, lambda state: self._show(*state), before, after, merges))

    def _show(
        self,
        project: core.Project | None,
        selected_id: str | None,
        selected_ids: tuple[str, ...] | None = None,
        *,
        is_another: bool = False,
    ) -> None:
        """Make this the project: the one way that anything is changed, undone and done again.

        One that shares nothing with the open one, or is said to be another, comes when that is gone.
        """
        if selected_ids is None:
            selected_ids = tuple(filter(None, [selected_id]))
        before = SessionState(self._project, self._selected_id, self._selected_ids)
        if self._project is not None and (is_another or not _go_on_together(self._project, project)):
            self._leave()
        self._project, self._selected_id, self._selected_ids = project, selected_id, selected_ids
        if project is not before.project:
            self.project_changed.emit()
        if (selected_id, selected_ids) != (before.selected_id, before.selected_ids):
            self.selection_changed.emit()
        self.changed.emit()

    def _leave(self) -> None:
        """What comes next is another's: nothing of this stays, and no job comes back with any of it."""
        self._jobs.drop(self._about_project)
        self._about_project = []
        self._project, self._selected_id, self._selected_ids = None, None, ()
        self.left.emit()

    # Jobs and what came of them

    def start_work(
        self,
        name: str,
        work: Callable[[*Given, Watch], object],
        *given: *Given,
        supersedes: str | None = None,
        keeps_partial: bool = False,
        is_reported: bool = True,
        is_about_project: bool = True,
        urgency: Urgency = Urgency.ASKED,
    ) -> Job:
        """Start a job that does this work with what it is given; a failure is reported, or for the asker.

        What is about the open project is dropped when that is left.
        """
        ready = self.ready_to_show(lambda watch: work(*given, watch))
        job = self._jobs.start(
            name, ready, supersedes=supersedes, keeps_partial=keeps_partial, urgency=urgency
        )
        if is_reported:
            job.failed.connect(self.report_failure)
        if is_about_project:
            self._about_project.append(job)
            for ended in (job.done, job.failed, job.cancelled):
                ended.connect(lambda *_: self._on_ended(job))
        return job

    def _on_ended(self, job: Job) -> None:
        if job in self._about_project:
            self._about_project.remove(job)

    def ready_to_show(self, work: Work) -> Work:
        """The given work, whose result arrives only when the window is ready to show it."""
        return self.preparing.during(work) if self.preparing is not None else work


def _go_on_together(before: core.Project, after: core.Project | None) -> bool:
    """Whether one is a change of the other: it has nothing that could be lost, or they have some of it."""
    items = {item.id for item in before.items}
    return after is not None and (not items or any(item.id in items for item in after.items))


def _empty_project() -> core.Project:
    from zebra_core.project.project import Project

    return Project()


# One change of the project, to be undone and done again.


class SessionState(NamedTuple):
    """What is undone and done again: the project, what panes are about, and all that is selected."""

    project: core.Project | None
    selected_id: str | None
    selected_ids: tuple[str, ...]


class Change(QUndoCommand):
    """From one project to another: projects never change, so going back is taking the old one."""

    def __init__(
        self,
        text: str,
        show: Callable[[SessionState], None],
        before: SessionState,
        after: SessionState,
        merges: str,
    ) -> None:
        super().__init__(text)
        self._show = show
        self._before = before
        self._after = after
        self._merges = merges

    @property
    def ids(self) -> set[str]:
        """The ids of all items before and after it."""
        projects = (self._before.project, self._after.project)
        return {item.id for project in projects if project for item in project.items}

    def undo(self) -> None:
        self._show(self._before)

    def redo(self) -> None:
        self._show(self._after)

    def id(self) -> int:
        return 1 if self._merges else -1  # Qt asks commands of one id whether they merge

    def mergeWith(self, other: QUndoCommand) -> bool:
        if not isinstance(other, Change) or other._merges != self._merges:  # noqa: SLF001
            return False
        self._after = other._after  # noqa: SLF001
        return True


def ids_to_come_back(stack: QUndoStack) -> set[str]:
    """The ids of all items that may be there again when something is undone or done again."""
    changes = (stack.command(number) for number in range(stack.count()))
    return {one for change in changes if isinstance(change, Change) for one in change.ids}
