"""Arrays of a project file as .npy members: named columns of fixed types, never pickled."""

from __future__ import annotations

import ast
import io
import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.lib import format as npy
from numpy.typing import NDArray

from zebra_core.errors import InputError
from zebra_core.evidence.counts import ScoreCounts
from zebra_core.evidence.trials import FloatArray
from zebra_core.metrics.similarity import SimilarityMatrix

_COUNTS = np.dtype([("score", "<f8"), ("n_target", "<u4"), ("n_nontarget", "<u4")])
_CELLS = np.dtype([("n_trials", "<i8"), ("sum_llr", "<f8"), ("sum_log_posterior", "<f8")])
_NUMBERS = np.dtype("<f8")
_LONGEST_HEADER = 1000


def counts_as_bytes(counts: ScoreCounts) -> bytes:
    """Distinct scores with their counts, shape (m,), columns score, n_target and n_nontarget."""
    table = np.empty(len(counts.score), _COUNTS)
    for name in _COUNTS.names or ():
        table[name] = getattr(counts, name)
    return _as_bytes(table)


def counts_of(content: bytes, file: str, member: str) -> ScoreCounts:
    """What `counts_as_bytes` made. Raises InputError at anything that counts of trials cannot be."""
    table = _table(content, _COUNTS, 1, file, member)
    score = np.ascontiguousarray(table["score"])
    n_target, n_nontarget = table["n_target"].astype(np.int64), table["n_nontarget"].astype(np.int64)
    is_right = (
        np.isfinite(score).all()
        and bool((score[1:] > score[:-1]).all())
        and bool((n_target + n_nontarget > 0).all())
        and n_target.sum() > 0
        and n_nontarget.sum() > 0
    )
    if not is_right:
        raise InputError("project-array", file=file, member=member)
    return ScoreCounts(_frozen(score), _frozen(n_target), _frozen(n_nontarget))


def cells_as_bytes(matrix: SimilarityMatrix) -> bytes:
    """The sums of a matrix, shape (speakers, speakers), columns n_trials, sum_llr and sum_log_posterior."""
    table = np.empty(matrix.n_trials.shape, _CELLS)
    for name in _CELLS.names or ():
        table[name] = getattr(matrix, name)
    return _as_bytes(table)


def cells_of(
    content: bytes, size: int, file: str, member: str
) -> tuple[NDArray[Any], FloatArray, FloatArray]:
    """What `cells_as_bytes` made of `size` speakers: counts, sums of LLRs, sums of log posteriors."""
    table = _table(content, _CELLS, 2, file, member)
    n_trials, sum_llr, sum_log = (np.ascontiguousarray(table[name]) for name in _CELLS.names or ())
    is_right = (
        table.shape == (size, size)
        and bool((n_trials >= 0).all())
        and bool((n_trials < 1 << 40).all())
        and np.isfinite(sum_llr).all()
        and np.isfinite(sum_log).all()
        and bool((sum_log <= 0.0).all())
    )
    if not is_right:
        raise InputError("project-array", file=file, member=member)
    return _frozen(n_trials), _frozen(sum_llr), _frozen(sum_log)


def numbers_as_bytes(rows: Sequence[FloatArray]) -> bytes:
    """Rows of one length as a nameless table, shape (rows, columns); NaN where there is no number."""
    return _as_bytes(np.array(rows, dtype=_NUMBERS))


def numbers_of(content: bytes, n_rows: int, file: str, member: str) -> FloatArray:
    """What `numbers_as_bytes` made of so many rows. Raises InputError."""
    table = _table(content, _NUMBERS, 2, file, member)
    if len(table) != n_rows:
        raise InputError("project-array", file=file, member=member)
    return _frozen(table.astype(np.float64))


def _as_bytes(table: NDArray[Any]) -> bytes:
    file = io.BytesIO()
    npy.write_array(file, table, version=(1, 0), allow_pickle=False)
    return file.getvalue()


def _table(content: bytes, dtype: np.dtype[Any], ndim: int, file: str, member: str) -> NDArray[Any]:
    """The rows, where the header says exactly what it must; its shape is believed only if the bytes agree."""
    stream = io.BytesIO(content)
    try:
        if npy.read_magic(stream) != (1, 0):
            raise InputError("project-array", file=file, member=member)
        _refuse_python_2(content)
        shape, in_columns, found = npy.read_array_header_1_0(stream, max_header_size=_LONGEST_HEADER)
    except Exception as error:  # the reader of headers raises nearly anything, and warns of the rest
        raise InputError("project-array", file=file, member=member) from error
    rows = content[stream.tell() :]
    is_right = found == dtype and not in_columns and len(shape) == ndim
    is_right = is_right and all(type(length) is int and length > 0 for length in shape)
    if not is_right or len(rows) != math.prod(shape) * dtype.itemsize:
        raise InputError("project-array", file=file, member=member)
    return np.frombuffer(rows, dtype).reshape(shape)


def _refuse_python_2(content: bytes) -> None:
    """NumPy would mend a header that Python 2 wrote, and warn; ours never were. Raises SyntaxError."""
    length = int.from_bytes(content[8:10], "little")
    if length <= _LONGEST_HEADER:
        ast.literal_eval(content[10 : 10 + length].decode("latin1"))


def _frozen(array: NDArray[Any]) -> NDArray[Any]:
    array.flags.writeable = False
    return array
