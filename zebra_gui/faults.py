"""Exceptions that nobody caught: logged and shown, and the program goes on."""

from __future__ import annotations

import logging
import sys
import threading
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
        self._seen: set[str] = set()
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
        """Log the exception, and tell it once."""
        if not isinstance(error, Exception):
            sys.__excepthook__(kind, error or kind(), trace)  # Ctrl+C and the like are no faults
            return
        seen = f"{kind.__qualname__}: {error}"
        if seen in self._seen or len(self._seen) >= _MOST_SHOWN:
            return
        self._seen.add(seen)
        log.error("an exception was not caught", exc_info=(kind, error, trace))
        self._caught.emit(error)
