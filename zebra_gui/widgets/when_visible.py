"""Bringing a widget up to date only when it is seen: what stands behind another tab can wait."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject, QTimer
from PySide6.QtWidgets import QScrollArea, QWidget


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
