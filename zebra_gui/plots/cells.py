"""A CellsFigure on screen: its tables, and a cursor that reads their cells in words.

One table of a CellsFigure on screen, with its title, its frames and the names at its sides.

The tables of a CellsFigure, drawn and zoomed together; what is done on them is told, and no more.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
import pyqtgraph as pg
from numpy.typing import NDArray
from pyqtgraph.GraphicsScene.mouseEvents import MouseClickEvent
from PySide6.QtCore import QEvent, QPointF, QRect, QRectF, Qt, Signal
from PySide6.QtGui import (
    QAccessible,
    QAccessibleAnnouncementEvent,
    QFocusEvent,
    QFont,
    QFontMetricsF,
    QImage,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPalette,
    QResizeEvent,
)
from PySide6.QtWidgets import (
    QFrame,
    QGraphicsItem,
    QGraphicsScene,
    QGraphicsSimpleTextItem,
    QStyleOptionGraphicsItem,
    QWidget,
)

from zebra_core.figures.figure import Cells, CellsFigure
from zebra_core.wording.texts import say
from zebra_gui.plots.cells_items import CellFrame, CellNames, ColourBar
from zebra_gui.widgets.layouts import ElidedLabel, in_column, shown_name, spoken, tooltip
from zebra_gui.widgets.wheel import ZoomsByWheel


class CellsView(QWidget):
    """Tables of cells and the words for the one that is pointed at.

    Mouse: point to read, click to select the speaker of the row, drag to move, Ctrl and the wheel to zoom,
    double click to see everything again. Keyboard: arrows go from cell to cell,
    Page Up and Page Down from table to table, Enter selects, plus and minus zoom, Home shows everything
    again.

    Signals:
        picked: the name of the row that was clicked.
    """

    picked = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._figure: CellsFigure | None = None
        self._at: CellPlace | None = None
        self.words = ElidedLabel(parent=self)
        self.canvas = CellsCanvas(self)
        in_column(self.words, (self.canvas, 1), on=self, margins=0, spacing=6)
        self.canvas.pointed_at.connect(self.put_cursor)
        self.canvas.clicked.connect(self._on_clicked)
        self.canvas.left.connect(self.hide_cursor)
        self.canvas.stepped.connect(self._on_stepped)
        self.canvas.panel_changed.connect(self._on_panel_changed)
        self.canvas.chosen.connect(self._on_chosen)
        self.hide_cursor()

    @property
    def figure(self) -> CellsFigure | None:
        """The figure that is drawn."""
        return self._figure

    @property
    def cursor_place(self) -> CellPlace | None:
        """Where the cursor is."""
        return self._at

    def show_figure(self, figure: CellsFigure) -> None:
        """Draw this figure; tables of the same size keep the zoom."""
        self._figure = figure
        self.canvas.show_figure(figure)
        self.canvas.setAccessibleName(spoken(figure.title))
        self.canvas.setAccessibleDescription(spoken(figure.alt_text))
        self.hide_cursor()

    def show_nothing(self) -> None:
        """Be as empty as at first."""
        self._figure = None
        self.canvas.show_nothing()
        self.hide_cursor()

    def emphasise(self, name: str | None) -> None:
        """Frame the rows and the columns of this speaker."""
        self.canvas.emphasise(name)

    def show_all(self) -> None:
        """Show whole tables again."""
        self.canvas.show_all()

    def put_cursor(self, panel: int, row: int, column: int) -> None:
        """Put the cursor on a cell, and say what is there."""
        self._at = panel, row, column
        self.canvas.frame(self._at)
        self.words.setForegroundRole(QPalette.ColorRole.Text)
        self.words.show_text(self.canvas.panels[panel].cells.read_out(row, column))

    def hide_cursor(self) -> None:
        """Point at nothing."""
        self._at = None
        self.canvas.frame(None)
        self.words.setForegroundRole(QPalette.ColorRole.PlaceholderText)
        self.words.show_text("")
        self.words.setToolTip(tooltip(say("picture.by-hand")))

    def _on_clicked(self, panel: int, row: int, column: int) -> None:
        self.put_cursor(panel, row, column)
        self._on_chosen()

    def _on_chosen(self) -> None:
        if self._at is not None:
            panel, row, _ = self._at
            self.picked.emit(self.canvas.panels[panel].cells.row_names[row])

    def _on_stepped(self, down: int, right: int) -> None:
        if not self.canvas.panels:
            return
        if self._at is None:
            self._put_and_announce(0, 0, 0)
            return
        panel, row, column = self._at
        rows, columns = self.canvas.panels[panel].cells.values.shape
        row, column = np.clip(row + down, 0, rows - 1), np.clip(column + right, 0, columns - 1)
        self._put_and_announce(panel, int(row), int(column))

    def _on_panel_changed(self, step: int) -> None:
        if not self.canvas.panels:
            return
        panel, row, column = self._at or (-step, 0, 0)
        panel = (panel + step) % len(self.canvas.panels)
        rows, columns = self.canvas.panels[panel].cells.values.shape
        self._put_and_announce(panel, min(row, rows - 1), min(column, columns - 1))

    def _put_and_announce(self, panel: int, row: int, column: int) -> None:
        self.put_cursor(panel, row, column)
        self.canvas.make_visible(panel, row, column)
        announcement = QAccessibleAnnouncementEvent(self.canvas, self.words.whole_text)
        QAccessible.updateAccessibility(announcement)


_BETWEEN = 14.0  # panels
_MARGIN = 4.0
_SMALLEST_SIDE = 60.0
_STEPS = {
    Qt.Key.Key_Left: (0, -1),
    Qt.Key.Key_Right: (0, 1),
    Qt.Key.Key_Up: (-1, 0),
    Qt.Key.Key_Down: (1, 0),
}
_ZOOMS = {Qt.Key.Key_Plus: 0.7, Qt.Key.Key_Equal: 0.7, Qt.Key.Key_Minus: 1.0 / 0.7}

CellPlace = tuple[int, int, int]
"""The number of a panel, a row and a column of it."""


class CellsCanvas(ZoomsByWheel, pg.GraphicsView):
    """The tables themselves; it only tells what the user does on them.

    Signals:
        pointed_at, clicked: panel, row and column of a cell.
        left: the pointer left the tables.
        stepped: so many cells down and to the right.
        panel_changed: so many tables on.
        chosen: the user wants what the cursor is on.
    """

    pointed_at = Signal(int, int, int)
    clicked = Signal(int, int, int)
    left = Signal()
    stepped = Signal(int, int)
    panel_changed = Signal(int)
    chosen = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setBackground(None)  # or it would be black until there is something to show
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setAcceptDrops(False)  # a drop is for the window
        self.setMouseTracking(True)
        self.viewport().setFocusPolicy(Qt.FocusPolicy.NoFocus)  # which holds for both, hence first
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        for widget in (self, self.viewport()):
            widget.setContextMenuPolicy(Qt.ContextMenuPolicy.NoContextMenu)  # those around it have one
        self.setAccessibleName(self.tr("Matrices"))  # until there are some
        self.setMinimumSize(260, 200)
        self.panels: list[CellsPanel] = []
        self.bar = ColourBar()
        self.scene().addItem(self.bar)
        self._figure: CellsFigure | None = None
        self._emphasised: str | None = None
        self._following = False
        self.scene().sigMouseClicked.connect(self._on_mouse_clicked)

    def show_figure(self, figure: CellsFigure) -> None:
        """Draw this figure."""
        before, self._figure = self._figure, figure
        cells = [cells for row in figure.panels for cells in row]
        while len(self.panels) > len(cells):
            self.panels.pop().remove()
        while len(self.panels) < len(cells):
            panel = CellsPanel(self.scene())
            panel.view.sigRangeChanged.connect(self._on_range_changed)
            self.panels.append(panel)
        same = before is not None and _shapes(before) == _shapes(figure)
        shown = self.panels[0].view.viewRect() if same else None
        for panel, table in zip(self.panels, cells, strict=True):
            panel.show_cells(table, figure.scale.colours(table.values))
        has_empty = any(bool(np.isnan(table.values).any()) for table in cells)
        self.bar.setVisible(True)
        self.bar.show_scale(figure.scale, has_empty=has_empty)
        self.ink()
        self.emphasise(self._emphasised)
        if shown is None:
            self.show_all()
        else:
            self._show_everywhere(shown)

    def show_nothing(self) -> None:
        """Show no tables."""
        self._figure = self._emphasised = None
        while self.panels:
            self.panels.pop().remove()
        self.bar.setVisible(False)
        self.setAccessibleName(self.tr("Similarity"))
        self.setAccessibleDescription("")

    def emphasise(self, name: str | None) -> None:
        """Frame the row and the column of this name, where it is."""
        self._emphasised = name
        for panel in self.panels:
            panel.emphasise(name)

    def frame(self, place: CellPlace | None) -> None:
        """Frame one cell, or none."""
        for number, panel in enumerate(self.panels):
            here = place is not None and place[0] == number
            panel.cursor.show_at(QRectF(place[2], place[1], 1.0, 1.0) if place and here else None)

    def show_all(self) -> None:
        """Show whole tables."""
        for panel in self.panels:
            rows, columns = panel.cells.values.shape
            panel.view.setRange(QRectF(0.0, 0.0, columns, rows), padding=0.0)

    def make_visible(self, panel: int, row: int, column: int) -> None:
        """Move so that a cell is in view."""
        rect = self.panels[panel].view.viewRect()
        dx = min(0.0, column - rect.left()) + max(0.0, column + 1 - rect.right())
        dy = min(0.0, row - rect.top()) + max(0.0, row + 1 - rect.bottom())
        if dx or dy:
            self.panels[panel].view.setRange(rect.translated(dx, dy), padding=0.0)

    def ink(self) -> None:
        """Give everything the colours and the font of the moment."""
        palette = self.palette()
        self.setBackground(palette.color(QPalette.ColorRole.Base))
        font = QFont(self.font())
        font.setPointSizeF(max(7.0, 0.88 * font.pointSizeF()))
        self.bar.ink(palette, font)
        for panel in self.panels:
            panel.ink(palette, font)
        self._arrange()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.PaletteChange, QEvent.Type.FontChange) and hasattr(self, "panels"):
            self.ink()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if hasattr(self, "panels"):  # pyqtgraph resizes while it is being made
            self._arrange()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() is Qt.MouseButton.RightButton:
            event.ignore()  # it opens a menu, and zooms nothing
            return
        super().mousePressEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        super().mouseMoveEvent(event)
        if event.buttons():
            return
        if place := self._cell_at(self.mapToScene(event.position().toPoint())):
            self.pointed_at.emit(*place)
        else:
            self.left.emit()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        self.show_all()

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self.left.emit()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.left.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = Qt.Key(event.key())
        if key in _STEPS:
            self.stepped.emit(*_STEPS[key])
        elif key in (Qt.Key.Key_PageUp, Qt.Key.Key_PageDown):
            self.panel_changed.emit(1 if key is Qt.Key.Key_PageDown else -1)
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space):
            self.chosen.emit()
        elif key is Qt.Key.Key_Home:
            self.show_all()
        elif key in _ZOOMS and self.panels:
            self.panels[0].view.scaleBy((_ZOOMS[key], _ZOOMS[key]))
        else:
            event.ignore()

    def _cell_at(self, place: QPointF) -> CellPlace | None:
        for number, panel in enumerate(self.panels):
            if panel.view.sceneBoundingRect().contains(place):
                at = panel.view.mapSceneToView(place)
                rows, columns = panel.cells.values.shape
                row, column = int(np.floor(at.y())), int(np.floor(at.x()))
                return (number, row, column) if 0 <= row < rows and 0 <= column < columns else None
        return None

    def _on_mouse_clicked(self, event: MouseClickEvent) -> None:
        is_click = event.button() is Qt.MouseButton.LeftButton and not event.double()
        if is_click and (place := self._cell_at(event.scenePos())):
            self.clicked.emit(*place)

    def _on_range_changed(self, view: pg.ViewBox) -> None:
        if not self._following:
            self._show_everywhere(view.viewRect())

    def _show_everywhere(self, rect: QRectF) -> None:
        """All tables show the same rows and columns."""
        self._following = True
        for panel in self.panels:
            panel.view.setRange(rect, padding=0.0)
        self._following = False

    def _arrange(self) -> None:
        """Square tables, as large as there is room for, with names at their outer sides."""
        if self._figure is None or not self.panels:
            return
        for number, column, panel in self._places():
            panel.has_rows = self._figure.has_row_side(number, column)
            panel.has_columns = self._figure.has_column_side(number, column)
        metrics = QFontMetricsF(self.bar.font)
        title = metrics.height() + 6.0
        names = max(panel.row_names.width_of_names() for panel in self.panels) + 7.0
        side = names + self.panels[0].row_names.height_of_label()
        rows, columns = self._figure.panels, max(map(len, self._figure.panels))
        lefts = [self._needs(column=k, side=side) for k in range(columns)]
        belows = [self._needs(row=k, side=side) for k in range(len(rows))]
        width = self.width() - 2.0 * _MARGIN - self.bar.width() - columns * _BETWEEN - sum(lefts)
        height = self.height() - 2.0 * _MARGIN - len(rows) * (title + _BETWEEN / 2.0) - sum(belows)
        cell = max(_SMALLEST_SIDE, min(width / columns, height / len(rows)))
        for number, column, panel in self._places():
            x = _MARGIN + sum(lefts[: column + 1]) + column * (cell + _BETWEEN)
            y = _MARGIN + (number + 1) * title + sum(belows[:number]) + number * (cell + _BETWEEN / 2.0)
            panel.place(QRectF(x, y, cell, cell), title, side)
        right = max(panel.view.geometry().right() for panel in self.panels)
        top, bottom = self.panels[0].view.geometry().top(), self.panels[-1].view.geometry().bottom()
        self.bar.place(QRectF(right + _BETWEEN, top, self.bar.width(), min(bottom - top, 260.0)))

    def _needs(self, *, side: float, row: int | None = None, column: int | None = None) -> float:
        """The room for names in this row or this column of panels."""
        has = [
            panel.has_columns if row is not None else panel.has_rows
            for number, place, panel in self._places()
            if row in (None, number) and column in (None, place)
        ]
        return side if any(has) else 0.0

    def _places(self) -> Iterator[tuple[int, int, CellsPanel]]:
        panels = iter(self.panels)
        for number, row in enumerate(self._figure.panels if self._figure else ()):
            for column, _ in enumerate(row):
                yield number, column, next(panels)


def _shapes(figure: CellsFigure) -> list[tuple[int, ...]]:
    return [cells.values.shape for row in figure.panels for cells in row]


_FEWEST_CELLS = 3.0  # nobody needs to see less


class CellsPanel:
    """One table with its title and the names at its sides."""

    cells: Cells

    def __init__(self, scene: QGraphicsScene) -> None:
        self.has_rows = self.has_columns = True
        self.view = pg.ViewBox(enableMenu=False, invertY=True, defaultPadding=0.0)
        self.image = CellsImage()
        self.view.addItem(self.image, ignoreBounds=True)
        self.title = QGraphicsSimpleTextItem()
        self.row_names = CellNames(self.view, upright=False)
        self.column_names = CellNames(self.view, upright=True)
        self.row_frame, self.column_frame = CellFrame(self.view, 5.0), CellFrame(self.view, 5.0)
        self.cursor = CellFrame(self.view, 10.0)
        self._items = (self.view, self.title, self.row_names, self.column_names)
        for item in self._items:
            scene.addItem(item)

    def remove(self) -> None:
        """Be gone from the scene."""
        for item in self._items:
            item.scene().removeItem(item)

    def show_cells(self, cells: Cells, colours: np.ndarray) -> None:
        """Show this table in these colours."""
        self.cells = cells
        rows, columns = cells.values.shape
        self.view.setLimits(
            xMin=0.0,
            xMax=columns,
            yMin=0.0,
            yMax=rows,
            minXRange=min(columns, _FEWEST_CELLS),
            minYRange=min(rows, _FEWEST_CELLS),
        )
        self.image.show_colours(colours)
        self.row_names.show_names(cells.row_names, cells.row_label)
        self.column_names.show_names(cells.column_names, cells.column_label)

    def emphasise(self, name: str | None) -> None:
        """Frame the row and the column of this name, where they are."""
        rows, columns = self.cells.values.shape
        row = self.cells.row_names.index(name) if name in self.cells.row_names else None
        column = self.cells.column_names.index(name) if name in self.cells.column_names else None
        self.row_frame.show_at(None if row is None else QRectF(0.0, row, columns, 1.0))
        self.column_frame.show_at(None if column is None else QRectF(column, 0.0, 1.0, rows))
        self.row_names.emphasise(name)
        self.column_names.emphasise(name)

    def ink(self, palette: QPalette, font: QFont) -> None:
        """Use these colours and this font."""
        bold = QFont(font)
        bold.setBold(True)
        self.title.setFont(bold)
        self.title.setBrush(palette.color(QPalette.ColorRole.Text))
        self.view.setBorder(pg.mkPen(palette.color(QPalette.ColorRole.Mid)))
        for names in (self.row_names, self.column_names):
            names.ink(palette, font)

    def place(self, room: QRectF, title: float, side: float) -> None:
        """Put the table into this room, the title above it and the names around it."""
        self.view.setGeometry(room)
        words = shown_name("   ".join(filter(None, (self.cells.title, self.cells.note))))
        metrics = QFontMetricsF(self.title.font())
        if metrics.horizontalAdvance(words) > room.width():  # what is left of a figure would mislead
            words = shown_name(self.cells.title)
        self.title.setText(metrics.elidedText(words, Qt.TextElideMode.ElideMiddle, room.width()))
        self.title.setPos(room.left(), room.top() - title + 2.0)
        self.row_names.setVisible(self.has_rows)
        self.column_names.setVisible(self.has_columns)
        self.row_names.place(QRectF(room.left() - side, room.top(), side, room.height()))
        self.column_names.place(QRectF(room.left(), room.bottom(), room.width(), side))


# A table of colours as an item of a plot, one unit for each cell, fast and honest at every zoom.
#
# Not pyqtgraph's ImageItem: where that makes an image smaller it lets go of memory that Qt still paints from.


Colours = NDArray[np.uint8]


class CellsImage(QGraphicsItem):
    """Cells in their colours. Where several share a pixel of the screen, it has their mean colour.

    For that there are smaller images, each of half the side of the one before.
    """

    def __init__(self) -> None:
        super().__init__()
        self.setFlag(QGraphicsItem.GraphicsItemFlag.ItemUsesExtendedStyleOption)  # paint what is exposed
        self.colours: Colours = np.zeros((0, 0, 3), dtype=np.uint8)
        self._images: list[QImage] = []

    def show_colours(self, colours: Colours) -> None:
        """Show these, shape (rows, columns, 3), the first row on top."""
        self.prepareGeometryChange()
        self.colours = colours
        self._images = [_image_of(colours)]
        smaller = colours
        while min(smaller.shape[:2]) > 1:
            smaller = halved(smaller)
            self._images.append(_image_of(smaller))
        self.update()

    def boundingRect(self) -> QRectF:
        rows, columns = self.colours.shape[:2]
        return QRectF(0.0, 0.0, columns, rows)

    def paint(
        self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None
    ) -> None:
        rows, columns = self.colours.shape[:2]
        shown = option.exposedRect.toAlignedRect() & QRect(0, 0, columns, rows)
        if shown.isEmpty():
            return
        transform = painter.worldTransform()
        pixels = min(abs(transform.m11()), abs(transform.m22()))  # for one cell
        level = level_for(pixels, len(self._images))
        image = self._images[level]
        x, y = image.width() / columns, image.height() / rows
        source = QRectF(shown.x() * x, shown.y() * y, shown.width() * x, shown.height() * y)
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, on=pixels < 1.0)
        painter.drawImage(QRectF(shown), image, source)


def level_for(pixels: float, n_levels: int) -> int:
    """Which image to paint where a cell has so many pixels: the smallest that has one for each pixel."""
    if pixels >= 1.0 or pixels <= 0.0:
        return 0
    return min(int(math.log2(1.0 / pixels)), n_levels - 1)


def halved(colours: Colours) -> Colours:
    """Half as many rows and columns (rounded up), each the mean of two; the last of an odd number alone."""
    rows, columns = colours.shape[:2]
    padded = np.pad(colours, ((0, rows % 2), (0, columns % 2), (0, 0)), mode="edge").astype(np.uint16)
    total = padded[::2, ::2] + padded[1::2, ::2] + padded[::2, 1::2] + padded[1::2, 1::2]
    return np.asarray((total + 2) // 4, dtype=np.uint8)


def _image_of(colours: Colours) -> QImage:
    rows, columns = colours.shape[:2]
    content = np.ascontiguousarray(colours)
    image = QImage(content.data, columns, rows, 3 * columns, QImage.Format.Format_RGB888)
    # A copy of its own: Qt would not keep the array alive.
    return image.convertToFormat(QImage.Format.Format_RGB32)
