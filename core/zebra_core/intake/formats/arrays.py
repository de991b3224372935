"""NumPy files: npy and npz with scores and labels. Nothing pickled is ever loaded."""

from __future__ import annotations

import io
import math
import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from zebra_core.errors import InputError
from zebra_core.evidence.audit import Example
from zebra_core.evidence.trials import BoolArray, FloatArray, Ids
from zebra_core.intake.formats.headed import one_for_each_column, part_of_name
from zebra_core.intake.formats.others import are_embeddings
from zebra_core.intake.formats.reading import ColumnMeaning, Reading
from zebra_core.intake.opening import packing
from zebra_core.intake.opening.opening import OpenedFile
from zebra_core.intake.tables import table as labels
from zebra_core.intake.tables.columns import frozen
from zebra_core.intake.tables.table import FileRole, Table
from zebra_core.runtime import memory
from zebra_core.runtime.progress import Progress
from zebra_core.wording.texts import in_sentence

MAGIC = b"\x93NUMPY"
_HEAD = 12  # bytes of an array before its description
Arrays = Mapping[str, NDArray[Any]]

SCORES = Reading("npy-scores", FileRole.SCORES)
LABELS = Reading("npy-labels", FileRole.KEY)
TARGETS = Reading("npy-target-scores", FileRole.TARGET_SCORES)
NONTARGETS = Reading("npy-nontarget-scores", FileRole.NONTARGET_SCORES)
TABLE = Reading("npz", FileRole.BOTH)
MATRIX = Reading("npy-matrix", FileRole.SCORES)
SPEAKERS_AND_LLR = Reading("npy-speakers-llr", FileRole.BOTH)


def recognise(file: OpenedFile) -> list[Reading]:
    """The readings that the arrays of this file allow, each of them ready to read. Raises InputError."""
    arrays = _load(file)
    if len(arrays) == 1:
        [array] = arrays.values()
        return [_by(reading) for reading in _alone(file, array)]
    parts = _parts(arrays)
    if ColumnMeaning.SCORE not in parts:
        for name, array in arrays.items():
            if part_of_name(name) is ColumnMeaning.SCORE and array.dtype.kind not in "iuf":
                raise InputError("array-type", file=file.name, column=name, found=str(array.flat[0]))
        if ColumnMeaning.LABEL not in parts:
            return (
                [_by(replace(TABLE, format="npz-two-classes"))]
                if _classes(arrays)
                else _refused(file, arrays)
            )
        return [_by(replace(TABLE, role=FileRole.KEY))]
    reading = _by(TABLE if ColumnMeaning.LABEL in parts else replace(TABLE, role=FileRole.SCORES))
    scores = [name for name, array in arrays.items() if _holds(name, array) is ColumnMeaning.SCORE]
    return one_for_each_column(reading, scores or [parts[ColumnMeaning.SCORE]])


def _by(reading: Reading) -> Reading:
    return replace(reading, by_file=_read)


def _alone(file: OpenedFile, array: NDArray[Any]) -> list[Reading]:
    if array.ndim == 2 and array.shape[1] == 2 and array.dtype.kind in "iuf":
        is_label = [bool(np.isin(array[:, n], (-1, 0, 1)).all()) for n in (0, 1)]
        orders = [(1, "npy-score-first"), (0, "npy-label-first")]
        found = [replace(TABLE, format=code) for n, code in orders if is_label[n]]
        if found:
            return found
    if array.ndim == 2 and array.dtype.kind == "f":
        numbers = array[:, :2]
        has_speakers = array.shape[1] == 3 and bool(((numbers >= 0) & (numbers == np.floor(numbers))).all())
        return [SPEAKERS_AND_LLR, MATRIX] if has_speakers else [MATRIX]
    if array.ndim != 1:
        raise InputError("array-without-ids", file=file.name, shape=" × ".join(map(str, array.shape)))
    if _are_labels(array):
        # Whole numbers 0 and 1 may be scores; but nobody would call them that.
        return [LABELS]
    return [SCORES, TARGETS, NONTARGETS] if array.dtype.kind in "iuf" else _refused(file, {"": array})


def _read(file: OpenedFile, reading: Reading, on_progress: Progress) -> Table:
    on_progress(0.0)
    arrays = _load(file)
    columns: dict[ColumnMeaning, NDArray[Any]]
    shape = None
    if reading.format == "npz-two-classes":
        columns = _classes(arrays)
    elif len(arrays) == 1:
        [array] = arrays.values()
        if reading.format == MATRIX.format:
            shape = array.shape[0], array.shape[1]
            columns = {ColumnMeaning.SCORE: array.reshape(-1)}
        elif reading.format == SPEAKERS_AND_LLR.format:
            is_target = array[:, 0] == array[:, 1]
            columns = {ColumnMeaning.SCORE: array[:, 2], ColumnMeaning.LABEL: is_target}
        elif array.ndim == 2:
            score = 0 if reading.format == "npy-score-first" else 1
            columns = {ColumnMeaning.SCORE: array[:, score], ColumnMeaning.LABEL: array[:, 1 - score]}
        else:
            columns = {ColumnMeaning.LABEL if reading.role is FileRole.KEY else ColumnMeaning.SCORE: array}
    else:
        meant = {ColumnMeaning.SCORE: reading.column} if reading.column else {}
        columns = {part: arrays[name] for part, name in {**_parts(arrays), **meant}.items()}
    if len({len(column) for column in columns.values()}) != 1:
        _refused(file, arrays)
    table = table_of(file, reading, columns)
    return replace(table, shape=shape, labels_are_guessed=reading.format == SPEAKERS_AND_LLR.format)


def table_of(file: OpenedFile, reading: Reading, columns: Mapping[ColumnMeaning, NDArray[Any]]) -> Table:
    """The table with these columns, of equal length. Raises InputError for a label that is none."""
    return Table(
        file,
        reading.format,
        reading.role,
        enrol=_ids(columns.get(ColumnMeaning.ENROL)),
        test=_ids(columns.get(ColumnMeaning.TEST)),
        score=_numbers(file, columns.get(ColumnMeaning.SCORE)),
        is_target=_is_target(file, columns.get(ColumnMeaning.LABEL)),
        label_words=_first_rows(columns.get(ColumnMeaning.LABEL)),
        distance=reading.distance,
        ratio=reading.ratio,
        find=partial(_find, file.name, columns),
    )


def _find(name: str, columns: Mapping[ColumnMeaning, NDArray[Any]], rows: Sequence[int]) -> list[Example]:
    texts = (" ".join(str(_text(column[row])) for column in columns.values()) for row in rows)
    return [Example(name, row + 1, text) for row, text in zip(rows, texts, strict=True)]


def _load(file: OpenedFile) -> Arrays:
    """The arrays of an npy or npz file, or the fields of a structured one, by name, without their suffix."""
    if file.content.startswith(MAGIC):
        array = _array(file, file.content)
        return {name: array[name] for name in array.dtype.names} if array.dtype.names else {"": array}
    budget = packing.Budget(file.name, len(file.content), any_ratio=file.source.any_ratio)
    members = packing.members(file.content, budget, most=packing.MOST_ARRAYS)
    return {member.name.removesuffix(".npy"): _array(file, member.content) for member in members}


def _array(file: OpenedFile, content: bytes) -> NDArray[Any]:
    """An array that has something in it, and finds room for what will be made of it."""
    found = array_in(file, content)
    if not found.size:
        raise InputError("array-broken", file=file.name, reason=f"{found.shape} {found.dtype}")
    memory.require(found.size * np.dtype(np.float64).itemsize)
    return found


def array_in(file: OpenedFile, content: bytes) -> NDArray[Any]:
    """One array, its promised size compared with the bytes there are. Raises InputError."""
    length = int.from_bytes(content[8:10] if content[6:7] == b"\x01" else content[8:_HEAD], "little")
    start = (10 if content[6:7] == b"\x01" else _HEAD) + length
    try:
        shape, is_fortran, dtype = _header(content[:start])
        if not dtype.hasobject:
            if min(shape, default=0) < 0 or math.prod(shape) * dtype.itemsize != len(content) - start:
                raise ValueError(f"{shape} {dtype}")
            flat = np.frombuffer(content, dtype, offset=start)
            _refuse_what_is_no_text(flat)
            return flat.reshape(shape, order="F" if is_fortran else "C")
    except Exception as error:  # what NumPy raises at a description that is none has no end
        raise InputError("array-broken", file=file.name, reason=_reason(error)) from error
    raise InputError("array-of-objects", file=file.name)


def _refuse_what_is_no_text(flat: NDArray[Any]) -> None:
    """Raise ValueError at numbers that are no characters: Python fails wherever it meets such a text."""
    for column in (flat[name] for name in flat.dtype.names) if flat.dtype.names else (flat,):
        if column.dtype.kind == "U" and column.dtype.itemsize:
            characters = np.ascontiguousarray(column).view(f"{column.dtype.str[0]}u4")
            if characters.max(initial=0) > sys.maxunicode:
                raise ValueError(column.dtype.str)


@lru_cache(maxsize=64)  # arrays of one file are described alike
def _header(content: bytes) -> tuple[tuple[int, ...], bool, np.dtype[Any]]:
    stream = io.BytesIO(content)
    version = np.lib.format.read_magic(stream)
    read = {(1, 0): np.lib.format.read_array_header_1_0, (2, 0): np.lib.format.read_array_header_2_0}
    shape, is_fortran, dtype = read[version](stream)
    return tuple(shape), bool(is_fortran), dtype


def _reason(error: Exception) -> str:
    return str(error).split("\n", maxsplit=1)[0] or type(error).__name__


def _parts(arrays: Arrays) -> dict[ColumnMeaning, str]:
    """Which array holds what, by the usual names; one of numbers beside one of labels are clear without."""
    found: dict[ColumnMeaning, str] = {}
    for name, array in arrays.items():
        if (part := _holds(name, array)) is not ColumnMeaning.OTHER:
            found.setdefault(part, name)
    if len(arrays) == 2 and not {ColumnMeaning.SCORE, ColumnMeaning.LABEL} <= set(found):
        are_labels = {name: _are_labels(array) for name, array in arrays.items()}
        if sorted(are_labels.values()) == [False, True]:
            label, score = sorted(are_labels, key=lambda name: not are_labels[name])
            if arrays[score].dtype.kind in "iuf" and arrays[score].ndim == 1:
                return {ColumnMeaning.SCORE: score, ColumnMeaning.LABEL: label}
    return found


def _holds(name: str, array: NDArray[Any]) -> ColumnMeaning:
    """What an array holds, by its usual name, where that is what it can hold."""
    part = part_of_name(name)
    fits = array.ndim == 1 and (part is not ColumnMeaning.SCORE or array.dtype.kind in "iuf")
    return part if fits and (part is not ColumnMeaning.LABEL or _are_labels(array)) else ColumnMeaning.OTHER


def _classes(arrays: Arrays) -> dict[ColumnMeaning, NDArray[Any]]:
    """Scores and labels out of two arrays of scores, one for each class and called after it; else nothing."""
    by_class = {labels.meaning(name.removesuffix("_scores").removesuffix("_score")): name for name in arrays}
    if set(by_class) != {True, False} or any(
        a.ndim != 1 or a.dtype.kind not in "iuf" for a in arrays.values()
    ):
        return {}
    target, nontarget = arrays[by_class[True]], arrays[by_class[False]]
    label = np.repeat([1, 0], [len(target), len(nontarget)])
    return {ColumnMeaning.SCORE: np.concatenate([target, nontarget]), ColumnMeaning.LABEL: label}


def _are_labels(array: NDArray[Any]) -> bool:
    if array.ndim != 1:
        return False
    if array.dtype.kind == "b":
        return True
    if array.dtype.kind in "iuf":
        return bool(np.isin(array, (-1, 0, 1)).all())
    return array.dtype.kind in "US" and all(labels.is_label(_text(word)) for word in np.unique(array)[:4])


def _text(value: Any) -> str:
    return value.decode("utf-8", errors="replace") if isinstance(value, bytes) else str(value)


def _ids(array: NDArray[Any] | None) -> Ids | None:
    import pandas as pd

    if array is None:
        return None
    codes, names = pd.factorize(np.array([_text(value) for value in array.tolist()], dtype=object))
    return Ids(frozen(codes.astype(np.int32)), tuple(names))


def _numbers(file: OpenedFile, array: NDArray[Any] | None) -> FloatArray | None:
    if array is None:
        return None
    if array.dtype.kind not in "iuf":
        _refused(file, {"": array})
    return frozen(array.astype(np.float64))


def _first_rows(array: NDArray[Any] | None) -> dict[str, int]:
    """The distinct labels, each with the first row that has it."""
    if array is None:
        return {}
    words, rows = np.unique(array, return_index=True)
    return dict(zip(map(_text, words), rows.tolist(), strict=True))


def _is_target(file: OpenedFile, array: NDArray[Any] | None) -> BoolArray | None:
    if array is None:
        return None
    if array.dtype.kind in "biuf":
        return frozen(array == 1)
    said = {word: labels.meaning(_text(word)) for word in np.unique(array)}
    if unknown := next((word for word, meaning in said.items() if meaning is None), None):
        row = int(np.flatnonzero(array == unknown)[0])
        raise InputError("label-unknown", file=file.name, line=row + 1, found=_text(unknown))
    return frozen(np.array([said[word] is True for word in array], dtype=np.bool_))


def _refused(file: OpenedFile, arrays: Arrays) -> list[Reading]:
    are_real = all(array.dtype.kind == "f" for array in arrays.values())
    if are_real and are_embeddings([array.shape for array in arrays.values()]):
        raise InputError("embeddings", file=file.name, count=len(arrays))
    found = in_sentence(
        [f"{name} {array.dtype}{list(array.shape)}".strip() for name, array in arrays.items()]
    )
    raise InputError("arrays-unclear", file=file.name, found=found)
