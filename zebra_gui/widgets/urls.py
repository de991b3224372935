"""Paths and the URLs by which windows name them: every byte of a name comes through, UTF-8 or not."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from PySide6.QtCore import QByteArray, QUrl


def path_of(url: QUrl) -> Path | None:
    """The file or folder on this computer that a URL names; None where it names none."""
    if not url.isLocalFile() or not url.toLocalFile():
        return None
    if sys.platform != "linux" or url.host():
        return Path(url.toLocalFile())  # names are Unicode there
    # Qt would put U+FFFD in the place of bytes that are no UTF-8, and no such file is there.
    encoded = url.path(QUrl.ComponentFormattingOption.FullyEncoded).encode("ascii")
    return Path(os.fsdecode(bytes(QByteArray.fromPercentEncoding(encoded).data())))


def is_unicode(path: Path) -> bool:
    """Whether a path is text to Qt, which loses any bytes that are no UTF-8."""
    try:
        str(path).encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True
