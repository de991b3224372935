"""How every table is copied: for a spreadsheet and for a letter at once, or as Markdown, HTML or TeX."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import chain

from PySide6.QtCore import QCoreApplication, QMimeData, Qt
from PySide6.QtGui import QAction, QGuiApplication, QKeySequence
from PySide6.QtWidgets import QTableView, QWidget

from zebra_core.report.tables import ColumnHead, html_table, markdown_table, tab_separated, tex_table
from zebra_gui.models.rows import RowsModel

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
