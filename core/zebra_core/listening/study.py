"""A listening test in a project: what came of it, its assessments, and both again from the listeners' files.

Panels, each listener alone, and a recogniser on the very same pairs become assessments whose files are the
plan and the answers. Which of them one is stands among its choices.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from zebra_core.errors import InputError
from zebra_core.evidence.audit import InputFile, Remark
from zebra_core.evidence.heard_trials import HeardTrials
from zebra_core.evidence.trials import Ids, Trials
from zebra_core.intake.opening.opening import Source
from zebra_core.intake.planned import Topic
from zebra_core.intake.tables.table import FileRole
from zebra_core.listening.answers import SUFFIX as ANSWERS, read_answers
from zebra_core.listening.evaluation import Evaluation, evaluate, with_machine
from zebra_core.listening.intervals import heard_trials
from zebra_core.listening.items import UNPROTECTED, ItemTask
from zebra_core.listening.package import SUFFIX as TEST
from zebra_core.listening.plan import NAME, ListeningPlan, read_plan
from zebra_core.listening.scores import RECOGNISER, Panel, gather_answers, panels
from zebra_core.metrics.assessment import Settings, assess
from zebra_core.project.arranging import grouped
from zebra_core.project.items import Attacker, Condition, Entry, Item
from zebra_core.project.project import Project
from zebra_core.project.satellites import Study
from zebra_core.recordings.sound import hash_of
from zebra_core.runtime.progress import Progress, no_progress, part_of
from zebra_core.uncertainty.bootstrap import LISTENERS, BootstrapSettings
from zebra_core.wording.texts import ENGLISH, in_english, kept, listed, say, speaking

PANEL, MACHINE = "panel", "machine"
_SCORES = {ItemTask.SAME: "confidence", ItemTask.PLACEMENT: "placement"}
_MISSING = ("listening-recordings-gone", "listening-other-package-here")


class ListeningStudy(Study):
    """A test and what came of it, as plain values of LISTENING_OUTCOME; a decision makes another one.

    Its files are the plan, the answers, and the tests that a recogniser heard.
    """

    kind = "listening"

    @property
    def left_out(self) -> tuple[str, ...]:
        """The codes of listeners that the user has left out."""
        return tuple(one["code"] for one in self.values["listeners"] if one["is_left_out"])

    @property
    def failing(self) -> tuple[str, ...]:
        """The codes of those who did not pass the anchors, left out or not."""
        return tuple(
            one["code"]
            for one in self.values["listeners"]
            if any(of["fails_anchors"] for of in one["reliability"].values())
        )

    @property
    def settings(self) -> BootstrapSettings:
        """What its intervals rest on."""
        asked = self.values
        return BootstrapSettings(asked["replicates"], asked["level"], asked["bootstrap_seed"])

    @property
    def title(self) -> str:
        """What the experimenter called it."""
        return str(self.values["title"]) or say("account.untitled")


@dataclass(frozen=True, eq=False)
class HeardTest:
    """A study with its assessments, and sentences about files that were not used."""

    study: ListeningStudy
    entries: tuple[Entry, ...]
    faults: tuple[str, ...] = ()


def hear_dropped(
    paths: Iterable[Path], known: Sequence[ListeningStudy], on_progress: Progress = no_progress
) -> HeardTest:
    """Answers that came with their plan, or belong to a test that is known, whose answers stay.

    Raises InputError where there is no plan, or there are several, or nobody's answers can be used.
    """
    inside = [one for path in paths for one in ([path] if path.is_file() else sorted(path.iterdir()))]
    plans = list(dict.fromkeys(one for one in inside if one.name == NAME))
    answers = [one for one in inside if one.suffix == ANSWERS]
    if len(plans) > 1:
        raise InputError("listening-several-plans", names=listed([str(one.parent) for one in plans]))
    before = _test_of(plans, answers, known)
    plan = plans[0] if plans else before.plan.path if before else None
    if plan is None:
        raise InputError("listening-no-plan")
    if before is not None:
        answers = [*files_of(before.files)[1], *answers]
    left_out = before.left_out if before else ()
    settings = before.settings if before else None
    return hear_answers(plan, list(dict.fromkeys(answers)), left_out, settings, on_progress)


def _test_of(
    plans: Sequence[Path], answers: Sequence[Path], known: Sequence[ListeningStudy]
) -> ListeningStudy | None:
    """The known test that a plan, or else the first answers that can be read, belong to.

    Answers of which nothing can be read count as those of the only test there is, so that it is said why.
    """
    tests = [read_plan(one).id for one in plans]
    for path in answers if not plans else ():
        try:
            tests.append(read_answers(path).test)
        except InputError:  # told when the answers are evaluated
            continue
    if not tests and len(known) == 1:
        return known[0]
    return next((one for test in tests for one in known if one.test == test), None)


def hear_answers(
    plan: Path,
    answers: Sequence[Path],
    left_out: Collection[str] = (),
    settings: BootstrapSettings | None = None,
    on_progress: Progress = no_progress,
    *,
    by_machine: bool = True,
) -> HeardTest:
    """Evaluate answers; `by_machine` as well where the listeners' files lie beside the plan.

    Raises InputError where nobody's answers can be used.
    """
    made = read_plan(plan)
    found = evaluate(made, answers, left_out, settings, part_of(on_progress, 0.0, 0.5))
    if by_machine:
        found = _with_machine(found, plan.parent, part_of(on_progress, 0.5, 0.8))
    files = _files(plan, found)
    entries = _entries(found, files, part_of(on_progress, 0.8, 1.0))
    study = ListeningStudy(tuple(files.values()), values_of(found))
    return HeardTest(study, entries, found.gathered.faults)


def hear_again(
    study: ListeningStudy, left_out: Collection[str], on_progress: Progress = no_progress
) -> HeardTest:
    """Evaluate the test again without these listeners. Raises InputError where files are gone or changed."""
    plan, answers = files_of(study.files)
    _refuse_changed(study.files)
    nobody_else = say("listening.no-machine", reason="").strip()  # as it was said where recordings had gone
    by_machine = any(file.role == FileRole.LISTENING_TEST.value for file in study.files) or any(
        sentence.startswith(nobody_else) for sentence in study.values["told"]
    )
    found = hear_answers(plan, answers, left_out, study.settings, on_progress, by_machine=by_machine)
    return replace(found, study=replace(found.study, id=study.id))


def files_of(files: Iterable[InputFile]) -> tuple[Path, list[Path]]:
    """The plan and the answers among files. Raises InputError where there is no plan."""
    plans = [file.path for file in files if file.role == FileRole.LISTENING_PLAN.value]
    if not plans:
        raise InputError("listening-no-plan")
    return plans[0], [file.path for file in files if file.role == FileRole.LISTENING_ANSWERS.value]


def is_heard(entry: Entry) -> bool:
    """Whether an assessment came of a listening test."""
    return any(file.role == FileRole.LISTENING_PLAN.value for file in entry.files)


def choice_of(entry: Entry) -> str:
    """Which attacker of which question under which safeguard an assessment is, as its choices say."""
    return next((value for name, value in entry.choices.items() if _is_ours(name)), "")


def listener_of(entry: Entry) -> str:
    """The code of the listener whose assessment it is; empty for a panel, a recogniser and all others."""
    chosen = choice_of(entry)
    who = json.loads(chosen)[0] if chosen else PANEL
    return "" if who in (PANEL, MACHINE) else str(who)


def is_alone(entry: Entry) -> bool:
    """Whether an assessment is of one listener of several, not of a panel or a recogniser."""
    return bool(listener_of(entry))


def read_heard(entry: Entry, on_progress: Progress = no_progress) -> Entry:
    """The assessment computed again from its files. Raises InputError where they are not what they were."""
    _refuse_changed(entry.files)
    made = heard_from(entry.files, entry.choices, entry.assessment.settings, on_progress)
    return replace(entry, trials=made.trials, assessment=made.assessment)


def speakers_heard(entry: Entry) -> dict[str, str]:
    """Who speaks in which recording, by the plan. Raises InputError where it is not what it was."""
    plan, _ = files_of(entry.files)
    _refuse_changed(file for file in entry.files if file.path == plan)
    return dict(read_plan(plan).speaker)


def answers_of(entry: Entry, on_progress: Progress = no_progress) -> HeardTrials:
    """What draws of speakers, listeners and canvases need: what the plan knows, and what everybody said.

    Raises InputError where these files are not what they were.
    """
    on_progress(0.0)
    _refuse_changed(entry.files)
    plan_file, answers = files_of(entry.files)
    plan = read_plan(plan_file)
    who, question, safeguard = json.loads(choice_of(entry))
    made, _ = panels(gather_answers(plan, answers).listeners, plan.speaker)
    for panel in made:
        if (panel.question.value, panel.safeguard) == (question, safeguard):
            found = _panel_of(who, panel, entry)
            if found is not None:
                return heard_trials(found, plan.speaker)
    raise InputError("not-as-before", file=plan_file.name)


def _panel_of(who: str, panel: Panel, entry: Entry) -> Panel | None:
    """The panel of one attacker: all listeners, one of them, or a recogniser with its scores as answers."""
    if who == PANEL:
        return panel
    if who != MACHINE:
        return panel.of(who) if who in panel.listeners else None
    trials = read_heard(entry).trials if entry.trials is None else entry.trials
    assert trials is not None and trials.enrol is not None and trials.test is not None  # noqa: S101, PT018
    said = dict(zip(_pairs_of(trials.enrol, trials.test), trials.score.tolist(), strict=True))
    by_pair = np.array([said[pair] for pair in panel.pairs])
    return replace(panel, said=by_pair[:, np.newaxis], listeners=RECOGNISER)


def _pairs_of(enrol: Ids, test: Ids) -> list[tuple[str, str]]:
    sides = ([ids.names[code] for code in ids.codes.tolist()] for ids in (enrol, test))
    return list(zip(*sides, strict=True))


def heard_from(
    files: Sequence[InputFile],
    choices: Mapping[str, str],
    settings: Settings | None = None,
    on_progress: Progress = no_progress,
) -> Entry:
    """The assessment that these choices name, from these files as they are now. Raises InputError."""
    plan_file, answers = files_of(files)
    chosen = [value for name, value in choices.items() if _is_ours(name)]
    plan = read_plan(plan_file)
    found = evaluate(plan, answers, (), BootstrapSettings(), part_of(on_progress, 0.0, 0.4), figures=False)
    if any(file.role == FileRole.LISTENING_TEST.value for file in files):
        found = with_machine(found, plan_file.parent, part_of(on_progress, 0.4, 0.8), figures=False)
    for who, panel in _attackers(found, alone=True):
        if [_choice(who, panel)] == chosen:
            return _entry(found, who, panel, files, settings)
    raise InputError("not-as-before", file=plan_file.name)


def with_heard(project: Project, heard: HeardTest, *, alone: bool | None = None) -> Project:
    """The project with a test and its assessments; those that were there keep what the user said of them.

    `alone`: whether each listener has assessments as well; None: as it was, at first not.
    """
    if alone is None:
        alone = shows_alone(project, heard.study)
    now = {choice_of(entry): entry for entry in heard.entries if alone or not is_alone(entry)}
    items: list[Item] = []
    for item in project.items:
        of_test = [entry for entry in item.entries if _is_of(entry, heard.study)]
        if not of_test:
            items.append(item)
        for entry in of_test:
            if (new := now.pop(choice_of(entry), None)) is not None:
                recogniser = new.recogniser if _is_called_by_us(entry) else entry.recogniser
                same = replace(entry, choices=new.choices, recogniser=recogniser)
                items.append(same.with_results_of(new))
    made = replace(project, items=tuple(items))
    made = made.with_study(heard.study)
    for entry in now.values():
        made = made.with_items(replace(entry, colour=made.colour_for(entry)))
    return grouped(made)


def shows_alone(project: Project, study: ListeningStudy) -> bool:
    """Whether each listener of a test has assessments in a project."""
    return any(is_alone(entry) for entry in entries_of(project, study))


def _is_called_by_us(entry: Entry) -> bool:
    """Whether a panel is called by the number of its listeners, of each of whom it has a file."""
    return entry.recogniser == kept("attack.panel", count=len(entry.files) - 1)


def entries_of(project: Project, study: ListeningStudy) -> tuple[Entry, ...]:
    """The assessments of a test, in the order of the project."""
    return tuple(entry for entry in project.entries if _is_of(entry, study))


def _is_of(entry: Entry, study: ListeningStudy) -> bool:
    return is_heard(entry) and any(file.sha256 == study.plan.sha256 for file in entry.files)


def tests_of(project: Project | None) -> tuple[ListeningStudy, ...]:
    """The tests by ear of a project, if there is one."""
    return tuple(one for one in project.studies if isinstance(one, ListeningStudy)) if project else ()


def values_of(found: Evaluation) -> dict[str, Any]:
    """What came of a test as it is kept: without sentences on files, which are told at once."""
    return {name: value for name, value in found.as_json().items() if name != "faults"}


def _with_machine(found: Evaluation, folder: Path, on_progress: Progress) -> Evaluation:
    """By a recogniser as well; where the recordings are gone that is said instead."""
    try:
        return with_machine(found, folder, on_progress)
    except InputError as error:
        if error.code not in _MISSING and not error.code.startswith("no-librar"):
            raise
        with speaking(ENGLISH):
            reason = str(error)
        return replace(found, sentences=(*found.sentences, kept("listening.no-machine", reason=reason)))


def _files(plan: Path, found: Evaluation) -> dict[str, InputFile]:
    """By the code of the listener; the plan under "", what a recogniser heard under its file names."""
    files = {"": _file(plan, FileRole.LISTENING_PLAN, len(found.plan.listeners))}
    for one in found.gathered.listeners:
        files[one.code] = _file(one.path, FileRole.LISTENING_ANSWERS, len(one.answers.of))
    for code in found.heard_in:
        path = plan.parent / f"{code}{TEST}"
        listener = found.plan.of(code)
        files[path.name] = _file(path, FileRole.LISTENING_TEST, len(listener.items) if listener else 0)
    return files


def _file(path: Path, role: FileRole, rows: int) -> InputFile:
    path = path.absolute()
    return InputFile(path, role.value, path.stat().st_size, hash_of(path), rows, format=role.value)


def _refuse_changed(files: Iterable[InputFile]) -> None:
    for file in files:
        if hash_of(file.path) != file.sha256:
            raise InputError("changed", file=file.name)


_OF_THE_MACHINE = {
    Condition.OP: Attacker.IGNORANT.value,
    Condition.PP: Attacker.LAZY_INFORMED.value,
}


def _attackers(found: Evaluation, *, alone: bool = False) -> list[tuple[str, Panel]]:
    """Everybody who attacks, with what they said: panels, each listener, the recogniser.

    The only listener of a panel is the panel, unless who is `alone` is wanted as well.
    """
    made = [(PANEL, one.panel) for one in found.panels]
    made += [
        (code, heard)
        for one in found.panels
        if alone or len(one.panel.listeners) > 1
        for code in one.panel.listeners
        if (heard := one.panel.of(code)) is not None
    ]
    made += [(MACHINE, one.panel) for one in found.machine]
    return [(who, panel) for who, panel in made if panel.is_target.any() and not panel.is_target.all()]


def _entries(found: Evaluation, files: Mapping[str, InputFile], on_progress: Progress) -> tuple[Entry, ...]:
    attackers, entries = _attackers(found), []
    for number, (who, panel) in enumerate(attackers):
        on_progress(number / len(attackers))
        codes = panel.listeners if who != MACHINE else [one.code for one in found.used]
        mine = [files[""], *(files[code] for code in codes)]
        if who == MACHINE:
            mine += [file for file in files.values() if file.role == FileRole.LISTENING_TEST.value]
        entries.append(_entry(found, who, panel, mine))
    return tuple(entries)


def _entry(
    found: Evaluation, who: str, panel: Panel, files: Sequence[InputFile], settings: Settings | None = None
) -> Entry:
    by_ear = who != MACHINE
    remark = LISTENERS if by_ear else "same-pairs"
    names = tuple(sorted({name for pair in panel.pairs for name in pair}))
    place = {name: number for number, name in enumerate(names)}
    sides = (Ids(np.array([place[pair[n]] for pair in panel.pairs], dtype=np.int32), names) for n in (0, 1))
    enrol, test = sides
    remarks = (Remark(remark, {"count": len(panel.listeners)}),)
    trials = Trials(panel.score, panel.is_target, enrol, test, tuple(files), remarks)
    return Entry(
        panel.safeguard or in_english("name.unprotected"),
        trials,
        assess(trials, settings),
        _condition(found.plan, panel),
        dataset=in_english(f"listening.{panel.question.value}"),
        attacker=_attacker(who, _condition(found.plan, panel)),
        recogniser=_called(who, panel),
        back_end=in_english(f"attack.{_SCORES[panel.question] if by_ear else 'cosine'}"),
        choices={f"{Topic.LISTENING.value}:{Source(files[0].path).place}": _choice(who, panel)},
        is_ticked=who in (PANEL, MACHINE),
    )


def _attacker(who: str, condition: Condition) -> str:
    """Who attacks; our recogniser learns from nobody here, so what it knows is what it compares."""
    if who == MACHINE:
        return _OF_THE_MACHINE.get(condition, "")
    return in_english("attack.listeners") if who == PANEL else kept("attack.alone", listener=who)


def _called(who: str, panel: Panel) -> str:
    if who == PANEL:
        return kept("attack.panel", count=len(panel.listeners))
    return say("recordings.recogniser") if who == MACHINE else ""


def _condition(plan: ListeningPlan, panel: Panel) -> Condition:
    if panel.safeguard == UNPROTECTED:
        return Condition.OO
    both = panel.question is ItemTask.PLACEMENT or plan.enrol_protected
    return Condition.PP if both else Condition.OP


def _choice(who: str, panel: Panel) -> str:
    return json.dumps([who, panel.question.value, panel.safeguard], ensure_ascii=False)


def _is_ours(name: str) -> bool:
    return name.startswith(f"{Topic.LISTENING.value}:")
