"""A table of rows: as every table of the window looks and is copied."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from itertools import chain

from PySide6.QtCore import QCoreApplication, QEvent, QMimeData, QObject, Qt, Signal
from PySide6.QtGui import QAction, QGuiApplication, QKeySequence, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QFrame, QGridLayout, QLabel, QScrollArea, QTableView, QWidget

from zebra_core.report.tables import ColumnHead, html_table, markdown_table, tab_separated, tex_table
from zebra_gui.models.rows import RowsModel
from zebra_gui.widgets.layouts import label, tooltip

ROW_HEIGHT = 25


class RowsTable(QTableView):
    """Whole rows are selected and copied; Tab goes on to the next widget."""

    _resized = Signal()

    least_row = ROW_HEIGHT  # pixels; with large text rows are higher

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        """`name` is what a screen reader calls it."""
        super().__init__(parent)
        self.setAccessibleName(name)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setTabKeyNavigation(False)
        self.setWordWrap(False)
        self.setShowGrid(False)
        self.verticalHeader().hide()
        # Once the heads have the new size, too.
        self._resized.connect(self.fit_columns, Qt.ConnectionType.QueuedConnection)
        self._fit_rows()
        self.horizontalHeader().setHighlightSections(False)
        let_copy(self, self.copied)

    @property
    def row_height(self) -> int:
        """How high a row is, in pixels."""
        return self.verticalHeader().defaultSectionSize()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self._fit_rows()
            self._resized.emit()

    def fit_columns(self) -> None:
        """Make columns as wide as their words, which are in another size now."""

    def _fit_rows(self) -> None:
        self.verticalHeader().setDefaultSectionSize(max(self.least_row, self.fontMetrics().height() + 8))

    def copied(self) -> CopiedTable:
        """What is copied: all rows; where several can be selected and are, these."""
        selected = sorted({index.row() for index in self.selectionModel().selectedRows()})
        is_several = self.selectionMode() is not QAbstractItemView.SelectionMode.SingleSelection
        return table_in(self, selected if is_several and selected else None)

    def copy(self) -> None:
        """Put rows on the clipboard as a spreadsheet takes them, and as a table for a letter."""
        put_on_clipboard(self.copied())


# How every table is copied: for a spreadsheet and for a letter at once, or as Markdown, HTML or TeX.


CopiedTable = tuple[Sequence[ColumnHead], Sequence[Sequence[Sequence[str]]]]
"""Heads, and rows in groups between which TeX draws a rule."""
translate = QCoreApplication.translate


def let_copy(widget: QWidget, table: Callable[[], CopiedTable]) -> None:
    """Give a widget a menu that copies what `table` returns; its first entry has the key.

    What has no rows is not copied, so that the clipboard keeps what it has.
    """
    writers: dict[str, Callable[[CopiedTable], str | QMimeData]] = {
        translate("Copying", "Copy the table"): _for_everybody,
        translate("Copying", "Copy as Markdown"): lambda found: markdown_table(found[0], _rows(found)),
        translate("Copying", "Copy as HTML"): lambda found: html_table(found[0], _rows(found)),
        translate("Copying", "Copy as LaTeX"): lambda found: tex_table(*found),
    }
    widget.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)
    for number, (name, write) in enumerate(writers.items()):
        action = QAction(name, widget)
        if number == 0:
            action.setShortcut(QKeySequence(QKeySequence.StandardKey.Copy))
            action.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
        action.triggered.connect(lambda _checked=False, write=write: put_on_clipboard(table(), write))
        widget.addAction(action)


def put_on_clipboard(
    table: CopiedTable, write: Callable[[CopiedTable], str | QMimeData] | None = None
) -> None:
    """Copy a table, by default for a spreadsheet and for a letter at once."""
    if not any(table[1]):
        return
    copied = (write or _for_everybody)(table)
    if isinstance(copied, str):
        QGuiApplication.clipboard().setText(copied)
    else:
        QGuiApplication.clipboard().setMimeData(copied)


def table_in(view: QTableView, rows: Iterable[int] | None = None) -> CopiedTable:
    """These rows of a view, or all, under the heads of the columns that are shown, in the order on screen."""
    model, header = view.model(), view.horizontalHeader()
    places = [header.logicalIndex(place) for place in range(header.count())]
    columns = [column for column in places if not view.isColumnHidden(column)]
    chosen = range(model.rowCount()) if rows is None else rows

    def cell(row: int, column: int) -> str:
        if isinstance(model, RowsModel):
            return str(model.whole_text(model.rows[row], column))
        return str(model.index(row, column).data() or "")

    heads = [
        ColumnHead(
            str(model.headerData(column, Qt.Orientation.Horizontal) or ""), not _is_number(model, column)
        )
        for column in columns
    ]
    return heads, [[tuple(cell(row, column) for column in columns) for row in chosen]]


def _is_number(model: object, column: int) -> bool:
    return isinstance(model, RowsModel) and model.columns[column].is_number


def _rows(table: CopiedTable) -> Iterable[Sequence[str]]:
    return chain.from_iterable(table[1])


def _for_everybody(table: CopiedTable) -> QMimeData:
    copied = QMimeData()
    copied.setText(tab_separated(table[0], _rows(table)))
    copied.setHtml(html_table(table[0], _rows(table)))
    return copied


# A few figures as a small table: headings, and below them rows that begin with what they are.


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
        if self._wraps:  # long texts share the room that is left, and what rows are has some in any case
            for column, texts in enumerate(zip(*rows, strict=True)):
                long = max(map(len, "\n".join(texts).split("\n")))
                self._grid.setColumnStretch(column, long if long > _LONGEST_UNBROKEN or not column else 0)
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
        frame = 2 * self.frameWidth()  # a style sheet gives it one, or the last row is cut off
        self.setFixedHeight(max(high, table.minimumSizeHint().height()) + bar + frame)


def _unbroken(text: str, height: int) -> str:
    """A text whose short lines with numbers are not torn apart; of large text only the shortest."""
    longest = _LONGEST_UNBROKEN * min(1.0, _TEXT_HEIGHT / height) ** 2
    lines = text.split("\n")
    return "\n".join(
        line.replace(" ", "\u00a0") if len(line) <= longest and any(map(str.isdigit, line)) else line
        for line in lines
    )
