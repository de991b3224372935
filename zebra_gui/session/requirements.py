"""What the open project is required to show: every change can be undone, and a job says what comes of it."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from zebra_core.errors import InputError
from zebra_core.wording.texts import say
from zebra_gui import core_types as core
from zebra_gui.jobs.jobs import Urgency
from zebra_gui.language.translating import for_count
from zebra_gui.session import work
from zebra_gui.session.open_project import OpenProject


class Requirements(QObject):
    """The requirements of the open project, and the verdicts on them.

    Signals:
        decided: there are other verdicts, or none.
        announced: a sentence about what was done, for the status bar.
        reached: what the requirement that is being written takes, in a sentence; empty where nobody knows.
    """

    decided = Signal()
    announced = Signal(str)
    reached = Signal(str)

    def __init__(self, project: OpenProject) -> None:
        super().__init__(project)
        self._open = project
        self._verdicts: tuple[core.Verdict, ...] = ()
        self._lacks_bounds = False
        project.project_changed.connect(self._decide)
        project.left.connect(self._forget)

    @property
    def verdicts(self) -> tuple[core.Verdict, ...]:
        """The verdicts on the requirements of the project, in their order, as far as they are worked out."""
        return self._verdicts

    @property
    def lacks_bounds(self) -> bool:
        """Whether intervals or differences are needed that nobody asked for."""
        return self._lacks_bounds

    @property
    def asked(self) -> tuple[core.Requirement, ...]:
        """What the project requires."""
        return self._open.project.requirements if self._open.project else ()

    def read(self, path: Path) -> None:
        """Take the requirements of a file into the project."""
        project = self._open.project
        name = self.tr("Reading requirements")
        job = self._open.start_work(name, work.read_requirements, path, project, is_about_project=False)
        job.done.connect(lambda read: self._on_read(*read))

    def take_ready(self, name: str) -> None:
        """Take requirements that come along, by the name of their file, into the project."""
        if (project := self._open.project) is not None:
            title = self.tr("Reading requirements")
            self._open.start_work(title, work.take_ready, name, project).done.connect(self._on_read)

    def put(self, requirement: core.Requirement, instead_of: str | None = None) -> None:
        """Require this, in the place of another one where that is named. Raises InputError."""
        from zebra_core.project.requirements.requirement import recorded_now

        project = self._open_or_new()
        if instead_of is None:
            self._change(self.tr("requirement"), project.requiring(requirement))
            return
        known = {each.name: each for each in project.requirements}
        if requirement.name != instead_of and requirement.name in known:
            raise InputError("requirement-known", found=requirement.name)
        before = known.get(instead_of)
        made = recorded_now(requirement, project.items)
        if before is not None and before.demand == requirement.demand:
            made = replace(requirement, recorded=before.recorded)
        changed = tuple(made if each.name == instead_of else each for each in project.requirements)
        self._change(self.tr("change of a requirement"), replace(project, requirements=changed))

    def ask_what_it_takes(self, requirement: core.Requirement) -> None:
        """Work out what it takes for a requirement to be met where nothing is disclosed: see `reached`."""
        name = self.tr("Working out what a requirement takes")
        job = self._open.start_work(
            name,
            work.what_it_takes,
            requirement,
            supersedes="reach",
            is_about_project=False,
            urgency=Urgency.SEEN,
        )
        job.done.connect(self.reached.emit)

    def remove(self, names: Collection[str]) -> None:
        """Require these no longer."""
        if (project := self._open.project) is not None:
            left = tuple(each for each in project.requirements if each.name not in names)
            self._change(self.tr("removal of a requirement"), replace(project, requirements=left))

    def measure(self) -> None:
        """Work out the intervals and differences that verdicts need."""
        if (project := self._open.project) is not None:
            name = self.tr("Drawing the speakers for the verdicts")
            asked = project.requirements
            job = self._open.start_work(name, work.with_bounds, project, asked, None, supersedes="bounds")
            job.done.connect(self._on_measured)

    def _open_or_new(self) -> core.Project:
        from zebra_core.project.project import Project

        return self._open.project or Project()

    def _on_read(self, found: Sequence[core.Requirement], former: Mapping[str, str] | None = None) -> None:
        for name, now in (former or {}).items():
            self._open.report_problem(say("requirement.former-name", found=name, now=now))
        try:
            project = self._open_or_new().requiring(*found)
        except InputError as error:
            self._open.report_problem(str(error))
            return
        self._change(self.tr("requirements of a file"), project)
        sentence = for_count(
            "Requirements", "One requirement was taken in.", "{count} requirements were taken in.", len(found)
        )
        self.announced.emit(sentence.format(count=len(found)))

    def _on_measured(self, found: tuple[core.Project, tuple[str, ...]]) -> None:
        measured, faults = found
        for fault in faults:
            self._open.report_problem(fault)
        if (project := self._open.project) is not None:
            trust = {item.id: item.trust for item in measured.items if item.trust is not None}
            changed = project.with_trust(trust)
            changed = changed if project.differences else replace(changed, differences=measured.differences)
            self._change(self.tr("intervals"), changed)

    def _change(self, text: str, project: core.Project) -> None:
        if project is not self._open.project:
            self._open.change(text, project)

    def _decide(self) -> None:
        project = self._open.project
        if project is None or not project.requirements:
            self._forget()
            return
        name = self.tr("Deciding requirements")
        job = self._open.start_work(
            name, work.decide_requirements, project, supersedes="verdicts", urgency=Urgency.SEEN
        )
        job.done.connect(self._on_decided)

    def _on_decided(self, found: tuple[tuple[core.Verdict, ...], bool]) -> None:
        if not self.asked:  # no job for other requirements has taken the place of this one
            return
        self._verdicts, self._lacks_bounds = found
        self.decided.emit()

    def _forget(self) -> None:
        if self._verdicts:
            self._verdicts, self._lacks_bounds = (), False
            self.decided.emit()
