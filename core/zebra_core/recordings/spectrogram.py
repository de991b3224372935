"""What is to be seen of a recording: its samples, and the power of the frames that a recogniser hears."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import scipy
from numpy.typing import NDArray

from zebra_core.recordings.filter_banks import FFT, FRAME, HOP, RATE_HZ, window
from zebra_core.recordings.sound import Samples, SoundHeader, at_rate, decibels, read_channels
from zebra_core.recordings.speech_activity import Loudness, loudness
from zebra_core.runtime.progress import Progress, no_progress, part_of

FLOOR_DB = -120.0
"""Power below this is shown as this: silence has none at all."""
_COLUMNS = 800
_BLOCK = 4_096  # frames


@dataclass(frozen=True, eq=False)
class AudibleRecording:
    """A recording to be seen and heard; several channels are mixed to one."""

    kind: SoundHeader
    sha256: str
    loudness: Loudness
    samples: Samples = field(repr=False)  # at their own rate
    low: NDArray[np.float32] = field(repr=False)  # the least and the largest sample of equal pieces
    high: NDArray[np.float32] = field(repr=False)
    power_db: NDArray[np.float32] = field(repr=False)  # shape (FFT // 2 + 1, pieces), from 0 to 8 kHz

    @property
    def seconds(self) -> float:
        """How long it is."""
        return len(self.samples) / self.kind.rate_hz

    @property
    def peak(self) -> float:
        """The largest size of a sample, where full scale is 1."""
        return float(np.abs(self.samples).max(initial=0.0))

    @property
    def peak_db(self) -> float:
        """The largest size of a sample in decibels of full scale; −inf for silence."""
        return decibels(self.peak)


def look_at(path: Path, *, name: str = "", on_progress: Progress = no_progress) -> AudibleRecording:
    """Read a recording and what is to be seen of it. Raises InputError as `read_channels` does."""
    kind, digest, channels = read_channels(path, name=name, on_progress=part_of(on_progress, 0.0, 0.5))
    samples = channels.mean(axis=1, dtype=np.float32) if kind.channels > 1 else channels[:, 0]
    heard = at_rate(samples, kind.rate_hz, RATE_HZ)
    low, high = envelope(samples)
    return AudibleRecording(kind, digest, loudness(heard), samples, low, high, power_db(heard))


def envelope(samples: Samples, most: int = _COLUMNS) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """The least and the largest sample of so many pieces, or of as many as there are samples."""
    count = min(most, len(samples))
    starts = np.arange(count) * len(samples) // max(1, count)
    if not count:
        return samples[:0], samples[:0]
    return np.minimum.reduceat(samples, starts), np.maximum.reduceat(samples, starts)


def power_db(samples: Samples, most: int = _COLUMNS) -> NDArray[np.float32]:
    """10 log10 of the power in each band of the frames at `RATE_HZ`, against a sine of full scale.

    The frames are those of the filter banks: 25 ms every 10 ms, without their mean, under the same window.
    Where there are more than `most` frames, neighbours share a column, which has the mean of their power.
    Shape (FFT // 2 + 1, columns); a recording shorter than a frame has no columns.
    """
    count = max(0, 1 + (len(samples) - FRAME) // HOP)
    columns = min(most, count)
    total = np.zeros((columns, FFT // 2 + 1))
    if count == 0:
        return total.T.astype(np.float32)
    frames = np.lib.stride_tricks.sliding_window_view(samples, FRAME)[::HOP]
    column_of = np.arange(count) * columns // count
    full_scale = (window().sum(dtype=np.float64) / 2.0) ** 2
    for start in range(0, count, _BLOCK):
        block = frames[start : min(count, start + _BLOCK)].astype(np.float64)
        block -= block.mean(axis=1, keepdims=True)
        spectrum = scipy.fft.rfft(block * window(), FFT, axis=1)
        of = column_of[start : start + len(block)]
        first = np.flatnonzero(np.diff(of, prepend=-1))
        total[of[first]] += np.add.reduceat(spectrum.real**2 + spectrum.imag**2, first, axis=0)
    mean = total / np.bincount(column_of, minlength=columns)[:, None] / full_scale
    found: NDArray[np.float32] = 10.0 * np.log10(np.maximum(mean, 10.0 ** (FLOOR_DB / 10.0))).T
    return found.astype(np.float32)
