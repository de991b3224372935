"""The form: for whom the report is, what it asks, how it is laid out."""

from __future__ import annotations

import datetime as dt
from dataclasses import replace
from functools import partial

from PySide6.QtCore import QDate, QSignalBlocker, Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QFormLayout,
    QPushButton,
    QWidget,
)

from zebra_core.errors import ZebraError
from zebra_core.project.report_settings import LEAST_DPI, MOST_DPI, Paper, ReportSettings
from zebra_core.wording.languages import is_ready, languages, own_name
from zebra_core.wording.texts import date_pattern, say
from zebra_gui.report.context import ContextFields
from zebra_gui.report.fields import LineField, Prose
from zebra_gui.report.sections import SectionList
from zebra_gui.widgets.decimal_box import WholeBox
from zebra_gui.widgets.flow import Flow
from zebra_gui.widgets.layouts import in_column
from zebra_gui.widgets.plain import choice_box, label
from zebra_gui.widgets.wheel import DateBox

_PAPERS = (Paper.A4, Paper.LETTER)


class ReportForm(QWidget):
    """Shows a report's settings and says how the user wants them changed.

    Signals:
        changed: other settings.
        refused: why what was typed cannot be.
        logo_requested: a logo should be chosen.
    """

    changed = Signal(object)
    refused = Signal(object)
    logo_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("look", "scrolled")
        self._settings = ReportSettings()
        self.lines = {
            "case": LineField(self.tr("Case")),
            "requester": LineField(self.tr("Requested by")),
            "author": LineField(self.tr("Author")),
            "organisation": LineField(self.tr("Organisation")),
            "report_id": LineField(self.tr("Report number")),
        }
        self.lines["report_id"].setPlaceholderText(self.tr("automatic"))
        self.lines["report_id"].setToolTip(self.tr("Unless you give one it is made from the evidence."))
        self.prose = {
            "question": Prose(self.tr("Question")),
            "propositions": Prose(self.tr("Propositions")),
            "relevance": Prose(self.tr("Relevance of the data")),
        }
        self.context = ContextFields()
        self.has_date = QCheckBox(self.tr("Dated"))
        self.date = DateBox(QDate.currentDate())
        self.date.setDisplayFormat(date_pattern(year="yyyy", month="MM", day="dd"))
        self.date.setCalendarPopup(True)
        self.date.setAccessibleName(self.tr("Date of the report"))
        self.paper = choice_box(self.tr("Paper"))
        self.paper.addItems(["A4", "Letter"])
        self.language = choice_box(self.tr("Language of the report"))
        for code in filter(is_ready, languages()):
            self.language.addItem(own_name(code), code)
        self.dpi = WholeBox()
        self.dpi.lineEdit().setAccessibleName(self.tr("Pictures as PNG"))
        self.dpi.setRange(LEAST_DPI, MOST_DPI)
        self.dpi.setSuffix(self.tr(" dpi"))
        self.dpi.setAccessibleName(self.tr("Resolution of pictures as PNG"))
        self.signers = Prose(self.tr("Who signs, one a line"), 2)
        self.logo_name = label(tone="quiet")
        self.choose_logo = QPushButton(self.tr("Choose a logo…"))
        self.remove_logo = QPushButton(self.tr("Remove"))
        self.sections = SectionList()
        self._lay_out()
        self._listen()
        self.show_settings(self._settings)

    def show_settings(self, settings: ReportSettings) -> None:
        """Show these settings."""
        self._settings = settings
        for name, line in self.lines.items():
            line.show_text(getattr(settings, name))
        for name, field in self.prose.items():
            field.show_text(getattr(settings, name))
        self.context.show_settings(settings)
        self.signers.show_text("\n".join(settings.signers))
        with QSignalBlocker(self.has_date), QSignalBlocker(self.date):
            self.has_date.setChecked(settings.date is not None)
            self.date.setEnabled(settings.date is not None)
            if settings.date is not None:
                self.date.setDate(QDate(settings.date.year, settings.date.month, settings.date.day))
        with QSignalBlocker(self.paper), QSignalBlocker(self.language), QSignalBlocker(self.dpi):
            self.paper.setCurrentIndex(_PAPERS.index(settings.paper))
            if self.language.findData(settings.language) < 0:  # asked for by name
                self.language.addItem(own_name(settings.language), settings.language)
            self.language.setCurrentIndex(self.language.findData(settings.language))
            self.dpi.setValue(settings.dpi)
        self.remove_logo.setEnabled(settings.logo is not None)
        kind = settings.logo.extension.upper() if settings.logo else ""
        self.logo_name.setText(self.tr("{kind} logo").format(kind=kind) if kind else self.tr("No logo"))
        self.sections.show_settings(settings)

    def settle(self) -> None:
        """Tell what is being typed."""
        for field in self._typed:
            field.settle()

    def forget(self) -> None:
        """Show nothing that anybody has typed."""
        for field in self._typed:
            field.forget()
        self.show_settings(ReportSettings())

    @property
    def _typed(self) -> tuple[LineField | Prose, ...]:
        texts = (*self.prose.values(), *self.context.texts.values())
        return (*self.lines.values(), *texts, self.signers, self.sections.note)

    def _lay_out(self) -> None:
        form = QFormLayout()
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.ExpandingFieldsGrow)
        form.setRowWrapPolicy(QFormLayout.RowWrapPolicy.WrapLongRows)
        for line in self.lines.values():
            form.addRow(label(line.accessibleName()), line)
        form.addRow(self.has_date, self.date)
        form.addRow(label(self.paper.accessibleName()), self.paper)
        form.addRow(label(self.tr("Language")), self.language)
        form.addRow(label(self.tr("Pictures as PNG")), self.dpi)
        logo = Flow(across=8)
        for part in (self.logo_name, self.choose_logo, self.remove_logo):
            logo.addWidget(part)
        layout = in_column(form, logo, on=self, margins=(4, 4, 10, 4), spacing=8)
        for field in (*self.prose.values(), self.signers):
            head = label(field.accessibleName(), "subheading")
            head.setBuddy(field)
            layout.addWidget(head)
            layout.addWidget(field)
        layout.addWidget(label(say("context.head"), "subheading"))
        layout.addWidget(self.context)
        layout.addWidget(label(self.tr("Sections"), "subheading"))
        layout.addWidget(self.sections)
        layout.addStretch(1)

    def _listen(self) -> None:
        for name, line in self.lines.items():
            line.settled.connect(partial(self._set, name))
        for name, field in self.prose.items():
            field.settled.connect(partial(self._set, name))
        self.context.stated.connect(self._set)
        self.signers.settled.connect(self._on_signers)
        self.has_date.toggled.connect(lambda _on: self._on_date())
        self.date.dateChanged.connect(lambda _date: self._on_date())
        self.paper.activated.connect(lambda row: self._set("paper", _PAPERS[row]))
        self.language.activated.connect(lambda row: self._set("language", self.language.itemData(row)))
        self.dpi.editingFinished.connect(lambda: self._set("dpi", self.dpi.value()))
        self.choose_logo.clicked.connect(self.logo_requested)
        self.remove_logo.clicked.connect(lambda: self._set("logo", None))
        self.sections.changed.connect(self.changed)

    def _set(self, name: str, value: object) -> None:
        if value == getattr(self._settings, name):
            return
        changes: dict[str, object] = {name: value}
        try:
            self.changed.emit(replace(self._settings, **changes))  # type: ignore[arg-type]
        except ZebraError as error:
            self.refused.emit(error)

    def _on_signers(self, text: str) -> None:
        self._set("signers", tuple(line.strip() for line in text.splitlines() if line.strip()))

    def _on_date(self) -> None:
        chosen = self.date.date()
        date = dt.date(chosen.year(), chosen.month(), chosen.day())
        self._set("date", date if self.has_date.isChecked() else None)
