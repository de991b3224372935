"""Computing again what evidence says: its files read as they were then, with its settings, seeds and counts.

Beside `found_files` it is all of the report that opens an input file, for verifying is reading them again.

Nothing that evidence says of figures is believed: whoever calls this compares.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

from zebra_core.document.parts import scales_of
from zebra_core.document.reading import SavedValue
from zebra_core.errors import InputError
from zebra_core.evidence.files import InputFile
from zebra_core.evidence.speaker_trials import SpeakerTrials
from zebra_core.evidence.trials import FloatArray, Ids
from zebra_core.intake.formats.recognising import recognise
from zebra_core.intake.opening.opening import Source, open_source
from zebra_core.intake.planned import YES, Topic, unasked
from zebra_core.intake.recordings_file import ScoringRecord, record_of
from zebra_core.intake.sorting.plan import plan
from zebra_core.intake.sorting.segment_plan import as_chosen
from zebra_core.intake.streaming.counting import STREAMED
from zebra_core.intake.tables.table import FileRole, Table
from zebra_core.metrics.assessment import ScoreMeaning, Settings
from zebra_core.project.difference_tests import GroupMember, SafeguardMatrices, settle_group
from zebra_core.project.gathering import gather
from zebra_core.project.group_differences import GroupDifferences
from zebra_core.project.items import Entry, SimilarityEntry
from zebra_core.project.listening import ListeningStudy, hear_again, heard_from
from zebra_core.project.material import StudiedProject
from zebra_core.project.project import Project
from zebra_core.project.reading import (
    assess_files,
    try_planned,
    try_planned_similarity,
    voice_trials_of,
    weighable_of,
)
from zebra_core.project.robustness import read_named, robustness_of
from zebra_core.project.verdicts.measuring import people_bounds
from zebra_core.report.evidence import recomputed_of
from zebra_core.report.found_files import FoundInput
from zebra_core.runtime.progress import Progress, part_of
from zebra_core.uncertainty.bootstrap import MOST_REPLICATES, BootstrapSettings
from zebra_core.uncertainty.jackknife import Robustness
from zebra_core.uncertainty.trust import trust_of, voices_trust_of
from zebra_core.uncertainty.worst_of_others import worst_of_others
from zebra_core.wording.languages import speaking

# What comes of computing with values that no report ever had.
_CONTRADICTIONS = (
    LookupError,
    ValueError,
    TypeError,
    AttributeError,
    ArithmeticError,
    AssertionError,
    RecursionError,
    StopIteration,
)
_T = TypeVar("_T")


@dataclass(frozen=True, eq=False)
class RecordedFiles:
    """The inputs of the evidence, and where they lie."""

    inputs: Sequence[Mapping[str, Any]]
    found_inputs: Sequence[FoundInput]
    any_ratio: bool = False  # what packs better than files of scores may be unpacked

    def source(self, place: int) -> Source:
        """An input that was found."""
        path = self.found_inputs[place].path
        assert path is not None  # noqa: S101 - only called where every file was found
        return Source(path, self.inputs[place]["member"])

    def choices(self, recorded: Iterable[Mapping[str, Any]], sources: Mapping[int, Source]) -> dict[str, str]:
        """The choices as the intake knows them, about the files where they lie now.

        That something was unpacked, however well it packs, is nobody's choice but that of whoever verifies.
        """
        made = unasked({}, any_ratio=self.any_ratio)
        for choice in recorded:
            source = sources.get(choice["input"])
            if source and choice["topic"] != Topic.UNPACKING.value:
                key = sources.get(choice.get("key", -1))
                made[f"{choice['topic']}:{source.place}"] = key.place if key else choice.get("choice", "")
        return made


@dataclass(frozen=True, eq=False)
class RecomputedItems:
    """What was computed anew, by its place in the evidence: assessments and matrices without their trials."""

    assessments: dict[int, StudiedProject] = field(default_factory=dict)  # each with this one alone
    similarities: dict[int, SimilarityEntry] = field(default_factory=dict)
    differences: dict[int, GroupDifferences] = field(default_factory=dict)
    listening: dict[int, ListeningStudy] = field(default_factory=dict)
    robustness: dict[int, Robustness] = field(default_factory=dict)

    def has_all(self, values: Mapping[str, Any]) -> bool:
        """Whether every assessment, matrix, comparison and test of this evidence was computed again."""
        kinds = ("assessments", "similarities", "differences", "listening")
        return all(len(getattr(self, kind)) == len(values[kind]) for kind in kinds)


def contained(compute: Callable[..., _T], *given: object) -> _T:
    """What is computed of evidence, which may say what no report ever said. Raises InputError there."""
    try:
        return compute(*given)
    except _CONTRADICTIONS as error:
        raise InputError("evidence-contradicts", reason=f"{type(error).__name__}: {error}") from error


def assessment_again(
    recorded: Mapping[str, Any], files: RecordedFiles, on_progress: Progress
) -> StudiedProject:
    """An assessment as it is now, with its speakers. Raises ZebraError where nothing can be."""
    entry = _entry(recorded, files, part_of(on_progress, 0.0, 0.4))
    if recorded["trust"] is not None:
        asked, part = recorded["trust"], part_of(on_progress, 0.5, 0.8)
        measured = trust_of(
            weighable_of(entry, part_of(on_progress, 0.4, 0.5)),
            entry.assessment,
            _drawn(asked),
            deals=_bounded(asked["null_replicates"] or 0, "null_replicates"),
            on_progress=part,
        )
        if asked.get("of_others") is not None and entry.trials is not None:
            drawn = worst_of_others(entry.trials, measured.uncertainty.settings)
            measured = replace(measured, of_others=drawn)
        if asked.get("people") is not None:
            measured = replace(measured, people=people_bounds(entry))
        entry = replace(entry, measured=measured)
    project = Project(items=(entry,), tag_scale=entry.assessment.settings.tag_scale)
    material = gather(project, part_of(on_progress, 0.8, 1.0))
    return replace(material, project=project.replacing(replace(entry, trials=None)))


def record_in(files: RecordedFiles, place: int) -> ScoringRecord:
    """The record of recordings that lies there. Raises InputError."""
    opened = open_source(files.source(place))
    return record_of(opened.content, opened.name)


def scores_in(files: RecordedFiles, place: int) -> tuple[Ids, Ids, FloatArray]:
    """Enrolments, tests and scores of a file as `zebra score` writes it. Raises InputError."""
    found = recognise(open_source(files.source(place))).only((FileRole.SCORES,))
    table = found.read() if found.readings else None
    if not isinstance(table, Table) or table.sides is None or table.score is None:
        raise InputError("not-as-before", file=found.file.name)
    return *table.sides, table.score


def said_of_assessment(material: StudiedProject) -> Mapping[str, Any]:
    """What evidence says of it."""
    (entry,) = material.project.entries
    return recomputed_of(entry, material)


def _entry(recorded: Mapping[str, Any], files: RecordedFiles, on_progress: Progress) -> Entry:
    """The assessment read and assessed again as the evidence says it was."""
    sources = {place: files.source(place) for place in recorded["inputs"]}
    choices = files.choices(recorded["choices"], sources)
    if STREAMED in [remark["code"] for remark in recorded["remarks"]]:
        choices |= {Topic.STREAMING.value: YES}  # draws of counts have another order than those of trials
    allow = recorded["audit"]["decisions"] if recorded["audit"] else ()
    settings = _settings(recorded["settings"])
    if (heard := _heard_files(recorded["inputs"], files)) is not None:
        return heard_from(heard, choices, settings, on_progress)
    made = plan(dict.fromkeys(source.path for source in sources.values()), choices)
    for planned in made.assessments:
        # Scores that are not those of their record belong to it by their place, which may be another one now.
        if {file.source for file in planned.files} | _records(sources, files) == set(sources.values()):
            tried = try_planned(planned, allow, settings=settings, on_progress=on_progress)
            if not isinstance(tried.entry, Entry):
                raise tried.failure or InputError("not-as-before", file=recorded["name"])
            return tried.entry
    records = _records(sources, files)
    by_role = {
        files.inputs[place]["role"]: source.path for place, source in sources.items() if source not in records
    }
    scores = by_role.get("scores") or by_role.get("both") or by_role.get("target-scores")
    if scores is None or len(by_role) > 2:
        raise InputError("not-as-before", file=recorded["name"])
    key = by_role.get("key") or by_role.get("nontarget-scores")
    return assess_files(scores, key, settings=settings, allow=allow, choices=choices, on_progress=on_progress)


def _heard_files(places: Iterable[int], files: RecordedFiles) -> list[InputFile] | None:
    """The files of a listening test, where they lie now; None where there is no plan of one among them."""
    found = [_file_now(place, files) for place in places]
    return found if any(file.role == FileRole.LISTENING_PLAN.value for file in found) else None


def _file_now(place: int, files: RecordedFiles) -> InputFile:
    said = files.inputs[place]
    of = {name: said[name] for name in ("role", "size", "sha256", "rows", "member", "format", "dialect")}
    return InputFile(files.source(place).path, **of)


def listening_again(
    recorded: Mapping[str, Any], language: str, files: RecordedFiles, on_progress: Progress
) -> ListeningStudy:
    """A listening test evaluated again from the listeners' files, with the decisions that were made.

    Its sentences are in this language.
    """
    study = ListeningStudy(tuple(_file_now(place, files) for place in recorded["inputs"]), recorded["values"])
    _bounded(study.settings.replicates, "replicates")
    with speaking(language):
        return hear_again(study, study.left_out, on_progress).study


def _records(sources: Mapping[int, Source], files: RecordedFiles) -> set[Source]:
    """The records of recordings among the files."""
    role = FileRole.RECORDINGS.value
    return {source for place, source in sources.items() if files.inputs[place]["role"] == role}


def similarity_again(
    recorded: Mapping[str, Any], files: RecordedFiles, on_progress: Progress
) -> SimilarityEntry:
    """Similarity matrices computed again from their files. Raises ZebraError where that fails."""
    entry = _similarity_entry(recorded, files, part_of(on_progress, 0.0, 0.3))
    if recorded["trust"] is not None:
        asked, found = recorded["trust"], entry.similarity
        measured = voices_trust_of(
            found,
            voice_trials_of(entry, part_of(on_progress, 0.3, 0.5)),
            _drawn(asked),
            deals={setting: _bounded(count, setting) for setting, count in asked["null_replicates"].items()},
            on_progress=part_of(on_progress, 0.5, 1.0),
        )
        entry = replace(entry, measured=measured)
    return entry


def differences_again(
    recorded: Mapping[str, Any], evidence: Mapping[str, Any], files: RecordedFiles, on_progress: Progress
) -> GroupDifferences:
    """Paired comparisons of one group computed again; ids of entries are their places in the evidence."""
    members: list[GroupMember] = []
    count = len(recorded["entries"])
    for number, (place, matrices) in enumerate(zip(recorded["entries"], recorded["matrices"], strict=True)):
        start, end = 0.4 * number / count, 0.4 * (number + 1) / count
        part = part_of(on_progress, start, (start + end) / 2.0)
        entry = _entry(evidence["assessments"][place], files, part)
        part = part_of(on_progress, (start + end) / 2.0, end)
        voices = None
        if matrices is not None:
            voices = _voices(evidence["similarities"][matrices], files, part)
        members.append(GroupMember(str(place), entry.assessment, weighable_of(entry, part), voices))
    found, _ = settle_group(members, _drawn(recorded), part_of(on_progress, 0.4, 1.0))
    return found


def robustness_again(
    project: Project,
    places: Sequence[int],
    evidence: Mapping[str, Any],
    files: RecordedFiles,
    on_progress: Progress,
) -> dict[int, Robustness]:
    """What leaving out speakers of the assessments at these places does, by their places.

    `project` is that of the evidence, with everything computed anew. What cannot be examined is not there.
    """
    chosen = {project.entries[place].id: place for place in places}

    def read(entry: Entry, part: Progress) -> SpeakerTrials:
        return read_named(_entry(evidence["assessments"][chosen[entry.id]], files, part))

    alone = [item for item in project.items if item.id in chosen or not isinstance(item, Entry)]
    part = replace(project, items=tuple(alone), robustness={}, differences=())
    found = robustness_of(part, on_progress, read).found
    return {chosen[entry_id]: one for entry_id, one in found.items()}


def said_of_differences(found: GroupDifferences) -> Mapping[str, Any]:
    """What evidence says of them: the keys of `GroupDifferences.as_json`, places of the evidence."""
    return found.as_json({entry_id: int(entry_id) for entry_id in found.assessments})


def _voices(recorded: Mapping[str, Any], files: RecordedFiles, on_progress: Progress) -> SafeguardMatrices:
    entry = _similarity_entry(recorded, files, part_of(on_progress, 0.0, 0.5))
    return SafeguardMatrices(entry.similarity, voice_trials_of(entry, part_of(on_progress, 0.5, 1.0)))


def _similarity_entry(
    recorded: Mapping[str, Any], files: RecordedFiles, on_progress: Progress
) -> SimilarityEntry:
    sources = {place: files.source(place) for place in recorded["inputs"]}
    choices = files.choices(recorded["choices"], sources)
    made = plan(dict.fromkeys(source.path for source in sources.values()), choices)
    planned = as_chosen(made.files, choices)
    if planned is None or {file.source for file in planned.files} != set(sources.values()):
        raise made.problems[0].error if made.problems else InputError("not-as-before", file=recorded["name"])
    tried = try_planned_similarity(planned, recorded["decisions"], on_progress=on_progress)
    if not isinstance(tried.entry, SimilarityEntry):
        raise tried.failure or InputError("not-as-before", file=recorded["name"])
    return tried.entry


def _drawn(asked: Mapping[str, Any]) -> BootstrapSettings:
    """What the intervals rest on."""
    return BootstrapSettings(_bounded(asked["replicates"], "replicates"), asked["level"], asked["seed"])


def _bounded(count: int, at: str) -> int:
    """A number of draws. Raises InputError for one that nobody ever waited for."""
    if count > MOST_REPLICATES:
        raise InputError("evidence-broken", file="", at=at)
    return count


def _settings(recorded: Mapping[str, Any]) -> Settings:
    points = recorded["prior_points"]
    if points > 100_001:
        raise InputError("evidence-broken", file="", at="prior_points")
    return Settings(
        *scales_of(SavedValue(recorded, "settings", "evidence.json")),
        prior_log_odds_limit=float(recorded["prior_log_odds_limit"]),
        prior_points=points,
        score_meaning=ScoreMeaning(recorded["score_meaning"]),
        prior_one_in=recorded["prior_one_in"],
    )
