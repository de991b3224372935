"""The colours of safeguards in words, and as little pictures for menus."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QIcon, QPainter, QPalette, QPen, QPixmap

from zebra_core.figures.figure import Ink
from zebra_core.figures.palette import series_name
from zebra_gui.plots.inks import colour_of

translate = QCoreApplication.translate

_SIDE = 16


def colour_name(colour: int | None) -> str:
    """What a colour is called."""
    return translate("Colours", "grey") if colour is None else series_name(colour)


def colour_icon(colour: int | None, palette: QPalette) -> QIcon:
    """A square in this colour."""
    pixmap = QPixmap(_SIDE, _SIDE)
    pixmap.fill(Qt.GlobalColor.transparent)
    with QPainter(pixmap) as painter:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        shown = colour_of(Ink.MUTED if colour is None else colour, palette)
        paint_swatch(painter, QRect(2, 2, _SIDE - 4, _SIDE - 4), shown, palette)
    return QIcon(pixmap)


def paint_swatch(painter: QPainter, place: QRect, colour: QColor, palette: QPalette) -> None:
    """A square of a colour; its rim is seen where the ground is that of a selected row, too."""
    painter.setPen(QPen(palette.color(QPalette.ColorRole.PlaceholderText), 1.0))
    painter.setBrush(colour)
    painter.drawRoundedRect(QRectF(place).adjusted(0.5, 0.5, -0.5, -0.5), 3, 3)
