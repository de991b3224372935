"""A program of its own, not to be imported: takes an HDF5 file apart into plain arrays.

Files that are made for it crash the HDF5 library, or keep it busy for ever; then it is this process that
dies.
Nothing of the package is imported, for nothing of it is needed, and what is not loaded starts soon.

Input: the file. Arguments: how many bytes of arrays may be answered, and a JSON list of lists of names, of
each of which the first is answered that is the name of a data set; or null: then all data sets are, in
whatever groups. Answer: the length of what follows as 8 bytes, JSON, and the bytes of the arrays one behind
the other. The JSON is one of

    {"broken": REASON}                                what the library says where it refuses the file
    {"too_much": true}                                more than so many bytes
    {"names": [NAME, ...], "sets": {NAME: SET, ...}}

and a SET is {"texts": [TEXT, ...]}, {"dtype": "<f8", "shape": [2, 3]}, or {} for what is neither numbers nor
texts. Texts are without their shape.
"""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

_AT_ONCE = 1024  # texts: a small file may repeat a long one more often than memory lasts
_MOST_NAMES, _MOST_OF_ALL = 10_000, 500_000
_DEEPEST = 8  # groups in groups, as of ids with slashes
_BROKEN = (OSError, KeyError, ValueError, TypeError, RuntimeError, AttributeError, OverflowError)


class _TooMuchError(Exception):
    """More is in the file than may be answered."""


class _Budget:
    def __init__(self, most: int) -> None:
        self._left = most

    def spend(self, count: int) -> None:
        self._left -= count
        if self._left < 0:
            raise _TooMuchError


def main() -> None:
    """Answer once, and end."""
    most, wanted = int(sys.argv[1]), json.loads(sys.argv[2])
    sys.path.append(str(Path(__file__).parents[2] / "runtime"))
    bounds = import_module("bounds_apart")
    h5py = import_module("h5py")
    content = sys.stdin.buffer.read()
    bounds.limit_memory(2 * len(content) + 4 * most + (256 << 20))
    head, arrays = _answer(h5py, content, wanted, _Budget(most))
    encoded = json.dumps(head).encode("ascii")
    sys.stdout.buffer.write(len(encoded).to_bytes(8, "little") + encoded)
    for array in arrays:
        sys.stdout.buffer.write(array.tobytes())
    sys.stdout.buffer.flush()


def _answer(
    h5py: Any, content: bytes, wanted: list[list[str]] | None, budget: _Budget
) -> tuple[dict[str, Any], list[np.ndarray]]:
    try:
        with h5py.File(io.BytesIO(content), "r") as file:
            head: dict[str, Any] = {}
            arrays: list[np.ndarray] = []
            if wanted is None:
                for called, data in _sets(h5py, file, "", budget, _DEEPEST):
                    head[called] = _loaded(h5py, data, arrays, budget)
                    _refuse_many(len(head), _MOST_OF_ALL)
                return {"names": list(head), "sets": head}, arrays
            sets: dict[str, Any] = {}
            for called, data in _sets(h5py, file, "", budget, 1):
                sets[called] = data
                _refuse_many(len(sets), _MOST_NAMES)
            for alternatives in wanted:
                name = next((name for name in alternatives if name in sets), None)
                if name is not None and name not in head:
                    head[name] = _loaded(h5py, sets[name], arrays, budget)
            return {"names": list(sets), "sets": head}, arrays
    except _TooMuchError:
        return {"too_much": True}, []
    except _BROKEN as error:
        return {"broken": str(error).split("\n", maxsplit=1)[0][:1000]}, []


def _sets(h5py: Any, group: Any, prefix: str, budget: _Budget, depth: int) -> Iterator[tuple[str, Any]]:
    """The data sets of a group and of those in it, so deep. Links to other files here are not followed."""
    for name in group:
        budget.spend(len(name))
        if not isinstance(group.get(name, getlink=True), h5py.HardLink):
            continue
        item = group[name]
        if isinstance(item, h5py.Group) and depth:
            yield from _sets(h5py, item, f"{prefix}{name}/", budget, depth - 1)
        elif isinstance(item, h5py.Dataset) and not item.is_virtual and not item.external:
            yield prefix + name, item


def _refuse_many(count: int, most: int) -> None:
    if count > most:
        raise ValueError(f"more than {most} data sets")


def _loaded(h5py: Any, data: Any, arrays: list[np.ndarray], budget: _Budget) -> dict[str, Any]:
    if data.shape is None:  # it holds nothing, not even an empty array
        return {}
    if data.dtype.kind in "biuf":
        budget.spend(data.size * min(8, data.dtype.itemsize))
        found = np.asarray(data[()])
        if found.dtype.itemsize > 8:
            found = found.astype(np.float64)
        arrays.append(found.astype(found.dtype.newbyteorder("<"), order="C"))
        return {"dtype": arrays[-1].dtype.str, "shape": list(found.shape)}
    if data.dtype.kind == "S" or h5py.check_string_dtype(data.dtype):
        return {"texts": _texts(data, budget)}
    return {}


def _texts(data: Any, budget: _Budget) -> list[str]:
    budget.spend(max(8, data.dtype.itemsize) * data.size)
    if data.ndim != 1:
        return _plain(np.asarray(data[()]).reshape(-1), budget)
    return [
        text
        for start in range(0, data.size, _AT_ONCE)
        for text in _plain(data[start : start + _AT_ONCE], budget)
    ]


def _plain(values: np.ndarray, budget: _Budget) -> list[str]:
    texts = [
        value.decode("utf-8", errors="replace") if isinstance(value, bytes) else str(value)
        for value in values.tolist()
    ]
    budget.spend(sum(map(len, texts)))
    return texts


if __name__ == "__main__":
    main()
