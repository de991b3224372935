"""A few figures as a small table: headings, and below them rows that begin with what they are."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QGridLayout, QLabel, QScrollArea, QWidget

from zebra_core.report.tables import ColumnHead
from zebra_gui.tables.copying import CopiedTable, let_copy
from zebra_gui.widgets.plain import label, tooltip

_LEAST_NAME, _LONGEST_UNBROKEN = 14, 22  # characters
_TEXT_HEIGHT = 17  # pixels, at which lines of so many characters have room


class FactGrid(QWidget):
    """The rows under their headings; numbers at the right; with `wraps` cells may have several lines."""

    def __init__(self, parent: QWidget | None = None, *, wraps: bool = False) -> None:
        super().__init__(parent)
        self._wraps = wraps
        self._table: tuple[tuple[str, ...], ...] = ()
        self._words: Collection[int] = (0,)
        let_copy(self, self.copied)
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(22)
        self._grid.setVerticalSpacing(3)

    def show_table(
        self,
        headings: Sequence[str],
        rows: Sequence[Sequence[str]],
        meanings: Sequence[str] = (),
        words: Collection[int] = (0,),
    ) -> None:
        """Show these rows; `meanings`, one for each, are told when a name is pointed at.

        `words` are the columns that hold no numbers. Rows that mean nothing by themselves are shown column by
        column: a label for each of many hundred cells takes longer than the window may stand still.
        """
        table = tuple(tuple(row) for row in (headings, *rows))
        if table == self._table:
            return
        self._table, self._words = table, words
        while (item := self._grid.takeAt(0)) is not None:
            if widget := item.widget():
                widget.hide()
                widget.deleteLater()
        meaning_of_line = ("", *meanings)
        columns = tuple("\n".join(column) for column in zip(*rows, strict=True))
        for line, row in enumerate(table if meanings else (table[0], columns)):
            for column, text in enumerate(row):
                tone = "" if column in words else "subheading"
                cell = self._put(line, column, text, tone if line else "quiet")
                side = Qt.AlignmentFlag.AlignLeft if column in words else Qt.AlignmentFlag.AlignRight
                cell.setAlignment(side | Qt.AlignmentFlag.AlignTop)
                cell.setToolTip(tooltip(meaning_of_line[line]) if line < len(meaning_of_line) else "")
        if self._wraps:  # what rows are has the room that is left, and some in any case
            self._grid.setColumnStretch(0, 1)
            self._grid.setColumnMinimumWidth(0, _LEAST_NAME * self.fontMetrics().averageCharWidth())
        self._grid.setRowStretch(1, 0 if meanings else 1)  # with columns, what height is left over is theirs
        self.setAccessibleDescription(self.as_text())

    def forget(self) -> None:
        """Show no figures."""
        self.show_table((), ())

    def as_text(self) -> str:
        """The table, one row a line."""
        return "\n".join("\t".join(row) for row in self._table)

    def copied(self) -> CopiedTable:
        """The table as it is copied."""
        headings, *rows = self._table or ((),)
        return [ColumnHead(head, n in self._words) for n, head in enumerate(headings)], [rows]

    def _put(self, row: int, column: int, text: str, tone: str) -> QLabel:
        cell = label(text, tone)
        cell.setWordWrap(self._wraps)
        cell.setContextMenuPolicy(Qt.ContextMenuPolicy.NoContextMenu)  # that of the table is
        if text:
            cell.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._grid.addWidget(cell, row, column)
        cell.show()  # else the layout takes it for hidden until the next turn
        cell.ensurePolished()  # how wide it is depends on its tone, and is asked before it is seen
        if self._wraps and column:
            cell.setText(_unbroken(text, cell.fontMetrics().height()))
        return cell


class Sideways(QScrollArea):
    """Shows a table as high as it is; where it is wider than the room it is scrolled, and the page is not."""

    def __init__(self, table: FactGrid) -> None:
        super().__init__()
        self._table = table
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setWidgetResizable(True)
        self.setWidget(table)
        for inside in (self.viewport(), table):
            inside.setAutoFillBackground(False)  # the page shows through
        table.installEventFilter(self)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() is QEvent.Type.LayoutRequest:
            self._fit()
        return super().eventFilter(watched, event)

    def _fit(self) -> None:
        table, room = self._table, self.viewport().width()
        width = max(room, table.minimumSizeHint().width())
        high = table.heightForWidth(width) if table.hasHeightForWidth() else table.sizeHint().height()
        bar = self.horizontalScrollBar().sizeHint().height() if width > room else 0
        self.setFixedHeight(max(high, table.minimumSizeHint().height()) + bar)


def _unbroken(text: str, height: int) -> str:
    """A text whose short lines with numbers are not torn apart; of large text only the shortest."""
    longest = _LONGEST_UNBROKEN * min(1.0, _TEXT_HEIGHT / height) ** 2
    lines = text.split("\n")
    return "\n".join(
        line.replace(" ", "\u00a0") if len(line) <= longest and any(map(str.isdigit, line)) else line
        for line in lines
    )
