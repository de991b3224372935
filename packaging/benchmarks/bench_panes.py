"""How fluid pictures are: frames while 100 profiles, matrices of 1000 speakers, and a zoo of 7000 are moved.

Run without a screen: every frame is drawn whole by the software renderer, which is slower than a screen.
Prints frames per second, the median of many, in time that the thread of the window computed, whatever else
the machine has to do; and fails where they are too few.
"""

import os
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from statistics import median

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import numpy as np
from PySide6.QtCore import QRectF
from PySide6.QtWidgets import QApplication, QWidget

from zebra_core.figures.figure import Axis, Cells, CellsFigure, ColourScale, Figure, Line, Marker, NamedPoints
from zebra_core.figures.readout import ece_read_out
from zebra_core.figures.series import ece_figure
from zebra_core.project.demo import demo_project
from zebra_gui.app import make_app
from zebra_gui.plots.cells import CellsView
from zebra_gui.plots.figure import FigureView
from zebra_gui.plots.points import PointsView

PROFILES, SPEAKERS_OF_MATRIX, SPEAKERS_OF_ZOO = 100, 1000, 7000
FRAMES = 40
FEWEST_PER_SECOND = 30.0
SIZE = 1000, 760


_kept: list[QWidget] = []  # scenes that Python forgets before Qt does would take the interpreter along


def frames_per_second(widget: QWidget, move: Callable[[float], None]) -> float:
    """Frames per second while something is moved from 0 to 1."""
    app = QApplication.instance()
    assert app is not None
    _kept.append(widget)
    took = []
    for share in np.linspace(0.0, 1.0, FRAMES):
        start = time.thread_time()
        move(float(share))
        widget.grab()  # paints everything, as a screen would want it
        took.append(time.thread_time() - start)
        app.processEvents()
    return 1.0 / median(took)


def matrix_figure(panels: int) -> CellsFigure:
    """Tables of random similarities."""
    n = SPEAKERS_OF_MATRIX
    rng = np.random.default_rng(0)
    names = tuple(f"speaker-{k}" for k in range(n))
    counts = np.ones((n, n), dtype=np.int64)
    tables = [
        Cells(str(k), names, names, "original", "protected", rng.random((n, n)), counts)
        for k in range(panels)
    ]
    half = (panels + 1) // 2
    rows = tuple(tuple(row) for row in (tables[:half], tables[half:]) if row)
    return CellsFigure("Matrices", rows, ColourScale("similarity", 0.0, 1.0), "Random.")


def matrix(panels: int) -> float:
    """A matrix, or a mosaic of four, zoomed in and moved across."""
    view = CellsView()
    view.resize(*SIZE)
    view.show_figure(matrix_figure(panels))
    view.show()
    n = float(SPEAKERS_OF_MATRIX)
    box = view.canvas.panels[0].view

    def zoom(share: float) -> None:
        side = n * (1.0 - 0.9 * share)
        box.setRange(QRectF(share * (n - side), share * (n - side), side, side), padding=0.0)

    def pan(share: float) -> None:
        box.setRange(QRectF(share * 0.5 * n, share * 0.5 * n, 0.5 * n, 0.5 * n), padding=0.0)

    return min(frames_per_second(view, zoom), frames_per_second(view, pan))


def zoo() -> float:
    """A zoo with an animal in each corner, moved and zoomed."""
    rng = np.random.default_rng(0)
    share = SPEAKERS_OF_ZOO // len(Marker)
    names = tuple(map(str, range(share)))
    groups = tuple(
        NamedPoints(rng.normal(size=share), rng.normal(size=share), k, f"group {k}", marker, names=names)
        for k, marker in enumerate(Marker)
    )
    border = Line(np.zeros(2), np.array([-4.0, 4.0]), None, 0)
    view = PointsView(lambda points, number: points.names[number])
    view.resize(*SIZE)
    view.show_figure(Figure("Zoo", Axis("x", -4.0, 4.0), Axis("y", -4.0, 4.0), (border,), "Random.", groups))
    view.show()
    box = view.plot.getViewBox()

    def move(share: float) -> None:
        side = 8.0 - 4.0 * share
        box.setRange(xRange=(-4.0, -4.0 + side), yRange=(-4.0, -4.0 + side), padding=0.0)

    return frames_per_second(view, move)


def overlaid_profiles() -> float:
    """Profiles of many assessments with their actual curves, one of them emphasised, zoomed in and moved."""
    first = demo_project().entries
    rng = np.random.default_rng(0)
    entries = [
        replace(first[k % len(first)], id=str(k), name=f"safeguard {k}", colour=k) for k in range(PROFILES)
    ]
    figure = ece_figure(entries, entries[3].id, actual=True)
    lines = tuple(replace(line, y=line.y * rng.uniform(0.5, 1.0)) for line in figure.lines)
    view = FigureView(ece_read_out)
    view.resize(*SIZE)
    view.show_figure(replace(figure, lines=lines))
    view.show()
    x, y, box = figure.x, figure.y, view.plot.getViewBox()
    wide, high = x.high - x.low, y.high - y.low

    def zoom(share: float) -> None:
        side = 1.0 - 0.9 * share
        box.setRange(QRectF(x.low + share * wide * (1.0 - side), y.low, wide * side, high * side), padding=0)

    def pan(share: float) -> None:
        box.setRange(QRectF(x.low + 0.5 * share * wide, y.low, 0.5 * wide, 0.5 * high), padding=0)

    return min(frames_per_second(view, zoom), frames_per_second(view, pan))


def main() -> int:
    """All four."""
    make_app()
    found = {
        f"{PROFILES} overlaid profiles": overlaid_profiles(),
        f"one matrix of {SPEAKERS_OF_MATRIX} speakers": matrix(1),
        f"a mosaic of four of {SPEAKERS_OF_MATRIX} speakers": matrix(4),
        f"a zoo of {SPEAKERS_OF_ZOO} speakers": zoo(),
    }
    for name, frames in found.items():
        print(f"{name}: {frames:.0f} frames a second")
    return 0 if min(found.values()) >= FEWEST_PER_SECOND else 1


if __name__ == "__main__":
    sys.exit(main())
