"""evidence.json: everything a report rests on, unrounded, for those who recompute it.

`document.evidence` describes it, also as a JSON Schema; `report.verify` computes it again.
"""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from zebra_core.document.evidence import (
    INPUT,
    MISLEADING,
    REMARK,
    SETTINGS,
    SPEAKER,
)
from zebra_core.document.parts import audit_as_json, scales_as_json
from zebra_core.document.project import (
    context_as_json,
    report_as_json,
    review_as_json,
    since_as_json,
    utilities_as_json,
)
from zebra_core.errors import OutputError
from zebra_core.evidence.audit import Audit, InputFile, Remark, distinguishing_names
from zebra_core.evidence.value_types import as_json, object_as_json
from zebra_core.figures.fonts import fonts_sha256
from zebra_core.intake.opening.opening import Source
from zebra_core.intake.planned import Topic
from zebra_core.metrics.assessment import Assessment, Settings
from zebra_core.metrics.registry import METRICS
from zebra_core.metrics.similarity import VoiceSimilarity
from zebra_core.project.attackers import attack_groups
from zebra_core.project.attributes import as_json as inference_as_json
from zebra_core.project.checks.checklist import checklist
from zebra_core.project.checks.design import Design
from zebra_core.project.checks.outcome import Check, CheckedCase, CheckLine, CheckOutcome
from zebra_core.project.comparison.spans import robustness_as_json
from zebra_core.project.conclusion.overall import in_one_sentence
from zebra_core.project.gathering.material import StudiedProject
from zebra_core.project.group_differences import GroupDifferences
from zebra_core.project.items import Entry, Item, SimilarityEntry
from zebra_core.project.project import Project
from zebra_core.project.satellites import SATELLITES, provenance
from zebra_core.project.verdicts.deciding import verdicts
from zebra_core.report.content.values import distinct_files
from zebra_core.speakers.disclosure import SpeakerDisclosure
from zebra_core.speakers.study import MostExposed
from zebra_core.uncertainty.trust import PROFILE, figures_as_json

SCHEMA = "zebra-evidence"
SCHEMA_VERSION = 1

Json = dict[str, object]


def evidence(
    material: StudiedProject,
    date: dt.date,
    versions: Mapping[str, str],
    *,
    author: str = "",
    is_summary: bool = False,
) -> Json:
    """The whole evidence of a project; the same material, date and versions give the same.

    Its parts: `schema` {name, version}; `title`; `case`; `date` (ISO 8601); `versions` {name: version};
    `inputs`, one for each file; `assessments` with names, inputs (places in `inputs`, from 0), choices about
    them, settings, every figure, profile, speakers, remarks and audit; `similarities`, the same for matrices;
    `differences`, what was compared pair by pair, one for each group; `requirements` with their verdicts;
    `answers`, one for each safeguard; `pages`, what the printed pages are made of besides: `author` takes the
    place of the project's, and a summary says the answer alone; `attackers`, who of those that attack a
    safeguard finds most; `checks`, the check list; `robustness`, what leaving out speakers did; `recordings`,
    each record of how scores were made from recordings, with its place in `inputs` and those of its
    assessments; `listening`, each test by ear, with the places of its plan, its answers and what a recogniser
    heard, and what came of it; `context`, that of the release, null for what is not stated; `review`, what
    reviewers said and what follows from it, where anybody did; `since`, the earlier assessment that it is
    held against, where there is one. Raises OutputError when there is nothing to report.
    """
    found = material.project
    if not found.ticked.entries:
        raise OutputError("nothing-ticked" if found.entries else "nothing-to-report")
    files = distinct_files(found.items, found.studies)
    names = distinguishing_names([file.path for file in files])
    said: Json = {
        "schema": {"name": SCHEMA, "version": SCHEMA_VERSION},
        "title": found.title,
        "case": found.report.case,
        "date": date.isoformat(),
        "versions": dict(versions),
        "inputs": [object_as_json(INPUT, file, name=name) for file, name in zip(files, names, strict=True)],
        "assessments": [
            {
                **_item(entry, files),
                "condition": entry.condition.value if entry.condition else None,
                **entry.attacked_by,
                **recomputed_of(entry, material),
            }
            for entry in found.entries
        ],
        "similarities": [
            {
                **_item(item, files),
                "decisions": sorted(decision.value for decision in item.allowed),
                "mean": item.similarity.mean.value,
                **recomputed_similarity(item),
            }
            for item in found.similarities
        ],
        "differences": [_differences(one, found) for one in found.settled],
        "requirements": [each.as_json() for each in verdicts(found)],
        "answer": in_one_sentence(material.conclusions, found),
        "answers": [each.as_json() for each in material.conclusions],
        "pages": _pages(found, author, is_summary=is_summary),
        **checks_as_json(found, material.designs),
        "recordings": provenance().evidence(material, files) if material.records else [],
        **{
            name: [
                {"inputs": [files.index(file) for file in one.files], "values": dict(one.values)}
                for one in found.studies
                if one.kind == name
            ]
            for name in SATELLITES
        },
        "context": context_as_json(found.report),
    }
    comments = review_as_json(found.review) if found.report.with_comments else {}
    return {**said, **comments, **since_as_json(found.since)}


def _pages(project: Project, author: str, *, is_summary: bool) -> Json:
    """What is said, and how it is laid out: with this, and the files, the pages can be made again."""
    settings = project.report
    printed = {section: note for section, note in settings.notes.items() if section in settings.sections}
    return {
        "report": report_as_json(replace(settings, notes=printed)),
        "author": author,
        "is_summary": is_summary,
        "kinds": [item.kind for item in project.items],
        "colours": [item.colour for item in project.items],
        "fonts": fonts_sha256(),
        **({} if project.ticked is project else {"ticked": [item.is_ticked for item in project.items]}),
        **({"utilities": utilities_as_json(project.utilities)} if project.utilities else {}),
    }


def recomputed_of(entry: Entry, material: StudiedProject) -> Json:
    """What follows from the files of an assessment and its settings, and can be computed again."""
    found, speakers = entry.assessment, material.speakers.get(entry.id)
    people, unique = material.people.get(entry.id), material.uniqueness.get(entry.id)
    by_group = material.by_group.get(entry.id, ())
    exposed = MostExposed.of([speakers.disclosures]) if speakers else None
    return {
        "settings": _settings(found.settings),
        **figures_as_json(found, entry.trust),
        **_more_figures(found),
        "profile": object_as_json(PROFILE, found.profile),
        "speakers": [_speaker(row) for row in speakers.disclosures.speakers] if speakers else None,
        "most_exposed": exposed.as_json() if exposed else None,
        "reidentification": people.as_evidence() if people else None,
        "inference": inference_as_json(entry, material.inference.get(entry.id, ())),
        "trust": entry.trust.as_json() if entry.trust else None,
        "remarks": [_remark(remark) for remark in entry.remarks],
        "audit": _audit(entry.audit) if entry.audit else None,
        **({"by_group": [each.as_json() for each in by_group]} if by_group else {}),
        **({"uniqueness": unique.as_json()} if unique else {}),
    }


def recomputed_similarity(item: SimilarityEntry) -> Json:
    """What follows from the files of similarity matrices, and can be computed again."""
    return {
        "figures": item.similarity.as_json(),
        "trust": item.trust.as_json() if item.trust else None,
        "remarks": [_remark(remark) for remark in item.remarks],
    }


def _differences(one: GroupDifferences, project: Project) -> Json:
    """Paired comparisons; `entries` are places in the assessments, `matrices` in the similarities."""
    places = {entry.id: place for place, entry in enumerate(project.entries)}
    return {
        "entries": [places[entry_id] for entry_id in one.assessments],
        "matrices": [_place_of(one.voices.get(entry_id), project) for entry_id in one.assessments],
        **one.as_json(places),
    }


def _place_of(voices: VoiceSimilarity | None, project: Project) -> int | None:
    if voices is None:
        return None
    cells = (item.similarity.has_cells_of(voices) for item in project.similarities)
    return list(cells).index(True)


def as_bytes(values: Json) -> bytes:
    """JSON as it is written to a file: indented, in the order of the keys, UTF-8."""
    # A lone surrogate, from a file name that is no UTF-8, cannot be written as itself.
    text = json.dumps(values, indent=1, ensure_ascii=False, allow_nan=False) + "\n"
    return text.encode("utf-8", "backslashreplace")


def _item(item: Item, files: Sequence[InputFile]) -> Json:
    return {
        "name": item.name,
        "dataset": item.dataset,
        "run": item.run,
        "notes": item.notes,
        "inputs": [files.index(file) for file in item.files],
        "choices": _choices(item, files),
    }


def _choices(item: Item, files: Sequence[InputFile]) -> list[Json]:
    """What was chosen about the files, without the folders they lay in: these are nobody's business."""
    place = {Source(file.path, file.member).place: files.index(file) for file in item.files}
    made: list[Json] = []
    for question, choice in item.choices.items():
        topic, _, about = question.partition(":")
        if about in place:
            of = (
                {"key": place[choice]} if topic == Topic.KEY.value and choice in place else {"choice": choice}
            )
            made.append({"input": place[about], "topic": topic, **of})
    return made


def _more_figures(found: Assessment) -> Json:
    return {
        "ceiling_for_log10_lr": as_json(found.ceilings_log10_lr[1]),
        "ceiling_against_log10_lr": as_json(found.ceilings_log10_lr[0]),
        "misleading": object_as_json(MISLEADING, found.oracle_misleading),
        "recall": [{"false_alarms": rate, "found": as_json(share)} for rate, share in found.hits_at.items()],
        **{metric.key: metric.as_json(found) for metric in METRICS if not metric.is_promised},
    }


def _audit(audit: Audit) -> Json:
    found = audit_as_json(audit)
    for finding in found["findings"]:
        del finding["facts"]  # its text says them
    return found


def _speaker(row: SpeakerDisclosure) -> Json:
    return object_as_json(SPEAKER, row, interval_bits=(row.low_bits, row.high_bits))


def _settings(settings: Settings) -> Json:
    return object_as_json(SETTINGS, settings, **scales_as_json(settings.tag_scale, settings.verbal_scale))


def _remark(remark: Remark) -> Json:
    facts = {name: _fact(value) for name, value in remark.facts.items()}
    return object_as_json(REMARK, remark, facts=facts, text=str(remark))


def _fact(value: object) -> object:
    return value if value is None or isinstance(value, bool | int | float | str) else str(value)


def checks_as_json(project: Project, designs: Mapping[str, Design]) -> dict[str, object]:
    """`attackers`, one for each safeguard in a dataset, `checks` in their order, and `robustness`.

    Assessments are places among those of the project, from 0. `designs` is as `checklist` takes it.
    """
    places = {entry.id: place for place, entry in enumerate(project.entries)}
    return {
        "attackers": [group.as_json(places) for group in attack_groups(project)],
        "checks": [line.as_json(places) for line in checklist(project, designs=designs)],
        "robustness": robustness_as_json(project),
    }


def outcomes_by_name(values: Mapping[str, Any]) -> dict[str, object]:
    """Outcomes and figures by the name of safeguard and check, but for what is printed elsewhere."""
    found: dict[str, object] = {
        " ".join(filter(None, (one["safeguard"], one["run"], one["dataset"]))): {
            key: one[key] for key in ("strongest", "d_ece_bits", "interval", "level")
        }
        for one in values["attackers"]
    }
    for line in values["checks"]:
        if line["check"] != Check.PRINTED.value:
            cases = [
                [one["outcome"], one["code"], one["assessments"], one["figures"]] for one in line["cases"]
            ]
            found[line["check"]] = [line["outcome"], cases]
    return found


def recorded_line(values: Mapping[str, Any], check: Check) -> CheckLine | None:
    """A line of the check list as it is recorded; None where there is none."""
    for line in values["checks"]:
        if line["check"] == check.value:
            return CheckLine(check, tuple(map(_recorded_case, line["cases"])))
    return None


def _recorded_case(case: Mapping[str, Any]) -> CheckedCase:
    """What agreed in our own words; of what differed the words alone say what it was."""
    if case["outcome"] != CheckOutcome.PASSED.value:
        return CheckedCase(CheckOutcome.FAILED, "printed-differs", (), {"told": case["text"]})
    count = case["figures"]["figures"]
    return CheckedCase(CheckOutcome.PASSED, "printed-agree", (), {"count": count}, {"figures": count})
