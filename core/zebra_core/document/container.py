"""The container of a project file: a zip of few kinds of members, written alike each time, read with bounds.

Nothing is ever unpacked to a path that a member names, and nothing in it is executed.
"""

from __future__ import annotations

import ast
import io
import math
import re
import stat
import zipfile
import zlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import IO, Any

import numpy as np
from numpy.lib import format as npy
from numpy.typing import NDArray

from zebra_core.errors import InputError, OutputError
from zebra_core.evidence.trials import FloatArray, ScoreCounts
from zebra_core.files.access import open_regular, unreadable
from zebra_core.metrics.similarity import SimilarityMatrix

PROJECT = "project.json"
VOICES = "voices/biometric.json"
MOST_MEMBERS = 80_000
MOST_TEXT = 64 << 20
"""How large project.json and the voices may be, in bytes each."""
MOST_BYTES = 2 << 30
"""What all members may unpack to together."""
_NAMES = re.compile(
    r"project\.json|counts/[0-9]{1,5}(-[zts])?\.npy|similarity/[0-9]{1,5}-(oo|op|pp)\.npy"
    r"|trust/[0-9]{1,5}(-[zts])?-(draws|left-out|band|null|null-(band|oo|op|pp)|bounded(-left-out)?-[0-9]{1,3}|exposure|linkage)\.npy|inputs/[0-9a-f]{64}"
    r"|voices/biometric\.json"
)
_HARMLESS_BYTES = 64 << 20  # up to here the ratio does not matter
_MOST_RATIO = 200
_DATE = (1980, 1, 1, 0, 0, 0)  # the first that a zip can hold: the same project makes the same bytes
_MODE = (stat.S_IFREG | 0o644) << 16
_UNIX = 3
_FIRST, _END, _LOCATOR_64 = b"PK\x03\x04", b"PK\x05\x06", b"PK\x06\x07"
_END_SIZE, _LOCATOR_SIZE, _LONGEST_COMMENT = 22, 20, 65535
_MOST_DIRECTORY = 8 << 20
_ENCRYPTED = 1
# All that zipfile and zlib are known to raise at bytes that are not what they pretend to be.
_BROKEN = (zipfile.BadZipFile, zlib.error, EOFError, ValueError, NotImplementedError, RuntimeError, KeyError)


def pack(members: Mapping[str, bytes]) -> bytes:
    """The bytes of a container with these members, in this order; the same members make the same bytes.

    Raises OutputError when it would be larger than what is ever read again.
    """
    size = sum(map(len, members.values()))
    texts = [len(members[name]) for name in (PROJECT, VOICES) if name in members]
    if size > MOST_BYTES or len(members) > MOST_MEMBERS or max(texts, default=0) > MOST_TEXT:
        raise OutputError("project-too-large", most=MOST_BYTES >> 30)
    try:
        packed = _packed(members, zipfile.ZIP_DEFLATED)
        # What packs as well as a bomb is stored as it is, for it would be refused as one.
        return packed if _is_harmless(size, len(packed)) else _packed(members, zipfile.ZIP_STORED)
    except zipfile.LargeZipFile as error:  # with what a zip says about its members it is just too large
        raise OutputError("project-too-large", most=MOST_BYTES >> 30) from error


def _packed(members: Mapping[str, bytes], method: int) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", allowZip64=False) as archive:
        for name, content in members.items():
            info = zipfile.ZipInfo(name, _DATE)
            info.create_system, info.external_attr = _UNIX, _MODE
            archive.writestr(info, content, method, 1)  # the fastest: arrays of scores pack little better
    return file.getvalue()


class Container:
    """A container that is open to be read. Raises InputError for whatever was not written by `pack`."""

    def __init__(self, path: Path) -> None:
        self.name = path.name
        self._file = open_regular(path)
        try:
            with self._as_input_error():
                self._infos = self._look_at(_size_of(self._file))
        except BaseException:
            self._file.close()
            raise

    def __enter__(self) -> Container:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._archive.close()
        self._file.close()

    def __contains__(self, name: str) -> bool:
        return name in self._infos

    @property
    def names(self) -> tuple[str, ...]:
        """The members, in their order."""
        return tuple(self._infos)

    def read(self, name: str) -> bytes:
        """The content of one member, whose size was checked when the container was opened."""
        if name not in self._infos:
            raise InputError("project-member-missing", file=self.name, member=name)
        info = self._infos[name]
        with self._as_input_error(), self._archive.open(info) as packed:
            return packed.read(info.file_size)  # asked for all, zipfile unpacks more than the stated size

    def _look_at(self, size: int) -> dict[str, zipfile.ZipInfo]:
        self._refuse_directory(size)
        self._archive = zipfile.ZipFile(self._file)
        infos = self._archive.infolist()
        if len(infos) > MOST_MEMBERS:
            raise InputError("project-too-many", file=self.name, most=MOST_MEMBERS)
        found: dict[str, zipfile.ZipInfo] = {}
        for info in infos:
            self._refuse_member(info)
            if info.filename in found:
                raise InputError("project-member-twice", file=self.name, member=info.filename)
            found[info.filename] = info
        unpacked = sum(info.file_size for info in infos)
        if unpacked > MOST_BYTES or not _is_harmless(unpacked, size):
            raise InputError("project-unpacks", file=self.name, most=MOST_BYTES >> 30, ratio=_MOST_RATIO)
        if any(name in found and found[name].file_size > MOST_TEXT for name in (PROJECT, VOICES)):
            raise InputError("project-unpacks", file=self.name, most=MOST_BYTES >> 30, ratio=_MOST_RATIO)
        return found

    def _refuse_directory(self, size: int) -> None:
        """Before zipfile reads the whole list of members: is there one, and is it of a sane length?"""
        if self._file.read(len(_FIRST)) != _FIRST:
            raise InputError("project-not-one", file=self.name)
        tail_size = min(size, _END_SIZE + _LONGEST_COMMENT + _LOCATOR_SIZE)
        self._file.seek(size - tail_size)
        tail = self._file.read(tail_size)
        end = tail.rfind(_END)
        if end < 0 or len(tail) - end < _END_SIZE:
            raise InputError("project-truncated", file=self.name)
        length = int.from_bytes(tail[end + 12 : end + 16], "little")
        if length > _MOST_DIRECTORY or tail[max(0, end - _LOCATOR_SIZE) :].startswith(_LOCATOR_64):
            raise InputError("project-too-many", file=self.name, most=MOST_MEMBERS)

    def _refuse_member(self, info: zipfile.ZipInfo) -> None:
        mode = info.external_attr >> 16
        is_ours = (
            _NAMES.fullmatch(info.filename) is not None
            and info.orig_filename == info.filename
            and stat.S_IFMT(mode) in (0, stat.S_IFREG)  # no link, no folder, no device
            and info.compress_type in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
            and not info.flag_bits & _ENCRYPTED
        )
        if not is_ours:
            raise InputError("project-foreign-member", file=self.name, member=info.orig_filename)

    @contextmanager
    def _as_input_error(self) -> Iterator[None]:
        try:
            yield
        except _BROKEN as error:
            reason = str(error) or type(error).__name__
            raise InputError("project-broken", file=self.name, reason=reason) from error
        except OSError as error:
            raise unreadable(self.name, error) from error


def _is_harmless(unpacked: int, packed: int) -> bool:
    return unpacked <= max(_HARMLESS_BYTES, _MOST_RATIO * packed)


def _size_of(file: IO[bytes]) -> int:
    size = file.seek(0, io.SEEK_END)
    file.seek(0)
    return size


# Arrays of a project file as .npy members: named columns of fixed types, never pickled.


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
