"""Names as systems read them: what Windows takes for a device, its paths taken apart elsewhere, commands."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
from collections.abc import Sequence
from pathlib import PureWindowsPath

_DEVICE = re.compile(r"(?:CON|PRN|AUX|NUL|CONIN\$|CONOUT\$|(?:COM|LPT)[1-9¹²³])", re.IGNORECASE)


def is_device(name: str) -> bool:
    """Whether Windows takes the name for a device, with any ending: CON, nul.zebra, "COM1 .txt"."""
    return bool(_DEVICE.fullmatch(name.split(".", 1)[0].split(":", 1)[0].rstrip(" ")))


def as_command(words: Sequence[str]) -> str:
    """A command as one pastes it into a shell of this system: words with blanks and marks are quoted."""
    return subprocess.list2cmdline(words) if os.name == "nt" else shlex.join(words)


def without_backslashes(path: str) -> str:
    r"""A path that was written down on Windows, as another system can take it apart: with slashes.

    `C:\case\scores` and `\\server\share\scores` would be one long name elsewhere, with folders in it.
    Any other text, and any on Windows, comes back as it is.
    """
    if os.name == "nt" or path.startswith("/") or "\\" not in path:
        return path
    there = PureWindowsPath(path)
    return there.as_posix() if there.is_absolute() and there.name else path
