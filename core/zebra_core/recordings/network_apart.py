"""A program of its own, not to be imported: runs a network that somebody gave, as often as it is asked.

A network made for it may take gigabytes, or run for ever; then it is this process that dies. Nothing of the
package is imported. Input, a line of JSON each and as many bytes as its "given" says; answer, four bytes that
say the length of a JSON object, that object, and as many bytes as it says:

    {"given": SIZE, "takes": TAKES or null,   {"dimensions", "takes"}: it takes that, and answers with so many
     "folder": FOLDER}                        finite numbers, for two lengths; the bytes are the ONNX file,
                                              which is run in that folder, where there is nothing
    {"given": SIZE, "shape": SHAPE}           {"bytes": SIZE}, then the embedding as 32-bit floats

and {"fault": WHY} to either; "unclear ", then shapes, where nothing says what goes in. TAKES is what a file
beside a network says (recordings_file.TAKES): without it, a tool's metadata tell, else the shape of the
input.
"""

from __future__ import annotations

import json
import os
import re
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

_LENGTHS = (100, 150)  # frames
_FRAME, _HOP = 400, 160  # samples
_MOST_DIMENSIONS = 10_000
_MORE_MEMORY = 1 << 30  # bytes, beyond a multiple of the file and those of the libraries
_CODES = re.compile(r"^\[ONNXRuntimeError\] : \d+ : \w+ : ")  # before what the library says of a fault
_BANDS = (40, 64, 80)
_WINDOWS = {"3d-speaker": "povey", "wespeaker": "hamming"}  # by the framework that sherpa writes down


def main() -> None:
    """Answer until nobody asks any more."""
    sys.path.append(str(Path(__file__).parents[1] / "runtime"))
    bounds = import_module("bounds_apart")
    os.environ["ORT_DISABLE_TELEMETRY"] = "1"  # else it tells its makers of it
    runtime = import_module("onnxruntime")
    network: _Network | None = None
    for line in sys.stdin.buffer:
        asked = json.loads(line)
        given = sys.stdin.buffer.read(int(asked["given"]))
        content = b""
        try:
            if network is None:
                os.chdir(asked["folder"])
                bounds.limit_memory(6 * len(given) + _MORE_MEMORY)
                network = _Network(runtime, given, asked["takes"])
                said: dict[str, object] = {"dimensions": network.tried(), "takes": network.takes}
            else:
                features = np.frombuffer(given, np.float32).reshape(asked["shape"])
                content = network.run(features).astype(np.float32).tobytes()
                said = {"bytes": len(content)}
        except Exception as error:  # noqa: BLE001 - the library has exceptions of its own for every fault
            said = {"fault": _CODES.sub("", str(error))[:300]}
        head = json.dumps(said).encode("ascii")
        for piece in (len(head).to_bytes(4, "big"), head, content):
            sys.stdout.buffer.write(piece)
        sys.stdout.buffer.flush()


class _Network:
    """A network, and what goes into it. Raises ValueError where that is not clear."""

    def __init__(self, runtime: Any, content: bytes, takes: dict[str, Any] | None) -> None:
        options = runtime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        options.enable_cpu_mem_arena = False  # it would keep what the longest recording took
        options.log_severity_level = 4
        self._session = runtime.InferenceSession(content, options, providers=["CPUExecutionProvider"])
        self.takes = takes or self._told_by_itself()
        named = self.takes.get("output")
        outputs = [one.name for one in self._session.get_outputs()]
        if len(self._session.get_inputs()) != 1 or (named or outputs[0]) not in outputs:
            raise ValueError(self._unclear())
        self._output = named or outputs[0]

    def run(self, features: np.ndarray) -> np.ndarray:
        """The embedding of one recording."""
        found = self._session.run([self._output], {self._session.get_inputs()[0].name: features[None]})
        return np.asarray(found[0]).reshape(-1)

    def tried(self) -> int:
        """How many numbers it answers with."""
        sizes = set()
        for length in _LENGTHS:
            answer = self.run(self._waves(length))
            if answer.dtype.kind != "f" or not np.isfinite(answer).all() or not answer.any():
                raise ValueError("output")
            sizes.add(answer.size)
        size = sizes.pop()
        if sizes or not 1 < size <= _MOST_DIMENSIONS:
            raise ValueError("output size")
        return size

    def _waves(self, length: int) -> np.ndarray:
        """What is no speech, and always the same."""
        if self.takes["input"] == "samples":
            count = _FRAME + (length - 1) * _HOP
            return np.sin(np.arange(count, dtype=np.float64) ** 2).astype(np.float32)
        bands = self.takes["bands"]
        waves = np.sin(np.arange(length * bands, dtype=np.float64) ** 2).astype(np.float32)
        waves = waves.reshape(length, bands)
        return waves if self.takes["axes"] == "frames-bands" else np.ascontiguousarray(waves.T)

    def _told_by_itself(self) -> dict[str, Any]:
        """By the metadata of sherpa, else by a shape that only filter banks of the usual kind have."""
        inputs, said = self._session.get_inputs(), self._session.get_modelmeta().custom_metadata_map
        shape, framework = inputs[0].shape, said.get("framework", "3d-speaker").lower()
        is_known = framework in _WINDOWS and said.get("sample_rate", "16000") == "16000"
        is_one = len(inputs) == len(self._session.get_outputs()) == 1
        if not (is_known and is_one and len(shape) == 3 and shape[2] in _BANDS):
            raise ValueError(self._unclear())
        return {
            "input": "filter-banks",
            "axes": "frames-bands",
            "bands": shape[2],
            "window": _WINDOWS[framework],
            "full_scale": 1 if said.get("normalize_samples", "0") == "1" else 32768,
            "mean": "kept" if said.get("feature_normalize_type", "global-mean") == "" else "subtracted",
        }

    def _unclear(self) -> str:
        inputs = [list(map(str, one.shape)) for one in self._session.get_inputs()]
        return f"unclear {inputs}"


if __name__ == "__main__":
    main()
