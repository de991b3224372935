"""An axis that names its ticks only where there is room for the name."""

from __future__ import annotations

from typing import Any

import pyqtgraph as pg
from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter

_APART = 3.0  # pixels between two names along a level axis


class RoomyAxis(pg.AxisItem):
    """Where the names of ticks would lie on one another some are left out; closer by, more are shown.

    pyqtgraph does so for the ticks that it chooses itself, and draws all of those that are given.
    """

    def generateDrawSpecs(self, p: QPainter) -> tuple[Any, Any, Any] | None:
        specs = super().generateDrawSpecs(p)
        if specs is None or self._tickLevels is None:
            return specs
        axis, ticks, texts = specs
        return axis, ticks, with_room(texts, is_upright=self.orientation in ("left", "right"))


def with_room(texts: list[tuple[QRectF, Any, str]], *, is_upright: bool) -> list[tuple[QRectF, Any, str]]:
    """Those of the texts that do not lie on another, beginning at the top or at the left."""
    kept: list[tuple[QRectF, Any, str]] = []
    free_from = float("-inf")
    for rect, flags, text in sorted(texts, key=lambda one: one[0].top() if is_upright else one[0].left()):
        begin, end = (rect.top(), rect.bottom()) if is_upright else (rect.left(), rect.right() + _APART)
        if begin >= free_from:
            kept.append((rect, flags, text))
            free_from = end
    return kept
