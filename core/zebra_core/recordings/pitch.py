"""How high a voice is: the fundamental frequency of each frame by its autocorrelation."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from math import log2, nan

import numpy as np
import scipy
from numpy.typing import NDArray

from zebra_core.evidence.value_types import Amount, Seconds
from zebra_core.recordings.recogniser import RATE_HZ as AS_HEARD_HZ
from zebra_core.recordings.sound import Samples, at_rate

LOWEST_HZ, HIGHEST_HZ = 60.0, 400.0
"""Between these the voice of an adult or a child lies; what is higher is taken an octave too low."""
RATE_HZ = 8_000
FRAME, HOP = 400, 80
"""Samples at `RATE_HZ`: 50 ms, three periods of the lowest voice; every 10 ms."""
LEAST_VOICED_S = 0.2
"""Seconds of voiced speech, below which nothing is said about how high a voice is."""
_FFT = 1_024
_FINER = 2  # lags in a sample: the peaks of high voices are narrow
_VOICED = 0.5  # the autocorrelation from which on a frame has a pitch
_OCTAVE_COST = 0.02  # by octave below the highest: of periods that fit as well the shortest is meant
_BELOW_LOUD_DB = 30.0
_LOUD = 95.0  # percentile of the frames
_BLOCK = 1_024  # frames
_RANGE = 5.0, 95.0  # percentiles
_QUARTILES = 25.0, 75.0
SEMITONES = 12.0
"""In an octave."""


@dataclass(frozen=True)
class Pitch:
    """How high the voice of a recording is; all but the first are 0 where too little of it is voiced."""

    voiced_s: Seconds
    median_hz: Amount = 0.0
    spread_semitones: Amount = 0.0  # between the quartiles of its frames
    range_semitones: Amount = 0.0  # from their 5th to their 95th percentile

    @property
    def is_known(self) -> bool:
        """Whether enough was voiced."""
        return self.voiced_s >= LEAST_VOICED_S

    @property
    def features(self) -> NDArray[np.float64]:
        """Median in semitones above 1 Hz, and the logarithms to base 2 of spread and range; shape (3,).

        Not numbers where too little is voiced.
        """
        if not self.is_known:
            return np.full(3, nan)
        wide = (max(one, 0.01) for one in (self.spread_semitones, self.range_semitones))
        return np.array([SEMITONES * log2(self.median_hz), *map(log2, wide)])


NOT_VOICED = Pitch(0.0)


def pitch_of(samples: Samples) -> Pitch:
    """The pitch of one channel at the rate of `filter_banks.RATE_HZ`.

    Frames are voiced whose energy is within 30 dB of the loud ones (95th percentile) and whose
    autocorrelation, divided by that of the window, has a peak of 0.5 at least (Boersma 1993). What is found
    first sets bounds for a second time: from 0.75 of the first quartile to 1.5 of the third (De Looze and
    Hirst 2008), or tones an octave off would widen the range.
    """
    slow = at_rate(samples, AS_HEARD_HZ, RATE_HZ)
    found = frame_pitch(slow)
    voiced = found[found > 0.0]
    if len(voiced):
        low, high = np.percentile(voiced, _QUARTILES)
        found = frame_pitch(slow, max(LOWEST_HZ, 0.75 * low), min(HIGHEST_HZ, 1.5 * high))
    voiced = SEMITONES * np.log2(found[found > 0.0])
    seconds = len(voiced) * HOP / RATE_HZ
    if seconds < LEAST_VOICED_S:
        return Pitch(seconds)
    first, third = np.percentile(voiced, _QUARTILES)
    low, high = np.percentile(voiced, _RANGE)
    middle = float(2.0 ** (np.median(voiced) / SEMITONES))
    return Pitch(seconds, middle, float(third - first), float(high - low))


def frame_pitch(
    samples: Samples, lowest_hz: float = LOWEST_HZ, highest_hz: float = HIGHEST_HZ
) -> NDArray[np.float64]:
    """The fundamental frequency of each frame in Hz, 0 where it is not voiced; shape (frames,).

    `samples` are at `RATE_HZ`.
    """
    count = max(0, 1 + (len(samples) - FRAME) // HOP)
    if not count:
        return np.zeros(0)
    frames = np.lib.stride_tricks.sliding_window_view(samples, FRAME)[::HOP]
    power, found = np.empty(count), np.zeros(count)
    for start in range(0, count, _BLOCK):
        block = frames[start : start + _BLOCK].astype(np.float32)
        block -= block.mean(axis=1, keepdims=True)
        power[start : start + _BLOCK] = np.einsum("nf,nf->n", block, block)
        found[start : start + _BLOCK] = _of_frames(block * _window()[0], lowest_hz, highest_hz)
    loud_db = 10.0 * np.log10(np.maximum(power, 1e-20))
    found[loud_db < np.percentile(loud_db, _LOUD) - _BELOW_LOUD_DB] = 0.0
    return found


def _of_frames(frames: NDArray[np.float32], lowest_hz: float, highest_hz: float) -> NDArray[np.float64]:
    """Of frames that are windowed already; heights of peaks, and where they are, by a parabola."""
    spectrum = scipy.fft.rfft(frames, _FFT, axis=1)
    correlation = scipy.fft.irfft(spectrum.real**2 + spectrum.imag**2, _FINER * _FFT, axis=1)
    rate_hz = _FINER * RATE_HZ
    lags = np.arange(int(rate_hz / highest_hz), int(np.ceil(rate_hz / lowest_hz)) + 1)
    around = np.arange(lags[0] - 1, lags[-1] + 2)
    energy = np.maximum(correlation[:, :1], np.float32(1e-20))
    shape = correlation[:, around] / energy / _window()[1][around]
    before, at, after = shape[:, :-2], shape[:, 1:-1], shape[:, 2:]
    bend = np.maximum(2.0 * at - before - after, np.float32(1e-9))
    aside = 0.5 * (after - before) / bend
    height = at + 0.25 * (after - before) * aside
    is_peak = (at >= before) & (at > after)
    octaves = np.log2(lags / lags[0]).astype(np.float32)
    worth = np.where(is_peak, height - np.float32(_OCTAVE_COST) * octaves, -np.inf)
    best, rows = worth.argmax(axis=1), np.arange(len(frames))
    is_voiced = is_peak[rows, best] & (height[rows, best] >= _VOICED)
    return np.where(is_voiced, rate_hz / (lags[best] + aside[rows, best]), 0.0)


@cache
def _window() -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Hann's window, and its own autocorrelation at lags as fine, 1 at a lag of 0."""
    window = np.hanning(FRAME + 2)[1:-1]
    own = scipy.fft.irfft(np.abs(scipy.fft.rfft(window, _FFT)) ** 2, _FINER * _FFT)
    return window.astype(np.float32), (own / own[0]).astype(np.float32)
