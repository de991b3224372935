"""A row for each original recording: who speaks, how long, and what is to be said of it, for a table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from zebra_core.errors import InputError
from zebra_core.recordings.overview import Overview
from zebra_core.recordings.pairing import Pairing
from zebra_core.recordings.survey import SurveyedRecording
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
