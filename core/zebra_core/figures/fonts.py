"""The font files of all paper: where they lie, and whether they are the same."""

from __future__ import annotations

from functools import cache
from hashlib import sha256
from pathlib import Path

import zebra_resources

FOLDER = "fonts"


def fonts_folder() -> Path:
    """The folder with the font files."""
    return zebra_resources.path(FOLDER)


@cache
def fonts_sha256() -> str:
    """The hash of the font files together, in the order of their names, in hexadecimal."""
    made = sha256()
    for file in sorted(fonts_folder().glob("*.ttf")):
        made.update(file.read_bytes())
    return made.hexdigest()
