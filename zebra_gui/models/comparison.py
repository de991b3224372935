"""The comparison as a table: rows under the name of their group, sorted and filtered within it."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from enum import IntEnum
from typing import Any

from PySide6.QtCore import QModelIndex, QObject, QSortFilterProxyModel, Qt

from zebra_core.errors import ZebraError
from zebra_core.figures.palette import tag_colour
from zebra_core.project.basis import basis_in_words
from zebra_core.project.comparison.column import ComparisonColumn
from zebra_core.project.comparison.columns import ALL_COLUMNS
from zebra_core.project.comparison.comparison import Comparison
from zebra_core.project.comparison.row import ComparisonGroup, ComparisonRow
from zebra_core.project.comparison.study_columns import ANSWER_COLUMNS
from zebra_core.project.group_differences import span_meaning
from zebra_core.project.headline import tag_is_open
from zebra_core.project.utility import typed_wer
from zebra_core.wording.names import alphabetical, differing_from, named
from zebra_core.wording.texts import written
from zebra_gui.models.evidence import Index
from zebra_gui.models.rows import Column, RowsModel
from zebra_gui.session.session import Session
from zebra_gui.widgets.plain import tooltip

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
