"""The workspace: evidence, panes and guide as docks that stay where the user puts them.

It is made when there is something to show: it and the panes need what the first job has imported.

Where a pane stands in the workspace: it is made when it is first looked at, not with the window.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from itertools import pairwise

from PySide6.QtCore import QByteArray, QChildEvent, QEvent, QObject, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QAction, QResizeEvent, QShowEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QDockWidget,
    QFrame,
    QLabel,
    QMainWindow,
    QScrollArea,
    QSplitter,
    QStyle,
    QTabBar,
    QTabWidget,
    QWidget,
)

from zebra_gui.panes.evidence import EvidencePane
from zebra_gui.panes.guide import GuidePane
from zebra_gui.panes.law import LawPane
from zebra_gui.panes.pane import FigureCard, Pane
from zebra_gui.panes.people import PeoplePane
from zebra_gui.panes.report import ReportPane
from zebra_gui.session.session import Session
from zebra_gui.settings import settings
from zebra_gui.widgets.layouts import is_on_screen, label
from zebra_gui.window.pane_layouts import PaneLayout, PaneLayouts
from zebra_gui.window.panes import PANES

_LAYOUT_VERSION = 7  # to be raised when docks change so that an old layout no longer fits
_MIRRORED = 1000  # added where one reads from the right: a layout fits the direction that it was made in
_SETTING, _SIDES = "layout", "layout-sides"
_MATRICES = "similarity"  # the pane of what is no assessment, where there is nothing else
_EVIDENCE_WIDTH = 225
_MIDDLE_WIDTH = 826
_GUIDE_WIDTH = 199


class Workspace(QMainWindow):
    """A main window within the window, with nothing but docks.

    Signals:
        export_requested: the picture on a card should be saved.
        copy_requested: the picture on a card should be put on the clipboard.
        report_requested: the report should be saved.
        word_requested: the same as a Word file.
        nameless_requested: the same with codes in the place of names.
        logo_requested: a logo for the report should be chosen.
        hearing_requested: the recordings of an assessment are to be seen and heard.
    """

    export_requested = Signal(object)
    copy_requested = Signal(object)
    report_requested = Signal()
    word_requested = Signal()
    nameless_requested = Signal()
    logo_requested = Signal()
    hearing_requested = Signal(object)
    _resized = Signal()

    def __init__(self, session: Session, open_action: QAction, layouts: PaneLayouts) -> None:
        super().__init__()  # a window of its own, until it is put into another: only that makes it a part
        self._session, self._layouts = session, layouts
        self._was_shown = False
        self._sides = _remembered_sides()  # how wide the evidence and the guide are to be
        self._resized.connect(self._share_out, Qt.ConnectionType.QueuedConnection)
        self._laid_out_for = 0  # pixels: for which width the docks are laid out
        self.setDockNestingEnabled(True)
        self.setDocumentMode(True)
        self.setAnimated(False)
        self.setTabPosition(Qt.DockWidgetArea.AllDockWidgetAreas, QTabWidget.TabPosition.North)

        self._title_bars: dict[QDockWidget, tuple[QLabel, QWidget]] = {}
        self.evidence = EvidencePane(session, open_action)
        self._evidence_dock = self._dock("evidence", self.tr("Evidence"), self.evidence)
        self._places: dict[str, PanePlace] = {}
        self.pane_docks: tuple[QDockWidget, ...] = ()
        self.docks: tuple[QDockWidget, ...] = ()
        self._idle: frozenset[QDockWidget] = frozenset()  # what the project of the moment has nothing for

    def fill(self, room: QSize) -> Iterator[None]:
        """Make a place for each pane, one at a step, then the pane seen first; at last lay all out."""
        for kind in PANES:
            yield
            self._places[kind.topic] = place = PanePlace(kind, self._session)
            place.made.connect(self._on_pane_made)
            self.pane_docks += (self._pane_dock(place),)
        yield
        self._front = self.pane(PANES[0].topic)
        yield
        self.guide = GuidePane(
            self._session
        )  # made last, for Tab goes from widget to widget as they are made
        self._guide_dock = self._dock("guide", self.tr("Guide"), self.guide)
        self.docks = (self._evidence_dock, *self.pane_docks, self._guide_dock)
        for dock in (self._evidence_dock, self._guide_dock):
            dock.installEventFilter(self)

        # A title bar repeats what the tab says; it is shown where there is no tab.
        self._tidying = QTimer(self)
        self._tidying.setSingleShot(True)
        self._tidying.setInterval(0)
        self._tidying.timeout.connect(self._tidy)
        for dock in self.docks:
            dock.topLevelChanged.connect(self._on_dock_moved)
            dock.dockLocationChanged.connect(self._on_dock_moved)
            dock.visibilityChanged.connect(self._on_dock_moved)

        self.resize(room)  # which the docks share out
        self._idle = self._idle_now()
        for dock in self._idle:
            dock.toggleViewAction().setVisible(False)
        self.reset_layout()
        self._sides = _remembered_sides()
        saved = settings().value(_SETTING)
        if isinstance(saved, QByteArray):
            self._restore(saved)
        self._tidy()
        self._session.project_changed.connect(self._show_what_concerns)
        self._layouts.changed.connect(self._on_other_layout)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._was_shown = True

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._laid_out_for = self.width()
        self._share_out()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() is QEvent.Type.FontChange:
            self._resized.emit()  # once the docks have the new size, too

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """A side is as wide as the user makes it; not as a small window, or large text, makes it."""
        is_drawn = bool(QApplication.mouseButtons() & Qt.MouseButton.LeftButton)
        if event.type() is QEvent.Type.Resize and is_drawn and self._laid_out_for == self.width():
            self._sides = self._evidence_dock.width(), self._guide_dock.width()
        return super().eventFilter(watched, event)

    def _share_out(self) -> None:
        """Give the sides the width they are to have, and the middle the rest: Qt would leave it squeezed."""
        if not self.docks:
            return
        sides = [self._evidence_dock, self._guide_dock]
        middle = next(filter(_is_seen, self.pane_docks), None)
        if middle is None or not all(map(_is_seen, sides)):
            return
        places = sorted([*sides, middle], key=lambda dock: dock.x())
        if places[1] is not middle or any(a.geometry().right() >= b.x() for a, b in pairwise(places)):
            return  # the user has put them elsewhere
        between = 2 * self.style().pixelMetric(QStyle.PixelMetric.PM_DockWidgetSeparatorExtent, None, self)
        rest = max(self.width() - sum(self._sides) - between, _LEAST_ROOM.width())
        widths = [self._sides[0], self._sides[1], rest]
        self.resizeDocks([*sides, middle], widths, Qt.Orientation.Horizontal)

    def childEvent(self, event: QChildEvent) -> None:
        super().childEvent(event)
        # Qt makes tab bars as it needs them. To look for them would keep each one that it throws away again.
        if event.polished() and isinstance(bar := event.child(), QTabBar):
            self._name(bar)

    def front_card(self, focused: QWidget | None) -> FigureCard | None:
        """The picture of the pane in front: of several that with the focus, else the first."""
        cards = self.front_pane.figure_cards()
        with_focus = (card for card in cards if focused is not None and card.isAncestorOf(focused))
        return next(with_focus, next(iter(cards), None))

    def write_requirement(self) -> None:
        """Write a requirement where its verdict is going to stand."""
        self.show_topic("people")
        if isinstance(pane := self.front_pane, LawPane):
            pane.write_requirement()

    @property
    def topics(self) -> tuple[str, ...]:
        """What the panes are about that may stand among the tabs: not what the project has nothing for."""
        return tuple(dock.objectName() for dock in self.pane_docks if dock not in self._idle)

    def pane(self, topic: str) -> Pane:
        """The pane about this topic, made now where nobody has looked at it yet."""
        return self._places[topic].pane

    @property
    def front_pane(self) -> Pane:
        """The pane that the user looked at last."""
        return self._front

    def areas(self) -> list[QWidget]:
        """The evidence, the panes that can be seen, and the guide."""
        made = (place.pane_if_made for place in self._places.values())
        return [self.evidence, *filter(None, made), self.guide]

    def save_layout(self) -> None:
        """Remember where everything is, if anybody has seen it."""
        if not self._was_shown:
            return
        settings().setValue(_SETTING, self.saveState(self._layout_version))
        settings().setValue(_SIDES, list(self._sides))

    def layout_state(self) -> bytes:
        """Where everything is, in Qt's words; only for `take_layout`."""
        return bytes(self.saveState(self._layout_version).data())

    def take_layout(self, state: bytes) -> bool:
        """Put everything where it was; whether that fits. Spoilt bytes crash the program: see `view`."""
        fits = self._restore(QByteArray(state))
        self._tidy()
        return fits

    @property
    def _layout_version(self) -> int:
        return _LAYOUT_VERSION + (_MIRRORED if self.isRightToLeft() else 0)

    def hidden_panes(self) -> list[str]:
        """The names of the docks that the user has closed."""
        return [dock.objectName() for dock in self.docks if dock.isHidden() and dock not in self._idle]

    def hide_panes(self, names: Sequence[str]) -> None:
        """Close these docks and show all others that the project has something for."""
        for dock in self.docks:
            dock.setVisible(dock.objectName() not in names and dock not in self._idle)

    def reset_layout(self) -> None:
        """Put everything back to where it was at first."""
        first, self._sides = self.pane_docks[0], (_EVIDENCE_WIDTH, _GUIDE_WIDTH)
        for dock in self.docks:
            dock.setFloating(False)
            self.removeDockWidget(dock)  # and hidden: one below the other they would make the window higher
        # In the order of reading: Qt mirrors everything but docks, although it says that it splits so.
        left, right = self._evidence_dock, self._guide_dock
        if self.isRightToLeft():
            left, right = right, left
        self.addDockWidget(Qt.DockWidgetArea.LeftDockWidgetArea, left)
        self.splitDockWidget(left, first, Qt.Orientation.Horizontal)
        self.splitDockWidget(first, right, Qt.Orientation.Horizontal)
        for dock in self.pane_docks[1:]:
            self.tabifyDockWidget(first, dock)
        for dock in self.docks:
            dock.setVisible(self._belongs(dock))
        self.resizeDocks(
            [self._evidence_dock, first, self._guide_dock],
            [_EVIDENCE_WIDTH, _MIDDLE_WIDTH, _GUIDE_WIDTH],
            Qt.Orientation.Horizontal,
        )
        first.raise_()
        self._look_at(self.pane(PANES[0].topic))

    def begin_at_first_pane(self) -> None:
        """Another case: bring the first pane to the front that has something to show of it.

        That is the overview, or the matrices where there is nothing else; unless the user has closed it.
        """
        topic = PANES[0].topic if self._session.entries else _MATRICES
        if topic == _MATRICES or not self._dock_of(topic).isHidden():
            self.show_topic(topic)

    def show_topic(self, topic: str) -> None:
        """Bring the pane about this topic to the front, if it is one of `topics`."""
        if topic in self.topics:
            dock = self._dock_of(topic)
            dock.show()
            dock.raise_()
            self._look_at(self.pane(topic))

    def _idle_now(self) -> frozenset[QDockWidget]:
        project = self._session.project
        return frozenset(
            dock
            for dock, place in zip(self.pane_docks, self._places.values(), strict=True)
            if not place.kind.has_something(project)
        )

    def _show_what_concerns(self) -> None:
        """A pane comes with the first thing it is about and goes with the last."""
        before, self._idle = self._idle, self._idle_now()
        if self._dock_of(self._front.topic) in self._idle:
            self.begin_at_first_pane()
        for dock in before ^ self._idle:
            dock.setVisible(self._belongs(dock))
            dock.toggleViewAction().setVisible(dock in before)
        if before != self._idle:
            self._tidying.start()

    def _belongs(self, dock: QDockWidget) -> bool:
        """Whether a dock is shown unless the user closes it: the layout has it and the project fills it."""
        is_wanted = dock not in self.pane_docks or self._layouts.now.has(dock.objectName())
        return is_wanted and dock not in self._idle

    def _on_other_layout(self) -> None:
        """Show its panes, each where it was, and the pane that the user looked at if it has that."""
        for dock in self.pane_docks:
            dock.setVisible(self._belongs(dock))
        for place in self._places.values():
            if (made := place.pane_if_made) is not None:
                made.show_few(is_few=self._layouts.now is PaneLayout.REVIEWER)
        front = self._front.topic
        self.show_topic(front if self._layouts.now.has(front) else PANES[0].topic)
        self._tidying.start()

    def _restore(self, state: QByteArray) -> bool:
        fits = self.restoreState(state, self._layout_version)
        for dock in self._idle:
            dock.hide()
        return fits

    def _dock_of(self, topic: str) -> QDockWidget:
        return next(dock for dock in self.pane_docks if dock.objectName() == topic)

    def _look_at(self, pane: Pane) -> None:
        self._front = pane
        self._session.look_at(pane.subject)

    def _on_pane_made(self, pane: Pane) -> None:
        pane.show_few(is_few=self._layouts.now is PaneLayout.REVIEWER)
        for card in pane.findChildren(FigureCard):  # type: ignore[type-abstract] # those that show nothing yet, too
            card.export_requested.connect(partial(self.export_requested.emit, card))
            card.copy_requested.connect(partial(self.copy_requested.emit, card))
            card.chosen.connect(partial(self._on_picture_chosen, pane))
        if isinstance(pane, ReportPane):
            pane.jump_requested.connect(self.show_topic)
            pane.logo_requested.connect(self.logo_requested)
            pane.export_requested.connect(self.report_requested)
            pane.word_requested.connect(self.word_requested)
            pane.nameless_requested.connect(self.nameless_requested)
        if isinstance(pane, PeoplePane):
            pane.hearing_requested.connect(self.hearing_requested)

    def _pane_dock(self, place: PanePlace) -> QDockWidget:
        dock = self._dock(place.kind.topic, place.kind.title(), place)
        dock.visibilityChanged.connect(lambda visible: self._on_pane_visible(dock, place, visible))
        return dock

    def _dock(self, name: str, title: str, inside: QWidget) -> QDockWidget:
        dock = QDockWidget(title, self)
        dock.setObjectName(name)
        dock.setAccessibleName(title)
        dock.setWidget(inside)
        self._title_bars[dock] = label(title, "heading", dock), QWidget(dock)
        dock.setTitleBarWidget(self._title_bars[dock][0])
        return dock

    def _on_pane_visible(self, dock: QDockWidget, place: PanePlace, visible: bool) -> None:
        _hide_behind(dock)
        if visible:
            self._look_at(place.pane)

    def _on_picture_chosen(self, pane: Pane) -> None:
        """The guide is about what is seen: a pane behind another one may choose what it likes."""
        if is_on_screen(pane):
            self._look_at(pane)

    def _on_dock_moved(self, _how: object) -> None:
        self._tidying.start()  # once the dock is where it is going to be

    def _tidy(self) -> None:
        """Title bars where there are no tabs, and nothing to be reached behind another tab."""
        for dock in self.pane_docks:
            _hide_behind(dock)
            has_tab = bool(self.tabifiedDockWidgets(dock)) and not dock.isFloating()
            title, nothing = self._title_bars[dock]
            wanted = nothing if has_tab else title
            if dock.titleBarWidget() is not wanted:  # set again, it would be laid out anew
                dock.setTitleBarWidget(wanted)
            title.setVisible(not has_tab)

    def _name(self, bar: QTabBar) -> None:
        bar.setAccessibleName(self.tr("Panes"))
        bar.setFocusPolicy(Qt.FocusPolicy.TabFocus)  # arrow keys go from pane to pane
        QWidget.setTabOrder(self.evidence.notes_button, bar)  # before the panes, not after all that was made
        for button in bar.findChildren(QAbstractButton):  # they scroll the tabs, as the arrow keys do
            button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        bar.setDrawBase(False)
        bar.setExpanding(False)
        bar.setElideMode(Qt.TextElideMode.ElideNone)


def _remembered_sides() -> tuple[int, int]:
    kept = settings().value(_SIDES)
    try:
        evidence, guide = (min(max(int(each), 0), 4000) for each in kept)
    except (TypeError, ValueError):
        return _EVIDENCE_WIDTH, _GUIDE_WIDTH
    return evidence, guide


def _is_seen(dock: QDockWidget) -> bool:
    return not dock.isFloating() and not dock.isHidden() and dock.geometry().right() >= 0


def _hide_behind(dock: QDockWidget) -> None:
    """Hide what stands behind another tab, and show the rest.

    To Qt the docks behind are visible, far off to the left: Tab would go through all that is on them, and a
    screen reader would read it.
    """
    dock.widget().setVisible(dock.isFloating() or dock.geometry().right() >= 0)


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
