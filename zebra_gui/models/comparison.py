"""The comparison as a table: rows under the name of their group, sorted and filtered within it."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from enum import IntEnum
from typing import Any

from PySide6.QtCore import QModelIndex, QObject, QRect, QSize, QSortFilterProxyModel, Qt
from PySide6.QtGui import QColor, QPainter, QPalette
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from zebra_core.errors import ZebraError
from zebra_core.figures.figure import Ink, tag_colour
from zebra_core.project.comparison.columns import ALL_COLUMNS
from zebra_core.project.comparison.comparison import Comparison
from zebra_core.project.comparison.row import ANSWER_COLUMNS, ComparisonColumn, ComparisonGroup, ComparisonRow
from zebra_core.project.group_differences import span_meaning
from zebra_core.project.items import basis_in_words, tag_is_open
from zebra_core.project.utility import typed_wer
from zebra_core.wording.texts import alphabetical, differing_from, named, written
from zebra_gui.models.evidence import Index
from zebra_gui.models.rows import Column, RowsModel
from zebra_gui.plots.inks import colour_of, paint_swatch
from zebra_gui.session.session import Session
from zebra_gui.widgets.badge import badge_width, paint_badge
from zebra_gui.widgets.layouts import elided_apart, tooltip

Line = ComparisonGroup | ComparisonRow


class CompareRole(IntEnum):
    """What the delegate paints beside the text."""

    GROUP = Qt.ItemDataRole.UserRole + 2  # the number of the group
    IS_HEADING = Qt.ItemDataRole.UserRole + 3
    BAR = Qt.ItemDataRole.UserRole + 4  # a share of the cell, 0 … 1; None for no bar
    TAG_COLOUR = Qt.ItemDataRole.UserRole + 5  # as #RRGGBB
    IS_OPEN = Qt.ItemDataRole.UserRole + 9  # the set is too small, or could not have shown a worse tag
    MAY_BE_CHANCE = Qt.ItemDataRole.UserRole + 7  # no disclosure at all might show the same tag
    SERIES = Qt.ItemDataRole.UserRole + 6  # a figure.Colour, before the name
    DIFFERS_FROM = Qt.ItemDataRole.UserRole + 8  # where the name begins to differ from names like it


NO_VALUES = (None,) * len(ALL_COLUMNS)
NAME = next(number for number, column in enumerate(ALL_COLUMNS) if column.code == "name")
TAG, RANK, CORRECTED, AS_COMPUTED, WER = (
    [column.code for column in ALL_COLUMNS].index(code)
    for code in ("tag", "rank", "d_ece_corrected", "d_ece", "wer")
)
ANSWERED = [ALL_COLUMNS.index(column) for column in ANSWER_COLUMNS]
_LONGEST_LINE = 12  # letters of a head


@dataclass(frozen=True, eq=False)
class TableLine:
    """A line of the table, with what is asked for again and again while it is painted and sorted."""

    line: Line
    group: int
    values: tuple[Any, ...] = ()
    texts: tuple[str, ...] = ()
    words: str = ""  # everything that a filter looks through, in small letters
    differs_from: int = 0  # where the name begins to differ from names like it

    @classmethod
    def of(cls, row: ComparisonRow, group: int) -> TableLine:
        """A row, with its cells."""
        values = tuple(column.value(row) for column in ALL_COLUMNS)
        texts = tuple(column.shown(row) for column in ALL_COLUMNS)
        return cls(row, group, values, texts, " ".join((*texts, str(row.group))).lower())

    @property
    def place(self) -> tuple[int, bool]:
        """Where it stands whatever is sorted: in its group, the heading first."""
        return self.group, isinstance(self.line, ComparisonRow)


class ComparisonModel(RowsModel[TableLine]):
    """A window onto a Comparison; a word error rate typed into its column goes to the session."""

    def __init__(self, session: Session, parent: QObject | None = None) -> None:
        super().__init__((_column(number) for number in range(len(ALL_COLUMNS))), parent)
        self._session = session

    def show_comparison(self, comparison: Comparison) -> None:
        """Show these rows; where they are of the same entries in the same groups, the selection stays."""
        lines: list[TableLine] = []
        for number, group in enumerate(comparison.groups):
            rows = [TableLine.of(row, number) for row in comparison.of(group)]
            basis = basis_in_words([row.entry for row in comparison.of(group)])
            heading = self.tr("{group} · D_ECE {basis}").format(group=group, basis=basis)
            lines.append(TableLine(group, number, texts=(heading,)))
            places = differing_from([row.texts[NAME] for row in rows])
            lines += [replace(row, differs_from=place) for row, place in zip(rows, places, strict=True)]
        self.put(lines)

    def identity(self, row: TableLine) -> object:
        return row.line.entry.id if isinstance(row.line, ComparisonRow) else row.line

    def line_at(self, index: Index) -> Line:
        """The row, or the group whose heading it is."""
        return self._rows[index.row()].line

    def index_of(self, entry_id: str) -> QModelIndex:
        """Where an entry is, in the column of names; invalid when it is not there."""
        for number, placed in enumerate(self._rows):
            if isinstance(placed.line, ComparisonRow) and placed.line.entry.id == entry_id:
                return self.index(number, NAME)
        return QModelIndex()

    def alignment(self, column: int) -> int:
        is_tag = self.columns[column].key == "tag"
        return int(Qt.AlignmentFlag.AlignCenter.value) if is_tag else super().alignment(column)

    def flags(self, index: Index) -> Qt.ItemFlag:
        if not index.isValid():
            return Qt.ItemFlag.NoItemFlags
        if isinstance(self.line_at(index), ComparisonGroup):
            return Qt.ItemFlag.ItemIsEnabled
        flags = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
        return flags | Qt.ItemFlag.ItemIsEditable if index.column() == WER else flags

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        placed = self._rows[index.row()]
        if role == CompareRole.GROUP:
            return placed.group
        if role == CompareRole.IS_HEADING:
            return isinstance(placed.line, ComparisonGroup)
        if isinstance(placed.line, ComparisonGroup):
            return self._heading_data(placed, index.column(), role)
        read = _READ.get(role)  # asked for thousands of times while cells are painted
        return read(placed, placed.line, index.column()) if read else super().data(index, role)

    def setData(self, index: Index, value: Any, role: int = Qt.ItemDataRole.EditRole) -> bool:
        row = self.line_at(index)
        if role != Qt.ItemDataRole.EditRole or index.column() != WER or isinstance(row, ComparisonGroup):
            return False
        try:
            self._session.utilities.set_wer(row.entry.speech, typed_wer(str(value)))
        except ZebraError as error:
            self._session.report_failure(error)
            return False
        return True

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        found = super().headerData(section, orientation, role)
        is_text = role == Qt.ItemDataRole.DisplayRole and isinstance(found, str)
        return _in_two_lines(found) if is_text else found

    def _heading_data(self, placed: TableLine, column: int, role: int) -> Any:
        texts = (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole)
        return placed.texts[0] if column == NAME and role in texts else None


class ComparisonOrder(QSortFilterProxyModel):
    """Rows sorted and filtered within their groups, which stay where they are under their headings.

    What is not there comes last either way, and equal rows keep the order of the comparison.
    """

    def __init__(self, model: ComparisonModel, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._model = model
        self._words: tuple[str, ...] = ()
        self._shown_groups: set[int] = set()
        # Before Qt's own slots, which filter: they must find the groups that are.
        model.modelReset.connect(self._find_groups)
        model.dataChanged.connect(self._find_groups)
        self._find_groups()
        self.setSourceModel(model)

    def show_only(self, text: str) -> None:
        """Show rows in which every one of these words occurs, in any column."""
        self.beginFilterChange()
        self._words = tuple(text.lower().split())
        self._find_groups()
        self.endFilterChange(QSortFilterProxyModel.Direction.Rows)

    def filterAcceptsRow(self, source_row: int, source_parent: Index) -> bool:
        placed = self._model.rows[source_row]
        return (
            self._fits(placed)
            if isinstance(placed.line, ComparisonRow)
            else placed.group in self._shown_groups
        )

    def lessThan(self, left: Index, right: Index) -> bool:
        # Qt turns the whole order round; what must stay as it is is turned round once more.
        ascending = self.sortOrder() is Qt.SortOrder.AscendingOrder
        one, two = (self._model.rows[index.row()] for index in (left, right))
        places = one.place, two.place
        if places[0] != places[1]:
            return (places[0] < places[1]) is ascending
        values = (one.values or NO_VALUES)[left.column()], (two.values or NO_VALUES)[right.column()]
        missing = tuple(value is None or value != value for value in values)  # noqa: PLR0124 - NaN
        if missing[0] != missing[1]:
            return missing[1] is ascending
        if missing[0] or values[0] == values[1]:
            return (left.row() < right.row()) is ascending
        return _is_less(*values)

    def _fits(self, placed: TableLine) -> bool:
        return all(word in placed.words for word in self._words)

    def _find_groups(self) -> None:
        self._shown_groups = {
            placed.group
            for placed in self._model.rows
            if isinstance(placed.line, ComparisonRow) and self._fits(placed)
        }


def _in_two_lines(head: str) -> str:
    """A head broken where its two lines are most alike in length: columns are as wide as their figures."""
    blanks = [place for place, letter in enumerate(head) if letter == " "]
    if len(head) <= _LONGEST_LINE or not blanks:
        return head
    place = min(blanks, key=lambda at: max(at, len(head) - at))
    return f"{head[:place]}\n{head[place + 1 :]}"


def _tooltip_text(placed: TableLine, row: ComparisonRow, column: int) -> str:
    """A cell with its head; of a rank also what it means that it is settled or open."""
    said = named(ALL_COLUMNS[column].head, placed.texts[column])
    if ALL_COLUMNS[column].code == "rank" and row.ranks is not None:
        return f"{said}. {span_meaning(row.ranks)}"
    if ALL_COLUMNS[column].code == "tag" and row.entry.trust and row.entry.trust.on_the_tag:
        return f"{said}. {row.entry.trust.on_the_tag}"
    return said


def _typed(row: ComparisonRow) -> str:
    """The word error rate as it is edited: a bare percentage."""
    return "" if row.utility.wer is None else written(100.0 * row.utility.wer, ".6g")


def _bar(placed: TableLine, number: int) -> float | None:
    column, value = ALL_COLUMNS[number], placed.values[number]
    if number == AS_COMPUTED and placed.values[CORRECTED] is not None:
        return None  # the same figure is beside it, corrected, with its bar
    if column.bar_end is None or not isinstance(value, float | int) or not math.isfinite(value):
        return None
    return min(max(value / column.bar_end, 0.0), 1.0)


def _tag_colour(column: ComparisonColumn, row: ComparisonRow) -> str | None:
    return (
        tag_colour(row.assessment.settings.tag_scale, row.assessment.reading_tag)
        if column.code == "tag"
        else None
    )


def _column(number: int) -> Column[TableLine]:
    one = ALL_COLUMNS[number]
    return Column(
        one.head,
        lambda placed: placed.texts[number],
        key=one.code,
        meaning=one.meaning,
        is_number=not one.is_text,
    )


def _is_less(left: Any, right: Any) -> bool:
    if isinstance(left, str):
        return alphabetical(left) < alphabetical(str(right))
    return bool(left < right)


_READ: dict[int, Callable[[TableLine, ComparisonRow, int], Any]] = {
    Qt.ItemDataRole.EditRole: lambda _placed, row, _n: _typed(row),
    Qt.ItemDataRole.ToolTipRole: lambda placed, row, n: tooltip(_tooltip_text(placed, row, n)),
    Qt.ItemDataRole.AccessibleTextRole: lambda placed, row, n: _tooltip_text(placed, row, n),  # noqa: PLW0108 - defined below
    CompareRole.BAR: lambda placed, _row, n: _bar(placed, n),
    CompareRole.TAG_COLOUR: lambda _placed, row, n: _tag_colour(ALL_COLUMNS[n], row),
    CompareRole.IS_OPEN: lambda _placed, row, _n: tag_is_open(row.entry),
    CompareRole.MAY_BE_CHANCE: lambda _placed, row, _n: bool(
        row.entry.trust and row.entry.trust.tag_may_be_chance
    ),
    CompareRole.DIFFERS_FROM: lambda placed, _row, n: placed.differs_from if n == NAME else 0,
    CompareRole.SERIES: lambda _placed, row, n: row.entry.colour if n == NAME else None,
}
"""What a cell of a row answers to each role."""


def shown_columns(numbers: Sequence[int]) -> list[ComparisonColumn]:
    """The columns with these numbers."""
    return [ALL_COLUMNS[number] for number in numbers]


# How a cell of the comparison is painted: a bar below the number, a badge, a swatch before the name.


ROW_HEIGHT = 27
_SWATCH, _BADGE, _GAP, _SIDE = 10, 18, 7, 8
_BAR_HEIGHT = 3


class ComparisonDelegate(QStyledItemDelegate):
    """Paints the cells of a ComparisonModel, through any proxy."""

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        if index.data(CompareRole.IS_HEADING):  # goes across all columns
            return QSize(0, ROW_HEIGHT)
        hint = super().sizeHint(option, index)
        more = _SWATCH + _GAP if index.column() == NAME else 0
        return QSize(hint.width() + more + 2 * _SIDE, ROW_HEIGHT)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if index.data(CompareRole.IS_HEADING):
            self._paint_heading(painter, option, index)
        else:
            self._paint_cell(painter, option, index)
        painter.restore()

    def _paint_heading(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        line = QColor(option.palette.color(QPalette.ColorRole.PlaceholderText))
        line.setAlphaF(0.35)
        painter.setPen(line)
        painter.drawLine(option.rect.bottomLeft(), option.rect.bottomRight())
        if index.column() == NAME:
            font = option.font
            font.setBold(True)
            painter.setFont(font)
            painter.setPen(option.palette.color(QPalette.ColorRole.Text))
            seen = option.rect.intersected(option.widget.rect())  # it goes across all columns
            room = seen.adjusted(_SIDE, 4, -_SIDE, 0)
            self._paint_text(painter, room, str(index.data()), Qt.AlignmentFlag.AlignLeft)

    def _paint_cell(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        if option.state & QStyle.StateFlag.State_HasFocus:
            painter.setPen(option.palette.color(QPalette.ColorRole.Link))
            painter.drawRect(option.rect.adjusted(0, 0, -1, -1))
        rect = option.rect.adjusted(_SIDE, 0, -_SIDE, 0)
        painter.setFont(option.font)
        if colour_code := index.data(CompareRole.TAG_COLOUR):
            self._paint_tag(painter, rect, option, index, colour_code)
            return
        if index.column() == NAME:
            self._paint_swatch(painter, rect, option, index)
            rect = QStyle.visualRect(option.direction, rect, rect.adjusted(_SWATCH + _GAP, 0, 0, 0))
        if (share := index.data(CompareRole.BAR)) is not None:
            self._paint_bar(painter, rect, option, share)
        painter.setPen(option.palette.color(QPalette.ColorRole.Text))
        side = Qt.AlignmentFlag(index.data(Qt.ItemDataRole.TextAlignmentRole))
        place = index.data(CompareRole.DIFFERS_FROM)
        text = elided_apart(str(index.data()), place, option.fontMetrics, rect.width())
        painter.drawText(rect, side | Qt.AlignmentFlag.AlignVCenter, text)

    def _paint_tag(
        self, painter: QPainter, rect: QRect, option: QStyleOptionViewItem, index: Index, colour: str
    ) -> None:
        tag, chance = str(index.data()), bool(index.data(CompareRole.MAY_BE_CHANCE))
        width = badge_width(tag, _BADGE, option.font)
        left, top = rect.center().x() - width // 2, rect.center().y() - _BADGE // 2
        place, is_open = QRect(left, top, width, _BADGE), bool(index.data(CompareRole.IS_OPEN))
        paint_badge(painter, place, tag, colour, option.font, may_be_chance=chance, is_open=is_open)

    def _paint_swatch(
        self, painter: QPainter, rect: QRect, option: QStyleOptionViewItem, index: Index
    ) -> None:
        series = index.data(CompareRole.SERIES)
        top = rect.center().y() - _SWATCH // 2
        colour = colour_of(Ink.MUTED if series is None else series, option.palette)
        place = QStyle.visualRect(option.direction, rect, QRect(rect.left(), top, _SWATCH, _SWATCH))
        paint_swatch(painter, place, colour, option.palette)

    def _paint_bar(self, painter: QPainter, rect: QRect, option: QStyleOptionViewItem, share: float) -> None:
        """A thin line below the number, as long as its share of the most there can be."""
        bar = option.palette.color(QPalette.ColorRole.Link)
        ground = QColor(bar)
        ground.setAlphaF(0.12)
        whole = QRect(rect.left(), rect.bottom() - _BAR_HEIGHT - 1, rect.width(), _BAR_HEIGHT)
        painter.fillRect(whole, ground)
        part = whole.adjusted(0, 0, round(share * whole.width()) - whole.width(), 0)
        painter.fillRect(QStyle.visualRect(option.direction, whole, part), bar)

    def _paint_text(self, painter: QPainter, rect: QRect, text: str, side: Qt.AlignmentFlag) -> None:
        shown = painter.fontMetrics().elidedText(text, Qt.TextElideMode.ElideMiddle, rect.width())
        painter.drawText(rect, side | Qt.AlignmentFlag.AlignVCenter, shown)
