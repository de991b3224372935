"""Folders of recordings that were dropped: what is said of them, and what becomes of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from zebra_core.errors import ZebraError
from zebra_core.files.access import is_folder
from zebra_core.wording.texts import grouped, visible
from zebra_gui import core_types as core
from zebra_gui.jobs.jobs import Job, Jobs
from zebra_gui.recordings import work
from zebra_gui.session.session import Session


class Recordings(QObject):
    """What was dropped, what the user says of it, and what that comes to. It changes no project.

    Signals:
        changed: something else was found or said, or what it comes to is known.
        progressed: a Hearing, while recordings are heard.
        scored: scores were taken in; True where they belong into the project.
        protected: a ProtectedFolder.
    """

    changed = Signal()
    progressed = Signal(object)
    scored = Signal(bool)
    protected = Signal(object)

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._open, self.kept = session, session.kept
        self.jobs = Jobs(self)  # looks at samples, while others answer the user
        self._dropped: core.DroppedFolders | None = None
        self._choices: core.RecordingChoices | None = None
        self._overview: core.Overview | None = None
        self._rows: tuple[core.RecordingRow, ...] = ()
        self._seen: dict[Path, core.SurveyedRecording] = {}
        self._store = work.CountedStore(self.kept)
        self._out: Path | None = None
        self._hearing: Job | None = None
        self._overseeing: Job | None = None
        self._trying: Job | None = None  # what the user chose, of which nobody knows yet whether it will do
        self._model_told = ""
        self._unlike: tuple[str, ...] = ()  # what of a delivery is not as it was last time
        self._kept_in: Path | None = None
        self.assessed: tuple[core.Overview, core.DroppedFolders] | None = None  # of the open project, last
        self._scores: Path | None = None  # of these
        self._superseded: Path | None = None  # the scores that the next start takes the place of
        self.alike: tuple[core.AlikeSpeakers, ...] = ()  # of the last start, not answered yet
        self.problem = ""  # why nothing came of the last start
        session.takers.append(self.take)
        session.restarting.connect(self._forget_all)
        self.kept.changed.connect(self.changed)
        self.kept.voices_came.connect(self._on_voices)

    @classmethod
    def of(cls, session: Session) -> Recordings:
        """Those of a session, which has them once."""
        return session.findChild(cls) or cls(session)

    @property
    def dropped(self) -> core.DroppedFolders | None:
        """What was found, or None where nothing is shown."""
        return self._dropped

    @property
    def choices(self) -> core.RecordingChoices | None:
        """What the user has said so far."""
        return self._choices

    @property
    def overview(self) -> core.Overview | None:
        """What that comes to, or came to before the newest choice."""
        return self._overview

    @property
    def rows(self) -> tuple[core.RecordingRow, ...]:
        """What is said of each original recording."""
        return self._rows

    @property
    def out(self) -> Path | None:
        """Where scores are saved; None: inside the project."""
        return self._out

    @property
    def model_told(self) -> str:
        """What is said of the user's own recogniser."""
        return self._model_told

    @property
    def hearing(self) -> Job | None:
        """The job that hears recordings, while it does."""
        return self._hearing

    @property
    def is_hearing(self) -> bool:
        """Whether recordings are being heard."""
        return self._hearing is not None

    @property
    def is_ready(self) -> bool:
        """Whether one can go on, and what is shown is what the newest choice comes to."""
        ready = self._overview is not None and self._overview.request is not None
        return ready and self._overseeing is None and self._trying is None and self._hearing is None

    @property
    def heard(self) -> int:
        """The number of recordings whose embeddings are in memory."""
        return len(self._store)

    @property
    def kept_in(self) -> Path | None:
        """In which folder embeddings are kept as well, because the user asked for it."""
        return self._kept_in

    # What is dropped

    def begin_again(self, same: core.SameAgain) -> None:
        """Show another delivery with the choices of last time, and what does not fit."""
        self.dismiss()
        self._dropped, self._choices, self._unlike = same.dropped, same.choices, same.differences
        self._seen = dict(same.seen)
        self._oversee()

    def take(self, paths: Sequence[Path]) -> Sequence[Path]:
        """Look for recordings where it is worth while; what holds none is loaded as other files are."""
        if not paths or (self._dropped is None and not any(map(is_folder, paths))):
            return ()
        self.load(paths, partial(self._open.arrivals.load, paths))
        return paths

    def load(self, paths: Sequence[Path], otherwise: Callable[[], object]) -> None:
        """Look for recordings; where there are none, or score files, too, do `otherwise`."""
        before = self._dropped.paths if self._dropped else ()
        divided = self._choices.divided if self._choices else {}
        job = self._open.start_work(
            self.tr("Looking at files"),
            work.look,
            paths,
            divided,
            dict(self._seen),
            before,
            is_about_project=False,
        )
        job.done.connect(lambda looked: self._on_looked(looked, otherwise))

    def _on_looked(self, looked: work.FolderContents, otherwise: Callable[[], object]) -> None:
        if looked.dropped is None:
            otherwise()
            if looked.has_scores:
                self._open.report_problem(
                    self.tr(
                        "There are recordings beside the score files. The score files were opened. To "
                        "compare the recordings, drop only their folders."
                    )
                )
            return
        from zebra_core.recordings.overview import RecordingChoices

        self._dropped, self._choices = looked.dropped, self._choices or RecordingChoices.first(looked.dropped)
        self._seen = {**(looked.seen or {}), **self._seen}  # which may have been looked at since
        self._oversee()

    def _forget_all(self) -> None:
        self.assessed, self.alike = None, ()
        self.dismiss()

    def dismiss(self) -> None:
        """Forget the folders; what was heard is kept, so that the next start goes on."""
        self.jobs.drop_all()
        for job in filter(None, (self._hearing, self._overseeing, self._trying)):
            job.drop()
        self._dropped = self._choices = self._overview = self._out = self._kept_in = self._superseded = None
        self._hearing = self._overseeing = self._trying = None
        self._seen, self._rows, self._model_told, self.problem, self._unlike = {}, (), "", "", ()
        self.changed.emit()

    def cancel(self) -> None:
        """Look at no more samples; where none are looked at, forget the folders."""
        if self.jobs.wanted:
            self.jobs.cancel_all()
        else:
            self.dismiss()

    def forget_heard(self) -> int:
        """Forget every embedding, in the folder they are kept in as well; returns how many were in memory."""
        count, folder = self._store.forget(), self._kept_in
        self._kept_in = None
        self.kept.keep_voices(False)
        if folder is not None:
            name = self.tr("Forgetting the voices that were heard")
            job = self._open.start_work(name, work.forget, folder, is_about_project=False, is_reported=False)
            job.failed.connect(self._tell_failure)
        self.changed.emit()
        return count

    # What is said

    def choose(self, choices: core.RecordingChoices) -> None:
        """Say something else."""
        if self._choices is None or self._dropped is None or choices == self._choices:
            return
        before, self._choices, self.problem = self._choices, choices, ""
        if choices.channel != before.channel:
            self.jobs.drop_all()
            self._seen = {path: replace(one, measured=None, fault=None) for path, one in self._seen.items()}
        if choices.divided != before.divided:
            self.load((), lambda: None)
        self._oversee()

    def count_as_one(self, pair: core.AlikeSpeakers) -> None:
        """Show what was assessed last again, with two of its speakers as one person.

        What comes of it takes the place of what was assessed, which undoing brings back.
        """
        if self.assessed is None:
            return
        overview, dropped = self.assessed
        self.dismiss()
        self.alike, self._superseded = (), self._scores
        self._dropped = dropped
        together = (*overview.choices.one_person, pair.names)
        self._choices = replace(overview.choices, one_person=together)
        self._oversee()

    def leave_apart(self, pair: core.AlikeSpeakers) -> None:
        """The user has read that two speakers sound alike, and leaves them two."""
        self.alike = tuple(one for one in self.alike if one != pair)
        self.changed.emit()

    def save_in(self, folder: Path | None) -> None:
        """Say where scores are saved."""
        self._out, self.problem = folder, ""
        self.changed.emit()

    def keep_in(self, folder: Path | None) -> None:
        """Say in which folder embeddings are kept as well; None: in memory alone."""
        self._kept_in, self.problem = folder, ""
        if folder is None:
            self.kept.keep_voices(False)
        self.changed.emit()

    def _on_voices(self, count: int) -> None:
        sentence = self.tr(
            "This project file contains embeddings of {count} recordings, which are biometric data. To "
            "remove them, clear File > Keep voices inside the file, and save."
        )
        self._open.report_problem(sentence.format(count=grouped(count)))

    def learn_from(self, folder: Path | None) -> None:
        """Let back ends learn from a folder, where it is clear what is in it; None: in folds."""
        if self._choices is None:
            return
        if folder is None:
            self.choose(replace(self._choices, training=None))
            return
        self.problem = ""
        name = self.tr("Looking at {name}").format(name=visible(folder.name))
        job = self._open.start_work(name, work.find_lesson, folder, is_about_project=False, is_reported=False)
        job.done.connect(self._on_lesson)
        job.failed.connect(self._tell_failure)
        self._wait_for(job)

    def _on_lesson(self, found: core.BackgroundFolders) -> None:
        if self._choices is not None:
            self.choose(replace(self._choices, training=found))

    def use_model(self, path: Path | None) -> None:
        """Try a recogniser of the user's own, and use it where it passes; None: the one that comes along."""
        if self._choices is None:
            return
        self._model_told = self.problem = ""
        if path is None:
            self.choose(replace(self._choices, model=None))
            self.changed.emit()
            return
        name = self.tr("Trying {name}").format(name=visible(path.name))
        job = self._open.start_work(name, work.try_model, path, is_about_project=False, is_reported=False)
        job.done.connect(partial(self._on_model_tried, path))
        job.failed.connect(self._tell_failure)
        self._wait_for(job)

    def _on_model_tried(self, path: Path, sentence: str) -> None:
        if self._choices is not None:
            self._model_told = sentence
            self.choose(replace(self._choices, model=path))
            self.changed.emit()

    def _wait_for(self, job: Job) -> None:
        """Nothing is heard before it ends: it would be heard as the user did not want it."""
        self._trying = job
        for ended in (job.done, job.failed, job.cancelled):
            ended.connect(lambda *_: self._on_tried(job))
        self.changed.emit()

    def _on_tried(self, job: Job) -> None:
        if job is self._trying:
            self._trying = None
            self.changed.emit()

    # What it comes to

    def _oversee(self) -> None:
        assert self._dropped is not None and self._choices is not None  # noqa: S101, PT018
        job = self._open.start_work(
            self.tr("Looking at recordings"),
            work.oversee,
            self._dropped,
            self._choices,
            dict(self._seen),
            supersedes="recordings",
            is_about_project=False,
        )
        self._overseeing = job
        job.done.connect(partial(self._on_overseen, job))
        for ended in (job.failed, job.cancelled):
            ended.connect(lambda *_: self._on_not_overseen(job))
        self.changed.emit()

    def _on_not_overseen(self, job: Job) -> None:
        if job is self._overseeing:
            self._overseeing = None
            self.changed.emit()

    def _on_overseen(self, job: Job, made: work.RecordingsReview) -> None:
        if self._dropped is None or job is not self._overseeing:
            return
        told = (*self._unlike, *made.overview.sentences)
        self._overview = replace(made.overview, sentences=told)
        self._rows, self._overseeing = made.rows, None
        self._survey(made.unseen)
        self.changed.emit()

    def _survey(self, rest: Sequence[core.Recording]) -> None:
        """Look at the samples of what nobody has looked at yet."""
        assert self._choices is not None  # noqa: S101
        self.jobs.drop_all()
        if not rest:
            return
        name = self.tr("Looking at the sound of {count} recordings").format(count=grouped(len(rest)))
        job = self.jobs.start(name, work.survey, rest, dict(self._seen), self._choices.channel)
        job.done.connect(self._on_surveyed)
        job.failed.connect(self._open.report_failure)

    def _on_surveyed(self, seen: Mapping[Path, core.SurveyedRecording]) -> None:
        self._seen.update(seen)
        if self._dropped is not None:
            self._oversee()

    def as_words(self) -> list[str]:
        """The words of the command that does the same, with scores beside the delivery where none is said.

        Empty where nothing can be started, or no command asks it.
        """
        found = self._overview
        if found is None or found.request is None:
            return []
        delivery = found.request.delivery
        return found.request.as_words(self._out or delivery.with_name(f"{delivery.name}-scores"))

    # What becomes of it

    def start(self) -> None:
        """Hear and attack; the scores go where the user said, or will be inside the project."""
        found = self._overview
        if found is None or found.request is None or not self.is_ready:
            return
        self._open.dismiss_problems()
        self.jobs.drop_all()
        self.problem = ""
        try:
            out = self._out or self._inside()
        except ZebraError as error:
            self._on_failed(error)
            return
        is_inside = self._out is None
        job = self._open.start_work(
            self.tr("Listening to {count} recordings").format(count=grouped(found.count_heard)),
            work.score,
            found.request,
            out,
            found.count_heard,
            self._store,
            self._kept_in,
            is_about_project=False,
            is_reported=False,
        )
        self._hearing = job
        job.got_partial.connect(self.progressed)
        job.done.connect(partial(self._on_scored, is_inside))
        job.failed.connect(self._on_failed)
        job.cancelled.connect(lambda: self._on_stopped(job))
        self.changed.emit()

    def stop(self) -> None:
        """Hear no more; what was heard is kept."""
        if self._hearing is not None:
            self._hearing.cancel()

    def protect(self, asked: work.ProtectionRequest) -> Job:
        """Make protected copies; where the folder is shown they are shown beside it."""
        self._open.dismiss_problems()
        name = self.tr("Protecting {name}").format(name=visible(asked.folder.name))
        job = self._open.start_work(name, work.protect, asked, is_about_project=False)
        job.done.connect(self._on_protected)
        return job

    def _inside(self) -> Path:
        return self.kept.new_scores() / "recordings"

    def _on_scored(self, is_inside: bool, written: work.WrittenScores) -> None:
        shown = self._overview.sentences if self._overview else ()
        new = tuple(one for one in written.sentences if one not in shown)
        self._hearing = None
        if self._overview is not None and self._dropped is not None:
            self.assessed = self._overview, self._dropped
        self.alike = written.alike
        if (before := self._superseded) is not None:
            inside = (one for one in self._open.items if one.files[0].path.is_relative_to(before))
            self._open.edits.remove([one.id for one in inside])
        self._scores = written.folder
        self.dismiss()
        self.kept.changed.emit()
        for sentence in new:
            self._open.report_problem(sentence)
        self._open.arrivals.load_scores(written.folder, written.recogniser)
        self.scored.emit(is_inside)

    def _on_failed(self, error: Exception) -> None:
        self._hearing = None
        self._tell_failure(error)

    def _tell_failure(self, error: Exception) -> None:
        if isinstance(error, ZebraError):
            self.problem = str(error)
        else:
            self._open.report_failure(error)
        self.changed.emit()

    def _on_stopped(self, job: Job) -> None:
        if job is self._hearing:  # else it was dropped, and another may have begun
            self._hearing = None
            self.changed.emit()

    def _on_protected(self, made: work.ProtectedFolder) -> None:
        for sentence in made.sentences:
            self._open.report_problem(sentence)
        self.protected.emit(made)
        if self._dropped is not None and made.count:
            self.load([made.out], lambda: None)
