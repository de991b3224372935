"""A program of its own, not to be imported: tries a network that somebody gave.

A network made for it may take gigabytes, or run for ever; then it is this process that dies. Nothing of the
package is imported. Input: the ONNX file. Answer: JSON, one of

    {"refused": REASON}      what the library says, or what is wrong with input or output
    {"dimensions": COUNT}    it takes (1, frames, 80) and answers with so many finite numbers, for two lengths
"""

from __future__ import annotations

import json
import os
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

_LENGTHS = (100, 150)  # frames
_BANDS = 80
_MOST_DIMENSIONS = 10_000


def main() -> None:
    """Answer once, and end."""
    sys.path.append(str(Path(__file__).parents[1] / "runtime"))
    bounds = import_module("bounds_apart")
    os.environ["ORT_DISABLE_TELEMETRY"] = "1"  # else it tells its makers of it
    runtime = import_module("onnxruntime")
    content = sys.stdin.buffer.read()
    bounds.limit_memory(6 * len(content) + (1 << 30))
    try:
        found: dict[str, object] = _tried(runtime, content)
    except Exception as error:  # noqa: BLE001 - the library has exceptions of its own for every fault
        found = {"refused": str(error)[:300]}
    sys.stdout.write(json.dumps(found))


def _tried(runtime: Any, content: bytes) -> dict[str, object]:
    options = runtime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = 4
    session = runtime.InferenceSession(content, options, providers=["CPUExecutionProvider"])
    inputs = session.get_inputs()
    shapes = [list(map(str, one.shape)) for one in inputs]
    if len(inputs) != 1 or len(inputs[0].shape) != 3 or inputs[0].shape[2] != _BANDS:
        return {"refused": f"input {shapes}"}
    sizes = set()
    for length in _LENGTHS:
        waves = np.sin(np.arange(length * _BANDS, dtype=np.float64) ** 2)  # always the same
        features = waves.reshape(1, length, _BANDS).astype(np.float32)
        answer = np.asarray(session.run(None, {inputs[0].name: features})[0])
        if answer.dtype.kind != "f" or not np.isfinite(answer).all() or not answer.any():
            return {"refused": "output"}
        sizes.add(answer.size)
    size = sizes.pop()
    if sizes or not 1 < size <= _MOST_DIMENSIONS:
        return {"refused": "output size"}
    return {"dimensions": size}


if __name__ == "__main__":
    main()
