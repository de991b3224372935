"""Gathering what a report is made of, once, before it is made: a report itself opens no input file."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from functools import partial
from typing import Any, TypeVar
from weakref import WeakKeyDictionary

from zebra_core.errors import InputError, ZebraError
from zebra_core.evidence.speaker_trials import SpeakerTrials
from zebra_core.evidence.trials import Trials
from zebra_core.intake.recordings_file import ScoringRecord
from zebra_core.intake.similarity_files import read_speaker_map
from zebra_core.intake.tables.table import Role
from zebra_core.metrics.oracle import Oracle
from zebra_core.project.attributes import OfAttribute
from zebra_core.project.inference import inference_of
from zebra_core.project.items import Entry
from zebra_core.project.material import BySpeaker, Material
from zebra_core.project.people import reidentification_of
from zebra_core.project.project import Project
from zebra_core.project.reading import trials_of
from zebra_core.project.scoring_records import read_record
from zebra_core.runtime.progress import Progress, no_progress, part_of
from zebra_core.speakers.disclosure import speaker_disclosures
from zebra_core.speakers.zoo import zoo_of
from zebra_core.speakers.zoo_chance import zoo_tests
from zebra_core.uncertainty.bootstrap import BootstrapSettings
from zebra_core.uncertainty.reidentification import DEALS, Reidentification

T = TypeVar("T")

_known: WeakKeyDictionary[Trials, dict[Hashable, Any]] = WeakKeyDictionary()


def gather(project: Project, on_progress: Progress = no_progress) -> Material:
    """Compute what the report says of single speakers.

    Trials that were let go are read again, where their files are still what they were. Of trials in memory
    nothing is computed twice: a report is made again after every word that is changed in it. `on_progress`
    may raise Cancelled.
    """
    speakers: dict[str, BySpeaker] = {}
    people: dict[str, Reidentification] = {}
    missing: dict[str, ZebraError] = {}
    nobody: dict[str, ZebraError] = {}
    inferred: dict[str, tuple[OfAttribute, ...]] = {}
    not_inferred: dict[str, ZebraError] = {}
    records: dict[str, ScoringRecord] = {}
    unrecorded: dict[str, ZebraError] = {}
    for number, entry in enumerate(project.entries):
        part = part_of(on_progress, number / len(project.entries), (number + 1) / len(project.entries))
        part(0.0)
        try:
            if (record := read_record(entry)) is not None:
                records[entry.id] = record
        except ZebraError as error:
            unrecorded[entry.id] = error
        try:
            read = trials_of(entry, part_of(part, 0.0, 0.3))
        except ZebraError as error:
            missing[entry.id] = nobody[entry.id] = error
            continue
        try:
            speakers[entry.id] = _by_speaker(entry, read)
        except ZebraError as error:
            missing[entry.id] = error
        try:
            people[entry.id] = _people(entry, read, part_of(part, 0.5, 0.9))
        except ZebraError as error:
            nobody[entry.id] = error
        try:
            if found := inference_of(
                entry, _settings(entry), trials=read, on_progress=part_of(part, 0.9, 1.0)
            ):
                inferred[entry.id] = found
        except ZebraError as error:
            not_inferred[entry.id] = error
    on_progress(1.0)
    return Material(
        project,
        speakers,
        missing,
        people,
        nobody,
        inferred,
        not_inferred,
        records=records,
        unrecorded=unrecorded,
    )


def _people(entry: Entry, trials: Trials, on_progress: Progress) -> Reidentification:
    """With intervals where the figures of the assessment have them, and what chance shows."""
    settings = _settings(entry)
    compute = partial(
        reidentification_of, entry, settings, trials=trials, deals=DEALS, on_progress=on_progress
    )
    return _once(entry, trials, ("people", settings), compute)


def _settings(entry: Entry) -> BootstrapSettings | None:
    return entry.trust.uncertainty.settings if entry.trust else None


def _by_speaker(entry: Entry, trials: Trials) -> BySpeaker:
    scale = entry.assessment.settings.tag_scale
    return _once(entry, trials, ("speakers", scale), partial(_studied, entry, trials))


def _once(entry: Entry, trials: Trials, what: Hashable, compute: Callable[[], T]) -> T:
    """What is computed of these trials, or was; always anew where a file says who speaks: it may change."""
    if any(file.role == Role.SPEAKERS.value for file in entry.files):
        return compute()
    known = _known.setdefault(trials, {})
    if what not in known:
        known[what] = compute()
    return known[what]  # type: ignore[no-any-return]


def _studied(entry: Entry, trials: Trials) -> BySpeaker:
    named = SpeakerTrials.of_trials(trials, speaker_map_of(entry))
    oracle = Oracle.of(named.score, named.is_target)
    disclosures = speaker_disclosures(named, oracle, tag_scale=entry.assessment.settings.tag_scale)
    if not len(disclosures):
        raise InputError("speakers-unknown")
    zoo = zoo_of(named, oracle)
    return BySpeaker(disclosures, zoo, zoo_tests(named, oracle, zoo=zoo))


def speaker_map_of(entry: Entry) -> Mapping[str, str] | None:
    """Who speaks in which segment, where a map was among the files."""
    maps = [file for file in entry.files if file.role == Role.SPEAKERS.value and not file.member]
    return read_speaker_map(maps[0].path, entry.choices) if maps else None
