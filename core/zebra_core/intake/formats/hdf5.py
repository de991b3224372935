"""Scores and keys in HDF5 as BOSARIS, PyBOSARIS, SIDEKIT, hyperion and DCA-PLDA write them (needs h5py)."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from zebra_core.errors import InputError
from zebra_core.evidence.audit import Example
from zebra_core.evidence.trials import Ids
from zebra_core.intake.formats.others import are_embeddings
from zebra_core.intake.formats.reading import Reading
from zebra_core.intake.opening import packing
from zebra_core.intake.opening.opening import OpenedFile
from zebra_core.intake.tables.columns import frozen
from zebra_core.intake.tables.table import FileRole, Table
from zebra_core.runtime import apart
from zebra_core.runtime.progress import Progress, no_progress
from zebra_core.wording.names import in_sentence

_PROGRAM = Path(__file__).with_name("hdf5_apart.py")
_SECONDS, _BYTES_PER_SECOND = 10.0, 1 << 18  # of the file; unpacked to 400 times its size that is 100 MB
_NOTHING = np.empty(0)

MAGIC = b"\x89HDF\r\n\x1a\n"
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
    if are_embeddings(_Hdf5(file, [[name] for name in data.names[:3]], no_progress).shapes):
        raise InputError("embeddings", file=file.name, count=len(data.names))
    raise InputError("hdf5-unclear", file=file.name, found=in_sentence(data.names) or "-")


def read_vectors(file: OpenedFile, on_progress: Progress = no_progress) -> dict[str, NDArray[Any]]:
    """Every data set of numbers, in whatever groups, by its name: embeddings, say. Raises InputError.

    Data sets of anything else are there as empty arrays of text, so that nothing is left out in silence.
    """
    data = _Hdf5(file, None, on_progress)
    nothing = np.empty(0, dtype=np.str_)
    return {name: data.arrays.get(name, nothing) for name in data.names}


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
    """What was found in an HDF5 file by a process of its own, which such a file may kill."""

    def __init__(
        self, file: OpenedFile, wanted: Sequence[Sequence[str]] | None, on_progress: Progress
    ) -> None:
        """Load of each of these lists the first data set that there is, or all of them. Raises InputError."""
        self._name = file.name
        if not apart.can_run() or find_spec("h5py") is None:
            # An optional extra: it would add a tenth to the size of the bundle.
            raise InputError("hdf5-not-installed", file=file.name)
        self._budget = packing.Budget(file.name, len(file.content), any_ratio=file.source.any_ratio)
        try:
            answer = apart.run_apart(
                _PROGRAM,
                [str(self._budget.allowed), json.dumps(wanted)],
                file.content,
                most_bytes=2 * self._budget.allowed,  # bytes of texts are more in JSON
                seconds=_SECONDS + self._budget.counts_as / _BYTES_PER_SECOND,
                on_progress=on_progress,
            )
            self._take(answer)
        except (apart.NoAnswer, ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
            raise InputError("hdf5-hostile", file=file.name) from error

    @property
    def shapes(self) -> list[tuple[int, ...]]:
        """Of the arrays of real numbers that were loaded."""
        return [array.shape for array in self.arrays.values() if array.dtype.kind == "f"]

    def find(self, names: Sequence[str]) -> str | None:
        """The first of these names that there is."""
        return next((name for name in names if name in self.names), None)

    def ids(self, names: Sequence[str]) -> tuple[str, ...]:
        """A column of distinct ids."""
        name = self.find(names) or ""
        if name in self.arrays:
            found = [str(value) for value in self.arrays[name].reshape(-1).tolist()]
        elif name in self._texts:
            found = self._texts[name]
        else:
            raise InputError("hdf5-unclear", file=self._name, found=in_sentence(self.names))
        twice = next((name for name, count in Counter(found).items() if count > 1), None)
        if twice is not None:
            raise InputError("hdf5-id-twice", file=self._name, found=twice)
        return tuple(found)

    def matrix(self, names: Sequence[str], shape: tuple[int, int]) -> NDArray[Any]:
        """A matrix of numbers of this shape; one on its side, as MATLAB writes it, is put right."""
        found = self.arrays.get(self.find(names) or "", _NOTHING)
        if found.shape == shape[::-1] and shape[0] != shape[1]:
            found = found.T
        if found.shape != shape:
            raise InputError(
                "hdf5-shape",
                file=self._name,
                found=str(self.find(names)),
                expected=f"{shape[0]} × {shape[1]}",
            )
        return found

    def _take(self, answer: bytes) -> None:
        """Trust no byte of it: the process may be doing what the file wants it to do."""
        start = 8 + int.from_bytes(answer[:8], "little")
        head = json.loads(answer[8:start])
        if "broken" in head:
            raise InputError("hdf5-broken", file=self._name, reason=str(head["broken"]))
        if "too_much" in head:
            raise self._budget.refusal()
        self.names = [str(name) for name in head["names"]]
        self._texts: dict[str, list[str]] = {}
        self.arrays: dict[str, NDArray[Any]] = {}
        for name, one in head["sets"].items():
            if "texts" in one:
                self._texts[name] = [str(text) for text in one["texts"]]
            elif "dtype" in one:
                kind, count = np.dtype(str(one["dtype"])), math.prod(one["shape"])
                if kind.kind not in "biuf":
                    raise ValueError(kind)
                self.arrays[name] = np.frombuffer(answer, kind, count, start).reshape(one["shape"])
                start += kind.itemsize * count
