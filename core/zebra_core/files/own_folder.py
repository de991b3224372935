"""The folder in which a program keeps what is its user's alone, as each system has it."""

from __future__ import annotations

import os
import sys
from pathlib import Path


def own_folder() -> Path:
    """ZEBRA's folder of local data of this user; it need not be there."""
    home = Path.home()
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or home / "AppData" / "Local") / "ZEBRA"
    if sys.platform == "darwin":
        return home / "Library" / "Application Support" / "ZEBRA"
    given = Path(os.environ.get("XDG_DATA_HOME", ""))
    return (given if given.is_absolute() else home / ".local" / "share") / "ZEBRA"
