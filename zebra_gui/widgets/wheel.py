"""The wheel scrolls the page: there it changes no value, elsewhere only that with the focus, a picture never.

Qt gives the focus to a box over which the wheel turns, and turns its value. On a page that is scrolled this
changes what nobody meant to change, without a word; a box with the focus, too, passes below the pointer.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import (
    QComboBox,
    QDateEdit,
    QScrollArea,
    QSlider,
    QStyle,
    QStyleOptionComboBox,
    QWidget,
)

from zebra_core.wording.texts import differing_from, fitted_apart

if TYPE_CHECKING:
    AnyWidget = QWidget
else:
    AnyWidget = object  # a class of Qt cannot be made from two of them


class LeavesWheel(AnyWidget):
    """To be named before a class of Qt: it leaves the wheel to what is around it, if that can be scrolled."""

    def __init__(self, *given: object) -> None:
        super().__init__(*given)  # type: ignore[arg-type]
        if self.focusPolicy() is Qt.FocusPolicy.WheelFocus:
            self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def wheelEvent(self, event: QWheelEvent) -> None:
        if self.takes_wheel(event):
            super().wheelEvent(event)
        else:
            event.ignore()

    def takes_wheel(self, _event: QWheelEvent) -> bool:
        """Whether the wheel is for this."""
        around = self.parentWidget()
        while around is not None and not isinstance(around, QScrollArea):
            around = around.parentWidget()
        return around is None and self.hasFocus()


class ZoomsByWheel(LeavesWheel):
    """A picture, which the wheel zooms with Ctrl; without, the page around it is scrolled."""

    def takes_wheel(self, event: QWheelEvent) -> bool:
        return bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)


class ChoiceBox(LeavesWheel, QComboBox):
    """A box to choose from, which shows all of a few entries at once, and each of them whole.

    Signals:
        settled: the value that the user chose.
    """

    settled = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.activated.connect(lambda row: self.settled.emit(self.itemData(row)))

    def offer(self, choices: Iterable[tuple[str, object]]) -> None:
        """Offer these choices alone: words, and what each stands for."""
        self.clear()
        for words, value in choices:
            self.addItem(words, value)

    def show_value(self, value: object) -> None:
        """Show the choice that stands for this value, or the first one."""
        self.setCurrentIndex(max(self.findData(value), 0))

    def initStyleOption(self, option: QStyleOptionComboBox) -> None:
        """A choice too long for the box loses its middle, or what it has in common with others."""
        super().initStyleOption(option)
        if (row := self.currentIndex()) < 0:
            return
        place = differing_from([self.itemText(each) for each in range(self.count())])[row]
        words = QStyle.SubControl.SC_ComboBoxEditField
        room = self.style().subControlRect(QStyle.ComplexControl.CC_ComboBox, option, words, self).width()
        metrics, cut = option.fontMetrics, Qt.TextElideMode.ElideMiddle
        option.currentText = fitted_apart(
            option.currentText,
            place,
            metrics.horizontalAdvance,
            room,
            lambda text, width: metrics.elidedText(text, cut, width),
        )

    def showPopup(self) -> None:
        view = self.view()
        # Else the list is as wide as the box, which may be narrower than what there is to choose from.
        bar = view.verticalScrollBar().sizeHint().width() if self.count() > self.maxVisibleItems() else 0
        wide = view.sizeHintForColumn(0) + 2 * view.frameWidth() + bar
        view.setMinimumWidth(min(wide, self.screen().availableGeometry().width()))
        super().showPopup()
        # Qt leaves no room for the border of the list, and then shows arrows in the place of an entry.
        lacking = sum(map(view.sizeHintForRow, range(self.count()))) - view.viewport().height()
        wanted = view.window().geometry().adjusted(0, 0, 0, lacking)
        if lacking > 0 and self.screen().availableGeometry().contains(wanted):
            view.window().setGeometry(wanted)
            view.scrollToTop()


class Slider(LeavesWheel, QSlider):
    """A slider."""


class DateBox(LeavesWheel, QDateEdit):
    """A date."""
