"""The record of the recordings that an assessment's scores were made from, read again when it is needed."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path, PurePosixPath
from typing import Any

from zebra_core.errors import InputError
from zebra_core.intake.opening.opening import Source, open_source
from zebra_core.intake.planned import YES, unpacking_answer
from zebra_core.intake.recordings_file import ScoringRecord, record_of
from zebra_core.intake.sorting.naming import NOT_AS_RECORDED
from zebra_core.project.items import Entry
from zebra_core.project.project import Project
from zebra_core.project.reading.inputs import with_findings
from zebra_core.project.satellites import record_file
from zebra_core.runtime.progress import no_progress
from zebra_core.saved.project_file import find_inputs


def read_record(entry: Entry) -> ScoringRecord:
    """What the record of an assessment says. Raises InputError where it has gone or changed."""
    file = record_file(entry)
    assert file is not None  # noqa: S101 - only asked where there is one
    may = unpacking_answer(file.path, entry.choices) == YES
    opened = open_source(Source(file.path, file.member, may))
    if opened.sha256 != file.sha256:
        raise InputError("changed", file=opened.name)
    return record_of(opened.content, opened.name)


def record_of_project(path: Path, project: Project, keep_in: Path) -> ScoringRecord | None:
    """How the scores in a project file were made from recordings; None where they were not.

    What is inside the file is kept in a folder. Raises InputError where the record is nowhere.
    """
    if not any(record_file(entry) for entry in project.entries):
        return None
    found, _ = find_inputs(project, path, (), keep_in, no_progress)
    return read_record(next(one for one in with_findings(project, found).entries if record_file(one)))


def attack_of(entry: Entry, record: ScoringRecord) -> Mapping[str, Any] | None:
    """The attack that made these scores; None where the record does not speak of them.

    By their hash; of scores in an archive, whose own hash nobody has kept, by their place, unless it was
    found then that they are others.
    """
    scores = entry.files[0]
    if (found := record.attack_of(scores.sha256, entry.attacker)) is not None or not scores.member:
        return found
    findings = entry.audit.findings if entry.audit else ()
    if any(one.code == NOT_AS_RECORDED for one in findings):
        return None
    parts = PurePosixPath(scores.member).parts
    attacks = record.values["attacks"]
    return next((one for one in attacks if _ends_with(parts, PurePosixPath(one["scores"]).parts)), None)


def _ends_with(parts: tuple[str, ...], end: tuple[str, ...]) -> bool:
    return parts[-len(end) :] == end
