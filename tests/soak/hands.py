"""What a user does with the window itself: its menus, buttons, keys, pictures, docks and its size."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from pathlib import Path

from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QDialog, QMenu, QToolButton

from zebra_gui.window.window import Window

_KEYS = (
    *(Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_Home, Qt.Key.Key_Tab),
    *(Qt.Key.Key_Space, Qt.Key.Key_Return, Qt.Key.Key_Escape, Qt.Key.Key_F2, Qt.Key.Key_Z),
)
_QUIT = "Ctrl+Q"


class Hands:
    """Acts on a window at random; `some_files` says which files are dropped on it."""

    def __init__(self, window: Window, rng: random.Random, some_files: Callable[[], Sequence[Path]]) -> None:
        self._window, self._rng, self._some_files = window, rng, some_files

    def drop_files(self) -> None:
        """Whatever is under way."""
        mime = QMimeData()
        mime.setUrls([QUrl.fromLocalFile(str(path)) for path in self._some_files()])
        how = Qt.DropAction.CopyAction, mime, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
        QApplication.sendEvent(self._window, QDragEnterEvent(QPoint(60, 60), *how))
        QApplication.sendEvent(self._window, QDropEvent(QPointF(60, 60), *how))

    def use_menu(self) -> None:
        """Anything in the menus that can be chosen, except to quit."""
        actions = [
            action
            for menu in self._window.menuBar().findChildren(QMenu)
            for action in menu.actions()
            if action.isEnabled() and action.text() and action.shortcut().toString() != _QUIT
        ]
        self._rng.choice(actions).trigger()

    def press_button(self) -> None:
        """A button on the pane in front; those with menus of their own are for the mouse."""
        if not (workspace := self._window.workspace):
            return
        buttons = [
            button
            for button in workspace.front_pane.findChildren(QAbstractButton)
            if button.isVisible() and button.isEnabled()
            if not (isinstance(button, QToolButton) and button.menu())
        ]
        if buttons:
            self._rng.choice(buttons).click()

    def press_key(self) -> None:
        """Wherever the focus is."""
        QTest.keyClick(QApplication.focusWidget() or self._window, self._rng.choice(_KEYS))

    def point_at_picture(self) -> None:
        """Move the mouse over the pictures of the pane in front."""
        if workspace := self._window.workspace:
            for card in workspace.front_pane.figure_cards():
                place = QPoint(self._rng.randrange(60, 400), self._rng.randrange(10, 300))
                widget = card.view.childAt(place) or card.view
                QTest.mouseMove(widget, widget.mapFrom(card.view, place))

    def move_dock(self) -> None:
        """Float a pane or put it back, hide or show it, or put everything back to where it was."""
        if not (workspace := self._window.workspace):
            return
        dock = self._rng.choice(workspace.docks)
        self._rng.choice(
            (
                lambda: dock.setFloating(not dock.isFloating()),
                dock.toggleViewAction().trigger,
                workspace.reset_layout,
            )
        )()

    def resize(self) -> None:
        """From as small as it gets to a large screen."""
        self._window.resize(self._rng.randrange(760, 1700), self._rng.randrange(520, 1100))

    def cancel(self) -> None:
        """What is under way, or the files that wait for answers."""
        self._window.cancelling.action.trigger()

    def put_away(self, *, all_of_them: bool = True) -> None:
        """Close menus and dialogs; or only those before which nothing else can be done."""
        if popup := QApplication.activePopupWidget():
            popup.close()
        for dialog in QApplication.topLevelWidgets():
            if isinstance(dialog, QDialog) and dialog.isVisible() and (all_of_them or dialog.isModal()):
                dialog.reject()
