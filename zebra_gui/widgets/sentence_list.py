"""A list of sentences that wrap: as high as its rows, up to so many before it scrolls."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractItemView, QListWidget

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
