"""The project of evidence, computed again: its files read as they were then, with its settings and seeds.

Beside `found_files` it is all of the report that opens an input file, for verifying is reading them again.
"""

from __future__ import annotations

import datetime as dt
import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, TypeVar

from zebra_core.document.parts import SavedValue, scales_of
from zebra_core.document.project import (
    report_of,
    requirements_of,
    review_of,
    since_of,
    utilities_of,
)
from zebra_core.errors import InputError
from zebra_core.evidence.attack import ATTACK
from zebra_core.evidence.audit import OF_INPUTS, InputFile, Remark, Severity
from zebra_core.evidence.speaker_names import sessions_of_text
from zebra_core.evidence.speaker_trials import SpeakerTrials
from zebra_core.evidence.trials import FloatArray, Ids
from zebra_core.figures.fonts import fonts_sha256
from zebra_core.intake.formats.recognising import recognise
from zebra_core.intake.opening.opening import INSIDE, Source, open_source
from zebra_core.intake.planned import YES, Topic, unasked
from zebra_core.intake.recordings_file import ScoringRecord, record_of
from zebra_core.intake.sorting.naming import BY_FOLDERS, OF_THE_DROP
from zebra_core.intake.sorting.plan import plan
from zebra_core.intake.sorting.segment_plan import as_chosen
from zebra_core.intake.streaming.counting import STREAMED
from zebra_core.intake.tables.table import FileRole, Table
from zebra_core.metrics.assessment import ScoreMeaning, Settings
from zebra_core.project.checks.design import UNTOLD
from zebra_core.project.checks.outcome import Check
from zebra_core.project.comparison.comparison import compare
from zebra_core.project.comparison.difference_tests import GroupMember, SafeguardMatrices, settle_group
from zebra_core.project.comparison.spans import robustness_as_json
from zebra_core.project.gathering.gathering import gather
from zebra_core.project.gathering.material import StudiedProject
from zebra_core.project.gathering.robustness import read_named, robustness_of
from zebra_core.project.group_differences import GroupDifferences
from zebra_core.project.items import Condition, Entry, Item, SimilarityEntry
from zebra_core.project.project import Project
from zebra_core.project.reading.reading import (
    assess_files,
    try_planned,
    try_planned_similarity,
    voice_trials_of,
    weighable_of,
)
from zebra_core.project.satellites import SATELLITES, Study, satellite_named, satellite_of
from zebra_core.project.verdicts.deciding import verdicts
from zebra_core.project.verdicts.measuring import among_how_many, bounded_figures, people_bounds, with_groups
from zebra_core.report.attachment import GivenEvidence, attachments_of
from zebra_core.report.content import report_content
from zebra_core.report.evidence import (
    Json,
    as_bytes,
    checks_as_json,
    evidence,
    recomputed_of,
    recomputed_similarity,
    recorded_line,
)
from zebra_core.report.export import MadeReport, made_pdf
from zebra_core.report.found_files import FoundInput
from zebra_core.report.tables import CSV_TABLE, is_same_csv, table_files
from zebra_core.runtime.progress import Progress, part_of
from zebra_core.uncertainty.bootstrap import MOST_REPLICATES, BootstrapSettings
from zebra_core.uncertainty.trust import AssessmentTrust, trust_of, voices_trust_of
from zebra_core.uncertainty.weighted import Robustness
from zebra_core.version import versions
from zebra_core.wording.texts import knows, listed, say, speaking

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
_OF_FILE = ("role", "size", "sha256", "rows", "member", "format", "dialect")
_NAMES_OF_FILES = frozenset({"file", "scores", "key", "record"})
"""The facts of remarks and findings that are names of files."""
_OF_NO_MATTER = frozenset({"python"})
"""What may be of another version without the pages being others."""
_T = TypeVar("_T")


def contained(compute: Callable[..., _T], *given: object) -> _T:
    """What is computed of evidence, which may say what no report ever said. Raises InputError there."""
    try:
        return compute(*given)
    except _CONTRADICTIONS as error:
        raise InputError("evidence-contradicts", reason=f"{type(error).__name__}: {error}") from error


def why_not_made_again(values: Mapping[str, Any]) -> str:
    """Why the pages of this evidence cannot be made again by this program; empty where they can be."""
    if not values["assessments"]:  # no report is made without one
        return say("verify.nothing")
    now, then = versions(), values["versions"]
    others = [
        say("pages.version", name=name, then=then.get(name, "–"), now=now.get(name, "–"))
        for name in {**then, **now}
        if then.get(name) != now.get(name) and not _is_of_no_matter(name, then.get(name, ""))
    ]
    if others:
        return say("pages.other-versions", versions=listed(others, most=len(others)))
    if values["pages"]["fonts"] != fonts_sha256():
        return say("pages.other-fonts")
    items = (*values["assessments"], *values["similarities"])
    if any(remark["code"] in OF_INPUTS for item in items for remark in item["remarks"]):
        return say("pages.files-had-gone")
    return ""


def _is_of_no_matter(name: str, version: str) -> bool:
    return name in _OF_NO_MATTER and re.fullmatch(r"\d+\.\d+\.\d+((a|b|rc)\d+)?\+?", version) is not None


@dataclass(eq=False)
class Recomputation:
    """What was computed again of evidence so far, by its place there: entries without their trials.

    Each part of the evidence that is computed comes back as the evidence would say it. Nothing that the
    evidence says of figures is believed: whoever calls this compares. `found` are its inputs, and `any_ratio`
    allows to unpack what packs better than files of scores. All raise ZebraError for what cannot be computed.
    """

    values: Mapping[str, Any]
    found: Sequence[FoundInput]
    any_ratio: bool = False
    entries: dict[int, Entry] = field(default_factory=dict)  # their ids are their places
    similarities: dict[int, SimilarityEntry] = field(default_factory=dict)
    differences: dict[int, GroupDifferences] = field(default_factory=dict)
    studies: dict[tuple[str, int], Study] = field(default_factory=dict)  # by their satellites, too
    robustness: dict[str, Robustness] = field(default_factory=dict)
    studied: StudiedProject = field(default_factory=lambda: StudiedProject(Project()))  # beside the entries

    @property
    def has_all(self) -> bool:
        """Whether every assessment, matrix, comparison and test of the evidence was computed again."""
        made, of_all = len(self.differences) + len(self.studies), ("differences", *SATELLITES)
        return self._has_items and made == sum(len(self.values[kind]) for kind in of_all)

    @property
    def _has_items(self) -> bool:
        values = self.values
        made = len(self.entries), len(self.similarities)
        return made == (len(values["assessments"]), len(values["similarities"]))

    # Files

    def file(self, place: int) -> InputFile:
        """An input that was found, where it lies now."""
        path, said = self.found[place].path, self.values["inputs"][place]
        assert path is not None  # noqa: S101 - only called where the file was found
        return InputFile(path, **{name: said[name] for name in _OF_FILE})

    def record(self, place: int) -> ScoringRecord:
        """The record of recordings that lies there."""
        opened = open_source(_source(self.file(place)))
        return record_of(opened.content, opened.name)

    def scores(self, place: int) -> tuple[Ids, Ids, FloatArray]:
        """Enrolments, tests and scores of a file as `zebra score` writes it."""
        found = recognise(open_source(_source(self.file(place)))).only((FileRole.SCORES,))
        table = found.read() if found.readings else None
        if not isinstance(table, Table) or table.sides is None or table.score is None:
            raise InputError("not-as-before", file=found.file.name)
        return *table.sides, table.score

    def _files(self, recorded: Mapping[str, Any]) -> list[InputFile]:
        return [self.file(place) for place in recorded["inputs"]]

    def _choices(self, recorded: Mapping[str, Any]) -> dict[str, str]:
        """The choices as the intake knows them, about the files where they lie now.

        That something was unpacked, however well it packs, is nobody's choice but that of whoever verifies.
        """
        places = {place: _source(self.file(place)).place for place in recorded["inputs"]}
        made = unasked({}, any_ratio=self.any_ratio)
        for choice in recorded["choices"]:
            if choice["input"] in places and choice["topic"] != Topic.UNPACKING.value:
                key = places.get(choice.get("key", -1))
                made[f"{choice['topic']}:{places[choice['input']]}"] = key or choice.get("choice", "")
        return made

    # Items

    def assessment(self, place: int, on_progress: Progress) -> Json:
        """An assessment, with its speakers."""
        recorded = self.values["assessments"][place]
        entry = replace(
            self._entry(place, part_of(on_progress, 0.0, 0.4)),
            **{name: recorded[name] for name in ATTACK},
            **_labels(recorded, str(place)),
            condition=Condition(recorded["condition"]) if recorded["condition"] is not None else None,
        )
        choices = self._choices(recorded).items()
        said = [text for name, text in choices if name.partition(":")[0] == Topic.SESSIONS.value]
        entry = entry.in_sessions(sessions_of_text(said[0])) if said else entry
        if (asked := recorded["trust"]) is not None:
            measured = trust_of(
                weighable_of(entry, part_of(on_progress, 0.4, 0.5)),
                entry.assessment,
                _drawn(asked),
                deals=_bounded(asked["null_replicates"] or 0, "null_replicates"),
                normalise="normalised" in asked or "not_normalised" in asked,
                on_progress=part_of(on_progress, 0.5, 0.8),
            )
            entry = replace(entry, measured=self._as_required(entry, measured, asked))
            entry = replace(entry, measured=self._readings_as_required(entry, asked))
        report = report_of(_said(self.values["pages"]["report"], "pages › report"))
        project = Project(items=(entry,), tag_scale=entry.assessment.settings.tag_scale, report=report)
        grouped = (entry.id,) if "by_group" in recorded else ()
        material = gather(project, part_of(on_progress, 0.8, 1.0), grouped=grouped)
        for name, known in self.studied.findings.items():
            known.add(material.findings[name])
        if self._had_gone(place):
            self.studied.designs.pop(entry.id, None)
            self.studied.over_estimation.pop(entry.id, None)
        self.entries[place] = replace(entry, trials=None)
        return recomputed_of(entry, material)

    def _had_gone(self, place: int) -> bool:
        """Whether the files of an assessment had gone, so that nobody could look at its design."""
        remarks = self.values["assessments"][place]["remarks"]
        (line,) = (one for one in self.values["checks"] if one["check"] == Check.DESIGN.value)
        cases = [one for one in line["cases"] if one["assessments"] == [place]]
        is_untold = any(one["code"] == UNTOLD for one in cases)
        return is_untold and any(one["code"] in OF_INPUTS for one in remarks)

    def _as_required(
        self, entry: Entry, measured: AssessmentTrust, asked: Mapping[str, Any]
    ) -> AssessmentTrust:
        """What requirements asked for besides, as far as the evidence has it."""
        requirements = requirements_of(_said(self.values["requirements"], "requirements"))
        if (keys := asked.get("bounded")) is not None:
            wanted = [each for each in requirements if each.draws_key in keys and not each.detail.group]
            found = bounded_figures(entry, wanted, measured.uncertainty.settings)
            measured = replace(measured, bounded={key: found[key] for key in keys if key in found})
        if asked.get("people") is not None:
            among = among_how_many(entry, requirements)
            measured = replace(measured, people=people_bounds(entry, among=among))
        of_groups = [each for each in requirements if each.detail.group in asked.get("groups", ())]
        return with_groups(entry, measured, of_groups) if of_groups else measured

    def _readings_as_required(self, entry: Entry, asked: Mapping[str, Any]) -> AssessmentTrust | None:
        """The trust of an assessment with what requirements asked of its normalised scores."""
        known, trust = asked.get("normalised", {}), entry.trust
        found = {
            one.normalisation: self._as_required(one, one.trust, known[one.normalisation.value])
            for one in entry.readings[1:]
            if one.trust and one.normalisation and one.normalisation.value in known
        }
        return replace(trust, normalised={**trust.normalised, **found}) if trust and found else trust

    def similarity(self, place: int, on_progress: Progress) -> Json:
        """Similarity matrices."""
        recorded = self.values["similarities"][place]
        entry = self._matrices(place, part_of(on_progress, 0.0, 0.3))
        if (asked := recorded["trust"]) is not None:
            measured = voices_trust_of(
                entry.similarity,
                voice_trials_of(entry, part_of(on_progress, 0.3, 0.5)),
                _drawn(asked),
                deals={
                    setting: _bounded(count, setting) for setting, count in asked["null_replicates"].items()
                },
                on_progress=part_of(on_progress, 0.5, 1.0),
            )
            entry = replace(entry, measured=measured)
        self.similarities[place] = replace(entry, **_labels(recorded, f"similarity-{place}"))
        return recomputed_similarity(entry)

    def compared(self, place: int, on_progress: Progress) -> Json:
        """Paired comparisons of one group."""
        recorded = self.values["differences"][place]
        pairs = list(zip(recorded["entries"], recorded["matrices"], strict=True))
        members: list[GroupMember] = []
        for number, (of, matrices) in enumerate(pairs):
            part = part_of(on_progress, 0.4 * number / len(pairs), 0.4 * (number + 1) / len(pairs))
            entry = self._entry(of, part_of(part, 0.0, 0.4))
            trials, voices = weighable_of(entry, part_of(part, 0.4, 0.5)), None
            if matrices is not None:
                item = self._matrices(matrices, part_of(part, 0.5, 0.75))
                read = voice_trials_of(item, part_of(part, 0.75, 1.0))
                voices = SafeguardMatrices(item.similarity, read)
            members.append(GroupMember(str(of), entry.assessment, trials, voices))
        found, _ = settle_group(members, _drawn(recorded), part_of(on_progress, 0.4, 1.0))
        self.differences[place] = found
        return found.as_json({str(of): of for of in recorded["entries"]})

    def study(self, kind: str, place: int, on_progress: Progress) -> Mapping[str, Any]:
        """What a satellite has, from its files, with the decisions that were made.

        Its sentences are in the language of the report.
        """
        recorded, satellite = self.values[kind][place], satellite_named(kind)
        study = satellite.study(tuple(self._files(recorded)), recorded["values"])
        _bounded(study.values["replicates"], "replicates")
        with speaking(str(self.values["pages"]["report"].get("language"))):
            found = satellite.again(study, on_progress)
        self.studies[kind, place] = found
        return found.values

    def robust(self, on_progress: Progress) -> object:
        """What leaving out speakers does to the assessments that the evidence says it of.

        What cannot be examined is not there.
        """
        about = say("robustness.head")
        project = self._whole(about)
        ids = {str(one["assessment"]) for one in self.values["robustness"]}

        def read(entry: Entry, part: Progress) -> SpeakerTrials:
            return read_named(self._entry(int(entry.id), part))

        alone = tuple(item for item in project.items if item.id in ids or not item.entries)
        part = replace(project, items=alone, robustness={}, differences=())
        self.robustness.update(robustness_of(part, on_progress, read)[0])
        return robustness_as_json(self._whole(about))

    def required(self, on_progress: Progress) -> object:
        """The verdicts on all requirements, from what was computed before, in the language of the report."""
        on_progress(0.0)
        project = self._whole(say("verify.requirements"))
        with speaking(project.report.language):
            return [each.as_json() for each in verdicts(project)]

    def checked(self, on_progress: Progress) -> Json:
        """Strongest attackers, check list and robustness, from what was computed before."""
        on_progress(0.0)
        return checks_as_json(self._whole(say("check.title")), self.studied.designs)

    def _whole(self, about: str) -> Project:
        """The project. Raises InputError where something of it could not be computed again."""
        if not self._has_items:
            raise InputError("not-as-before", file=about)
        return self.project()

    def _entry(self, place: int, on_progress: Progress) -> Entry:
        """The assessment read and assessed again as the evidence says it was, with its trials."""
        recorded = self.values["assessments"][place]
        files, choices = self._files(recorded), self._choices(recorded)
        if STREAMED in [remark["code"] for remark in recorded["remarks"]]:
            choices |= {Topic.STREAMING.value: YES}  # draws of counts have another order than those of trials
        allow = recorded["audit"]["decisions"] if recorded["audit"] else ()
        settings = _settings(recorded["settings"])
        if (satellite := satellite_of(files)) is not None:
            return satellite.assessed(files, choices, settings, on_progress)
        records = {_source(file) for file in files if file.role == FileRole.RECORDINGS.value}
        made = plan(dict.fromkeys(file.path for file in files), choices)
        for planned in made.assessments:
            # Scores that are not those of their record belong to it by their place, perhaps another one now.
            if {file.source for file in planned.files} | records == set(map(_source, files)):
                tried = try_planned(planned, allow, settings=settings, on_progress=on_progress)
                return tried.made
        by_role = {file.role: file.path for file in files if _source(file) not in records}
        scores = by_role.get("scores") or by_role.get("both") or by_role.get("target-scores")
        if scores is None or len(by_role) > 2:
            raise InputError("not-as-before", file=recorded["name"])
        key = by_role.get("key") or by_role.get("nontarget-scores")
        return assess_files(
            scores, key, settings=settings, allow=allow, choices=choices, on_progress=on_progress
        )

    def _matrices(self, place: int, on_progress: Progress) -> SimilarityEntry:
        recorded = self.values["similarities"][place]
        files, choices = self._files(recorded), self._choices(recorded)
        made = plan(dict.fromkeys(file.path for file in files), choices)
        planned = as_chosen(made.files, choices)
        if planned is None or {file.source for file in planned.files} != set(map(_source, files)):
            raise (
                made.problems[0].error
                if made.problems
                else InputError("not-as-before", file=recorded["name"])
            )
        tried = try_planned_similarity(planned, recorded["decisions"], on_progress=on_progress)
        return tried.made

    # All of it

    def project(self) -> Project:
        """The project of the evidence, under the names that the report has; all must have been computed."""
        values, pages = self.values, self.values["pages"]
        lots: dict[str, Any] = {
            "assessment": (
                self._as_reported(one, self.entries[n]) for n, one in enumerate(values["assessments"])
            ),
            "similarity": (
                self._as_reported(one, self.similarities[n]) for n, one in enumerate(values["similarities"])
            ),
        }
        ticked = pages.get("ticked", [True] * len(pages["kinds"]))
        kinds = zip(pages["kinds"], pages["colours"], ticked, strict=True)
        settings = self.entries[0].assessment.settings
        return Project(
            values["title"],
            tuple(replace(next(lots[kind]), colour=colour, is_ticked=tick) for kind, colour, tick in kinds),
            tag_scale=settings.tag_scale,
            verbal_scale=settings.verbal_scale,
            report=report_of(_said(pages["report"], "pages › report")),
            differences=tuple(self.differences[place] for place in sorted(self.differences)),
            studies=tuple(
                replace(self.studies[kind, n], files=self._names(one).files(self.studies[kind, n].files))
                for kind in SATELLITES
                for n, one in enumerate(values[kind])
            ),
            requirements=requirements_of(_said(values["requirements"], "requirements")),
            robustness=dict(self.robustness),
            utilities=utilities_of(_said(pages.get("utilities", []), "pages › utilities")),
            review=review_of(_said(values, "")),
            since=since_of(_said(values, "")),
        )

    def material(self) -> StudiedProject:
        """The project with what was gathered of it."""
        printed = recorded_line(self.values, Check.PRINTED)
        return replace(self.studied, project=self.project(), printed=printed)

    def evidence(self) -> Json:
        """The evidence, made anew as plain values; everything must have been computed again.

        What the user said in it (names, notes, choices, settings, what was printed beside the scores) is
        taken as it is recorded.
        """
        values, material = self.values, self.material()
        with speaking(material.project.report.language):
            made = evidence(
                material,
                dt.date.fromisoformat(values["date"]),
                values["versions"],
                author=values["pages"]["author"],
                is_summary=values["pages"]["is_summary"],
            )
            anew: dict[str, Any] = json.loads(as_bytes(made))
            anew["checks"] = [
                _printed(values, said) if one["check"] == said["check"] == Check.PRINTED.value else one
                for said, one in zip(values["checks"], anew["checks"], strict=True)
            ]
        for kind in ("assessments", "similarities"):
            for recorded, one in zip(values[kind], anew[kind], strict=True):
                one["choices"] = recorded["choices"]
                if one.get("audit") and recorded["audit"]:
                    one["audit"]["findings"] = _findings(recorded["audit"]["findings"], one)
        return anew

    def _names(self, recorded: Mapping[str, Any]) -> _Names:
        """What the report calls the files of an item."""
        inputs = self.values["inputs"]
        return _Names({self.file(n).path.absolute(): Path(inputs[n]["name"]) for n in recorded["inputs"]})

    def _as_reported(self, recorded: Mapping[str, Any], item: Item) -> Item:
        """The item with its files under the names that the report has for them."""
        names, figures = self._names(recorded), item.figures
        told = [replace(one, facts=names.facts(one.facts)) for one in figures.remarks_on_files]
        if (audit := item.audit) is not None:
            found = tuple(
                replace(
                    one,
                    facts=names.facts(one.facts),
                    examples=tuple(replace(line, file=names.shown(line.file)) for line in one.examples),
                )
                for one in audit.findings
            )
            audit = replace(audit, findings=found)
        return item.resting_on(names.files(figures.files), _remarks(recorded["remarks"], told), audit)


def pages_again(given: GivenEvidence, again: Recomputation) -> bytes:
    """The report as a PDF, made anew. Everything must have been computed again; raises ZebraError."""
    values, material = given.values, again.material()
    with speaking(material.project.report.language):
        content = report_content(
            material,
            dt.date.fromisoformat(values["date"]),
            values["versions"],
            evidence_sha256=given.seal or given.sha256,
            author=values["pages"]["author"],
            is_summary=values["pages"]["is_summary"],
        )
        tables = table_files(compare(material.project))
    attached = dict(attachments_of(given.pdf, given.name)) if given.pdf else {}
    if is_same_csv(attached.get(CSV_TABLE, b""), tables[CSV_TABLE]):
        tables[CSV_TABLE] = attached[CSV_TABLE]  # another processor may compute other last digits
    return made_pdf(MadeReport(content, given.content, tables))


class _Names:
    """What a report calls files, by where they lie now."""

    def __init__(self, names: Mapping[Path, Path]) -> None:
        self._names = names
        self._called = {path.name: name.name for path, name in names.items()}

    def files(self, files: Iterable[InputFile]) -> tuple[InputFile, ...]:
        """The files under these names."""
        return tuple(replace(file, path=self._names.get(file.path.absolute(), file.path)) for file in files)

    def facts(self, facts: Mapping[str, Any]) -> dict[str, Any]:
        """The facts of a remark."""
        # Whole names alone, where nothing but files are named: else a file called 0.9 would alter figures.
        return {key: self.shown(fact) if key in _NAMES_OF_FILES else fact for key, fact in facts.items()}

    def shown(self, shown: object) -> str:
        """A name of a file, as it stands in a sentence."""
        name, inside, member = str(shown).partition(INSIDE)
        return f"{self._called.get(name, name)}{inside}{member}"


def _said(value: object, place: str) -> SavedValue:
    return SavedValue(value, place, "evidence.json")


def _source(file: InputFile) -> Source:
    return Source(file.path, file.member)


def _labels(recorded: Mapping[str, Any], item_id: str) -> dict[str, Any]:
    return {**{name: recorded[name] for name in ("name", "dataset", "run", "notes")}, "id": item_id}


def _findings(recorded: Sequence[Mapping[str, Any]], item: Mapping[str, Any]) -> list[Any]:
    """The findings of an audit; those of the drop, which is no more, at their place and in our own words."""
    said = {one["code"]: one for one in item["remarks"] if one["code"] in OF_THE_DROP}
    left = [one for one in item["audit"]["findings"] if one["code"] not in OF_THE_DROP]
    made: list[Any] = []
    for one in recorded:
        if one["code"] in OF_THE_DROP:
            words = said.get(one["code"], one if one["code"] == BY_FOLDERS else None)
            if words is not None:  # names that folders gave are told here alone; all else is a remark, too
                made.append({**one, "severity": words["severity"], "text": words["text"]})
        elif left:
            made.append(left.pop(0))
    return [*made, *left]


def _printed(values: Mapping[str, Any], said: Mapping[str, Any]) -> Json:
    """The line on figures printed elsewhere, in our own words as far as there are any."""
    line = recorded_line(values, Check.PRINTED)
    made: dict[str, Any] = json.loads(json.dumps(line.as_json({}) if line else said))
    for case, one in zip(made["cases"], said["cases"], strict=True):
        case["assessments"] = one["assessments"]
    return made


def _remarks(recorded: Sequence[Mapping[str, Any]], found: Iterable[Remark]) -> tuple[Remark, ...]:
    """What was found of the files again; of the drop, which is no more, as it is recorded, at its place."""
    left = [remark for remark in found if remark.code not in OF_THE_DROP]
    codes = {remark.code for remark in left}
    made: list[Remark] = []
    for one in recorded:
        if one["code"] in OF_THE_DROP:
            section = "finding" if knows(f"finding.{one['code']}") else "remark"
            made.append(Remark(one["code"], dict(one["facts"]), Severity(one["severity"]), section))
        elif one["code"] in codes and left:
            made.append(left.pop(0))
    return (*made, *left)


def _drawn(asked: Mapping[str, Any]) -> BootstrapSettings:
    """What the intervals rest on."""
    return BootstrapSettings(_bounded(asked["replicates"], "replicates"), asked["level"], asked["seed"])


def _bounded(count: int, at: str, most: int = MOST_REPLICATES) -> int:
    """A number of draws, or of points. Raises InputError for one that nobody ever waited for."""
    if count > most:
        raise InputError("evidence-broken", file="", at=at)
    return count


def _settings(recorded: Mapping[str, Any]) -> Settings:
    return Settings(
        *scales_of(_said(recorded, "settings")),
        prior_log_odds_limit=float(recorded["prior_log_odds_limit"]),
        prior_points=_bounded(recorded["prior_points"], "prior_points", 100_001),
        score_meaning=ScoreMeaning(recorded["score_meaning"]),
        prior_one_in=recorded["prior_one_in"],
    )
