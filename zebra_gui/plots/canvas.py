"""What a figure is drawn on: a view with an axis below and one at its left.

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
_PLACES = {"bottom": (1, 1), "left": (0, 0)}


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
        self._axes = {side: RoomyAxis(side) for side in _PLACES}
        for side, axis in self._axes.items():
            axis.linkToView(self._view_box)
            layout.addItem(axis, *_PLACES[side])
            axis.setZValue(_ABOVE_IMAGES)
            axis.setFlag(QGraphicsItem.GraphicsItemFlag.ItemNegativeZStacksBehindParent)
            axis.setGrid(_GRID_OPACITY)
            axis.enableAutoSIPrefix(False)
        layout.setRowStretchFactor(0, 1)
        layout.setColumnStretchFactor(1, 1)
        self.setCentralItem(frame)

    def getViewBox(self) -> pg.ViewBox:
        """Where things are drawn in the units of the axes."""
        return self._view_box

    def getAxis(self, side: str) -> RoomyAxis:
        """The axis at the "bottom" or the "left"."""
        return self._axes[side]

    def addItem(self, item: QGraphicsItem) -> None:
        """Draw this in the units of the axes; what the axes show does not follow from it."""
        self._view_box.addItem(item, ignoreBounds=True)

    def removeItem(self, item: QGraphicsItem) -> None:
        """Draw this no more."""
        self._view_box.removeItem(item)
