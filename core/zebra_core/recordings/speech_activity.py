"""How much speech is in a recording, by its energy, and whether it is clipped."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from zebra_core.evidence.value_types import Seconds, Share
from zebra_core.recordings.filter_banks import HOP, RATE_HZ
from zebra_core.recordings.sound import Samples

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
