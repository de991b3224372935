"""One curve of a figure, quick to move: its bounds are worked out once and not at each frame."""

from __future__ import annotations

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QRectF

from zebra_core.figures.figure import Figure, Line

_MARGIN = 0.02  # of the axis: more than any pen is wide, however far one zooms in


class Curve(pg.PlotCurveItem):
    """A curve whose bounds leave room for its pen in units of the axes, and so are the same at any zoom.

    pyqtgraph leaves room in pixels, and looks through all points again whenever the view moves.
    """

    _bounds: QRectF | None = None
    _room = 0.0, 0.0

    def __init__(self) -> None:
        super().__init__(antialias=True)

    def show_line(self, line: Line, figure: Figure) -> None:
        """Draw this line of the figure."""
        self._room = _MARGIN * (figure.x.high - figure.x.low), _MARGIN * (figure.y.high - figure.y.low)
        is_finite = bool(np.isfinite(line.x).all() and np.isfinite(line.y).all())
        self.setData(line.x, line.y, connect="all" if is_finite else "finite")

    def boundingRect(self) -> QRectF:
        if self._bounds is None:
            (left, right), (bottom, top) = self.dataBounds(ax=0), self.dataBounds(ax=1)
            places = (left, right, bottom, top)
            if None in places or not np.isfinite(places).all():
                return QRectF()  # there is no point of it
            wide, high = self._room
            self._bounds = QRectF(left, bottom, right - left, top - bottom).adjusted(-wide, -high, wide, high)
        return self._bounds

    def invalidateBounds(self) -> None:
        super().invalidateBounds()
        self._bounds = None

    def viewTransformChanged(self) -> None:
        """The bounds are what they were."""
