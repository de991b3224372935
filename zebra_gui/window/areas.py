"""Where the keyboard is: keys that go from part to part of the window, and the focus always in view."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QApplication, QMenu, QWidget
from shiboken6 import isValid

from zebra_gui.widgets.menus import add_action
from zebra_gui.widgets.when_visible import scroll_to

_MOST_VISITED = 30


class Areas(QObject):
    """F6 goes on to the next part that is there, Shift+F6 back; in each to where the user was."""

    def __init__(self, areas: Callable[[], Sequence[QWidget]], menu: QMenu, window: QWidget) -> None:
        super().__init__(window)
        self._areas = areas
        self._visited: list[QWidget] = []  # last that was visited last
        if isinstance(app := QApplication.instance(), QApplication):
            app.focusChanged.connect(self._on_focus_changed)
        self.next_action = add_action(
            menu, window, self.tr("&Next part of the window"), lambda: self._go(1), "F6"
        )
        self.previous_action = add_action(
            menu, window, self.tr("Pre&vious part of the window"), lambda: self._go(-1), "Shift+F6"
        )
        for action in (self.next_action, self.previous_action):
            action.setShortcutContext(
                Qt.ShortcutContext.ApplicationShortcut
            )  # in a pane of its own window, too

    def _go(self, step: int) -> None:
        areas = [area for area in self._areas() if area.isVisible() and self._entrance(area) is not None]
        now = QApplication.focusWidget()
        at = next((place for place, area in enumerate(areas) if now and area.isAncestorOf(now)), None)
        if at is None:
            at = -1 if step > 0 else 0
        if areas and (widget := self._entrance(areas[(at + step) % len(areas)])) is not None:
            widget.window().activateWindow()
            widget.setFocus(Qt.FocusReason.TabFocusReason)

    def _entrance(self, area: QWidget) -> QWidget | None:
        """What takes the focus in an area: what had it last there, else the first that can."""
        # Not by nextInFocusChain: the bindings make each widget a child of the one before, and with the first
        # all would be gone for Python.
        inside = [widget for widget in area.findChildren(QWidget) if takes_focus(widget)]
        lasting = (widget for widget in reversed(self._visited) if widget in inside)
        return next(lasting, next(iter(inside), None))

    def _on_focus_changed(self, _before: QWidget | None, now: QWidget | None) -> None:
        if now is not None:
            self._visited = [widget for widget in self._visited if isValid(widget) and widget is not now]
            self._visited = [*self._visited[-_MOST_VISITED:], now]
            bring_into_view(now)


def takes_focus(widget: QWidget) -> bool:
    """Whether Tab can go to a widget."""
    wants = bool(widget.focusPolicy() & Qt.FocusPolicy.TabFocus) and widget.focusProxy() is None
    return wants and widget.isEnabled() and widget.isVisible()


def bring_into_view(now: QWidget) -> None:
    """Scroll to what has the focus now; by the mouse it came there in view."""
    if QApplication.mouseButtons() != Qt.MouseButton.NoButton:
        return
    scroll_to(now)
