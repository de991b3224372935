"""The network that hears who speaks: a recording in, an embedding out."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from hashlib import sha256

import numpy as np
from numpy.typing import NDArray

import zebra_resources
from zebra_core.errors import InputError
from zebra_core.recordings import libraries
from zebra_core.recordings.filter_banks import FRAME, RATE_HZ
from zebra_core.recordings.network_input import AS_SHIPPED, NetworkInput
from zebra_core.recordings.sound import Samples
from zebra_core.runtime.progress import Progress, no_progress, part_of
from zebra_core.wording.texts import in_english

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
