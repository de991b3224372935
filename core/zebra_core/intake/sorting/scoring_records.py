"""Which record of recordings belongs to which scores, by their hash; and what is not what it says."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import PurePosixPath

from zebra_core.evidence.audit import Finding
from zebra_core.evidence.remarks import Severity
from zebra_core.intake.opening.opening import Source
from zebra_core.intake.planned import FoundFile, PlannedAssessment
from zebra_core.intake.sorting.naming import NOT_AS_RECORDED
from zebra_core.intake.tables.table import FileRole


def with_records(planned: Sequence[PlannedAssessment], files: Sequence[FoundFile]) -> list[PlannedAssessment]:
    """Assessments with the record that says how their scores were made.

    That is one that lists these scores by their hash; else the one that lists scores at their place, with a
    warning that these are not the ones it speaks of, as with a key or a speaker map that is another one now.
    What is read piece by piece has none.
    """
    records = [file for file in files if file.role is FileRole.RECORDINGS]
    return [_with_record(one, records) if not one.in_pieces else one for one in planned]


def _with_record(one: PlannedAssessment, records: Sequence[FoundFile]) -> PlannedAssessment:
    by_hash = [each for each in records if one.scores.content_sha256 in each.values.values()]
    by_place = [each for each in records if one.scores.source in _places(each)]
    record = next((each for each in by_hash if each in by_place), next(iter((*by_hash, *by_place)), None))
    if record is None:
        return one
    recorded = [
        Finding(NOT_AS_RECORDED, Severity.WARNING, {"file": file.source.name, "record": record.source.name})
        for file in one.files
        if (said := _places(record).get(file.source)) is not None and said != file.content_sha256
    ]
    return replace(one, record=record, findings=(*one.findings, *recorded))


def _places(record: FoundFile) -> dict[Source, str]:
    """The hash of each file that a record lists, by where it was written."""
    return {_beside(record.source, place): sha256 for place, sha256 in record.values.items()}


def _beside(record: Source, place: str) -> Source:
    if record.member:
        return replace(record, member=str(PurePosixPath(record.member).parent / place))
    return replace(record, path=record.path.parent / place)
