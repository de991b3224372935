"""The table of files, in the intake sheet and in the pane about files; its rows are copied as text."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, Qt
from PySide6.QtGui import QResizeEvent, QShowEvent
from PySide6.QtWidgets import (
    QHeaderView,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from zebra_core.intake.opening.opening import Source
from zebra_gui.models.files import FileRow, FilesModel
from zebra_gui.tables.rows import RowsTable

_WIDEST, _WIDEST_NAME, _NARROWEST = 262, 340, 100
_STEP = 4
_AIR = 8


class FilesTable(RowsTable):
    """Shows a FilesModel; names take the room there is."""

    def __init__(self, name: str, *, with_states: bool, parent: QWidget | None = None) -> None:
        super().__init__(name, parent)
        self.files = FilesModel(with_states=with_states, parent=self)
        self._is_laying_out = False
        self._widths_are_the_users = False
        self.setModel(self.files)
        for number, column in enumerate(self.files.columns):
            if column.is_name:
                self.setItemDelegateForColumn(number, _NameDelegate(self))
        self.horizontalHeader().sectionResized.connect(self._on_column_resized)

    @property
    def current(self) -> FileRow | None:
        """The file that the user looks at."""
        row = self.currentIndex().row()
        return self.files.rows[row] if 0 <= row < len(self.files.rows) else None

    def show_rows(self, rows: list[FileRow]) -> None:
        """Show these files; the one that was looked at stays so, if it is still there."""
        before = self.current
        self.files.put(rows)
        if self.isVisible():
            self._lay_out()
        if before is not None:
            self.look_at(before.source)

    def look_at(self, source: Source) -> None:
        """Make this file the current one."""
        places = [row.source for row in self.files.rows]
        if source in places and (self.current is None or self.current.source != source):
            self.setCurrentIndex(self.files.index(places.index(source), 0))

    def whole_height(self) -> int:
        """The height at which nothing need be scrolled."""
        frame = 2 * self.frameWidth() + self.horizontalScrollBar().sizeHint().height()
        return self.horizontalHeader().sizeHint().height() + len(self.files.rows) * self.row_height + frame

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._lay_out()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self.isVisible():
            self._lay_out()

    def _on_column_resized(self, column: int) -> None:
        # The column of names takes what the others leave; nobody moves it by itself.
        if not self._is_laying_out and column != self.files.name_column:
            self._widths_are_the_users = True

    def _lay_out(self) -> None:
        """Make the columns fit the room, until the user makes them as wide as they want."""
        if self._widths_are_the_users or not self.files.rows:
            return
        self._is_laying_out = True
        self._fit_columns()
        self._is_laying_out = False

    def _fit_columns(self) -> None:
        header = self.horizontalHeader()
        widths = self._wanted_widths()
        while sum(widths) > self.viewport().width() and max(widths) > _NARROWEST:
            widest = widths.index(max(widths))
            widths[widest] = max(widths[widest] - _STEP, _NARROWEST)
        for number, width in enumerate(widths):
            header.resizeSection(number, width)
        header.setSectionResizeMode(self.files.name_column, QHeaderView.ResizeMode.Stretch)

    def _wanted_widths(self) -> list[int]:
        header = self.horizontalHeader()
        wanted = [
            max(self.sizeHintForColumn(n), header.sectionSizeHint(n)) + _AIR for n in range(header.count())
        ]
        return [
            min(width, _WIDEST_NAME if n == self.files.name_column else _WIDEST)
            for n, width in enumerate(wanted)
        ]


class _NameDelegate(QStyledItemDelegate):
    """Names that are too long lose their middle, for what tells them apart is at the end."""

    def initStyleOption(
        self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        super().initStyleOption(option, index)
        option.textElideMode = Qt.TextElideMode.ElideMiddle
