"""The logs: where the program failed, for the user to send to us; no scores and no ids are in them."""

from __future__ import annotations

import faulthandler
import logging
from logging.handlers import RotatingFileHandler
from pathlib import Path
from types import TracebackType
from typing import IO

from PySide6.QtCore import QStandardPaths

from core.errors import ZebraError
from core.faults import fault_report

_LARGEST = 256 * 1024  # bytes of one file, of which there are three
_crashes: IO[str] | None = None  # open as long as the program runs: faulthandler writes to its descriptor

Caught = tuple[type[BaseException], BaseException, TracebackType | None] | tuple[None, None, None]


def log_folder() -> Path:
    """Where the logs are, beside the user's other data of the program."""
    found = QStandardPaths.writableLocation(QStandardPaths.StandardLocation.AppLocalDataLocation)
    return Path(found) / "logs"


def start_logging(folder: Path | None = None) -> Path | None:
    """Log from now on into this folder; None where nothing can be written, and then nothing is logged.

    `zebra.log` has what was done and what failed, `crash.log` where a crash below Python happened.
    """
    global _crashes  # noqa: PLW0603 - there is one program, and one place where it crashes
    stop_logging()
    folder = folder or log_folder()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        handler = RotatingFileHandler(
            folder / "zebra.log", maxBytes=_LARGEST, backupCount=2, encoding="utf-8", delay=False
        )
        _crashes = (folder / "crash.log").open("w", encoding="utf-8")
    except OSError:
        logging.getLogger().addHandler(logging.NullHandler())
        return None
    handler.setFormatter(NothingOfTheUsers("%(asctime)s %(levelname)s %(name)s %(message)s"))
    handler.setLevel(logging.INFO)
    logging.getLogger().addHandler(handler)
    faulthandler.enable(_crashes)
    return folder


def stop_logging() -> None:
    """Close the files."""
    global _crashes  # noqa: PLW0603 - as above
    root = logging.getLogger()
    for handler in [one for one in root.handlers if isinstance(one, RotatingFileHandler)]:
        root.removeHandler(handler)
        handler.close()
    if _crashes is not None:
        faulthandler.disable()
        _crashes.close()
        _crashes = None


class NothingOfTheUsers(logging.Formatter):
    """Writes of an exception what it is and where it came up, not its message, which may quote a file."""

    def format(self, record: logging.LogRecord) -> str:
        # Another handler may have formatted the exception already, message and all.
        record.exc_text = None
        return super().format(record)

    def formatException(self, ei: Caught) -> str:
        error = ei[1]
        if error is None:
            return ""
        code = f"\ncode {error.code}" if isinstance(error, ZebraError) else ""
        return fault_report(error, {}).strip() + code
