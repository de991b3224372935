"""Unpacking gz, bz2, xz, zip and tar in memory, told by their first bytes, and never without bounds."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import struct
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import IO

from core.errors import InputError
from core.progress import Progress, no_progress

MOST_BYTES = 4 << 30
"""What one file on disk may unpack to, all its members together."""
MOST_MEMBERS = 20_000
_HARMLESS_BYTES = 64 << 20  # up to here the ratio does not matter: constant scores pack very well
_MOST_RATIO = 400
_PIECE = 8 << 20
_ZIP_MAGIC = (b"PK\x03\x04", b"PK\x05\x06")
_Stream = IO[bytes] | gzip.GzipFile | bz2.BZ2File | lzma.LZMAFile
_STREAMS: dict[bytes, Callable[[IO[bytes]], _Stream]] = {
    b"\x1f\x8b": gzip.open,
    b"BZh": bz2.open,
    b"\xfd7zXZ\x00": lzma.open,
}
_NPY_MAGIC = b"\x93NUMPY"
# All that the libraries above are known to raise at bytes that are not what they pretend to be.
_BROKEN = (
    *(OSError, EOFError, ValueError, RuntimeError, MemoryError, KeyError, IndexError, struct.error),
    *(zlib.error, lzma.LZMAError, tarfile.TarError, zipfile.BadZipFile, OverflowError),
)


@dataclass(frozen=True)
class Member:
    """One file inside an archive. Its name is only a name: nothing is ever written to disk."""

    name: str
    content: bytes


@dataclass
class Budget:
    """How much one file on disk may still unpack to."""

    file: str
    packed: int
    on_progress: Progress = no_progress
    most: int = MOST_BYTES
    unpacked: int = field(default=0, init=False)

    def spend(self, count: int) -> None:
        """Count bytes that were unpacked. Raises InputError when they are too many."""
        self.on_progress(0.0)
        self.unpacked += count
        if self.unpacked > self.most:
            raise InputError("unpacks-too-large", file=self.file, most=self.most >> 30)
        if self.unpacked > max(_HARMLESS_BYTES, _MOST_RATIO * self.packed):
            raise InputError("unpacks-too-much", file=self.file, ratio=_MOST_RATIO)


def is_archive(content: bytes) -> bool:
    """Whether these bytes are a zip or tar archive."""
    return content.startswith(_ZIP_MAGIC) or content[257:262] == b"ustar"


def is_packed(content: bytes) -> bool:
    """Whether these bytes are compressed, or an archive."""
    return is_archive(content) or content.startswith(tuple(_STREAMS))


def decompressed(content: bytes, budget: Budget) -> bytes:
    """Without the compression around it, if there is one; an archive stays what it is."""
    for magic, unpack in _STREAMS.items():
        if content.startswith(magic):
            try:
                with unpack(io.BytesIO(content)) as packed:
                    return _bounded(packed, budget)
            except _BROKEN as error:
                raise _broken(budget, error) from error
    return content


def unpacked_pieces(stream: IO[bytes], beginning: bytes, budget: Budget) -> Iterator[bytes]:
    """A compressed stream, whose first bytes are `beginning` and still unread, unpacked piece by piece."""
    unpack = next(unpack for magic, unpack in _STREAMS.items() if beginning.startswith(magic))
    try:
        with unpack(stream) as packed:
            while piece := packed.read(_PIECE):
                budget.spend(len(piece))
                yield piece
    except _BROKEN as error:
        raise _broken(budget, error) from error


def is_compressed(beginning: bytes) -> bool:
    """Whether a file that begins so is compressed; archives are not meant."""
    return beginning.startswith(tuple(_STREAMS))


def members(content: bytes, budget: Budget) -> list[Member]:
    """The regular files inside an archive, without those that systems hide in archives for themselves."""
    unpack = _zip_members if content.startswith(_ZIP_MAGIC) else _tar_members
    found: list[Member] = []
    try:
        for member in unpack(content, budget):
            if len(found) == MOST_MEMBERS:
                raise InputError("too-many-members", file=budget.file, most=MOST_MEMBERS)
            found.append(member)
    except _BROKEN as error:
        raise _broken(budget, error) from error
    return found


def is_npz(content: bytes) -> bool:
    """Whether an archive holds nothing but NumPy arrays: then it is one file of data."""
    if not content.startswith(_ZIP_MAGIC):
        return False
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            heads = [archive.open(info).read(len(_NPY_MAGIC)) for info in archive.infolist()]
    except _BROKEN:
        return False
    return bool(heads) and all(head == _NPY_MAGIC for head in heads)


def is_hidden(name: str) -> bool:
    """Whether a file is one that systems leave behind for themselves."""
    return any(
        part == "__MACOSX" or (part[:1] == "." and part.strip("."))
        for part in PurePosixPath(name.replace("\\", "/")).parts  # some write the separator of Windows
    )


def _zip_members(content: bytes, budget: Budget) -> Iterator[Member]:
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        for info in archive.infolist():
            if info.is_dir() or is_hidden(info.filename):
                continue
            if info.flag_bits & 1:
                raise InputError("encrypted", file=budget.file, member=info.filename)
            if info.filename == "[Content_Types].xml":
                raise InputError("office-document", file=budget.file)
            with archive.open(info) as packed:
                yield Member(info.filename, _bounded(packed, budget))


def _tar_members(content: bytes, budget: Budget) -> Iterator[Member]:
    with tarfile.open(fileobj=io.BytesIO(content), mode="r:") as archive:
        for info in archive:
            if not info.isreg() or is_hidden(info.name):
                continue
            packed = archive.extractfile(info)
            if packed is not None:
                yield Member(info.name, _bounded(packed, budget))


def _bounded(packed: _Stream, budget: Budget) -> bytes:
    pieces = []
    while piece := packed.read(_PIECE):
        budget.spend(len(piece))
        pieces.append(piece)
    return b"".join(pieces)


def _broken(budget: Budget, error: Exception) -> InputError:
    return InputError("packing-broken", file=budget.file, reason=str(error) or type(error).__name__)
