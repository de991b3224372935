"""The menu bar: everything that can be done, and the keys that do it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QAction, QActionGroup, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QMenu, QWidget

Keys = QKeySequence.StandardKey | str | None


def add_action(
    menu: QMenu, owner: QWidget, text: str, on_triggered: Callable[[], object], keys: Keys = None
) -> QAction:
    """One entry of a menu, which the owner's keys reach too."""
    action = QAction(text, owner)
    if keys is not None:
        action.setShortcut(QKeySequence(keys))
    action.triggered.connect(lambda _checked=False: on_triggered())
    menu.addAction(action)
    return action


def add_choices(
    menu: QMenu, owner: QWidget, choices: Mapping[str, Callable[[], object]], chosen: int | None = None
) -> QActionGroup:
    """Entries of which exactly one holds: text to what happens when it is chosen."""
    group = QActionGroup(owner)
    for text, on_triggered in choices.items():
        action = add_action(menu, owner, text, on_triggered)
        action.setCheckable(True)
        group.addAction(action)
    if chosen is not None:
        group.actions()[chosen].setChecked(True)
    return group


# Arrow keys within a row of boxes: Qt goes on to whatever comes next in the window.


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
