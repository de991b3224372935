"""The window as the user starts it, with an unsaved change, until a signal ends it; see its test.

    python tests/faults/ended_from_outside.py PROJECT DELAY_MS

Changes are kept aside only after DELAY_MS, unless something makes it sooner. Tells when it is ready.
"""

import signal
import sys
from pathlib import Path

from PySide6.QtCore import QTimer

from zebra_gui import app
from zebra_gui.document import autosave

signal.signal(signal.SIGINT, signal.SIG_DFL)  # in the background of a script it would be passed over
autosave.DELAY_MS = int(sys.argv[2])
make_window = app.make_window


def make_and_watch(*given, **more):
    """The window of the program, and a look at it now and then."""
    window = make_window(*given, **more)
    timer = QTimer(window)
    timer.timeout.connect(lambda: rename_once(window, timer))
    timer.start(20)
    return window


def rename_once(window, timer) -> None:
    """As soon as the project is there."""
    if window.session.items and not window.jobs.waiting:
        timer.stop()
        window.session.edits.rename([window.session.items[0].id], "mine")
        print("ready", flush=True)


app.make_window = make_and_watch
app.run([Path(sys.argv[1])])
