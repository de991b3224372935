"""How long a long curve takes to draw in the window, against a bare plot with lines as thick as short ones.

Run by `make bench`, without a screen. Prints the ratio and fails where it is above `MOST`; then how long
the panes of the demo take to change, first and again.
"""

import os
import sys
import time
from collections.abc import Callable
from statistics import median

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import numpy as np
import pyqtgraph as pg

from core.demo import demo_project
from core.figures.figure import Axis, Figure, Line
from core.figures.readout import ece_read_out
from zebra_gui.app import make_app, make_window
from zebra_gui.plots.figure import FigureView

POINTS = 100_000
REPEATS = 7
MOST = 0.5  # a long curve is drawn thin, for thick soft lines are slow
SIZE = 1000, 700


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


def panes() -> None:
    """Change from pane to pane, twice."""
    app = make_app()
    window = make_window(app, project=demo_project())
    window.resize(1280, 800)
    window.show()
    app.processEvents()
    assert window.workspace is not None
    for when in ("first", "again"):
        for number, pane in enumerate(window.workspace.panes):
            took = seconds(lambda number=number, pane=pane: (window.workspace.show_pane(number), pane.grab()))
            print(f"{pane.title()}, {when}: {1000 * took:.0f} ms")
    window.close()


def main() -> int:
    """Both."""
    make_app()
    status = long_curve()
    panes()
    return status


if __name__ == "__main__":
    sys.exit(main())
