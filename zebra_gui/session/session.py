"""All that a window is about: the open project, what the user points at, and the parts that work on it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from zebra_core.evidence.audit import Decision
from zebra_core.wording.texts import visible
from zebra_gui import core_types as core
from zebra_gui.jobs.jobs import Job, Jobs, Urgency, Watch
from zebra_gui.session import work
from zebra_gui.session.arrivals import Arrivals
from zebra_gui.session.intervals import Intervals, RecountConsent
from zebra_gui.session.open_project import OpenProject, ids_to_come_back
from zebra_gui.session.requirements import Requirements
from zebra_gui.session.unsaved import KeptInside
from zebra_gui.settings import settings

if TYPE_CHECKING:
    # Not before the window shows: these bring SciPy and pandas along. The first job imports them.
    from zebra_gui.session.conclusions import Conclusions
    from zebra_gui.session.edits import Edits
    from zebra_gui.session.findings import SpeakerStudies, StudyFindings


FIRST_PRIOR = 100


class Utilities(QObject):
    """Word error rates, what is told of emotions, and listening results of the open project.

    Signals:
        counted: of which speech, in which column of the comparison, and what: the WordErrors of transcripts,
            the Emotions that were told, or the Ratings of listeners, with what is to be told of them.
    """

    counted = Signal(object, str, object)

    def __init__(self, project: OpenProject) -> None:
        super().__init__(project)
        self._open = project

    def set_wer(self, key: core.SpeechKey, wer: float | None) -> None:
        """Take a word error rate that was typed in, or none."""
        from zebra_core.project.utility import Utility

        if self._known(key).wer != wer:
            self._put(self.tr("word error rate"), key, Utility.typed(wer, self._known(key)))

    def read_transcripts(self, key: core.SpeechKey, reference: Path, hypothesis: Path) -> None:
        """Count the word errors of a hypothesis against its reference."""
        job = self._open.start_work(
            self.tr("Counting word errors"), work.count_word_errors, reference, hypothesis, supersedes="words"
        )
        job.done.connect(lambda words: self._on_counted(key, words))

    def read_emotions(self, key: core.SpeechKey, labels: Path, predictions: Path) -> None:
        """Count of how many recordings a recogniser told the emotion."""
        name = self.tr("Reading emotions")
        job = self._open.start_work(name, work.read_emotions, labels, predictions, supersedes="emotions")
        job.done.connect(lambda emotions: self._on_told(key, emotions))

    def read_ratings(self, key: core.SpeechKey, question: core.RatingQuestion, path: Path) -> None:
        """Read what listeners answered to a question."""
        name = self.tr("Reading ratings")
        job = self._open.start_work(name, work.read_listening, path, question, supersedes="ratings")
        job.done.connect(lambda ratings: self._on_rated(key, question, ratings))

    def _on_counted(self, key: core.SpeechKey, words: core.WordErrors) -> None:
        self._put(self.tr("word errors of transcripts"), key, self._known(key).counted(words))
        self.counted.emit(key, words.rate_name, words)

    def _on_told(self, key: core.SpeechKey, emotions: core.Emotions) -> None:
        self._put(self.tr("emotions that were told"), key, self._known(key).with_emotions(emotions))
        self.counted.emit(key, "uar", emotions)

    def _on_rated(self, key: core.SpeechKey, question: core.RatingQuestion, ratings: core.Ratings) -> None:
        self._put(self.tr("listening results"), key, self._known(key).heard(question, ratings))
        column = "heard" if question.value == "similarity" else question.value
        self.counted.emit(key, column, ratings)

    def _known(self, key: core.SpeechKey) -> core.Utility:
        from zebra_core.project.utility import Utility

        project = self._open.project
        return project.utilities.get(key, Utility()) if project else Utility()

    def _put(self, text: str, key: core.SpeechKey, utility: core.Utility) -> None:
        if (project := self._open.project) is not None:
            self._open.change(text, project.with_utility(key, utility))


class Reassessment(QObject):
    """Decisions on the files of entries, and what their scores are; each can be undone."""

    def __init__(self, project: OpenProject) -> None:
        super().__init__(project)
        self._open = project

    def decide(self, entry_id: str, decision: Decision, *, holds: bool) -> None:
        """Make a decision about an entry or take it back, and assess its files anew."""
        entry = self._entries([entry_id])[0]
        made = set(entry.audit.decisions) if entry.audit else set()
        allow = made | {decision} if holds else made - {decision}
        name = self.tr("Assessing {name}").format(name=visible(entry.own_name))
        job = self._open.start_work(
            name, work.read_again, entry, frozenset(allow), supersedes=f"decide {entry_id}"
        )
        job.done.connect(self._on_decided)

    def declare(self, entry_ids: Iterable[str], meaning: core.ScoreMeaning) -> None:
        """Say what the scores of these entries are; they are judged anew, which may take a moment."""
        entries = [
            entry
            for entry in self._entries(entry_ids)
            if entry.assessment.settings.score_meaning is not meaning
        ]
        if entries:
            job = self._open.start_work(self.tr("Judging the scores"), work.judge_scores, entries, meaning)
            job.done.connect(self._on_judged)

    def _entries(self, entry_ids: Iterable[str]) -> list[core.Entry]:
        entries = {entry.id: entry for entry in self._open.entries}
        return [entries[one] for one in entry_ids]

    def _on_decided(self, entry: core.Entry) -> None:
        project = self._open.project
        shown = next((old for old in self._open.entries if old.id == entry.id), None)
        if project and shown:  # it may have been removed meanwhile, or called otherwise
            decided = replace(shown, trials=entry.trials, assessment=entry.assessment)
            self._open.change(self.tr("decision"), project.replacing(decided))

    def _on_judged(self, found: Mapping[str, core.Assessment]) -> None:
        if project := self._open.project:
            self._open.change(self.tr("declaration of the scores"), project.with_assessments(found))


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


class Session(OpenProject):
    """The open project with everything that works on it, and what is pointed at in all panes alike.

    Signals:
        topic_changed: the user looks at another pane, or at another picture on it.
        speaker_changed: another speaker is pointed at, or none.
        prior_changed: another prior is considered, or it is marked in the pictures or no longer.
        restarting: what is open is about to give way to another project, or to none.
    """

    restarting = Signal()
    topic_changed = Signal()
    speaker_changed = Signal()
    prior_changed = Signal()

    def __init__(self, jobs: Jobs, parent: QObject | None = None) -> None:
        super().__init__(jobs, parent)
        self._speaker: str | None = None
        self._topic = ""
        self._prior = FIRST_PRIOR
        self._people: int | None = None  # in question, of the project that the prior follows
        self._marks_prior = True
        self.drawing = DrawingQueues(self)
        self.arrivals = Arrivals(self)
        self.kept = KeptInside(self)
        self.utilities = Utilities(self)
        self.takers: list[Callable[[Sequence[Path]], Sequence[Path]]] = []  # of files that satellites read
        self.counting_again = RecountConsent(self)
        self.intervals = Intervals(self, self.counting_again)
        self.reassessing = Reassessment(self)
        self.requirements = Requirements(self)
        self.left.connect(self._on_left)
        self.project_changed.connect(self._follow_people)

    # The parts that are made when they are first wanted

    @cached_property
    def edits(self) -> Edits:
        """What the user does with the items of the project, made when there are some."""
        from zebra_gui.session.edits import Edits

        return Edits(self)

    @cached_property
    def speaker_studies(self) -> SpeakerStudies:
        """What is said speaker by speaker, made when a pane first asks for it."""
        from zebra_gui.session.findings import SpeakerStudies

        return SpeakerStudies(self, self.counting_again)

    @cached_property
    def conclusions(self) -> Conclusions:
        """The answer for each safeguard, made when a pane first asks for it."""
        from zebra_gui.session.conclusions import Conclusions

        return Conclusions(self)

    @cached_property
    def findings(self) -> StudyFindings:
        """What is found of people in each assessment, made when a pane first asks for it."""
        from zebra_gui.session.findings import StudyFindings

        return StudyFindings(self, self.counting_again)

    # What the user points at

    @property
    def speaker(self) -> str | None:
        """The name of the speaker that the user points at, in all panes alike."""
        return self._speaker

    @property
    def topic(self) -> str:
        """What the pane is about that the user looks at."""
        return self._topic

    @property
    def prior(self) -> int:
        """The prior that the user considers, as 1 in so many."""
        return self._prior

    @property
    def project_at_prior(self) -> core.Project | None:
        """The open project, its decisions judged at that prior."""
        return self.project.at_prior(self._prior) if self.project else None

    @property
    def selected_at_prior(self) -> core.Entry | None:
        """The selected entry, its decisions judged at that prior."""
        return self.selected.at_prior(self._prior) if self.selected else None

    @property
    def marks_prior(self) -> bool:
        """Whether pictures show where the prior is."""
        return self._marks_prior

    @property
    def prior_log_odds(self) -> float:
        """The prior that the user considers, as natural log-odds."""
        from zebra_core.metrics.prior import prior_log_odds

        return prior_log_odds(self._prior)

    @property
    def prior_mark(self) -> float | None:
        """Where pictures mark the prior, as natural log-odds."""
        return self.prior_log_odds if self._marks_prior else None

    def select_speaker(self, name: str | None) -> None:
        """Point at a speaker, or at none; the same name is the same speaker in all panes."""
        if name != self._speaker:
            self._speaker = name
            self.speaker_changed.emit()

    def look_at(self, topic: str) -> None:
        """The user looks at the pane about this topic."""
        if topic != self._topic:
            self._topic = topic
            for job in self._jobs.wanted:  # what is still seen is asked for again
                job.urgency = Urgency.LATER if job.urgency is Urgency.SEEN else job.urgency
            self.topic_changed.emit()

    def consider_prior(self, one_in: int) -> None:
        """Consider a prior of 1 in so many, from 2 on."""
        if one_in != self._prior:
            self._prior = one_in
            self.prior_changed.emit()

    def _follow_people(self) -> None:
        """Consider a prior of 1 in as many as are in question, whenever another number of them is stated."""
        people = self.project.report.people if self.project else None
        if people != self._people:
            self._people = people
            self.consider_prior(people or FIRST_PRIOR)

    def mark_prior(self, marks: bool) -> None:
        """Mark the prior in the pictures, or leave it out."""
        if marks != self._marks_prior:
            self._marks_prior = marks
            self.prior_changed.emit()

    # What is open

    def load(self, paths: Sequence[Path]) -> None:
        """Read and assess files in any order; half of a pair waits for its other half.

        Files that are called .toml are requirements; takers take theirs first.
        """
        required = [path for path in paths if path.suffix.lower() == ".toml"]
        for path in required:
            self.dismiss_problems()
            self.requirements.read(path)
        others = [path for path in paths if path not in required]
        for take in self.takers:
            taken = take(others)
            others = [path for path in others if path not in taken]
        if others:
            self.arrivals.load(others)

    def open_demo(self) -> Job:
        """Put the demo project in the place of the open one; the job tells when it is there."""
        self.dismiss_problems()
        job = self.start_work(
            self.tr("Assessing the demo"), work.demo_project, supersedes="demo", is_about_project=False
        )
        job.done.connect(self._on_demo_assessed)
        return job

    def hold_against(self, path: Path, *, is_same_people: bool) -> None:
        """Look what has changed since an earlier report or project, which the report then says."""
        if (project := self.project) is None:
            return
        self.dismiss_problems()
        name = self.tr("Looking at {name}").format(name=visible(path.name))
        held = partial(work.held_against, project, path, is_same_people=is_same_people)
        job = self.start_work(name, held)
        job.done.connect(self._on_held_against)

    def _on_held_against(self, held: core.Project) -> None:
        if (project := self.project) is not None:
            self.take_over(self.tr("look at what has changed"), replace(project, since=held.since))
            self.report_problem(work.changed_in_words(held))

    def restart(self, project: core.Project | None, selected_id: object = None) -> None:
        """Begin with another project, or with none; there is nothing to be undone.

        What was selected when it was kept is selected at once where it is still there: all panes draw it.
        """
        self.restarting.emit()
        self.before = None
        self.arrivals.forget_waiting()
        self.arrivals.dismiss()
        self.kept.leave()
        self.dismiss_problems()
        self.undo_stack.clear()
        self._show(project, _first_of(project, selected_id), is_another=True)

    def open_project(self, project: core.Project) -> None:
        """Put an assessed project in the place of the open one and select its first entry."""
        self._change(self.tr("open the project"), project, project.items[0].id)

    def close(self) -> None:
        """Close everything; the window is empty again."""
        if self.items:
            self._change(self.tr("close"), None, None)

    # Changes that the user asks for, all of which can be undone; of items they are in `edits`

    def take_over(self, text: str, project: core.Project) -> None:
        """Put another state of the open project in the place of this one."""
        is_there = any(item.id == self._selected_id for item in project.items)
        self._change(text, project, self._selected_id if is_there else _first_of(project))

    def find_inputs(self, found: core.Findings) -> None:
        """Take over where the files are and how it stands with them.

        That is no change of the user's: with nothing to be undone yet, it is not undone either.
        """
        from zebra_core.project.reading.inputs import with_findings

        if self._project is None or (project := with_findings(self._project, found)) is self._project:
            return
        if self.undo_stack.count() == 0:
            self._show(project, self._selected_id)
        else:
            self._change(self.tr("finding of the files"), project, self._selected_id)

    def set_scales(self, tag_scale: core.TagScale, verbal_scale: core.VerbalScale | None) -> None:
        """Tag everything by another scale, and show a verbal scale beside it or none."""
        if self._project and (tag_scale, verbal_scale) != (
            self._project.tag_scale,
            self._project.verbal_scale,
        ):
            project = self._project.with_scales(tag_scale, verbal_scale)
            self._change(self.tr("change of the scale"), project, self._selected_id)

    def set_sessions(self, sessions: core.Sessions | None) -> None:
        """State which recordings are of one session, of all assessments; None: nobody says."""
        if self._project and any(entry.sessions != sessions for entry in self._project.entries):
            self._change(
                self.tr("change of the sessions"), self._project.in_sessions(sessions), self._selected_id
            )

    def set_report(self, settings: core.ReportSettings) -> None:
        """Say something else about the report."""
        if self._project and settings != self._project.report:
            project = replace(self._project, report=settings)
            self._change(self.tr("change of the report"), project, self._selected_id)

    def set_review(self, text: str, review: core.Review) -> None:
        """Let reviewers of the report have said this; `text` is what was done."""
        if self._project and review != self._project.review:
            self._change(text, replace(self._project, review=review), self._selected_id)

    def _on_left(self) -> None:
        self.drawing.drop_all()
        self.select_speaker(None)

    def _on_demo_assessed(self, project: core.Project) -> None:
        protected = next(entry for entry in project.entries if entry.colour is not None)
        self._change(self.tr("open the demo"), project, protected.id)


def _first_of(project: core.Project | None, wanted_id: object = None) -> str | None:
    """What one looks at first: what is wanted, where it is there, else an assessment, where there is one."""
    if project is None:
        return None
    ids = [item.id for item in (*project.entries, *project.items)]
    return next((one for one in ids if one == wanted_id), next(iter(ids), None))


# How sure figures are, worked out as soon as they are there, beside everything that is asked for.


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
