"""Everything that the widgets of a program say, wherever they say it: shown, spoken, or in a tooltip."""

from collections.abc import Collection, Iterator
from functools import cache

from PySide6.QtCore import QAbstractItemModel, QAbstractListModel, QCoreApplication, QEvent, QModelIndex, Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QAbstractItemView, QApplication, QComboBox, QGraphicsView, QWidget
from shiboken6 import isValid

_ASKED = (
    "text",
    "toPlainText",
    "title",
    "windowTitle",
    "accessibleName",
    "accessibleDescription",
    "toolTip",
    "statusTip",
    "whatsThis",
    "placeholderText",
    "prefix",
    "suffix",
    "currentMessage",
)
_ROLES = (
    Qt.ItemDataRole.DisplayRole,
    Qt.ItemDataRole.EditRole,
    Qt.ItemDataRole.ToolTipRole,
    Qt.ItemDataRole.AccessibleTextRole,
    Qt.ItemDataRole.AccessibleDescriptionRole,
)


def everything_said(but: Collection[QWidget] = ()) -> dict[str, str]:
    """The texts of all widgets `but` these, shown or not, by the classes that they stand in."""
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    found: dict[str, str] = {}
    widgets = [widget for widget in QApplication.allWidgets() if isValid(widget) and widget not in but]
    for number, widget in enumerate(widgets):
        said = "\n".join(filter(None, _said_by(widget)))
        if said:
            found[f"{number} {_place(widget)}"] = said
    return found


def who_says(token: str) -> dict[str, str]:
    """The widgets that say this, with the line that does."""
    return {
        place: next(line for line in said.splitlines() if token in line)
        for place, said in everything_said().items()
        if token in said
    }


def _said_by(widget: QWidget) -> Iterator[str]:
    yield from _answers(widget, _ASKED)
    yield getattr(widget, "whole_text", "")
    for action in widget.actions():
        yield from _answers(action, ("text", "toolTip", "iconText", "statusTip"))
    if isinstance(widget, QComboBox):
        yield from _said_by_model(widget.model())
    if isinstance(widget, QAbstractItemView) and widget.model() is not None:
        yield from _said_by_model(widget.model())
    if isinstance(widget, QGraphicsView) and widget.scene() is not None:
        for item in widget.scene().items():
            yield from _answers(item, ("text", "toPlainText", "toolTip"))
            names = getattr(item, "_names", ())
            yield from map(str, names if isinstance(names, tuple) else ())


def _answers(asked: QWidget | QAction, names: tuple[str, ...]) -> Iterator[str]:
    own = getattr(asked, "__dict__", {})  # a name of one object, as pyqtgraph has, is no name of its class
    for name in names:
        if name not in own and not _knows(type(asked), name):
            continue
        answer = getattr(asked, name)
        try:
            said = answer() if callable(answer) else answer
        except TypeError:  # asks for more than we know
            continue
        if isinstance(said, str):
            yield said


@cache
def _knows(kind: type, name: str) -> bool:
    """Whether things of this class have such a name: an attribute that lacks is slow to look for."""
    return hasattr(kind, name)


def _said_by_model(model: QAbstractItemModel, parent: QModelIndex = QModelIndex()) -> Iterator[str]:
    columns = 1 if isinstance(model, QAbstractListModel) else model.columnCount(parent)
    for column in range(columns):
        for role in _ROLES:
            yield str(model.headerData(column, Qt.Orientation.Horizontal, role) or "")
    for row in range(model.rowCount(parent)):
        for column in range(columns):
            index = model.index(row, column, parent)
            for role in _ROLES:
                yield str(model.data(index, role) or "")
        if not isinstance(model, QAbstractListModel):
            yield from _said_by_model(model, model.index(row, 0, parent))


def _place(widget: QWidget) -> str:
    classes, at = [], widget
    while at is not None:
        classes.append(type(at).__name__)
        at = at.parentWidget()
    return " < ".join(classes)
