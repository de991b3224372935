"""What is drawn stands out: measured on the pixels of a plot, not on what its pens were told."""

import numpy as np
import pytest
from PySide6.QtGui import QImage

from tests.contrast import luminance_of_pixels
from zebra_core.figures.figure import Axis, Figure, Ink, Line, Marker, NamedPoints
from zebra_core.figures.palette import SERIES
from zebra_gui.plots.figure import FigureView
from zebra_gui.widgets.theme import DARK, LIGHT, palette

INKS = (*range(len(SERIES)), Ink.FOREGROUND, Ink.MUTED)


def pixels_of(widget):
    image = widget.grab().toImage().convertToFormat(QImage.Format.Format_RGB32)
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
