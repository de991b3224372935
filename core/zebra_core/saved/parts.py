"""Parts of project.json that several items share: files, remarks, audits, settings, answers."""

from __future__ import annotations

import math
import os
from collections.abc import Iterable, Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any

from zebra_core.errors import InputError
from zebra_core.evidence.answers import Answers
from zebra_core.evidence.audit import Audit, Example, Finding
from zebra_core.evidence.decisions import Decision
from zebra_core.evidence.files import InputFile
from zebra_core.evidence.remarks import Remark, Remarks, Severity
from zebra_core.files.names import without_backslashes
from zebra_core.intake.planned import Topic
from zebra_core.intake.tables.table import FileRole
from zebra_core.metrics.assessment import ScoreMeaning, Settings
from zebra_core.metrics.cross_fitted import CrossFitted
from zebra_core.metrics.scales import TagScale, VerbalScale
from zebra_core.saved.values import SavedValue, finite, plain
from zebra_core.wording.texts import knows

Json = dict[str, Any]
_CROSS_FITTED = {
    "d_ece_unordered_bits": (-math.inf, 1.0),
    "strongest_against_log10_lr": (-1000.0, 0.0),
    "strongest_for_log10_lr": (0.0, 1000.0),
}
_MOST_POINTS = 10_001
_FLOAT_COUNTS = ("tied_share", "median_target", "median_nontarget")
_NOT_COUNTS = ("files", "findings", "decisions")


def file_as_json(file: InputFile, folder: Path) -> Json:
    """A file: where it is, also as seen from the project's folder, and what tells it from all others."""
    path = os.path.normpath(file.path.absolute())
    return {
        "path": path,
        "relative": _relative(path, folder),
        "size": file.size,
        "sha256": file.sha256,
        "role": file.role,
        "rows": file.rows,
        "member": file.member,
        "format": file.format,
        "dialect": file.dialect,
    }


def files_as_json(files: Iterable[InputFile], folder: Path, *, without_folders: bool = False) -> list[Json]:
    """Several of them; `without_folders` leaves out what folders above that of the project are called."""
    found = [file_as_json(file, folder) for file in files]
    if without_folders:
        found = [{**file, "path": file["relative"] or Path(str(file["path"])).name} for file in found]
    return found


def file_of(saved: SavedValue) -> InputFile:
    """The file, where it was when the project was saved."""
    sha256 = saved["sha256"].text()
    if len(sha256) != 64 or set(sha256) - set("0123456789abcdef"):
        saved["sha256"].refuse("sha256")
    return InputFile(
        path=path_of(saved["path"]),
        role=saved["role"].one_of(FileRole).value,
        size=saved["size"].whole(),
        sha256=sha256,
        rows=saved["rows"].whole(),
        member=saved["member"].text(),
        format=saved["format"].text(),
        dialect=saved["dialect"].text(),
    )


def path_of(saved: SavedValue) -> Path:
    """A path, of Windows as well; one with a NUL is none."""
    text = saved.text()
    return Path(without_backslashes(text)) if text and "\0" not in text else saved.refuse("path")


def _relative(path: str, folder: Path) -> str | None:
    """The way from the project's folder, with slashes; None where there is none, on another drive."""
    try:
        return Path(os.path.relpath(path, folder)).as_posix()
    except ValueError:
        return None


def texts_of(saved: SavedValue) -> dict[str, str]:
    """Texts by name."""
    return {name: value.text() for name, value in saved.fields().items()}


def choices_of(saved: SavedValue) -> dict[str, str]:
    """Choices by the id of their question.

    Whether something is unpacked, however well it packs, is asked again: the project may be somebody else's.
    """
    found = {}
    for name, choice in texts_of(saved).items():
        topic, colon, place = name.partition(":")
        if topic != Topic.UNPACKING.value:
            found[f"{topic}{colon}{without_backslashes(place)}"] = without_backslashes(choice)
    return found


def remark_as_json(remark: Remark) -> Json:
    """A remark: its text for the reader, and the code and the facts that make it again."""
    return {
        "code": remark.code,
        "section": remark.section,
        "severity": remark.severity.value,
        "facts": _facts_as_json(remark.facts),
        "text": str(remark),
    }


def remark_of(saved: SavedValue) -> Remark:
    """The remark; its text is made anew."""
    section = saved["section"].text()
    if section not in ("remark", "finding"):
        saved["section"].refuse("remark")
    code, facts = saved["code"].text(), _facts(saved["facts"])
    made = Remark(code, facts, saved["severity"].one_of(Severity), section)
    _refuse_without_text(made, f"{section}.{code}", saved)
    return made


def _facts_as_json(facts: Mapping[str, object]) -> Json:
    return {name: _fact_as_json(value) for name, value in facts.items()}


def _fact_as_json(fact: object) -> object:
    if isinstance(fact, Remarks):
        return [_fact_as_json(part) for part in fact.parts]
    if isinstance(fact, Remark):
        return {"section": fact.section, "code": fact.code, "facts": _facts_as_json(fact.facts)}
    return plain(fact)


def _facts(saved: SavedValue) -> dict[str, object]:
    return {name: _fact(value) for name, value in saved.fields(most=100).items()}


def _fact(saved: SavedValue) -> object:
    if isinstance(saved.value, list):
        return Remarks(tuple(_said_fact(part) for part in saved.rows(100)))
    is_said = isinstance(saved.value, dict) and "code" in saved.value
    return _said_fact(saved) if is_said else saved.plain()


def _said_fact(saved: SavedValue) -> Remark:
    return Remark(saved["code"].text(), _facts(saved["facts"]), section=saved["section"].text())


def _refuse_without_text(made: Remark | Finding, code: str, saved: SavedValue) -> None:
    """Facts of the wrong type would fail later, when the text is shown."""
    try:
        if knows(code):
            str(made)
            return
    except (KeyError, ValueError, IndexError, TypeError, AttributeError):
        pass
    saved.refuse("remark")


def audit_as_json(audit: Audit) -> Json:
    """Counts, decisions and findings with their facts and examples."""
    counts = {field.name: getattr(audit, field.name) for field in fields(audit)}
    return {
        **{
            name: finite(value) if name in _FLOAT_COUNTS else value
            for name, value in counts.items()
            if name not in _NOT_COUNTS
        },
        "decisions": [decision.value for decision in audit.decisions],
        "findings": [_finding_as_json(finding) for finding in audit.findings],
    }


def audit_of(saved: SavedValue, files: tuple[InputFile, ...]) -> Audit:
    """The audit of these files."""
    counts: Json = {}
    for field in fields(Audit):
        if field.name in _NOT_COUNTS:
            continue
        value = saved[field.name]
        may_be_none = field.default is None
        if value.value is None and may_be_none:
            counts[field.name] = None
        else:
            counts[field.name] = value.number() if field.name in _FLOAT_COUNTS else value.whole()
    findings = tuple(_finding_of(row) for row in saved["findings"].rows(1000))
    made = tuple(row.one_of(Decision) for row in saved["decisions"].rows(100))
    return Audit(files=files, findings=findings, decisions=made, **counts)


def _finding_as_json(finding: Finding) -> Json:
    return {
        "code": finding.code,
        "severity": finding.severity.value,
        "facts": _facts_as_json(finding.facts),
        "text": str(finding),
        "examples": [{"file": one.file, "line": one.line, "text": one.text} for one in finding.examples],
        "lifted_by": [decision.value for decision in finding.lifted_by],
    }


def _finding_of(saved: SavedValue) -> Finding:
    examples = tuple(
        Example(row["file"].text(), row["line"].whole(), row["text"].text())
        for row in saved["examples"].rows(100)
    )
    made = Finding(
        saved["code"].text(),
        saved["severity"].one_of(Severity),
        _facts(saved["facts"]),
        examples,
        tuple(row.one_of(Decision) for row in saved["lifted_by"].rows(100)),
    )
    _refuse_without_text(made, f"finding.{made.code}", saved)
    return made


def cross_fitted_as_json(found: CrossFitted) -> Json:
    """A cross-fitted calibration: it needs the trials, and cannot be computed from counts."""
    return {name: getattr(found, name) for name in _CROSS_FITTED} | {
        "unordered_exceeds": found.unordered_exceeds,
        "is_by_speaker": found.is_by_speaker,
    }


def cross_fitted_of(saved: SavedValue) -> CrossFitted:
    """The cross-fitted calibration that `cross_fitted_as_json` wrote."""
    numbers = {name: saved[name].number(*bounds) for name, bounds in _CROSS_FITTED.items()}
    return CrossFitted(
        **numbers,
        unordered_exceeds=saved["unordered_exceeds"].flag(),
        is_by_speaker=saved["is_by_speaker"].flag(),
    )


def settings_as_json(settings: Settings) -> Json:
    """The settings of one assessment; its scales are those of the project."""
    return {
        "score_meaning": settings.score_meaning.value,
        "prior_log_odds_limit": settings.prior_log_odds_limit,
        "prior_points": settings.prior_points,
    }


def settings_of(saved: SavedValue, tag_scale: TagScale, verbal_scale: VerbalScale | None) -> Settings:
    """The settings, on the scales of the project."""
    return Settings(
        tag_scale=tag_scale,
        verbal_scale=verbal_scale,
        prior_log_odds_limit=saved["prior_log_odds_limit"].number(1e-3, 1e3),
        prior_points=saved["prior_points"].whole(2, _MOST_POINTS),
        score_meaning=saved["score_meaning"].one_of(ScoreMeaning),
    )


def scales_of(saved: SavedValue) -> tuple[TagScale, VerbalScale | None]:
    """The scales of the project."""
    tags, verbal = saved["tag_scale"], saved["verbal_scale"]
    try:
        tag_scale = TagScale.from_json(tags.value)
        verbal_scale = None if verbal.value is None else VerbalScale.from_json(verbal.value)
    except InputError as error:
        raise InputError("project-scale", file=saved.file, reason=str(error)) from error
    except (OverflowError, ValueError):
        tags.refuse("number")
    return tag_scale, verbal_scale


def answers_as_json(answers: Answers) -> Json:
    """The user's answers about files."""
    return {
        "choices": dict(answers.choices),
        "allowed": {place: list(names) for place, names in answers.allowed.items()},
    }


def answers_of(saved: SavedValue) -> Answers:
    """The answers; decisions that nobody knows are refused."""
    allowed: Mapping[str, tuple[str, ...]] = {
        without_backslashes(place): tuple(row.one_of(Decision).value for row in names.rows(100))
        for place, names in saved["allowed"].fields().items()
    }
    return Answers(choices_of(saved["choices"]), allowed)
