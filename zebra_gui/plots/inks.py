"""The colours, dashes and markers of a figure on screen."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, QRect, QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QIcon, QPainter, QPalette, QPen, QPixmap

from zebra_core.figures.figure import Area, Colour, Dash, Ink, Line, Marker, series_colour, series_name

DASHES: dict[Dash, tuple[float, ...]] = {
    Dash.SOLID: (),
    Dash.DASHED: (4.0, 2.0),
    Dash.DOTTED: (1.0, 2.0),
    Dash.DASH_DOTTED: (4.0, 2.0, 1.0, 2.0),
    Dash.LONG_DASHED: (7.5, 2.0),
    Dash.DASH_DOT_DOTTED: (4.0, 2.0, 1.0, 2.0, 1.0, 2.0),
    Dash.SPARSELY_DASHED: (2.5, 4.0),
    Dash.SPARSELY_DOTTED: (1.0, 4.5),
}
"""Strokes and gaps in turn, in widths of the line; nothing for an unbroken one."""
_ROLES = {Ink.FOREGROUND: QPalette.ColorRole.Text, Ink.MUTED: QPalette.ColorRole.PlaceholderText}
SYMBOLS = {
    Marker.CIRCLE: "o",
    Marker.DIAMOND: "d",
    Marker.SQUARE: "s",
    Marker.TRIANGLE: "t1",
    Marker.CROSS: "x",
}
"""The symbols of pyqtgraph."""
MARKER_SIZE = 8
_FINEST, _THIN, _THICK = 1.0, 1.8, 3.0
MANY_LINES = 30
"""Of more than these all but the emphasised ones are drawn thin: thick ones take five times as long."""
_MANY_POINTS = 5000  # from here on thick antialiased lines take ten times as long as thin ones


def colour_of(colour: Colour, palette: QPalette) -> QColor:
    """The colour on screen of a theme's ink or of a series."""
    return palette.color(_ROLES[colour]) if isinstance(colour, Ink) else QColor(series_colour(colour))


def pen_of(line: Line, palette: QPalette, pixel_ratio: float, *, is_crowd: bool = False) -> QPen:
    """The pen for a line. Its width is in device pixels, as pyqtgraph's cosmetic pens want it."""
    width = _THICK if line.emphasis else (_FINEST if is_crowd else _THIN)
    width = _FINEST if len(line.x) > _MANY_POINTS else width
    pen = QPen(colour_of(line.colour, palette), width * pixel_ratio)
    if strokes := DASHES[line.dash]:
        pen.setDashPattern(strokes)
    pen.setCosmetic(True)
    return pen


def brush_of_area(area: Area, palette: QPalette) -> QBrush:
    """The filling of an area, faint below a curve."""
    colour = QColor(colour_of(area.colour, palette))
    colour.setAlphaF(area.opacity)
    return QBrush(colour)


# The colours of safeguards in words, and as little pictures for menus.


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
