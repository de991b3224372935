"""A long day: so many random actions of a user in one window, by a seed.

    make soak ARGS="[ACTIONS [SEED]]"                2000 actions unless told otherwise
    QT_QPA_PLATFORM=xcb xvfb-run -a make soak        with a screen, which no one sees

Prints the memory every 200 actions, at the end what the user did. Fails on any exception, any message of
Qt, a thread or timer that is left, and where the memory at the end is above that after the first 200
actions by more than a tenth.
"""

import os
import sys
import tempfile
import time
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtCore import QCoreApplication, QEvent, QSettings

from tests.soak.health import Watch, counts, left_running, memory_mb
from tests.soak.user import User, settle
from zebra_gui.app import make_app, make_window
from zebra_gui.dialogs import Dialogs
from zebra_gui.dialogs.save import SaveChoice

WARM = 200  # actions after which everything was there once
MOST_GROWTH = 0.10


def main(actions: int = 2000, seed: int = 1) -> int:
    """Soak. Returns the exit status."""
    with tempfile.TemporaryDirectory() as home:
        os.environ["XDG_DATA_HOME"] = home
        QSettings.setDefaultFormat(QSettings.Format.IniFormat)
        QSettings.setPath(QSettings.Format.IniFormat, QSettings.Scope.UserScope, home)
        return soak(Path(home), actions, seed)


def soak(folder: Path, actions: int, seed: int) -> int:
    """The day, with what is on disk in this folder."""
    app, began, warm, objects = make_app(), time.monotonic(), 0.0, {}
    window = make_window(app)
    user = User(window, folder, seed)
    user.answering(setattr)
    with Watch(window) as watch:
        window.show()
        user.do_everything_once()
        for number in range(1, actions + 1):
            done = user.act()
            if watch.told:
                print(f"action {number}, {done}: {watch.told}")
                return 1
            if number % WARM == 0:
                settle(window, unasked=True)
                print(
                    f"{number:6} actions {time.monotonic() - began:6.0f} s {memory_mb():7.1f} MB", flush=True
                )
            if number == WARM:
                warm, objects = memory_mb(), counts()
        settle(window, unasked=True)
        memory, more = memory_mb(), counts()
        Dialogs.ask_to_save = lambda *_: SaveChoice.DISCARD  # type: ignore[method-assign]
        window.close()
        window.deleteLater()
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
        left = left_running()
    growth = memory / warm - 1.0 if warm else 0.0
    print(f"memory {growth:+.1%}; left running: {left or 'nothing'}; told: {watch.told or 'nothing'}")
    print("done:", ", ".join(f"{count} {name}" for name, count in sorted(user.seen.items())))
    grown = {
        kind: (objects.get(kind, 0), n) for kind, n in more.items() if n > 1.5 * objects.get(kind, 0) + 20
    }
    print("more objects than after the first actions:", grown or "none")
    return 1 if left or watch.told or growth > MOST_GROWTH else 0


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:])))
