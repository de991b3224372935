"""Autosave: unsaved changes are kept beside the project, and offered again after a crash."""

from __future__ import annotations

import secrets
import stat
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from PySide6.QtCore import QCoreApplication, QElapsedTimer, QLockFile, QObject, QTimer, Signal

from zebra_core.errors import OutputError
from zebra_core.wording.texts import visible
from zebra_gui import core_types as core
from zebra_gui.document import work
from zebra_gui.jobs.jobs import Jobs
from zebra_gui.session.unsaved import unsaved_folder

DELAY_MS = 2000
"""How long after a change it is kept: a crash loses no more."""
_LONGEST_DELAY_MS = 60_000
_SHARE_OF_TIME = 10  # where keeping it takes long it is done less often, in at most a tenth of the time
_PATIENCE_MS = 200  # with what is being written although nobody wants it any more
_UNSAVED_SUFFIX = ".zebra"
_NOT_WRITABLE = ("not-allowed", "read-only", "no-folder")


Stamp = tuple[int, int, int] | None
"""What tells a file from one in its place: inode, time of change in ns, and size; None where no file is."""


def stamp_of(path: Path) -> Stamp:
    """The stamp of a file as it is now."""
    with suppress(OSError):
        found = path.stat()
        return found.st_ino, found.st_mtime_ns, found.st_size
    return None


def autosave_of(path: Path) -> Path:
    """Where the unsaved changes of a project are kept: beside it."""
    return path.with_name(f".{path.name}.autosave")


class Autosave(QObject):
    """Writes the changed project after a moment, in a thread of its own, and removes it when it is saved.

    Signals:
        kept: the changes are on the disk.
        failed: they could not be written; told once.
    """

    kept = Signal()
    failed = Signal(Exception)

    def __init__(self, view: Callable[[], Mapping[str, Any]], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._view = view
        self._jobs = Jobs(self)
        self._file: Path | None = None
        self._lock: QLockFile | None = None
        self._wanted: tuple[core.Project, Mapping[core.FileKey, Path]] | None = None
        self._has_failed = False
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(DELAY_MS)
        self._timer.timeout.connect(self.keep_now)

    @property
    def file(self) -> Path | None:
        """Where the changes are kept."""
        return self._file

    def begin(self, path: Path | None) -> None:
        """Keep the changes of another project from now on; None for one without a file that we may write."""
        self.end()
        self._has_failed = False
        self._file = autosave_of(path) if path else None

    def note(self, project: core.Project, kept_at: Mapping[core.FileKey, Path]) -> None:
        """There are unsaved changes: keep them, soon."""
        self._wanted = project, kept_at
        if not self._timer.isActive():  # changes that go on and on do not put it off
            self._timer.start()

    def keep_now(self) -> None:
        """Keep them at once."""
        self._timer.stop()
        if self._wanted is None:
            return
        (project, kept_at), view = self._wanted, self._view()
        path = self._file or self._make_unsaved()
        job = self._jobs.start("", work.save_aside, project, path, view, kept_at)
        clock = QElapsedTimer()
        clock.start()
        job.done.connect(lambda _path: self._on_kept(clock.elapsed()))
        job.failed.connect(self._on_failed)
        self._wanted = None

    def keep_after_fault(self) -> None:
        """The program failed, perhaps in what tells how the window looks: keep the changes all the same.

        Where that fails it is told once more: the user has just been told that they are being kept.
        """
        self._has_failed = False
        try:
            self.keep_now()
        except Exception:  # noqa: BLE001 - the fault may be anywhere, and the changes must not depend on it
            self._view = dict
            self.keep_now()

    def finish(self, most_ms: int = -1) -> bool:
        """Wait until what is being kept is on the disk, at most so long; whether it is."""
        return self._jobs.finish(most_ms)

    def forget(self) -> None:
        """Nothing is unsaved: remove what was kept, once nothing is being written any more."""
        self._timer.stop()
        self._wanted = None
        self._jobs.cancel_all()
        if self._file is None:
            return
        if self._jobs.finish(_PATIENCE_MS):
            _remove_file(self._file)
        else:  # it is removed when what is being written is there, before anything else is written
            self._jobs.start("", lambda file, _watch: _remove_file(file), self._file)

    def end(self) -> None:
        """Forget, and let go of the place."""
        self.forget()
        self._file = None
        if self._lock is not None:
            self._lock.unlock()
            self._lock = None

    def _make_unsaved(self) -> Path:
        """A name of no meaning, locked as long as this process lives: what is not locked was left behind."""
        folder = unsaved_folder()
        with suppress(OSError):  # told when the project cannot be written there
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._file = folder / f"{secrets.token_hex(8)}{_UNSAVED_SUFFIX}"
        self._lock = lock_of(self._file)
        self._lock.tryLock(0)
        return self._file

    def _on_kept(self, took_ms: int) -> None:
        self._timer.setInterval(min(max(DELAY_MS, _SHARE_OF_TIME * took_ms), _LONGEST_DELAY_MS))
        self.kept.emit()

    def _on_failed(self, error: Exception) -> None:
        if not self._has_failed:
            self._has_failed = True
            if isinstance(error, OutputError) and error.code in _NOT_WRITABLE:
                error = OutputError("not-kept-aside", folder=error.facts["folder"])
            self.failed.emit(error)


class Leftovers(QObject):
    """Unsaved changes that a program which ended unexpectedly has left: offered one by one, newest first.

    Signals:
        changed: there is another one to offer, or none.
    """

    changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._offered: list[tuple[Path, QLockFile | None]] = []
        self._taken: list[tuple[Path, QLockFile | None]] = []

    @property
    def offered(self) -> Path | None:
        """The file to be offered now."""
        return self._offered[0][0] if self._offered else None

    def look_beside(self, path: Path) -> None:
        """Look for changes of this project; under names of their own, so that ours do not replace them."""
        self.let_go()
        prefix = f".{path.name}.recovered-"
        with suppress(OSError):
            autosave = autosave_of(path)
            if autosave.is_file():
                autosave.rename(path.with_name(f"{prefix}{secrets.token_hex(8)}"))
        with suppress(OSError):
            found = [one for one in path.parent.iterdir() if one.name.startswith(prefix) and one.is_file()]
            self._offer([(one, None) for one in found])

    def look_for_unsaved(self) -> None:
        """Look for projects without a file that no running program is at work on."""
        self.let_go()
        found: list[tuple[Path, QLockFile | None]] = []
        with suppress(OSError):
            for path in unsaved_folder().glob(f"*{_UNSAVED_SUFFIX}"):
                lock = lock_of(path)
                if lock.tryLock(0):
                    found.append((path, lock))
            self._offer(found)

    def take(self) -> None:
        """The user wants the offered one: it is removed once the changes are on the disk elsewhere."""
        if self._offered:
            self._taken.append(self._offered.pop(0))
            self.changed.emit()

    def discard(self) -> None:
        """The user does not want it."""
        if self._offered:
            _remove(self._offered.pop(0))
            self.changed.emit()

    def remove_taken(self) -> None:
        """What was taken is on the disk elsewhere."""
        while self._taken:
            _remove(self._taken.pop())

    def let_go(self) -> None:
        """Offer nothing any more; what was not decided stays on the disk for another time."""
        for _, lock in (*self._offered, *self._taken):
            if lock is not None:
                lock.unlock()
        self._offered, self._taken = [], []
        self.changed.emit()

    def _offer(self, found: list[tuple[Path, QLockFile | None]]) -> None:
        self._offered = sorted(found, key=lambda one: one[0].stat().st_mtime, reverse=True)
        self.changed.emit()


def _remove(leftover: tuple[Path, QLockFile | None]) -> None:
    path, lock = leftover
    _remove_file(path)
    if lock is not None:
        lock.unlock()


def _remove_file(path: Path) -> None:
    with suppress(OSError):
        path.unlink(missing_ok=True)


# The file that the project is saved in: its lock, and whether somebody else has changed it.


class OwnFile:
    """At most one file, locked for as long as it is ours."""

    def __init__(self) -> None:
        self.path: Path | None = None
        self.locked_by = ""
        self._lock: Lock | None = None
        self._stamp: Stamp = None  # of the file when it was opened or saved

    @property
    def written(self) -> Path | None:
        """The file if it may be written; None if there is none or somebody else has it open."""
        return None if self.locked_by else self.path

    @property
    def is_changed_by_others(self) -> bool:
        """Whether the file on disk is no longer the one that was opened or saved here."""
        return self.path is not None and stamp_of(self.path) not in (None, self._stamp)

    def take(self, path: Path, stamp: Stamp = None) -> None:
        """Make this the project's file; `locked_by` says who has it where it cannot be locked.

        `stamp` is that of the file before it was read: somebody may have written it since.
        """
        self.leave()
        self.path = path
        self.note_stamp()
        self._stamp = stamp or self._stamp
        self._take_lock()

    def leave(self) -> None:
        """Release the file: the project has none."""
        self.unlock()
        self.path = self._lock = self._stamp = None
        self.locked_by = ""

    def unlock(self) -> None:
        """Release the lock, so that others may open the file."""
        if self._lock is not None:
            self._lock.unlock()

    def break_lock(self) -> None:
        """Take over the lock: the user knows that nobody else has the file open."""
        if self.path is not None:
            with suppress(OSError):
                Path(lock_of(self.path).fileName()).unlink(missing_ok=True)
            self._take_lock()

    def note_stamp(self) -> None:
        """Remember the file on disk as the one that was opened or saved here."""
        self._stamp = None if self.path is None else stamp_of(self.path)

    def _take_lock(self) -> None:
        """Lock the file; a folder that cannot be written has no locks: then saving will say so."""
        if self.path is not None:
            self._lock = lock_of(self.path)
            self.locked_by = "" if self._lock.tryLock(0) else holder(self._lock)


# Locks of files: whoever has a project open says so beside it, so that nobody else writes it.


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
