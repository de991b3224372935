"""The table of the comparison: columns to choose, rows to copy as tabs, HTML, Markdown or TeX."""

from __future__ import annotations

from functools import partial
from itertools import pairwise

from PySide6.QtCore import QCoreApplication, QModelIndex, QPoint, QRect, Qt, Signal
from PySide6.QtGui import QAction, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QMenu, QStyleOptionViewItem, QWidget

from zebra_core.project.comparison.columns import ALL_COLUMNS, COLUMNS, GROUP_COLUMNS
from zebra_core.project.comparison.comparison import Comparison
from zebra_core.project.comparison.row import ComparisonColumn, ComparisonGroup, ComparisonRow
from zebra_core.report.tables import heads_of, shown_cells
from zebra_gui.models.comparison import (
    ANSWERED,
    NAME,
    RANK,
    ROW_HEIGHT,
    TAG,
    CompareRole,
    ComparisonDelegate,
    ComparisonModel,
    ComparisonOrder,
    shown_columns,
)
from zebra_gui.session.session import Session
from zebra_gui.settings import settings
from zebra_gui.tables.rows import CopiedTable, RowsTable
from zebra_gui.widgets.theme import with_text

_SETTING, _FEW_SETTING = "comparison/columns", "comparison/few-columns"
_FEW = ("name", "tag", "rank", "average", "named", "exposed")
"""What reviewers see until they choose other columns."""
_WIDEST_NAME, _NARROWEST, _WIDEST, _WIDEST_OF_PEOPLE = 210, 52, 240, 340
_SIGN = 6  # room for the sign that shows by which column rows are sorted
translate = QCoreApplication.translate


class _Header(QHeaderView):
    """A header whose first section stays in sight, and at its place, while the others are scrolled."""

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self.offset() > 0:
            place = QRect(0, 0, self.sectionSize(NAME), self.height())
            with QPainter(self.viewport()) as painter:
                painter.fillRect(place, self.palette().base())
                self.paintSection(painter, place, NAME)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """What is hidden behind the first section is not meant."""
        if self.offset() > 0 and event.position().x() < self.sectionSize(NAME):
            self.setSortIndicator(NAME, Qt.SortOrder.AscendingOrder)
        else:
            super().mousePressEvent(event)


class ComparisonTable(RowsTable):
    """Shows a ComparisonModel in groups; the names stay in sight while other columns are scrolled.

    Signals:
        row_chosen: the id of an entry; the user points at its row.
        columns_changed: other columns are shown.
    """

    least_row = ROW_HEIGHT
    row_chosen = Signal(str)
    columns_changed = Signal()

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(translate("ComparisonTable", "Comparison"), parent)
        self.rows = ComparisonModel(session, self)
        self.order = ComparisonOrder(self.rows, self)
        self.setModel(self.order)
        self.setItemDelegate(ComparisonDelegate(self))
        self._wider: list[tuple[object, ...]] = []  # what of each row needs room: ranks, ends, people
        self._unfitted: set[int] = set()  # hidden columns, whose cells are measured when they are shown
        self._is_few = False
        self._is_showing = False  # what is selected by the session is not chosen by the user
        self._dress()
        for signal in (self.order.modelReset, self.order.layoutChanged, self.order.rowsInserted):
            signal.connect(self._span_headings)
        self.order.rowsRemoved.connect(self._span_headings)
        self.selectionModel().currentRowChanged.connect(self._on_current)
        self._show_columns(self._remembered())

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self.horizontalScrollBar().value() > 0:
            with QPainter(self.viewport()) as painter:
                self._paint_names(painter)

    def scrollContentsBy(self, dx: int, dy: int) -> None:
        super().scrollContentsBy(dx, dy)
        if dx:  # else the names would be moved with what is painted already
            self.viewport().update()

    def _paint_names(self, painter: QPainter) -> None:
        """The first column once more, where it would be if nothing were scrolled."""
        width, height = self.columnWidth(NAME), self.viewport().height()
        painter.fillRect(QRect(0, 0, width, height), self.palette().base())
        for number in range(max(self.rowAt(0), 0), self.order.rowCount()):
            index, top = self.order.index(number, NAME), self.rowViewportPosition(number)
            if top > height:
                break
            is_heading = bool(index.data(CompareRole.IS_HEADING))
            room = QRect(0, top, self.viewport().width() if is_heading else width, self.rowHeight(number))
            option = QStyleOptionViewItem()
            self.initViewItemOption(option)
            option.rect = room
            is_chosen = self.selectionModel().isRowSelected(number, QModelIndex())
            painter.fillRect(room, option.palette.highlight() if is_chosen else self.palette().base())
            self.itemDelegate().paint(painter, option, index)
        painter.setPen(self.palette().mid().color())
        painter.drawLine(width - 1, 0, width - 1, height)

    @property
    def columns(self) -> list[int]:
        """The numbers of the columns that are shown, from left to right."""
        header = self.horizontalHeader()
        shown = [number for number in range(len(ALL_COLUMNS)) if not self.isColumnHidden(number)]
        return sorted(shown, key=header.visualIndex)

    def show_comparison(self, comparison: Comparison) -> None:
        """Show these rows."""
        was_empty = self.rows.rowCount() == 0
        wider: list[tuple[object, ...]] = [
            (
                *(row.ranks is not None, row.entry.trust is not None, row.people is not None),
                *(bool(row.inference), row.average, row.named, row.exposed),
            )
            for row in comparison.rows
        ]
        has_other_cells, self._wider = wider != self._wider, wider
        self.rows.show_comparison(comparison)
        self._span_headings()
        if was_empty or has_other_cells:  # intervals need more room
            self.fit_columns()

    def show_selected(self, entry_id: str | None) -> None:
        """Make the row of this entry the current one, if it is there."""
        index = self.order.mapFromSource(self.rows.index_of(entry_id)) if entry_id else QModelIndex()
        if index.isValid() and index.row() != self.currentIndex().row():
            self._is_showing = True
            self.setCurrentIndex(index.siblingAtColumn(max(self.currentIndex().column(), NAME)))
            self._is_showing = False

    def show_few(self, *, is_few: bool) -> None:
        """Show the columns that reviewers read, or those of a laboratory, as they were chosen last."""
        if is_few != self._is_few:
            self._is_few = is_few
            self._show_columns(self._remembered())
            self.fit_columns()
            self._span_headings()
            self.columns_changed.emit()

    def bring_into_view(self, entry_id: str, number: int) -> None:
        """Show a column, also where it is hidden, and scroll to its cell in the row of this entry."""
        if self.isColumnHidden(number):
            self.show_column(number, shown=True)
        index = self.order.mapFromSource(self.rows.index_of(entry_id))
        self.scrollTo(index.siblingAtColumn(number))

    def show_column(self, number: int, *, shown: bool) -> None:
        """Show or hide a column, and remember it."""
        self.setColumnHidden(number, not shown)
        if shown and number in self._unfitted:
            self._fit_column(number)
        settings().setValue(self._setting, [ALL_COLUMNS[one].code for one in self.columns])
        self._span_headings()
        self.columns_changed.emit()

    def columns_menu(self) -> QMenu:
        """A menu in which columns are chosen."""
        menu = QMenu(self)
        for title, numbers in self._column_groups().items():
            part = menu.addMenu(title)
            part.setToolTipsVisible(True)
            for number in numbers:
                column = ALL_COLUMNS[number]
                action = QAction(column.head, part)
                action.setToolTip(column.meaning)
                action.setCheckable(True)
                action.setChecked(not self.isColumnHidden(number))
                action.setEnabled(number != NAME)
                action.toggled.connect(partial(self._on_column, number))
                part.addAction(action)
        return menu

    def _column_groups(self) -> dict[str, range]:
        """The numbers of the columns, in parts that can be seen at a glance."""
        first = {
            self.tr("What is compared"): "name",
            self.tr("Disclosure and rank"): "rank",
            self.tr("The recogniser and its decisions"): "eer",
            self.tr("Hits and detection costs"): "hits_at_1e2",
            self.tr("Beside unprotected speech"): "de_id",
            self.tr("Utility and trials"): "wer",
            self.tr("As in the answer; linking and singling out"): "average",
            self.tr("Attributes"): "attribute_similarity",
        }
        codes = [column.code for column in ALL_COLUMNS]
        begins = [*map(codes.index, first.values()), len(codes)]
        return {title: range(*ends) for title, ends in zip(first, pairwise(begins), strict=True)}

    def _on_column(self, number: int, shown: bool) -> None:
        self.show_column(number, shown=shown)

    def _dress(self) -> None:
        self.setAccessibleDescription(
            self.tr("Assessments in groups of one dataset, condition and attacker, sorted within each.")
        )
        self.setHorizontalHeader(_Header(Qt.Orientation.Horizontal, self))
        self.horizontalHeader().setSectionsClickable(True)
        self.horizontalHeader().setHighlightSections(False)
        self.horizontalHeader().setStretchLastSection(True)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        header = self.horizontalHeader()
        header.setSectionsMovable(True)
        header.setFirstSectionMovable(False)  # headings of groups begin there
        header.setSortIndicatorClearable(True)
        header.setSortIndicator(RANK, Qt.SortOrder.AscendingOrder)
        self.setSortingEnabled(True)
        for place, number in enumerate((TAG, RANK, *ANSWERED), start=1):
            header.moveSection(header.visualIndex(number), place)
        header.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        header.customContextMenuRequested.connect(self._on_header_menu)

    def copied(self) -> CopiedTable:
        """The selected rows, all that are shown where only one is or none, in the order they are shown.

        On screen headings say what a group is of; what is copied says it in each row.
        """
        columns = with_group_columns(shown_columns(self.columns))
        groups: dict[ComparisonGroup, list[tuple[str, ...]]] = {}
        for row in self._chosen_rows():
            groups.setdefault(row.group, []).append(shown_cells(columns, row))
        return heads_of(columns), list(groups.values())

    def _chosen_rows(self) -> list[ComparisonRow]:
        chosen = sorted({index.row() for index in self.selectionModel().selectedRows()})
        numbers = chosen if len(chosen) > 1 else range(self.order.rowCount())
        lines = [self.rows.line_at(self.order.mapToSource(self.order.index(n, NAME))) for n in numbers]
        return [line for line in lines if isinstance(line, ComparisonRow)]

    def _on_current(self, current: QModelIndex, _previous: QModelIndex) -> None:
        if self._is_showing or not current.isValid():
            return
        line = self.rows.line_at(self.order.mapToSource(current))
        if isinstance(line, ComparisonRow):
            self.row_chosen.emit(line.entry.id)

    def _on_header_menu(self, place: QPoint) -> None:
        self.columns_menu().popup(self.horizontalHeader().mapToGlobal(place))

    def _span_headings(self, *_: object) -> None:
        """Headings go across all columns; where they are changes with every sorting and filtering."""
        self.clearSpans()
        for number in range(self.order.rowCount()):
            source = self.order.mapToSource(self.order.index(number, NAME))
            if isinstance(self.rows.line_at(source), ComparisonGroup):
                self.setSpan(number, NAME, 1, len(ALL_COLUMNS))

    def _remembered(self) -> list[str]:
        saved = settings().value(self._setting)
        codes = [saved] if isinstance(saved, str) else list(saved or [])
        known = [column.code for column in ALL_COLUMNS if column.code in codes]
        return known or [column.code for column in ALL_COLUMNS if self._is_first(column)]

    @property
    def _setting(self) -> str:
        return _FEW_SETTING if self._is_few else _SETTING

    def _is_first(self, column: ComparisonColumn) -> bool:
        return column.code in _FEW if self._is_few else column.is_shown_first

    def _show_columns(self, codes: list[str]) -> None:
        for number, column in enumerate(ALL_COLUMNS):
            self.setColumnHidden(number, column.code not in codes and number != NAME)

    def fit_columns(self) -> None:
        """Make columns as wide as their cells; hidden ones later, since measuring all cells takes long."""
        self._unfitted = set(range(len(ALL_COLUMNS)))
        for number in self.columns:
            self._fit_column(number)

    def _fit_column(self, number: int) -> None:
        """Make a column as wide as its cells and its heading, which may be wider than the cells."""
        header = self.horizontalHeader()
        wanted = max(self.sizeHintForColumn(number), header.sectionSizeHint(number) + _SIGN)
        widest = {NAME: _WIDEST_NAME}.get(number, _WIDEST if number < len(COLUMNS) else _WIDEST_OF_PEOPLE)
        header.resizeSection(number, min(max(wanted, _NARROWEST), with_text(widest, self)))
        self._unfitted.discard(number)


def with_group_columns(columns: list[ComparisonColumn]) -> list[ComparisonColumn]:
    """These columns, with what a group is of behind the first wherever that is not among them."""
    lacking = [column for column in GROUP_COLUMNS if column not in columns]
    return [*columns[:1], *lacking, *columns[1:]]
