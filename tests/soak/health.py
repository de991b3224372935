"""How a program is: what went wrong in it, how much memory it has, and what it left running."""

from __future__ import annotations

import ctypes
import gc
import os
import sys
import threading
from pathlib import Path
from traceback import format_exception

from PySide6.QtCore import QObject, QThreadPool, QTimer, qInstallMessageHandler
from shiboken6 import isValid

from zebra_gui.window.window import Window

_OFFSCREEN = tuple(
    f"This plugin does not support {what}"  # the offscreen platform has no window manager and says so
    for what in ("propagateSizeHints()", "raise()", "grabbing the keyboard")
)
_PAGE = os.sysconf("SC_PAGE_SIZE") if hasattr(os, "sysconf") else 4096


class Watch:
    """Keeps what no user should see: exceptions, faults, messages of Qt. Use with `with`."""

    def __init__(self, window: Window) -> None:
        self.told: list[str] = []
        window.session.faulted.connect(lambda error: self.told.append(f"fault: {error!r}"))

    def __enter__(self) -> Watch:
        self._hook, self._thread_hook = sys.excepthook, threading.excepthook
        sys.excepthook = lambda *raised: self.told.append("".join(format_exception(*raised)))
        threading.excepthook = lambda args: self.told.append("".join(format_exception(args.exc_value)))
        self._handler = qInstallMessageHandler(self._on_message)
        return self

    def __exit__(self, *_raised: object) -> None:
        qInstallMessageHandler(self._handler)
        sys.excepthook, threading.excepthook = self._hook, self._thread_hook

    def _on_message(self, _kind: object, _where: object, text: str) -> None:
        if text not in _OFFSCREEN:
            self.told.append(f"Qt: {text}")


def memory_mb() -> float:
    """Memory that the process holds, after it was asked to give back what it does not need."""
    gc.collect()
    if sys.platform == "linux":
        ctypes.CDLL(None).malloc_trim(0)
    return int(Path("/proc/self/statm").read_text().split()[1]) * _PAGE / 1e6


def left_running() -> list[str]:
    """Threads of Python and timers of Qt that are still at it."""
    QThreadPool.globalInstance().waitForDone(2000)
    gc.collect()
    timers = [thing for thing in gc.get_objects() if isinstance(thing, QTimer)]
    threads = [thread for thread in threading.enumerate() if not thread.daemon]
    return [
        *(f"timer of {timer.parent()!r}" for timer in timers if isValid(timer) and timer.isActive()),
        *(f"thread {thread.name}" for thread in threads if thread is not threading.main_thread()),
    ]


def counts() -> dict[str, int]:
    """How many objects there are of the kinds that leak."""
    found: dict[str, int] = {}
    for thing in gc.get_objects():
        kind = type(thing)
        if issubclass(kind, QObject) or str(kind.__module__).startswith(("core.", "matplotlib.figure")):
            found[kind.__qualname__] = found.get(kind.__qualname__, 0) + 1
    return found
