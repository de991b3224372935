"""The application: made once, with its font, its looks and its name, and run until the window is closed."""

from __future__ import annotations

import ctypes
import logging
import sys
from collections.abc import Sequence
from pathlib import Path

# Loaded here, before the window shows: it must be in this thread, where later it would stop the window.
import pyqtgraph as pg
from PySide6.QtCore import QCoreApplication, QEvent, QObject, QSize, Qt
from PySide6.QtGui import QFileOpenEvent, QGuiApplication, QIcon
from PySide6.QtWidgets import QApplication, QStyle

import zebra_resources
from zebra_core.version import VERSION
from zebra_gui import core_types as core
from zebra_gui.dialogs.fault import FaultDialog
from zebra_gui.faults.faults import Endings, Faults, make_exceptions_whole
from zebra_gui.faults.logs import start_logging, stop_logging
from zebra_gui.jobs.leaving import MOST_MS
from zebra_gui.jobs.memory_trimmer import GarbageCollection, share_one_heap
from zebra_gui.language.translating import speak_as_chosen, translate_window
from zebra_gui.widgets.theme import Theme, load_fonts, tell_roles
from zebra_gui.window.window import Window

log = logging.getLogger(__name__)


def make_app(arguments: Sequence[str] = ()) -> QApplication:
    """The application with everything that holds for all its windows."""
    share_one_heap()
    make_exceptions_whole()
    pg.setConfigOptions(imageAxisOrder="row-major", antialias=True)
    QCoreApplication.setApplicationName("ZEBRA")
    QCoreApplication.setApplicationVersion(VERSION)
    QGuiApplication.setApplicationDisplayName("ZEBRA")
    QGuiApplication.setDesktopFileName("zebra")
    if sys.platform == "win32":  # else the taskbar shows it under the name and icon of Python
        ctypes.windll.shell32.SetCurrentProcessExplicitAppUserModelID("org.zebra_privacy.Zebra")
    existing = QApplication.instance()
    app = existing if isinstance(existing, QApplication) else QApplication(["zebra", *arguments])
    app.setStyle("Fusion")
    if existing is None:
        tell_roles()
    for effect in Qt.UIEffect:  # nothing moves by itself, whatever the desktop does
        app.setEffectEnabled(effect, False)
    app.setWindowIcon(QIcon(str(zebra_resources.path("icons/zebra.png"))))
    load_fonts(app)
    return app


def make_window(
    app: QApplication,
    paths: Sequence[Path] = (),
    *,
    demo: bool = False,
    project: core.Project | None = None,
) -> Window:
    """A window, with these files as if dropped on it, with the demo, or with what was assessed already."""
    window = Window(Theme(app))
    if project is not None:
        window.session.open_project(project)
    if demo:
        window.documents.open_demo()
    window.open_paths(paths)
    return window


class FileRequests(QObject):
    """Opens what macOS asks for: a double click on a file there is an event, not an argument."""

    def __init__(self, window: Window) -> None:
        super().__init__(window)
        self._window = window

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QFileOpenEvent) and event.file():
            self._window.open_paths([Path(event.file())])
            return True
        return super().eventFilter(watched, event)


def fit_to_screen(window: Window) -> None:
    """Make the window no larger than there is room for with its title bar: its lower edge must be seen."""
    room = window.screen().availableSize()
    title = window.style().pixelMetric(QStyle.PixelMetric.PM_TitleBarHeight)
    window.resize(window.size().boundedTo(QSize(room.width(), room.height() - title)))


def run(paths: Sequence[Path] = (), demo: bool = False, project: core.Project | None = None) -> int:
    """Open the window and stay until it is closed. Returns the exit status."""
    app = make_app()
    speak_as_chosen()
    translate_window(app)
    start_logging()
    try:
        window = make_window(app, paths, demo=demo, project=project)
        garbage = GarbageCollection(window)
        window.preparing.done.connect(garbage.settle)
        faults = Faults(window)
        faults.happened.connect(window.session.report_failure)
        faults.happened_again.connect(window.session.report_fault_again)
        faults.install()
        endings = Endings(app, window.documents.keep_all, window.documents.let_go, window)
        app.installEventFilter(FileRequests(window))
        fit_to_screen(window)
        window.show()
        window.documents.look_for_leftovers()
    except Exception as error:
        log.exception("the window could not be opened")
        FaultDialog(error).exec()  # whoever double-clicked has no terminal to read it in
        raise
    status = app.exec()
    endings.stop()
    faults.remove()  # the window is gone: nobody could be told
    garbage.stop()
    window.finish(MOST_MS)  # what stops in time tidies up; for the rest nobody waits: see `leave`
    stop_logging()
    return status


def run_listening(test: Path | None) -> int:
    """Show a listener's test, or ask for one, full screen, until it is closed. Returns the exit status."""
    from zebra_gui.listening.window import ListeningWindow
    from zebra_gui.widgets.player import Player

    app = make_app()
    speak_as_chosen()
    translate_window(app)
    start_logging()
    Theme(app)
    window = ListeningWindow(test, Player())
    faults = Faults(window)
    faults.happened.connect(window.tell_fault)
    faults.install()
    window.showFullScreen()
    status = app.exec()
    faults.remove()
    stop_logging()
    return status
