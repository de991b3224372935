"""What the window remembers from one start to the next."""

from __future__ import annotations

from PySide6.QtCore import QSettings


def settings() -> QSettings:
    """The settings, in a text file of the user's on every system."""
    return QSettings(QSettings.Format.IniFormat, QSettings.Scope.UserScope, "ZEBRA", "ZEBRA")
