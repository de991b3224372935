"""The network that hears who speaks: a recording in, an embedding out."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from functools import cache, partial
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
import scipy
from numpy.typing import NDArray

import zebra_resources
from zebra_core.errors import InputError
from zebra_core.evidence.value_types import fault, json_object, optional
from zebra_core.files import strict_json
from zebra_core.files.access import open_regular
from zebra_core.intake.recordings_file import TAKES, Line
from zebra_core.recordings import libraries
from zebra_core.recordings.sound import Samples
from zebra_core.runtime.progress import Progress, no_progress, part_of
from zebra_core.wording.texts import in_english

# Kaldi's filter banks in NumPy: log energies of mel bands in frames of 25 ms every 10 ms.


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


# The input of a network: filter banks of some kind, or samples; as its own file says, or one beside it.


_MOST_BYTES = 1 << 16
_NEEDED = {
    "filter-banks": ("axes", "bands", "window", "full_scale", "mean"),
    "samples": ("full_scale",),
}
"""Nothing of it is guessed."""
_DESCRIPTION = json_object("NetworkDescription", **TAKES, name=optional(Line), licence=optional(Line))


@dataclass(frozen=True)
class NetworkInput:
    """Sound at 16 kHz as a network takes it. The defaults are those of the network that ZEBRA ships with."""

    input: str = "filter-banks"  # or "samples"
    axes: str = "frames-bands"  # or "bands-frames"
    bands: int = BANDS
    window: str = "povey"  # or "hamming", "hann"
    full_scale: int = FULL_SCALE  # or 1
    mean: str = "subtracted"  # or "kept"
    output: str | None = None  # else the only one

    @classmethod
    def of(cls, values: Mapping[str, Any]) -> NetworkInput:
        """The network input that a record describes; what it says of the network itself is ignored."""
        return cls(**{name: values[name] for name in cls.__dataclass_fields__ if name in values})

    def as_json(self) -> dict[str, Any]:
        """The object that is written to a record."""
        return {name: value for name, value in asdict(self).items() if value is not None}

    @property
    def in_words(self) -> str:
        """A description in technical terms, for people who know the network."""
        return ", ".join(f"{name} {value}" for name, value in self.as_json().items())

    def made_of(self, samples: Samples) -> NDArray[np.float32]:
        """The network's input for one channel of samples at 16 kHz."""
        if self.input == "samples":
            return samples * np.float32(self.full_scale)
        found = filter_banks(samples, self.window, self.bands, self.full_scale)
        found = without_mean(found) if self.mean == "subtracted" else found
        return found if self.axes == "frames-bands" else np.ascontiguousarray(found.T)


AS_SHIPPED = NetworkInput()


@dataclass(frozen=True)
class NetworkDescription:
    """The content of the file beside a network: its input, and what it says of the network."""

    takes: NetworkInput
    name: str | None
    licence: str | None


def file_beside(model: Path) -> Path:
    """The file that may say what a network takes: of the same name, with the ending .json."""
    return model.with_suffix(".json")


def beside(model: Path) -> NetworkDescription | None:
    """What the file beside a network says; None where there is none.

    Raises InputError for what is not as the schema says.
    """
    path = file_beside(model)
    if not path.exists():
        return None
    refused = partial(InputError, "model-says", file=path.name, model=model.name)
    with open_regular(path) as file:
        content = file.read(_MOST_BYTES + 1)
    try:
        values: Any = strict_json.parse(content) if len(content) <= _MOST_BYTES else None
    except (ValueError, RecursionError) as error:
        raise refused(at=str(error) or type(error).__name__) from error
    at = fault(values, _DESCRIPTION)
    at = at or next((name for name in _NEEDED[values["input"]] if name not in values), None)
    if at is not None:
        raise refused(at=at)
    return NetworkDescription(NetworkInput.of(values), values.get("name"), values.get("licence"))


Embedding = NDArray[np.float32]
"""Shape (dimensions,), of length 1: what of a voice a network keeps. Biometric data."""

Network = Callable[[NDArray[np.float32], Progress], NDArray[np.floating]]
"""From what goes in for one recording to its embedding; several threads may call it at once. One that may
take long calls the progress, so that it can be stopped.
"""

SHIPPED = "recogniser/campplus-16k-zh-en.onnx"
LONGEST_PIECE_S = 60
"""Seconds heard at once; longer recordings are heard in equal pieces, so that memory is bounded."""


@dataclass(frozen=True, eq=False)
class Recogniser:
    """A network, and what is to be said of it wherever its scores go."""

    name: str
    licence: str
    sha256: str
    dimensions: int
    network: Network = field(repr=False)
    takes: NetworkInput = AS_SHIPPED

    @property
    def key(self) -> str:
        """By which embeddings of its are known: 16 hexadecimal digits of the network and of what goes in."""
        if self.takes == AS_SHIPPED:
            return self.sha256[:16]
        said = json.dumps(self.takes.as_json(), sort_keys=True)
        return sha256(f"{self.sha256} {said}".encode("ascii")).hexdigest()[:16]

    def embedding(self, samples: Samples, name: str = "", on_progress: Progress = no_progress) -> Embedding:
        """What it hears in one channel at 16 kHz: of several pieces the mean of their directions.

        Pieces are equal but for a sample and no longer than `LONGEST_PIECE_S`. Raises InputError where there
        is no whole frame, or where the network does not answer with finite numbers.
        """
        count = max(1, -(-len(samples) // (LONGEST_PIECE_S * RATE_HZ)))
        found = np.zeros(self.dimensions)
        for number, piece in enumerate(np.array_split(samples, count)):
            done = number / count
            on_progress(done)
            found += self._of_piece(piece, name, part_of(on_progress, done, done))
        return unit(found).astype(np.float32)

    def _of_piece(self, samples: Samples, name: str, on_progress: Progress) -> NDArray[np.float64]:
        if len(samples) < FRAME:
            raise InputError("sound-too-short", file=name, least=FRAME * 1000 // RATE_HZ)
        found = np.asarray(self.network(self.takes.made_of(samples), on_progress), dtype=np.float64).reshape(
            -1
        )
        if found.shape != (self.dimensions,) or not np.isfinite(found).all() or not found.any():
            raise InputError("recogniser-no-answer", file=name, model=self.name)
        return unit(found)


def unit(vectors: NDArray[np.float64]) -> NDArray[np.float64]:
    """Vectors along the last axis, each of length 1; a vector of zeros stays."""
    length = np.linalg.norm(vectors, axis=-1, keepdims=True)
    found: NDArray[np.float64] = vectors / np.where(length > 0.0, length, 1.0)
    return found


@cache
def hash_of_shipped() -> str:
    """The SHA-256 of the network that comes along; no library is needed for it."""
    return sha256(zebra_resources.read_bytes(SHIPPED)).hexdigest()


@cache
def shipped() -> Recogniser:
    """CAM++, which comes along (zebra_resources/recogniser/README.md). Raises InputError without the
    libraries.
    """
    runtime, content = libraries.onnxruntime(), zebra_resources.read_bytes(SHIPPED)
    options = runtime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1  # the same bits on the same machine
    options.execution_mode = runtime.ExecutionMode.ORT_SEQUENTIAL
    options.enable_cpu_mem_arena = False  # it would keep what the longest recording took
    options.log_severity_level = 4  # no word on standard error
    session = runtime.InferenceSession(content, options, providers=["CPUExecutionProvider"])
    name = session.get_inputs()[0].name
    return Recogniser(
        in_english("recordings.recogniser"),
        "Apache-2.0",
        hash_of_shipped(),
        int(session.get_outputs()[0].shape[-1]),
        lambda features, _on_progress: np.asarray(session.run(None, {name: features[None]})[0]),
    )
