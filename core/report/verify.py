"""Verifying a report: find its files by their hash, compute everything again, and say figure by figure."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from zebra_core.errors import InputError, ZebraError
from zebra_core.evidence.file_remarks import OF_INPUTS
from zebra_core.intake.opening.packing import TOO_MUCH
from zebra_core.intake.sorting.naming import OF_THE_DROP
from zebra_core.metrics.assessment import (
    CROSS_FITTED_BY_TRIALS,
    REVERSED_DISCLOSES_MORE,
    UNORDERED_DISCLOSES_MORE,
)
from zebra_core.metrics.registry import METRICS
from zebra_core.project.older import AGAIN
from zebra_core.project.verdicts.deciding import verdicts
from zebra_core.report.attachment import GivenEvidence, read_evidence
from zebra_core.report.checked import Checked, Status, Verification
from zebra_core.report.evidence import SCHEMA_VERSION, recomputed_similarity
from zebra_core.report.evidence_checks import checks_as_json, outcomes_by_name
from zebra_core.report.found_files import FoundInput, find_inputs
from zebra_core.report.pages import checked_pages
from zebra_core.report.recomputing import (
    Again,
    RecordedFiles,
    assessment_again,
    differences_again,
    listening_again,
    robustness_again,
    said_of_assessment,
    said_of_differences,
    similarity_again,
)
from zebra_core.report.recordings_again import Given, checked_recordings
from zebra_core.report.remaking import project_again
from zebra_core.report.signatures import signatures_of
from zebra_core.runtime.progress import Progress, no_progress, part_of
from zebra_core.wording.texts import say

if TYPE_CHECKING:
    from asn1crypto.x509 import Certificate

RELATIVE_TOLERANCE = 1e-12
"""So much may the order of additions on another machine change; a report shows three digits."""

_NOT_RECOMPUTED = frozenset(
    {
        *("name", "dataset", "run", "notes", "inputs", "choices", "condition", "attacker"),
        *("recogniser", "back_end"),
        *("settings", "decisions", "mean"),
    }
)
"""What the user said, and what is only followed."""


_LATER_REMARKS = frozenset({REVERSED_DISCLOSES_MORE, UNORDERED_DISCLOSES_MORE, CROSS_FITTED_BY_TRIALS})
_LATER_REMARKS_SINCE = 3
"""Codes that evidence of version 2 did not know."""


_ROWS_OF_TEST = frozenset({"questions", "listeners", "panels", "machine", "ratings"})


def verify(
    path: Path,
    folders: Iterable[Path] = (),
    on_progress: Progress = no_progress,
    *,
    any_ratio: bool = False,
    trusted: Sequence[Certificate] = (),
    recordings: Sequence[Path] = (),
    model: Path | None = None,
    on_checked: Callable[[Sequence[Checked]], object] = len,
) -> Verification:
    """Check a report (PDF) or its evidence (JSON) against the files below these folders.

    Without folders, files are looked for in the folder of the report. Every figure of an assessment is
    computed again with the settings, choices and decisions that the evidence records; but what packs better
    than files of scores do is unpacked only with `any_ratio`, whatever the evidence says. Signatures are held
    against the certificates that are trusted, if any are named. Where scores were made from recordings,
    and these lie below the folders, or below those of `recordings`, they are made again, by the recogniser
    that comes along or by `model`. Raises InputError for what is no evidence; `on_progress` may raise
    Cancelled. `on_checked` is told everything that has been checked so far, again and again.
    """
    given = read_evidence(path)
    signatures = signatures_of(given.pdf, trusted) if given.pdf is not None else ()
    where = tuple(folders) or (path.absolute().parent,)
    found = find_inputs(given.values["inputs"], where, part_of(on_progress, 0.0, 0.2))
    checked = [*_seal(given), *_files(given.values["inputs"], found)]
    on_checked(tuple(checked))
    files, again = RecordedFiles(given.values["inputs"], found, any_ratio), Again()
    items = _items(given.values, files, again)
    version, end = given.values["schema"]["version"], 0.8 if given.pdf else 1.0
    middle = 0.5 if given.values.get("recordings") else end
    for number, item in enumerate(items):
        places = (0.2 + (middle - 0.2) * place / len(items) for place in (number, number + 1))
        checked += _checked(item, files, part_of(on_progress, *places), version)
        on_checked(tuple(checked))
    reached = checked_recordings(
        given.values,
        files,
        Given((*where, *recordings), bool(recordings), model),
        part_of(on_progress, middle, end),
    )
    checked += reached.checked
    on_checked(tuple(checked))
    if given.pdf is not None and items:
        checked += checked_pages(given, found, again, part_of(on_progress, end, 1.0))
        on_checked(tuple(checked))
    on_progress(1.0)
    return Verification(
        given.values["title"],
        tuple(checked),
        given.pdf is not None,
        signatures,
        reached.chain,
        reached.is_whole,
        reached.needs_model,
    )


def _seal(given: GivenEvidence) -> list[Checked]:
    if given.seal is None:
        return []
    status = Status.VERIFIED if given.is_as_sealed else Status.DIFFERS
    return [Checked(say("verify.report"), say("verify.attachment"), status, given.seal, given.sha256)]


def _files(inputs: Sequence[Mapping[str, Any]], found: Sequence[FoundInput]) -> Iterator[Checked]:
    for one, where in zip(inputs, found, strict=True):
        at = where.path or where.changed
        yield Checked(one["name"], "SHA-256", _status(where), one["sha256"], str(at) if at else "")


def _status(found: FoundInput) -> Status:
    if found.path is not None:
        return Status.VERIFIED
    return Status.FILE_CHANGED if found.changed else Status.FILE_MISSING


@dataclass(frozen=True, eq=False)
class _Item:
    """What is computed again as a whole: what it is about, its figures by name, and the inputs they need."""

    about: str
    said: Mapping[str, object]
    inputs: Sequence[int]
    again: Callable[[Progress], Mapping[str, object]]  # the same figures by name, anew


def _items(values: Mapping[str, Any], files: RecordedFiles, again: Again) -> list[_Item]:
    """Assessments, matrices, and what was compared pair by pair; `again` is filled when they are checked."""
    return [
        *(_assessed(place, one, files, again) for place, one in enumerate(values["assessments"])),
        *(_alike(place, one, files, again) for place, one in enumerate(values["similarities"])),
        *(
            _pair_by_pair(place, one, values, files, again)
            for place, one in enumerate(values.get("differences", ()))
        ),
        *(_by_ear(place, one, files, again) for place, one in enumerate(values.get("listening", ()))),
        *_required(values, files, again),
        *_checklist(values, files, again),
        *_robust(values, files, again),
    ]


def _required(values: Mapping[str, Any], files: RecordedFiles, again: Again) -> list[_Item]:
    """The verdicts on all requirements, from what was computed again before; nothing where there are none."""
    if not values.get("requirements"):
        return []

    def anew(on_progress: Progress) -> Mapping[str, object]:
        on_progress(0.0)
        if any(len(getattr(again, kind)) < len(values[kind]) for kind in ("assessments", "similarities")):
            raise InputError("not-as-before", file=say("verify.requirements"))
        project = project_again(values, files.found_inputs, again)
        return _by_requirement([each.as_json() for each in verdicts(project)])

    places = dict.fromkeys(place for each in values["assessments"] for place in each["inputs"])
    return [_Item(say("verify.requirements"), _by_requirement(values["requirements"]), tuple(places), anew)]


def _checklist(values: Mapping[str, Any], files: RecordedFiles, again: Again) -> list[_Item]:
    """Strongest attackers and checks, from what was computed again before; nothing where there are none."""
    if not (values["assessments"] and "checks" in values and "pages" in values):
        return []

    def anew(on_progress: Progress) -> Mapping[str, object]:
        on_progress(0.0)
        if len(again.assessments) < len(values["assessments"]):
            raise InputError("not-as-before", file=say("check.title"))
        return outcomes_by_name(checks_as_json(project_again(values, files.found_inputs, again)))

    places = dict.fromkeys(place for each in values["assessments"] for place in each["inputs"])
    return [_Item(say("check.title"), outcomes_by_name(values), tuple(places), anew)]


def _robust(values: Mapping[str, Any], files: RecordedFiles, again: Again) -> list[_Item]:
    """What leaving out speakers did, where that was examined; read and left out again."""
    recorded = values.get("robustness")
    if not recorded or "pages" not in values:
        return []

    def anew(on_progress: Progress) -> Mapping[str, object]:
        if len(again.assessments) < len(values["assessments"]):
            raise InputError("not-as-before", file=say("robustness.head"))
        project = project_again(values, files.found_inputs, again)
        places = [one["assessment"] for one in recorded if one["assessment"] < len(again.assessments)]
        return _by_row(robustness_again(project, places, values, files, on_progress), values)

    places = dict.fromkeys(place for each in values["assessments"] for place in each["inputs"])
    return [_Item(say("robustness.head"), _by_row(recorded, values), tuple(places), anew)]


def _by_row(told: Sequence[Mapping[str, Any]], values: Mapping[str, Any]) -> dict[str, object]:
    """What leaving out speakers did to each assessment, by its name and place."""
    names = dict(enumerate(map(_name, values["assessments"])))
    return {
        f"{names.get(one['assessment'], '')} ({one['assessment'] + 1})": {
            name: value for name, value in one.items() if name != "assessment"
        }
        for one in told
    }


def _by_requirement(told: Sequence[Mapping[str, Any]]) -> dict[str, object]:
    """Of each by its name what follows from the figures: the verdict, and that of every row."""
    found: dict[str, object] = {}
    for each in told:
        found[each["name"]] = {name: each[name] for name in ("verdict", "reason")}
        for row in each["rows"]:
            found[f"{each['name']} · {row['name']}"] = {
                name: value for name, value in row.items() if name != "name"
            }
    return found


def _assessed(place: int, recorded: Mapping[str, Any], files: RecordedFiles, again: Again) -> _Item:
    def anew(on_progress: Progress) -> Mapping[str, object]:
        found = again.assessments[place] = assessment_again(recorded, files, on_progress)
        return _by_name(said_of_assessment(found))

    about = " ".join(filter(None, (_name(recorded), recorded.get("condition"))))
    return _Item(about, _by_name(recorded), recorded["inputs"], anew)


def _alike(place: int, recorded: Mapping[str, Any], files: RecordedFiles, again: Again) -> _Item:
    def anew(on_progress: Progress) -> Mapping[str, object]:
        found = again.similarities[place] = similarity_again(recorded, files, on_progress)
        return _by_name(recomputed_similarity(found))

    return _Item(_name(recorded), _by_name(recorded), recorded["inputs"], anew)


def _by_ear(place: int, recorded: Mapping[str, Any], files: RecordedFiles, again: Again) -> _Item:
    """A listening test, question by question and listener by listener."""

    def anew(on_progress: Progress) -> Mapping[str, object]:
        found = again.listening[place] = listening_again(recorded, files, on_progress)
        return _of_test(found.values)

    said = _of_test(recorded["values"])
    return _Item(say("verify.listening", title=recorded["values"]["title"]), said, recorded["inputs"], anew)


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
    number: int, recorded: Mapping[str, Any], values: Mapping[str, Any], files: RecordedFiles, again: Again
) -> _Item:
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

    return _Item(" ".join(filter(None, about)), _by_pair(recorded, names), tuple(inputs), anew)


def _name(recorded: Mapping[str, Any]) -> str:
    return " ".join(filter(None, (recorded["name"], recorded["run"])))


def _checked(item: _Item, files: RecordedFiles, on_progress: Progress, version: int) -> list[Checked]:
    """Every figure of it; of evidence of an older version those that it knew."""
    states = {_status(files.found_inputs[place]) for place in item.inputs} - {Status.VERIFIED}
    if states or not item.inputs:
        worst = Status.FILE_CHANGED if Status.FILE_CHANGED in states else Status.FILE_MISSING
        return [Checked(item.about, what, worst, _text(value)) for what, value in item.said.items()]
    try:
        now = item.again(on_progress)
    except ZebraError as error:
        reason = str(error)
        packed = str(error.facts["file"]) if error.code == TOO_MUCH else ""
        return [
            Checked(item.about, what, Status.NOT_POSSIBLE, _text(value), reason, packed)
            for what, value in item.said.items()
        ]
    if "speakers" in item.said:  # none were reported: then nothing is said of any
        now = {what: value for what, value in now.items() if not what.startswith("speakers[")}
    if "reidentification" in item.said:  # the same of people
        now = {what: value for what, value in now.items() if not what.startswith("reidentification.")}
    if "inference" not in item.said and "inference[0]" not in item.said:  # as until there was any
        now = {what: value for what, value in now.items() if not what.startswith("inference")}
    if version < SCHEMA_VERSION:
        now = _as_far_as_known(now, item.said, version)
    names = dict.fromkeys((*item.said, *now))
    return [
        _by_an_older_rule(item.about, what, item.said[what])
        if _is_older(item.said.get(what), now.get(what))
        else _compared(item.about, what, item.said.get(what), now.get(what))
        for what in names
    ]


def _is_older(said: object, now: object) -> bool:
    """Whether figures follow a rule of 0.1.0 that is no more.

    Those of a speaker were computed from all trials of his or hers; each figure of pairs was corrected alone.
    """
    if not isinstance(said, dict):
        return False
    of_speaker = isinstance(now, dict) and "taken_log10_lr" in now.keys() - said.keys()
    return of_speaker or "p_holm" in said


def _by_an_older_rule(about: str, what: str, said: object) -> Checked:
    return Checked(about, what, Status.NOT_POSSIBLE, _text(said), say("verify.older-rule"))


def _without_later(codes: object) -> object:
    return [one for one in codes if one not in _LATER_REMARKS] if isinstance(codes, list) else codes


def _as_far_as_known(
    now: Mapping[str, object], said: Mapping[str, object], version: int
) -> dict[str, object]:
    """Without what a report of this version could not say: remarks and figures, also among the intervals."""
    later = {metric.key for metric in METRICS if metric.since > version}
    found = {
        what: {key: one for key, one in value.items() if key not in later}
        if isinstance(value, dict)
        else value
        for what, value in now.items()
        if what in said
    }
    if version < _LATER_REMARKS_SINCE and "remarks" in found:
        found["remarks"] = _without_later(found["remarks"])
    return found


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


def _by_name(values: Mapping[str, Any]) -> dict[str, object]:
    """The figures among these values, by name."""
    return dict(_leaves({key: value for key, value in values.items() if key not in _NOT_RECOMPUTED}))


def _compared(about: str, what: str, said: object, now: object) -> Checked:
    status = Status.VERIFIED if _is_same(said, now) else Status.DIFFERS
    return Checked(about, what, status, _text(said), _text(now))


def _of_speakers(rows: Sequence[Mapping[str, Any]]) -> Iterator[tuple[str, object]]:
    for row in rows:
        yield f"speakers[{row['speaker']}]", {k: v for k, v in row.items() if k != "speaker"}


def _of_attributes(rows: Sequence[Mapping[str, Any]]) -> Iterator[tuple[str, object]]:
    """By their places: their files may have other names today."""
    for number, row in enumerate(rows):
        yield f"inference[{number}]", {k: v for k, v in row.items() if k not in ("attribute", "remarks")}


_BY_ROW: Mapping[str, Callable[[Sequence[Mapping[str, Any]]], Iterator[tuple[str, object]]]] = {
    "speakers": _of_speakers,
    "inference": _of_attributes,
}


def _leaves(values: Mapping[str, Any]) -> Iterator[tuple[str, object]]:
    """Figures by name: curves and remarks as a whole, speakers and counts of the audit one by one."""
    for name, value in values.items():
        if name in _BY_ROW and isinstance(value, list):
            yield from _BY_ROW[name](value)
        elif name == "remarks":
            yield name, _codes(value)
        elif name == "audit" and isinstance(value, dict):
            for key, part in value.items():
                # Texts of findings name files by their names, which may have changed.
                yield f"audit.{key}", _codes(part) if key == "findings" else part
        elif isinstance(value, dict):
            for key, part in value.items():
                yield f"{name}.{key}", part
        else:
            yield name, value


def _codes(told: Sequence[Mapping[str, Any]]) -> list[str]:
    """What was remarked of the figures; not where files lay, or how draws came about."""
    passing = {*OF_THE_DROP, *OF_INPUTS, "uncertainty-stopped", "intervals-older-rule", AGAIN}
    return [one["code"] for one in told if one.get("code") not in passing]


def _is_same(one: object, other: object) -> bool:
    """Whether two plain values are the same, numbers up to rounding in their last digits."""
    if isinstance(one, float) or isinstance(other, float):
        if not (_is_number(one) and _is_number(other)):
            return False
        return math.isclose(one, other, rel_tol=RELATIVE_TOLERANCE, abs_tol=RELATIVE_TOLERANCE)  # type: ignore[arg-type]
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(_is_same, one, other))
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(_is_same(one[key], other[key]) for key in one)
    return type(one) is type(other) and one == other


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _text(value: object) -> str:
    """A recorded value in short."""
    if isinstance(value, list):
        return say("verify.points", count=len(value))
    if isinstance(value, dict):
        return ", ".join(f"{key} {part}" for key, part in value.items())
    return "" if value is None else str(value)
