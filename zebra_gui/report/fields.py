"""Fields of forms: each shows a value, and tells when it has settled.

Texts settle after a pause in typing, or when they are left. `field_for` makes the field of a type.
"""

from __future__ import annotations

import datetime as dt

from msgspec.inspect import DateType, EnumType, IntType, UnionType, type_info
from PySide6.QtCore import QDate, QEvent, QObject, QSignalBlocker, Qt, QTimer, Signal
from PySide6.QtGui import QFocusEvent
from PySide6.QtWidgets import QCheckBox, QComboBox, QLineEdit, QPlainTextEdit, QWidget

from zebra_core.evidence.value_types import Type
from zebra_core.project.report_settings import LONGEST_TEXT
from zebra_core.wording.texts import date_pattern, say
from zebra_gui.widgets.decimal_box import WholeBox
from zebra_gui.widgets.plain import choice_box
from zebra_gui.widgets.wheel import ChoiceBox, DateBox

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
