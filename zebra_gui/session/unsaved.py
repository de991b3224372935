"""What goes into a project file beside the project, and where it is kept until then, even after a crash."""

from __future__ import annotations

import secrets
import shutil
import time
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from PySide6.QtCore import QLockFile, QObject, QStandardPaths, Signal

from zebra_core.files.access import make_folder
from zebra_gui import core_types as core

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


class KeptInside(QObject):
    """What was made of recordings: scores that lie nowhere else, voices where the user wants them.

    Signals:
        changed: other voices are to be kept in the project file, or none any longer.
        voices_came: how many there were in the project file that was opened, where there were any.
    """

    changed = Signal()
    voices_came = Signal(int)

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.heard: dict[str, core.EmbeddedRecording] = {}  # for the open project, or in its file
        self.keeps_voices = False
        self._scores: list[UnsavedScores] = []

    @property
    def voices(self) -> dict[str, core.EmbeddedRecording]:
        """The embeddings that go into the project file: biometric data."""
        return dict(self.heard) if self.keeps_voices else {}

    @property
    def keeps_scores(self) -> bool:
        """Whether there are scores that lie nowhere else, and go into the project."""
        return bool(self._scores)

    def keep_voices(self, keeps: bool) -> None:
        """Say whether embeddings are kept in the project file as well, from when it is saved."""
        if keeps != self.keeps_voices:
            self.keeps_voices = keeps
            self.changed.emit()

    def take_voices(self, voices: Mapping[str, core.EmbeddedRecording]) -> None:
        """Take the embeddings that were stored in the project file which was opened."""
        self.heard, self.keeps_voices = dict(voices), bool(voices)
        if voices:
            self.voices_came.emit(len(voices))
        self.changed.emit()

    def new_scores(self) -> Path:
        """A folder for scores that go into the project. Raises OutputError where it cannot be made."""
        self._scores.append(UnsavedScores())
        return self._scores[-1].folder

    def come_back(self, project: core.Project) -> bool:
        """A project was recovered: whether it rests on scores that never came into a project file."""
        paths = (file.path for item in project.items for file in item.files)
        folders = dict.fromkeys(folder for path in paths if (folder := _scores_folder_of(path)) is not None)
        self._scores += [UnsavedScores(folder) for folder in folders if folder.is_dir()]
        return bool(folders)

    def leave(self) -> None:
        """What comes next is another's: scores that were to go inside the project are removed."""
        self.heard, self.keeps_voices = {}, False
        while self._scores:
            self._scores.pop().remove()


def _scores_folder_of(path: Path) -> Path | None:
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
