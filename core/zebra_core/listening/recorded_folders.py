"""The folders of recordings that a project's scores were made from, located for a listening test."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from zebra_core.errors import InputError
from zebra_core.evidence.speaker_names import SpeakerRule
from zebra_core.project.project import Project
from zebra_core.project.satellites import record_file
from zebra_core.recordings.pairing_rules import PairingRule, PairingSource, PairingTable
from zebra_core.recordings.recording_table import ORIGINAL, folders_of_record
from zebra_core.recordings.section import read_record
from zebra_core.recordings.speakers import RULES, SpeakerColumn, SpeakerSource


@dataclass(frozen=True)
class RecordedFolders:
    """Folders of original and of protected recordings, and who speaks; None where that is not known."""

    original: Path | None = None
    protected: Mapping[str, Path] = field(default_factory=dict)
    speakers: SpeakerSource | None = None
    sex: Path | None = None
    pairs: tuple[PairingSource, ...] = ()  # how copies belong to originals, where their names differ


def recorded_folders_of(project: Project, also: Sequence[Path] = ()) -> RecordedFolders:
    """The folders of the first record whose originals are found: beside its scores, or in `also`."""
    seen = set()
    for entry in project.entries:
        file = record_file(entry)
        if file is None or file.sha256 in seen:
            continue
        seen.add(file.sha256)
        try:
            record = read_record(entry)
        except InputError:  # told wherever scores are traced back to their recordings
            continue
        beside = file.path.parent
        folders = folders_of_record(record.values, [*also, beside, beside.parent])
        if ORIGINAL in folders:
            original = folders.pop(ORIGINAL)
            pairs = _pairs(record.values, original)
            return RecordedFolders(original, folders, _speakers(record.values, original), pairs=pairs)
    return RecordedFolders()


def _pairs(record: Mapping[str, Any], original: Path) -> tuple[PairingSource, ...]:
    """The rules of a record, and those of its tables that lie in the folder of originals or beside it."""
    found: list[PairingSource] = []
    for by in record.get("pairs_by", {}).values():
        if by["rule"]:
            found.append(PairingRule.parse(by["rule"]))
        elif (path := _beside(original, by["file"])) is not None:
            found.append(PairingTable(path))
    return tuple(dict.fromkeys(found))


def _beside(original: Path, name: str | None) -> Path | None:
    places = (top / str(name) for top in (original, original.parent)) if name else ()
    return next((path for path in places if path.is_file()), None)


def _speakers(record: Mapping[str, Any], original: Path) -> SpeakerSource | None:
    said = record["speakers_by"]
    if said["rule"] in RULES:
        return SpeakerRule(said["rule"])
    path = _beside(original, said["file"])
    return SpeakerColumn(path, said["column"]) if path and "column" in said else path
