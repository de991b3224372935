"""Where that is kept which is in no project file yet: it is still there when the program has crashed."""

from __future__ import annotations

import secrets
import shutil
import time
from contextlib import suppress
from pathlib import Path

from PySide6.QtCore import QLockFile, QStandardPaths

from zebra_core.files.writing import make_folder

_SCORES = "scores-"
_OLD_S = 30 * 86_400.0  # what no program has come back for by then


def unsaved_folder() -> Path:
    """Where projects are kept that have no file of their own yet, and scores that go into a project."""
    found = QStandardPaths.writableLocation(QStandardPaths.StandardLocation.AppLocalDataLocation)
    return Path(found) / "unsaved"


class UnsavedScores:
    """A folder of scores that are to be put inside a project; until then they lie here.

    As long as this program runs no other removes it. After a crash it stays, for the project that is
    recovered names the files in it; what nobody has come back for in thirty days goes.
    """

    def __init__(self, folder: Path | None = None) -> None:
        """A new one, or one that was left behind. Raises OutputError where it cannot be made."""
        top = make_folder(unsaved_folder())
        top.chmod(0o700)
        self.folder = folder or top / f"{_SCORES}{secrets.token_hex(8)}"
        make_folder(self.folder)
        self._lock = _lock_of(self.folder)
        self._lock.tryLock(0)

    def remove(self) -> None:
        """They are inside a project, or nobody wants them."""
        shutil.rmtree(self.folder, ignore_errors=True)
        self._lock.unlock()


def scores_folder_of(path: Path) -> Path | None:
    """The folder of unsaved scores that a file lies in; None for a file elsewhere."""
    top = unsaved_folder()
    if not path.is_relative_to(top):
        return None
    name = path.relative_to(top).parts[0]
    return top / name if name.startswith(_SCORES) else None


def remove_old_scores() -> None:
    """Remove what was left behind and nobody has come back for."""
    with suppress(OSError):
        for folder in unsaved_folder().glob(f"{_SCORES}*"):
            lock = _lock_of(folder)
            if folder.is_dir() and time.time() - folder.stat().st_mtime > _OLD_S and lock.tryLock(0):
                shutil.rmtree(folder, ignore_errors=True)
                lock.unlock()


def _lock_of(folder: Path) -> QLockFile:
    lock = QLockFile(str(folder.with_name(f".{folder.name}.lock")))
    lock.setStaleLockTime(0)
    return lock
