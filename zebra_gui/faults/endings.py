"""Ends that nobody chose in the window: Ctrl+C in the shell, the session or the system going down.

Nobody can be asked then, so unsaved changes are kept aside, to be offered at the next start.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable
from contextlib import suppress

from PySide6.QtCore import QObject, QSocketNotifier
from PySide6.QtGui import QGuiApplication

_SIGNALS = ("SIGINT", "SIGTERM", "SIGHUP")


class Endings(QObject):
    """Calls `keep` before the program may be ended from outside, and `let_go` where it will be.

    It does so from when it is made until `stop`.
    """

    def __init__(
        self,
        app: QGuiApplication,
        keep: Callable[[], object],
        let_go: Callable[[], object],
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._app, self._keep, self._let_go = app, keep, let_go
        self._watched: set[int] = set()
        self._pipe: tuple[int, int] | None = None
        app.commitDataRequest.connect(self._on_session_ends)
        if sys.platform != "win32":
            self._watch_signals()
        else:  # nobody sends others there, and Qt's loop would not let Python see this one
            signal.signal(signal.SIGINT, signal.SIG_DFL)

    def stop(self) -> None:
        """Signals end the program from now on as they do by themselves."""
        self._app.commitDataRequest.disconnect(self._on_session_ends)
        if sys.platform != "win32" and self._pipe is not None:
            self._let_signals_end_it()
            self._notifier.setEnabled(False)
            signal.set_wakeup_fd(-1)
            for end in self._pipe:
                os.close(end)
            self._pipe = None

    def _watch_signals(self) -> None:
        """A signal writes its number into a pipe, which wakes Qt's loop."""
        if sys.platform == "win32":
            return  # its pipes wake nobody
        self._pipe = reading, writing = os.pipe()
        for end in self._pipe:
            os.set_blocking(end, False)
        signal.set_wakeup_fd(writing, warn_on_full_buffer=False)
        self._notifier = QSocketNotifier(reading, QSocketNotifier.Type.Read, self)
        self._notifier.activated.connect(self._on_signal)
        for name in _SIGNALS:
            number = getattr(signal, name)
            if signal.getsignal(number) is not signal.SIG_IGN:  # nohup
                signal.signal(number, _go_on)
                self._watched.add(number)

    def _on_signal(self) -> None:
        assert self._pipe is not None  # noqa: S101 - there is a notifier
        numbers = [number for number in os.read(self._pipe[0], 64) if number in self._watched]
        if not numbers:
            return
        self._let_signals_end_it()  # a second one does so at once
        try:
            self._keep()
            self._let_go()
        finally:
            os.kill(os.getpid(), numbers[0])

    def _on_session_ends(self, _session: object) -> None:
        with suppress(Exception):  # the system asks once, and does not wait for long
            self._keep()

    def _let_signals_end_it(self) -> None:
        for number in self._watched:
            signal.signal(number, signal.SIG_DFL)
        self._watched.clear()


def _go_on(_signal: int, _frame: object) -> None:
    """What is to be done is done by Qt's loop."""
