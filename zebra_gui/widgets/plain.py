"""Foreign text on widgets: shown as it was typed, whatever it looks like."""

from __future__ import annotations

import html
import re
from functools import partial

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QFontMetrics, QResizeEvent
from PySide6.QtWidgets import QLabel, QLayout, QSizePolicy, QWidget

from zebra_core.wording.names import fitted_apart, named
from zebra_core.wording.texts import visible
from zebra_gui.widgets.wheel import ChoiceBox

LONGEST_NAME = 400  # names are elided to the room there is; this only keeps a rogue one from costing time
_LONGEST_SPOKEN = 20_000
_LONG_WORD, _PART = re.compile(r"\S{25,}"), re.compile(r".{20}(?=.)")
_MOST_HEIGHTS = 50  # of one label, while the mouse makes a window wider


def shown_name(name: str) -> str:
    """A name on one line, with nothing invisible in it."""
    return visible(name, LONGEST_NAME)


def breakable(text: str) -> str:
    """The text with places where its longest words, such as names of files, may go on in the next line."""
    return _LONG_WORD.sub(lambda word: _PART.sub("\\g<0>\u200b", word[0]), text)


def with_short_words(text: str) -> str:
    """The text without the middle of its longest words, such as names of files, for a narrow pane."""
    return _LONG_WORD.sub(lambda word: f"{word[0][:11]}…{word[0][-8:]}", text)


def elided_apart(name: str, place: int, metrics: QFontMetrics, room: int) -> str:
    """A name in the room there is; what stands before `place`, where names like it are alike, goes first."""
    return fitted_apart(name, place, metrics.horizontalAdvance, room, partial(_elided, metrics))


def _elided(metrics: QFontMetrics, text: str, room: int) -> str:
    return metrics.elidedText(text, Qt.TextElideMode.ElideRight, room)


def spoken(text: str) -> str:
    """What a screen reader reads out, with nothing invisible in it."""
    return visible(text, _LONGEST_SPOKEN)


def tooltip(text: str) -> str:
    """A tooltip that shows this text: Qt would take `<img …>` for a picture."""
    return f"<p style='white-space: pre-wrap'>{html.escape(text)}</p>" if text else ""


class _WrappedLabel(QLabel):
    """A label that works out only once how high it is at a width.

    Layouts ask that a dozen times until they are at rest, and each time Qt would lay out all of the text.
    """

    def __init__(self, text: str, parent: QWidget | None) -> None:
        super().__init__(text, parent)
        self._heights: dict[tuple[int, str], int] = {}

    def heightForWidth(self, width: int) -> int:
        asked = width, self.text()
        if asked not in self._heights or not self.testAttribute(Qt.WidgetAttribute.WA_WState_Polished):
            if len(self._heights) >= _MOST_HEIGHTS:
                self._heights.clear()
            self._heights[asked] = super().heightForWidth(width)
        return self._heights[asked]

    def changeEvent(self, event: QEvent) -> None:
        self._heights.clear()  # another font or style, say
        super().changeEvent(event)


def label(text: str = "", tone: str = "", parent: QWidget | None = None) -> QLabel:
    """A label for plain text that wraps; `tone` says how it is set (see theme.py)."""
    made = _WrappedLabel(text, parent)
    made.setTextFormat(Qt.TextFormat.PlainText)
    made.setWordWrap(True)
    if tone:
        made.setProperty("tone", tone)
    return made


def tell(shown: QLabel, about: str, text: str) -> None:
    """Show a text that a screen reader reads after what it is about; without a text that alone."""
    shown.setText(text)
    shown.setAccessibleName(named(about, spoken(text)) if text else about)


def clear(layout: QLayout) -> None:
    """Take everything out of a layout; it is gone when the event loop is reached."""
    while (item := layout.takeAt(0)) is not None:
        if widget := item.widget():
            widget.hide()
            widget.deleteLater()
        elif inside := item.layout():
            clear(inside)


def choice_box(name: str, *choices: tuple[str, object]) -> ChoiceBox:
    """A box to choose from, words and what each stands for; it is called so wherever it takes the focus."""
    box = ChoiceBox()
    for widget in (box, box.view()):
        widget.setAccessibleName(name)
    box.offer(choices)
    return box


class ElidedLabel(QLabel):
    """One line of plain text, cut with an ellipsis where the room ends; the tooltip has all of it."""

    def __init__(self, tone: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._whole = ""
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        if tone:
            self.setProperty("tone", tone)

    @property
    def whole_text(self) -> str:
        """The text before it was cut."""
        return self._whole

    def show_text(self, text: str) -> None:
        """Show as much of the text as there is room for."""
        self._whole = text
        self.setAccessibleName(text)
        self._elide()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._elide()

    def _elide(self) -> None:
        room = self.contentsRect().width()
        text = self.fontMetrics().elidedText(self._whole, Qt.TextElideMode.ElideRight, room)
        self.setText(text)
        self.setToolTip(tooltip(self._whole) if text != self._whole else "")
