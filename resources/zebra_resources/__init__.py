"""The files that come with ZEBRA (fonts, demo data, templates, texts), and the one door to them.

A name is the path below this folder, with forward slashes: ``"fonts/OFL.txt"``. The files lie beside
this module in a checkout, when installed, and in a frozen folder, so they also have a real path.
"""

from pathlib import Path

__all__ = ["path", "read_bytes", "read_text"]

_ROOT = Path(__file__).resolve().parent


def path(name: str) -> Path:
    """Where the file or folder is. Raises FileNotFoundError if there is none of that name."""
    found = (_ROOT / name).resolve()
    if not found.is_relative_to(_ROOT):
        raise ValueError(f"{name!r} leads out of the resources")
    if not found.exists():
        raise FileNotFoundError(f"no resource is called {name!r}")
    return found


def read_bytes(name: str) -> bytes:
    """Return the content of a file, untouched."""
    return path(name).read_bytes()


def read_text(name: str) -> str:
    """Return the content of a text file in UTF-8; line ends become newlines."""
    return path(name).read_text(encoding="utf-8")
