"""Exceptions that nobody caught: logged and shown, and the program goes on."""

from __future__ import annotations

import logging
import os
import re
import signal
import sys
import threading
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cache, wraps
from types import FunctionType, TracebackType
from typing import Any

from PySide6.QtCore import QObject, QSocketNotifier, Qt, Signal
from PySide6.QtGui import QGuiApplication
from shiboken6 import Shiboken

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


# Exceptions on their way from our code into Qt's are made whole: its bindings crash over those that are not.
#
# Up to Python 3.11 an exception that C code raised (a division by zero, an index that is out of range) is no
# object yet until somebody catches it. PySide 6.10 puts words before the message of whatever leaves a method
# that Qt calls, `paintEvent` or `data`, and where there is no object it reads memory that is none: the
# program would be gone, with all that was not saved, instead of telling what happened.


_BOUND = (
    "PySide6.",
    "Shiboken",
    "shiboken6",
    "builtins",
)  # modules of classes that are not written in Python
_MARK = "__exceptions_are_whole__"


def make_exceptions_whole() -> None:
    """From now on, in all methods that Qt calls, of all classes that there are and will be.

    To be called before any of these methods is: the bindings remember where they found one.
    """
    if sys.version_info >= (3, 12) or "__init_subclass__" in vars(Shiboken.Object):
        return  # from 3.12 on every exception is an object at once
    Shiboken.Object.__init_subclass__ = classmethod(_on_class_made)  # type: ignore[assignment]
    for made in _below(Shiboken.Object):
        _look_through(made)


def _on_class_made(made: type, /, **more: object) -> None:
    object.__init_subclass__(**more)
    _look_through(made)


def _below(kind: type) -> Iterator[type]:
    found: list[type] = type.__subclasses__(kind)
    for made in found:
        yield made
        yield from _below(made)


def _look_through(made: type) -> None:
    """Replace each method that overrides one of Qt's, also where it comes from a class beside Qt's."""
    if _is_bound(made):
        return
    names = frozenset[str]().union(*(_names_in(base) for base in made.__mro__ if _is_bound(base)))
    for base in made.__mro__:
        if not _is_bound(base):
            for name, method in list(vars(base).items()):
                is_ours = isinstance(method, FunctionType) and not hasattr(method, _MARK)
                if is_ours and name in names:
                    setattr(base, name, _made_whole(method))


def _is_bound(kind: type) -> bool:
    return kind.__module__.startswith(_BOUND)


@cache
def _names_in(kind: type) -> frozenset[str]:
    """The names of its own methods that are not Python's."""
    return frozenset(name for name in vars(kind) if not name.startswith("__"))


def _made_whole(method: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(method)
    def whole(*given: Any, **more: Any) -> Any:
        try:
            return method(*given, **more)
        except BaseException:  # noqa: TRY203 - to be caught makes it an object, whatever is done with it
            raise

    setattr(whole, _MARK, True)
    return whole


# Ends that nobody chose in the window: Ctrl+C in the shell, the session or the system going down.
#
# Nobody can be asked then, so unsaved changes are kept aside, to be offered at the next start.


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
