"""The first rows of a file as they would be read, columns named after what they mean."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtWidgets import QGridLayout, QWidget

from zebra_core.intake.formats.reading import ColumnMeaning
from zebra_core.wording.texts import visible
from zebra_gui.widgets.plain import label, tooltip

translate = QCoreApplication.translate
_LONGEST_CELL, _LONGEST_LINE = 34, 64


def part_in_words(part: ColumnMeaning) -> str:
    """What a column means."""
    return {
        ColumnMeaning.ENROL: translate("RowsPreview", "enrolment"),
        ColumnMeaning.TEST: translate("RowsPreview", "test"),
        ColumnMeaning.PAIR: translate("RowsPreview", "enrolment*test"),
        ColumnMeaning.SCORE: translate("RowsPreview", "score"),
        ColumnMeaning.SIDE: translate("RowsPreview", "side of the call"),
        ColumnMeaning.LABEL: translate("RowsPreview", "label"),
        ColumnMeaning.CLAIMED: translate("RowsPreview", "claimed speaker"),
        ColumnMeaning.REAL: translate("RowsPreview", "real speaker"),
        ColumnMeaning.ATTACK: translate("RowsPreview", "attack"),
        ColumnMeaning.OTHER: translate("RowsPreview", "not used"),
    }[part]


def rows_as_text(rows: Sequence[Mapping[ColumnMeaning, str]]) -> str:
    """The rows with their headings, columns set apart by tabs."""
    parts = list(dict.fromkeys(part for row in rows for part in row))
    head = "\t".join(part_in_words(part) for part in parts)
    return "\n".join([head, *("\t".join(visible(row.get(p, "")) for p in parts) for row in rows)])


class RowsPreview(QWidget):
    """A few rows as a small table; raw lines where a format has no columns."""

    def __init__(
        self,
        rows: Sequence[Mapping[ColumnMeaning, str]],
        lines: Sequence[str] = (),
        most: int = 5,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setAccessibleName(self.tr("First rows"))
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(22)
        grid.setVerticalSpacing(2)
        parts = list(dict.fromkeys(part for row in rows for part in row))
        if not parts:
            nothing = self.tr("There is no preview of this format.")
            shown = "\n".join(visible(line, _LONGEST_LINE) for line in lines[:most])
            grid.addWidget(label(shown or nothing, "quiet"))
        for column, part in enumerate(parts):
            head = label(part_in_words(part), "quiet")
            head.setWordWrap(False)
            grid.addWidget(head, 0, column)
        for number, row in enumerate(rows[:most], start=1):
            for column, part in enumerate(parts):
                cell = label(visible(row.get(part, ""), _LONGEST_CELL))
                cell.setWordWrap(False)
                cell.setToolTip(tooltip(visible(row.get(part, ""), 400)))
                cell.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
                grid.addWidget(cell, number, column)
        grid.setColumnStretch(max(len(parts), 1), 1)
