"""Making the pages of a report again, from its evidence and from what was computed anew of its files."""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from zebra_core.document.project import report_of, requirements_of, utilities_of
from zebra_core.document.reading import SavedValue
from zebra_core.evidence.audit import Audit
from zebra_core.evidence.file_remarks import OF_INPUTS
from zebra_core.evidence.files import InputFile
from zebra_core.evidence.remarks import Remark, Severity
from zebra_core.figures.fonts import fonts_sha256
from zebra_core.intake.opening.opening import INSIDE
from zebra_core.intake.sorting.naming import OF_THE_DROP
from zebra_core.project.checks.outcome import Check, CheckLine
from zebra_core.project.comparison import compare
from zebra_core.project.items import Condition, Entry, Item, SimilarityEntry
from zebra_core.project.material import StudiedProject
from zebra_core.project.project import Project
from zebra_core.report.attachment import GivenEvidence
from zebra_core.report.content import report_content
from zebra_core.report.evidence import as_bytes, evidence
from zebra_core.report.evidence_checks import recorded_line
from zebra_core.report.export import MadeReport, made_pdf
from zebra_core.report.found_files import FoundInput
from zebra_core.report.recomputation import RecomputedItems
from zebra_core.report.tables import table_files
from zebra_core.version import versions
from zebra_core.wording.languages import speaking
from zebra_core.wording.names import listed
from zebra_core.wording.texts import knows, say

_FILE = "evidence.json"
_OF_MATERIAL = (
    "speakers",
    "missing",
    "people",
    "nobody",
    "inference",
    "not_inferred",
    "records",
    "unrecorded",
)
_OF_FILES = frozenset({"file", "scores", "key", "record"})
"""The facts of remarks and findings that are names of files."""
_OF_NO_MATTER = frozenset({"python"})
"""What may be of another version without the pages being others."""


def why_not_made_again(values: Mapping[str, Any]) -> str:
    """Why the pages of this evidence cannot be made again by this program; empty where they can be."""
    if not values["assessments"]:  # no report is made without one
        return say("verify.nothing")
    now, then = versions(), values["versions"]
    others = [
        name for name in {**then, **now} if name not in _OF_NO_MATTER and then.get(name) != now.get(name)
    ]
    if others:
        reasons = [
            say("pages.version", name=name, then=then.get(name, "–"), now=now.get(name, "–"))
            for name in others
        ]
        return say("pages.other-versions", versions=listed(reasons, most=len(reasons)))
    if values["pages"]["fonts"] != fonts_sha256():
        return say("pages.other-fonts")
    items = (*values["assessments"], *values["similarities"])
    if any(remark["code"] in OF_INPUTS for item in items for remark in item["remarks"]):
        return say("pages.files-had-gone")
    return ""


def pages_again(given: GivenEvidence, found: Sequence[FoundInput], again: RecomputedItems) -> bytes:
    """The report as a PDF, made anew. Everything must have been computed again; raises ZebraError."""
    values, pages = given.values, given.values["pages"]
    material = _material_again(values, found, again)
    project = material.project
    with speaking(project.report.language):
        content = report_content(
            material,
            dt.date.fromisoformat(values["date"]),
            values["versions"],
            evidence_sha256=given.seal or given.sha256,
            author=pages["author"],
            is_summary=pages["is_summary"],
        )
        tables = table_files(compare(project, only_ticked=False))
    return made_pdf(MadeReport(content, given.content, tables))


def evidence_again(
    values: Mapping[str, Any], found: Sequence[FoundInput], again: RecomputedItems
) -> dict[str, object]:
    """The evidence, made anew as plain values; everything must have been computed again.

    What the user said in it (names, notes, choices, settings, what was printed beside the scores) is taken as
    it is recorded.
    """
    material, pages = _material_again(values, found, again), values["pages"]
    with speaking(material.project.report.language):
        made = evidence(
            material,
            dt.date.fromisoformat(values["date"]),
            values["versions"],
            author=pages["author"],
            is_summary=pages["is_summary"],
        )
        anew = json.loads(as_bytes(made))
    anew["checks"] = [
        said if made["check"] == said["check"] == Check.PRINTED.value else made
        for said, made in zip(values["checks"], anew["checks"], strict=True)
    ]
    for kind in ("assessments", "similarities"):
        for recorded, one in zip(values[kind], anew[kind], strict=True):
            one["choices"] = recorded["choices"]
            if one.get("audit") and recorded["audit"]:
                one["audit"]["findings"] = _findings(recorded["audit"]["findings"], one)
    return dict(anew)


def _findings(recorded: Sequence[Mapping[str, Any]], item: Mapping[str, Any]) -> list[Any]:
    """The findings of an audit; those of the drop, which is no more, at their place and in our own words."""
    said = {one["code"]: one for one in item["remarks"] if one["code"] in OF_THE_DROP}
    left = [one for one in item["audit"]["findings"] if one["code"] not in OF_THE_DROP]
    made: list[Any] = []
    for one in recorded:
        if one["code"] in OF_THE_DROP:
            words = said.get(one["code"], one)
            made.append({**one, "severity": words["severity"], "text": words["text"]})
        elif left:
            made.append(left.pop(0))
    return [*made, *left]


def _material_again(
    values: Mapping[str, Any], found: Sequence[FoundInput], again: RecomputedItems
) -> StudiedProject:
    return _gathered(project_again(values, found, again), again, recorded_line(values, Check.PRINTED))


def project_again(values: Mapping[str, Any], found: Sequence[FoundInput], again: RecomputedItems) -> Project:
    """The project of the evidence, made of what was computed anew: everything must have been."""
    pages = values["pages"]
    names = [Path(one["name"]) for one in values["inputs"]]
    files = _Files({one.path.absolute(): name for one, name in zip(found, names, strict=True) if one.path})
    assessments = [
        _as_named(recorded, files, str(place), again.assessments[place].project.entries[0])
        for place, recorded in enumerate(values["assessments"])
    ]
    similarities = [
        _as_named(recorded, files, f"similarity-{place}", again.similarities[place])
        for place, recorded in enumerate(values["similarities"])
    ]
    lots = {"assessment": iter(assessments), "similarity": iter(similarities)}
    items = tuple(
        replace(next(lots[kind]), colour=colour)
        for kind, colour in zip(pages["kinds"], pages["colours"], strict=True)
    )
    settings = assessments[0].figures.settings
    return Project(
        values["title"],
        items,
        tag_scale=settings.tag_scale,
        verbal_scale=settings.verbal_scale,
        report=report_of(SavedValue(pages["report"], "pages › report", _FILE)),
        differences=tuple(again.differences[place] for place in sorted(again.differences)),
        listening=tuple(
            replace(again.listening[place], files=files.renamed(again.listening[place].files))
            for place in range(len(values["listening"]))
        ),
        requirements=requirements_of(SavedValue(values["requirements"], "requirements", _FILE)),
        robustness={assessments[place].id: one for place, one in again.robustness.items()},
        utilities=utilities_of(SavedValue(pages.get("utilities", []), "pages › utilities", _FILE)),
    )


def _gathered(project: Project, again: RecomputedItems, printed: CheckLine | None) -> StudiedProject:
    """The speakers and people of all assessments, under their new ids."""
    made: dict[str, Any] = {name: {} for name in _OF_MATERIAL}
    for place, one in again.assessments.items():
        (entry,) = one.project.entries
        for name, known in made.items():
            if (found := getattr(one, name).get(entry.id)) is not None:
                known[str(place)] = found
    return StudiedProject(project, **made, printed=printed)


class _Files:
    """Files by where they lie now, and what the report calls them."""

    def __init__(self, names: Mapping[Path, Path]) -> None:
        self._names = names
        self._called = {path.name: name.name for path, name in names.items()}

    def renamed(self, files: Sequence[InputFile]) -> tuple[InputFile, ...]:
        """The files as the report calls them."""
        return tuple(replace(file, path=self._names.get(file.path.absolute(), file.path)) for file in files)

    def in_words_of(self, remark: Remark) -> Remark:
        """A remark with the names that the report has for files."""
        return replace(remark, facts=self._facts(remark.facts))

    def audited(self, audit: Audit | None) -> Audit | None:
        """An audit whose findings have the names that the report has for files."""
        found = tuple(
            replace(
                one,
                facts=self._facts(one.facts),
                examples=tuple(replace(line, file=self._named(line.file)) for line in one.examples),
            )
            for one in (audit.findings if audit else ())
        )
        return replace(audit, findings=found) if audit else None

    def _facts(self, facts: Mapping[str, Any]) -> dict[str, Any]:
        # Whole names alone, where nothing but files are named: else a file called 0.9 would alter figures.
        return {key: self._named(fact) if key in _OF_FILES else fact for key, fact in facts.items()}

    def _named(self, shown: object) -> str:
        name, inside, member = str(shown).partition(INSIDE)
        return f"{self._called.get(name, name)}{inside}{member}"


def _as_named(recorded: Mapping[str, Any], files: _Files, item_id: str, found: Item) -> Any:
    """The item under the names that the report has for it and for its files."""
    said = {name: recorded[name] for name in ("name", "dataset", "run", "notes")}
    figures: Any = found.figures
    figures = replace(
        figures,
        files=files.renamed(figures.files),
        remarks_on_files=_remarks(recorded["remarks"], map(files.in_words_of, figures.remarks_on_files)),
    )
    if isinstance(found, SimilarityEntry):
        return replace(found, **said, id=item_id, similarity=figures)
    assert isinstance(found, Entry)  # noqa: S101 - there are no others
    condition = recorded["condition"]
    return replace(
        found,
        **said,
        id=item_id,
        assessment=replace(figures, audit=files.audited(figures.audit)),
        condition=Condition(condition) if condition is not None else None,
        **{name: recorded[name] for name in ("attacker", "recogniser", "back_end")},
    )


def _remarks(recorded: Sequence[Mapping[str, Any]], found: Any) -> tuple[Remark, ...]:
    """What was found of the files again; of the drop, which is no more, as it is recorded, at its place."""
    left = [remark for remark in found if remark.code not in OF_THE_DROP]
    codes = {remark.code for remark in left}
    made: list[Remark] = []
    for one in recorded:
        if one["code"] in OF_THE_DROP:
            made.append(_as_recorded(one))
        elif one["code"] in codes and left:
            made.append(left.pop(0))
    return (*made, *left)


def _as_recorded(one: Mapping[str, Any]) -> Remark:
    """A remark with the code and the facts of the evidence; its words are ours."""
    section = "finding" if knows(f"finding.{one['code']}") else "remark"
    return Remark(one["code"], dict(one["facts"]), Severity(one["severity"]), section)
