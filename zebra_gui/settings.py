"""What the window remembers from one start to the next."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from PySide6.QtCore import QSettings


def settings() -> QSettings:
    """The settings, in a text file of the user alone on every system, for it names recent files."""
    found = QSettings(QSettings.Format.IniFormat, QSettings.Scope.UserScope, "ZEBRA", "ZEBRA")
    path = Path(found.fileName())
    with suppress(OSError):  # Qt keeps what permissions a file has
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch(mode=0o600)
        path.chmod(0o600)
    return found
