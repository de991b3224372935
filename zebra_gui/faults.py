"""Exceptions that nobody caught: logged and shown, and the program goes on."""

from __future__ import annotations

import logging
import sys
import threading
import traceback
from types import TracebackType

from PySide6.QtCore import QObject, Qt, Signal

log = logging.getLogger(__name__)

_MOST_SHOWN = 20  # a fault in painting comes back with every frame


class Faults(QObject):
    """Takes the place of the exception hooks, of every thread.

    Signals:
        happened: an exception that was not seen before; emitted in the thread of this object.
    """

    happened = Signal(Exception)
    _caught = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._seen: set[tuple[str, str]] = set()
        self._caught.connect(self.happened, Qt.ConnectionType.QueuedConnection)

    def install(self) -> None:
        """Catch from now on."""
        sys.excepthook = self.catch
        threading.excepthook = lambda args: self.catch(args.exc_type, args.exc_value, args.exc_traceback)

    def remove(self) -> None:
        """Catch no longer."""
        sys.excepthook = sys.__excepthook__
        threading.excepthook = threading.__excepthook__

    def catch(
        self, kind: type[BaseException], error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Log the exception, and tell it: once for each kind and place."""
        if not isinstance(error, Exception):
            sys.__excepthook__(kind, error or kind(), trace)  # Ctrl+C and the like are no faults
            return
        # Not by its message, which may be another with every frame.
        seen = kind.__qualname__, _place(trace) or str(error)
        if seen not in self._seen and len(self._seen) < _MOST_SHOWN:
            self._seen.add(seen)
            log.error("an exception was not caught", exc_info=(kind, error, trace))
            self._caught.emit(error)
        # What its frames hold must go now: a painter that stays active stops whatever else is painted there.
        traceback.clear_frames(trace)


def _place(trace: TracebackType | None) -> str:
    """Where the exception came up."""
    frames = traceback.StackSummary.extract(traceback.walk_tb(trace), lookup_lines=False)
    return f"{frames[-1].filename}:{frames[-1].lineno}" if frames else ""
