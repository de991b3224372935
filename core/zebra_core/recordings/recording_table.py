"""A row for each original recording: who speaks, how long, and what is to be said of it, for a table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import starmap
from pathlib import Path
from typing import Any

from zebra_core.errors import InputError
from zebra_core.files.access import size_of
from zebra_core.recordings.embedding import SurveyedRecording
from zebra_core.recordings.folder import is_below
from zebra_core.recordings.overview import Overview
from zebra_core.recordings.pairing_offers import Pairing
from zebra_core.recordings.sound import hash_of
from zebra_core.wording.texts import knows, say


@dataclass(frozen=True)
class RecordingRow:
    """A recording with its protected copies, by the names of the safeguards."""

    id: str
    place: str
    original: Path
    copies: Mapping[str, Path] = field(default_factory=dict)
    speaker: str = ""
    seconds: float = 0.0
    rate_hz: int = 0
    is_compared: bool = True
    remark: str = ""
    in_short: str = ""  # the remark where there is little room


def rows(overview: Overview, seen: Mapping[Path, SurveyedRecording]) -> tuple[RecordingRow, ...]:
    """The rows: recordings that are left out first, then by their names."""
    pairing = overview.pairing
    if pairing is None:
        return ()
    speaker = overview.spoken.speaker if overview.spoken else {}
    compared = set(overview.ids)
    found = []
    for name, recording in pairing.originals.items():
        copies = {safeguard: of[name].path for safeguard, of in pairing.protected.items() if name in of}
        look = seen.get(recording.path)
        is_left_out = name in speaker and name not in compared
        folder = recording.place_and_folder.partition("/")[0]
        remarks = list(_remarks(pairing, name, folder, copies, seen, is_left_out=is_left_out))
        if not remarks and speaker and name not in speaker:
            remarks.append(_RowRemark.of("row-unknown-speaker"))
        found.append(
            RecordingRow(
                name,
                str(recording.place),
                recording.path,
                copies,
                speaker.get(name, ""),
                look.seconds if look else 0.0,
                look.kind.rate_hz if look and look.kind else 0,
                name in compared,
                " ".join(one.whole for one in remarks),
                " ".join(one.in_short for one in remarks),
            )
        )
    return tuple(sorted(found, key=lambda row: (row.is_compared, not row.remark, row.id)))


@dataclass(frozen=True)
class _RowRemark:
    """A sentence, and what is said instead where the row tells which recording is meant."""

    whole: str
    in_short: str

    @classmethod
    def of(cls, code: str, **facts: object) -> _RowRemark:
        """A remark whose sentence is short enough to stand in the row as well."""
        said = say(f"recordings.{code}", **facts)
        return cls(said, said)

    @classmethod
    def of_fault(cls, fault: InputError, version: str) -> _RowRemark:
        """Why a version cannot be heard."""
        code = f"recordings.row-{fault.code}"
        return cls(str(fault), say(code, version=version) if knows(code) else str(fault))


def _remarks(
    pairing: Pairing,
    name: str,
    folder: str,
    copies: Mapping[str, Path],
    seen: Mapping[Path, SurveyedRecording],
    *,
    is_left_out: bool,
) -> Iterator[_RowRemark]:
    """Why it is left out, or why it says little."""
    yield from _without_partner(pairing, name, copies)
    mine = seen.get(pairing.originals[name].path)
    of_copies = {safeguard: seen.get(path) for safeguard, path in copies.items()}
    looks = (folder, mine), *of_copies.items()
    faults = [(look.fault, version) for version, look in looks if look and look.fault]
    yield from (_RowRemark.of_fault(fault, version) for fault, version in faults)
    if mine is None or mine.measured is None:
        return
    if mine.measured.loudness.is_short:
        yield _RowRemark.of("row-short")
    if mine.measured.loudness.is_clipped:
        yield _RowRemark.of("row-clipped")
    if mine.kind and mine.kind.is_coarse:
        yield _RowRemark.of("row-coarse")
    for safeguard, look in of_copies.items():
        if look and look.measured and look.measured.sha256 == mine.measured.sha256:
            yield _RowRemark.of("row-not-protected", safeguard=safeguard)
    if is_left_out and len(copies) == len(pairing.protected) and not faults:
        yield _RowRemark.of("row-equal")


def _without_partner(pairing: Pairing, name: str, copies: Mapping[str, Path]) -> Iterator[_RowRemark]:
    """A remark for each safeguard under which the recording has no copy, or several."""
    for safeguard in pairing.protected:
        if name in pairing.ambiguous[safeguard]:
            yield _RowRemark.of("row-ambiguous", safeguard=safeguard)
        elif safeguard not in copies:
            yield _RowRemark.of("row-unpaired", safeguard=safeguard)


# Which recordings there are to be looked at and listened to: each with all of its versions.


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
