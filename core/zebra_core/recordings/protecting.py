"""A reference safeguard over a folder of recordings: names, lengths, rates and levels stay."""

from __future__ import annotations

import io
import json
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from hashlib import sha256
from pathlib import Path, PurePosixPath

import numpy as np

from zebra_core.errors import InputError, ZebraError
from zebra_core.files.opening import open_regular, size_of
from zebra_core.files.writing import make_folder, require_free, write_file
from zebra_core.metrics.chance.resampling import between
from zebra_core.metrics.chance.seeds import Purpose, generator
from zebra_core.recordings import libraries
from zebra_core.recordings.folder import Recording, SoundFolder, is_below
from zebra_core.recordings.mcadams import Signal, mcadams
from zebra_core.recordings.sound import SoundHeader, hash_of, opened, read_channels
from zebra_core.recordings.speakers import RecordingSpeakers
from zebra_core.runtime.parallel import each
from zebra_core.runtime.progress import Progress, no_progress, part_of
from zebra_core.version import VERSION

B2 = 0.8
"""The coefficient of the challenge's B2."""
B2R = (0.5, 0.9)
"""Between these the coefficient of B2r is drawn."""
RECORD = "protected.json"
"""What was done, beside what came out."""
_LOSSLESS = {"WAV": ".wav", "WAVEX": ".wav", "FLAC": ".flac", "AIFF": ".aiff", "W64": ".w64", "CAF": ".caf"}
_MOST_BYTES_OF_RECORD = 1 << 27

SpeakerOf = Callable[[Recording], str]


@dataclass(frozen=True)
class McAdams:
    """Which coefficient each recording gets."""

    coefficient: float | None = B2  # None: drawn
    random: str = ""  # "", "speaker" or "utterance"
    seed: int = 0

    def of(self, recording: Recording, speaker: str) -> float:
        """The coefficient of one recording: drawn, it follows from seed and name, and not from the order."""
        if self.coefficient is not None:
            return self.coefficient
        name = speaker if self.random == "speaker" else recording.place_without_ending
        digest = sha256(f"{self.random}\0{name}".encode("utf-8", "surrogateescape")).digest()
        rng = generator(self.seed, Purpose.COEFFICIENTS, int.from_bytes(digest[:16], "big"))
        return between(*B2R, rng)


@dataclass(frozen=True)
class ProtectedRecording:
    """One recording that was protected: the places below both folders, and the hashes of both files."""

    original: str
    protected: str
    original_sha256: str
    protected_sha256: str
    is_quieter: bool = False  # its level is below that of the original, for it would not fit otherwise


@dataclass(frozen=True)
class Protection:
    """What became of a folder."""

    done: tuple[ProtectedRecording, ...]
    kept: int  # were there already, from a start before, and are among the done
    faults: tuple[ZebraError, ...]


def protect(
    folder: SoundFolder,
    out: Path,
    how: McAdams,
    speaker_of: SpeakerOf = lambda _recording: "",
    *,
    overwrite: bool = False,
    on_progress: Progress = no_progress,
) -> Protection:
    """Write a protected copy of every recording into `out`, at the same place below it.

    What lies there of the same recording, made in the same way, is kept, so that work that was stopped goes
    on. Lossless files keep their format and resolution; of others the copy is a FLAC file of the same name.
    Recordings that cannot be read, or would share a copy, are told, the others done. Raises OutputError for a
    file that is in the way, be it a copy that was changed since, or the record of copies made in another way,
    and InputError where `out` is the folder itself.
    """
    libraries.soundfile()
    if out.absolute().resolve() == folder.top.absolute().resolve():
        raise InputError("protect-same-folder", folder=folder.top.name or str(folder.top))
    make_folder(out)
    if (known := _known(out, how)) is None:
        require_free(out / RECORD, overwrite=overwrite)
        known = {}
    done: dict[str, ProtectedRecording] = {}
    faults: dict[str, ZebraError] = {}
    kept: set[str] = set()

    faults.update(_sharing_a_copy(folder.recordings))

    def one(recording: Recording, progress: Progress) -> None:
        name = str(recording.place)
        if name in faults:
            return
        try:
            if (before := known.get(name)) and _is_still_there(before, recording, out):
                done[name] = before
                kept.add(name)
            else:
                is_ours = before is not None and _is_as_made(before, out)
                done[name] = _protected(recording, out, how.of(recording, speaker_of(recording)),
                                        overwrite=overwrite or is_ours, on_progress=progress)  # fmt: skip
        except InputError as error:
            faults[name] = error
        progress(1.0)

    try:
        each(one, folder.recordings, part_of(on_progress, 0.0, 1.0))
    finally:
        _write_record(out, how, {**known, **done})
    in_order = [str(recording.place) for recording in folder.recordings]
    return Protection(
        tuple(done[name] for name in in_order if name in done),
        len(kept),
        tuple(faults[name] for name in in_order if name in faults),
    )


def of_known_speakers(folder: SoundFolder, spoken: RecordingSpeakers) -> SoundFolder:
    """Only the recordings whose speaker is known, by their places."""
    known = tuple(one for one in folder.recordings if str(one.place) in spoken.speaker)
    return replace(folder, recordings=known)


def levelled(signal: Signal, original: Signal) -> tuple[Signal, bool]:
    """A signal as loud (root mean square) as the original; True where it had to be quieter to fit."""
    power = float(np.mean(signal**2))
    found = signal * np.sqrt(float(np.mean(original**2)) / power) if power > 0.0 else signal
    top = float(np.abs(found).max(initial=0.0))
    most = max(1.0 - 2.0**-15, float(np.abs(original).max(initial=0.0)))
    return (found * (most / top), True) if top > most else (found, False)


def _protected(
    recording: Recording, out: Path, coefficient: float, *, overwrite: bool, on_progress: Progress
) -> ProtectedRecording:
    kind, digest, samples = read_channels(recording.path, name=str(recording.place))
    place = _place(recording, kind)
    path = out / place
    make_folder(path.parent)
    require_free(path, overwrite=overwrite)
    channels, quieter = [], False
    for channel in samples.T.astype(np.float64):
        turned, is_quieter = levelled(mcadams(channel, kind.rate_hz, coefficient, on_progress), channel)
        channels.append(turned)
        quieter |= is_quieter
    content = _encoded(np.stack(channels, axis=1), kind, place.suffix)
    write_file(path, content, overwrite=overwrite)
    return ProtectedRecording(str(recording.place), str(place), digest, sha256(content).hexdigest(), quieter)


def _sharing_a_copy(recordings: Sequence[Recording]) -> dict[str, InputError]:
    """Recordings whose copies would be the same file, as those of a.ogg and a.mp3: neither is made."""
    of_name: dict[str, list[Recording]] = defaultdict(list)
    for one in recordings:
        of_name[one.place_without_ending].append(one)
    of_copy: dict[PurePosixPath, list[str]] = defaultdict(list)
    for one in (found for several in of_name.values() if len(several) > 1 for found in several):
        try:
            with opened(one.path, name=str(one.place), hashed=False) as (_digest, _file, kind):
                of_copy[_place(one, kind)].append(str(one.place))
        except InputError:
            continue  # told when it is read
    return {
        name: InputError(
            "protect-same-copy", file=name, other=next(one for one in names if one != name), copy=str(copy)
        )
        for copy, names in of_copy.items()
        if len(names) > 1
        for name in names
    }


def _place(recording: Recording, kind: SoundHeader) -> PurePosixPath:
    """Where the copy goes: the same name where the format is lossless, else one that ends in .flac."""
    if kind.format in _LOSSLESS:
        return recording.place
    return recording.place.with_name(f"{recording.stem}.flac")


def _encoded(samples: Signal, kind: SoundHeader, suffix: str) -> bytes:
    soundfile, content = libraries.soundfile(), io.BytesIO()
    is_same = kind.format in _LOSSLESS
    format_, subtype = (kind.format, kind.subtype) if is_same else ("FLAC", "PCM_16")
    if not soundfile.check_format(format_, subtype):
        subtype = "PCM_16"
    try:
        soundfile.write(content, samples, kind.rate_hz, format=format_, subtype=subtype)
    except (soundfile.SoundFileError, ValueError, TypeError) as error:
        raise InputError("protect-not-written", file=suffix, reason=str(error)) from error
    return content.getvalue()


def _is_still_there(before: ProtectedRecording, recording: Recording, out: Path) -> bool:
    return _is_as_made(before, out) and hash_of(recording.path) == before.original_sha256


def _is_as_made(before: ProtectedRecording, out: Path) -> bool:
    path = out / before.protected
    return size_of(path) is not None and hash_of(path) == before.protected_sha256


def _known(out: Path, how: McAdams) -> dict[str, ProtectedRecording] | None:
    """What a start before has made in the same way; None where the record there is another one."""
    size = size_of(out / RECORD)
    if size is None:
        return {}
    if not size or size > _MOST_BYTES_OF_RECORD:
        return None
    try:
        with open_regular(out / RECORD) as file:
            record = json.load(file)
        if record["settings"] != asdict(how):
            return None
        found = [ProtectedRecording(**one) for one in record["recordings"]]
    except (InputError, ValueError, KeyError, TypeError, RecursionError):
        return None
    inside = [one for one in found if is_below(str(one.protected))]
    return {one.original: one for one in inside}


def _write_record(out: Path, how: McAdams, done: Mapping[str, ProtectedRecording]) -> None:
    record = {
        "safeguard": "mcadams",
        "zebra": VERSION,
        "settings": asdict(how),
        "recordings": [asdict(done[name]) for name in sorted(done)],
    }
    write_file(
        out / RECORD, (json.dumps(record, indent=1, ensure_ascii=True) + "\n").encode(), overwrite=True
    )
