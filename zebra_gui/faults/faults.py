"""Exceptions that nobody caught: logged and shown, and the program goes on."""

from __future__ import annotations

import logging
import re
import sys
import threading
import time
import traceback
from types import TracebackType

from PySide6.QtCore import QObject, Qt, Signal

log = logging.getLogger(__name__)

_MOST_SHOWN = 20  # a fault in painting comes back with every frame
_QUIET_S = 5.0  # a fault that did not come back for so long comes of something that the user has done anew
_ADDED_BY_QT = re.compile(r"(Error calling Python override of \w+::\w+\(\): )+")


class Faults(QObject):
    """Takes the place of the exception hooks, of every thread.

    Signals:
        happened: an exception that was not seen before; emitted in the thread of this object.
        happened_again: one that was seen before, but not just now.
    """

    happened = Signal(Exception)
    happened_again = Signal(Exception)
    _caught = Signal(object)
    _caught_again = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._last_seen: dict[tuple[str, str], float] = {}
        self._caught.connect(self.happened, Qt.ConnectionType.QueuedConnection)
        self._caught_again.connect(self.happened_again, Qt.ConnectionType.QueuedConnection)

    def install(self) -> None:
        """Catch from now on."""
        sys.excepthook = self.catch
        threading.excepthook = lambda args: self.catch(args.exc_type, args.exc_value, args.exc_traceback)
        sys.unraisablehook = log_unraisable

    def remove(self) -> None:
        """Catch no longer."""
        sys.excepthook = sys.__excepthook__
        threading.excepthook = threading.__excepthook__
        sys.unraisablehook = sys.__unraisablehook__

    def catch(
        self, kind: type[BaseException], error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Log the exception, and tell it: once for each kind and place, and again after some quiet."""
        if not isinstance(error, Exception):
            sys.__excepthook__(kind, error or kind(), trace)  # Ctrl+C and the like are no faults
            return
        # Not by its message, which may be another with every frame.
        seen, now = (kind.__qualname__, _place(trace) or message_of(error)), time.monotonic()
        before = self._last_seen.get(seen)
        if before is not None:
            self._last_seen[seen] = now
            if now - before >= _QUIET_S:
                self._caught_again.emit(error)
        elif len(self._last_seen) < _MOST_SHOWN:
            self._last_seen[seen] = now
            log.error("an exception was not caught", exc_info=(kind, error, trace))
            self._caught.emit(error)
        # What its frames hold must go now: a painter that stays active stops whatever else is painted there.
        traceback.clear_frames(trace)


def message_of(error: BaseException) -> str:
    """What an exception says; empty where it cannot even say that."""
    try:
        return _ADDED_BY_QT.sub("", str(error))
    except Exception:  # noqa: BLE001 - whatever it is, the exception itself is to be told
        return ""


def log_unraisable(unraisable: sys.UnraisableHookArgs) -> None:
    """Log what was raised where nobody could catch it, as when something is thrown away."""
    kind, error, trace = unraisable.exc_type, unraisable.exc_value, unraisable.exc_traceback
    log.error("an exception could not be raised", exc_info=(kind, error or kind(), trace))


def _place(trace: TracebackType | None) -> str:
    """Where the exception came up."""
    frames = traceback.StackSummary.extract(traceback.walk_tb(trace), lookup_lines=False)
    return f"{frames[-1].filename}:{frames[-1].lineno}" if frames else ""
