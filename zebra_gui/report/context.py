"""The context of a release in the form of a report: ten fields, each with a short help and its source."""

from __future__ import annotations

import datetime as dt
from functools import partial

from PySide6.QtCore import QDate, QSignalBlocker, Signal
from PySide6.QtWidgets import QCheckBox, QComboBox, QWidget

from zebra_core.project.report_settings import (
    CONTEXT,
    CONTEXT_TEXTS,
    MOST_PEOPLE,
    Access,
    ReportSettings,
)
from zebra_core.wording.texts import date_pattern, say
from zebra_gui.report.fields import Prose
from zebra_gui.widgets.decimal_box import WholeBox
from zebra_gui.widgets.layouts import in_column
from zebra_gui.widgets.plain import choice_box, label
from zebra_gui.widgets.wheel import DateBox

_LINES = 2
_FEWEST_LETTERS = 12  # of a choice: the form is narrow


class ContextFields(QWidget):
    """Who receives what is released, and under which conditions; what is not stated stays empty.

    Signals:
        stated: a field by its name in `ReportSettings`, and what is stated of it.
    """

    stated = Signal(str, object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("look", "scrolled")
        self.texts = {name: Prose(say(f"context.{name}"), _LINES) for name in CONTEXT_TEXTS}
        self.access = choice_box(say("context.access"))
        self.access.addItem(say("context.unstated"), None)
        for one in Access:
            self.access.addItem(one.in_words, one)
        self.access.setMinimumContentsLength(_FEWEST_LETTERS)
        self.access.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.people = WholeBox()
        self.people.setRange(1, MOST_PEOPLE)
        self.people.setSpecialValueText(say("context.unstated"))
        self.people.setGroupSeparatorShown(True)
        self.people.setKeyboardTracking(False)
        self.has_review = QCheckBox(say("context.review_on"))
        self.review_on = DateBox()
        self.review_on.setDisplayFormat(date_pattern(year="yyyy", month="MM", day="dd"))
        self.review_on.setCalendarPopup(True)
        self.fields: dict[str, QWidget] = {
            **self.texts,
            "access": self.access,
            "people": self.people,
            "review_on": self.review_on,
        }
        self._lay_out()
        self._listen()

    def show_settings(self, settings: ReportSettings) -> None:
        """Show what these say of the context."""
        for name, field in self.texts.items():
            field.show_text(getattr(settings, name))
        day = settings.review_on
        with QSignalBlocker(self.access), QSignalBlocker(self.people):
            self.access.setCurrentIndex(self.access.findData(settings.access))
            self.people.setValue(settings.people or 1)
        with QSignalBlocker(self.has_review), QSignalBlocker(self.review_on):
            self.has_review.setChecked(day is not None)
            self.review_on.setEnabled(day is not None)
            shown = QDate(day.year, day.month, day.day) if day else QDate.currentDate().addYears(1)
            self.review_on.setDate(shown)  # where there is none, not that of whatever was open before

    def _lay_out(self) -> None:
        column = in_column(on=self, margins=0, spacing=4)
        for name in CONTEXT:
            field, help_text = self.fields[name], say(f"context.{name}-help")
            field.setAccessibleName(say(f"context.{name}"))
            field.setAccessibleDescription(help_text)
            head: QWidget = self.has_review
            if name != "review_on":
                head = label(say(f"context.{name}"))
                head.setBuddy(field)
            column.addWidget(head)
            column.addWidget(field)
            column.addWidget(label(help_text, "quiet"))
            column.addSpacing(4)

    def _listen(self) -> None:
        for name, field in self.texts.items():
            field.settled.connect(partial(self.stated.emit, name))
        self.access.activated.connect(lambda row: self.stated.emit("access", self.access.itemData(row)))
        self.people.valueChanged.connect(self._on_people)
        self.has_review.toggled.connect(lambda _on: self._on_review())
        self.review_on.dateChanged.connect(lambda _date: self._on_review())

    def _on_people(self, people: int) -> None:
        self.stated.emit("people", people if people > 1 else None)

    def _on_review(self) -> None:
        chosen = self.review_on.date()
        day = dt.date(chosen.year(), chosen.month(), chosen.day())
        self.stated.emit("review_on", day if self.has_review.isChecked() else None)
