"""The menu bar: everything that can be done, and the keys that do it."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from PySide6.QtGui import QAction, QActionGroup, QKeySequence
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
