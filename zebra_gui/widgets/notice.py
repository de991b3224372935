"""A bar of text above what it is about, with one button that makes it go away."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QPushButton, QScrollArea, QWidget

from zebra_gui.widgets.layouts import in_column, in_row, label, tell

_HIGHEST = 150


class Notice(QFrame):
    """A bar with text that can be selected and one button that makes it go away."""

    def __init__(self, look: str, name: str, button: QPushButton, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("look", look)
        self.setAccessibleName(name)
        self.text = label()
        self.text.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self._name = name
        tell(self.text, name, "")
        self.text.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        self.button = button
        self._room = _TextRoom(self.text)
        self._room.setAccessibleName(name)
        layout = in_row(
            (self._room, 1), (button, 0, Qt.AlignmentFlag.AlignTop), on=self, margins=(14, 7, 8, 7)
        )
        self._row = layout
        self.hide()

    def add_button(self, button: QPushButton) -> QPushButton:
        """Another button, before the one that makes it go away."""
        self._row.insertWidget(1, button, 0, Qt.AlignmentFlag.AlignTop)
        return button

    def show_text(self, text: str) -> None:
        """Show this text; without any, the bar is not there."""
        tell(self.text, self._name, text)
        self._room.fit()
        self.setVisible(bool(text))


class _TextRoom(QScrollArea):
    """A scroll area as high as its text, up to a limit from which on it scrolls."""

    def __init__(self, text: QWidget) -> None:
        super().__init__()
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._text = text
        page = QWidget()
        page.setProperty("look", "scrolled")
        in_column(text, on=page, margins=(0, 3, 0, 3))
        self.setWidget(page)

    def fit(self) -> None:
        wanted = self._text.heightForWidth(max(self.viewport().width(), 200)) + 8
        self.setFixedHeight(min(max(wanted, 30), _HIGHEST))

    def resizeEvent(self, event: QResizeEvent) -> None:
        self.fit()  # first: what is resized while it is being resized keeps its contents where they were
        super().resizeEvent(event)

    def sizeHint(self) -> QSize:
        return QSize(200, 30)
