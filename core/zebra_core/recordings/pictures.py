"""A recording as pictures: its samples over time, and the power of its frames (a spectrogram)."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from zebra_core.evidence.trials import FloatArray
from zebra_core.figures.figure import Axis, Colour, Figure, Line, Raster
from zebra_core.figures.palette import ColourScale
from zebra_core.recordings.filter_banks import FFT, FRAME, HOP, RATE_HZ
from zebra_core.recordings.spectrogram import AudibleRecording
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
