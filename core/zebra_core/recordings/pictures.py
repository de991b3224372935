"""A recording as pictures: its samples over time, and the power of its frames (a spectrogram)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import scipy
from numpy.typing import NDArray

from zebra_core.evidence.trials import FloatArray
from zebra_core.figures.figure import Axis, Colour, ColourScale, Figure, Line, Raster
from zebra_core.recordings.embedding import Loudness, loudness
from zebra_core.recordings.recogniser import FFT, FRAME, HOP, RATE_HZ, window
from zebra_core.recordings.sound import Samples, SoundHeader, at_rate, decibels, read_channels
from zebra_core.runtime.progress import Progress, no_progress, part_of
from zebra_core.wording.texts import say, written

LOWEST_DB, HIGHEST_DB = -90.0, -10.0
"""The ends of the colours: the same in all spectrograms, whatever occurs."""
_LEAST_TOP = 0.01
_KHZ = 1000.0


def waveform_figure(
    look: AudibleRecording, name: str, version: str, colour: Colour, frame: tuple[float, float]
) -> Figure:
    """The samples of a recording, up and down; `frame` is how long and how high the axes are (`frame_of`).

    `version` is what tells the recording from others that are shown beside it.
    """
    times = _edges(look.seconds, len(look.low))
    x = np.repeat((times[:-1] + times[1:]) / 2.0, 2)
    y = np.stack([look.low, look.high], axis=1).reshape(-1).astype(np.float64)
    seconds, top = frame
    return Figure(
        title=say("figure.waveform-title", name=name, version=version),
        x=Axis(say("figure.recording-time"), 0.0, seconds),
        y=Axis(say("figure.waveform-axis"), -top, top),
        lines=(Line(x, y, version, colour),),
        alt_text=_alt_text("waveform", look, name, version),
    )


def spectrogram_figure(look: AudibleRecording, name: str, version: str, seconds: float) -> Figure:
    """The power of its frames in each band, from dark to bright; `seconds` is how long the axis is.

    The frames are those that the recogniser hears, at 16 kHz: whatever lies above 8 kHz is not shown.
    """
    bands, columns = look.power_db.shape
    half_band, hop = RATE_HZ / FFT / 2.0, HOP / RATE_HZ
    begins, frames = (FRAME / RATE_HZ - hop) / 2.0, _frames(look)
    scale = ColourScale(say("figure.spectrogram-scale"), LOWEST_DB, HIGHEST_DB)
    raster = Raster(
        look.power_db if columns else np.full((bands, 1), LOWEST_DB, np.float32),
        scale,
        x=(begins, begins + max(1, frames) * hop),
        y=(-half_band / _KHZ, (RATE_HZ / 2.0 + half_band) / _KHZ),
    )
    return Figure(
        title=say("figure.spectrogram-title", name=name, version=version),
        x=Axis(say("figure.recording-time"), 0.0, seconds),
        y=Axis(say("figure.spectrogram-axis"), 0.0, RATE_HZ / 2.0 / _KHZ),
        lines=(),
        alt_text=_alt_text("spectrogram", look, name, version),
        raster=raster,
    )


def frame_of(looks: Iterable[AudibleRecording]) -> tuple[float, float]:
    """Seconds and amplitude that all of these fit into, so that they can be compared beside each other."""
    shown = list(looks)
    longest = max((look.seconds for look in shown), default=1.0)
    return longest, max([_LEAST_TOP, *(1.05 * look.peak for look in shown)])


def waveform_read_out(line: Line, point: int) -> str:
    """The least and the largest sample about a moment."""
    first = point // 2 * 2
    return say(
        "figure.waveform-read-out",
        seconds=written(float(line.x[first]), ".2f"),
        low=_signed(float(line.y[first])),
        high=_signed(float(line.y[first + 1])),
        label=line.label,
    )


def spectrogram_read_out(raster: Raster, row: int, column: int) -> str:
    """The power at a moment in a band."""
    seconds, khz = raster.middle_of(row, column)
    return say(
        "figure.spectrogram-read-out",
        seconds=written(seconds, ".2f"),
        hertz=written(abs(khz) * _KHZ, ".0f"),
        power=_signed(float(raster.values[row, column]), 0),
    )


def _frames(look: AudibleRecording) -> int:
    """How many frames there are at the rate of the recogniser."""
    return max(0, 1 + (round(look.seconds * RATE_HZ) - FRAME) // HOP)


def _edges(seconds: float, pieces: int) -> FloatArray:
    return np.linspace(0.0, seconds, pieces + 1)


def _alt_text(kind: str, look: AudibleRecording, name: str, version: str) -> str:
    silent = "-silent" if look.peak == 0.0 else ""
    return say(
        f"figure.{kind}-alt{silent}",
        name=name,
        version=version,
        seconds=written(look.seconds, ".1f"),
        speech=written(look.loudness.speech_s, ".1f"),
        peak=_signed(look.peak_db, 1) if look.peak else "",
        rate=look.kind.rate_hz,
    )


def _signed(value: float, decimals: int = 2) -> str:
    return written(value, f".{decimals}f").replace("-", "−")


# What is to be seen of a recording: its samples, and the power of the frames that a recogniser hears.


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
