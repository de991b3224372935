"""Verifying a report: find its files by their hash, compute everything again, and say figure by figure.

What of a report is computed again as a whole: its figures by name, as recorded and as made anew.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from zebra_core.errors import ZebraError
from zebra_core.evidence.attack import ATTACK
from zebra_core.evidence.audit import OF_INPUTS
from zebra_core.intake.opening.packing import TOO_MUCH
from zebra_core.intake.sorting.naming import OF_THE_DROP
from zebra_core.project.satellites import SATELLITES, provenance, satellite_named
from zebra_core.report.attachment import GivenEvidence, evidence_beside, read_evidence
from zebra_core.report.evidence import outcomes_by_name
from zebra_core.report.found_files import FoundInput, find_inputs, unpacked
from zebra_core.report.not_covered import not_covered
from zebra_core.report.pages import checked_pages
from zebra_core.report.recomputation import Recomputation, contained, why_not_made_again
from zebra_core.report.signatures import signatures_of
from zebra_core.report.tables import RELATIVE_TOLERANCE
from zebra_core.report.verification import (
    NotCovered,
    ProvenanceChecks,
    Verification,
    VerificationLine,
    VerificationStatus,
)
from zebra_core.runtime.progress import Progress, no_progress, part_of
from zebra_core.wording.texts import say, shortened

if TYPE_CHECKING:
    from asn1crypto.x509 import Certificate


_LONGEST = 300  # characters of what is told of entries that differ


def verify(
    path: Path,
    folders: Iterable[Path] = (),
    on_progress: Progress = no_progress,
    *,
    any_ratio: bool = False,
    trusted: Sequence[Certificate] = (),
    recordings: Sequence[Path] = (),
    model: Path | None = None,
    on_checked: Callable[[Sequence[VerificationLine]], object] = len,
) -> Verification:
    """Check a report (PDF) or its evidence (JSON) against the files below these folders, or inside projects.

    Of a Word file the evidence beside it is checked. Without any folders, files are looked for in the
    folder of the report. Every figure of an assessment is computed again with the settings, choices and
    decisions that the evidence records; but what packs better than files of scores do is unpacked only with
    `any_ratio`, whatever the evidence says. Signatures are held against the certificates that are trusted,
    if any are named. Where scores were made from recordings, and these lie below the folders, or below
    those of `recordings`, they are made again, by the recogniser that comes along or by `model`. Raises
    InputError for what is no evidence; `on_progress` may raise Cancelled. `on_checked` is told everything
    that has been checked so far, again and again.
    """
    given = read_evidence(path)
    signatures = signatures_of(given.pdf, trusted) if given.pdf is not None else ()
    finding = part_of(on_progress, 0.0, 0.2)
    with unpacked(tuple(folders) or (path.absolute().parent,), finding) as (where, kept):
        found = find_inputs(given.values["inputs"], where, finding, kept)
        named = list(zip(given.values["inputs"], found, strict=True))
        checked = [*_seal(given), *(at.line(one["name"], one["sha256"]) for one, at in named)]
        on_checked(tuple(checked))
        again = Recomputation(given.values, found, any_ratio)
        items = items_of(again)
        end = 0.8 if given.pdf else 1.0
        middle, reached = (0.5 if given.values["recordings"] else end), ProvenanceChecks()
        for number, item in enumerate(items):
            places = (0.2 + (middle - 0.2) * place / len(items) for place in (number, number + 1))
            checked += _checked(item, found, part_of(on_progress, *places))
            on_checked(tuple(checked))
        if given.values["recordings"]:
            part, folders = part_of(on_progress, middle, end), (*where, *recordings)
            reached = provenance().checked(again, part, folders, is_asked=bool(recordings), model=model)
            checked += reached.checked
        checked.append(_checked_evidence(again))
        on_checked(tuple(checked))
        if given.pdf is not None:
            checked += checked_pages(given, again, part_of(on_progress, end, 1.0))
            on_checked(tuple(checked))
        if given.is_of_word:
            checked.append(_word_itself(evidence_beside(path)))
        on_progress(1.0)
        return Verification(
            given.values["title"],
            tuple(checked),
            given.pdf is not None,
            signatures,
            reached.chain,
            reached.is_whole,
            reached.needs_model,
            tuple(told for one, at in named if not at.changed and (told := at.about_others(one["name"]))),
            _not_covered(given),
        )


def _seal(given: GivenEvidence) -> list[VerificationLine]:
    if given.seal is None:
        return []
    status = VerificationStatus.VERIFIED if given.is_as_sealed else VerificationStatus.DIFFERS
    what = say("verify.beside" if given.is_of_word else "verify.attachment")
    return [VerificationLine(say("verify.report"), what, status, given.seal, given.sha256)]


def _not_covered(given: GivenEvidence) -> NotCovered:
    try:
        return contained(not_covered, given.values)
    except ZebraError:
        return NotCovered()  # the lines say what is wrong with it


def _word_itself(evidence: Path) -> VerificationLine:
    """That what a Word file says was compared with nothing."""
    why = say("verify.word-not", evidence=evidence.name)
    return VerificationLine(
        say("verify.report"), say("verify.word"), VerificationStatus.NOT_COMPARED, found=why
    )


def _checked(
    item: RecordedItem, found: Sequence[FoundInput], on_progress: Progress
) -> list[VerificationLine]:
    """Every figure of it."""
    said = item.said
    states = {found[place].status for place in item.inputs if found[place].path is None}
    if states or not item.inputs:
        worst = (
            VerificationStatus.FILE_CHANGED
            if VerificationStatus.FILE_CHANGED in states
            else VerificationStatus.FILE_MISSING
        )
        return [VerificationLine(item.about, what, worst, _text(value)) for what, value in said.items()]
    try:
        now = item.again(on_progress)
    except ZebraError as error:
        reason = str(error)
        packed = str(error.facts["file"]) if error.code == TOO_MUCH else ""
        return [
            VerificationLine(item.about, what, VerificationStatus.NOT_POSSIBLE, _text(value), reason, packed)
            for what, value in said.items()
        ]
    for name in ("speakers", "most_exposed", "reidentification"):
        if name in said:  # nobody was reported: then nothing is said of any
            now = {
                what: value for what, value in now.items() if not what.startswith((f"{name}[", f"{name}."))
            }
    names = dict.fromkeys((*said, *now))
    return [_compared(item.about, what, said.get(what), now.get(what)) for what in names]


def _checked_evidence(again: Recomputation) -> VerificationLine:
    """Everything that the evidence says beside the evidence made anew: sentences, remarks, counts, places."""
    about, what, values = say("verify.evidence"), say("verify.everything"), again.values
    reason = why_not_made_again(values) or ("" if again.has_all else say("verify.not-all-again"))
    made: Mapping[str, object] = {}
    try:
        if not reason:
            made = contained(again.evidence)
    except ZebraError as error:
        reason = str(error)
    if reason:
        return VerificationLine(about, what, VerificationStatus.NOT_COMPARED, found=reason)
    others = list(_different(values, made))
    if not others:
        same = say("verify.same-evidence")
        return VerificationLine(about, what, VerificationStatus.VERIFIED, same, same)
    listed = shortened(", ".join(others), _LONGEST)
    told = say("verify.other-entries", count=len(others), entries=listed)
    return VerificationLine(about, what, VerificationStatus.DIFFERS, found=told, is_sentence=True)


def _different(said: object, now: object, at: str = "") -> Iterator[str]:
    """Where two evidences say different things."""
    if isinstance(said, dict) and isinstance(now, dict):
        for key in dict.fromkeys((*said, *now)):
            place = f"{at}.{key}" if at else key
            yield from (
                _different(said.get(key), now.get(key), place) if key in said and key in now else (place,)
            )
    elif isinstance(said, list) and isinstance(now, list) and len(said) == len(now):
        for number, (one, other) in enumerate(zip(said, now, strict=True)):
            yield from _different(one, other, f"{at}[{number}]")
    elif not _is_same(said, now):
        yield at


def _compared(about: str, what: str, said: object, now: object) -> VerificationLine:
    status = VerificationStatus.VERIFIED if _is_same(said, now) else VerificationStatus.DIFFERS
    return VerificationLine(about, what, status, _text(said), _text(now))


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
    if isinstance(value, float):  # as many digits as are compared, and no break where they are searched for
        return f"{value:.13g}"
    return "" if value is None else str(value)


_NOT_RECOMPUTED = frozenset(
    {
        *("name", "dataset", "run", "notes", "inputs", "choices", "condition", *ATTACK),
        *("settings", "decisions", "mean"),
    }
)
"""What the user said, and what is only followed."""
_PASSING = frozenset({*OF_THE_DROP, *OF_INPUTS, "uncertainty-stopped"})
"""Remarks on where files lay, or on how draws came about; not on the figures."""


@dataclass(frozen=True, eq=False)
class RecordedItem:
    """A part of evidence that is computed again as a whole: what it is about, and the inputs it needs."""

    about: str
    recorded: Any
    inputs: Sequence[int]
    compute: Callable[[Progress], Any]  # the same part of the evidence, anew
    by_name: Callable[[Any], Mapping[str, object]]  # the figures of such a part, each by its name

    @property
    def said(self) -> Mapping[str, object]:
        """The figures as they are recorded."""
        return self.by_name(self.recorded)

    def again(self, on_progress: Progress) -> Mapping[str, object]:
        """The figures computed again. Raises ZebraError."""
        return contained(lambda: self.by_name(self.compute(on_progress)))


def items_of(project: Recomputation) -> list[RecordedItem]:
    """Assessments, matrices, and what was compared pair by pair; then what follows from all of them."""
    values = project.values
    items = [
        *(
            RecordedItem(
                " ".join(filter(None, (_name(one), one["condition"]))),
                one,
                one["inputs"],
                partial(project.assessment, place),
                figures_by_name,
            )
            for place, one in enumerate(values["assessments"])
        ),
        *(
            RecordedItem(_name(one), one, one["inputs"], partial(project.similarity, place), figures_by_name)
            for place, one in enumerate(values["similarities"])
        ),
        *(_pair_by_pair(place, one, project) for place, one in enumerate(values["differences"])),
        *(
            RecordedItem(
                satellite_named(name).title(one["values"]),
                one["values"],
                one["inputs"],
                partial(project.study, name, place),
                satellite_named(name).figures_by_name,
            )
            for name in SATELLITES
            for place, one in enumerate(values[name])
        ),
    ]
    every = tuple(
        dict.fromkeys(n for one in (*values["assessments"], *values["similarities"]) for n in one["inputs"])
    )
    follow = (
        ("requirements", say("verify.requirements"), project.required, _by_requirement),
        ("assessments", say("check.title"), project.checked, outcomes_by_name),
        ("robustness", say("robustness.head"), project.robust, partial(_by_row, values["assessments"])),
    )
    for key, about, compute, by_name in follow:
        if values[key]:
            recorded = values if by_name is outcomes_by_name else values[key]
            items.append(RecordedItem(about, recorded, every, compute, by_name))
    return items


def _pair_by_pair(number: int, recorded: Mapping[str, Any], project: Recomputation) -> RecordedItem:
    values = project.values
    used = [values["assessments"][place] for place in recorded["entries"]]
    names = dict(zip(recorded["entries"], _distinct([_name(each) for each in used]), strict=True))
    about = [say("verify.differences"), *(used[0].get(key) for key in ("dataset", "condition", "attacker"))]
    used += [values["similarities"][place] for place in recorded["matrices"] if place is not None]
    inputs = dict.fromkeys(place for each in used for place in each["inputs"])
    # What has no file of its own is known to be missing only by the others.
    inputs = inputs if all(each["inputs"] for each in used) else {}
    compute, by_name = partial(project.compared, number), partial(_by_pair, names)
    return RecordedItem(" ".join(filter(None, about)), recorded, tuple(inputs), compute, by_name)


def _name(recorded: Mapping[str, Any]) -> str:
    return " ".join(filter(None, (recorded["name"], recorded["run"])))


def _distinct(names: Sequence[str]) -> list[str]:
    """The names, those that come several times with their place among them."""
    count = Counter(names)
    return [name if count[name] == 1 else f"{name} ({place})" for place, name in enumerate(names, start=1)]


def _without(row: Mapping[str, Any], *names: str) -> dict[str, Any]:
    return {name: value for name, value in row.items() if name not in names}


def _by_pair(names: Mapping[int, str], compared: Mapping[str, Any]) -> dict[str, object]:
    """What was compared, and each difference by the two it is of; places are those of the assessments."""
    found: dict[str, object] = {}
    for figure, one in compared["figures"].items():
        of = [names[place] for place in one["of"]]
        found[figure] = dict(zip(of, one["values"], strict=True))
        for pair in one["differences"]:
            name = f"{figure} {of[pair['first']]} − {of[pair['second']]}"
            found[name] = _without(pair, "first", "second")
    return found


def _by_row(assessments: Sequence[Mapping[str, Any]], rows: Sequence[Mapping[str, Any]]) -> dict[str, object]:
    """What leaving out speakers did to each assessment, by its name and place."""
    names = dict(enumerate(map(_name, assessments)))
    return {
        f"{names.get(one['assessment'], '')} ({one['assessment'] + 1})": _without(one, "assessment")
        for one in rows
    }


def _by_requirement(verdicts: Sequence[Mapping[str, Any]]) -> dict[str, object]:
    """Verdicts by the name of the requirement and, for each of its rows, by both names."""
    found: dict[str, object] = {}
    for each in verdicts:
        found[each["name"]] = {name: each[name] for name in ("verdict", "reason")}
        found |= {f"{each['name']} · {row['name']}": _without(row, "name") for row in each["rows"]}
    return found


def figures_by_name(values: Mapping[str, Any]) -> dict[str, object]:
    """The figures of an item by name: curves and remarks as a whole, speakers and counts one by one."""
    return dict(_leaves(_without(values, *_NOT_RECOMPUTED)))


def _leaves(values: Mapping[str, Any]) -> Iterator[tuple[str, object]]:
    for name, value in values.items():
        if name == "speakers" and isinstance(value, list):
            yield from ((f"speakers[{row['speaker']}]", _without(row, "speaker")) for row in value)
        elif name == "inference" and isinstance(value, list):
            yield from _by_place(value)
        elif name == "by_group":
            yield from _of_groups(value)
        elif name == "uniqueness":  # the files of attributes may have other names today
            yield name, _without(value, "attributes", "remarks")
        elif name == "remarks":
            yield name, _codes(value)
        elif name == "audit" and isinstance(value, dict):
            for key, part in value.items():
                # Texts of findings name files by their names, which may have changed.
                yield f"audit.{key}", _codes(part) if key == "findings" else part
        elif isinstance(value, dict):
            # Remarks in it are sentences in the language of the report.
            yield from ((f"{name}.{key}", part) for key, part in _without(value, "remarks").items())
        else:
            yield name, value


def _by_place(rows: Sequence[Mapping[str, Any]]) -> Iterator[tuple[str, object]]:
    """What is told of each attribute by its place: their files may have other names today."""
    for number, row in enumerate(rows):
        yield f"inference[{number}]", _without(row, "attribute", "remarks")


def _of_groups(rows: Sequence[Mapping[str, Any]]) -> Iterator[tuple[str, object]]:
    """Every group by each attribute, and what was compared."""
    for number, row in enumerate(rows):
        for group in row["groups"]:
            yield f"by_group[{number}].{group['value']}", _without(group, "value")
        yield f"by_group[{number}]", _without(row, "attribute", "groups", "remarks")


def _codes(sentences: Sequence[Mapping[str, Any]]) -> list[str]:
    """What was remarked of the figures."""
    return [one["code"] for one in sentences if one.get("code") not in _PASSING]
