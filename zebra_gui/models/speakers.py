"""Speakers as a table: how much each discloses, and how he or she stands among the others."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Any

from PySide6.QtCore import QCoreApplication, QObject, Qt

from zebra_core.figures.palette import tag_colour
from zebra_core.metrics.scales import TagScale
from zebra_core.metrics.zebra import FULL_DISCLOSURE_BITS
from zebra_core.speakers.disclosure import SpeakerDisclosure
from zebra_core.speakers.order import natural
from zebra_core.speakers.study import SpeakerStudy
from zebra_core.wording.digits import rounded, strength
from zebra_core.wording.texts import grouped, written
from zebra_core.wording.wording import log10_lr, share
from zebra_gui.models.evidence import Index
from zebra_gui.models.rows import RowsModel
from zebra_gui.widgets.plain import shown_name, tooltip

translate = QCoreApplication.translate

_SAMPLED = 30  # rows
_DECIMALS = 2  # of bits: intervals of single speakers are about a tenth of a bit wide


class SpeakerRole(IntEnum):
    """What the view needs beside texts."""

    SORT = Qt.ItemDataRole.UserRole + 1
    TAG_COLOUR = Qt.ItemDataRole.UserRole + 2  # as #RRGGBB, in the column of tags
    SHARE = Qt.ItemDataRole.UserRole + 3  # of full disclosure, 0 … 1, in the column with bars


@dataclass(frozen=True)
class SpeakerRow:
    """One speaker; what is not known is None."""

    disclosure: SpeakerDisclosure
    unprotected: SpeakerDisclosure | None = None
    mean_rank: float | None = None


@dataclass(frozen=True)
class Column:
    """A column: its heading, what it means, the text and the value of a row in it."""

    key: str
    heading: str
    meaning: str
    text: Callable[[SpeakerRow], str]
    value: Callable[[SpeakerRow], Any]


def columns() -> tuple[Column, ...]:
    """All columns, in their order."""
    return (
        Column(
            "speaker",
            translate("Speakers", "Speaker"),
            "",
            lambda row: shown_name(row.disclosure.speaker),
            lambda row: row.disclosure.speaker,
        ),
        Column(
            "tag",
            translate("Speakers", "Tag"),
            translate("Speakers", "The category of the strongest evidence in comparisons with themselves"),
            lambda row: row.disclosure.tag,
            lambda row: row.disclosure.worst_case_log10_lr,
        ),
        Column(
            "d_ece",
            translate("Speakers", "Exposure (bit)"),
            translate(
                "Speakers",
                "What comparisons with themselves disclose, drawn towards the mean of all; the bar is its "
                "share",
            ),
            lambda row: _bits(row.disclosure.estimate_bits),
            lambda row: row.disclosure.estimate_bits,
        ),
        Column(
            "interval",
            translate("Speakers", "95 %"),
            translate("Speakers", "Where the exposure may lie, given so few comparisons"),
            lambda row: (
                f"{_bits(row.disclosure.low_bits)} … {_bits(row.disclosure.high_bits)}"
                if row.disclosure.has_interval
                else "–"
            ),
            lambda row: row.disclosure.low_bits if row.disclosure.has_interval else -math.inf,
        ),
        Column(
            "before",
            translate("Speakers", "Before"),
            translate("Speakers", "The same without protection"),
            lambda row: _bits(row.unprotected.estimate_bits) if row.unprotected else "–",
            lambda row: row.unprotected.estimate_bits if row.unprotected else -math.inf,
        ),
        Column(
            "worst",
            translate("Speakers", "Worst case"),
            translate("Speakers", "The strongest evidence for the same speaker in own comparisons, log10 LR"),
            lambda row: strength(row.disclosure.worst_case_log10_lr),
            lambda row: row.disclosure.worst_case_log10_lr,
        ),
        Column(
            "ceiling",
            translate("Speakers", "At most"),
            translate("Speakers", "The largest worst case that this many trials of their own could show"),
            lambda row: log10_lr(row.disclosure.ceiling_log10_lr),
            lambda row: row.disclosure.ceiling_log10_lr,
        ),
        Column(
            "taken",
            translate("Speakers", "Taken for others"),
            translate("Speakers", "The strongest evidence for the same speaker against others, log10 LR"),
            lambda row: strength(row.disclosure.taken_log10_lr),
            lambda row: row.disclosure.taken_log10_lr,
        ),
        Column(
            "quantile",
            translate("Speakers", "Quantile"),
            translate("Speakers", "The share of the other speakers who disclose less"),
            lambda row: share(row.disclosure.quantile),
            lambda row: row.disclosure.quantile,
        ),
        Column(
            "rank",
            translate("Speakers", "Mean rank"),
            translate(
                "Speakers", "The place among all enrolled speakers at which they are found, on average"
            ),
            lambda row: "–" if row.mean_rank is None else written(row.mean_rank, ".1f"),
            lambda row: math.inf if row.mean_rank is None else row.mean_rank,
        ),
        Column(
            "target",
            translate("Speakers", "Target"),
            translate("Speakers", "Comparisons of the speaker with themselves"),
            lambda row: grouped(row.disclosure.n_target),
            lambda row: row.disclosure.n_target,
        ),
        Column(
            "nontarget",
            translate("Speakers", "Nontarget"),
            translate("Speakers", "Comparisons of the speaker with others"),
            lambda row: grouped(row.disclosure.n_nontarget),
            lambda row: row.disclosure.n_nontarget,
        ),
    )


def rows_of(study: SpeakerStudy, before: SpeakerStudy | None) -> tuple[SpeakerRow, ...]:
    """The speakers of a study, the most exposed first."""
    earlier: Mapping[str, SpeakerDisclosure] = (
        {found.speaker: found for found in before.disclosures.speakers} if before else {}
    )
    ranks = study.mean_ranks
    return tuple(
        SpeakerRow(found, earlier.get(found.speaker), ranks.get(found.speaker))
        for found in study.disclosures.speakers
    )


class SpeakersModel(RowsModel[SpeakerRow]):
    """A window onto the rows, in the order of a column: names with the numbers in them by value.

    Sorted here and not by a proxy, which would ask for thousands of values again and again.
    """

    def __init__(self, parent: QObject | None = None) -> None:
        self.columns = columns()
        numbers = [place for place, column in enumerate(self.columns) if column.key != "speaker"]
        super().__init__([column.heading for column in self.columns], numbers, parent)
        self._given: tuple[SpeakerRow, ...] = ()  # in this order where values are the same
        self._scale: TagScale | None = None
        self._sorted_by = 0
        self._is_descending = False

    def show_rows(self, rows: Sequence[SpeakerRow], scale: TagScale | None) -> None:
        """Show these speakers, tagged by this scale."""
        self._given, self._scale = tuple(rows), scale
        self.put(self._in_order())

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        self.layoutAboutToBeChanged.emit()
        before = self.persistentIndexList()
        there = [(self._rows[index.row()], index.column()) for index in before]
        self._sorted_by, self._is_descending = column, order is Qt.SortOrder.DescendingOrder
        self._rows = self._in_order()
        places = {id(row): number for number, row in enumerate(self._rows)}
        now = [self.index(places[id(row)], number) for row, number in there]
        self.changePersistentIndexList(before, now)
        self.layoutChanged.emit()

    def _in_order(self) -> tuple[SpeakerRow, ...]:
        column = self.columns[self._sorted_by]

        def value(row: SpeakerRow) -> Any:
            found = column.value(row)
            return natural(found) if isinstance(found, str) else found

        return tuple(sorted(self._given, key=value, reverse=self._is_descending))

    def widest(self, column: int) -> list[int]:
        """Some rows among which the one is whose text needs most room, or nearly so: far from all of them.

        Numbers are longest at their ends, names where they have most characters.
        """
        if not self._rows:
            return []
        numbers = range(len(self._rows))
        values = [self.columns[column].value(row) for row in self._rows]
        if isinstance(values[0], str):
            ends = [max(numbers, key=lambda number: len(values[number]))]
        else:
            ends = [values.index(min(values)), values.index(max(values))]
        return [*ends, *numbers[:: max(1, len(numbers) // _SAMPLED)]]

    def row_of(self, speaker: str | None) -> int | None:
        """In which row a speaker is."""
        return next((k for k, row in enumerate(self._rows) if row.disclosure.speaker == speaker), None)

    def as_text(self) -> str:
        """All rows with their headings, columns set apart by tabs."""
        lines = [[column.text(row) for column in self.columns] for row in self._rows]
        return "\n".join("\t".join(line) for line in [[c.heading for c in self.columns], *lines])

    def text(self, row: SpeakerRow, column: int) -> str:
        return self.columns[column].text(row)

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        if orientation is Qt.Orientation.Horizontal and role == Qt.ItemDataRole.ToolTipRole:
            return tooltip(self.columns[section].meaning)
        return super().headerData(section, orientation, role)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        row, column = self._rows[index.row()], self.columns[index.column()]
        if role == SpeakerRole.SORT:
            return column.value(row)
        if role == Qt.ItemDataRole.ToolTipRole and column.key != "speaker":
            return None
        if role == SpeakerRole.TAG_COLOUR:
            return self._colour_of(row) if column.key == "tag" else None
        if role == SpeakerRole.SHARE:
            share_of_all = max(0.0, row.disclosure.estimate_bits) / FULL_DISCLOSURE_BITS
            return share_of_all if column.key == "d_ece" else None
        return super().data(index, role)

    def _colour_of(self, row: SpeakerRow) -> str | None:
        return tag_colour(self._scale, row.disclosure.tag) if self._scale else None


def _bits(value: float) -> str:
    return rounded(value, _DECIMALS)
