"""Opening a file that somebody else sent: its bytes, its size and hash, or the sentence why not."""

from __future__ import annotations

import hashlib
import stat
from dataclasses import dataclass
from pathlib import Path

from core.errors import InputError


@dataclass(frozen=True, eq=False)
class OpenedFile:
    """A whole file in memory, exactly as it lies on disk."""

    path: Path
    content: bytes

    @property
    def name(self) -> str:
        """The name shown to the user."""
        return self.path.name

    @property
    def sha256(self) -> str:
        """The SHA-256 of the content, hexadecimal."""
        return hashlib.sha256(self.content).hexdigest()


def open_file(path: Path) -> OpenedFile:
    """Read a regular file. Raises InputError when it is missing, unreadable, empty, or no file at all."""
    name = path.name or str(path)
    try:
        mode = path.stat().st_mode
        if stat.S_ISDIR(mode):
            raise InputError("is-directory", file=name)
        if not stat.S_ISREG(mode):
            raise InputError("not-a-file", file=name)
        content = path.read_bytes()
    except FileNotFoundError as error:
        raise InputError("missing", file=name, folder=str(path.parent)) from error
    except (OSError, ValueError) as error:  # ValueError: a path with a NUL in it
        reason = getattr(error, "strerror", None) or str(error)
        raise InputError("unreadable", file=name, reason=reason) from error
    if not content.strip():
        raise InputError("empty", file=name)
    return OpenedFile(path, content)
