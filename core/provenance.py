"""What a result rests on beside the trials: the versions that computed it."""

from __future__ import annotations

import platform
from importlib.metadata import PackageNotFoundError, version

from core.version import VERSION, commit

NUMERIC_PACKAGES = ("numpy", "scipy", "pandas", "matplotlib", "typst")


def versions() -> dict[str, str]:
    """The program, Python and the packages that figures and reports depend on, name to version.

    The commit of the program follows its version, where it is known.
    """
    found = {"zebra": VERSION}
    if commit():
        found["commit"] = commit()
    found["python"] = platform.python_version()
    for name in NUMERIC_PACKAGES:
        try:
            found[name] = version(name)
        except PackageNotFoundError:  # a bundle may carry a package without its metadata
            found[name] = "unknown"
    return found
