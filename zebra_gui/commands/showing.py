"""Opening the window from the command line, where there is a screen and all that it takes."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType

from zebra_core.errors import InputError
from zebra_core.files.access import refuse_missing
from zebra_gui import core_types as core
from zebra_gui.commands import libraries

_OF_THE_WINDOW = ("PySide6", "shiboken6", "pyqtgraph")  # the extra `gui`


def open_window(
    files: Sequence[Path] = (), *, demo: bool = False, project: core.Project | None = None
) -> int:
    """Show the window, and return its exit status when it is closed.

    Raises InputError where there is no screen, or none that answers, or Qt or what it needs of the system is
    not installed.
    """
    app = _window_program()
    status: int = app.run(files, demo=demo, project=project)
    return status


def open_listening(test: Path | None = None) -> int:
    """Show a listener's test, or ask for one, full screen, until it is closed; the exit status.

    Raises InputError.
    """
    if test is not None:
        refuse_missing(test)
    status: int = _window_program().run_listening(test)
    return status


def _window_program() -> ModuleType:
    """What opens windows. Raises InputError where that cannot be done here."""
    if not has_screen():
        raise InputError("no-screen")
    lacking = libraries.missing()
    gc.disable()  # of what is imported nothing is garbage; the window sees to the rest from when it is there
    try:
        from zebra_gui import app
    except ModuleNotFoundError as error:
        if (error.name or "").split(".")[0] not in _OF_THE_WINDOW:
            raise
        raise InputError("no-window") from None
    except ImportError as error:
        if not lacking:
            raise
        raise InputError("no-libraries", packages=" ".join(lacking)) from error
    if lacking and not os.environ.get("QT_QPA_PLATFORM"):  # Qt would end the program without a way back
        raise InputError("no-libraries", packages=" ".join(lacking))
    if not os.environ.get("QT_QPA_PLATFORM") and (silent := libraries.silent_screens()):
        raise InputError("silent-screen", screens=", ".join(silent))  # here, too
    return app


def has_screen() -> bool:
    """Whether a window can be shown: on Linux where there is a display, elsewhere always."""
    platform = os.environ.get("QT_QPA_PLATFORM", "")
    if platform.startswith(("offscreen", "minimal")):
        return False
    return sys.platform != "linux" or any(
        os.environ.get(name) for name in ("QT_QPA_PLATFORM", "DISPLAY", "WAYLAND_DISPLAY")
    )
