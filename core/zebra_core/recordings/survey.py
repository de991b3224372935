"""What each recording is like before anybody hears who speaks in it: rate, channels, length, loudness."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from zebra_core.errors import InputError
from zebra_core.recordings.embedding import EmbeddedRecording
from zebra_core.recordings.filter_banks import RATE_HZ
from zebra_core.recordings.folder import Recording
from zebra_core.recordings.sound import Sound, SoundHeader, at_rate, opened, read_sound
from zebra_core.recordings.speech_activity import loudness
from zebra_core.runtime.parallel import each
from zebra_core.runtime.progress import Progress, no_progress, part_of

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
