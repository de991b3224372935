"""An earlier report, its evidence or a project, read as what another project is held against.

Beside `recomputation` and `found_files` it is all of the report that opens an input file.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import fields, replace
from hashlib import sha256
from pathlib import Path
from typing import Any

from zebra_core.document.project_file import SUFFIX, find_inputs as find_inputs_of, open_project
from zebra_core.errors import InputError, ZebraError
from zebra_core.evidence.attack import ATTACK
from zebra_core.evidence.speaker_trials import SpeakerTrials
from zebra_core.evidence.trials import Trials
from zebra_core.files.access import open_regular, temporary_folder
from zebra_core.project.baseline import (
    Baseline,
    EarlierAnswer,
    EarlierAttack,
    EarlierFigure,
    EarlierVerdict,
    PairedChange,
)
from zebra_core.project.conclusion.conclusions import conclusions
from zebra_core.project.conclusion.naming import people_figures
from zebra_core.project.items import Condition, Entry
from zebra_core.project.project import Project
from zebra_core.project.reading.inputs import with_findings
from zebra_core.project.reading.reading import speakers_of_entry, weighable_of
from zebra_core.project.requirements.figures import FORMER
from zebra_core.project.since import COMPARED, attack_of, same_attack
from zebra_core.project.verdicts.deciding import verdicts
from zebra_core.report.attachment import GivenEvidence, read_evidence
from zebra_core.report.found_files import find_inputs, unpacked
from zebra_core.report.recomputation import Recomputation, contained
from zebra_core.report.signatures import signatures_of
from zebra_core.runtime.progress import Progress, no_progress, part_of
from zebra_core.uncertainty.bootstrap import BootstrapSettings
from zebra_core.uncertainty.difference import joint_difference
from zebra_core.uncertainty.trust import CORRECTED
from zebra_core.version import VERSION
from zebra_core.wording.texts import say

_READING = 0.6  # of the work
_ANSWER = tuple(one.name for one in fields(EarlierAnswer))


def held_against(
    project: Project, path: Path, on_progress: Progress = no_progress, *, is_same_people: bool = False
) -> Project:
    """The project with an earlier report (PDF or evidence.json) or project as its baseline.

    What can be checked of it is: signatures, the seal of its evidence, and figures that can be computed anew
    from scores beside it, or inside it; all else is quoted. With `is_same_people` the user says that the same
    ids are the same people; then both are drawn together, where scores are at hand. Raises InputError for
    what is neither, and for evidence that is not what its PDF was made with.
    """
    part, rest = part_of(on_progress, 0.0, _READING), part_of(on_progress, _READING, 1.0)

    def paired(baseline: Baseline, entries: Mapping[tuple[object, ...], Entry]) -> Project:
        baseline = replace(baseline, is_same_people=is_same_people)
        if is_same_people:
            baseline = replace(baseline, attacks=_paired(project, baseline.attacks, entries, rest))
        on_progress(1.0)
        return replace(project, since=baseline)

    if path.suffix.lower() == SUFFIX:
        return _of_project(path, paired, part)
    return _of_report(path, paired, part)


_Paired = Callable[[Baseline, Mapping[tuple[object, ...], Entry]], Project]


def _of_project(path: Path, paired: _Paired, on_progress: Progress) -> Project:
    opened = open_project(path, part_of(on_progress, 0.0, 0.2))
    with temporary_folder() as kept:
        found, _ = find_inputs_of(opened.project, path, (), Path(kept), part_of(on_progress, 0.2, 0.5))
        before = with_findings(opened.project, found)
        people = people_figures(before, part_of(on_progress, 0.5, 1.0))
        values = {
            "requirements": [each.as_json() for each in verdicts(before)],
            "answers": [each.as_json() for each in conclusions(before, people)],
        }
        attacks = tuple(map(attack_of, before.entries))
        made = _baseline(path, before.title, VERSION, values, attacks, before.since)
        return paired(made, {attack.of: entry for attack, entry in zip(attacks, before.entries, strict=True)})


def _of_report(path: Path, paired: _Paired, on_progress: Progress) -> Project:
    given = read_evidence(path, is_earlier=True)
    if not given.is_as_sealed:
        raise InputError("since-not-as-sealed", file=path.name)
    values = given.values
    with unpacked((path.absolute().parent,), part_of(on_progress, 0.0, 0.1)) as (where, kept):
        again = Recomputation(
            values, find_inputs(values["inputs"], where, part_of(on_progress, 0.1, 0.3), kept)
        )
        attacks = []
        for place, recorded in enumerate(values["assessments"]):
            ends = (0.3 + 0.7 * n / len(values["assessments"]) for n in (place, place + 1))
            attacks.append(_attack(recorded, _anew(again, place, part_of(on_progress, *ends))))
        since = values.get("since") or {"looks": 0}
        made = _baseline(
            path, values["title"], values["versions"].get("zebra", ""), values, tuple(attacks), None
        )
        made = replace(
            made,
            date=values["date"],
            looks=int(since["looks"]) + 1,
            told=_checked(given, attacks),
        )
        return paired(made, {attacks[place].of: entry for place, entry in again.entries.items()})


def _baseline(
    path: Path,
    title: str,
    version: str,
    values: Mapping[str, Any],
    attacks: tuple[EarlierAttack, ...],
    since: Baseline | None,
) -> Baseline:
    with open_regular(path) as opened:
        digest = sha256(opened.read()).hexdigest()
    return Baseline(
        path.name,
        digest,
        title,
        version,
        looks=since.looks + 1 if since else 1,
        attacks=attacks,
        verdicts=tuple(map(_verdict, values["requirements"])),
        answers=tuple(filter(None, map(_answer, values.get("answers", ())))),
    )


def _verdict(recorded: Mapping[str, Any]) -> EarlierVerdict:
    """A verdict with the figure of the row that decided it: the worst of those that came to the same."""
    sign = 1.0 if recorded["sense"] == "at_most" else -1.0
    rows = [
        row
        for row in recorded["rows"]
        if row["verdict"] == recorded["verdict"] and isinstance(row["value"], int | float)
    ]
    row = max(rows, key=lambda one: sign * one["value"], default={"value": None, "low": None, "high": None})
    figure = FORMER.get(recorded["figure"], recorded["figure"])
    ends = (row[name] for name in ("value", "low", "high"))
    return EarlierVerdict(recorded["name"], figure, recorded["verdict"], *ends)


def _answer(recorded: Mapping[str, Any]) -> EarlierAnswer | None:
    """How often people were named; None where that is not known, or another figure than this version's."""
    named = recorded["named"] or {}
    said = [named.get(key) for key in ("people", "naming_rate", "low", "high")]
    if not isinstance(said[0], int) or not all(isinstance(one, float) for one in said[1:2]):
        return None
    return EarlierAnswer(**dict(zip(_ANSWER, (recorded["safeguard"], *said), strict=True)))


def _anew(again: Recomputation, place: int, on_progress: Progress) -> Mapping[str, Any] | None:
    """An assessment computed again; None where its files are not at hand, or cannot be read any more."""
    inputs = again.values["assessments"][place]["inputs"]
    if not inputs or any(one >= len(again.found) or again.found[one].path is None for one in inputs):
        return None
    with suppress(ZebraError):
        return contained(again.assessment, place, on_progress)
    return None


def _attack(recorded: Mapping[str, Any], anew: Mapping[str, Any] | None) -> EarlierAttack:
    condition = Condition(recorded["condition"]) if recorded["condition"] else None
    return EarlierAttack(
        **{name: recorded[name] for name in ("name", "dataset", "run", *ATTACK)},
        condition=condition,
        figure=_figure(anew or recorded),
        is_computed=anew is not None,
    )


def _figure(said: Mapping[str, Any]) -> EarlierFigure | None:
    """The compared figure as stated; None without an interval, or where nobody knows of how many people."""
    trust, audit = said["trust"], said["audit"]
    people, value = (audit or {}).get("speakers"), said[CORRECTED]
    low, high = trust["intervals"].get(COMPARED, (None, None)) if trust else (None, None)
    if value is None or low is None or high is None or not people:
        return None
    return EarlierFigure(value, low, high, people, trust["level"])


def _checked(given: GivenEvidence, attacks: Sequence[EarlierAttack]) -> tuple[str, ...]:
    """What was checked of a report, in sentences."""
    signed = signatures_of(given.pdf) if given.pdf is not None else ()
    differ = sum(
        one.is_computed and not _is_alike(one.figure, _figure(said))
        for one, said in zip(attacks, given.values["assessments"], strict=True)
    )
    return (
        *([say("since.sealed")] if given.seal else []),
        *(sentence for one in signed or () for sentence in one.sentences),
        *([say("since.differ", count=differ)] if differ else []),
    )


def _is_alike(one: EarlierFigure | None, other: EarlierFigure | None) -> bool:
    if one is None or other is None:
        return one is other
    return abs(one.value - other.value) <= 1e-6


def _paired(
    project: Project,
    attacks: Sequence[EarlierAttack],
    entries: Mapping[tuple[object, ...], Entry],
    on_progress: Progress,
) -> tuple[EarlierAttack, ...]:
    """The attacks of then with the difference to those of now, where the trials of both are at hand."""
    now = {attack_of(entry).of: entry for entry in project.entries}
    known = tuple(map(attack_of, project.entries))
    made = []
    for number, attack in enumerate(attacks):
        part = part_of(on_progress, number / len(attacks), (number + 1) / len(attacks))
        one, other = same_attack(attack, known), entries.get(attack.of)
        change = _change(now[one.of], other, part) if one and other else None
        made.append(replace(attack, paired=change))
    return tuple(made)


def _change(now: Entry, then: Entry, on_progress: Progress) -> PairedChange | None:
    """None where trials have gone, were only counted, or do not say who speaks."""
    settings = now.trust.uncertainty.settings if now.trust else BootstrapSettings()
    try:
        trials = [weighable_of(one, no_progress) for one in (now, then)]
        first, second = (one for one in trials if isinstance(one, Trials))
        named = [
            SpeakerTrials.of_trials(one, speakers_of_entry(entry))
            for one, entry in ((first, now), (second, then))
        ]
        found = joint_difference(
            COMPARED, (first, now.assessment), (second, then.assessment), named, settings, on_progress
        )
    except (InputError, KeyError, ValueError):
        return None
    shared = len({*named[0].speakers} & {*named[1].speakers})
    return PairedChange(found.value, found.p_value, shared) if found.is_tested else None
