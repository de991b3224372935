"""One table of a CellsFigure on screen, with its title, its frames and the names at its sides."""

from __future__ import annotations

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QFont, QFontMetricsF, QPalette
from PySide6.QtWidgets import QGraphicsScene, QGraphicsSimpleTextItem

from zebra_core.figures.cells import Cells
from zebra_gui.plots.cells_image import CellsImage
from zebra_gui.plots.cells_items import CellFrame, CellNames
from zebra_gui.widgets.plain import shown_name

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
        self.title.setText(metrics.elidedText(words, Qt.TextElideMode.ElideMiddle, room.width()))
        self.title.setPos(room.left(), room.top() - title + 2.0)
        self.row_names.setVisible(self.has_rows)
        self.column_names.setVisible(self.has_columns)
        self.row_names.place(QRectF(room.left() - side, room.top(), side, room.height()))
        self.column_names.place(QRectF(room.left(), room.bottom(), room.width(), side))
