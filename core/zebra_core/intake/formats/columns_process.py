"""What a Parquet or HDF5 file holds, as a process of its own tells, which it may kill and nobody trusts."""

from __future__ import annotations

import hashlib
import json
import math
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import IO, Any
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from zebra_core.engine.room import room_for
from zebra_core.errors import InputError
from zebra_core.evidence.audit import Example
from zebra_core.evidence.trials import Ids
from zebra_core.files.access import open_regular
from zebra_core.intake.formats.others import are_embeddings
from zebra_core.intake.formats.reading import Reading
from zebra_core.intake.opening import packing
from zebra_core.intake.opening.opening import OpenedFile
from zebra_core.intake.tables.columns import frozen
from zebra_core.intake.tables.table import FileRole, Table
from zebra_core.runtime import apart
from zebra_core.runtime.progress import LastUsed, Progress, no_progress
from zebra_core.wording.texts import in_sentence

PARQUET, HDF5 = b"PAR1", b"\x89HDF\r\n\x1a\n"
"""With which files of the two begin."""
ROWS = 1 << 18
MOST_CHUNK = 1 << 30
"""Bytes that one column of one row group may unpack to."""
_PROGRAM = Path(__file__).with_name("columns_apart.py")
# By the clock, how long it may keep us waiting: far longer than it may be busy, for others may be, too.
_WAIT_SECONDS, _BYTES_PER_WAIT = 120.0, 1 << 16
_CPU_SECONDS, _BYTES_PER_CPU = 4.0, 1 << 18  # of a processor, after it has started
_MEMORY, _MEMORY_RATIO, _MOST_MEMORY = 512 << 20, 10, 4 << 30
_IN_HDF5 = 4  # times what it may unpack to: arrays are made of what the library holds
# What comes of an answer that is not what it should be.
_NONSENSE = (apart.NoAnswer, ValueError, KeyError, TypeError, AttributeError, OverflowError, RecursionError)


@dataclass(frozen=True)
class ColumnsHeader:
    """What a file says of itself."""

    names: tuple[str, ...]  # of columns, or of data sets
    rows: int
    record: str = ""  # what ZEBRA wrote of how it counted


@dataclass(frozen=True)
class ReadColumn:
    """Some rows of a column, or a data set: numbers, codes and their texts, texts alone, or neither."""

    kind: str
    null: int | None  # the first row where nothing stands: NaN among numbers; else there are no values
    values: np.ndarray | None
    texts: list[str] | None


Batch = tuple[int, dict[str, ReadColumn]]
"""The number of the first row, and the columns by their names."""


_MOST_BYTES = 16 << 20  # of one file that is kept; of all together four times as much
_KEPT = LastUsed[Any](4 * _MOST_BYTES)
"""What was told of small files, by their contents: a drop looks into each of them several times."""
_HEADS: WeakKeyDictionary[OpenedFile, ColumnsHeader] = WeakKeyDictionary()


def head(file: OpenedFile) -> ColumnsHeader:
    """What the file says of itself. Raises InputError."""
    if file not in _HEADS:
        key = _contents(file)
        found = _KEPT.find(key)
        if found is None:
            with _running(file, (), no_progress) as answer:
                found = answer.head
            if key:
                _KEPT.keep(key, found, sum(map(len, found.names)))
        _HEADS[file] = found
    return _HEADS[file]


def batches(file: OpenedFile, names: Sequence[str], on_progress: Progress) -> Iterator[Batch]:
    """Some rows at a time of these columns, with the number of the first, from 0. Raises InputError."""
    key = (*_contents(file), *names) if _contents(file) and not file.is_beginning else ()
    if (kept := _KEPT.find(key)) is not None:
        yield from kept
    else:
        made, size = list[Batch](), 0
        for batch in _read_anew(file, names, on_progress):
            size += _bytes_of(batch)
            if key and size <= _MOST_BYTES:
                made.append(batch)
            yield batch
        if key and size <= _MOST_BYTES:
            _KEPT.keep(key, made, size)
    on_progress(1.0)


def data_sets(
    file: OpenedFile, names: Sequence[str] | None, on_progress: Progress = no_progress
) -> dict[str, ReadColumn]:
    """These data sets, which there are, or all in whatever groups. Raises InputError."""
    if names is not None and not names:
        return {}
    with _running(file, names, on_progress) as answer, answer.trusting_nothing():
        wanted = answer.head.names if names is None else names
        return {name: found for name, (_, [found]) in zip(wanted, answer.columns(1), strict=True)}


def _read_anew(file: OpenedFile, names: Sequence[str], on_progress: Progress) -> Iterator[Batch]:
    first = 0
    with _running(file, names, on_progress) as answer:
        claimed = answer.head.rows
        for count, columns in answer.columns(len(names)):
            yield first, dict(zip(names, columns, strict=True))
            first += count
            answer.share(first / max(1, claimed))
    if not claimed:
        raise InputError("empty", file=file.name)
    if first != claimed:
        raise InputError("parquet-rows", file=file.name, claimed=claimed, found=first)


def _contents(file: OpenedFile) -> tuple[str, ...]:
    """What tells a file of these contents from every other one; nothing for a large one.

    What was told of it after the user allowed it is not told where the user did not.
    """
    allowed = str(file.source.any_ratio)
    if not file.is_beginning:
        return (file.sha256, file.source.member, allowed) if file.sha256 else ()
    if file.size > _MOST_BYTES:
        return ()
    with open_regular(file.source.path, file.name) as opened:
        return hashlib.sha256(opened.read()).hexdigest(), "", allowed


def _bytes_of(batch: Batch) -> int:
    return sum(
        (0 if column.values is None else column.values.nbytes)
        + 64 * len(column.texts or ())
        + sum(map(len, column.texts or ()))
        for column in batch[1].values()
    )


def cells(file: OpenedFile, names: Sequence[str], rows: Sequence[int]) -> dict[int, str]:
    """What stands in these rows, which there are, below these names. Raises InputError."""
    with _running(file, names, no_progress, sorted(set(rows))) as answer:
        found = dict(answer.rows())
    if missing := set(rows) - set(found):
        raise InputError("parquet-rows", file=file.name, claimed=answer.head.rows, found=min(missing))
    return found


@contextmanager
def _running(
    file: OpenedFile, names: Sequence[str] | None, on_progress: Progress, rows: Sequence[int] | None = None
) -> Iterator[_Answer]:
    """The answer of the process to one question."""
    expected = head(file) if names else None
    is_hdf5 = file.content.startswith(HDF5)
    budget = packing.Budget(
        file.name,
        file.size if file.is_beginning else len(file.content),
        is_held=not file.is_beginning,
        any_ratio=file.source.any_ratio,
        too_large="unpacks-too-large" if is_hdf5 else "parquet-too-large",
    )
    in_parquet = min(_MOST_MEMORY, _MEMORY_RATIO * budget.counts_as)
    asked = {
        "format": "hdf5" if is_hdf5 else "parquet",
        "memory": _MEMORY + (_IN_HDF5 * budget.allowed if is_hdf5 else in_parquet),
        "seconds": _CPU_SECONDS + budget.counts_as / _BYTES_PER_CPU,
        "columns": [expected.names.index(name) for name in names or ()]
        if expected and not is_hdf5
        else names,
        "batch": ROWS,
        "most_chunk": MOST_CHUNK,
        "most": budget.allowed,
        "rows": rows,
    }
    seconds = _WAIT_SECONDS + budget.counts_as / _BYTES_PER_WAIT
    with (
        _given(file) as (given, path),
        apart.running(
            *(_PROGRAM, [json.dumps({"path": path, **asked})], given),
            seconds=seconds,
            on_progress=on_progress,
        ) as answer,
    ):
        yield _Answer(file, budget, answer, expected, on_progress)


@contextmanager
def _given(file: OpenedFile) -> Iterator[tuple[IO[bytes], str]]:
    """The file open on disk, and where its process finds it; what is in memory alone is there for a while."""
    with ExitStack() as stack:
        path = file.source.path
        if not file.is_beginning:
            path = stack.enter_context(room_for(len(file.content))) / "unpacked"
            path.write_bytes(file.content)
        opened = stack.enter_context(open_regular(path, file.name))
        yield opened, str(path) if sys.platform == "win32" else "/dev/stdin"


class _Answer:
    """Message by message; each method raises InputError."""

    def __init__(
        self,
        file: OpenedFile,
        budget: packing.Budget,
        answer: apart.ProgramOutput,
        expected: ColumnsHeader | None,
        on_progress: Progress,
    ) -> None:
        self._file, self._budget, self._answer, self._on_progress = file, budget, answer, on_progress
        self._kind = "hdf5" if file.content.startswith(HDF5) else "parquet"
        self.head = self._head()
        if expected not in (None, self.head):
            raise InputError("changing", file=file.name)

    def share(self, done: float) -> None:
        """Tell how much is done, now and while we wait."""
        self._answer.share = min(1.0, done)
        self._on_progress(self._answer.share)

    def columns(self, number: int) -> Iterator[tuple[int, list[ReadColumn]]]:
        """Some rows of so many columns at a time, and how many those are; or data set by data set."""
        with self.trusting_nothing():
            while (said := self._message()) is not None:
                count = _whole(said["count"], ROWS)
                columns = [self._column(one, count) for one in said["columns"]]
                if len(columns) != number:
                    raise ValueError(len(columns))
                yield count, columns

    def rows(self) -> Iterator[tuple[int, str]]:
        """Rows as texts, with their numbers."""
        with self.trusting_nothing():
            while (said := self._message()) is not None:
                yield _whole(said["row"], self.head.rows), " ".join(_texts(said["cells"]))

    def _head(self) -> ColumnsHeader:
        with self.trusting_nothing():
            said = self._message()
            if said is None:
                raise ValueError(said)
            [record] = _texts([said["record"]])
            return ColumnsHeader(tuple(_texts(said["names"])), _whole(said["rows"], 1 << 62), record)

    def _column(self, said: dict[str, Any], count: int) -> ReadColumn:
        null, values = None, None
        texts = _texts(said["texts"]) if "texts" in said else None
        if "null" in said:
            null = _whole(said["null"], count - 1)
        if "dtype" in said:
            kind, shape = np.dtype(str(said["dtype"])), [_whole(one, 1 << 40) for one in said["shape"]]
            if kind.kind not in "biuf" or (self._kind == "parquet" and shape != [count]):
                raise ValueError(kind, shape)
            values = np.frombuffer(self._bytes(math.prod(shape) * kind.itemsize), kind).reshape(shape)
            if texts is not None and count and not 0 <= values.min() <= values.max() < len(texts):
                raise ValueError(len(texts))
        return ReadColumn(str(said["type"]), null, values, texts)

    def _message(self) -> dict[str, Any] | None:
        """The next one; None for the last, after which the process has ended well."""
        said = json.loads(self._bytes(int.from_bytes(self._answer.read(8), "little")))
        name = self._file.name
        if "broken" in said:
            raise InputError(f"{self._kind}-broken", file=name, reason=str(said["broken"]))
        if "refused" in said:
            if said["refused"] == "bytes":
                raise self._budget.refusal()
            if said["refused"] == "memory":
                raise InputError("parquet-memory", file=name)
            raise InputError("parquet-row-group", file=name, most=MOST_CHUNK >> 30)
        if "end" in said:
            self._answer.rest(0)
            return None
        return dict(said)

    def _bytes(self, count: int) -> bytes:
        self._budget.spend(count)
        return self._answer.read(count)

    @contextmanager
    def trusting_nothing(self) -> Iterator[None]:
        """Whatever the process says that it should not ends as a sentence about its file."""
        try:
            yield
        except _NONSENSE as error:
            raise apart.refusal(error, f"{self._kind}-hostile", self._file.name) from error


def _whole(said: object, most: int) -> int:
    if not isinstance(said, int) or not 0 <= said <= most:
        raise ValueError(said)
    return int(said)


def _texts(said: object) -> list[str]:
    if not isinstance(said, list) or not all(isinstance(one, str) for one in said):
        raise TypeError(said)
    return said


# Scores and keys in HDF5 as BOSARIS, PyBOSARIS, SIDEKIT, hyperion and DCA-PLDA write them (needs h5py).


_NOTHING = np.empty(0)

MAGIC = HDF5
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
    first = data_sets(file, data.names[:3]).values()
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
    found = data_sets(file, None, on_progress)
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
        self._name, self.names = file.name, head(file).names
        found = [name for names in wanted if (name := self.find(names))]
        self._sets = data_sets(file, list(dict.fromkeys(found)), on_progress)

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
