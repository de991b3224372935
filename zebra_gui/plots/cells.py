"""A CellsFigure on screen: its tables, and a cursor that reads their cells in words."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import Signal
from PySide6.QtGui import (
    QAccessible,
    QAccessibleAnnouncementEvent,
    QPalette,
)
from PySide6.QtWidgets import QWidget

from zebra_core.figures.cells import CellsFigure
from zebra_core.wording.texts import say
from zebra_gui.plots.cells_canvas import CellPlace, CellsCanvas
from zebra_gui.widgets.layouts import in_column
from zebra_gui.widgets.plain import ElidedLabel, spoken, tooltip


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
