"""Speakers as a table: how much each discloses, and how they stand among the others."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from functools import partial
from typing import Any

from PySide6.QtCore import QCoreApplication, QObject, Qt

from zebra_core.figures.figure import tag_colour
from zebra_core.metrics.scales import TagScale
from zebra_core.metrics.zebra import FULL_DISCLOSURE_BITS
from zebra_core.speakers.disclosure import SpeakerDisclosure
from zebra_core.speakers.order import natural
from zebra_core.speakers.study import SpeakerStudy
from zebra_core.wording.texts import grouped, log10_lr, rounded, share, strength, written
from zebra_gui.models.evidence import Index
from zebra_gui.models.rows import Column, RowsModel
from zebra_gui.widgets.layouts import shown_name

translate = QCoreApplication.translate

_SAMPLED = 30  # rows
_DECIMALS = 2  # of bits: intervals of single speakers are about a tenth of a bit wide


class SpeakerRole(IntEnum):
    """What the view needs beside texts."""

    TAG_COLOUR = Qt.ItemDataRole.UserRole + 2  # as #RRGGBB, in the column of tags
    SHARE = Qt.ItemDataRole.UserRole + 3  # of full disclosure, 0 … 1, in the column with bars


@dataclass(frozen=True)
class SpeakerRow:
    """One speaker; what is not known is None."""

    disclosure: SpeakerDisclosure
    unprotected: SpeakerDisclosure | None = None
    mean_rank: float | None = None


def columns() -> tuple[Column[SpeakerRow], ...]:
    """All columns, in their order."""
    number = partial(Column[SpeakerRow], is_number=True)
    return (
        Column(
            translate("Speakers", "Speaker"),
            lambda row: shown_name(row.disclosure.speaker),
            lambda row: row.disclosure.speaker,
            "speaker",
        ),
        number(
            translate("Speakers", "Tag"),
            lambda row: row.disclosure.tag,
            lambda row: row.disclosure.worst_case_log10_lr,
            "tag",
            translate("Speakers", "The category of the strongest evidence in comparisons with themselves"),
        ),
        number(
            translate("Speakers", "Exposure (bit)"),
            lambda row: _bits(row.disclosure.estimate_bits),
            lambda row: row.disclosure.estimate_bits,
            "d_ece",
            translate(
                "Speakers",
                "What new recordings of this speaker would disclose; the bar is its share of full disclosure",
            ),
        ),
        number(
            translate("Speakers", "95 %"),
            lambda row: (
                f"{_bits(row.disclosure.low_bits)} … {_bits(row.disclosure.high_bits)}"
                if row.disclosure.has_interval
                else "–"
            ),
            lambda row: row.disclosure.low_bits if row.disclosure.has_interval else -math.inf,
            "interval",
            translate("Speakers", "Where the exposure may lie, given so few comparisons"),
        ),
        Column(
            translate("Speakers", "Stands out"),
            lambda row: translate("Speakers", "yes") if row.disclosure.stands_out else "",
            lambda row: row.disclosure.stands_out,
            "stands_out",
            translate("Speakers", "More exposed than the others, corrected for their number"),
        ),
        number(
            translate("Speakers", "Before"),
            lambda row: _bits(row.unprotected.estimate_bits) if row.unprotected else "–",
            lambda row: row.unprotected.estimate_bits if row.unprotected else -math.inf,
            "before",
            translate("Speakers", "The same without protection"),
        ),
        number(
            translate("Speakers", "Worst case"),
            lambda row: strength(row.disclosure.worst_case_log10_lr),
            lambda row: row.disclosure.worst_case_log10_lr,
            "worst",
            translate("Speakers", "The strongest evidence for the same speaker in own comparisons, log10 LR"),
        ),
        number(
            translate("Speakers", "At most"),
            lambda row: log10_lr(row.disclosure.ceiling_log10_lr),
            lambda row: row.disclosure.ceiling_log10_lr,
            "ceiling",
            translate("Speakers", "The largest worst case that this many trials of their own could show"),
        ),
        number(
            translate("Speakers", "Taken for others"),
            lambda row: strength(row.disclosure.taken_log10_lr),
            lambda row: row.disclosure.taken_log10_lr,
            "taken",
            translate("Speakers", "The strongest evidence for the same speaker against others, log10 LR"),
        ),
        number(
            translate("Speakers", "Quantile"),
            lambda row: share(row.disclosure.quantile),
            lambda row: row.disclosure.quantile,
            "quantile",
            translate("Speakers", "The share of the other speakers who disclose less"),
        ),
        number(
            translate("Speakers", "Mean rank"),
            lambda row: "–" if row.mean_rank is None else written(row.mean_rank, ".1f"),
            lambda row: math.inf if row.mean_rank is None else row.mean_rank,
            "rank",
            translate(
                "Speakers", "The place among all enrolled speakers at which they are found, on average"
            ),
        ),
        number(
            translate("Speakers", "Target"),
            lambda row: grouped(row.disclosure.n_target),
            lambda row: row.disclosure.n_target,
            "target",
            translate("Speakers", "Comparisons of the speaker with themselves"),
        ),
        number(
            translate("Speakers", "Nontarget"),
            lambda row: grouped(row.disclosure.n_nontarget),
            lambda row: row.disclosure.n_nontarget,
            "nontarget",
            translate("Speakers", "Comparisons of the speaker with others"),
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
        super().__init__(columns(), parent)
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
        def value(row: SpeakerRow) -> Any:
            found = self._value(row, self._sorted_by)
            return natural(found) if isinstance(found, str) else found

        return tuple(sorted(self._given, key=value, reverse=self._is_descending))

    def _value(self, row: SpeakerRow, column: int) -> Any:
        one = self.columns[column]
        return (one.value or one.text)(row)

    def widest(self, column: int) -> list[int]:
        """Some rows among which the one is whose text needs most room, or nearly so: far from all of them.

        Numbers are longest at their ends, names where they have most characters.
        """
        if not self._rows:
            return []
        numbers = range(len(self._rows))
        values = [self._value(row, column) for row in self._rows]
        if isinstance(values[0], str):
            ends = [max(numbers, key=lambda number: len(values[number]))]
        else:
            ends = [values.index(min(values)), values.index(max(values))]
        return [*ends, *numbers[:: max(1, len(numbers) // _SAMPLED)]]

    def row_of(self, speaker: str | None) -> int | None:
        """In which row a speaker is."""
        return next((k for k, row in enumerate(self._rows) if row.disclosure.speaker == speaker), None)

    def text(self, row: SpeakerRow, column: int) -> str:
        if self._scale and self.columns[column].key == "tag":
            return self._scale.shown(row.disclosure.tag)
        return super().text(row, column)

    def tip(self, row: SpeakerRow, column: int) -> str:
        return self.text(row, column) if self.columns[column].key == "speaker" else ""

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if role == SpeakerRole.TAG_COLOUR and index.isValid():
            return self._colour_of(self._rows[index.row()])
        if role == SpeakerRole.SHARE and index.isValid():
            return max(0.0, self._rows[index.row()].disclosure.estimate_bits) / FULL_DISCLOSURE_BITS
        return super().data(index, role)

    def _colour_of(self, row: SpeakerRow) -> str | None:
        return tag_colour(self._scale, row.disclosure.tag) if self._scale else None


def _bits(value: float) -> str:
    return rounded(value, _DECIMALS)
