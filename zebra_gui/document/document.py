"""The document: which file the project is saved in, whether that is up to date, and what may be lost."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, Signal

from zebra_core.errors import InputError, OutputError
from zebra_core.files.access import is_device, is_folder, temporary_folder
from zebra_core.wording.texts import visible
from zebra_gui import core_types as core
from zebra_gui.dialogs import Dialogs
from zebra_gui.dialogs.save import SaveChoice
from zebra_gui.document import work
from zebra_gui.document.autosave import Autosave, Leftovers, OwnFile, Stamp, holder_of, stamp_of
from zebra_gui.document.recents import forget_project, remember_project
from zebra_gui.jobs.jobs import Job, Jobs, Urgency
from zebra_gui.session.session import Session
from zebra_gui.session.unsaved import remove_old_scores

SUFFIX = ".zebra"
TEST_SUFFIX = ".zebra-listening"
View = Mapping[str, Any]
Then = Callable[[], object]


def nothing() -> None:
    """What comes next where nothing does."""


class Documents(QObject):
    """Opens, saves and closes the project; nothing is lost unasked.

    Signals:
        changed: another file, or it is up to date or no longer, or it may be written or no longer.
        saved: one sentence that says what was saved and where.
        tests_came: listeners' tests, which are to be taken.
    """

    changed = Signal()
    saved = Signal(str)
    tests_came = Signal(list)

    def __init__(
        self,
        session: Session,
        jobs: Jobs,
        dialogs: Dialogs,
        view: tuple[Callable[[], View], Callable[[View], None]],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._session, self._jobs, self._dialogs = session, jobs, dialogs
        self._view, self._show_view = view
        self._file = OwnFile()
        # The project as it is in the file, and the same with what follows from it by itself.
        self._saved: tuple[core.Project | None, ...] = (None,)
        self._with_inputs = self._saved_with_inputs = False
        self._saved_voices: frozenset[str] = frozenset()
        self._inputs = Inputs(session, self)
        self._was_modified = False
        self._saving: tuple[core.Project, Job] | None = None  # under way
        self.autosave = Autosave(self._view, self)
        self.leftovers = Leftovers(self)
        self._inputs.found.connect(self.take_findings)
        self.autosave.kept.connect(self.leftovers.remove_taken)
        self.autosave.failed.connect(session.report_failure)
        session.project_changed.connect(self._on_project_changed)
        session.supplemented.connect(self._on_supplemented)
        session.faulted.connect(self._on_faulted)
        session.kept.changed.connect(self._on_project_changed)

    @property
    def path(self) -> Path | None:
        """The file of the project, or None where it has none yet."""
        return self._file.path

    @property
    def name(self) -> str:
        """What to call the document: its file, or that it has none; empty where nothing is open."""
        if self.path is not None:
            return visible(self.path.name, 200)
        return self.tr("Untitled") if self._session.project and self._session.project.items else ""

    @property
    def locked_by(self) -> str:
        """Who else has the file open, so that it may not be written; empty where nobody has."""
        return self._file.locked_by

    @property
    def with_inputs(self) -> bool:
        """Whether the files with the scores are put inside when the project is saved."""
        return self._with_inputs

    @property
    def file_with_inputs(self) -> Path | None:
        """The file of the project as it was saved, where the files with the scores are inside."""
        return self.path if self._saved_with_inputs and self.path and self.path.is_file() else None

    @property
    def kept_at(self) -> dict[core.FileKey, Path]:
        """Where files are that lay inside the project file."""
        return self._inputs.kept_at

    @property
    def is_modified(self) -> bool:
        """Whether there is anything to be lost."""
        project = self._session.project
        if project is None or not (project.items or self.path):
            return False
        is_saved = any(project is one for one in self._saved)
        voices = self._session.kept.voices.keys()
        return not is_saved or self._with_inputs != self._saved_with_inputs or voices != self._saved_voices

    # Opening

    def open_paths(self, paths: Sequence[Path]) -> None:
        """A project is opened, a listener's test taken; other files are added to it, or to what is open."""
        if tests := [path for path in paths if path.suffix.lower() == TEST_SUFFIX and not is_folder(path)]:
            self.tests_came.emit(tests)
            if not (paths := [path for path in paths if path not in tests]):
                return
        projects = [path for path in paths if path.suffix.lower() == SUFFIX and not is_folder(path)]
        others = [path for path in paths if path not in projects]
        if not projects:
            self._session.load(others)
            return
        self.open(projects[0], partial(self._session.load, others) if others else nothing)
        for path in projects[1:]:
            self._session.report_problem(
                self.tr("Only one project can be open at a time, so “{name}” was left alone.").format(
                    name=visible(path.name, 200)
                )
            )

    def open(self, path: Path, then: Then = nothing) -> None:
        """Put a saved project in the place of the open one."""
        self._after_asking(lambda: self._open(path.absolute(), then))

    def open_demo(self) -> None:
        """Put the demo in the place of the open project."""
        self._after_asking(self._open_demo)

    def close_for(self, then: Then) -> None:
        """Close the project, where the user agrees, before something else begins."""

        def go_on() -> None:
            self._close()
            then()

        self._after_asking(go_on)

    def close(self) -> None:
        """Close the project; the window is empty again."""
        self._after_asking(self._close)

    def _open(self, path: Path, then: Then) -> None:
        self._session.dismiss_problems()
        self._jobs.cancel_all()
        name = _about(path, self.tr("Opening {name}"))
        job = self._session.start_work(name, work.open_file, path, is_about_project=False)
        before, stamp = self._session.project, stamp_of(path)
        job.done.connect(lambda opened: self._on_opened(path, opened, then, before, stamp))
        job.failed.connect(lambda error: self._on_not_opened(path, error))

    def _on_not_opened(self, path: Path, error: Exception) -> None:
        if isinstance(error, InputError) and error.code == "missing":
            forget_project(path)

    def _on_opened(
        self,
        path: Path,
        opened: core.OpenedProject,
        then: Then,
        before: core.Project | None,
        stamp: Stamp,
    ) -> None:
        now = self._session.project
        if now is not before and not self.may_go(lambda: self._on_opened(path, opened, then, now, stamp)):
            return  # it was changed while the other one was being opened
        self._leave()
        self._file.take(path, stamp)
        self._with_inputs = self._saved_with_inputs = opened.has_inputs
        self._saved = (opened.project,)
        self.autosave.begin(self._file.written)
        self._session.restart(opened.project, opened.view.get("selected"))
        for sentence in opened.remarks:
            self._session.report_problem(sentence)
        self._saved_voices = frozenset(opened.voices)
        self._session.kept.take_voices(opened.voices)
        self._show_view(opened.view)
        remember_project(path)
        if self._file.written:
            self.leftovers.look_beside(path)
        self.look_for_inputs([])
        then()

    def _open_demo(self) -> None:
        self._close()
        self._session.open_demo().done.connect(lambda _project: self._on_demo_opened())

    def _on_demo_opened(self) -> None:
        self._saved = (self._session.project,)  # it can be had again at any time
        self._on_project_changed()

    def _close(self) -> None:
        self._jobs.cancel_all()
        self._leave()
        self._session.restart(None)

    def _leave(self) -> None:
        """Let go of everything that belongs to the open file."""
        self.autosave.end()
        self.leftovers.let_go()
        self._file.leave()
        self._inputs.let_go()
        self._saving = None
        self._saved = (None,)
        self._with_inputs = self._saved_with_inputs = False
        self._saved_voices = frozenset()

    # Saving

    def save(self, then: Then = nothing) -> None:
        """Save into the file of the project, or into one that the user names."""
        self._session.settle()
        path = self._file.written
        if path is None:
            self.save_as(then)
        elif self._file.is_changed_by_others:
            sentence = self.tr(
                "“{name}” was changed by another program since it was opened here. Choose where to save, so "
                "that neither is lost."
            )
            self._session.report_problem(sentence.format(name=self.name))
            self.save_as(then)
        elif self._session.project is not None:
            self._save(path, then)

    def save_as(self, then: Then = nothing) -> None:
        """Save into another file, which is that of the project from then on."""
        self._session.settle()
        if self._session.project is None:
            return
        suggested = str(self.path) if self.path else self._suggested_name()
        path = self._dialogs.ask_place("project", suggested)
        if path is None:
            return
        if path.absolute() != self.path and (who := holder_of(path.absolute())):
            sentence = self.tr(
                "“{name}” is open elsewhere ({holder}). Choose another name, or close it there."
            )
            self._session.report_problem(sentence.format(name=visible(path.name, 200), holder=who))
            return
        self._save(path.absolute(), then)

    def put_inputs_inside(self, inside: bool) -> None:
        """Say whether the files with the scores are to be inside; those that lie nowhere else always are."""
        if not inside and self._with_inputs and self._session.kept.keeps_scores:
            sentence = self.tr(
                "The scores made from recordings lie nowhere else, so they go into the project file. To keep "
                "them apart, compare the recordings again and save the scores in a folder."
            )
            self._session.report_problem(sentence)
            self.changed.emit()
            return
        if inside != self._with_inputs:
            self._with_inputs = inside
            self._on_project_changed()

    def may_go(self, again: Then) -> bool:
        """Whether the window may be closed; where it is saved first, `again` is called afterwards."""
        self._session.settle()
        if not self.is_modified:
            return True
        if self._saving is not None and self._saving[0] is self._session.project:
            self._saving[1].done.connect(lambda _saved: again())  # all there is to be lost is being saved
            return False
        answer = self._dialogs.ask_to_save(self.name)
        if answer is SaveChoice.SAVE:
            self.save(again)
        return answer is SaveChoice.DISCARD

    def shut_down(self) -> None:
        """The program ends as it should: nothing is to be recovered."""
        self._leave()

    def keep_all(self) -> None:
        """The program is about to be ended: unsaved changes are on the disk when this returns."""
        self._session.settle()
        if self.is_modified:
            self.autosave.keep_after_fault()
            self.autosave.finish()

    def let_go(self) -> None:
        """Others may open the file."""
        self._file.unlock()

    def _suggested_name(self) -> str:
        title = self._session.project.title if self._session.project else ""
        plain = "".join(c if c.isalnum() or c in " -_" else "-" for c in visible(title, 60)).strip(" -")
        if is_device(plain):
            plain = f"{plain}-{self.tr('project')}"
        return f"{plain or self.tr('project')}{SUFFIX}"

    def _save(self, path: Path, then: Then) -> None:
        project, with_inputs = self._session.project, self._with_inputs
        voices = self._session.kept.voices
        if project is None:
            return
        self._session.dismiss_problems()
        job = self._session.start_work(
            _about(path, self.tr("Saving {name}")),
            work.save_file,
            project,
            path,
            self._view(),
            self.kept_at,
            with_inputs,
            voices,
            keeps_partial=True,  # what is written is saved, whoever stopped it meanwhile
        )
        self._saving = project, job
        as_saved = project, with_inputs, frozenset(voices)
        for ended in (job.done, job.failed, job.cancelled):
            ended.connect(lambda _result=None: self._on_save_ended(job))
        job.done.connect(lambda saved: self._on_saved(as_saved, saved, then, path))

    def _on_saved(
        self,
        as_saved: tuple[core.Project, bool, frozenset[str]],
        saved: core.SavedProject,
        then: Then,
        path: Path,
    ) -> None:
        if path != self._file.written:
            self._move_to(path)
        self._file.note_stamp()
        project, self._saved_with_inputs, self._saved_voices = as_saved
        self._saved = (project,)
        self.leftovers.remove_taken()
        remember_project(path)
        for left_out in saved.left_out:
            sentence = self.tr(
                "“{name}” could not be put inside the project: it is gone, or has changed since it was read."
            )
            self._session.report_problem(sentence.format(name=visible(left_out.name, 200)))
        folder = visible(str(path.parent), 200)
        self.saved.emit(self.tr("Saved “{name}” in {folder}").format(name=self.name, folder=folder))
        self._on_project_changed()
        then()

    def _on_save_ended(self, job: Job) -> None:
        if self._saving is not None and self._saving[1] is job:
            self._saving = None

    def _move_to(self, path: Path) -> None:
        """From now on this is the file of the project."""
        self.autosave.end()
        self._file.take(path)
        self.autosave.begin(self._file.written)

    def _after_asking(self, then: Then) -> None:
        if self.may_go(then):
            then()

    # Whose file it is

    def write_all_the_same(self) -> None:
        """The user knows that nobody else has the file open."""
        if self.locked_by:
            self._file.break_lock()
            self.autosave.begin(self._file.written)
            self._on_project_changed()

    # Unsaved changes that were left behind

    def look_for_leftovers(self) -> None:
        """Offer projects that were never saved, where the program ended unexpectedly."""
        remove_old_scores()
        if self.path is None:
            self.leftovers.look_for_unsaved()

    def recover(self) -> None:
        """Show the changes that are offered: as a change of the open project, or as one without a file."""
        path = self.leftovers.offered
        if path is None:
            return
        if self.path is None:
            self._after_asking(lambda: self._recover(path))
        else:
            self._recover(path)

    def _recover(self, path: Path) -> None:
        name = self.tr("Recovering changes")
        job = self._session.start_work(name, work.open_file, path, is_about_project=False)
        job.done.connect(lambda opened: self._on_recovered(path, opened))

    def _on_recovered(self, path: Path, opened: core.OpenedProject) -> None:
        if self.leftovers.offered != path:
            return
        self.leftovers.take()
        if self.path is None:
            self._saved = (None,)
            self._session.restart(opened.project, opened.view.get("selected"))
            self._show_view(opened.view)
        else:
            self._session.take_over(self.tr("recovery"), opened.project)
        if self._session.kept.come_back(opened.project):
            self.put_inputs_inside(True)
        self.look_for_inputs([])

    # The files that the project rests on

    def look_for_inputs(self, folders: Sequence[Path]) -> None:
        """Find out whether they are the same, and look for those that are not, also in these folders."""
        self._inputs.look(self.path, folders, self._on_full)

    def _on_full(self, error: OutputError) -> None:
        if self._saved_with_inputs:
            self._session.report_failure(error)

    def take_findings(self, found: core.Findings) -> None:
        """Mark how it stands with the files; that alone is nothing to be saved."""
        was_modified = self.is_modified
        self._session.find_inputs(found)
        if not was_modified:
            self._saved = (self._session.project,)
        self._on_project_changed()

    # What follows from a change

    def _on_project_changed(self) -> None:
        modified, project = self.is_modified, self._session.project
        if modified and project is not None:
            self.autosave.note(project, self.kept_at)
        elif self._was_modified:
            self.autosave.forget()
        self._was_modified = modified
        self.changed.emit()

    def _on_supplemented(self, before: core.Project, after: core.Project) -> None:
        if any(before is one for one in self._saved):
            self._saved = (*self._saved, after)

    def _on_faulted(self, _error: Exception) -> None:
        """What follows may be worse: what would be lost is kept now."""
        if self.is_modified:
            self.autosave.keep_after_fault()


def _about(path: Path, name: str) -> str:
    """What a job on this file is called."""
    return name.format(name=visible(path.name))


# The files that the project rests on: whether they are the same, and those that lay inside its own file.


class Inputs(QObject):
    """Looks for them, and unpacks those from inside the project file into a folder of their own.

    Signals:
        found: how it stands with each of them.
    """

    found = Signal(object)

    def __init__(self, session: Session, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._kept_at: dict[core.FileKey, Path] = {}
        self._kept_in: tempfile.TemporaryDirectory[str] | None = None

    @property
    def kept_at(self) -> dict[core.FileKey, Path]:
        """Where files are that lay inside the project file."""
        return dict(self._kept_at)

    def look(
        self, own_file: Path | None, folders: Sequence[Path], on_full: Callable[[OutputError], object]
    ) -> None:
        """Find out whether they are the same, and look for those that are not, also in these folders.

        `on_full` is told where there is no room for what lies inside the project's own file.
        """
        project = self._session.project
        if project is None or not any(item.files for item in project.items):
            return
        job = self._session.start_work(
            self.tr("Looking for the files"),
            work.find_inputs,
            project,
            own_file,
            tuple(folders),
            self._room(on_full),
            supersedes="inputs",
            urgency=Urgency.ASKED if folders else Urgency.LATER,
        )
        job.done.connect(lambda found: self._on_found(*found))

    def let_go(self) -> None:
        """Forget what was unpacked."""
        if self._kept_in is not None:
            with suppress(OSError):
                self._kept_in.cleanup()
        self._kept_in, self._kept_at = None, {}

    def _room(self, on_full: Callable[[OutputError], object]) -> Path | None:
        if self._kept_in is None:
            try:
                self._kept_in = temporary_folder()
            except OutputError as error:
                on_full(error)
                return None
        return Path(self._kept_in.name)

    def _on_found(self, found: core.Findings, kept: Mapping[core.FileKey, Path]) -> None:
        self._kept_at.update(kept)
        self.found.emit(found)
