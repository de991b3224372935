"""Where the window keeps what it remembers for its next start."""

from pathlib import Path

from PySide6.QtCore import QSettings


def keep_settings_in(folder: Path) -> None:
    """From now on it is written there, and nothing is remembered yet."""
    QSettings.setDefaultFormat(QSettings.Format.IniFormat)
    for scope in QSettings.Scope:
        QSettings.setPath(QSettings.Format.IniFormat, scope, str(folder))
