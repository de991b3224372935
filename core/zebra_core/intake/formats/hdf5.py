"""Scores and keys in HDF5 as BOSARIS, PyBOSARIS, SIDEKIT, hyperion and DCA-PLDA write them (needs h5py)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from importlib.util import find_spec
from typing import Any

import numpy as np
from numpy.typing import NDArray

from zebra_core.errors import InputError
from zebra_core.evidence.audit import Example
from zebra_core.evidence.trials import Ids
from zebra_core.intake.formats import columns_process
from zebra_core.intake.formats.columns_process import ReadColumn
from zebra_core.intake.formats.others import are_embeddings
from zebra_core.intake.formats.reading import Reading
from zebra_core.intake.opening.opening import OpenedFile
from zebra_core.intake.tables.columns import frozen
from zebra_core.intake.tables.table import FileRole, Table
from zebra_core.runtime import apart
from zebra_core.runtime.progress import Progress, no_progress
from zebra_core.wording.names import in_sentence

_NOTHING = np.empty(0)

MAGIC = columns_process.HDF5
_ROWS = ("ID/row_ids", "model_names", "modelset", "enroll_ids", "train_ids")
_COLUMNS = ("ID/column_ids", "test_names", "segset", "test_ids")
_SCORES = ("scores", "score_mat", "scoremat")
_SCORE_MASK = ("score_mask", "scoremask", "mask")
_TARGETS, _NONTARGETS = ("tar_mask", "tar"), ("non_mask", "non")
_TRIALS = ("trial_mask", "trialmask", "mask")

SCORES = Reading("hdf5-scores", FileRole.SCORES)
KEY = Reading("hdf5-key", FileRole.KEY)


def recognise(file: OpenedFile) -> list[Reading]:
    """A score file or a key, by the names of its data sets. Raises InputError."""
    data = _Hdf5(file, (), no_progress)
    if data.find(_ROWS) and data.find(_COLUMNS):
        if data.find(_SCORES):
            return [replace(SCORES, by_file=_read)]
        if data.find(_TRIALS) or (data.find(_TARGETS) and data.find(_NONTARGETS)):
            return [replace(KEY, by_file=_read)]
    first = columns_process.data_sets(file, data.names[:3]).values()
    if are_embeddings(
        [one.values.shape for one in first if one.values is not None and one.values.dtype.kind == "f"]
    ):
        raise InputError("embeddings", file=file.name, count=len(data.names))
    raise InputError("hdf5-unclear", file=file.name, found=in_sentence(data.names) or "-")


def read_vectors(file: OpenedFile, on_progress: Progress = no_progress) -> dict[str, NDArray[Any]]:
    """Every data set of numbers, in whatever groups, by its name: embeddings, say. Raises InputError.

    Data sets of anything else are there as empty arrays of text, so that nothing is left out in silence.
    """
    _refuse_without_library(file)
    nothing = np.empty(0, dtype=np.str_)
    found = columns_process.data_sets(file, None, on_progress)
    return {name: nothing if one.values is None else one.values for name, one in found.items()}


def _read(file: OpenedFile, reading: Reading, on_progress: Progress) -> Table:
    is_scores = reading.role is FileRole.SCORES
    cells = (_SCORES, _SCORE_MASK) if is_scores else (_TARGETS, _NONTARGETS, _TRIALS)
    data = _Hdf5(file, (_ROWS, _COLUMNS, *cells), on_progress)
    rows, columns = data.ids(_ROWS), data.ids(_COLUMNS)
    shape = len(rows), len(columns)
    if is_scores:
        score = data.matrix(_SCORES, shape).astype(np.float64)
        listed = data.matrix(_SCORE_MASK, shape) > 0 if data.find(_SCORE_MASK) else np.ones(shape, np.bool_)
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
    """The data sets of an HDF5 file, each loaded once it is asked for."""

    def __init__(self, file: OpenedFile, wanted: Sequence[Sequence[str]], on_progress: Progress) -> None:
        """Load of each of these lists the first data set that there is. Raises InputError."""
        _refuse_without_library(file)
        self._name, self.names = file.name, columns_process.head(file).names
        found = [name for names in wanted if (name := self.find(names))]
        self._sets = columns_process.data_sets(file, list(dict.fromkeys(found)), on_progress)

    def find(self, names: Sequence[str]) -> str | None:
        """The first of these names that there is."""
        return next((name for name in names if name in self.names), None)

    def ids(self, names: Sequence[str]) -> tuple[str, ...]:
        """A column of distinct ids."""
        column = self._sets[self.find(names) or ""]
        if column.values is None and column.texts is None:
            raise InputError("hdf5-unclear", file=self._name, found=in_sentence(self.names))
        found = column.texts or list(map(str, _numbers(column).reshape(-1).tolist()))
        twice = next((name for name, count in Counter(found).items() if count > 1), None)
        if twice is not None:
            raise InputError("hdf5-id-twice", file=self._name, found=twice)
        return tuple(found)

    def matrix(self, names: Sequence[str], shape: tuple[int, int]) -> NDArray[Any]:
        """A matrix of numbers of this shape; one on its side, as MATLAB writes it, is put right."""
        name = self.find(names)
        found = _numbers(self._sets[name]) if name else _NOTHING
        if found.shape == shape[::-1] and shape[0] != shape[1]:
            found = found.T
        if found.shape != shape:
            raise InputError(
                "hdf5-shape",
                file=self._name,
                found=str(name),
                expected=f"{shape[0]} × {shape[1]}",
            )
        return found


def _numbers(column: ReadColumn) -> NDArray[Any]:
    return _NOTHING if column.values is None else column.values


def _refuse_without_library(file: OpenedFile) -> None:
    if not apart.can_run() or find_spec("h5py") is None:
        # An optional extra: it would add a tenth to the size of the bundle.
        raise InputError("hdf5-not-installed", file=file.name)
