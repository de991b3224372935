"""Which record of recordings or embeddings belongs to which scores, by hash; what is not what it says."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import PurePosixPath
from typing import Any

from zebra_core.evidence.audit import Finding, Severity, and_more
from zebra_core.files.access import size_of
from zebra_core.intake.embeddings_record import FILE as EMBEDDINGS_FILE, embeddings_record_of
from zebra_core.intake.opening.opening import Source, open_source
from zebra_core.intake.planned import FoundFile, Planned, PlannedAssessment
from zebra_core.intake.recordings_file import FILE
from zebra_core.intake.sorting.naming import (
    FROM_EMBEDDINGS,
    NOT_AS_RECORDED,
    NOT_IN_RECORD,
    RECORD_INCOMPLETE,
)
from zebra_core.intake.tables.table import FileRole
from zebra_core.wording.texts import visible

_SCORES = (FileRole.SCORES, FileRole.BOTH)
_LONGEST_PLACE = 200  # characters
_MOST_NAMED, _DIGITS = 4, 12  # files of embeddings, and of their hashes


def with_records(planned: Sequence[PlannedAssessment], files: Sequence[FoundFile]) -> list[PlannedAssessment]:
    """Assessments with the record that says how their scores were made.

    That is one that lists these scores by their hash; else the one that lists scores at their place, with a
    warning that these are not the ones it speaks of, as with a key or a speaker map that is another one now.
    What is read piece by piece has none. Scores that a record of embeddings lists by their hash get a note
    of what these are, with their hashes.
    """
    records = [file for file in files if file.role is FileRole.RECORDINGS]
    brought = [file for file in files if file.role is FileRole.EMBEDDINGS]
    found = [_with_record(one, records) if not one.in_pieces else one for one in planned]
    return [_from_embeddings(one, brought) for one in found] if brought else found


def with_warnings(planned: Sequence[Any], files: Sequence[FoundFile]) -> list[Any]:
    """What a drop comes to, with warnings where a record and what lies beside it are not of one run.

    A record is written before all that it lists: where some of it is missing, a run was not finished, or
    something was removed since. Scores below its folder that it does not list are of another run.
    """
    there = {file.source for file in files}
    called = {(FileRole.RECORDINGS, FILE), (FileRole.EMBEDDINGS, EMBEDDINGS_FILE)}
    found = [file for file in files if (file.role, file.source.folders[-1]) in called]
    records = [(file, _places(file)) for file in found]
    gone = {file.source: _gone(file, places, there) for file, places in records}
    return [replace(one, findings=(*one.findings, *_warnings(one, records, gone))) for one in planned]


def _warnings(
    one: Planned,
    records: Sequence[tuple[FoundFile, Mapping[Source, str]]],
    gone: Mapping[Source, Sequence[str]],
) -> Iterator[Finding]:
    """What is wrong between the files of an item and the records above them."""
    own = getattr(one, "record", None)
    for record, places in records:
        name, top = record.source.name, record.source.folders[:-1]
        below = [file for file in one.files if file.source.folders[: len(top)] == top]
        if (lost := gone[record.source]) and any(file.role in _SCORES for file in below):
            facts = {"record": name, "count": len(lost), "file": visible(lost[0], _LONGEST_PLACE)}
            yield Finding(RECORD_INCOMPLETE, Severity.WARNING, facts)
        for file in below:
            said = places.get(file.source)
            if said is None and file.role in _SCORES:
                place = visible("/".join(file.source.folders[len(top) :]), _LONGEST_PLACE)
                yield Finding(NOT_IN_RECORD, Severity.WARNING, {"record": name, "file": place})
            elif said is not None and record is not own and file.content_sha256 not in ("", said):
                yield Finding(NOT_AS_RECORDED, Severity.WARNING, {"file": file.source.name, "record": name})


def _gone(record: FoundFile, places: Mapping[Source, str], there: Collection[Source]) -> list[str]:
    """What a record lists and is not there, by its place."""
    return [
        place
        for place, source in zip(record.values, places, strict=True)
        if source not in there and (source.member or size_of(source.path) is None)
    ]


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


def _from_embeddings(one: PlannedAssessment, records: Sequence[FoundFile]) -> PlannedAssessment:
    """The assessment with a note of the embeddings that a record says its scores were made from."""
    record = next((each for each in records if one.scores.content_sha256 in each.values.values()), None)
    if record is None:
        return one
    content = open_source(record.source).content
    inputs = embeddings_record_of(content, record.source.name).inputs
    names = [
        f"{visible(each['file'], _LONGEST_PLACE)} (SHA-256 {each['sha256'][:_DIGITS]}…)" for each in inputs
    ]
    facts = {"files": and_more(names, _MOST_NAMED, 2 * _LONGEST_PLACE), "record": record.source.name}
    return replace(one, findings=(*one.findings, Finding(FROM_EMBEDDINGS, Severity.NOTE, facts)))


def _places(record: FoundFile) -> dict[Source, str]:
    """The hash of each file that a record lists, by where it was written."""
    return {_beside(record.source, place): sha256 for place, sha256 in record.values.items()}


def _beside(record: Source, place: str) -> Source:
    if record.member:
        return replace(record, member=str(PurePosixPath(record.member).parent / place))
    return replace(record, path=record.path.parent / place)
