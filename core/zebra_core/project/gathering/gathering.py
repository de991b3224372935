"""Gathering what a report is made of, once, before it is made: a report itself opens no input file."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Mapping
from dataclasses import replace
from functools import cached_property, partial
from typing import Any, TypeVar
from weakref import WeakKeyDictionary, WeakSet

from zebra_core.errors import InputError, ZebraError
from zebra_core.evidence.speaker_trials import SpeakerTrials
from zebra_core.evidence.trials import Trials
from zebra_core.intake.drop import read_speaker_map
from zebra_core.intake.opening.opening import Source, open_source
from zebra_core.intake.recordings_file import ScoringRecord
from zebra_core.intake.tables.table import FileRole
from zebra_core.intake.transcript_files import transcripts_in
from zebra_core.metrics.assessment import Assessment
from zebra_core.metrics.oracle import Oracle
from zebra_core.metrics.scales import TagScale
from zebra_core.metrics.similarity import VoiceSimilarity
from zebra_core.project.attackers import attack_groups
from zebra_core.project.by_group import EntryFindings
from zebra_core.project.checks.design import Design, design_of
from zebra_core.project.comparison.studies import STUDIES, StudyQuestion
from zebra_core.project.conclusion.naming import naming_of, naming_of_counted
from zebra_core.project.gathering.material import AssessmentSpeakers, StudiedProject
from zebra_core.project.items import OTHER_COUNTS, Entry, SimilarityEntry
from zebra_core.project.project import Project
from zebra_core.project.reading.reading import (
    as_in_its_files,
    counts_of,
    disclosures_of,
    is_counted,
    trials_of,
)
from zebra_core.project.satellites import provenance, record_file, satellite_of
from zebra_core.runtime.progress import LastUsed, Progress, no_progress, part_of
from zebra_core.speakers.disclosure import speaker_disclosures
from zebra_core.speakers.study import SpeakerStudy
from zebra_core.speakers.zoo import ZooScale, zoo_of, zoo_tests
from zebra_core.uncertainty.bootstrap import BootstrapSettings
from zebra_core.uncertainty.over_estimation import OverEstimation, over_estimation
from zebra_core.uncertainty.reidentification import DEALS, Reidentification, linkage_among_counted, of_counts
from zebra_core.wording.spoken import normalised

T = TypeVar("T")

_known: WeakKeyDictionary[Trials | Assessment, dict[Hashable, Any]] = WeakKeyDictionary()
_studies = LastUsed[AssessmentSpeakers]()
_checked: WeakSet[VoiceSimilarity] = WeakSet()


def gather(
    project: Project, on_progress: Progress = no_progress, *, grouped: Collection[str] | None = None
) -> StudiedProject:
    """Compute what the report says of single speakers, and of groups of them.

    Groups are looked at in the assessments with the ids `grouped`, by default in the strongest attack on
    each safeguard, where that has intervals; by each attribute that came along.

    Trials that were let go are read again, where their files are still what they were. Of trials in memory
    nothing is computed twice: a report is made again after every word that is changed in it. `on_progress`
    may raise Cancelled. Raises InputError where the counts of an item are not those of its files.
    """
    for matrices in project.similarities:
        _check_matrices(matrices)
    made = StudiedProject(project)
    found = {group.strongest.as_given.id for group in attack_groups(project)}
    strongest = found if grouped is None else grouped
    stated = [one for one in project.entries if one.assessment.has_llrs]
    made.over_estimation.add(EntryFindings.each(stated, over_estimation_of, part_of(on_progress, 0.0, 0.0)))
    for number, entry in enumerate(project.entries):
        part = part_of(on_progress, number / len(project.entries), (number + 1) / len(project.entries))
        part(0.0)
        if record_file(entry) is not None:
            made.records.keep(entry, partial(provenance().read, entry))
        if is_counted(entry):
            _study_counted(made, entry, part)
            continue
        read: EntryFindings[Trials] = EntryFindings()
        if (trials := read.keep(entry, partial(trials_of, entry, part_of(part, 0.0, 0.3)))) is None:
            made.speakers.missing |= read.missing
            made.people.missing |= read.missing
        else:
            _study(made, entry, trials, part, is_grouped=entry.id in strongest)
    on_progress(1.0)
    return made


def _study_counted(made: StudiedProject, entry: Entry, on_progress: Progress) -> None:
    people, of_entry = made.project.report.people, _CountedSpeakers(entry, on_progress)
    made.speakers.keep(entry, of_entry.speakers)
    if (found := made.people.keep(entry, partial(_counted_people, of_entry, people))) is not None:
        made.naming[entry.id] = naming_of_counted(found, people)


def _study(made: StudiedProject, entry: Entry, read: Trials, part: Progress, *, is_grouped: bool) -> None:
    people = made.project.report.people
    made.speakers.keep(entry, partial(_by_speaker, entry, read))
    made.designs.keep(entry, partial(_design, entry, read, made.records.get(entry.id)))
    asked = StudyQuestion(read, people=people, deals=DEALS)
    for number, (study, compute) in enumerate(STUDIES.items(), start=len(STUDIES)):
        on_progress = part_of(part, number / len(STUDIES) / 2, (number + 1) / len(STUDIES) / 2)
        find = partial(compute, entry, asked, on_progress)
        if study == "people":
            find = partial(_once, entry, read, (study, _settings(entry), people), find)
        if study != "by_group" or (is_grouped and entry.trust):
            made.findings[study].keep(entry, find)
    if named := made.findings["inference"].get(entry.id):  # a report has names of its own for files
        made.inference[entry.id] = tuple(found for _, found in named)
    if entry.id in made.people:
        made.naming[entry.id] = naming_of(entry, people, read)
        scale = made.project.tag_scale
        for one in replace(entry, trials=read).readings[1:]:
            other = trials_of(one)
            made.naming[one.id] = naming_of(one, people, other)
            made.exposed.keep(one, partial(disclosures_of, one, other, scale))


def over_estimation_of(entry: Entry, on_progress: Progress = no_progress) -> OverEstimation:
    """The over-estimation of an entry's LLRs, with intervals as its figures have them, or as is usual.

    Without intervals where its trials were only counted or cannot be read, or of fewer than three speakers.
    Raises InputError where the counts are not those of the files; `on_progress` may raise Cancelled.
    """
    known, settings = entry.assessment, _settings(entry) or BootstrapSettings()

    def compute() -> OverEstimation:
        if is_counted(entry):
            return over_estimation(None, known, settings)
        try:
            read, drawing = trials_of(entry, part_of(on_progress, 0.0, 0.3)), part_of(on_progress, 0.3, 1.0)
            return over_estimation(read, known, settings, speakers=speaker_map_of(entry), on_progress=drawing)
        except ZebraError as error:
            _raise_of_others(error)
            return over_estimation(None, known, settings)

    return _once(entry, known, ("over-estimation", settings), compute)


def designs_of(project: Project, on_progress: Progress = no_progress) -> EntryFindings[Design]:
    """What rules find that hear no voice, by the id of the entry; nothing of those that cannot be read.

    `on_progress` may raise Cancelled.
    """
    read = [entry for entry in project.entries if not is_counted(entry)]
    return EntryFindings.each(read, _read_design, on_progress)


def _read_design(entry: Entry, on_progress: Progress) -> Design | None:
    """From trials that are read again where they were let go, and from the record beside them."""

    def read() -> Design | None:
        record = provenance().read(entry) if record_file(entry) is not None else None
        return _design(entry, trials_of(entry, on_progress), record)

    return _once(entry, entry.assessment, "design read", read)


def _design(entry: Entry, trials: Trials, record: ScoringRecord | None) -> Design | None:
    compute = partial(design_of, entry, trials, speaker_map_of(entry), record, _texts_of(entry))
    return _once(entry, trials, ("design", record and record.sha256), compute)


def _texts_of(entry: Entry) -> dict[str, str]:
    """What is said in each recording, where transcripts are among its files."""
    found: dict[str, str] = {}
    for file in entry.files:
        if file.role == FileRole.TRANSCRIPT.value:
            opened = open_source(Source(file.path, file.member))
            if opened.sha256 != file.sha256:
                raise InputError("changed", file=file.name)
            found |= {name: normalised(words) for name, words in transcripts_in(opened).items()}
    return found


def _raise_of_others(error: ZebraError) -> None:
    """Figures of other counts than those of the files must not be reported at all."""
    if error.code == OTHER_COUNTS:
        raise error


def _check_matrices(item: SimilarityEntry) -> None:
    """Compare the sums of matrices with those of their files, once for each, where the files can be read."""
    if item.similarity in _checked:
        return
    try:
        as_in_its_files(item)
    except ZebraError as error:
        _raise_of_others(error)
    _checked.add(item.similarity)


def _counted_people(of_entry: _CountedSpeakers, people: int | None) -> Reidentification:
    found = of_entry.people()
    return replace(found, among=linkage_among_counted(found, people)) if people else found


def _settings(entry: Entry) -> BootstrapSettings | None:
    return entry.trust.uncertainty.settings if entry.trust else None


def _by_speaker(entry: Entry, trials: Trials) -> AssessmentSpeakers:
    scale = entry.assessment.settings.tag_scale
    return _once(entry, trials, ("speakers", scale), partial(_studied, entry, trials))


class _CountedSpeakers:
    """Speakers and linking from trials that were only counted: they are counted again, once for both."""

    def __init__(self, entry: Entry, on_progress: Progress) -> None:
        self._entry, self._on_progress = entry, on_progress

    def speakers(self) -> AssessmentSpeakers:
        """See `_by_speaker`."""
        return self._made[0]

    def people(self) -> Reidentification:
        """Linking and singling out. Raises ZebraError where nothing can be said."""
        found = self._made[1]
        if isinstance(found, ZebraError):
            raise found
        return found

    @cached_property
    def _made(self) -> tuple[AssessmentSpeakers, Reidentification | ZebraError]:
        scale = self._entry.assessment.settings.tag_scale
        return _once(self._entry, self._entry.assessment, ("counted", scale), self._counted)

    def _counted(self) -> tuple[AssessmentSpeakers, Reidentification | ZebraError]:
        counts = counts_of(self._entry, self._on_progress, with_ranks=True)
        study = SpeakerStudy.of(counts, self._entry.assessment.settings.tag_scale)
        if not len(study.disclosures):
            raise InputError("speakers-unknown")
        made = AssessmentSpeakers(study.disclosures, study.zoo(ZooScale.LLR), study.tests(ZooScale.LLR))
        try:
            return made, of_counts(counts)
        except ZebraError as error:
            return made, error


def _once(entry: Entry, trials: Trials | Assessment, what: Hashable, compute: Callable[[], T]) -> T:
    """The result for these trials, computed once; but always anew where a file says who speaks, or when."""
    if entry.sessions is not None or any(file.role == FileRole.SPEAKERS.value for file in entry.files):
        return compute()
    known = _known.setdefault(trials, {})
    if what not in known:
        known[what] = compute()
    return known[what]  # type: ignore[no-any-return]


def _studied(entry: Entry, trials: Trials) -> AssessmentSpeakers:
    """What the same scores of the same speakers came to is known, whichever file they are read of.

    Who verifies a report of what is open reads its files again, and so does who opens a project again.
    """
    named, scale = SpeakerTrials.of_trials(trials, speaker_map_of(entry)), entry.assessment.settings.tag_scale
    of_sessions = named if entry.sessions is None else named.in_sessions(entry.sessions)
    compute = partial(_studied_speakers, named, of_sessions, scale)
    return _studies.of((named.digest, of_sessions.digest, scale), compute)


def _studied_speakers(
    named: SpeakerTrials, of_sessions: SpeakerTrials, scale: TagScale
) -> AssessmentSpeakers:
    oracle = Oracle.of(named.score, named.is_target)
    disclosures = speaker_disclosures(of_sessions, oracle, tag_scale=scale)
    if not len(disclosures):
        raise InputError("speakers-unknown")
    zoo = zoo_of(named, oracle)
    return AssessmentSpeakers(disclosures, zoo, zoo_tests(named, oracle, zoo=zoo))


def speaker_map_of(entry: Entry) -> Mapping[str, str] | None:
    """Who speaks in which segment, where a map was among the files, or the plan of a listening test."""
    if (satellite := satellite_of(entry.files)) is not None:
        return satellite.speakers(entry)
    maps = [file for file in entry.files if file.role == FileRole.SPEAKERS.value and not file.member]
    return read_speaker_map(maps[0].path, entry.choices) if maps else None
