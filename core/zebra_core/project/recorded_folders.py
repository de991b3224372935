"""The folders of recordings that a project's scores were made from, located for a listening test."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from zebra_core.errors import InputError
from zebra_core.evidence.speaker_names import SpeakerRule
from zebra_core.project.project import Project
from zebra_core.project.scoring_records import read_record, record_file
from zebra_core.recordings.speakers import RULES
from zebra_core.recordings.versions import ORIGINAL, folders_of_record


@dataclass(frozen=True)
class RecordedFolders:
    """Folders of original and of protected recordings, and who speaks; None where that is not known."""

    original: Path | None = None
    protected: Mapping[str, Path] = field(default_factory=dict)
    speakers: Path | SpeakerRule | None = None
    sex: Path | None = None


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
        assert record is not None  # noqa: S101 - it has a file
        beside = file.path.parent
        folders = folders_of_record(record.values, [*also, beside, beside.parent])
        if ORIGINAL in folders:
            original = folders.pop(ORIGINAL)
            return RecordedFolders(original, folders, _speakers(record.values, original))
    return RecordedFolders()


def _speakers(record: Mapping[str, Any], original: Path) -> Path | SpeakerRule | None:
    said = record["speakers_by"]
    if said["rule"] in RULES:
        return SpeakerRule(said["rule"])
    places = (top / str(said["file"]) for top in (original, original.parent)) if said["file"] else ()
    return next((path for path in places if path.is_file()), None)
