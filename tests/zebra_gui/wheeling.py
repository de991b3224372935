"""The wheel as a user turns it: at a place of a window, which decides whose it is."""

from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtTest import QTest


def turn_wheel(widget, notches=-1, keys=Qt.KeyboardModifier.NoModifier):
    """Over the middle of a widget of a window that is shown; down where negative."""
    top = widget.window()
    place = QPointF(widget.mapTo(top, widget.rect().center()))
    QTest.wheelEvent(top.windowHandle(), place, QPoint(0, 120 * notches), QPoint(), keys)
