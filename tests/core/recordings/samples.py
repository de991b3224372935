"""Recordings for tests: those of the demo, and small ones that are made."""

from pathlib import Path

import numpy as np
import soundfile

import zebra_resources
from zebra_core.recordings.sound import read_sound

ORIGINAL = zebra_resources.path("recordings/original")
PROTECTED = zebra_resources.path("recordings/B2")
SPEECH = ORIGINAL / "3331" / "3331-159605-0005.flac"


def speech():
    """Read speech, some seconds at 16 kHz."""
    return read_sound(SPEECH).samples


def tone(seconds=0.5, rate=16_000, hertz=440.0, size=0.5):
    return (size * np.sin(2 * np.pi * hertz * np.arange(int(seconds * rate)) / rate)).astype(np.float32)


def write(path: Path, samples, rate=16_000, **how) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    soundfile.write(path, samples, rate, **how)
    return path
