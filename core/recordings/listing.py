"""A row for each original recording: who speaks, how long, and what is to be said of it, for a table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from zebra_core.recordings.overview import Overview
from zebra_core.recordings.pairing import Pairing
from zebra_core.recordings.survey import Seen
from zebra_core.wording.texts import say


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


def rows(overview: Overview, seen: Mapping[Path, Seen]) -> tuple[RecordingRow, ...]:
    """Those that are left out first, then by their names."""
    pairing = overview.pairing
    if pairing is None:
        return ()
    offer = next((one for one in overview.offers if one.source == overview.source), None)
    speaker = offer.spoken.speaker if offer and offer.spoken else {}
    compared = set(overview.ids)
    found = []
    for name, recording in pairing.originals.items():
        copies = {safeguard: of[name].path for safeguard, of in pairing.protected.items() if name in of}
        look = seen.get(recording.path)
        is_left_out = name in speaker and name not in compared
        remark = " ".join(_remarks(pairing, name, copies, seen, is_left_out=is_left_out))
        if not remark and speaker and name not in speaker:
            remark = say("recordings.row-unknown-speaker")
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
                remark,
            )
        )
    return tuple(sorted(found, key=lambda row: (row.is_compared, not row.remark, row.id)))


def _remarks(
    pairing: Pairing,
    name: str,
    copies: Mapping[str, Path],
    seen: Mapping[Path, Seen],
    *,
    is_left_out: bool,
) -> Iterator[str]:
    """Why it is left out, or why it says little."""
    for safeguard in pairing.protected:
        if name in pairing.ambiguous[safeguard]:
            yield say("recordings.row-ambiguous", safeguard=safeguard)
        elif safeguard not in copies:
            yield say("recordings.row-unpaired", safeguard=safeguard)
    original = pairing.originals[name].path
    looks = {"": seen.get(original), **{safeguard: seen.get(path) for safeguard, path in copies.items()}}
    faults = [str(one.fault) for one in looks.values() if one and one.fault]
    yield from dict.fromkeys(faults)
    mine = looks[""].measured if looks[""] else None
    if mine is None:
        return
    if mine.loudness.is_short:
        yield say("recordings.row-short")
    if mine.loudness.is_clipped:
        yield say("recordings.row-clipped")
    for safeguard, look in looks.items():
        if safeguard and look and look.measured and look.measured.sha256 == mine.sha256:
            yield say("recordings.row-not-protected", safeguard=safeguard)
    if is_left_out and len(copies) == len(pairing.protected) and not faults:
        yield say("recordings.row-equal")
