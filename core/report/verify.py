"""Verifying a report: find its files by their hash, compute everything again, and say figure by figure."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from pathlib import Path
from typing import Any

from core.assessment import ScoreMeaning, Settings
from core.errors import InputError, ZebraError
from core.intake.naming import OF_THE_DROP
from core.intake.opening import Source
from core.intake.plan import plan
from core.intake.segment_plan import as_chosen
from core.loading import assess_files, evidence_of, try_planned, try_planned_similarity
from core.progress import Progress, no_progress, part_of
from core.project import Entry, Project, SimilarityEntry
from core.report.attachment import GivenEvidence, read_evidence
from core.report.evidence import recomputed, recomputed_similarity
from core.report.found_files import FoundInput, find_inputs
from core.report.material import gather
from core.scales import TagScale, VerbalScale
from core.texts import say
from core.uncertainty.bootstrap import MOST_REPLICATES, BootstrapSettings
from core.uncertainty.trust import trust_of
from core.uncertainty.voices_trust import voices_trust_of

RELATIVE_TOLERANCE = 1e-12
"""So much may the order of additions on another machine change; a report shows three digits."""

_NOT_RECOMPUTED = frozenset(
    {
        *("name", "dataset", "run", "notes", "inputs", "choices", "condition", "attacker"),
        *("settings", "decisions", "mean"),
    }
)
"""What the user said, and what is only followed."""


class Status(Enum):
    """What came of one figure."""

    VERIFIED = "verified"
    DIFFERS = "differs"
    FILE_MISSING = "file-missing"
    FILE_CHANGED = "file-changed"
    NOT_POSSIBLE = "not-possible"  # the files are there, but nothing can be computed of them again

    def __str__(self) -> str:
        """In words."""
        return say(f"verify.{self.value}")


@dataclass(frozen=True)
class Checked:
    """One figure, or one file: whose it is, what it is, what the report says, and what was found."""

    about: str
    what: str
    status: Status
    recorded: str = ""
    found: str = ""


@dataclass(frozen=True, eq=False)
class Verification:
    """Everything that was checked: the attachment, then the files, then the figures of each assessment."""

    title: str
    checked: tuple[Checked, ...]

    @property
    def is_verified(self) -> bool:
        """Whether all of it is; something must have been checked."""
        return bool(self.checked) and all(one.status is Status.VERIFIED for one in self.checked)

    @property
    def summary(self) -> str:
        """The outcome in a sentence."""
        if self.is_verified:
            return say("verify.all", count=len(self.checked))
        counts = {status: sum(one.status is status for one in self.checked) for status in Status}
        parts = [say(f"verify.count-{status.value}", count=n) for status, n in counts.items() if n]
        return say("verify.not-all", counts=", ".join(parts))

    def as_json(self) -> dict[str, object]:
        """Plain values, in the order in which they were checked."""
        return {
            "title": self.title,
            "verified": self.is_verified,
            "checked": [
                {
                    "about": one.about,
                    "what": one.what,
                    "status": one.status.value,
                    "recorded": one.recorded,
                    "found": one.found,
                }
                for one in self.checked
            ],
        }


def verify(path: Path, folders: Iterable[Path] = (), on_progress: Progress = no_progress) -> Verification:
    """Check a report (PDF) or its evidence (JSON) against the files below these folders.

    Without folders, files are looked for in the folder of the report. Every figure of an assessment is
    computed again with the settings, choices and decisions that the evidence records. Raises InputError for
    what is no evidence; `on_progress` may raise Cancelled.
    """
    given = read_evidence(path)
    where = tuple(folders) or (path.absolute().parent,)
    found = find_inputs(given.values["inputs"], where, part_of(on_progress, 0.0, 0.2))
    checked = [*_seal(given), *_files(given.values["inputs"], found)]
    kinds = ((_again, given.values["assessments"]), (_similarity_again, given.values["similarities"]))
    items = [(again, recorded) for again, rows in kinds for recorded in rows]
    for number, (again, recorded) in enumerate(items):
        part = part_of(on_progress, 0.2 + 0.8 * number / len(items), 0.2 + 0.8 * (number + 1) / len(items))
        checked += _item(again, recorded, _Files(given.values["inputs"], found), part)
    on_progress(1.0)
    return Verification(given.values["title"], tuple(checked))


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
class _Files:
    """The inputs of the evidence, and where they lie."""

    inputs: Sequence[Mapping[str, Any]]
    found: Sequence[FoundInput]

    def source(self, place: int) -> Source:
        """An input that was found."""
        path = self.found[place].path
        assert path is not None  # noqa: S101 - only called where every file was found
        return Source(path, self.inputs[place]["member"])


Again = Callable[[Mapping[str, Any], _Files, Progress], Mapping[str, Any]]
"""Computes what the evidence says of one assessment, or of one set of matrices, anew."""


def _item(again: Again, recorded: Mapping[str, Any], files: _Files, on_progress: Progress) -> list[Checked]:
    """Every figure of one assessment, or of one set of matrices."""
    about = " ".join(filter(None, (recorded["name"], recorded["run"], recorded.get("condition"))))
    said = _by_name(recorded)
    states = {_status(files.found[place]) for place in recorded["inputs"]} - {Status.VERIFIED}
    if states or not recorded["inputs"]:
        worst = Status.FILE_CHANGED if Status.FILE_CHANGED in states else Status.FILE_MISSING
        return [Checked(about, what, worst, _text(value)) for what, value in said.items()]
    try:
        now = _by_name(again(recorded, files, on_progress))
    except ZebraError as error:
        reason = str(error)
        return [
            Checked(about, what, Status.NOT_POSSIBLE, _text(value), reason) for what, value in said.items()
        ]
    names = dict.fromkeys((*said, *now))
    return [_compared(about, what, said.get(what), now.get(what)) for what in names]


def _by_name(values: Mapping[str, Any]) -> dict[str, object]:
    """The figures among these values, by name."""
    return dict(_leaves({key: value for key, value in values.items() if key not in _NOT_RECOMPUTED}))


def _compared(about: str, what: str, said: object, now: object) -> Checked:
    status = Status.VERIFIED if _is_same(said, now) else Status.DIFFERS
    return Checked(about, what, status, _text(said), _text(now))


def _again(recorded: Mapping[str, Any], files: _Files, on_progress: Progress) -> Mapping[str, Any]:
    entry = _entry(recorded, files, part_of(on_progress, 0.0, 0.4))
    if recorded["trust"] is not None and entry.trials is not None:
        asked, part = recorded["trust"], part_of(on_progress, 0.4, 0.8)
        measured = trust_of(
            entry.trials,
            entry.assessment,
            _drawn(asked),
            deals=_bounded(asked["null_replicates"] or 0, "null_replicates"),
            on_progress=part,
        )
        entry = replace(entry, measured=measured)
    project = Project(items=(entry,), tag_scale=entry.assessment.settings.tag_scale)
    material = gather(project, part_of(on_progress, 0.8, 1.0))
    return recomputed(entry, material.speakers.get(entry.id))


def _entry(recorded: Mapping[str, Any], files: _Files, on_progress: Progress) -> Entry:
    """The assessment read and assessed again as the evidence says it was."""
    sources = {place: files.source(place) for place in recorded["inputs"]}
    choices = _choices(recorded["choices"], sources)
    allow = recorded["audit"]["decisions"] if recorded["audit"] else ()
    settings = _settings(recorded["settings"])
    made = plan(dict.fromkeys(source.path for source in sources.values()), choices)
    for planned in made.assessments:
        if {file.source for file in planned.files} == set(sources.values()):
            tried = try_planned(planned, allow, settings=settings, on_progress=on_progress)
            if not isinstance(tried.entry, Entry):
                raise tried.failure or InputError("not-as-before", file=recorded["name"])
            return tried.entry
    by_role = {files.inputs[place]["role"]: source.path for place, source in sources.items()}
    scores = by_role.get("scores") or by_role.get("both") or by_role.get("target-scores")
    if scores is None or len(by_role) > 2:
        raise InputError("not-as-before", file=recorded["name"])
    key = by_role.get("key") or by_role.get("nontarget-scores")
    return assess_files(scores, key, settings=settings, allow=allow, choices=choices, on_progress=on_progress)


def _similarity_again(recorded: Mapping[str, Any], files: _Files, on_progress: Progress) -> Mapping[str, Any]:
    sources = {place: files.source(place) for place in recorded["inputs"]}
    choices = _choices(recorded["choices"], sources)
    made = plan(dict.fromkeys(source.path for source in sources.values()), choices)
    planned = as_chosen(made.files, choices)
    if planned is None or {file.source for file in planned.files} != set(sources.values()):
        raise InputError("not-as-before", file=recorded["name"])
    reading = part_of(on_progress, 0.0, 0.3)
    tried = try_planned_similarity(planned, recorded["decisions"], on_progress=reading)
    if not isinstance(tried.entry, SimilarityEntry):
        raise tried.failure or InputError("not-as-before", file=recorded["name"])
    entry = tried.entry
    if recorded["trust"] is not None:
        evidence = evidence_of(entry, part_of(on_progress, 0.3, 0.5))
        asked, found = recorded["trust"], entry.similarity
        measured = voices_trust_of(
            found,
            evidence.all_trials(found),
            _drawn(asked),
            deals={setting: _bounded(count, setting) for setting, count in asked["null_replicates"].items()},
            on_progress=part_of(on_progress, 0.5, 1.0),
        )
        entry = replace(entry, measured=measured)
    return recomputed_similarity(entry)


def _choices(recorded: Iterable[Mapping[str, Any]], sources: Mapping[int, Source]) -> dict[str, str]:
    """The choices as the intake knows them, about the files where they lie now."""
    made = {}
    for choice in recorded:
        if source := sources.get(choice["input"]):
            key = sources.get(choice.get("key", -1))
            made[f"{choice['topic']}:{source.place}"] = key.place if key else choice.get("choice", "")
    return made


def _drawn(asked: Mapping[str, Any]) -> BootstrapSettings:
    """What the intervals rest on."""
    return BootstrapSettings(_bounded(asked["replicates"], "replicates"), asked["level"], asked["seed"])


def _bounded(count: int, at: str) -> int:
    """A number of draws. Raises InputError for one that nobody ever waited for."""
    if count > MOST_REPLICATES:
        raise InputError("evidence-broken", file="", at=at)
    return count


def _settings(recorded: Mapping[str, Any]) -> Settings:
    verbal = recorded["verbal_scale"]
    points = recorded["prior_points"]
    if points > 100_001:
        raise InputError("evidence-broken", file="", at="prior_points")
    return Settings(
        tag_scale=TagScale.from_json(recorded["tag_scale"]),
        verbal_scale=VerbalScale.from_json(verbal) if verbal is not None else None,
        prior_log_odds_limit=float(recorded["prior_log_odds_limit"]),
        prior_points=points,
        score_meaning=ScoreMeaning(recorded["score_meaning"]),
    )


def _leaves(values: Mapping[str, Any]) -> Iterator[tuple[str, object]]:
    """Figures by name: curves and remarks as a whole, speakers and counts of the audit one by one."""
    for name, value in values.items():
        if name == "speakers" and isinstance(value, list):
            for row in value:
                yield f"speakers[{row['speaker']}]", {k: v for k, v in row.items() if k != "speaker"}
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
    """What was remarked; but not of the folders that files once lay in, nor that somebody stopped draws."""
    return [one["code"] for one in told if one.get("code") not in (*OF_THE_DROP, "uncertainty-stopped")]


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
