"""A reference safeguard over a folder of recordings: names, lengths, rates and levels stay.

The McAdams safeguard of the VoicePrivacy evaluations (B2): the poles of the vocal tract are turned.
"""

from __future__ import annotations

import io
import json
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from hashlib import sha256
from pathlib import Path, PurePosixPath

import numpy as np
from numpy.typing import NDArray

from zebra_core.errors import InputError, ZebraError
from zebra_core.files.access import make_folder, open_regular, require_free, size_of, write_file
from zebra_core.metrics.chance.seeds import Purpose, between, generator
from zebra_core.recordings import libraries
from zebra_core.recordings.folder import Recording, SoundFolder, is_below
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


Signal = NDArray[np.float64]
"""Shape (n,), one channel."""

ORDER = 20  # poles, at any rate, as in the challenge
WINDOW_S, HOP_S = 0.02, 0.01
_TINY = float(np.finfo(np.float32).eps)  # the challenge adds it, so that silence has a spectrum
_EXHAUSTED = 1e-11  # of the energy of a frame; the rounding to 16 bits leaves more in any speech
_BLOCK = 2_048  # frames


def mcadams(signal: Signal, rate_hz: int, coefficient: float, on_progress: Progress = no_progress) -> Signal:
    """Speech with the angle θ of every pole moved to sign(θ)·|θ|^coefficient; as long as before.

    Linear prediction of order 20 (Burg) in frames of 20 ms every 10 ms, square-root Hann windows, overlap and
    add; no levelling and no rounding. All frames of a block are computed at once. What is shorter than a
    frame comes back as it is. Ref: Patino et al. 2021; anonymisation B2 of the VoicePrivacy Challenge 2024.
    """
    padded = np.asarray(signal, dtype=np.float64) + _TINY
    size, hop = int(WINDOW_S * rate_hz), int(HOP_S * rate_hz)
    if len(padded) < size:
        return np.asarray(signal, dtype=np.float64).copy()
    window = np.hanning(size)
    window = np.sqrt(window / (window.sum() / hop))
    count = 1 + (len(padded) - size) // hop
    frames = np.lib.stride_tricks.sliding_window_view(padded, size)[::hop][:count]
    found = np.zeros(len(padded))
    for start in range(0, count, _BLOCK):
        on_progress(start / count)
        turned = _turned(frames[start : start + _BLOCK] * window, coefficient) * window
        for number, frame in enumerate(turned, start):
            found[number * hop : number * hop + size] += frame
    return found


def _turned(frames: Signal, coefficient: float) -> Signal:
    """Each frame (row) through its inverse filter, and back through one with its poles turned."""
    predictor = burg(frames + _TINY, ORDER)
    residual = _filtered(frames, predictor)
    return _synthesised(residual, _with_turned_poles(predictor, coefficient))


def burg(frames: Signal, order: int) -> Signal:
    """The coefficients of linear prediction of each row by Burg's method, shape (rows, order + 1)."""
    found = np.zeros((len(frames), order + 1))
    found[:, 0] = 1.0
    forward, backward = frames[:, 1:].copy(), frames[:, :-1].copy()
    energy = (forward**2 + backward**2).sum(axis=1)
    exhausted = _EXHAUSTED * energy
    for n in range(order):
        reflection = -2.0 * (backward * forward).sum(axis=1) / (energy + np.finfo(np.float64).tiny)
        # Of a pure tone, or of digital silence, rounding is all that is left after a few steps.
        reflection = np.where(energy > exhausted, reflection.clip(-1.0, 1.0), 0.0)
        found[:, 1 : n + 2] = found[:, 1 : n + 2] + reflection[:, None] * found[:, n::-1]
        forward, backward = (
            forward + reflection[:, None] * backward,
            backward + reflection[:, None] * forward,
        )
        energy = (1.0 - reflection**2) * energy - backward[:, -1] ** 2 - forward[:, 0] ** 2
        forward, backward = forward[:, 1:], backward[:, :-1]
    return found


def _with_turned_poles(predictor: Signal, coefficient: float) -> Signal:
    order = predictor.shape[1] - 1
    companion = np.zeros((len(predictor), order, order))
    companion[:, 0] = -predictor[:, 1:]
    below = np.arange(order - 1)
    companion[:, below + 1, below] = 1.0
    poles = np.linalg.eigvals(companion)
    angle = np.angle(poles)
    turned = np.where(poles.imag != 0.0, np.sign(angle) * np.abs(angle) ** coefficient, angle)
    return _polynomials(np.abs(poles) * np.exp(1j * turned))


def _polynomials(roots: NDArray[np.complex128]) -> Signal:
    """The coefficients of the polynomial with the roots in each row, the highest power first."""
    found = np.ones((len(roots), 1), np.complex128)
    for root in roots.T:
        found = np.pad(found, ((0, 0), (0, 1))) - root[:, None] * np.pad(found, ((0, 0), (1, 0)))
    return found.real


def _filtered(frames: Signal, coefficients: Signal) -> Signal:
    """Each row through the filter of its zeros, from rest."""
    order, size = coefficients.shape[1] - 1, frames.shape[1]
    before = np.pad(frames, ((0, 0), (order, 0)))
    found = np.zeros_like(frames)
    for delay in range(order + 1):
        found += coefficients[:, delay, None] * before[:, order - delay : order - delay + size]
    return found


def _synthesised(residual: Signal, coefficients: Signal) -> Signal:
    """Each row through the filter of its poles, from rest: sample by sample, for all rows at once."""
    order, size = coefficients.shape[1] - 1, residual.shape[1]
    backwards = np.ascontiguousarray(coefficients[:, :0:-1].T)
    given = np.ascontiguousarray(residual.T)
    found = np.zeros((order + size, len(residual)))
    for n in range(size):
        found[n + order] = given[n] - (backwards * found[n : n + order]).sum(axis=0)
    return found[order:].T
