"""The form: for whom the report is, what it asks, how it is laid out.

The sections of the report: ticked, put in order, annotated.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable
from dataclasses import replace
from functools import partial

from msgspec.inspect import DateType, EnumType, IntType, UnionType, type_info
from PySide6.QtCore import QDate, QEvent, QObject, QSignalBlocker, Qt, QTimer, Signal
from PySide6.QtGui import QFocusEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QCheckBox,
    QComboBox,
    QFormLayout,
    QLabel,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QPlainTextEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from zebra_core.errors import ZebraError
from zebra_core.evidence.value_types import Type, hints_of
from zebra_core.project.report_settings import (
    CONTEXT,
    LEAST_DPI,
    LONGEST_TEXT,
    MOST_DPI,
    Paper,
    ReportSettings,
    Section,
)
from zebra_core.wording.texts import date_pattern, is_ready, languages, own_name, say
from zebra_gui.widgets.decimal_box import WholeBox
from zebra_gui.widgets.layouts import Flow, choice_box, in_column, label
from zebra_gui.widgets.wheel import ChoiceBox, DateBox

_CONTEXT_LINES = 2


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
        lines = {
            "case": self.tr("Case"),
            "requester": self.tr("Requested by"),
            "author": self.tr("Author"),
            "organisation": self.tr("Organisation"),
        }
        self.report_id = LineField(self.tr("Report number"))
        self.report_id.setPlaceholderText(self.tr("automatic"))
        self.report_id.setToolTip(self.tr("Unless you give one it is made from the evidence."))
        prose = {
            "question": self.tr("Question"),
            "propositions": self.tr("Propositions"),
            "relevance": self.tr("Relevance of the data"),
        }
        types = hints_of(ReportSettings)
        self.signers = Prose(self.tr("Who signs, one a line"), 2)
        self.date = DayField(self.tr("Date of the report"), self.tr("Dated"))
        self.language = choice_box(
            self.tr("Language of the report"),
            *((own_name(code), code) for code in filter(is_ready, languages())),
        )
        self.dpi = WholeField(self.tr("Resolution of pictures as PNG"), LEAST_DPI, MOST_DPI)
        self.dpi.setSuffix(self.tr(" dpi"))
        self.fields: dict[str, Field] = {
            **{name: LineField(title) for name, title in lines.items()},
            "report_id": self.report_id,
            "date": self.date,
            "paper": choice_box(self.tr("Paper"), ("A4", Paper.A4), ("Letter", Paper.LETTER)),
            "language": self.language,
            "dpi": self.dpi,
            **{name: Prose(title) for name, title in prose.items()},
            **{name: field_for(types[name], say(f"context.{name}"), _CONTEXT_LINES) for name in CONTEXT},
        }
        self.with_comments = QCheckBox(self.tr("Comments"))
        self.with_comments.setAccessibleName(self.tr("With the comments of reviewers"))
        self.with_comments.setToolTip(self.with_comments.accessibleName())
        self.logo_name = label(tone="quiet")
        self.choose_logo = QPushButton(self.tr("Choose a logo…"))
        self.remove_logo = QPushButton(self.tr("Remove"))
        self.sections = SectionList()
        self._lay_out(lines, prose)
        self._listen()
        self.show_settings(self._settings)

    def show_settings(self, settings: ReportSettings) -> None:
        """Show these settings."""
        self._settings = settings
        if self.language.findData(settings.language) < 0:  # asked for by name
            self.language.addItem(own_name(settings.language), settings.language)
        for name, field in self.fields.items():
            field.show_value(getattr(settings, name))
        self.signers.show_value("\n".join(settings.signers))
        self.with_comments.setChecked(settings.with_comments)
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
    def _typed(self) -> list[LineField | Prose]:
        every = (*self.fields.values(), self.signers, self.sections.note)
        return [field for field in every if isinstance(field, LineField | Prose)]

    def _lay_out(self, lines: Iterable[str], prose: Iterable[str]) -> None:
        form = QFormLayout()
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.ExpandingFieldsGrow)
        form.setRowWrapPolicy(QFormLayout.RowWrapPolicy.WrapLongRows)
        fields = self.fields
        for name in (*lines, "report_id"):
            form.addRow(label(fields[name].accessibleName()), fields[name])
        form.addRow(self.date.is_stated, self.date)
        form.addRow(label(fields["paper"].accessibleName()), fields["paper"])
        form.addRow(label(self.tr("Language")), self.language)
        form.addRow(label(self.tr("Pictures as PNG")), self.dpi)
        logo = Flow(across=8)
        for part in (self.logo_name, self.choose_logo, self.remove_logo):
            logo.addWidget(part)
        layout = in_column(form, logo, on=self, margins=(4, 4, 10, 4), spacing=8)
        for field in (*(fields[name] for name in prose), self.signers):
            head = label(field.accessibleName(), "subheading")
            head.setBuddy(field)
            layout.addWidget(head)
            layout.addWidget(field)
        layout.addWidget(label(say("context.head"), "subheading"))
        layout.addLayout(self._context())
        layout.addWidget(self.with_comments)
        layout.addWidget(label(self.tr("Sections"), "subheading"))
        layout.addWidget(self.sections)
        layout.addStretch(1)

    def _context(self) -> QVBoxLayout:
        """The context of the release: each field with a short help that names its source."""
        column = in_column(spacing=4)
        for name in CONTEXT:
            field, help_text = self.fields[name], say(f"context.{name}-help")
            field.setAccessibleDescription(help_text)
            head = field.is_stated if isinstance(field, DayField) else label(field.accessibleName())
            if isinstance(head, QLabel):
                head.setBuddy(field)
            for part in (head, field, label(help_text, "quiet")):
                column.addWidget(part)
            column.addSpacing(4)
        return column

    def _listen(self) -> None:
        for name, field in self.fields.items():
            field.settled.connect(partial(self._set, name))
        self.signers.settled.connect(self._on_signers)
        self.with_comments.toggled.connect(partial(self._set, "with_comments"))
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


_ROLE = Qt.ItemDataRole.UserRole


class SectionList(QWidget):
    """The list, and below it the note of the section that is chosen in it.

    Signals:
        changed: the report's settings as the user wants them now.
    """

    changed = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._settings = ReportSettings()
        self.list = QListWidget()
        self.list.setAccessibleName(self.tr("Sections of the report"))
        self.list.setAccessibleDescription(
            self.tr("Space includes a section or leaves it out; Alt+Up and Alt+Down move it.")
        )
        self.list.setDragDropMode(QAbstractItemView.DragDropMode.InternalMove)
        for section in Section:
            item = QListWidgetItem(section.heading)
            item.setData(_ROLE, section.value)
            self.list.addItem(item)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setTextElideMode(Qt.TextElideMode.ElideRight)
        self.list.setFixedHeight(self.list.sizeHintForRow(0) * len(Section) + 24)
        self.list.setCurrentRow(0)
        self.note_head = label(tone="quiet")
        self.note = Prose(self.tr("Note in the chosen section"), 3)
        self._keys = MoveKeys(self.list)
        layout = in_column(self.list, self.note_head, self.note, on=self, margins=0)
        hint = self.tr(
            "Tick what the report contains; drag, or press Alt+Up and Alt+Down, to change the order."
        )
        layout.insertWidget(0, label(hint, "quiet"))
        self.list.itemChanged.connect(self._on_ticked)
        self.list.currentItemChanged.connect(lambda *_: self._show_note())
        self.list.model().rowsMoved.connect(lambda *_: self._on_dragged())
        self._keys.moved.connect(self._on_moved)
        self.note.settled.connect(self._on_noted)

    @property
    def chosen(self) -> Section:
        """The section that the user looks at."""
        return _section_of(self.list.currentItem() or self.list.item(0))

    def show_settings(self, settings: ReportSettings) -> None:
        """Show these settings; the chosen section stays so."""
        chosen = self.chosen
        self._settings = settings
        with QSignalBlocker(self.list), QSignalBlocker(self.list.model()):
            items = {_section_of(item): item for item in self._taken()}
            for row, section in enumerate(settings.order):
                item = items[section]
                ticked = section not in settings.left_out
                item.setCheckState(Qt.CheckState.Checked if ticked else Qt.CheckState.Unchecked)
                self.list.insertItem(row, item)
            self.list.setCurrentRow(settings.order.index(chosen))
        self.list.viewport().update()
        self._show_note()

    def _taken(self) -> list[QListWidgetItem]:
        return [self.list.takeItem(0) for _ in range(self.list.count())]

    def _show_note(self) -> None:
        name = self.chosen.heading
        self.note_head.setText(self.tr("Note in “{section}” (Markdown)").format(section=name))
        self.note.show_value(self._settings.notes.get(self.chosen, ""))

    def _on_ticked(self, item: QListWidgetItem) -> None:
        ticked = item.checkState() is Qt.CheckState.Checked
        self.changed.emit(self._settings.ticking(_section_of(item), ticked=ticked))

    def _on_moved(self, step: int) -> None:
        self.changed.emit(self._settings.moving(self.chosen, self.list.currentRow() + step))

    def _on_dragged(self) -> None:
        order = [_section_of(self.list.item(row)) for row in range(self.list.count())]
        section = next(
            (one for one, old in zip(order, self._settings.order, strict=True) if one != old), None
        )
        if section is None:
            return
        # One section was moved: it is the one without which both orders are the same.
        for moved in Section:
            made = self._settings.moving(moved, order.index(moved))
            if list(made.order) == order:
                self.changed.emit(made)
                return

    def _on_noted(self, text: str) -> None:
        self.changed.emit(self._settings.noting(self.chosen, text))


def _section_of(item: QListWidgetItem) -> Section:
    return Section(item.data(_ROLE))


# Fields of forms: each shows a value, and tells when it has settled.
#
# Texts settle after a pause in typing, or when they are left. `field_for` makes the field of a type.


LONGEST_LINE = 500
_PAUSE_MS = 600
_FEWEST_LETTERS = 12  # of a choice: forms are narrow


class LineField(QLineEdit):
    """One line of text.

    Signals:
        settled: the text, when Enter was pressed or the field was left.
    """

    settled = Signal(str)

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(name)
        self.setAcceptDrops(False)  # a drop is for the window
        self.setMaxLength(LONGEST_LINE)
        self.editingFinished.connect(lambda: self.settled.emit(self.text()))
        self.editingFinished.connect(lambda: None if self.hasFocus() else self.home(False))

    def settle(self) -> None:
        """Tell what was typed."""
        self.settled.emit(self.text())

    def forget(self) -> None:
        """Show nothing, whatever is being typed."""
        self.clear()

    def show_value(self, text: str) -> None:
        """Show this text, unless it is there already."""
        if text != self.text():
            self.setText(text)
            if not self.hasFocus():
                self.home(False)  # a long one shows how it begins, not how it ends


class Prose(QPlainTextEdit):
    """Some lines of Markdown; Tab leaves the field.

    Signals:
        settled: the text, after a pause in typing or when the field was left.
    """

    settled = Signal(str)

    def __init__(self, name: str, lines: int = 4, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(name)
        self.setAcceptDrops(False)  # a drop is for the window
        self.setTabChangesFocus(True)
        self.setFixedHeight(lines * self.fontMetrics().lineSpacing() + 14)
        self._shown = ""
        self._pause = QTimer(self)
        self._pause.setSingleShot(True)
        self._pause.setInterval(_PAUSE_MS)
        self._pause.timeout.connect(self.settle)
        self.textChanged.connect(self._on_changed)

    def show_value(self, text: str) -> None:
        """Show this text, unless it is there already, or is being typed."""
        self._shown = text
        if text != self.toPlainText() and not self._pause.isActive():
            self.setPlainText(text)
            self._pause.stop()

    def settle(self) -> None:
        """Tell what was typed."""
        self._pause.stop()
        text = self.toPlainText()[:LONGEST_TEXT]
        if text != self._shown:
            self._shown = text
            self.settled.emit(text)

    def forget(self) -> None:
        """Show nothing, whatever is being typed."""
        self._shown = ""
        self.clear()
        self._pause.stop()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.settle()

    def _on_changed(self) -> None:
        if self.toPlainText() != self._shown:
            self._pause.start()


class WholeField(WholeBox):
    """A whole number; where it need not be stated, the one below the least stands for none.

    Signals:
        settled: the number, or None.
    """

    settled = Signal(object)

    def __init__(self, name: str, least: int, most: int, *, may_lack: bool = False) -> None:
        super().__init__()
        self.setAccessibleName(name)
        self.lineEdit().setAccessibleName(name)
        self.setRange(least - may_lack, most)
        self.setGroupSeparatorShown(True)
        self.setKeyboardTracking(False)
        if may_lack:
            self.setSpecialValueText(say("context.unstated"))
        self._none = least - 1
        self.valueChanged.connect(lambda value: self.settled.emit(None if value == self._none else value))

    def show_value(self, value: int | None) -> None:
        """Show this number."""
        with QSignalBlocker(self):
            self.setValue(self._none if value is None else value)


class DayField(DateBox):
    """A day, or none; `is_stated` is to be ticked where there is one.

    Signals:
        settled: the day, or None.
    """

    settled = Signal(object)

    def __init__(self, name: str, stated: str, years_ahead: int = 0) -> None:
        super().__init__()
        self._first = QDate.currentDate().addYears(years_ahead)
        self.is_stated = QCheckBox(stated)
        self.setAccessibleName(name)
        self.setDisplayFormat(date_pattern(year="yyyy", month="MM", day="dd"))
        self.setCalendarPopup(True)
        self.show_value(None)
        self.is_stated.toggled.connect(self._settle)
        self.dateChanged.connect(self._settle)

    def show_value(self, day: dt.date | None) -> None:
        """Show this day; where there is none, not that of whatever was open before."""
        with QSignalBlocker(self), QSignalBlocker(self.is_stated):
            self.is_stated.setChecked(day is not None)
            self.setEnabled(day is not None)
            self.setDate(QDate(day.year, day.month, day.day) if day else self._first)

    def _settle(self) -> None:
        day = self.date()
        self.settled.emit(dt.date(day.year(), day.month(), day.day()) if self.is_stated.isChecked() else None)


Field = LineField | Prose | ChoiceBox | WholeField | DayField


def field_for(of: Type, name: str, lines: int) -> Field:
    """The field for a value that need not be stated, of this type; texts have so many lines."""
    kind = type_info(of)
    kind = kind.types[0] if isinstance(kind, UnionType) else kind
    if isinstance(kind, EnumType):
        box = choice_box(name, (say("context.unstated"), None), *((str(one), one) for one in kind.cls))
        box.setMinimumContentsLength(_FEWEST_LETTERS)
        box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        return box
    if isinstance(kind, IntType):
        return WholeField(name, kind.ge or 0, kind.le or 0, may_lack=True)
    return DayField(name, name, years_ahead=1) if isinstance(kind, DateType) else Prose(name, lines)


class MoveKeys(QObject):
    """Tells of Alt+Up and Alt+Down on a widget.

    Signals:
        moved: −1 for up, 1 for down.
    """

    moved = Signal(int)

    def __init__(self, widget: QWidget) -> None:
        super().__init__(widget)
        widget.installEventFilter(self)

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:
        steps = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}
        if event.type() is QEvent.Type.KeyPress and event.modifiers() & Qt.KeyboardModifier.AltModifier:  # type: ignore[attr-defined]
            step = steps.get(event.key())  # type: ignore[attr-defined]
            if step is not None:
                self.moved.emit(step)
                return True
        return False
