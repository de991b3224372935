"""What a figure is drawn on: a view with an axis below and one at its left, at its right where it has two.

pyqtgraph's PlotWidget is the same with a menu, buttons, averages and axes on all four sides. Even where they
are switched off, they are made, and take most of the time that it takes to make a figure.
"""

from __future__ import annotations

import pyqtgraph as pg
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGraphicsGridLayout, QGraphicsItem, QSizePolicy, QWidget

from zebra_gui.plots.roomy_axis import RoomyAxis
from zebra_gui.widgets.wheel import ZoomsByWheel

_ABOVE_IMAGES = 0.5  # axes and their grid; what is to be drawn over them is at 1 and above
_EDGE = 1.0  # pixels
_GRID_OPACITY = 33  # of 255
_PLACES = {"bottom": (1, 1), "left": (0, 0), "right": (0, 2)}


class Canvas(ZoomsByWheel, pg.GraphicsView):
    """A view and its axes, which move and zoom with the mouse, and do nothing else by themselves."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        frame = pg.GraphicsWidget()
        frame.setLayoutDirection(Qt.LayoutDirection.LeftToRight)  # axes are read as in the papers everywhere
        layout = QGraphicsGridLayout(frame)
        layout.setContentsMargins(_EDGE, _EDGE, _EDGE, _EDGE)
        layout.setSpacing(0.0)
        self._view_box = pg.ViewBox(parent=frame, enableMenu=False, defaultPadding=0.0)
        layout.addItem(self._view_box, 0, 1)
        self._grid_layout = layout
        self._axes: dict[str, RoomyAxis] = {}
        for side in ("bottom", "left"):
            self._add_axis(side).setGrid(_GRID_OPACITY)
        layout.setRowStretchFactor(0, 1)
        layout.setColumnStretchFactor(1, 1)
        self.setCentralItem(frame)

    def _add_axis(self, side: str) -> RoomyAxis:
        axis = self._axes[side] = RoomyAxis(side)
        axis.linkToView(self._view_box)
        self._grid_layout.addItem(axis, *_PLACES[side])
        axis.setZValue(_ABOVE_IMAGES)
        axis.setFlag(QGraphicsItem.GraphicsItemFlag.ItemNegativeZStacksBehindParent)
        axis.enableAutoSIPrefix(False)
        return axis

    def show_right_axis(self, *, is_there: bool) -> bool:
        """Have an axis at the right, or none; whether it had to be made, as when it is first wanted."""
        is_new = is_there and "right" not in self._axes
        if is_new:
            self._add_axis("right")
        elif "right" in self._axes:
            self._axes["right"].setVisible(is_there)
        return is_new

    def getViewBox(self) -> pg.ViewBox:
        """Where things are drawn in the units of the axes."""
        return self._view_box

    def getAxis(self, side: str) -> RoomyAxis:
        """The axis at the "bottom" or the "left"; at the "right" where there has been one."""
        return self._axes[side]

    def addItem(self, item: QGraphicsItem) -> None:
        """Draw this in the units of the axes; what the axes show does not follow from it."""
        self._view_box.addItem(item, ignoreBounds=True)

    def removeItem(self, item: QGraphicsItem) -> None:
        """Draw this no more."""
        self._view_box.removeItem(item)
