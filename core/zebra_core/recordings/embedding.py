"""Every recording heard once: its embedding and what else is to be told of it, on all processors."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Annotated, Protocol

import numpy as np
from msgspec import Meta

from zebra_core.errors import InputError, OutputError
from zebra_core.evidence.value_types import Seconds, Share
from zebra_core.files.access import is_leftover, make_folder, open_regular, size_of, write_file
from zebra_core.recordings.folder import Recording
from zebra_core.recordings.pitch import NOT_VOICED, Pitch, pitch_of
from zebra_core.recordings.recogniser import HOP, RATE_HZ, Embedding, Recogniser, unit
from zebra_core.recordings.sound import Samples, Sound, SoundHeader, at_rate, hash_of, opened, read_sound
from zebra_core.runtime.parallel import each
from zebra_core.runtime.progress import Progress, no_progress, part_of

# How much speech is in a recording, by its energy, and whether it is clipped.


SHORT_S = 1.0
"""Seconds of speech, below which a recording says little about its speaker."""
LEAST_S = 0.1
"""Seconds of speech, below which a recording counts as silent."""
CLIPPED_SHARE = 1e-3
"""The share of samples at the very top from which on a recording counts as clipped."""
_BELOW_LOUD_DB = 30.0
_SILENCE_DB = -65.0  # against full scale
_LOUD = 95.0  # percentile of the frames
_TOP = 0.999  # of the largest sample, which is at full scale or nearly so
_NEARLY_FULL = 0.98
_RUN = 3  # samples at the top in a row; a loud voice touches it now and then


@dataclass(frozen=True)
class Loudness:
    """What the energy of a recording says."""

    speech_s: Seconds
    clipped_share: Share
    level_db: float | None  # mean power of the speech against full scale; None without speech

    @property
    def is_silent(self) -> bool:
        """Whether there is no speech in it."""
        return self.speech_s < LEAST_S

    @property
    def is_short(self) -> bool:
        """Whether there is some, but less than `SHORT_S`."""
        return not self.is_silent and self.speech_s < SHORT_S

    @property
    def is_clipped(self) -> bool:
        """Whether so much lies at full scale that it was cut off there."""
        return self.clipped_share > CLIPPED_SHARE


def loudness(samples: Samples) -> Loudness:
    """How much of one channel at `RATE_HZ` is speech, in seconds, and which share of it is clipped.

    Frames of 10 ms count as speech if their energy is within 30 dB of the loud ones (95th percentile) and
    above −65 dB of full scale; their mean power is the level. Runs of three or more samples at the largest
    value, near full scale, count as clipped.
    """
    frames = samples[: len(samples) // HOP * HOP].reshape(-1, HOP).astype(np.float64)
    if not len(frames):
        return Loudness(0.0, 0.0, None)
    power_db = 10.0 * np.log10(np.maximum((frames**2).mean(axis=1), 1e-20))
    gate_db = max(_SILENCE_DB, float(np.percentile(power_db, _LOUD)) - _BELOW_LOUD_DB)
    is_speech = power_db > gate_db
    level_db = 10.0 * float(np.log10((frames[is_speech] ** 2).mean())) if is_speech.any() else None
    return Loudness(float(is_speech.sum()) * HOP / RATE_HZ, clipped_share(samples), level_db)


def clipped_share(samples: Samples) -> float:
    """The share of samples that lie in runs at the top, 0 … 1."""
    size = np.abs(samples)
    top = float(size.max(initial=0.0))
    if top < _NEARLY_FULL:
        return 0.0
    at_top = np.concatenate([[False], size >= _TOP * top, [False]])
    edges = np.flatnonzero(at_top[1:] != at_top[:-1])
    lengths = edges[1::2] - edges[::2]
    return float(lengths[lengths >= _RUN].sum()) / len(samples)


_MOST_BYTES = 1 << 20
KEY = re.compile(r"[0-9a-f]{64}-[0-9]{1,9}-[0-9a-f]{16}")
"""By which a voice is known: the hash of the file, the channel, the recogniser."""


@dataclass(frozen=True, eq=False)
class EmbeddedRecording:
    """What is known of a recording once it was heard. The embedding is biometric data."""

    sha256: str
    seconds: Seconds
    rate_hz: Annotated[int, Meta(ge=1, le=1_000_000)]
    loudness: Loudness
    embedding: Embedding = field(repr=False)
    channels: Annotated[int, Meta(ge=1, le=1_000_000)] = 1
    pitch: Pitch = NOT_VOICED


class Store(Protocol):
    """Where what was heard is kept, by a key that follows from the file, the channel and the recogniser."""

    def get(self, key: str) -> EmbeddedRecording | None:
        """What is kept under a key."""

    def put(self, key: str, heard: EmbeddedRecording) -> None:
        """Keep it."""


class MemoryStore:
    """Kept as long as the program runs, and nowhere else."""

    def __init__(self) -> None:
        self._kept: dict[str, EmbeddedRecording] = {}

    def get(self, key: str) -> EmbeddedRecording | None:
        """What is kept under a key."""
        return self._kept.get(key)

    def put(self, key: str, heard: EmbeddedRecording) -> None:
        """Keep it."""
        self._kept[key] = heard


class FolderStore:
    """Kept in a folder, for its owner alone, because the user has asked for it."""

    def __init__(self, folder: Path) -> None:
        self._folder = make_folder(folder)

    def get(self, key: str) -> EmbeddedRecording | None:
        """What is kept under a key; None where that cannot be read."""
        path = self._folder / f"{key}.json"
        if not 0 < (size_of(path) or 0) <= _MOST_BYTES:
            return None
        try:
            with open_regular(path) as file:
                known = json.load(file)
            embedding = np.array(known.pop("embedding"), dtype=np.float32)
            loud, pitch = Loudness(**known.pop("loudness")), Pitch(**known.pop("pitch"))
            found = EmbeddedRecording(**known, loudness=loud, embedding=embedding, pitch=pitch)
        except (InputError, ValueError, TypeError, KeyError, AttributeError, RecursionError):
            return None
        return found if embedding.ndim == 1 and np.isfinite(embedding).all() else None

    def put(self, key: str, heard: EmbeddedRecording) -> None:
        """Keep it."""
        known = {name: getattr(heard, name) for name in ("sha256", "seconds", "rate_hz", "channels")}
        known |= {"loudness": asdict(heard.loudness), "pitch": asdict(heard.pitch)}
        known |= {"embedding": heard.embedding.tolist()}
        path = self._folder / f"{key}.json"
        write_file(path, json.dumps(known).encode(), overwrite=True, private=True)


def forget_kept(folder: Path) -> tuple[int, int]:
    """Remove the embeddings in a folder of a `FolderStore`, half-written ones, too, and nothing else.

    Returns how many there were of either. Raises InputError where there are none, OutputError where one
    cannot be removed.
    """
    names = [path for path in sorted(folder.glob("*.json")) if KEY.fullmatch(path.stem)]
    halves = [path for path in sorted(folder.glob(".*.tmp")) if is_leftover(path) and path.is_file()]
    if not names and not halves:
        raise InputError("nothing-kept", folder=str(folder))
    for path in (*names, *halves):
        try:
            path.unlink()
        except OSError as error:
            reason = error.strerror or str(error)
            raise OutputError("not-removed", file=path.name, folder=str(folder), reason=reason) from error
    with suppress(OSError):  # something else is in it
        folder.rmdir()
    return len(names), len(halves)


def hear(
    recordings: Sequence[Recording],
    recogniser: Recogniser,
    store: Store,
    channel: int | None = None,
    on_progress: Progress = no_progress,
) -> tuple[Mapping[Path, EmbeddedRecording], Mapping[Path, InputError]]:
    """What is heard in each recording, by its path; and why some cannot be heard.

    Files are known by their hash, so that what is in the store is not heard again, and work that was stopped
    goes on. Samples are forgotten at once: what stays of a recording, its embedding with its path and hash,
    takes 2 KB.
    """

    def one(recording: Recording, progress: Progress) -> EmbeddedRecording | InputError:
        try:
            how = f"{channel or 0}-{recogniser.key}"
            heard = store.get(f"{hash_of(recording.path)}-{how}")
            if heard is None or heard.embedding.shape != (recogniser.dimensions,):
                heard = _heard(recording, recogniser, channel, progress)
                store.put(f"{heard.sha256}-{how}", heard)  # it may have changed since it was hashed
        except InputError as error:
            progress(1.0)
            return error
        progress(1.0)
        return heard

    found: dict[Path, EmbeddedRecording] = {}
    faults: dict[Path, InputError] = {}
    # In the order of the recordings, not in that in which threads came to an end.
    for recording, outcome in zip(recordings, each(one, recordings, on_progress), strict=True):
        if isinstance(outcome, InputError):
            faults[recording.path] = outcome
        else:
            found[recording.path] = outcome
    return found, faults


def _heard(
    recording: Recording, recogniser: Recogniser, channel: int | None, on_progress: Progress
) -> EmbeddedRecording:
    name = recording.place_and_folder
    sound = read_sound(recording.path, channel, name=name, on_progress=lambda _share: on_progress(0.0))
    samples = at_rate(sound.samples, sound.kind.rate_hz, RATE_HZ)
    loud = loudness(samples)
    if loud.is_silent:
        raise InputError("sound-silent", file=name)
    embedding = recogniser.embedding(samples, name, on_progress)
    kind = sound.kind
    return EmbeddedRecording(
        sound.sha256, sound.seconds, kind.rate_hz, loud, embedding, kind.channels, pitch_of(samples)
    )


def matrix(heard: Mapping[Path, EmbeddedRecording], recordings: Sequence[Recording]) -> np.ndarray:
    """The embeddings of these recordings as unit vectors, shape (n, dimensions)."""
    return unit(np.stack([heard[one.path].embedding for one in recordings]).astype(np.float64))


def pitches(heard: Mapping[Path, EmbeddedRecording], recordings: Sequence[Recording]) -> np.ndarray:
    """The features of the pitch of these recordings, shape (n, 3)."""
    return np.stack([heard[one.path].pitch.features for one in recordings])


# What each recording is like before anybody hears who speaks in it: rate, channels, length, loudness.


_NOT_HEARD = np.empty(0, dtype=np.float32)


@dataclass(frozen=True)
class SurveyedRecording:
    """A recording as far as its samples tell; `fault` says why they do not, where they cannot be had."""

    kind: SoundHeader | None = None
    measured: EmbeddedRecording | None = None  # without an embedding
    fault: InputError | None = None

    @property
    def channels(self) -> int:
        """How many there are, as far as it is known."""
        return self.kind.channels if self.kind else 1

    @property
    def seconds(self) -> float:
        """How long it is, by its samples, else by what it says of itself."""
        if self.measured is not None:
            return self.measured.seconds
        return self.kind.frames / self.kind.rate_hz if self.kind else 0.0


def glance(
    recordings: Sequence[Recording],
    known: Mapping[Path, SurveyedRecording],
    on_progress: Progress = no_progress,
) -> dict[Path, SurveyedRecording]:
    """What recordings say of themselves, without their samples; those that are known already are not read."""

    def one(recording: Recording, progress: Progress) -> tuple[Path, SurveyedRecording]:
        progress(1.0)
        if recording.path in known:
            return recording.path, known[recording.path]
        try:
            with opened(
                recording.path,
                name=recording.place_and_folder,
                hashed=False,
                on_progress=part_of(progress, 1.0, 1.0),
            ) as (_digest, _file, kind):
                return recording.path, SurveyedRecording(kind)
        except InputError as error:
            return recording.path, SurveyedRecording(fault=error)

    return dict(each(one, recordings, on_progress))


def survey(
    recordings: Sequence[Recording],
    known: Mapping[Path, SurveyedRecording],
    channel: int | None = None,
    on_progress: Progress = no_progress,
) -> dict[Path, SurveyedRecording]:
    """The samples of each recording looked at once; what was looked at before is not again."""

    def one(recording: Recording, progress: Progress) -> tuple[Path, SurveyedRecording]:
        progress(0.0)
        before = known.get(recording.path)
        if before is None or (before.measured is None and before.fault is None):
            before = _looked_at(recording, channel, progress)
        progress(1.0)
        return recording.path, before

    return dict(each(one, recordings, on_progress))


def _looked_at(recording: Recording, channel: int | None, on_progress: Progress) -> SurveyedRecording:
    name = recording.place_and_folder
    try:
        sound = read_sound(recording.path, channel, name=name, on_progress=on_progress)
        measured = _measured(sound)
        if measured.loudness.is_silent:
            return SurveyedRecording(sound.kind, fault=InputError("sound-silent", file=name))
    except InputError as error:
        return SurveyedRecording(fault=error)
    return SurveyedRecording(sound.kind, measured)


def _measured(sound: Sound) -> EmbeddedRecording:
    loud = loudness(at_rate(sound.samples, sound.kind.rate_hz, RATE_HZ))
    return EmbeddedRecording(sound.sha256, sound.seconds, sound.kind.rate_hz, loud, _NOT_HEARD)
