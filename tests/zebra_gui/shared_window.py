"""One window for all tests of a module: put back after each of them, which fails where that does not help.

A window with its panes takes half a second to make, and most tests look at one pane only. So that they do not
depend on one another, everything that a user can set is read before the first of them, set again after each
as the user would, and compared. What is still different is told by the test that left it so.
"""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from PySide6.QtCore import QElapsedTimer, QObject, Qt, QTimer
from PySide6.QtGui import QAction
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QHeaderView,
    QLineEdit,
    QSlider,
    QWidget,
)
from shiboken6 import isValid

from tests.zebra_gui.turning import turn_events
from zebra_core.project.project import Project
from zebra_gui.dialogs import Dialogs
from zebra_gui.jobs.jobs import Jobs
from zebra_gui.panes.pane import FigureCard, Pane
from zebra_gui.session.session import FIRST_PRIOR
from zebra_gui.settings import settings
from zebra_gui.window.pane_layouts import PaneLayout
from zebra_gui.window.window import Window
from zebra_gui.window.workspace import PanePlace

_SIZE = 1280, 800
_LONGEST_MS = 60_000
_TURN_MS = 2  # a job's thread is to have the interpreter meanwhile


class SharedWindow:
    """A window with a project open, and how it was before the first test."""

    def __init__(self, make: Callable[[], Window], project: Project, seen: Sequence[str]) -> None:
        self._make, self._project, self._seen = make, project, seen
        self._selected = next(entry for entry in project.entries if entry.colour is not None)
        self._begin()

    def _begin(self) -> None:
        settings().setValue("intervals_at_once", False)
        settings().setValue("panes", "laboratory")
        self.window = window = self._make()
        window.show()
        window.preparing.finish()
        self._queues = window.findChildren(Jobs)
        window.session.restart(self._project)
        for topic in self._seen:
            window.workspace.show_topic(topic)
            self._come_to_rest()
        self._places = window.findChildren(PanePlace)
        self._pictures = {card: _picture_of(card) for card in self._cards()}
        self._controls: list[_Control] = []
        self._set_again()
        self._style = QApplication.instance().styleSheet()
        self._controls = list(_controls(window))
        self._first = self._state()
        for place in self._places:
            place.made.connect(self._learn)

    def _learn(self, pane: Pane) -> None:
        """How a pane is when it is made, for a test that is the first to look at it."""
        self._pictures |= {card: _picture_of(card) for card in pane.figure_cards()}
        self._controls += _controls(pane)
        self._first = self._state() | self._first

    def lend(self) -> Window:
        """The window for the next test, with its colours, which other windows may have taken away."""
        settings().setValue("intervals_at_once", False)  # each test has settings of its own
        settings().setValue("panes", "laboratory")
        if QApplication.instance().styleSheet() != self._style:
            self.window.theme.choose(self.window.theme.choice)
        self.window.activateWindow()
        QApplication.processEvents()  # keys go to a window that is active
        return self.window

    def take_back(self) -> None:
        """Put the window back to how it was before the first test.

        Where that does not help, the next test gets a new one; AssertionError names what is different.
        """
        self._set_again()
        state = self._state()
        both = self._first.keys() & state.keys()  # widgets come and go
        left = {what: (self._first[what], state[what]) for what in both if self._first[what] != state[what]}
        if left:
            self.close()
            self._begin()
        assert not left, f"the test left the shared window changed, give it `window`: {left} (before, now)"

    def close(self) -> None:
        """Close the window as a user would."""
        self.window.close()
        self.window.deleteLater()

    def _set_again(self) -> None:
        window, session, workspace = self.window, self.window.session, self.window.workspace
        window.setUpdatesEnabled(False)  # it is painted once, at the end
        self._come_to_rest()
        window.showNormal()
        window.resize(*_SIZE)
        if (focused := QApplication.focusWidget()) is not None:
            focused.clearFocus()
        workspace.show_topic("overview")  # no other pane need be drawn anew
        if session.prior != FIRST_PRIOR or session.prior_mark is None:
            session.consider_prior(FIRST_PRIOR)
            session.mark_prior(True)
            self._come_to_rest()  # what follows from that for the project is done
        session.restart(self._project, self._selected.id)
        window._is_new_case = False  # the same case: the next change brings no other pane to the front
        session.select_speaker(None)
        session.dismiss_problems()
        window.documents._on_demo_opened()
        window.statusBar().clearMessage()
        for card, picture in self._pictures.items():
            if _picture_of(card) != picture:
                _choose_picture(card, picture)
        window.pane_layouts.follow(PaneLayout.LABORATORY)
        if workspace.hidden_panes() or any(dock.isFloating() for dock in workspace.docks):
            workspace.reset_layout()
        workspace.show_topic("overview")
        self._put_controls_back()
        window.setUpdatesEnabled(True)
        self._come_to_rest()

    def _put_controls_back(self) -> None:
        for control in self._controls:
            if isValid(control.thing) and control.read(control.thing) != control.first:
                control.put(control.thing, control.first)

    def _state(self) -> dict[str, object]:
        window, session, workspace = self.window, self.window.session, self.window.workspace
        state: dict[str, object] = {
            "size": window.size().toTuple(),
            "hidden panes": workspace.hidden_panes(),
            "pane in front": workspace.front_pane.topic,
            "topic": session.topic,
            "project": session.project is self._project,
            "selected": session.selected_ids,
            "changes": session.undo_stack.count(),
            "problems": session.problems,
            "files that wait": session.arrivals.arrival,
            "open windows": sum(one.isVisible() for one in QApplication.topLevelWidgets()),
            "theme": window.theme.choice,
            "answers given for the user": [
                name
                for one in self.window.findChildren(Dialogs)
                for name in vars(one)
                if name in vars(Dialogs)
            ],
        }
        state |= {f"picture {number}": _picture_of(card) for number, card in enumerate(self._pictures)}
        for number, control in enumerate(self._controls):
            if isValid(control.thing):
                state[f"{control.name} ({number})"] = control.read(control.thing)
        return state

    def _cards(self) -> list[FigureCard]:
        made = filter(None, (place.pane_if_made for place in self._places))
        return [card for pane in made for card in pane.figure_cards()]

    def _come_to_rest(self) -> None:
        """Until no job is under way and nothing about to be drawn; what waits for a pause waits no longer."""
        since = QElapsedTimer()
        since.start()
        is_at_rest = False
        while not is_at_rest:
            under_way = [job.name for jobs in self._queues for job in jobs.waiting]
            assert since.elapsed() < _LONGEST_MS, f"the test left work that does not end: {under_way}"
            turn_events(_TURN_MS)
            # There are thousands of things in a window: to look through them while a job works would slow it.
            timers = [] if under_way else [one for one in self.window.findChildren(QTimer) if one.isActive()]
            is_at_rest = not under_way and all(timer.interval() > 0 for timer in timers)
        for timer in timers:
            timer.stop()


class _Control(NamedTuple):
    """Something that a user can set: what it is called, how it is read and set, and how it was at first."""

    thing: QObject
    name: str
    read: Callable[[Any], object]
    put: Callable[[Any, Any], object]
    first: object


def _controls(window: QWidget) -> list[_Control]:
    made = []
    for kind, read, put in _KINDS:
        for thing in window.findChildren(kind):
            if not _stays(thing):
                continue
            name = thing.text() if isinstance(thing, QAction) else thing.accessibleName()
            name = f"{type(thing).__name__} {name or thing.objectName()}"
            made.append(_Control(thing, name, read, put, read(thing)))
    return made


def _stays(thing: QObject) -> bool:
    """Whether what a user does to it stays, and is not what the project says."""
    if isinstance(thing, QAbstractButton | QAction):
        return thing.isCheckable()
    if isinstance(thing, QHeaderView):
        return thing.orientation() == Qt.Orientation.Horizontal  # there is a row for each assessment
    if thing.objectName() == "sessions":
        return False  # the project says it
    return not isinstance(thing.parent(), QAbstractSpinBox)  # a number is set in its box


def _press(button: QAbstractButton | QAction, wanted: bool) -> None:
    """As the user would; one of several comes up by itself as soon as another one is down."""
    group = button.actionGroup() if isinstance(button, QAction) else button.group()
    if wanted or group is None:
        button.trigger() if isinstance(button, QAction) else button.click()


def _choose(box: QComboBox, place: int) -> None:
    box.setCurrentIndex(place)
    box.activated.emit(place)


def _columns(header: QHeaderView) -> tuple[object, ...]:
    hidden = tuple(header.isSectionHidden(number) for number in range(header.count()))
    return header.sortIndicatorSection(), header.sortIndicatorOrder(), hidden


def _show_columns(header: QHeaderView, columns: tuple[Any, ...]) -> None:
    section, order, hidden = columns
    header.setSortIndicator(section, order)
    for number, is_hidden in enumerate(hidden):
        header.setSectionHidden(number, is_hidden)


_KINDS: tuple[tuple[type[QObject], Callable[[Any], object], Callable[[Any, Any], object]], ...] = (
    (QAbstractButton, QAbstractButton.isChecked, _press),
    (QAction, QAction.isChecked, _press),
    (QComboBox, QComboBox.currentIndex, _choose),
    (QLineEdit, QLineEdit.text, QLineEdit.setText),
    (QSlider, QSlider.value, QSlider.setValue),
    (QHeaderView, _columns, _show_columns),
    (QAbstractItemView, QAbstractItemView.selectionMode, QAbstractItemView.setSelectionMode),
)


def _picture_of(card: FigureCard) -> tuple[object, object]:
    """Which picture is chosen on a card, and what of each."""
    return getattr(card, "picture", None), dict(getattr(card, "_views", {}))


def _choose_picture(card: Any, picture: tuple[Any, Any]) -> None:
    chosen, views = picture
    if views:
        card._views = dict(views)
    card.choose(chosen)
