"""Files on their way into a project: what they give with the answers so far, and what is still open."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from zebra_core.errors import ZebraError
from zebra_core.evidence.answers import Answers
from zebra_core.evidence.decisions import Decision
from zebra_core.intake.opening import packing
from zebra_core.intake.opening.opening import Source
from zebra_core.intake.planned import (
    Choices,
    FoundFile,
    Plan,
    Planned,
    PlannedAssessment,
    PlannedSimilarity,
    Question,
    Topic,
    unpacking_answer,
    unpacking_question,
)
from zebra_core.intake.sorting.keys import KeyTables
from zebra_core.intake.sorting.naming import without_common_folders
from zebra_core.intake.sorting.plan import plan, rows_of
from zebra_core.project.attack_words import AttackWords
from zebra_core.project.items import Entry, Item
from zebra_core.project.project import Project
from zebra_core.project.reading.content_cache import KnownResults
from zebra_core.project.reading.reading import Attempt, try_planned, try_planned_similarity
from zebra_core.project.reading.transcripts import CountedWords, count_beside, tell_beside
from zebra_core.runtime.parallel import each
from zebra_core.runtime.progress import Progress, no_progress, part_of
from zebra_core.wording.texts import say


@dataclass(frozen=True, eq=False)
class Arrival:
    """Files that were dropped, sorted out and tried. Never changed: another answer makes another arrival."""

    paths: tuple[Path, ...]
    plan: Plan
    answers: Answers = field(default_factory=Answers)
    tried: tuple[Attempt[Item], ...] = ()  # one for each assessment, and each similarity, of the plan
    rows: Mapping[Source, int] = field(default_factory=dict)  # of the files that could be read
    already_there: frozenset[str] = frozenset()  # places of what is in the project already
    words: CountedWords = field(default_factory=CountedWords)  # of transcripts that came along

    @property
    def entries(self) -> tuple[Item, ...]:
        """What is ready to become part of the project."""
        return tuple(one.entry for one in self.tried if one.entry is not None)

    @property
    def first(self) -> Item:
        """What to look at first: an assessment of protected speech, where there is one that is ready."""
        assessed = (entry for one in self.entries for entry in one.entries)
        return next((entry for entry in assessed if not entry.is_original), self.entries[0])

    def there_with_words(self, project: Project) -> dict[str, Entry]:
        """Assessments whose transcripts came again, by id, with those in the project that they repeat."""
        came = [entry for one in self.entries for entry in one.entries if entry.speech in self.words.speeches]
        return {one.id: known for one in came if (known := project.holding(one)) is not None}

    @property
    def failures(self) -> tuple[ZebraError, ...]:
        """Why the others are not ready, the first reason of each."""
        return tuple(one.failure for one in self.tried if one.failure is not None)

    @property
    def has_offers(self) -> bool:
        """Whether a decision of the user could lift an error."""
        return any(finding.lifted_by for one in self.tried for finding in one.errors)

    def of(self, file: FoundFile) -> tuple[Attempt[Item], ...]:
        """The assessments that a file takes part in."""
        return tuple(one for one in self.tried if file.source in _sources(one.planned))

    def with_attack(self, words: AttackWords) -> Arrival:
        """The arrival with these words on the attack, wherever its files and folders say nothing about it."""
        tried = tuple(
            one if one.entry is None else replace(one, entry=words.said_of(one.entry)) for one in self.tried
        )
        return replace(self, tried=tried) if words else self

    def with_strongest_first(self) -> Arrival:
        """The arrival sorted by EER within each speech and condition: the strongest attacker comes first."""
        place = {_speech(one): number for number, one in reversed(list(enumerate(self.tried)))}
        return replace(
            self, tried=tuple(sorted(self.tried, key=lambda one: (place[_speech(one)], _eer(one))))
        )

    def only_failed(self) -> Arrival:
        """The arrival with only what failed; assessments that are ready count as done."""
        ready = {one.planned.place for one in self.tried if one.entry is not None}
        done = self.already_there | ready
        return replace(
            self,
            plan=_without(self.plan, done),
            tried=tuple(one for one in self.tried if one.entry is None),
            words=CountedWords(),
            already_there=done,
        )


def leaves_something_open(made: Plan) -> bool:
    """Whether a plan that has something in it leaves something open, or out."""
    is_something = bool(made.planned or made.questions)
    return is_something and bool(made.questions or made.problems or made.unused)


def waits_for_more_files(made: Plan) -> bool:
    """Whether nothing can be made of a plan but to wait for more files."""
    return bool(made.unused) and not made.planned and not made.questions


def plan_with(
    paths: Iterable[Path],
    answers: Answers,
    on_progress: Progress = no_progress,
    keys: KeyTables | None = None,
) -> Plan:
    """The plan with these answers; answers that no longer fit their file are dropped."""
    paths = tuple(paths)
    made = plan(paths, answers.choices, on_progress, keys)
    outdated = {
        f"{Topic.READING.value}:{problem.source.place}"
        for problem in made.problems
        if problem.error.code == "no-such-reading"
    }
    if not outdated & answers.choices.keys():
        return made
    fitting = {name: choice for name, choice in answers.choices.items() if name not in outdated}
    return plan(paths, fitting, on_progress, keys)


def arrive(
    paths: Iterable[Path],
    answers: Answers | None = None,
    *,
    made: Plan | None = None,
    earlier: Arrival | None = None,
    done: Collection[str] = (),
    known: KnownResults | None = None,
    on_progress: Progress = no_progress,
) -> Arrival:
    """Plan, read, audit and assess what a drop comes to; raises nothing about single files.

    `made` is the plan where it is known already; what `earlier` has tried is not tried again, nor is what
    `known` remembers of the same contents.
    """
    paths, answers = tuple(dict.fromkeys(paths)), answers or Answers()
    keys = KeyTables()
    made = made or plan_with(paths, answers, part_of(on_progress, 0.0, 0.3), keys)
    made = _told_apart(_without(made, done))

    def tried_out(planned: Planned, part: Progress) -> Attempt[Item]:
        allow = answers.decisions_for(planned.place)
        before = next((one for one in earlier.tried if one.is_of(planned, allow)), None) if earlier else None
        return before or _try(planned, allow, keys, known, part)

    size = sum(file.size for planned in made.planned for file in planned.files)
    tried = each(tried_out, made.planned, part_of(on_progress, 0.3, 0.9), size)
    made, tried = _asking_about_packing(made, tried, answers.choices)
    rows = dict(earlier.rows) if earlier else {}
    rows.update({source: count for one in tried for source, count in one.rows().items()})
    if made.questions or made.problems or made.unused:
        _count_the_others(made, rows, part_of(on_progress, 0.9, 0.95))
    heard = [
        (one.planned, entry)
        for one in tried
        for entry in one.entries
        if isinstance(one.planned, PlannedAssessment)
    ]
    words = count_beside(made.transcripts, heard, part_of(on_progress, 0.95, 1.0))
    told = tell_beside(made.emotions, heard)
    words = replace(words, remarks=(*words.remarks, *told.remarks), told=told.told)
    on_progress(1.0)
    return Arrival(paths, made, answers, tuple(tried), rows, frozenset(done), words)


def _asking_about_packing(
    made: Plan, tried: Sequence[Attempt[Item]], choices: Choices
) -> tuple[Plan, list[Attempt[Item]]]:
    """The plan and the attempts, with questions about files that pack better than score files do.

    That is found only while they are read: their attempts become open questions.
    """
    asked = [_packed_too_well(one, choices) for one in tried]
    left = [one for one, questions in zip(tried, asked, strict=True) if not questions]
    waiting = [one.planned for one, questions in zip(tried, asked, strict=True) if questions]
    questions = dict.fromkeys(question for several in asked for question in several)
    assessments = tuple(one for one in made.assessments if one not in waiting)
    return replace(made, assessments=assessments, questions=(*made.questions, *questions)), left


def _packed_too_well(tried: Attempt[Item], choices: Choices) -> list[Question]:
    """Whether to unpack a file that packs too well, as a question; none where the user has answered it."""
    if tried.error is None or tried.error.code != packing.TOO_MUCH:
        return []
    return [
        unpacking_question(file.source.path)
        for file in tried.planned.files
        if file.source.name == tried.error.facts["file"]
        and unpacking_answer(file.source.path, choices) is None
    ]


def _try(
    planned: Planned,
    allow: frozenset[Decision],
    keys: KeyTables,
    known: KnownResults | None,
    on_progress: Progress,
) -> Attempt[Item]:
    if known is not None and (found := known.find(planned, allow)) is not None:
        return found
    tried: Attempt[Item]
    if isinstance(planned, PlannedSimilarity):
        tried = try_planned_similarity(planned, allow, on_progress=on_progress)
    else:
        tried = try_planned(planned, allow, on_progress=on_progress, keys=keys)
    if known is not None:
        known.keep(tried)
    return tried


def _count_the_others(made: Plan, rows: dict[Source, int], on_progress: Progress) -> None:
    """The rows of files that no assessment has read."""
    for file in made.files:
        if file.source not in rows:
            on_progress(0.0)
            try:
                rows[file.source] = rows_of(file)
            except ZebraError:  # told when it is used; so far its number of rows is not known
                continue


def _without(made: Plan, done: Collection[str]) -> Plan:
    """The plan without the items at these places, and without files that nothing else uses."""
    if not done:
        return made
    assessments = tuple(one for one in made.assessments if one.place not in done)
    similarities = tuple(one for one in made.similarities if one.place not in done)
    kept = replace(made, assessments=assessments, similarities=similarities)
    used = {source for one in kept.planned for source in _sources(one)}
    gone = {source for one in made.planned for source in _sources(one)} - used
    return replace(kept, files=tuple(file for file in made.files if file.source not in gone))


def _told_apart(made: Plan) -> Plan:
    """The plan with a folder of the scores added to names that several assessments would share."""
    alike: dict[tuple[str, ...], list[PlannedAssessment]] = {}
    for one in made.assessments:
        called = (one.name, one.dataset, one.condition or "", *one.attacked_by.values(), one.run)
        alike.setdefault(called, []).append(one)
    renamed = {
        one.scores.source: say("name.with-folder", name=one.name, folder=folder)
        for several in alike.values()
        if len(several) > 1
        for one, folder in zip(several, _distinct_folders(several), strict=True)
        if folder != one.name
    }
    if not renamed:
        return made
    return replace(
        made,
        assessments=tuple(
            replace(one, name=renamed.get(one.scores.source, one.name)) for one in made.assessments
        ),
    )


def _distinct_folders(several: Sequence[PlannedAssessment]) -> list[str]:
    """The deepest folder of the scores whose name differs for each; else the paths of their folders."""
    folders = [one.scores.source.folders for one in several]
    if len({len(path) for path in folders}) == 1:
        for level in list(zip(*folders, strict=True))[-2::-1]:
            if len(set(level)) == len(level):
                return list(level)
    return without_common_folders([one.scores.source for one in several])


def _speech(one: Attempt[Item]) -> tuple[str, str]:
    return one.planned.name, str(one.planned.condition or "")


def _eer(one: Attempt[Item]) -> float:
    return min((entry.assessment.eer for entry in one.entries), default=math.inf)


def _sources(planned: Planned) -> set[Source]:
    return {file.source for file in planned.files}
