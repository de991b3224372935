"""What a screen reader is told that parts of the window are, where Qt would call them parts and no more."""

from __future__ import annotations

from PySide6.QtCore import QObject
from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import QAccessibleWidget, QWidget

_Role = QAccessible.Role
_ROLES = {
    "GraphicsView": _Role.Chart,  # pyqtgraph's, from which all pictures come
    "QScrollArea": _Role.Pane,
    "LegendItem": _Role.StaticText,
    "TagBadge": _Role.Graphic,
    "QSplitterHandle": _Role.Separator,
}
"""By the name of a class, which holds for those made from it, too."""


def tell_roles() -> None:
    """From now on, whenever a screen reader asks about a widget for the first time."""
    QAccessible.installFactory(_interface)


def _interface(kind: str, thing: QObject) -> QAccessibleWidget | None:
    """Asked for every class of a thing in turn, its own first; None leaves it to Qt."""
    role = _ROLES.get(kind)
    return QAccessibleWidget(thing, role) if role is not None and isinstance(thing, QWidget) else None
