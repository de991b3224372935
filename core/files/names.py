"""Names that no file can have on Windows, whatever the system that runs us: files are given to others."""

from __future__ import annotations

import re

_DEVICE = re.compile(r"(?:CON|PRN|AUX|NUL|CONIN\$|CONOUT\$|(?:COM|LPT)[1-9¹²³])", re.IGNORECASE)


def is_device(name: str) -> bool:
    """Whether Windows takes the name for a device, with any ending: CON, nul.zebra, "COM1 .txt"."""
    return bool(_DEVICE.fullmatch(name.split(".", 1)[0].split(":", 1)[0].rstrip(" ")))
