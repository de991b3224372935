"""Pictures with a line for every row, which need a certain height whatever room there is."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QScrollArea

from zebra_core.figures.figure import Figure
from zebra_gui.panes.pane import AnyFigure
from zebra_gui.plots.figure import FigureView

_AROUND, _PITCH = 130, 17  # pixels: axis, legend and read-out; each tick of an upright axis with ticks given
_LEVEL_AXIS = 48  # pixels, below what the upright axis says
_LEAST = 280  # pixels, without such ticks


def scrolled(view: FigureView, name: str) -> QScrollArea:
    """The view in an area that scrolls once it is higher than the room there is."""
    area = QScrollArea()
    area.setAccessibleName(name)
    area.setFrameShape(QFrame.Shape.NoFrame)
    area.setWidgetResizable(True)
    area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    area.setWidget(view)
    for inside in (area.viewport(), view):
        inside.setAutoFillBackground(False)  # the card shows through
    return area


def make_room(view: FigureView, figure: AnyFigure) -> None:
    """Make the view as high as the rows of the figure need."""
    rows = len(figure.y.ticks or ()) if isinstance(figure, Figure) else 0
    least = view.minimumSizeHint().height()
    least += max(0, view.plot.getAxis("left").length_of_words + _LEVEL_AXIS - view.plot.minimumHeight())
    view.setMinimumHeight(max(least, _AROUND + _PITCH * rows if rows else _LEAST))
