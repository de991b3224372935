"""Widgets one beside the other, or one below the other, as one expression that shows what lies where."""

from __future__ import annotations

import html
import re
from collections.abc import Callable
from functools import partial
from typing import TypeVar

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, QSize, Qt, QTimer
from PySide6.QtGui import QFontMetrics, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QBoxLayout,
    QHBoxLayout,
    QLabel,
    QLayout,
    QLayoutItem,
    QListWidget,
    QScrollArea,
    QSizePolicy,
    QStyle,
    QVBoxLayout,
    QWidget,
)

from zebra_core.wording.texts import fitted_apart, named, visible
from zebra_gui.widgets.wheel import AnyWidget, ChoiceBox

Part = (
    QWidget | QLayout | int | tuple[QWidget | QLayout, int] | tuple[QWidget | QLayout, int, Qt.AlignmentFlag]
)
"""What stands there, perhaps with the share of the room that it takes and its place in it; a number is room
that is left empty, in such shares."""

_Box = TypeVar("_Box", bound=QBoxLayout)


def in_row(
    *parts: Part,
    on: QWidget | None = None,
    margins: int | tuple[int, int, int, int] | None = None,
    spacing: int | None = None,
) -> QHBoxLayout:
    """Parts side by side; `on` a widget they fill it, within margins: left, top, right and bottom, or all."""
    return _filled(QHBoxLayout(), parts, on, margins, spacing)


def in_column(
    *parts: Part,
    on: QWidget | None = None,
    margins: int | tuple[int, int, int, int] | None = None,
    spacing: int | None = None,
) -> QVBoxLayout:
    """Parts from top to bottom, as in a row."""
    return _filled(QVBoxLayout(), parts, on, margins, spacing)


def _filled(
    box: _Box,
    parts: tuple[Part, ...],
    on: QWidget | None,
    margins: int | tuple[int, int, int, int] | None,
    spacing: int | None,
) -> _Box:
    if on is not None:
        on.setLayout(box)
    if margins is not None:
        box.setContentsMargins(*((margins,) * 4 if isinstance(margins, int) else margins))
    if spacing is not None:
        box.setSpacing(spacing)
    for part in parts:
        match part:
            case int():
                box.addStretch(part)
            case QWidget():
                box.addWidget(part)
            case QLayout():
                box.addLayout(part)
            case (QLayout() as inner, share, *_):
                box.addLayout(inner, share)
            case (QWidget() as widget, share, *place):
                box.addWidget(widget, share, *place)
    return box


# A row of widgets that goes on in the next line where the room ends.


class Flow(QLayout):
    """A layout of widgets in lines, in reading direction; one that is wider than the room may wrap in it."""

    def __init__(self, across: int = 8, down: int = 4, *, centred: bool = False) -> None:
        super().__init__()
        self._across, self._down, self._centred = across, down, centred
        self._items: list[QLayoutItem] = []
        self.setContentsMargins(0, 0, 0, 0)

    def addItem(self, item: QLayoutItem) -> None:
        self._items.append(item)

    def count(self) -> int:
        return len(self._items)

    def itemAt(self, index: int) -> QLayoutItem | None:
        return self._items[index] if 0 <= index < len(self._items) else None

    def takeAt(self, index: int) -> QLayoutItem | None:
        return self._items.pop(index) if 0 <= index < len(self._items) else None

    def expandingDirections(self) -> Qt.Orientation:
        return Qt.Orientation.Horizontal

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        return max((rect.bottom() + 1 for _, rect in self._places(width)), default=0)

    def sizeHint(self) -> QSize:
        shown = [item.sizeHint() for item in self._items if not item.isEmpty()]
        width = sum(size.width() for size in shown) + self._across * max(0, len(shown) - 1)
        return QSize(width, max((size.height() for size in shown), default=0))

    def minimumSize(self) -> QSize:
        shown = [item.minimumSize() for item in self._items if not item.isEmpty()]
        widest = max((size.width() for size in shown), default=0)
        return QSize(widest, max((size.height() for size in shown), default=0))

    def setGeometry(self, rect: QRect) -> None:
        super().setGeometry(rect)
        owner = self.parentWidget()
        direction = owner.layoutDirection() if owner else Qt.LayoutDirection.LeftToRight
        for item, place in self._places(rect.width()):
            item.setGeometry(QStyle.visualRect(direction, rect, place.translated(rect.topLeft())))

    def _places(self, width: int) -> list[tuple[QLayoutItem, QRect]]:
        """Where everything that is shown goes, line by line, in the middle of its line's height."""
        places: list[tuple[QLayoutItem, QRect]] = []
        at, line = QPoint(0, 0), 0
        for item in self._items:
            if item.isEmpty():
                continue
            size = item.sizeHint()
            if size.width() > width and item.hasHeightForWidth():
                size = QSize(width, item.heightForWidth(width))
            if at.x() and at.x() + size.width() > width:
                at, line = QPoint(0, at.y() + line + self._down), 0
            places.append((item, QRect(at, size)))
            at, line = QPoint(at.x() + size.width() + self._across, at.y()), max(line, size.height())
        places = self._in_the_middle(places, width) if self._centred else places
        heights: dict[int, int] = {}
        for _, rect in places:
            heights[rect.top()] = max(heights.get(rect.top(), 0), rect.height())
        return [
            (item, rect.translated(0, (heights[rect.top()] - rect.height()) // 2)) for item, rect in places
        ]

    def _in_the_middle(
        self, places: list[tuple[QLayoutItem, QRect]], width: int
    ) -> list[tuple[QLayoutItem, QRect]]:
        """The same with each line in the middle of the room."""
        ends = {rect.top(): rect.right() + 1 for _, rect in places}  # the last of a line has its end
        return [(item, rect.translated((width - ends[rect.top()]) // 2, 0)) for item, rect in places]


# Bringing a widget up to date only when it is seen: what stands behind another tab can wait.


class FitsRoom(AnyWidget):
    """To be named before a class of Qt: `arrange` is called where its size, or that of its text, changes."""

    def arrange(self) -> None:
        """Stand side by side, or one above the other, as there is room."""
        raise NotImplementedError

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.arrange()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self.arrange()


class WhenVisible(QObject):
    """Refreshes a widget at once while it can be seen, else when it next is.

    The widget must not be covered by its own children. A window that was never shown has no tabs to look
    at: there everything is up to date, but for what takes work: with `only_visible` that waits in such a
    window, too, and is done for the first time when the widget is first seen.
    """

    def __init__(self, widget: QWidget, refresh: Callable[[], object], *, only_visible: bool = False) -> None:
        super().__init__(widget)
        self._widget = widget
        self._refresh = refresh
        self._only_visible = only_visible
        self._is_stale = only_visible
        self._catching_up = QTimer(self)  # nothing may change while it is painted
        self._catching_up.setSingleShot(True)
        self._catching_up.setInterval(0)
        self._catching_up.timeout.connect(self._catch_up)
        widget.installEventFilter(self)

    def refresh(self) -> None:
        """The widget should show something else."""
        self._is_stale = True
        self._catch_up()

    def refresh_now(self) -> None:
        """Let the widget show something else even while it cannot be seen: what it shows must be gone."""
        self._refresh()
        self._is_stale = True

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        # A tab that comes to the front is not always shown anew, but it is painted.
        if self._is_stale and event.type() in (QEvent.Type.Show, QEvent.Type.Paint):
            self._catching_up.start()
        return False

    def _catch_up(self) -> None:
        may_be_unseen = not (self._only_visible or self._widget.window().isVisible())
        if self._is_stale and (may_be_unseen or is_on_screen(self._widget)):
            self._is_stale = False
            self._refresh()


def is_on_screen(widget: QWidget) -> bool:
    """Whether any of it is on the screen: tabs behind the first count as visible to Qt."""
    return widget.isVisible() and not widget.visibleRegion().isEmpty()


def scroll_to(widget: QWidget) -> None:
    """Scroll everything around a widget until it can be seen."""
    area = widget.parentWidget()
    while area is not None:
        if isinstance(area, QScrollArea):
            area.ensureWidgetVisible(widget)
        area = area.parentWidget()


# A list of sentences that wrap: as high as its rows, up to so many before it scrolls.


_LOWEST_ROW = 20


class SentenceList(QListWidget):
    """Whoever fills it, or sees it change its width, calls `fit`."""

    def __init__(self, about: str, most_rows: int) -> None:
        super().__init__()
        self._most_rows = most_rows
        self.setAccessibleName(about)
        self.setAcceptDrops(False)  # a drop is for the window
        self.setWordWrap(True)
        self.setSpacing(2)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)

    def fit(self) -> None:
        """Be as high as the rows, whose height follows from their width; without any as high as one."""
        self.doItemsLayout()
        around = 2 * self.spacing() + 2
        first = [self.visualItemRect(self.item(row)) for row in range(min(self.count(), self._most_rows))]
        heights = [max(rect.height(), _LOWEST_ROW) + around for rect in first] or [_LOWEST_ROW]
        self.setFixedHeight(sum(heights) + 2 * self.frameWidth() + around)


# Foreign text on widgets: shown as it was typed, whatever it looks like.


LONGEST_NAME = 400  # names are elided to the room there is; this only keeps a rogue one from costing time
_LONGEST_SPOKEN = 20_000
_LONG_WORD, _PART = re.compile(r"(?:[^\s-]|-\d){25,}"), re.compile(r".{20}(?=.)")
_AT_A_SIGN = re.compile(r"(?<=\b[a-zA-Z]) (?=[<=>≤≥] \d)|(?<=[<=>≤≥]) (?=\d)")
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
    """Show a text that a screen reader reads after what it is about; without a text that alone.

    Between a figure and its sign no line ends.
    """
    shown.setText(_AT_A_SIGN.sub("\u00a0", text))
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
    """One line of plain text, cut with an ellipsis where the room ends; the tooltip has all of it.

    A heading loses its middle: it ends with a name, or a name ends it, and names differ there.
    """

    def __init__(self, tone: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._whole = ""
        self._cut = Qt.TextElideMode.ElideMiddle if tone == "heading" else Qt.TextElideMode.ElideRight
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
        text = self.fontMetrics().elidedText(self._whole, self._cut, room)
        self.setText(text)
        self.setToolTip(tooltip(self._whole) if text != self._whole else "")
