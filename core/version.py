"""The version, in one place, and the commit it was built from: for setup, reports and the window."""

from __future__ import annotations

import json
import subprocess
from functools import cache
from pathlib import Path

import resources

VERSION = "0.1.0"

_STAMP = "build.json"  # written into a bundle when it is made
_CHECKOUT = Path(__file__).resolve().parent.parent


@cache
def commit() -> str:
    """The commit as twelve hexadecimal digits, with `-dirty` where files differ from it; "" where unknown.

    A bundle knows it from its stamp, a checkout from git; an installed package does not know it.
    """
    try:
        return str(json.loads(resources.read_text(_STAMP))["commit"])
    except FileNotFoundError:
        return _described() if (_CHECKOUT / ".git").exists() else ""


def full_version() -> str:
    """The version with the commit, if that is known: 1.2.0 (0123456789ab)."""
    return f"{VERSION} ({commit()})" if commit() else VERSION


def _described() -> str:
    command = ["git", "-C", str(_CHECKOUT), "describe", "--always", "--dirty", "--abbrev=12", "--exclude=*"]
    try:
        return subprocess.run(command, capture_output=True, text=True, check=True, timeout=10).stdout.strip()
    except (OSError, subprocess.SubprocessError):  # no git here, or it does not trust the folder
        return ""
