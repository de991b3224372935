"""Scores and keys in HDF5 as BOSARIS, PyBOSARIS, SIDEKIT, hyperion and DCA-PLDA write them (needs h5py)."""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from importlib import import_module
from types import ModuleType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.errors import InputError
from core.intake import packing
from core.intake.columns import frozen
from core.intake.formats.reading import Reading
from core.intake.opening import OpenedFile
from core.intake.tables import Example, Role, Table
from core.progress import Progress
from core.trials import Ids

MAGIC = b"\x89HDF\r\n\x1a\n"
_ROWS = ("ID/row_ids", "model_names", "modelset", "enroll_ids", "train_ids")
_COLUMNS = ("ID/column_ids", "test_names", "segset", "test_ids")
_SCORES = ("scores", "score_mat", "scoremat")
_SCORE_MASK = ("score_mask", "scoremask", "mask")
_TARGETS, _NONTARGETS = ("tar_mask", "tar"), ("non_mask", "non")
_TRIALS = ("trial_mask", "trialmask", "mask")

SCORES = Reading("hdf5-scores", Role.SCORES)
KEY = Reading("hdf5-key", Role.KEY)


def recognise(file: OpenedFile) -> list[Reading]:
    """A score file or a key, by the names of its data sets. Raises InputError."""
    with _Hdf5(file) as data:
        if data.find(_ROWS) and data.find(_COLUMNS):
            if data.find(_SCORES):
                return [replace(SCORES, by_file=_read)]
            if data.find(_TRIALS) or (data.find(_TARGETS) and data.find(_NONTARGETS)):
                return [replace(KEY, by_file=_read)]
        raise InputError("hdf5-unclear", file=file.name, found=", ".join(data.names) or "-")


def _read(file: OpenedFile, reading: Reading, on_progress: Progress) -> Table:
    on_progress(0.0)
    with _Hdf5(file) as data:
        rows, columns = data.ids(_ROWS), data.ids(_COLUMNS)
        shape = len(rows), len(columns)
        if reading.role is Role.SCORES:
            score = data.matrix(_SCORES, shape).astype(np.float64)
            listed = (
                data.matrix(_SCORE_MASK, shape) > 0 if data.find(_SCORE_MASK) else np.ones(shape, np.bool_)
            )
            is_target = None
        else:
            score, is_target, listed = None, *_labels(data, shape)
    enrol, test = np.nonzero(listed)
    return Table(
        file,
        reading.format,
        reading.role,
        enrol=Ids(frozen(enrol.astype(np.int32)), rows),
        test=Ids(frozen(test.astype(np.int32)), columns),
        score=None if score is None else frozen(score[listed]),
        is_target=None if is_target is None else frozen(is_target[listed]),
        find=partial(_find, file.name, rows, columns, enrol, test),
    )


def _labels(data: _Hdf5, shape: tuple[int, int]) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Which cells are target, and which are trials at all."""
    if data.find(_TARGETS):
        target, nontarget = data.matrix(_TARGETS, shape) > 0, data.matrix(_NONTARGETS, shape) > 0
    else:
        trial = data.matrix(_TRIALS, shape)  # 1 target, −1 nontarget, 0 no trial
        target, nontarget = trial > 0, trial < 0
    return target, target | nontarget


def _find(
    name: str,
    rows: tuple[str, ...],
    columns: tuple[str, ...],
    enrol: NDArray[np.int64],
    test: NDArray[np.int64],
    wanted: Sequence[int],
) -> list[Example]:
    return [Example(name, row + 1, f"{rows[enrol[row]]} {columns[test[row]]}") for row in wanted]


class _Hdf5:
    """An HDF5 file from memory. Links to other files on this machine are not followed."""

    def __init__(self, file: OpenedFile) -> None:
        self._name = file.name
        h5py = _h5py(file)
        try:
            self._root = h5py.File(io.BytesIO(file.content), "r")
            self._sets: dict[str, Any] = {}
            self._collect(h5py, self._root, "")
        except _BROKEN as error:
            raise InputError("hdf5-broken", file=file.name, reason=str(error).split("\n")[0]) from error

    def __enter__(self) -> _Hdf5:
        return self

    def __exit__(self, *_: object) -> None:
        self._root.close()

    @property
    def names(self) -> list[str]:
        """The names of the data sets."""
        return list(self._sets)

    def find(self, names: Sequence[str]) -> str | None:
        """The first of these names that there is."""
        return next((name for name in names if name in self._sets), None)

    def ids(self, names: Sequence[str]) -> tuple[str, ...]:
        """A column of distinct ids."""
        found = [
            value.decode("utf-8", errors="replace") if isinstance(value, bytes) else str(value)
            for value in self._load(names).reshape(-1).tolist()
        ]
        if len(set(found)) < len(found):
            twice = next(name for n, name in enumerate(found) if name in found[:n])
            raise InputError("hdf5-id-twice", file=self._name, found=twice)
        return tuple(found)

    def matrix(self, names: Sequence[str], shape: tuple[int, int]) -> NDArray[Any]:
        """A matrix of numbers of this shape; one on its side, as MATLAB writes it, is put right."""
        found = self._load(names)
        if found.shape == shape[::-1] and shape[0] != shape[1]:
            found = found.T
        if found.shape != shape or found.dtype.kind not in "biuf":
            raise InputError(
                "hdf5-shape",
                file=self._name,
                found=str(self.find(names)),
                expected=f"{shape[0]} × {shape[1]}",
            )
        return found

    def _load(self, names: Sequence[str]) -> NDArray[Any]:
        name = self.find(names) or ""
        data = self._sets.get(name)
        if data is None or data.nbytes > packing.MOST_BYTES:
            raise InputError("hdf5-unclear", file=self._name, found=", ".join(self.names))
        try:
            return np.asarray(data[()])
        except _BROKEN as error:
            raise InputError("hdf5-broken", file=self._name, reason=str(error).split("\n")[0]) from error

    def _collect(self, h5py: ModuleType, group: Any, prefix: str) -> None:
        for name in group:
            if not isinstance(group.get(name, getlink=True), h5py.HardLink):
                continue
            item = group[name]
            if isinstance(item, h5py.Group) and not prefix:
                self._collect(h5py, item, f"{name}/")
            elif isinstance(item, h5py.Dataset) and not item.is_virtual and not item.external:
                self._sets[prefix + name] = item


_BROKEN = (OSError, KeyError, ValueError, TypeError, RuntimeError, MemoryError, AttributeError, OverflowError)


def _h5py(file: OpenedFile) -> ModuleType:
    try:
        return import_module("h5py")  # an optional extra: it would add a tenth to the size of the bundle
    except ImportError as error:
        raise InputError("hdf5-not-installed", file=file.name) from error
