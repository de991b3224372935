"""Which recordings there are to be looked at and listened to: each with all of its versions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import starmap
from pathlib import Path
from typing import Any

from zebra_core.errors import InputError
from zebra_core.files.opening import size_of
from zebra_core.recordings.folder import is_below
from zebra_core.recordings.recording_table import RecordingRow
from zebra_core.recordings.sound import hash_of

ORIGINAL = ""
"""The version without a safeguard."""


@dataclass(frozen=True)
class RecordingVersion:
    """A file of sound: under which safeguard; its hash and median pitch when it was scored, if it was."""

    safeguard: str
    path: Path
    sha256: str = ""
    pitch_hz: float | None = field(default=None, compare=False)  # None also where too little is voiced


@dataclass(frozen=True)
class RecordingVersions:
    """A recording: what it is called, who speaks, and its versions, the original first."""

    name: str
    speaker: str
    versions: tuple[RecordingVersion, ...]

    def pitches_of(self, safeguard: str) -> tuple[float, float] | None:
        """The median pitch in Hz of the original and of the copy; None where one of them is not known."""
        known = {version.safeguard: version.pitch_hz for version in self.versions}
        before, after = known.get(ORIGINAL), known.get(safeguard)
        return (before, after) if before and after else None


def takes_of_rows(rows: Sequence[RecordingRow]) -> tuple[RecordingVersions, ...]:
    """Recordings as they were paired."""
    return tuple(
        RecordingVersions(
            row.id,
            row.speaker,
            (RecordingVersion(ORIGINAL, row.original), *starmap(RecordingVersion, row.copies.items())),
        )
        for row in rows
    )


def takes_of_record(record: Mapping[str, Any], tops: Sequence[Path]) -> tuple[RecordingVersions, ...]:
    """The recordings of a record (recordings.json) that are still there, below one of these folders.

    A folder may be that of one version, or hold those of several: the hash of a file tells which it is.
    Places that lead out of a folder are left alone.
    """
    kept = folders_of_record(record, tops)
    found = []
    for row in record["recordings"]:
        versions = []
        for name, top in kept.items():
            file = _file(row, name)
            if file is not None and size_of(path := top / file["file"]) is not None:
                versions.append(RecordingVersion(name, path, str(file["sha256"]), file.get("pitch_hz")))
        if versions:
            found.append(RecordingVersions(str(row["id"]), str(row["speaker"]), tuple(versions)))
    return tuple(found)


def folders_of_record(record: Mapping[str, Any], tops: Sequence[Path]) -> dict[str, Path]:
    """Where the versions of a record's recordings lie, of those that are found as in `takes_of_record`."""
    rows: list[Mapping[str, Any]] = list(record["recordings"])
    candidates = [folder for top in tops for folder in (top, *_folders_in(top))]
    names = dict.fromkeys([ORIGINAL, *(name for row in rows for name in row["protected"])])
    found = {name: _top_of([_file(row, name) for row in rows], candidates) for name in names}
    return {name: top for name, top in found.items() if top is not None}


def _file(row: Mapping[str, Any], safeguard: str) -> Mapping[str, Any] | None:
    found: Mapping[str, Any] | None = row["protected"].get(safeguard) if safeguard else row["original"]
    return found if found and is_below(str(found["file"])) else None


def _top_of(files: Sequence[Mapping[str, Any] | None], candidates: Sequence[Path]) -> Path | None:
    """The folder whose first file that is there is the one that was scored; else the first that has any."""
    known = [file for file in files if file is not None]
    having = []
    for folder in candidates:
        there = (file for file in known if size_of(folder / file["file"]) is not None)
        if (file := next(there, None)) is not None:
            if _has_hash(folder / file["file"], str(file["sha256"])):
                return folder
            having.append(folder)
    return having[0] if having else None


def _has_hash(path: Path, sha256: str) -> bool:
    try:
        return hash_of(path) == sha256
    except InputError:
        return False


def _folders_in(top: Path) -> list[Path]:
    try:
        return sorted(path for path in top.iterdir() if path.is_dir())
    except OSError:
        return []
