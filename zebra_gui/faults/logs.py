"""The logs: where the program failed, for the user to send to us; no scores and no ids are in them."""

from __future__ import annotations

import faulthandler
import logging
import time
from logging.handlers import RotatingFileHandler
from pathlib import Path
from types import TracebackType
from typing import IO

from PySide6.QtCore import QStandardPaths

from zebra_core.errors import ZebraError
from zebra_core.installation.faults import fault_report
from zebra_core.version import VERSION

LOG = "zebra.log"
_LARGEST = 256 * 1024  # bytes of one file, of which there are three
_OURS = ("zebra_core", "zebra_gui")
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
        handler = _Log(folder / LOG, maxBytes=_LARGEST, backupCount=2, encoding="utf-8", delay=False)
        _crashes = _crash_log(folder)
    except OSError:
        logging.getLogger().addHandler(logging.NullHandler())
        return None
    handler.setFormatter(NothingOfTheUsers("%(asctime)s %(levelname)s %(name)s %(message)s"))
    handler.setLevel(logging.INFO)
    logging.getLogger().addHandler(handler)
    faulthandler.enable(_crashes)
    return folder


def _crash_log(folder: Path) -> IO[str]:
    """Where the next crash is written, below those before: users start anew first, and then they tell us."""
    path = folder / "crash.log"
    if path.exists() and path.stat().st_size > _LARGEST:
        path.replace(folder / "crash.log.1")
    log = path.open("a", encoding="utf-8")
    log.write(f"{time.strftime('%Y-%m-%d %H:%M:%S')} ZEBRA {VERSION} started\n")
    log.flush()
    return log


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


class _Log(RotatingFileHandler):
    def handleError(self, record: logging.LogRecord) -> None:
        """A disk that is full is no matter of the log's: what is at work tells it."""


class NothingOfTheUsers(logging.Formatter):
    """Writes of an exception what it is and where it came up, not its message, which may quote a file.

    So may what libraries say of their own accord: of that, only where they said it.
    """

    def format(self, record: logging.LogRecord) -> str:
        bare = logging.makeLogRecord(vars(record))  # other handlers get it as it is
        # Another handler may have formatted the exception already, message and all.
        bare.exc_text = bare.stack_info = None
        if bare.name.split(".")[0] not in _OURS:
            bare.msg, bare.args = f"said something in {bare.module}.py:{bare.lineno}", ()
        return super().format(bare)

    def formatException(self, ei: Caught) -> str:
        error = ei[1]
        if error is None:
            return ""
        code = f"\ncode {error.code}" if isinstance(error, ZebraError) else ""
        return fault_report(error, {}) + code
