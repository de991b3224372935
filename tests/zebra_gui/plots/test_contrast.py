"""What is drawn stands out: measured on the pixels of a plot, not on what its pens were told."""

import numpy as np
import pytest
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication

from accessibility.judging import contrast_within
from tests.contrast import luminance_of_pixels
from zebra_core.figures.figure import (
    SERIES,
    Axis,
    Cells,
    CellsFigure,
    ColourScale,
    Figure,
    Ink,
    Line,
    Marker,
    NamedPoints,
)
from zebra_gui.panes.compare import ComparePane
from zebra_gui.plots.cells import CellsView
from zebra_gui.plots.figure import FigureView
from zebra_gui.widgets.theme import DARK, LIGHT, palette, style_sheet

INKS = (*range(len(SERIES)), Ink.FOREGROUND, Ink.MUTED)


def pixels_of(widget):
    return pixels_of_image(widget.grab().toImage())


def pixels_of_image(image):
    image = image.convertToFormat(QImage.Format.Format_RGB32)
    rows = np.frombuffer(image.constBits(), dtype=np.uint8).reshape(image.height(), -1)
    return rows[:, : 4 * image.width()].reshape(image.height(), image.width(), 4)[:, :, 2::-1]


def strongest(pixels):
    """The contrast with the ground that a twentieth of what is no ground reaches at least."""
    light = luminance_of_pixels(pixels.reshape(-1, 3)) + 0.05
    values, counts = np.unique(light.round(9), return_counts=True)
    ground = values[np.argmax(counts)]
    contrasts = np.maximum(light, ground) / np.minimum(light, ground)
    return np.quantile(contrasts[contrasts > 1.05], 0.95)


@pytest.mark.parametrize("colours", [LIGHT, DARK], ids=["light", "dark"])
@pytest.mark.parametrize("kind", ["line", "points"])
def test_lines_and_points_of_every_colour_stand_out_by_three_to_one(qtbot, colours, kind):
    view = FigureView(lambda _line, _point: "")
    qtbot.addWidget(view)
    view.setPalette(palette(colours))
    view.resize(420, 300)
    view.show()
    x = np.linspace(0.0, 1.0, 60)
    axes = Axis("", 0.0, 1.0, ((2.0, ""),)), Axis("", 0.0, 1.0, ((2.0, ""),))
    found = {}
    for ink in INKS:
        lines = (Line(x, 0.3 + 0.4 * x, None, ink),) if kind == "line" else ()
        points = (NamedPoints(x[::6], x[::6], ink, None, Marker.CIRCLE, names=tuple("abcdefghij")),)
        view.show_figure(Figure("t", *axes, lines, "t", () if lines else points))
        seen = pixels_of(view.plot)
        high, wide = seen.shape[:2]
        found[ink] = strongest(seen[high // 5 : 4 * high // 5, wide // 5 : 4 * wide // 5])
    assert min(found.values()) >= 3.0, found


@pytest.fixture
def themed():
    """Give the program these colours, as the theme does; afterwards it has those from before."""
    app = QApplication.instance()
    before = app.palette(), app.styleSheet()

    def choose(colours):
        app.setPalette(palette(colours))
        app.setStyleSheet(style_sheet(colours))

    yield choose
    app.setStyleSheet(before[1])
    app.setPalette(before[0])


@pytest.mark.parametrize("colours", [LIGHT, DARK], ids=["light", "dark"])
def test_words_in_cells_of_a_table_stand_out_by_four_and_a_half_to_one(qtbot, demo_session, themed, colours):
    themed(colours)
    pane = ComparePane(demo_session)
    qtbot.addWidget(pane)
    pane.resize(1000, 1200)
    pane.show()
    table, seen = pane.table, []
    for row in range(table.model().rowCount()):
        for column in range(6):
            place = table.visualRect(table.model().index(row, column))
            place = place.intersected(table.viewport().rect())
            if place.height() < 20 or place.width() < 12 or not table.model().index(row, column).data():
                continue
            image = table.viewport().grab(place.adjusted(4, 2, -4, -8))
            seen.append(contrast_within(pixels_of_image(image.toImage())))
    assert len(seen) >= 6
    assert min(seen) >= 4.5, seen


@pytest.mark.parametrize("colours", [LIGHT, DARK], ids=["light", "dark"])
def test_names_and_the_frame_of_the_cursor_stand_out_in_a_matrix(qtbot, colours):
    view = CellsView()
    qtbot.addWidget(view)
    view.setPalette(palette(colours))
    view.resize(500, 460)
    names = tuple(f"speaker {number}" for number in range(6))
    values = np.linspace(0.0, 1.0, 36).reshape(6, 6)
    cells = Cells("OO", names, names, "original", "original", values, np.ones((6, 6), dtype=np.int64), "t")
    view.show_figure(CellsFigure("V", ((cells,),), ColourScale("similarity", 0.0, 1.0), "t"))
    view.show()
    [panel] = view.canvas.panels
    edge = view.canvas.mapFromScene(panel.view.sceneBoundingRect().topLeft())
    beside = pixels_of(view.canvas)[edge.y() + 4 :, : max(edge.x() - 2, 8)]
    assert contrast_within(beside) >= 4.5
    for row, column in ((0, 0), (2, 3), (5, 5)):
        without = pixels_of(view.canvas).astype(int)
        view.put_cursor(0, row, column)
        framed = pixels_of(view.canvas).astype(int)
        changed = np.abs(framed - without).sum(axis=2) > 0
        inked = luminance_of_pixels(framed[changed]) + 0.05
        before = luminance_of_pixels(without[changed]) + 0.05
        contrasts = np.maximum(inked, before) / np.minimum(inked, before)
        assert np.quantile(contrasts, 0.8) >= 3.0, (row, column, np.quantile(contrasts, [0.2, 0.5, 0.8, 1.0]))
        view.hide_cursor()
