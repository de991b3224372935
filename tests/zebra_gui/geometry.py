"""Where things are in a window: what covers what, is cut at an edge, or stretched."""

from PySide6.QtCore import QPoint, QRect
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractSpinBox,
    QCheckBox,
    QComboBox,
    QDockWidget,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QPushButton,
    QRadioButton,
    QScrollArea,
    QStyle,
    QStyleOptionComboBox,
    QToolButton,
)

from zebra_gui.widgets.layouts import ElidedLabel

CONTROLS = (QAbstractButton, QLineEdit, QComboBox, QAbstractSpinBox, QPlainTextEdit)


def shown_in(widget, kinds):
    return [one for kind in kinds for one in widget.findChildren(kind) if one.isVisible()]


def place_in(widget, around):
    return QRect(widget.mapTo(around, QPoint(0, 0)), widget.size())


def cut_at_a_side(control):
    """The scroll area or window at whose left or right edge a control goes on, where nobody can scroll to."""
    parent = control.parentWidget()
    while parent is not None:
        is_area = isinstance(parent, QScrollArea)
        around = parent.viewport() if is_area else parent
        can_scroll = is_area and parent.horizontalScrollBar().isVisible()
        place = place_in(control, around)
        if (is_area or parent.isWindow()) and (place.left() < 0 or place.right() >= around.width()):
            return None if can_scroll else parent
        if can_scroll:
            return None
        parent = None if parent.isWindow() else parent.parentWidget()
    return None


def misplaced(window):
    """What is wrong with the pane in front: sentences."""
    workspace, pane = window.workspace, window.workspace.front_pane
    docks = [dock for dock in window.findChildren(QDockWidget) if not dock.visibleRegion().isEmpty()]
    places = [place_in(dock, workspace) for dock in docks]
    yield from (
        f"{one.windowTitle()} covers {other.windowTitle()}"
        for k, one in enumerate(docks)
        for m, other in enumerate(docks[:k])
        if places[k].intersects(places[m])
    )
    yield from (
        f"{dock.windowTitle()} goes on beyond the window"
        for dock, place in zip(docks, places, strict=True)
        if place.right() >= workspace.width()
    )
    for control in shown_in(pane, CONTROLS):
        if (edge := cut_at_a_side(control)) is not None:
            yield f"{control.accessibleName() or control} is cut by {edge}"
    for button in shown_in(pane, [QPushButton, QToolButton]):
        if button.width() < button.minimumSizeHint().width():
            yield f"{button.text()} has no room for its word"
        if button.height() > button.sizeHint().height() + 4:
            yield f"{button.text()} is stretched"


def cut_words(around):
    """Words of labels, buttons and choices that have no room, in a window or a dialog: sentences."""
    for label in shown_in(around, [QLabel]):
        if isinstance(label, ElidedLabel) or not label.text() or label.objectName().startswith("qt_"):
            continue
        needed = label.heightForWidth(label.width()) if label.wordWrap() else label.sizeHint().height()
        if needed > label.height() + 1 or (
            not label.wordWrap() and label.sizeHint().width() > label.width() + 1
        ):
            yield f"the label {label.text()!r} is cut"
    for button in shown_in(around, [QPushButton, QCheckBox, QRadioButton]):
        if button.width() < button.minimumSizeHint().width():
            yield f"the button {button.text()!r} is cut"
    for box in shown_in(around, [QComboBox]):
        option = QStyleOptionComboBox()
        box.initStyleOption(option)
        field = box.style().subControlRect(
            QStyle.ComplexControl.CC_ComboBox, option, QStyle.SubControl.SC_ComboBoxEditField, box
        )
        if box.fontMetrics().horizontalAdvance(box.currentText()) > field.width() + 1:
            yield f"the choice {box.currentText()!r} is cut"
