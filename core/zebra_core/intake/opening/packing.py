"""Unpacking gz, bz2, xz, zip and tar in memory, told by their first bytes, and never without bounds."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import re
import stat
import struct
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from copy import copy
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Self

from zebra_core.errors import InputError
from zebra_core.evidence.audit import Finding
from zebra_core.files.access import is_hidden
from zebra_core.runtime import memory
from zebra_core.runtime.progress import Progress, no_progress

MOST_BYTES = 4 << 30
"""What one file on disk may unpack to, all its members together."""
MOST_MEMBERS = 20_000
MOST_ARRAYS = 500_000
"""Members of a file of arrays: there is one for each utterance."""
LONGEST_NAME = 4096
"""Characters of a member's name: no system has longer paths, and taking names apart costs time."""
_MOST_DIRECTORY = 8 << 20  # bytes of the list of members of a zip: zipfile makes objects of all of it at once
_END, _END_SIZE, _LONGEST_COMMENT = b"PK\x05\x06", 22, 65535
_LOCATOR_64, _LOCATOR_SIZE, _END_64_SIZE = b"PK\x06\x07", 20, 56
_LONGEST_EXTENSION = 1 << 16  # bytes of an extended header of a tar: a path, and what systems add
_LZMA_END_MARK = 2  # the flag of a member of a zip (APPNOTE 4.4.4)
_EXTENSIONS = frozenset({tarfile.XHDTYPE, tarfile.XGLTYPE, tarfile.SOLARIS_XHDTYPE})
_MANY_DIGITS = re.compile(rb"[0-9]{200}")
HARMLESS_BYTES = 64 << 20  # up to here the ratio does not matter: constant scores pack very well
MOST_RATIO = 400
TOO_MUCH = "unpacks-too-much"
"""The code of the error where a file packs better than files of scores do: the user may allow it."""
_PIECE = 8 << 20
_LITTLE = 1 << 20  # beside what is held there is only so much more
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

LeftOut = Callable[[str], object]


@dataclass(frozen=True)
class ArchiveMember:
    """One file inside an archive. Its name is only a name: nothing is ever written to disk."""

    name: str
    content: bytes
    findings: tuple[Finding, ...] = ()  # what is to be told of it beside the figures


@dataclass
class Budget:
    """How much one file on disk may still unpack to."""

    file: str
    packed: int
    on_progress: Progress = no_progress
    is_held: bool = True  # else it is read piece by piece, and a large file may unpack to more
    any_ratio: bool = False  # the user said that it may be unpacked, however well it packs
    too_large: str = "unpacks-too-large"  # the code of the error that nothing lifts
    unpacked: int = field(default=0, init=False)

    @property
    def most(self) -> int:
        """Bytes that it may unpack to, whatever the user says."""
        return MOST_BYTES if self.is_held else max(MOST_BYTES, MOST_RATIO * self.packed)

    @property
    def allowed(self) -> int:
        """Bytes that it may unpack to."""
        return self.most if self.any_ratio else min(self.most, max(HARMLESS_BYTES, MOST_RATIO * self.packed))

    @property
    def counts_as(self) -> int:
        """Bytes of a file that may unpack to as much without being asked about: time and memory go by it."""
        return max(self.packed, self.allowed // MOST_RATIO)

    def spend(self, count: int) -> None:
        """Count bytes that were unpacked. Raises InputError or MemoryError when they are too many."""
        self.on_progress(0.0)
        self.unpacked += count
        if self.unpacked > self.allowed:
            raise self.refusal()
        if self.is_held and self.unpacked > HARMLESS_BYTES:
            memory.require(self.unpacked)  # as much again: something is made of it, too

    def refusal(self) -> InputError:
        """Why it is not unpacked: for a reason that the user may lift, or for one that nobody does."""
        if self.allowed < self.most:
            return InputError(TOO_MUCH, file=self.file, ratio=MOST_RATIO)
        return InputError(self.too_large, file=self.file, most=self.most >> 30)


def _in_silence(_name: str) -> None:
    """Whoever does not ask is not told."""


def is_archive(content: bytes) -> bool:
    """Whether these bytes are a zip or tar archive."""
    return content.startswith(_ZIP_MAGIC) or content[257:262] == b"ustar"


def is_packed(content: bytes) -> bool:
    """Whether these bytes are compressed, or an archive."""
    return is_archive(content) or content.startswith(tuple(_STREAMS))


def decompressed(content: bytes, budget: Budget) -> bytes:
    """The content with its compression removed, if there is any; an archive stays what it is."""
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


def members(
    content: bytes, budget: Budget, on_left_out: LeftOut = _in_silence, *, most: int = MOST_MEMBERS
) -> list[ArchiveMember]:
    """The regular files inside an archive, without those that systems hide in archives for themselves.

    `on_left_out` is told the names of links, which are not followed, and of devices. There may be `most` of
    them in a zip; in a tar there are never more than `MOST_MEMBERS`.
    """
    found: list[ArchiveMember] = []
    try:
        for member in (
            _zip_members(content, budget, on_left_out, most)
            if content.startswith(_ZIP_MAGIC)
            else _tar_members(content, budget, on_left_out)
        ):
            if len(found) == most:
                raise _too_many(budget, most)
            if len(member.name) > LONGEST_NAME:
                raise InputError("member-name-too-long", file=budget.file, found=member.name)
            found.append(member)
    except _BROKEN as error:
        raise _broken(budget, error) from error
    return found


def zip_names(path: Path) -> list[str]:
    """The names of the files in a zip on disk, of which nothing is unpacked; none for what is no zip."""
    try:
        with path.open("rb") as file:
            file.seek(max(0, file.seek(0, io.SEEK_END) - _END_SIZE - _LONGEST_COMMENT - _LOCATOR_SIZE))
            if _is_long_list(file.read()):
                return []
            with zipfile.ZipFile(file) as archive:
                return [one.filename for one in archive.infolist() if not one.is_dir()]
    except _BROKEN:
        return []


def is_npz(content: bytes) -> bool:
    """Whether an archive holds nothing but NumPy arrays: then it is one file of data."""
    if not content.startswith(_ZIP_MAGIC) or _is_long_list(content, MOST_ARRAYS):
        return False
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            infos = archive.infolist()
            return bool(infos) and all(_is_array(archive, info) for info in infos)
    except _BROKEN:
        return False


def is_torch(content: bytes) -> bool:
    """Whether an archive is what PyTorch saves: pickled objects and their arrays."""
    if not content.startswith(_ZIP_MAGIC) or _is_long_list(content, MOST_ARRAYS):
        return False
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            return any(name.endswith("/data.pkl") for name in archive.namelist())
    except _BROKEN:
        return False


def _is_array(archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> bool:
    """Whether a member is a NumPy array, by its first bytes.

    NumPy packs in no other way; of the others zipfile unpacks more than is asked.
    """
    if info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        return False
    with archive.open(info) as packed:
        return packed.read(len(_NPY_MAGIC)) == _NPY_MAGIC


def _zip_members(content: bytes, budget: Budget, on_left_out: LeftOut, most: int) -> Iterator[ArchiveMember]:
    if _is_long_list(content, most):
        raise _too_many(budget, most)
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        for info in archive.infolist():
            if info.is_dir() or is_hidden(info.filename):
                continue
            if info.flag_bits & 1:
                raise InputError("encrypted", file=budget.file, member=info.filename)
            if info.filename == "[Content_Types].xml":
                raise InputError("office-document", file=budget.file)
            if stat.S_ISLNK(info.external_attr >> 16):  # its content is only where it leads to
                on_left_out(info.filename)
                continue
            yield ArchiveMember(info.filename, _zip_member(archive, info, budget))


def _zip_member(archive: zipfile.ZipFile, info: zipfile.ZipInfo, budget: Budget) -> bytes:
    """The bytes of one member. What bzip2 or LZMA packed, zipfile unpacks at once, however much it is."""
    if info.compress_type not in (zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA):
        with archive.open(info) as packed:
            return _bounded(packed, budget)
    as_packed = copy(info)
    as_packed.compress_type, as_packed.file_size = zipfile.ZIP_STORED, info.compress_size
    as_packed.CRC = None  # type: ignore[assignment] # zipfile then compares nothing
    with archive.open(as_packed) as raw, _unpacking(raw.read(), info) as packed:
        unpacked = _bounded(packed, budget)
    if len(unpacked) != info.file_size or zlib.crc32(unpacked) != info.CRC:
        raise zipfile.BadZipFile(f"Bad CRC-32 for file {info.filename!r}")
    return unpacked


def _unpacking(content: bytes, info: zipfile.ZipInfo) -> _Stream:
    if info.compress_type == zipfile.ZIP_BZIP2:
        return bz2.BZ2File(io.BytesIO(content))
    return lzma.LZMAFile(io.BytesIO(_as_lzma_alone(content, info)), format=lzma.FORMAT_ALONE)


def _as_lzma_alone(content: bytes, info: zipfile.ZipInfo) -> bytes:
    """LZMA in a zip (APPNOTE 5.8.8: version, length of the properties, properties) as a file of its own."""
    properties = content[4 : 4 + int.from_bytes(content[2:4], "little")]
    has_end_mark = bool(info.flag_bits & _LZMA_END_MARK)
    size = b"\xff" * 8 if has_end_mark else info.file_size.to_bytes(8, "little")
    return properties + size + content[4 + len(properties) :]


def _is_long_list(content: bytes, most: int = MOST_MEMBERS) -> bool:
    """Whether a zip says that its list of members is longer than that of any archive with so many."""
    end = len(content) - _END_SIZE
    if not (content.startswith(_END, max(0, end)) and content.endswith(b"\0\0")):  # there is a comment
        end = content.rfind(_END, max(0, len(content) - _END_SIZE - _LONGEST_COMMENT))
    if end < 0:
        return False
    length = content[end + 12 : end + 16]
    if content.startswith(_LOCATOR_64, max(0, end - _LOCATOR_SIZE)):  # as in archives beyond 4 GB
        end_64 = end - _LOCATOR_SIZE - _END_64_SIZE
        length = content[max(0, end_64 + 40) : max(0, end_64 + 48)]
    return int.from_bytes(length, "little") > _MOST_DIRECTORY * max(1, most // MOST_MEMBERS)


class _TarInfo(tarfile.TarInfo):
    """A header of a tar, looked at before tarfile believes it."""

    @classmethod
    def fromtarfile(cls, archive: tarfile.TarFile) -> Self:
        """The next header. Raises ReadError where tarfile would never come to an end.

        A negative size leads back to the header itself; and long rows of digits in an extended header cost
        time that grows with their square, which nothing can stop.
        """
        file = archive.fileobj
        assert file is not None  # noqa: S101 - it was opened with one
        start = file.tell()
        block = file.read(tarfile.BLOCKSIZE)
        head = cls.frombuf(block, archive.encoding or "utf-8", archive.errors or "strict")
        if head.size < 0:
            raise tarfile.ReadError(f"a member of {head.size} bytes")
        if head.type in _EXTENSIONS:
            extension = file.read(min(head.size, _LONGEST_EXTENSION) + tarfile.BLOCKSIZE)
            if head.size > _LONGEST_EXTENSION or _MANY_DIGITS.search(extension):
                raise tarfile.ReadError("an extended header that is none")
        file.seek(start)
        return super().fromtarfile(archive)


def _tar_members(content: bytes, budget: Budget, on_left_out: LeftOut) -> Iterator[ArchiveMember]:
    with tarfile.open(fileobj=io.BytesIO(content), mode="r:", tarinfo=_TarInfo) as archive:
        for count, info in enumerate(archive):
            if count == 2 * MOST_MEMBERS:  # folders and links, which cost as well
                raise _too_many(budget)
            if info.size < 0:  # by an extended header
                raise tarfile.ReadError(f"a member of {info.size} bytes")
            if info.isdir() or is_hidden(info.name):
                continue
            if not info.isreg():
                on_left_out(info.name)
                continue
            packed = archive.extractfile(info)
            if packed is not None:
                yield ArchiveMember(info.name, _bounded(packed, budget))


def _bounded(packed: _Stream, budget: Budget) -> bytes:
    found = io.BytesIO()  # hands out what it holds without a copy
    while piece := packed.read(_LITTLE):
        budget.spend(len(piece))
        found.write(piece)
    return found.getvalue()


def _broken(budget: Budget, error: Exception) -> InputError:
    if isinstance(error, MemoryError):
        return InputError("file-memory", file=budget.file)
    return InputError("packing-broken", file=budget.file, reason=str(error) or type(error).__name__)


def _too_many(budget: Budget, most: int = MOST_MEMBERS) -> InputError:
    return InputError("too-many-members", file=budget.file, most=most)
