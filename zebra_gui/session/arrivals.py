"""Files coming in: halves that wait for their other half, and arrivals that wait for the user's answers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from zebra_core.evidence.audit import Decision, Severity
from zebra_core.wording.texts import joined, quoted, visible
from zebra_gui import core_types as core
from zebra_gui.jobs.jobs import Job
from zebra_gui.language.translating import for_count
from zebra_gui.session import work
from zebra_gui.session.open_project import OpenProject

_OF_SPEAKERS = ("speakers", "attributes", "predictions")  # values of zebra_core.intake.tables.table.FileRole


class Arrivals(QObject):
    """What came and is not in the project yet. It changes no project: it asks the open one to take files in.

    Signals:
        waiting_changed: half of a pair came, found its other half, or was forgotten.
        report_came: a report that ZEBRA made, which may be verified.
        arrival_changed: files came that need answers, or another answer changed what they come to.
        announced: a sentence about what was taken in without any question, for the status bar.
    """

    waiting_changed = Signal()
    arrival_changed = Signal()
    report_came = Signal(Path)
    announced = Signal(str)

    def __init__(self, project: OpenProject) -> None:
        super().__init__(project)
        self._open = project
        self._waiting: tuple[core.FoundFile, ...] = ()
        self._arrival: core.Arrival | None = None
        self._answers: core.Answers | None = None  # the newest, of which the arrival may not know yet
        self._attack: core.AttackWords | None = None  # said of all that comes where no folder says it
        self._answering: Job | None = None
        self._waited: tuple[core.FoundFile, ...] = ()  # waits again where nothing comes of what is looked at

    @property
    def waiting(self) -> tuple[core.FoundFile, ...]:
        """Files of which nothing can be made before others come."""
        return self._waiting

    @property
    def arrival(self) -> core.Arrival | None:
        """The files that wait for the user's answers, or None where nothing is to be asked."""
        return self._arrival

    @property
    def answers(self) -> core.Answers | None:
        """All answers about the arrival so far."""
        return self._answers

    @property
    def attack(self) -> core.AttackWords | None:
        """What was said of the attack on all of them; None where nothing was."""
        return self._attack

    @property
    def is_answering(self) -> bool:
        """Whether the arrival does not yet show what the newest answers make of it."""
        return self._answering is not None

    def load(self, paths: Sequence[Path]) -> None:
        """Read and assess files in any order; half of a pair waits for its other half."""
        self._open.dismiss_problems()
        name = self.tr("Looking at files")
        job = self._open.start_work(
            name, work.sort_out, paths, self._answers_of_project(), is_about_project=False
        )
        job.done.connect(lambda made: self._on_sorted_out(paths, made))

    def load_scores(self, folder: Path, recogniser: str) -> None:
        """Take in what was made of recordings by this recogniser; the strongest attacker comes first."""
        from zebra_core.project.attackers import AttackWords

        name = self.tr("Assessing {name}").format(name=visible(folder.name))
        job = self._open.start_work(
            name, work.try_out, (folder,), None, None, None, self._known, is_about_project=False
        )
        words = AttackWords(recogniser=recogniser)
        job.done.connect(
            lambda arrival: self._on_tried_out(arrival.with_attack(words).with_strongest_first())
        )

    def forget_waiting(self) -> None:
        """Wait no longer for the other half."""
        self._waited = ()
        self._wait_with(())

    def choose(self, question_id: str, choice: str) -> None:
        """Answer a question."""
        if self._answers is not None and self._answers.choices.get(question_id) != choice:
            self._answer(self._answers.choosing(question_id, choice))

    def allow(self, places: Iterable[str], decision: Decision, *, holds: bool) -> None:
        """Decide for the score files at these places, or take a decision back."""
        if self._answers is not None:
            self._answer(self._answers.deciding(places, decision, holds=holds))

    def say_attack(self, words: core.AttackWords) -> None:
        """Say who attacks, of everything that came and says nothing of it."""
        self._attack = words if self._arrival is not None and words else None

    def accept(self) -> None:
        """Take into the project what is ready; what is still open is left out."""
        if self._arrival is not None and not self.is_answering and self._arrival.entries:
            arrival = self._arrival.with_attack(self._attack) if self._attack else self._arrival
            self._waited = ()
            self.dismiss()
            self._take_in(arrival)

    def dismiss(self) -> None:
        """Forget the files that came."""
        if self._answering:
            self._answering.cancel()
        self._show(None)
        self._wait_again()

    @cached_property
    def _known(self) -> core.KnownResults:
        """What files came to since the program began, whatever was closed meanwhile."""
        from zebra_core.project.reading.content_cache import KnownResults

        return KnownResults()

    def _answers_of_project(self) -> core.Answers | None:
        return self._open.project.answers if self._open.project else None

    def _on_sorted_out(self, paths: Sequence[Path], made: core.Plan) -> None:
        from zebra_core.project.reading.arrival import waits_for_more_files

        if self._arrival is not None:  # files that come while others wait for answers are looked at together
            self._answer(self._answers, (*self._arrival.paths, *paths))
        elif waits_for_more_files(made) and self._may_join((*self._waiting, *made.unused)):
            self._report(made, paths)
            self._join((*self._waiting, *made.unused))
        elif self._waiting and (made.unused or not made.assessments):
            self._waited = self._waiting
            self._wait_with(())
            self._try_out((*(file.source.path for file in self._waited), *paths))
        elif waits_for_more_files(made):
            self._report(made, paths)
            self._wait_with(made.unused)
        else:
            self._try_out(paths, made)

    def _may_join(self, files: Sequence[core.FoundFile]) -> bool:
        """Whether files say only who speaks or what speakers are, and there are assessments to be of."""
        return bool(self._open.entries) and all(file.role.value in _OF_SPEAKERS for file in files)

    def _join(self, files: Sequence[core.FoundFile]) -> None:
        """Give attributes and predictions to the assessments they are of; what is of none waits."""
        name = self.tr("Looking for the scores that these files belong to")
        entries, paths = self._open.entries, tuple(file.source.path for file in files)
        job = self._open.start_work(name, work.join, entries, paths)
        job.done.connect(lambda joined: self._on_joined(entries, files, joined))

    def _on_joined(
        self, entries: Sequence[core.Entry], files: Sequence[core.FoundFile], joined: core.JoinedFiles
    ) -> None:
        count, project = len(joined.beside), self._open.project
        if count and project is not None:
            self._open.change(self.tr("what files say of speakers"), joined.into(project))
            sentence = for_count(
                "Arrivals",
                "One assessment now has what these files say of its speakers: see Law.",
                "{count} assessments now have what these files say of their speakers: see Law.",
                count,
            )
            self.announced.emit(sentence.format(count=count))
        for remark in joined.remarks:
            self._open.report_problem(remark)
        waits = {file.source: file for file in (*self._waiting, *files)}
        rest = tuple(file for source, file in waits.items() if source not in joined.sources)
        self._wait_with(rest)
        if rest and [entry.files for entry in entries] != [entry.files for entry in self._open.entries]:
            self._join(rest)  # predictions belong to attributes that may have come only now

    def _try_out(self, paths: Sequence[Path], made: core.Plan | None = None) -> None:
        paths = tuple(dict.fromkeys(paths))
        name = for_count("Arrivals", "Assessing {name}", "Assessing {count} files", len(paths))
        name = name.format(name=visible(paths[0].name), count=len(paths))
        job = self._open.start_work(
            name,
            work.try_out,
            paths,
            self._answers_of_project(),
            made,
            None,
            self._known,
            is_about_project=False,
        )
        job.done.connect(self._on_tried_out)
        for ended in (job.failed, job.cancelled):
            ended.connect(lambda *_: self._wait_again())

    def _on_tried_out(self, arrival: core.Arrival) -> None:
        from zebra_core.project.reading.arrival import leaves_something_open, waits_for_more_files

        if self._arrival is not None:
            self._answer(self._answers, (*self._arrival.paths, *arrival.paths))
        elif waits_for_more_files(arrival.plan):
            self._report(arrival.plan, arrival.paths)
            self._waited = ()
            self._wait_with(arrival.plan.unused)
        elif leaves_something_open(arrival.plan):
            self._show(arrival)
        else:
            if arrival.entries:
                self._waited = ()
                self._tell_who_is_missing(arrival)
                self._take_in(arrival)
            if arrival.has_offers:
                self._show(arrival.only_failed())
            else:
                self._report(arrival.plan, arrival.paths)
                for failure in arrival.failures:
                    self._open.report_problem(str(failure))
                if not arrival.entries and (rest := _in_order(arrival)):
                    self._waited = rest  # for the file that takes the place of the other
                self._wait_again()

    def _tell_who_is_missing(self, arrival: core.Arrival) -> None:
        """Tell the user that an attacker is not stated: no question is asked if all else is clear."""
        from zebra_core.project.attackers import lacking

        if count := lacking(arrival.entries)["attacker"]:
            sentence = for_count(
                "Arrivals",
                "Nobody has said who attacks here: Edit, Attacker says it.",
                "Nobody has said who attacks in {count} assessments: Edit, Attacker says it of all selected.",
                count,
            )
            self.announced.emit(sentence.format(count=count))

    def _take_in(self, arrival: core.Arrival) -> None:
        """Take it in; what was counted of transcripts stands in the status bar; why others were not stays."""
        there = self._open.take_in(arrival)
        project = self._open.project
        for remark in arrival.words.remarks:
            if remark.severity is Severity.WARNING:
                self._open.report_problem(str(remark))
            else:
                self.announced.emit(str(remark))
        if there:
            told = for_count(
                "Arrivals",
                "One assessment was there already with the same scores; only word errors are new.",
                "{count} assessments were there already with the same scores; only word errors are new.",
                there,
            )
            self.announced.emit(told.format(count=there))
        typed = [speech for speech in arrival.words.of if project and project.utilities[speech].is_typed]
        if typed:
            told = self.tr("The word error rate that was typed in stays as it is.")
            self._open.report_problem(told)

    def _report(self, made: core.Plan, paths: Sequence[Path]) -> None:
        # What lies beside files of ours in a folder is no matter; alone it is what was dropped.
        maps = [file for file in made.files if file.role.value == "speakers"]
        problems = made.problems if len(made.files) > len(maps) else (*made.problems, *made.ignored)
        for problem in problems:
            self._open.report_problem(str(problem.error))
            if problem.error.code == "own-report":
                self.report_came.emit(problem.source.path)
        if not made.files and not problems:
            names = joined([quoted(visible(path.name)) for path in paths])
            self._open.report_problem(self.tr("There is no file in {names}.").format(names=names))

    def _wait_with(self, files: Sequence[core.FoundFile]) -> None:
        if tuple(files) != self._waiting:
            self._waiting = tuple(files)
            self.waiting_changed.emit()

    def _wait_again(self) -> None:
        """Nothing came of what was dropped: what it was to be the other half of is not forgotten for that."""
        waited, self._waited = self._waited, ()
        if waited and not self._waiting:
            self._wait_with(waited)

    def _answer(self, answers: core.Answers | None, paths: Sequence[Path] = ()) -> None:
        """Find out what the arrival comes to with these answers; what it was is shown until then."""
        if self._arrival is None:
            return
        self._answers = answers
        paths = tuple(dict.fromkeys(paths or self._arrival.paths))
        name = self.tr("Looking at files")
        job = self._open.start_work(
            name,
            work.try_out,
            paths,
            answers,
            None,
            self._arrival,
            self._known,
            supersedes="arrival",
            is_about_project=False,
        )
        self._answering = job
        job.done.connect(self._show)
        job.failed.connect(lambda _error: self._show(self._arrival))
        job.cancelled.connect(lambda: self._on_answer_cancelled(job))
        self.arrival_changed.emit()

    def _on_answer_cancelled(self, job: Job) -> None:
        if job is self._answering:  # and no newer answer is under way
            self._show(self._arrival)

    def _show(self, arrival: core.Arrival | None) -> None:
        self._arrival = arrival
        self._answers = arrival.answers if arrival else None
        self._answering = None
        self._attack = self._attack if arrival else None
        self.arrival_changed.emit()


def _in_order(arrival: core.Arrival) -> tuple[core.FoundFile, ...]:
    """The files in which nothing was found to be wrong, where something was in another of them."""
    at_fault = {str(failure.facts.get("file", "")) for failure in arrival.failures}
    found = tuple(file for file in arrival.plan.files if file.source.name not in at_fault)
    return found if len(found) < len(arrival.plan.files) else ()
