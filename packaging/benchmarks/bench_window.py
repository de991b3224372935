"""How long a long curve takes to draw in the window, against a bare plot with lines as thick as short ones.

Run by `make bench`, without a screen. Prints the ratio and fails where it is above `MOST`; then how long
it takes to change from pane to pane, and fails where a pane that was seen before takes longer than
`MOST_TO_CHANGE`, or where the window does not answer for as long.
"""

import os
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QSettings
from PySide6.QtWidgets import QApplication

from zebra_core.figures.figure import Axis, Figure, Line
from zebra_core.figures.readout import ece_read_out
from zebra_core.project.demo import demo_project
from zebra_gui.app import make_app, make_window
from zebra_gui.dialogs.save import SaveChoice
from zebra_gui.plots.figure import FigureView
from zebra_gui.window.window import Window

POINTS = 100_000
REPEATS = 7
MOST = 0.5  # a long curve is drawn thin, for thick soft lines are slow
SIZE = 1000, 700
MOST_TO_CHANGE = 0.1  # seconds
IDLE_TURNS, IDLE_SECONDS = 4, 0.002  # so many turns of the event loop with less than this in them: it is done


def seconds(work: Callable[[], object]) -> float:
    """Once, by the clock."""
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def long_curve() -> int:
    """One curve of many points, in our view and thick in a bare plot, in turn."""
    x = np.linspace(-8.0, 8.0, POINTS)
    y = np.abs(np.sin(30.0 * x))
    view, bare = FigureView(ece_read_out), pg.PlotWidget()
    lines = (Line(x, y, "a long curve", 0),)
    view.show_figure(Figure("a long curve", Axis("x", -8.0, 8.0), Axis("y", 0.0, 1.0), lines, "a long curve"))
    bare.plot(x, y, pen=pg.mkPen(width=1.8), antialias=True)
    for widget in (view, bare):
        widget.resize(*SIZE)
        widget.grab()
    pairs = [(seconds(view.grab), seconds(bare.grab)) for _ in range(REPEATS)]
    ours, theirs = (median(times) for times in zip(*pairs, strict=True))
    ratio = ours / theirs
    print(
        f"a curve of {POINTS:,} points: {ours:.3f} s, thick in a bare plot {theirs:.3f} s, ratio {ratio:.2f}"
    )
    return 0 if ratio <= MOST else 1


def change_to(window: Window, topic: str) -> tuple[float, float]:
    """Bring a pane to the front and wait until its picture is there and painted.

    Seconds that the program computed for it, and the longest that the window did not answer meanwhile.
    """
    app = QApplication.instance()
    assert app is not None
    assert window.workspace is not None
    start, longest, idle = time.process_time(), 0.0, 0
    window.workspace.show_topic(topic)
    while idle < IDLE_TURNS:
        turn = time.thread_time()
        app.processEvents()
        turn = time.thread_time() - turn
        longest = max(longest, turn)
        is_busy = window.jobs.waiting or window.session.drawing.is_busy or turn > IDLE_SECONDS
        idle = 0 if is_busy else idle + 1
    return time.process_time() - start, longest


def panes(paths: list[Path]) -> bool:
    """Change from pane to pane: at first, again, and after another item was selected; whether all is quick.

    Of the demo, or of what these paths come to. Intervals that come by themselves are left out.
    """
    app = make_app()
    window = make_window(app, paths, project=None if paths else demo_project())
    window.dialogs.ask_to_save = lambda _name: SaveChoice.DISCARD  # nobody is there to be asked
    window.automatic_intervals.switch(False)
    window.resize(1280, 800)
    window.show()
    while window.jobs.waiting or not window.session.items:
        app.processEvents()
    assert window.workspace is not None
    slow = []
    for when in ("first", "again", "other", "again"):
        if when == "other":
            window.session.select(window.session.items[-1].id)
        for topic in window.workspace.topics:
            took, longest = change_to(window, topic)
            title = window.workspace.front_pane.title()
            print(f"{title}, {when}: {1000 * took:.0f} ms, longest turn {1000 * longest:.0f} ms")
            if max(longest, took if when == "again" else 0.0) > MOST_TO_CHANGE:
                slow.append(title)
    window.close()
    return not slow


def main() -> int:
    """Both; arguments are files and folders with other data than the demo's."""
    with tempfile.TemporaryDirectory() as folder:  # neither the user's settings nor autosaved projects
        os.environ["XDG_DATA_HOME"] = folder
        QSettings.setDefaultFormat(QSettings.Format.IniFormat)
        QSettings.setPath(QSettings.Format.IniFormat, QSettings.Scope.UserScope, folder)
        make_app()
        status = long_curve()
        is_quick = panes([Path(argument) for argument in sys.argv[1:]])
    return status if is_quick else 1


if __name__ == "__main__":
    sys.exit(main())
