"""Locks of files: whoever has a project open says so beside it, so that nobody else writes it."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QCoreApplication, QLockFile

from core.texts import visible

translate = QCoreApplication.translate


def lock_of(path: Path) -> QLockFile:
    """The lock of a file: its holder's process and host are in it, and it dies with the process."""
    lock = QLockFile(str(path.with_name(f".{path.name.removeprefix('.')}.lock")))
    lock.setStaleLockTime(0)  # only when the process is gone, not because it is old
    return lock


def holder_of(path: Path) -> str:
    """Who has a file open, if anybody; empty where nobody has."""
    lock = lock_of(path)
    return "" if lock.tryLock(0) else holder(lock)


def holder(lock: QLockFile) -> str:
    """Who holds a lock that we did not get, as far as it says; empty where nobody does."""
    if lock.error() is not QLockFile.LockError.LockFailedError:
        return ""
    process, host, program = lock.getLockInfo()
    if not host:
        return translate("Locks", "in another program")
    said = translate("Locks", "by {program}, process {process}, on {host}")
    return said.format(program=visible(program), process=process, host=visible(host))
