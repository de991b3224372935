"""Where a pane stands in the workspace: it is made when it is first looked at, not with the window."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QFrame, QScrollArea, QSplitter, QWidget

from zebra_gui.panes.pane import Pane
from zebra_gui.session.session import Session

_LEAST_ROOM = QSize(280, 120)


class PanePlace(QScrollArea):
    """Room for a pane, with bars to scroll it by where there is less than it needs: nothing overlaps then.

    Signals:
        made: the pane is there now.
    """

    made = Signal(object)

    def __init__(self, kind: type[Pane], session: Session) -> None:
        super().__init__()
        self.kind = kind
        self._session = session
        self._pane: Pane | None = None
        self.setAccessibleName(kind.title())
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # what has the focus is scrolled into sight
        self.setWidgetResizable(True)
        self.setMinimumSize(_LEAST_ROOM)
        self.viewport().setAutoFillBackground(False)
        keeping_its_room = self.sizePolicy()
        keeping_its_room.setRetainSizeWhenHidden(True)  # else tabs would differ in the room they leave
        self.setSizePolicy(keeping_its_room)
        self.hide()  # until its dock is seen

    @property
    def pane(self) -> Pane:
        """The pane; nobody has looked at it yet where it is made now."""
        if self._pane is None:
            # Where it is going to be from the first: put there later, all of it would be styled anew.
            self._pane = self.kind(self._session, self.viewport())
            self.setWidget(self._pane)
            self._pane.setAutoFillBackground(False)
            self._put_into_tab_order(self._pane)
            self.made.emit(self._pane)
        return self._pane

    @property
    def pane_if_made(self) -> Pane | None:
        """The pane, where somebody has looked at it."""
        return self._pane

    def showEvent(self, event: QShowEvent) -> None:
        _ = self.pane  # it is there before anything of it is painted
        super().showEvent(event)

    def _put_into_tab_order(self, pane: Pane) -> None:
        """Tab goes through the pane where this place is; of itself it would come after all made before."""
        before: QWidget = self
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)  # else Qt would not take it for a beginning
        for widget in _stops(pane):
            QWidget.setTabOrder(before, widget)
            before = widget
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)


def _stops(widget: QWidget) -> Iterator[QWidget]:
    """What can take the focus in a widget, in the order in which it was put there."""
    children: Iterable[object] = widget.children()
    if isinstance(widget, QSplitter):  # which puts what it gets below what it has
        children = map(widget.widget, range(widget.count()))
    for child in children:
        if isinstance(child, QWidget) and not child.isWindow():  # as menus are
            if child.focusPolicy() != Qt.FocusPolicy.NoFocus and child.focusProxy() is None:
                yield child
            yield from _stops(child)
