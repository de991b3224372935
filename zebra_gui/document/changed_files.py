"""Files that change on disk while they are open: noticed when the window is come back to, and read again."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QGuiApplication

from zebra_core.wording.texts import visible
from zebra_gui import core_types as core
from zebra_gui.document import work
from zebra_gui.document.document import Documents
from zebra_gui.jobs.jobs import Jobs
from zebra_gui.language.translating import for_count
from zebra_gui.session.session import Session


class ChangedFiles(QObject):
    """Looks at the files of the project in a queue of its own, and reads again what the user wants.

    Nothing is looked at while nobody is there: only when the window becomes active, and when files come in.

    Signals:
        announced: one sentence that says what was read again, or that nothing was.
    """

    announced = Signal(str)

    def __init__(self, session: Session, documents: Documents, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._session, self._documents = session, documents
        self._stamps: dict[Path, core.Stamp] = {}  # of all files, when they were last looked at
        self.jobs = Jobs(self)
        session.left.connect(self.jobs.drop_all)
        session.project_changed.connect(self._on_project_changed)
        application = QGuiApplication.instance()
        if isinstance(application, QGuiApplication):
            application.applicationStateChanged.connect(self._on_application_state)

    @property
    def changed(self) -> tuple[core.Item, ...]:
        """The items that may be read again: those selected, where any of them has changed, else all."""
        every = tuple(_with_changes(self._session.items))
        selected = [item for item in every if item.id in self._session.selected_ids]
        return tuple(selected) or every

    def look(self) -> None:
        """See whether files were touched; those that were are read to see whether they changed."""
        project = self._session.project
        if project is None or not any(item.files for item in project.items):
            self._stamps = {}
            return
        job = self.jobs.start("", work.look_for_changes, project, dict(self._stamps), supersedes="look")
        job.done.connect(partial(self._on_looked, project))
        job.failed.connect(self._session.report_failure)

    def read_again(self) -> None:
        """Read changed files of the selected items again, else of all; names and notes stay."""
        self._read(self.changed)

    def read_all_again(self) -> None:
        """Read all changed files again, whatever is selected."""
        self._read(tuple(_with_changes(self._session.items)))

    def stop(self) -> None:
        """Look no further."""
        self.jobs.drop_all()

    def _on_application_state(self, state: Qt.ApplicationState) -> None:
        if state is Qt.ApplicationState.ApplicationActive:
            self.look()

    def _on_project_changed(self) -> None:
        paths = {file.path for item in self._session.items for file in item.files}
        if paths != set(self._stamps):
            self.look()

    def _on_looked(self, project: core.Project, found: tuple[core.Findings, dict[Path, core.Stamp]]) -> None:
        findings, self._stamps = found
        if findings.standings and self._session.project is not None:
            self._documents.take_findings(findings)

    def _read(self, items: Sequence[core.Item]) -> None:
        if not items:
            return
        self._session.dismiss_problems()
        name = for_count("ChangedFiles", "Reading {name} again", "Reading {count} items again", len(items))
        name = name.format(name=visible(items[0].full_name), count=len(items))
        job = self._session.start_work(name, work.read_all_anew, items, supersedes="read again")
        job.done.connect(self._on_read)
        job.cancelled.connect(self._on_cancelled)

    def _on_read(self, found: core.RereadItems) -> None:
        for sentence in found.faults:
            self._session.report_problem(sentence)
        items = [item for item in map(self._as_it_is_called_now, found.items) if item is not None]
        project = self._session.project
        if not items or project is None:
            return
        self._session.change(self.tr("reading again"), project.replacing(*items))
        sentence = for_count(
            "ChangedFiles",
            "Read again: {name}. Its figures are those of its files as they are now.",
            "Read again: {count} items. Their figures are those of the files as they are now.",
            len(items),
        )
        self.announced.emit(sentence.format(name=visible(items[0].full_name), count=len(items)))

    def _as_it_is_called_now(self, read: core.Item) -> core.Item | None:
        """What was read, in the item as it is by now; None where that is gone."""
        now = next((item for item in self._session.items if item.id == read.id), None)
        return now.with_results_of(read) if now is not None else None

    def _on_cancelled(self) -> None:
        self.announced.emit(self.tr("Cancelled. The figures are those of the files as they were."))


def _with_changes(items: Iterable[core.Item]) -> Iterable[core.Item]:
    return (item for item in items if any(file.state.value == "changed" for file in item.files))
