"""What of a report is computed again as a whole: its figures as recorded, and how they are made anew."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from zebra_core.errors import InputError
from zebra_core.project.project import Project
from zebra_core.project.spans import robustness_as_json
from zebra_core.project.verdicts.deciding import verdicts
from zebra_core.report.evidence import recomputed_similarity
from zebra_core.report.evidence_checks import checks_as_json, outcomes_by_name
from zebra_core.report.figures_by_name import figures_by_name
from zebra_core.report.recomputation import (
    RecomputedItems,
    RecordedFiles,
    assessment_again,
    differences_again,
    listening_again,
    robustness_again,
    said_of_assessment,
    said_of_differences,
    similarity_again,
)
from zebra_core.report.remaking import project_again
from zebra_core.runtime.progress import Progress
from zebra_core.wording.texts import say

_ROWS_OF_TEST = frozenset({"questions", "listeners", "panels", "machine", "ratings"})


@dataclass(frozen=True, eq=False)
class RecordedItem:
    """What is computed again as a whole: what it is about, its figures by name, and the inputs they need."""

    about: str
    said: Mapping[str, object]
    inputs: Sequence[int]
    again: Callable[[Progress], Mapping[str, object]]  # the same figures by name, anew


def items_of(values: Mapping[str, Any], files: RecordedFiles, again: RecomputedItems) -> list[RecordedItem]:
    """Assessments, matrices, and what was compared pair by pair; `again` is filled when they are checked."""
    language = str(values["pages"]["report"].get("language"))
    return [
        *(_assessed(place, one, files, again) for place, one in enumerate(values["assessments"])),
        *(_matrix(place, one, files, again) for place, one in enumerate(values["similarities"])),
        *(_pair_by_pair(place, one, values, files, again) for place, one in enumerate(values["differences"])),
        *(_by_ear(place, one, language, files, again) for place, one in enumerate(values["listening"])),
        *_required(values, files, again),
        *_checklist(values, files, again),
        *_robust(values, files, again),
    ]


def _required(values: Mapping[str, Any], files: RecordedFiles, again: RecomputedItems) -> list[RecordedItem]:
    """The verdicts on all requirements, from what was computed again before; nothing where there are none."""
    if not values["requirements"]:
        return []

    about = say("verify.requirements")

    def anew(on_progress: Progress) -> Mapping[str, object]:
        on_progress(0.0)
        project = _project(about, values, files, again)
        return _by_requirement([each.as_json() for each in verdicts(project)])

    return [RecordedItem(about, _by_requirement(values["requirements"]), _inputs_of_all(values), anew)]


def _checklist(values: Mapping[str, Any], files: RecordedFiles, again: RecomputedItems) -> list[RecordedItem]:
    """Strongest attackers and checks, from what was computed again before; nothing where there are none."""
    if not values["assessments"]:
        return []

    about = say("check.title")

    def anew(on_progress: Progress) -> Mapping[str, object]:
        on_progress(0.0)
        return outcomes_by_name(checks_as_json(_project(about, values, files, again)))

    return [RecordedItem(about, outcomes_by_name(values), _inputs_of_all(values), anew)]


def _robust(values: Mapping[str, Any], files: RecordedFiles, again: RecomputedItems) -> list[RecordedItem]:
    """What leaving out speakers did, where that was examined; read and left out again."""
    recorded = values["robustness"]
    if not recorded:
        return []

    about = say("robustness.head")

    def anew(on_progress: Progress) -> Mapping[str, object]:
        project = _project(about, values, files, again)
        places = [one["assessment"] for one in recorded if one["assessment"] < len(again.assessments)]
        again.robustness.update(robustness_again(project, places, values, files, on_progress))
        project = _project(about, values, files, again)
        return _by_row(robustness_as_json(project), values)

    return [RecordedItem(about, _by_row(recorded, values), _inputs_of_all(values), anew)]


def _inputs_of_all(values: Mapping[str, Any]) -> tuple[int, ...]:
    """What must be there for whatever follows from all assessments and matrices together."""
    items = (*values["assessments"], *values["similarities"])
    return tuple(dict.fromkeys(place for each in items for place in each["inputs"]))


def _project(about: str, values: Mapping[str, Any], files: RecordedFiles, again: RecomputedItems) -> Project:
    """The project anew. Raises InputError where something of it could not be computed again."""
    if any(len(getattr(again, kind)) < len(values[kind]) for kind in ("assessments", "similarities")):
        raise InputError("not-as-before", file=about)
    return project_again(values, files.found_inputs, again)


def _by_row(rows: Sequence[Mapping[str, Any]], values: Mapping[str, Any]) -> dict[str, object]:
    """What leaving out speakers did to each assessment, by its name and place."""
    names = dict(enumerate(map(_name, values["assessments"])))
    return {
        f"{names.get(one['assessment'], '')} ({one['assessment'] + 1})": {
            name: value for name, value in one.items() if name != "assessment"
        }
        for one in rows
    }


def _by_requirement(verdicts: Sequence[Mapping[str, Any]]) -> dict[str, object]:
    """Verdicts by the name of the requirement and, for each of its rows, by both names."""
    found: dict[str, object] = {}
    for each in verdicts:
        found[each["name"]] = {name: each[name] for name in ("verdict", "reason")}
        for row in each["rows"]:
            found[f"{each['name']} · {row['name']}"] = {
                name: value for name, value in row.items() if name != "name"
            }
    return found


def _assessed(
    place: int, recorded: Mapping[str, Any], files: RecordedFiles, again: RecomputedItems
) -> RecordedItem:
    def anew(on_progress: Progress) -> Mapping[str, object]:
        found = again.assessments[place] = assessment_again(recorded, files, on_progress)
        return figures_by_name(said_of_assessment(found))

    about = " ".join(filter(None, (_name(recorded), recorded.get("condition"))))
    return RecordedItem(about, figures_by_name(recorded), recorded["inputs"], anew)


def _matrix(
    place: int, recorded: Mapping[str, Any], files: RecordedFiles, again: RecomputedItems
) -> RecordedItem:
    def anew(on_progress: Progress) -> Mapping[str, object]:
        found = again.similarities[place] = similarity_again(recorded, files, on_progress)
        return figures_by_name(recomputed_similarity(found))

    return RecordedItem(_name(recorded), figures_by_name(recorded), recorded["inputs"], anew)


def _by_ear(
    place: int, recorded: Mapping[str, Any], language: str, files: RecordedFiles, again: RecomputedItems
) -> RecordedItem:
    """A listening test, question by question and listener by listener."""

    def anew(on_progress: Progress) -> Mapping[str, object]:
        found = again.listening[place] = listening_again(recorded, language, files, on_progress)
        return _of_test(found.values)

    said = _of_test(recorded["values"])
    return RecordedItem(
        say("verify.listening", title=recorded["values"]["title"]), said, recorded["inputs"], anew
    )


def _of_test(values: Mapping[str, Any]) -> dict[str, object]:
    """What stands there, rows by what they are of; sentences follow from the rest."""
    found: dict[str, object] = {}
    for name, value in values.items():
        if name in _ROWS_OF_TEST:
            for row in value:
                of = " ".join(str(row[key]) for key in ("question", "safeguard", "code") if row.get(key))
                found[f"{name}: {of}"] = row
        elif name != "told":
            found[name] = value
    return found


def _pair_by_pair(
    number: int,
    recorded: Mapping[str, Any],
    values: Mapping[str, Any],
    files: RecordedFiles,
    again: RecomputedItems,
) -> RecordedItem:
    used = [values["assessments"][place] for place in recorded["entries"]]
    names = dict(zip(recorded["entries"], _distinct([_name(each) for each in used]), strict=True))
    about = [say("verify.differences"), *(used[0].get(key) for key in ("dataset", "condition", "attacker"))]
    used += [values["similarities"][place] for place in recorded["matrices"] if place is not None]
    inputs = dict.fromkeys(place for each in used for place in each["inputs"])
    # What has no file of its own is known to be missing only by the others.
    inputs = inputs if all(each["inputs"] for each in used) else {}

    def anew(on_progress: Progress) -> Mapping[str, object]:
        found = again.differences[number] = differences_again(recorded, values, files, on_progress)
        return _by_pair(said_of_differences(found), names)

    return RecordedItem(" ".join(filter(None, about)), _by_pair(recorded, names), tuple(inputs), anew)


def _name(recorded: Mapping[str, Any]) -> str:
    return " ".join(filter(None, (recorded["name"], recorded["run"])))


def _distinct(names: Sequence[str]) -> list[str]:
    """The names, those that come several times with their place among them."""
    count = Counter(names)
    return [name if count[name] == 1 else f"{name} ({place})" for place, name in enumerate(names, start=1)]


def _by_pair(compared: Mapping[str, Any], names: Mapping[int, str]) -> dict[str, object]:
    """What was compared, and each difference by the two it is of; places are those of the assessments."""
    found: dict[str, object] = {}
    for figure, one in compared["figures"].items():
        of = [names[place] for place in one["of"]]
        found[figure] = dict(zip(of, one["values"], strict=True))
        for pair in one["differences"]:
            name = f"{figure} {of[pair['first']]} − {of[pair['second']]}"
            found[name] = {key: value for key, value in pair.items() if key not in {"first", "second"}}
    return found
