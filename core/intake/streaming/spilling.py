"""Trials on disk for a while: spread over files by pair of ids, so that the pairs of one fit into memory.

All rows of one pair, in both directions, come to lie in one file, in the order in which they were added.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import IO

import numpy as np
from numpy.typing import NDArray

from zebra_core.errors import InputError

SCORED = np.dtype([("pair", "<u8"), ("row", "<u4"), ("score", "<f8"), ("label", "i1")])
LABELLED = np.dtype([("pair", "<u8"), ("row", "<u4"), ("label", "i1")])
"""A label is 1 for target, 0 for nontarget, −1 where none is given; a row its number in its file, from 0."""
PairArray = NDArray[np.uint64]
Rows = NDArray[np.void]

ROWS_AT_ONCE = 1 << 22
_MOST_FILES = 256
_ROWS_OF_A_FILE = 1 << 21
_LEAST_BYTES_OF_A_ROW = 24  # as text
_SPREAD = np.uint64(0x9E3779B97F4A7C15)  # 2^64 divided by the golden ratio: neighbours part
_HALF = np.uint64(32)


class Spill:
    """Rows of one kind, spread over files in a folder."""

    def __init__(self, folder: Path, name: str, files: int, kind: np.dtype[np.void]) -> None:
        self._paths = [folder / f"{name}-{number}" for number in range(files)]
        self._kind = kind
        self._stack = ExitStack()
        self._files: list[IO[bytes]] = [self._stack.enter_context(path.open("wb")) for path in self._paths]

    def add(self, **columns: np.ndarray) -> None:
        """Add rows by their columns."""
        rows = np.empty(len(columns["pair"]), self._kind)
        for name, column in columns.items():
            rows[name] = column
        place = place_of(columns["pair"], len(self._files))
        rows = rows[np.argsort(place, kind="stable")]
        ends = np.cumsum(np.bincount(place, minlength=len(self._files)))
        for file, some in zip(self._files, np.split(rows, ends[:-1]), strict=True):
            if len(some):
                file.write(some.tobytes())

    def __enter__(self) -> Spill:
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def parts(self, number: int) -> Iterator[Rows]:
        """The rows of one of the files, some at a time in their order; then the file is gone.

        However a file lists its pairs, no more than `ROWS_AT_ONCE` of them are in memory at once.
        """
        with self._paths[number].open("rb") as file:
            while len(rows := np.fromfile(file, self._kind, ROWS_AT_ONCE)):
                yield rows
        self._paths[number].unlink()


def pair_of(enrol: NDArray[np.integer], test: NDArray[np.integer]) -> PairArray:
    """One number for each pair of codes."""
    return (enrol.astype(np.uint64) << _HALF) | test.astype(np.uint64)


def sides_of(pair: PairArray) -> tuple[PairArray, PairArray]:
    """The codes of enrolment and test."""
    return pair >> _HALF, pair & np.uint64(0xFFFFFFFF)


def place_of(pair: PairArray, files: int) -> NDArray[np.uint16]:
    """In which of the files, a power of two of them, a pair belongs, whichever way round it is listed."""
    left, right = sides_of(pair)
    mixed = (np.minimum(left, right) * _SPREAD + np.maximum(left, right)) * _SPREAD
    return (mixed >> _HALF).astype(np.uint16) & np.uint16(files - 1)


def files_for(size: int) -> int:
    """Over how many files to spread the rows of so many bytes of text."""
    wanted = max(1, size // (_LEAST_BYTES_OF_A_ROW * _ROWS_OF_A_FILE))
    return min(_MOST_FILES, 1 << (wanted - 1).bit_length())


@contextmanager
def room_for(size: int) -> Iterator[Path]:
    """A folder that is gone afterwards, with room for so many bytes. Raises InputError without."""
    parent = Path(tempfile.gettempdir())
    free = shutil.disk_usage(parent).free
    if free < size:
        facts = {"folder": str(parent), "free": f"{free / 1e9:.1f}", "needed": f"{size / 1e9:.1f}"}
        raise InputError("no-room", **facts)
    try:
        with tempfile.TemporaryDirectory(prefix="zebra-") as folder:
            yield Path(folder)
    except OSError as error:
        raise InputError("no-room-left", folder=str(parent), reason=error.strerror or str(error)) from error
