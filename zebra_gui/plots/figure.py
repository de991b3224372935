"""A Figure on screen: drawn with pyqtgraph, with a cursor that reads values, and its legend below."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Sequence

import numpy as np
import pyqtgraph as pg
from pyqtgraph.graphicsItems.ScatterPlotItem import drawSymbol
from PySide6.QtCore import QEvent, QPointF, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QAccessible,
    QAccessibleAnnouncementEvent,
    QBrush,
    QColor,
    QFocusEvent,
    QFont,
    QFontMetrics,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPalette,
    QPen,
    QResizeEvent,
    QTransform,
)
from PySide6.QtWidgets import QFrame, QGridLayout, QScrollArea, QSizePolicy, QStyle, QWidget

from zebra_core.figures.figure import Axis, Figure, Line, Points
from zebra_core.wording.texts import say, shortened_apart, visible, visible_sentence
from zebra_gui.plots.canvas import Canvas, Decorations
from zebra_gui.plots.inks import MANY_LINES, MARKER_SIZE, SYMBOLS, colour_of, pen_of
from zebra_gui.widgets.layouts import LONGEST_NAME, ElidedLabel, in_column, spoken, tooltip

ReadOut = Callable[[Line, int], str]
"""The words for one point of a line, by its number."""

_STEPS = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1, Qt.Key.Key_PageUp: -10, Qt.Key.Key_PageDown: 10}
_LONGEST_TICK = 22  # names of speakers may be of any length
_NOTHING = Figure("", Axis("", 0.0, 1.0, ()), Axis("", 0.0, 1.0, ()), (), "")
_ONE_PLACE = 0.003  # of the axis: points no further apart across count as one above the other


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


class FigureView(QWidget):
    """A figure, the words for what the cursor points at, and the legend.

    Mouse: point to read, drag to move, Ctrl and the wheel to zoom, double click to see everything again.
    Keyboard: left and right move the cursor, up and down go to another curve, Home shows everything again.
    """

    def __init__(self, read_out: ReadOut, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.read_out = read_out
        self.shows_whole_legend = False  # however much of the room it takes
        self._figure: Figure | None = None
        self._curves: list[Curve] = []
        self._at: tuple[int, int] | None = None  # the line and the point that the cursor is on

        self.plot = _Plot(self)
        self.decorations = Decorations(self.plot)
        self.legend = Legend(self)
        self.words = ElidedLabel(parent=self)
        self._cursor = pg.InfiniteLine(angle=90, movable=False)
        self._mark = pg.PlotDataItem(symbol="o", symbolSize=9, pen=None)
        for item in (self._cursor, self._mark):
            item.setZValue(10)
            item.hide()
            self.plot.addItem(item)

        self.hide_cursor()

        in_column(self.words, (self.plot, 1), self.legend, on=self, margins=0, spacing=6)

        self.plot.pointed_at.connect(self._on_pointed_at)
        self.plot.left.connect(self.hide_cursor)
        self.plot.stepped.connect(self._on_stepped)
        self.plot.line_changed.connect(self._on_line_changed)
        self.plot.reset_requested.connect(self.show_all)

    @property
    def figure(self) -> Figure | None:
        """The figure that is drawn."""
        return self._figure

    def show_figure(self, figure: Figure) -> None:
        """Draw this figure; a figure over the same ranges keeps the zoom."""
        before, self._figure = self._figure, figure
        self._draw_lines(figure)
        self.decorations.show_figure(figure)
        self.plot.label_axes(figure)
        self.plot.setAccessibleName(spoken(figure.title))
        self.plot.setAccessibleDescription(spoken(f"{figure.alt_text} {say('picture.by-hand')}"))
        self.legend.show_entries(figure.legend)
        self._fit_legend()
        if before is None or _ranges(before) != _ranges(figure):
            self._limit(figure)
            self.show_all()
        self._ink()
        self.hide_cursor()

    def show_nothing(self) -> None:
        """Be as empty as at first."""
        if self._figure is None:
            return  # a card and its pane may both say so
        self.show_figure(_NOTHING)
        self._figure = None
        self.plot.setAccessibleName(self.tr("Figure"))

    def show_all(self) -> None:
        """Show the whole of both axes again."""
        if self._figure is not None:
            x, y = self._figure.x, self._figure.y
            self.plot.getViewBox().setRange(xRange=(x.low, x.high), yRange=(y.low, y.high), padding=0)

    def put_cursor(self, line: int, point: int) -> None:
        """Put the cursor on a point of a line, and say what is there."""
        if self._figure is None:
            return
        self._at = line, point
        drawn = self._figure.lines[line]
        x, y = float(drawn.x[point]), float(drawn.y[point])
        self._cursor.setValue(x)
        self._mark.setData([x], [y])
        self._mark.setSymbolBrush(colour_of(drawn.colour, self.palette()))
        self._cursor.show()
        self._mark.show()
        self._say(self.read_out(drawn, point), QPalette.ColorRole.Text)

    def hide_cursor(self) -> None:
        """Point at nothing."""
        self._at = None
        self._cursor.hide()
        self._mark.hide()
        self._say("", QPalette.ColorRole.Text)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.PaletteChange, QEvent.Type.FontChange):
            self._ink()

    def event(self, event: QEvent) -> bool:
        if event.type() is QEvent.Type.DevicePixelRatioChange:
            self._ink()
        return super().event(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_legend()

    def _draw_lines(self, figure: Figure) -> None:
        """Draw the lines, with the items that are there already as far as they go."""
        while len(self._curves) > len(figure.lines):
            self.plot.removeItem(self._curves.pop())
        while len(self._curves) < len(figure.lines):
            # One item each: PlotDataItem would make three, for symbols that no line has.
            curve = Curve()
            self.plot.addItem(curve)
            self._curves.append(curve)
        for curve, line in zip(self._curves, figure.lines, strict=True):
            curve.show_line(line, figure)

    def _ink(self) -> None:
        """Give everything its colour in the theme of the moment."""
        if self._figure is None:
            return
        palette, ratio = self.palette(), self.devicePixelRatioF()
        is_crowd = len(self._figure.lines) > MANY_LINES
        for curve, line in zip(self._curves, self._figure.lines, strict=True):
            curve.setPen(pen_of(line, palette, ratio, is_crowd=is_crowd))
        self.decorations.ink(palette, self.font(), ratio)
        self.plot.ink(palette, self.font(), ratio)
        quiet = palette.color(QPalette.ColorRole.PlaceholderText)
        self._cursor.setPen(pg.mkPen(quiet, width=ratio, style=Qt.PenStyle.DashLine))
        self._mark.setSymbolPen(pg.mkPen(palette.color(QPalette.ColorRole.Base), width=1.5 * ratio))

    def _say(self, words: str, role: QPalette.ColorRole) -> None:
        self.words.setForegroundRole(role)
        self.words.show_text(words)
        if not words:
            self.words.setToolTip(tooltip(say("picture.by-hand")))

    def _fit_legend(self) -> None:
        """Make the legend as high as it needs, but at most a quarter of the figure, unless all is wanted."""
        needed, most = self.legend.height_for(self.width()), max(self.height() // 4, 44)
        self.legend.setFixedHeight(needed if self.shows_whole_legend else min(needed, most))

    def _limit(self, figure: Figure) -> None:
        x, y = figure.x, figure.y
        self.plot.getViewBox().setLimits(xMin=x.low, xMax=x.high, yMin=y.low, yMax=y.high)

    def _on_pointed_at(self, place: QPointF) -> None:
        """Go to the nearest point of a curve with a name: across first, then of all curves."""
        if self._figure is None or not (readable := _readable(self._figure)):
            return
        wide, high = self._figure.x.high - self._figure.x.low, self._figure.y.high - self._figure.y.low
        nearest = {}
        for number in readable:
            line = self._figure.lines[number]
            across, up = np.abs(line.x - place.x()) / wide, np.abs(line.y - place.y()) / high
            # A staircase has several points at one place across.
            point = int(np.argmin(np.where(across <= across.min() + _ONE_PLACE, up, np.inf)))
            nearest[number] = point, float(np.hypot(across[point], up[point]))
        number = min(nearest, key=lambda number: nearest[number][1])
        self.put_cursor(number, nearest[number][0])

    def _on_stepped(self, step: int) -> None:
        if self._figure is None or not (at := self._at or _start(self._figure)):
            return
        line, point = at
        shown = _shown_points(self._figure, line)
        self._put_and_announce(line, int(np.clip(point + step, shown[0], shown[-1])))

    def _on_line_changed(self, step: int) -> None:
        if self._figure is None or not (at := self._at or _start(self._figure)):
            return
        readable = _readable(self._figure)
        line = readable[(readable.index(at[0]) + step) % len(readable)]
        across = self._figure.lines[at[0]].x[at[1]]
        self._put_and_announce(line, int(np.argmin(np.abs(self._figure.lines[line].x - across))))

    def _put_and_announce(self, line: int, point: int) -> None:
        self.put_cursor(line, point)
        self._announce()

    def _announce(self) -> None:
        announcement = QAccessibleAnnouncementEvent(self.plot, self.words.whole_text)
        QAccessible.updateAccessibility(announcement)


class _Plot(Canvas):
    """The canvas; it only tells what the user does on it.

    Signals:
        pointed_at: a place in data units.
        left: the pointer left the canvas.
        stepped, line_changed: by so many points, by so many lines.
        chosen: the user wants what the cursor is on.
        reset_requested: everything should be shown again.
    """

    pointed_at = Signal(QPointF)
    left = Signal()
    stepped = Signal(int)
    line_changed = Signal(int)
    chosen = Signal()
    reset_requested = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._look: tuple[QColor, QFont, float] | None = None  # of the axes, at which pixel ratio
        self.setBackground(None)  # or it would be black until there is something to show
        self.setAccessibleName(self.tr("Figure"))
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setAcceptDrops(False)  # a drop is for the window
        self.setMouseTracking(True)
        self.viewport().setFocusPolicy(Qt.FocusPolicy.NoFocus)  # which holds for both, hence first
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMinimumSize(220, 170)
        for widget in (self, self.viewport()):
            widget.setContextMenuPolicy(Qt.ContextMenuPolicy.NoContextMenu)  # those around it have one

    def label_axes(self, figure: Figure) -> None:
        """Label the axes, and put their ticks where the figure wants them."""
        if self.show_right_axis(is_there=figure.right is not None):
            self._look = None  # the new one has none yet
        for axis, described in zip(self._axes.values(), (figure.x, figure.y, figure.right), strict=False):
            if described is None:
                continue
            axis.say_what_it_measures(described.label)
            ticks = described.ticks
            shown = None if ticks is None else [_shortened_ticks(ticks)]
            axis.setTicks(shown)

    def ink(self, palette: QPalette, font: QFont, pixel_ratio: float) -> None:
        """Colour the axes and their text."""
        self.setBackground(palette.color(QPalette.ColorRole.Base))
        quiet = palette.color(QPalette.ColorRole.PlaceholderText)
        look = quiet, font, pixel_ratio
        for axis in self._axes.values():
            if look != self._look:  # pyqtgraph lays out the words of an axis again for each of these
                axis.setPen(pg.mkPen(quiet, width=pixel_ratio))
                axis.setTextPen(quiet)
                axis.setStyle(tickFont=font, tickTextOffset=6, tickLength=0, hideOverlappingLabels=True)
                axis.label.setFont(font)
            axis.fit()
        self._look = look

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() is Qt.MouseButton.RightButton:
            event.ignore()  # it opens a menu, and zooms nothing
            return
        super().mousePressEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        super().mouseMoveEvent(event)
        view = self.getViewBox()
        place = self.mapToScene(event.position().toPoint())
        if not event.buttons() and view.sceneBoundingRect().contains(place):
            self.pointed_at.emit(view.mapSceneToView(place))

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        self.reset_requested.emit()

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self.left.emit()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.left.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = Qt.Key(event.key())
        if key in _STEPS:
            self.stepped.emit(_STEPS[key])
        elif key in (Qt.Key.Key_Up, Qt.Key.Key_Down):
            self.line_changed.emit(-1 if key is Qt.Key.Key_Up else 1)
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space):
            self.chosen.emit()
        elif key is Qt.Key.Key_Home:
            self.reset_requested.emit()
        else:
            super().keyPressEvent(event)


def _shortened_ticks(ticks: Iterable[tuple[float, str]]) -> list[tuple[float, str]]:
    """Ticks with shortened names that still differ."""
    names = shortened_apart([visible(name, sys.maxsize) for _, name in ticks], _LONGEST_TICK)
    return [(place, name) for (place, _), name in zip(ticks, names, strict=True)]


def _ranges(figure: Figure) -> tuple[float, float, float, float]:
    return figure.x.low, figure.x.high, figure.y.low, figure.y.high


def _readable(figure: Figure) -> list[int]:
    """The numbers of the lines that have a name and somewhere to point at; guides have none."""
    return [
        number
        for number, line in enumerate(figure.lines)
        if line.label is not None and len(_shown_points(figure, number))
    ]


def _start(figure: Figure) -> tuple[int, int] | None:
    """Where the keyboard begins: on the emphasised line, else on the last, in the middle."""
    readable = _readable(figure)
    if not readable:
        return None
    number = next((number for number in readable if figure.lines[number].emphasis), readable[-1])
    return number, len(figure.lines[number].x) // 2


def _shown_points(figure: Figure, line: int) -> np.ndarray:
    x = figure.lines[line].x
    return np.flatnonzero((x >= figure.x.low) & (x <= figure.x.high))


# The legend of a figure: below the picture, never on its curves.


_COLUMN_WIDTH = 250
_WIDEST_COLUMN = 380
_ROW_HEIGHT = 21
_RIM = 1  # pixels, of the theme: where the focus is shown
_SWATCH_WIDTH = 34
_TAIL = 0.65  # of the room of a label that is cut, for its end
_GAP = 8


class LegendItem(QWidget):
    """A piece of the line, or the marker, and its label, cut where the room ends."""

    def __init__(self, drawn: Line | Points, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.show_entry(drawn)

    def show_entry(self, drawn: Line | Points) -> None:
        """Be the item of this line or of these points."""
        self._drawn = drawn
        self.text = visible_sentence(drawn.label or "", LONGEST_NAME)
        self.setAccessibleName(self.text)
        self.setToolTip(tooltip(self.text))
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(_COLUMN_WIDTH, row_height(self))

    def paintEvent(self, event: QPaintEvent) -> None:
        font = QFont(self.font())
        font.setBold(isinstance(self._drawn, Line) and self._drawn.emphasis)
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            self._paint_swatch(painter)
            painter.setFont(font)
            painter.setPen(self.palette().color(self.foregroundRole()))
            room = self._seen(self.rect().adjusted(_SWATCH_WIDTH + _GAP, 0, 0, 0))
            text = elided_name(self.text, QFontMetrics(font), room.width())
            painter.drawText(room, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, text)

    def _paint_swatch(self, painter: QPainter) -> None:
        middle = self.height() / 2
        left = self._seen(QRect(0, 0, _SWATCH_WIDTH, self.height())).left()
        if isinstance(self._drawn, Line):
            painter.setPen(pen_of(self._drawn, self.palette(), self.devicePixelRatioF()))
            painter.drawLine(QPointF(left + 1, middle), QPointF(left + _SWATCH_WIDTH - 1, middle))
            return
        painter.setTransform(QTransform.fromTranslate(left + _SWATCH_WIDTH / 2, middle))
        colour = colour_of(self._drawn.colour, self.palette())
        symbol = SYMBOLS[self._drawn.marker]
        drawSymbol(painter, symbol, MARKER_SIZE, QPen(Qt.PenStyle.NoPen), QBrush(colour))
        painter.resetTransform()

    def _seen(self, place: QRect) -> QRect:
        """A rectangle given for a layout from left to right; mirrored if the layout runs the other way."""
        return QStyle.visualRect(self.layoutDirection(), self.rect(), place)


def row_height(widget: QWidget) -> int:
    """How high an item is: with large text more than usual."""
    return max(_ROW_HEIGHT, widget.fontMetrics().height() + 3)


def elided_name(text: str, metrics: QFontMetrics, room: int) -> str:
    """A label shortened to `room` pixels; what is cut is the name, which stands first.

    The end of the label has what the figures hold for and the figures themselves: neither is shown
    without the other. Words that a condition is not stated are left out before anything else: the tooltip
    has them.
    """
    if metrics.horizontalAdvance(text) <= room:
        return text
    text = text.replace(say("name.condition-not-stated", name=""), "")
    if metrics.horizontalAdvance(text) <= room:
        return text
    tail = metrics.elidedText(text, Qt.TextElideMode.ElideLeft, round(_TAIL * room))
    head = metrics.elidedText(text, Qt.TextElideMode.ElideRight, room - metrics.horizontalAdvance(tail))
    return head.removesuffix("…") + tail


class Legend(QScrollArea):
    """The items in as many columns as there is room for; scrolls where they are too many."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._items: list[LegendItem] = []
        self._columns = 0
        self.setAccessibleName(self.tr("Legend"))
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._inside = QWidget()
        self._inside.setProperty("look", "scrolled")
        self._grid = QGridLayout()
        in_column(self._grid, 1, on=self._inside, margins=0)
        self._grid.setHorizontalSpacing(18)
        self._grid.setVerticalSpacing(0)
        self.setWidget(self._inside)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.verticalScrollBar().rangeChanged.connect(self._on_range_changed)

    @property
    def items(self) -> tuple[LegendItem, ...]:
        """The items, in the order of the figure's legend."""
        return tuple(self._items)

    def show_entries(self, entries: Sequence[Line | Points]) -> None:
        """Show an item for each of these."""
        for item, drawn in zip(self._items, entries, strict=False):
            item.show_entry(drawn)
        if len(entries) != len(self._items):
            for item in self._items[len(entries) :]:
                self._grid.removeWidget(item)
                item.setParent(None)
                item.deleteLater()
            self._items = self._items[: len(entries)]
            self._items += [LegendItem(drawn, self._inside) for drawn in entries[len(self._items) :]]
            self._columns = 0
        self._arrange()

    def height_for(self, width: int) -> int:
        """The height at which nothing needs to be scrolled."""
        columns = self._columns_in(width)
        return -(-len(self._items) // columns) * row_height(self) + 2 * _RIM

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()

    def _on_range_changed(self, least: int, most: int) -> None:
        """The keyboard has something to do here only where there is something to scroll."""
        policies = Qt.FocusPolicy
        self.setFocusPolicy(policies.StrongFocus if most > least else policies.NoFocus)

    def _columns_in(self, width: int) -> int:
        metrics = QFontMetrics(self.font())
        widest = max((metrics.horizontalAdvance(item.text) for item in self._items), default=0)
        # Room for the longest label, in bold; a rogue one is cut.
        column = min(max(_COLUMN_WIDTH, _SWATCH_WIDTH + _GAP + round(1.12 * widest)), _WIDEST_COLUMN)
        return max(1, min(width // column, len(self._items)))

    def _arrange(self) -> None:
        columns = self._columns_in(self.viewport().width())
        if columns == self._columns:
            return
        for column in range(max(self._grid.columnCount(), columns)):
            self._grid.setColumnStretch(column, 1 if column < columns else 0)
        self._columns = columns
        for place, item in enumerate(self._items):
            self._grid.addWidget(item, place // columns, place % columns)
