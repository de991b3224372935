"""The file that the project is saved in: its lock, and whether somebody else has changed it."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from zebra_gui.document.autosave import Stamp, stamp_of
from zebra_gui.document.locks import Lock, holder, lock_of


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
