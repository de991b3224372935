"""The version, in one place, and the commit it was built from: for setup, reports and the window."""

from __future__ import annotations

import json
import os
from functools import cache
from pathlib import Path

import zebra_resources

VERSION = "0.1.0"
YEAR = 2026
"""Of this version, for bibliographies."""
NUMERIC_PACKAGES = ("numpy", "scipy", "pandas", "matplotlib", "typst")
"""The packages that figures and reports depend on."""

STAMP = "build.json"  # written into a bundle when it is made
_CHECKOUT = Path(__file__).resolve().parents[2]


@cache
def commit() -> str:
    """The commit as twelve hexadecimal digits, with `-dirty` where files differ from it; "" where unknown.

    A bundle knows it from its stamp, a checkout from git; an installed package does not know it.
    """
    try:
        return str(json.loads(zebra_resources.read_text(STAMP))["commit"])
    except FileNotFoundError:
        return _described() if (_CHECKOUT / ".git").exists() else ""


def full_version() -> str:
    """The version with the commit, if that is known: 1.2.0 (0123456789ab)."""
    return f"{VERSION} ({commit()})" if commit() else VERSION


def versions() -> dict[str, str]:
    """The program, Python and the packages that figures and reports depend on, name to version.

    The commit of the program follows its version, where it is known.
    """
    import platform

    found = {"zebra": VERSION}
    if commit():
        found["commit"] = commit()
    found["python"] = platform.python_version()
    return found | {name: _installed(name) for name in NUMERIC_PACKAGES}


@cache  # its metadata are read as a letter is, which takes longer than all else that evidence says
def _installed(package: str) -> str:
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version(package)
    except PackageNotFoundError:  # a bundle may carry a package without its metadata
        return "unknown"


def _described() -> str:
    import shutil
    import subprocess

    git = shutil.which("git")
    if git is None or not Path(git).is_absolute():  # one of the current folder, which may be somebody else's
        return ""
    command = [git, "-C", str(_CHECKOUT), "describe", "--always", "--dirty", "--abbrev=12", "--exclude=*"]
    environment = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    try:
        return subprocess.run(
            command, env=environment, capture_output=True, text=True, check=True, timeout=10
        ).stdout.strip()
    except (OSError, subprocess.SubprocessError):  # no git here, or it does not trust the folder
        return ""
