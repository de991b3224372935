"""Parts of project.json that several items share: files, remarks, audits, settings, scales, answers."""

from __future__ import annotations

import math
import os
from collections.abc import Iterable, Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any

from msgspec import ValidationError

from zebra_core.document.reading import Json, SavedValue, fields_as_json, made_of
from zebra_core.errors import InputError
from zebra_core.evidence.answers import Answers
from zebra_core.evidence.audit import Audit, Finding
from zebra_core.evidence.decisions import Decision
from zebra_core.evidence.files import InputFile
from zebra_core.evidence.remarks import Remark, Remarks
from zebra_core.evidence.speaker_names import sessions_as_text, sessions_of_text
from zebra_core.evidence.value_types import as_json
from zebra_core.files.names import without_backslashes
from zebra_core.intake.planned import Topic
from zebra_core.intake.tables.table import FileRole
from zebra_core.metrics.scales import Tag, TagScale, VerbalScale
from zebra_core.wording.texts import knows

SETTINGS = ("score_meaning", "prior_log_odds_limit", "prior_points")
"""What is saved of the settings of an assessment: its scales are those of the project."""
_FILE = ("size", "sha256", "role", "rows", "member", "format", "dialect")
_COUNTS = tuple(one.name for one in fields(Audit) if one.name not in ("files", "findings", "decisions"))


def files_as_json(files: Iterable[InputFile], folder: Path, *, without_folders: bool = False) -> list[Json]:
    """Files: where they are, also as seen from the project's folder, and what tells them from all others.

    `without_folders` leaves out what folders above that of the project are called.
    """
    found = []
    for file in files:
        path = os.path.normpath(file.path.absolute())
        relative = _relative(path, folder)
        shown = (relative or Path(path).name) if without_folders else path
        found.append({"path": shown, "relative": relative, **fields_as_json(file, _FILE)})
    return found


def files_of(saved: SavedValue, most: int = 1000) -> tuple[InputFile, ...]:
    """The files, where they were when the project was saved."""
    return tuple(_file_of(row) for row in saved.rows(most))


def _file_of(saved: SavedValue) -> InputFile:
    saved["role"].as_a(FileRole)
    return InputFile(path=saved["path"].path(), **saved.fields_of(InputFile, _FILE))


def _relative(path: str, folder: Path) -> str | None:
    """The way from the project's folder, with slashes; None where there is none, on another drive."""
    try:
        return Path(os.path.relpath(path, folder)).as_posix()
    except ValueError:
        return None


def texts_of(saved: SavedValue) -> dict[str, str]:
    """Texts by name."""
    return {name: value.as_a(str) for name, value in saved.fields().items()}


def choices_of(saved: SavedValue) -> dict[str, str]:
    """Choices by the id of their question.

    Whether something is unpacked, however well it packs, is asked again: the project may be somebody else's.
    Raises InputError for sessions that are none.
    """
    found = {}
    for name, choice in texts_of(saved).items():
        topic, colon, place = name.partition(":")
        if topic == Topic.SESSIONS.value:
            found[f"{topic}{colon}{without_backslashes(place)}"] = sessions_as_text(sessions_of_text(choice))
        elif topic != Topic.UNPACKING.value:
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


def remarks_of(saved: SavedValue, most: int = 100) -> tuple[Remark, ...]:
    """The remarks; their texts are made anew."""
    return tuple(remark_of(row) for row in saved.rows(most))


def remark_of(saved: SavedValue) -> Remark:
    """The remark; its text is made anew."""
    made = Remark(**{**saved.fields_of(Remark, ("code", "section", "severity")), "facts": _facts_of(saved)})
    if made.section not in ("remark", "finding", "input"):
        saved["section"].refuse("remark")
    _refuse_without_text(made, saved)
    return made


def _facts_as_json(facts: Mapping[str, object]) -> Json:
    return {name: _fact_as_json(value) for name, value in facts.items()}


def _fact_as_json(fact: Any) -> object:
    """Numbers of NumPy as numbers, what is no plain value as its text."""
    if isinstance(fact, Remarks):
        return [_fact_as_json(part) for part in fact.parts]
    if isinstance(fact, Remark):
        return {"section": fact.section, "code": fact.code, "facts": _facts_as_json(fact.facts)}
    value = fact.item() if hasattr(fact, "item") else fact
    is_plain = value is None or isinstance(value, bool | int | str)
    return value if is_plain or (isinstance(value, float) and math.isfinite(value)) else str(value)


def _facts_of(saved: SavedValue) -> dict[str, object]:
    return {name: _fact_of(value) for name, value in saved["facts"].fields(most=100).items()}


def _fact_of(saved: SavedValue) -> object:
    if isinstance(saved.value, list):
        return Remarks(tuple(_said_fact_of(part) for part in saved.rows(100)))
    if isinstance(saved.value, dict) and "code" in saved.value:
        return _said_fact_of(saved)
    return saved.value if isinstance(saved.value, str | int | float | None) else saved.refuse("plain")


def _said_fact_of(saved: SavedValue) -> Remark:
    return Remark(saved["code"].as_a(str), _facts_of(saved), section=saved["section"].as_a(str))


def _refuse_without_text(made: Remark, saved: SavedValue) -> None:
    """Facts of the wrong type would fail later, when the text is shown."""
    try:
        if knows(f"{made.section}.{made.code}"):
            str(made)
            return
    except (KeyError, ValueError, IndexError, TypeError, AttributeError):
        pass
    saved.refuse("remark")


def audit_as_json(audit: Audit) -> Json:
    """Counts, decisions and findings with their facts and examples."""
    return {
        **fields_as_json(audit, (*_COUNTS, "decisions")),
        "findings": [_finding_as_json(finding) for finding in audit.findings],
    }


def audit_of(saved: SavedValue, files: tuple[InputFile, ...]) -> Audit:
    """The audit of these files."""
    findings = tuple(_finding_of(row) for row in saved["findings"].rows(1000))
    return Audit(files=files, findings=findings, **saved.fields_of(Audit, (*_COUNTS, "decisions")))


def _finding_as_json(finding: Finding) -> Json:
    return {
        "code": finding.code,
        "severity": finding.severity.value,
        "facts": _facts_as_json(finding.facts),
        "text": str(finding),
        **fields_as_json(finding, ("examples", "lifted_by")),
    }


def _finding_of(saved: SavedValue) -> Finding:
    names = ("code", "severity", "examples", "lifted_by")
    made = Finding(**saved.fields_of(Finding, names), facts=_facts_of(saved))
    _refuse_without_text(made.as_remark(), saved)
    return made


def scales_as_json(tag_scale: TagScale, verbal_scale: VerbalScale | None) -> Json:
    """Both scales of a project."""
    return {"tag_scale": as_json(tag_scale.tags), "verbal_scale": as_json(verbal_scale)}


def scales_of(saved: SavedValue) -> tuple[TagScale, VerbalScale | None]:
    """The scales of the project."""
    tags, verbal = saved["tag_scale"].value, saved["verbal_scale"].value
    try:
        return TagScale(made_of(tuple[Tag, ...], tags)), made_of(VerbalScale | None, verbal)
    except InputError as error:
        refusal = error
    except (ValidationError, UnicodeEncodeError):
        refusal = InputError("scale-not-readable")
    raise InputError("project-scale", file=saved.file, reason=str(refusal))


def answers_of(saved: SavedValue) -> Answers:
    """The answers; decisions that nobody knows are refused."""
    allowed: Mapping[str, tuple[str, ...]] = {
        without_backslashes(place): tuple(row.as_a(Decision).value for row in names.rows(100))
        for place, names in saved["allowed"].fields().items()
    }
    return Answers(choices_of(saved["choices"]), allowed)
