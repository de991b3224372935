"""Arrow keys within a row of boxes: Qt goes on to whatever comes next in the window."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QWidget

_STEPS = {Qt.Key.Key_Left: -1, Qt.Key.Key_Up: -1, Qt.Key.Key_Right: 1, Qt.Key.Key_Down: 1}


class RowKeys(QObject):
    """Lets arrow keys go from box to box of a row, and stay at its ends; Tab leaves it."""

    def __init__(self, boxes: Sequence[QWidget], parent: QWidget) -> None:
        super().__init__(parent)
        self._boxes = tuple(boxes)
        for box in self._boxes:
            box.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() is not QEvent.Type.KeyPress or not isinstance(event, QKeyEvent):
            return False
        if (step := _STEPS.get(Qt.Key(event.key()))) is None:
            return False
        shown = [box for box in self._boxes if box.isVisible() and box.isEnabled()]
        place = next((at for at, box in enumerate(shown) if box is watched), None)
        if place is not None:
            is_mirrored = event.key() in (Qt.Key.Key_Left, Qt.Key.Key_Right) and shown[place].isRightToLeft()
            wanted = place - step if is_mirrored else place + step
            shown[min(max(wanted, 0), len(shown) - 1)].setFocus(Qt.FocusReason.OtherFocusReason)
        return True
