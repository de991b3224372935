"""The container of a project file: a zip of few kinds of members, written alike each time, read with bounds.

Nothing is ever unpacked to a path that a member names, and nothing in it is executed.
"""

from __future__ import annotations

import io
import re
import stat
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import IO

from zebra_core.errors import InputError, OutputError
from zebra_core.files.opening import open_regular, unreadable

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
