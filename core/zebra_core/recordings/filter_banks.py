"""Kaldi's filter banks in NumPy: log energies of mel bands in frames of 25 ms every 10 ms."""

from __future__ import annotations

from functools import cache

import numpy as np
import scipy
from numpy.typing import NDArray

from zebra_core.recordings.sound import Samples

RATE_HZ = 16_000
BANDS = 80
FULL_SCALE = 32_768
"""Kaldi computes with whole numbers of 16 bits."""
FRAME, HOP = 400, 160  # samples
FFT = 512
_LOWEST_HZ, _HIGHEST_HZ = 20.0, 8_000.0
_PREEMPHASIS = np.float32(0.97)
_LEAST = np.finfo(np.float32).eps
_BLOCK = 4_096  # frames

Features = NDArray[np.float32]
"""Shape (frames, bands)."""


def filter_banks(
    samples: Samples, shape: str = "povey", bands: int = BANDS, full_scale: int = FULL_SCALE
) -> Features:
    """Natural-log mel energies of speech at `RATE_HZ`, without dither; frames that do not fit are left out.

    As Kaldi's compute-fbank-feats with --dither=0 --num-mel-bins=80 --snip-edges=true: povey window (or
    another that Kaldi has), preemphasis 0.97, mean of each frame removed, power spectrum, 20 to 8000 Hz.
    `full_scale` is what a sample of 1 counts as. Empty below 25 ms.
    """
    count = max(0, 1 + (len(samples) - FRAME) // HOP)
    found = np.empty((count, bands), np.float32)
    if count == 0:
        return found
    frames = np.lib.stride_tricks.sliding_window_view(samples, FRAME)[::HOP]
    for start in range(0, count, _BLOCK):
        block = frames[start : min(count, start + _BLOCK)] * np.float32(full_scale)
        found[start : start + _BLOCK] = _log_energies(block, window(shape), _banks(bands))
    return found


def without_mean(features: Features) -> Features:
    """The features minus the mean of each band over the recording."""
    mean: Features = features.mean(axis=0, dtype=np.float64).astype(np.float32)
    return features - mean


def _log_energies(
    work: NDArray[np.float32], weights: NDArray[np.float32], banks: NDArray[np.float32]
) -> Features:
    work -= work.mean(axis=1, keepdims=True)
    emphasised = np.empty_like(work)
    emphasised[:, 1:] = work[:, 1:] - _PREEMPHASIS * work[:, :-1]
    emphasised[:, 0] = work[:, 0] * (1 - _PREEMPHASIS)
    spectrum = scipy.fft.rfft(emphasised * weights, FFT, axis=1)
    power = spectrum.real**2 + spectrum.imag**2
    found: Features = np.log(np.maximum(power @ banks, _LEAST))
    return found


@cache
def window(name: str = "povey") -> NDArray[np.float32]:
    """Kaldi's hann and hamming; povey is the first to the power of 0.85."""
    cosine = np.cos(2.0 * np.pi * np.arange(FRAME) / (FRAME - 1))
    if name == "hamming":
        return (0.54 - 0.46 * cosine).astype(np.float32)
    hann = 0.5 - 0.5 * cosine
    return (hann**0.85 if name == "povey" else hann).astype(np.float32)


@cache
def _banks(bands: int) -> NDArray[np.float32]:
    """Triangles that are even on the mel scale, shape (FFT // 2 + 1, bands)."""
    low, high = _mel(np.array([_LOWEST_HZ, _HIGHEST_HZ]))
    width = (high - low) / (bands + 1)
    bins = _mel(np.arange(FFT // 2) * RATE_HZ / FFT)[:, None]
    left = low + np.arange(bands) * width
    triangles = np.minimum((bins - left) / width, (left + 2.0 * width - bins) / width)
    return np.pad(np.maximum(0.0, triangles), ((0, 1), (0, 0))).astype(np.float32)


def _mel(frequency_hz: NDArray[np.float64]) -> NDArray[np.float64]:
    found: NDArray[np.float64] = 1127.0 * np.log1p(frequency_hz / 700.0)
    return found
