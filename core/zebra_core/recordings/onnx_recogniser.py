"""A recogniser of the user's own, as ONNX: it is only ever run by processes of their own, within bounds."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Any
from weakref import finalize

import numpy as np
from numpy.typing import NDArray

from zebra_core.errors import InputError
from zebra_core.files.access import open_regular, size_of, temporary_folder
from zebra_core.recordings import libraries
from zebra_core.recordings.recogniser import NetworkInput, Recogniser, beside, file_beside
from zebra_core.runtime import apart
from zebra_core.runtime.apart import Fault, Pool, RunningProgram
from zebra_core.runtime.progress import Progress, no_progress
from zebra_core.wording.texts import in_english

_PROGRAM = Path(__file__).with_name("network_apart.py")
_MOST_BYTES = 1 << 29
_SECONDS = 60.0  # for one answer
_UNCLEAR = "unclear "


_TENSOR, _SPARSE, _GRAPH, _NODE, _ATTRIBUTE, _FUNCTION, _TRAINING = range(7)
_MODEL = 7
_INSIDE: dict[int, dict[int, int]] = {
    _MODEL: {7: _GRAPH, 20: _TRAINING, 25: _FUNCTION},
    _TRAINING: {1: _GRAPH, 2: _GRAPH},
    _FUNCTION: {7: _NODE, 11: _ATTRIBUTE},
    _GRAPH: {1: _NODE, 5: _TENSOR, 15: _SPARSE},
    _NODE: {5: _ATTRIBUTE},
    _ATTRIBUTE: {5: _TENSOR, 6: _GRAPH, 10: _TENSOR, 11: _GRAPH, 22: _SPARSE, 23: _SPARSE},
    _SPARSE: {1: _TENSOR, 2: _TENSOR},
}
"""In which field of a message there is which other message."""
_WHERE, _IS_ELSEWHERE = 13, 14  # external_data, data_location of a tensor; 0 is the file itself
_LONGEST = 10  # bytes of a number
_NUMBER, _EIGHT_BYTES, _BYTES, _FOUR_BYTES = 0, 1, 2, 5


def has_weights_elsewhere(content: bytes) -> bool:
    """Whether a tensor of the network says that its numbers are in another file, or may be."""
    waiting = [(_MODEL, 0, len(content))]
    while waiting:
        kind, start, end = waiting.pop()
        for field, at, after in _fields(content, start, end):
            if kind == _TENSOR and field == _WHERE:
                return True
            if kind == _TENSOR and field == _IS_ELSEWHERE and any(one & 0x7F for one in content[at:after]):
                return True
            if (inside := _INSIDE.get(kind, {}).get(field)) is not None:
                waiting.append((inside, at, after))
    return False


def _fields(content: bytes, at: int, end: int) -> Iterator[tuple[int, int, int]]:
    """The number of each field, and where what it holds begins and ends; as far as that can be read."""
    while at < end:
        tag, at = _number(content, at, end)
        wire, size = tag & 7, 0
        if wire == _NUMBER:
            size = _number(content, at, end)[1] - at
        elif wire == _BYTES:
            size, at = _number(content, at, end)
        elif wire in (_EIGHT_BYTES, _FOUR_BYTES):
            size = 8 if wire == _EIGHT_BYTES else 4
        if at + size > end:
            return
        yield (tag & 0xFFFFFFFF) >> 3, at, at + size
        at += size


def _number(content: bytes, at: int, end: int) -> tuple[int, int]:
    """A number of as many bytes as it takes, and where it ends: beyond the end where it does not."""
    found = 0
    for place in range(at, min(at + _LONGEST, end)):
        found |= (content[place] & 0x7F) << 7 * (place - at)
        if content[place] < 0x80:
            return found, place + 1
    return found, end + 1


def given(
    path: Path, on_progress: Progress = no_progress, *, takes: NetworkInput | None = None
) -> Recogniser:
    """A network that takes filter banks or samples at 16 kHz, and answers with an embedding.

    What that is, is known (`takes`), or a file beside it says it, or it says it itself. Raises InputError
    where nothing does, and for what is too large, has weights in other files, cannot be run within
    bounds of time and memory, or answers with something else than finite numbers, as many for any length.
    """
    libraries.onnxruntime()
    said = beside(path) if takes is None else None
    if (size_of(path) or 0) > _MOST_BYTES:
        raise InputError("model-too-large", file=path.name, most=_MOST_BYTES >> 20)
    with open_regular(path) as file:
        content = file.read(_MOST_BYTES)
    if has_weights_elsewhere(content):
        raise InputError("model-elsewhere", file=path.name)
    if not apart.can_run():
        raise InputError("model-not-tried", file=path.name)
    network = _NetworkApart(path.name, content, said.takes if said else takes)
    dimensions, found = network.tried(on_progress)
    return Recogniser(
        (said and said.name) or path.stem,
        (said and said.licence) or in_english("recordings.licence-unknown"),
        sha256(content).hexdigest(),
        dimensions,
        network,
        found,
    )


class _NetworkApart:
    """Processes that run a network, one for each thread that asks. Raises InputError."""

    def __init__(self, name: str, content: bytes, takes: NetworkInput | None) -> None:
        self._name, self._content = name, content
        folder = temporary_folder()  # empty: paths in a network lead nowhere
        finalize(self, folder.cleanup)
        self._question = {
            "given": len(content),
            "takes": takes.as_json() if takes else None,
            "folder": folder.name,
        }
        self._said: dict[str, Any] = {}
        self._refused: InputError | None = None  # what a process died of once is not given to another
        self._pool = Pool(_PROGRAM, _SECONDS)

    def __call__(
        self, features: NDArray[np.float32], on_progress: Progress = no_progress
    ) -> NDArray[np.floating]:
        """The embedding; nothing where the library finds a fault."""
        question = {"given": features.nbytes, "shape": features.shape}
        with self._asked(on_progress) as one:
            try:
                content = one.ask(question, features.tobytes(), on_progress)[1]
                return np.frombuffer(content, dtype=np.float32)
            except Fault:
                return np.empty(0, dtype=np.float32)

    def tried(self, on_progress: Progress) -> tuple[int, NetworkInput]:
        """How many numbers it answers with, and what it takes."""
        with self._asked(on_progress):
            return int(self._said["dimensions"]), NetworkInput.of(self._said["takes"])

    @contextmanager
    def _asked(self, on_progress: Progress) -> Iterator[RunningProgram]:
        if self._refused is not None:
            raise self._refused
        try:
            with self._pool.one(partial(self._begin, on_progress)) as one:
                yield one
        except Fault as error:
            reason = str(error)
            if reason.startswith(_UNCLEAR):
                found, name = reason.removeprefix(_UNCLEAR), file_beside(Path(self._name)).name
                raise InputError("model-unclear", file=self._name, found=found, beside=name) from error
            raise InputError("model-refused", file=self._name, reason=reason) from error
        except (apart.NoAnswer, ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
            self._refused = apart.refusal(error, "model-hostile", self._name)
            raise self._refused from error

    def _begin(self, on_progress: Progress, one: RunningProgram) -> None:
        self._said = one.ask(self._question, self._content, on_progress)[0]
