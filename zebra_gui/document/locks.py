"""Locks of files: whoever has a project open says so beside it, so that nobody else writes it."""

from __future__ import annotations

import stat
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QLockFile

from zebra_core.wording.texts import visible

translate = QCoreApplication.translate
_LARGEST = 1 << 16  # bytes; Qt writes the process, the program and the host


class Lock(QLockFile):
    """A lock file. One that nobody locks with, delivered with a project, is not even looked into."""

    def __init__(self, path: Path) -> None:
        super().__init__(str(path))
        self._path = path
        self.setStaleLockTime(0)  # only when the process is gone, not because it is old

    @property
    def is_foreign(self) -> bool:
        """Whether what lies there is no lock: Qt would wait at a pipe for ever, and read all of gigabytes."""
        try:
            there = self._path.lstat()
        except (OSError, ValueError):
            return False  # nothing lies there, or nobody may know
        return not stat.S_ISREG(there.st_mode) or there.st_size > _LARGEST

    def tryLock(self, timeout: int = 0) -> bool:
        return not self.is_foreign and super().tryLock(timeout)


def lock_of(path: Path) -> Lock:
    """The lock of a file: its holder's process and host are in it, and it dies with the process."""
    return Lock(path.with_name(f".{path.name.removeprefix('.')}.lock"))


def holder_of(path: Path) -> str:
    """Who has a file open, if anybody; empty where nobody has."""
    lock = lock_of(path)
    return "" if lock.tryLock(0) else holder(lock)


def holder(lock: Lock) -> str:
    """Who holds a lock that we did not get, as far as it says; empty where nobody does."""
    if lock.is_foreign:
        return translate("Locks", "in another program")
    if lock.error() is not QLockFile.LockError.LockFailedError:
        return ""
    process, host, program = lock.getLockInfo()
    if not host:
        return translate("Locks", "in another program")
    said = translate("Locks", "by {program}, process {process}, on {host}")
    return said.format(program=visible(program), process=process, host=visible(host))
