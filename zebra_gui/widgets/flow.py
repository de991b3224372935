"""A row of widgets that goes on in the next line where the room ends."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtWidgets import QLayout, QLayoutItem, QStyle


class Flow(QLayout):
    """A layout of widgets in lines, in reading direction; at least as wide as its widest widget."""

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
