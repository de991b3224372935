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
from zebra_core.evidence.value_types import Seconds
from zebra_core.files.opening import open_regular, size_of
from zebra_core.files.writing import is_leftover, make_folder, write_file
from zebra_core.recordings.filter_banks import RATE_HZ
from zebra_core.recordings.folder import Recording
from zebra_core.recordings.pitch import NOT_VOICED, Pitch, pitch_of
from zebra_core.recordings.recogniser import Embedding, Recogniser, unit
from zebra_core.recordings.sound import at_rate, hash_of, read_sound
from zebra_core.recordings.speech_activity import Loudness, loudness
from zebra_core.runtime.parallel import each
from zebra_core.runtime.progress import Progress, no_progress

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
