"""The four questions of a listening test: which are asked, and how often."""

from __future__ import annotations

from dataclasses import dataclass, replace

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QCheckBox, QComboBox, QGridLayout, QLabel, QSpinBox, QWidget

from zebra_core.listening.design import QuestionDesign
from zebra_core.listening.items import ItemTask
from zebra_core.wording.names import named
from zebra_core.wording.texts import say
from zebra_gui.widgets.decimal_box import WholeBox
from zebra_gui.widgets.plain import choice_box, label

_MOST = 1000
_FIRST = {
    ItemTask.SAME: (24, 4, 3),
    ItemTask.PLACEMENT: (2, 1, 1),
    ItemTask.INTELLIGIBILITY: (12, 2, 2),
    ItemTask.NATURALNESS: (12, 2, 2),
}


@dataclass(frozen=True)
class _Row:
    """What is said of one question."""

    asked: QCheckBox
    items: QSpinBox
    anchors: QSpinBox
    repeats: QSpinBox

    @property
    def numbers(self) -> tuple[QSpinBox, QSpinBox, QSpinBox]:
        return self.items, self.anchors, self.repeats


class QuestionsForm(QWidget):
    """A row for each question, and below it what is particular to pairs and to placement.

    Signals:
        changed: something else is asked.
    """

    changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.rows: dict[ItemTask, _Row] = {}
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setColumnStretch(4, 1)
        heads = (self.tr("Items"), self.tr("Anchors"), self.tr("Repeats"))
        for column, text in enumerate(heads, start=1):
            self._grid.addWidget(QLabel(text), 0, column)
        for asked in ItemTask:
            self._add(asked, heads)
        self.share = self._number(self.tr("Pairs of the same speaker, in per cent"), 1, 99, 50)
        self.share.setSuffix(" %")
        self.enrolment = choice_box(
            self.tr("The first recording of a pair"),
            (self.tr("is original"), False),
            (self.tr("is protected, too"), True),
        )
        self.enrolment.activated.connect(self.changed)
        self.speakers = self._number(self.tr("Speakers on a canvas"), 2, 20, 4)
        self.recordings = self._number(self.tr("Recordings of each speaker on a canvas"), 2, 20, 3)
        self._of_pairs = self._beside(
            (self.tr("Pairs of the same speaker"), self.share),
            (self.tr("The first recording of a pair"), self.enrolment),
        )
        self._of_canvases = self._beside(
            (self.tr("Speakers on a canvas"), self.speakers),
            (self.tr("Recordings of each"), self.recordings),
        )
        about = self.tr(
            "Anchors are unprotected speech and show who listens well. Repeats come twice and show who is "
            "consistent. Neither enters the figures."
        )
        self._grid.addWidget(label(about, "quiet"), self._grid.rowCount(), 0, 1, 5)
        self.rows[ItemTask.SAME].asked.setChecked(True)
        self._show()

    @property
    def wanted(self) -> tuple[QuestionDesign, ...]:
        """What is asked."""
        return tuple(self._wanted(asked, row) for asked, row in self.rows.items() if row.asked.isChecked())

    def _wanted(self, asked: ItemTask, row: _Row) -> QuestionDesign:
        items, anchors, repeats = (number.value() for number in row.numbers)
        wanted = QuestionDesign(asked, items, anchors, repeats)
        if asked is ItemTask.SAME:
            share, is_protected = self.share.value() / 100.0, bool(self.enrolment.currentData())
            return replace(wanted, same_share=share, enrol_protected=is_protected)
        if asked is ItemTask.PLACEMENT:
            return replace(wanted, speakers=self.speakers.value(), recordings=self.recordings.value())
        return wanted

    def _add(self, asked: ItemTask, heads: tuple[str, ...]) -> None:
        name = say(f"listening.{asked.value}")
        box = QCheckBox(name)
        box.toggled.connect(self._show)
        numbers = [
            self._number(named(name, head), lowest, _MOST, first)
            for head, lowest, first in zip(heads, (1, 0, 0), _FIRST[asked], strict=True)
        ]
        line = self._grid.rowCount()
        self._grid.addWidget(box, line, 0)
        for column, number in enumerate(numbers, start=1):
            self._grid.addWidget(number, line, column)
        self.rows[asked] = _Row(box, *numbers)

    def _number(self, name: str, lowest: int, highest: int, first: int) -> QSpinBox:
        made = WholeBox()
        made.setRange(lowest, highest)
        made.setValue(first)
        made.setAccessibleName(name)
        made.valueChanged.connect(self.changed)
        return made

    def _beside(self, *said: tuple[str, QSpinBox | QComboBox]) -> list[QWidget]:
        """Labels with their fields, on a line each."""
        widgets: list[QWidget] = []
        for text, field in said:
            about = QLabel(text)
            line = self._grid.rowCount()
            self._grid.addWidget(about, line, 0)
            self._grid.addWidget(field, line, 1, 1, 3)
            widgets += [about, field]
        return widgets

    def _show(self) -> None:
        for row in self.rows.values():
            for number in row.numbers:
                number.setEnabled(row.asked.isChecked())
        for asked, widgets in ((ItemTask.SAME, self._of_pairs), (ItemTask.PLACEMENT, self._of_canvases)):
            for widget in widgets:
                widget.setVisible(self.rows[asked].asked.isChecked())
        self.changed.emit()
