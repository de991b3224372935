"""Reports and copies for others: as they are, or with codes in the place of names."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from zebra_core.runtime.progress import Progress, part_of
from zebra_core.wording.texts import visible
from zebra_gui import core_types as core
from zebra_gui.dialogs import Dialogs
from zebra_gui.document.document import Documents
from zebra_gui.jobs.jobs import Jobs, Work
from zebra_gui.session.session import Session
from zebra_gui.window.exports import with_missing_intervals


@dataclass(frozen=True, eq=False)
class SharedFiles:
    """What was written for others; `key_file` leads from codes back to names, and `told` was left behind."""

    path: Path
    key_file: Path | None = None
    sentences: tuple[str, ...] = ()


class SharingActions(QObject):
    """Asks where to, lets a job write, and says what was written and what is not to be shared.

    Signals:
        saved: one sentence that says what was written and where, or that nothing was.
    """

    saved = Signal(str)

    def __init__(
        self,
        session: Session,
        jobs: Jobs,
        dialogs: Dialogs,
        documents: Documents,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._session, self._jobs, self._dialogs, self._documents = session, jobs, dialogs, documents

    def save_report(self) -> None:
        """The report with codes in the place of names, the score files under codes, and the key."""
        path = self._dialogs.ask_place("report", self.tr("ZEBRA-report-without-names.pdf"))
        if path and (project := self._session.project_at_prior):
            self._start(path, partial(_save_report, project, path))

    def save_copy(self) -> None:
        """A copy of the project; the open one stays what it is, and where."""
        self._save_copy(self.tr("copy"), is_nameless=False)

    def save_copy_without_names(self) -> None:
        """A copy with codes in the place of names, the score files under codes, and the key."""
        self._save_copy(self.tr("copy-without-names"), is_nameless=True)

    def _save_copy(self, suggested: str, *, is_nameless: bool) -> None:
        self._session.settle()
        path = self._dialogs.ask_place("project", f"{suggested}.zebra")
        if path is None or (project := self._session.project) is None:
            return
        if self._documents.path is not None and path.absolute() == self._documents.path.absolute():
            self._session.report_problem(self.tr("That is the open project. Choose another name for a copy."))
            return
        kept, inside = self._documents.kept_at, self._documents.with_inputs
        self._start(path, partial(_save_copy, project, path, kept, inside, is_nameless))

    def _start(self, path: Path, work: Work) -> None:
        self._session.dismiss_problems()
        name = self.tr("Saving {name}").format(name=visible(path.name))
        job = self._jobs.start(name, work, keeps_partial=True)
        job.done.connect(self._on_saved)
        job.failed.connect(self._session.report_failure)
        job.cancelled.connect(partial(self.saved.emit, self.tr("Cancelled. Nothing was written.")))

    def _on_saved(self, given: SharedFiles) -> None:
        for sentence in given.sentences:
            self._session.report_problem(sentence)
        name, folder = visible(given.path.name), visible(str(given.path.parent), 200)
        if given.key_file is None:
            self.saved.emit(self.tr("Saved {name} in {folder}").format(name=name, folder=folder))
            return
        sentence = self.tr("Saved {name} in {folder}, with its scores. Do not share {key}: it has the names.")
        key = visible(str(given.key_file), 200)
        self.saved.emit(sentence.format(name=name, folder=folder, key=key))


# What the jobs do.


def _save_report(project: core.Project, path: Path, on_progress: Progress) -> SharedFiles:
    from zebra_core.project.gathering.gathering import gather
    from zebra_core.project.sharing.pseudonymised import Places, without_names
    from zebra_core.report.export import save_report

    places = Places.beside(path, overwrite=path.exists())  # the dialog has asked
    made = without_names(project, places, part_of(on_progress, 0.0, 0.2))
    try:
        certain = with_missing_intervals(made.project, part_of(on_progress, 0.2, 0.7))
        material = gather(certain, part_of(on_progress, 0.7, 0.8))
        rest = part_of(on_progress, 0.8, 1.0)
        save_report(material, path, overwrite=True, look=made.refuse_names, on_progress=rest)
    except BaseException:
        made.undo()
        raise
    return SharedFiles(path, made.key_file, made.sentences)


def _save_copy(
    project: core.Project,
    path: Path,
    kept_at: Mapping[core.FileKey, Path],
    with_inputs: bool,
    is_nameless: bool,
    on_progress: Progress,
) -> SharedFiles:
    from zebra_core.project.reading.inputs import put_back
    from zebra_core.project.sharing.pseudonymised import Places, without_names
    from zebra_core.saved.project_file import save_project

    if not is_nameless:
        save_project(
            put_back(project, kept_at),
            path,
            with_inputs=with_inputs,
            kept_at=kept_at,
            on_progress=on_progress,
        )
        return SharedFiles(path)
    places = Places.beside(path, overwrite=path.exists())  # the dialog has asked
    made = without_names(project, places, part_of(on_progress, 0.0, 0.8))
    try:
        save_project(
            made.project,
            path,
            with_inputs=with_inputs,
            without_folders=True,
            look=made.refuse_names,
            on_progress=part_of(on_progress, 0.8, 1.0),
        )
    except BaseException:
        made.undo()
        raise
    return SharedFiles(path, made.key_file, made.sentences)
