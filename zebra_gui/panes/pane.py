"""What all panes have in common: one widget about one topic, which listens to the session."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Sequence
from functools import partial

from PySide6.QtCore import QPoint, Qt, QTimer, Signal
from PySide6.QtGui import QContextMenuEvent, QKeyEvent, QPaintEvent, QShowEvent
from PySide6.QtWidgets import QFrame, QMenu, QToolButton, QWidget
from shiboken6 import isValid

from zebra_core.figures.all_pictures import captioned
from zebra_core.figures.cells import CellsFigure
from zebra_core.figures.figure import Figure
from zebra_core.project.items import Item
from zebra_core.project.project import Project
from zebra_gui.plots.cells import CellsView
from zebra_gui.plots.figure import FigureView
from zebra_gui.session.session import Session
from zebra_gui.widgets.layouts import in_column, in_row
from zebra_gui.widgets.plain import ElidedLabel
from zebra_gui.widgets.when_visible import is_on_screen

AnyFigure = Figure | CellsFigure

MakeFigure = Callable[[], AnyFigure]
"""Makes a figure from what never changes, so that it may run in any thread and later."""


class Pane(QWidget):
    """One pane. `topic` names it in the settings; it must not change between versions.

    That each pane and card has what is abstract here is checked by mypy: Qt's widgets cannot be of an ABC.
    """

    topic: str
    follows_prior = False  # its figures or pictures are others with another prior

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.session = session
        session.left.connect(self._on_left)

    @staticmethod
    @abstractmethod
    def title() -> str:
        """What its tab says, which is there before the pane is."""

    @staticmethod
    def has_something(_project: Project | None) -> bool:
        """Whether it stands among the tabs for this project; most do for any, and before there is one."""
        return True

    @property
    def subject(self) -> str:
        """What it shows at the moment, for the guide."""
        return self.topic

    def forget(self) -> None:
        """The project is gone: show nothing of it; its cards do so by themselves."""

    def _on_left(self) -> None:
        self.forget()

    def figure_cards(self) -> tuple[FigureCard, ...]:
        """The pictures on it, so that they can be exported."""
        return ()

    def show_few(self, *, is_few: bool) -> None:
        """Show what reviewers read, or all that a laboratory works with; in most panes that is the same."""

    def as_text(self) -> str:
        """The figures on it that are of no single assessment, to be pasted elsewhere."""
        return ""


class Card(QFrame):
    """A white card with a thin border."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("look", "card")
        self.body = in_column(on=self, margins=(14, 11, 14, 12), spacing=5)


class FigureCard(Card):
    """A picture with its title and a button that exports it; drawn only when it can be seen.

    What is done with the picture is in its context menu, too, by the right button, the menu key or Shift+F10.

    Signals:
        export_requested: the picture should be saved.
        copy_requested: the picture should be put on the clipboard.
        chosen: it shows another kind of picture.
    """

    export_requested = Signal()
    copy_requested = Signal()
    chosen = Signal()

    view: FigureView | CellsView

    def __init__(self, session: Session, view: FigureView | CellsView, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.session = session
        self._is_stale = True
        self._changes = 0  # how often something else was wanted
        self._making: int | None = None  # which of these wishes a job is at work on
        # Several changes at once are drawn once; a tab that is shown for a moment only, not at all.
        self._drawing = QTimer(self)
        self._drawing.setSingleShot(True)
        self._drawing.setInterval(0)
        self._drawing.timeout.connect(self._draw_now)
        self.heading = ElidedLabel("heading")
        self.head = in_row((self.heading, 1), spacing=8)
        self.export_button = QToolButton()
        self.export_button.setText(self.tr("Export…"))
        self.export_button.setToolTip(self.tr("Save this picture as PNG, PDF, SVG or TeX"))
        self.export_button.clicked.connect(self.export_requested)
        self.head.addWidget(self.export_button)
        self.body.addLayout(self.head)
        self.view = view
        self.body.addWidget(self.view, 1)
        self.menu = QMenu(self)
        self.menu.addAction(self.tr("&Copy picture")).triggered.connect(self.copy_requested)
        self.menu.addAction(self.tr("&Save picture…")).triggered.connect(self.export_requested)
        session.left.connect(self.forget)

    @property
    def is_drawn(self) -> bool:
        """Whether the picture is that of the moment."""
        return not self._is_stale

    @property
    @abstractmethod
    def is_quick(self) -> bool:
        """Whether the figure is made so fast that it can be drawn at once."""

    @abstractmethod
    def make_figure(self) -> MakeFigure | None:
        """What makes the figure of the moment; None leaves what is shown."""

    @abstractmethod
    def file_stem(self) -> str:
        """What a file with the picture is called, without its ending."""

    def subjects(self) -> Sequence[Item]:
        """What the picture is of, which its caption says wherever it is taken."""
        return self.session.shown_entries

    def setting(self) -> str:
        """Which setting of matrices it is of, where it is of one."""
        return ""

    def make_picture(self) -> MakeFigure | None:
        """A function that makes the figure with its caption, to be used elsewhere."""
        make = self.make_figure()
        return partial(_with_caption, make, tuple(self.subjects()), self.setting()) if make else None

    def refresh(self) -> None:
        """Draw the figure anew, now or when it is next seen."""
        self._is_stale = True
        self._changes += 1
        self._draw()

    def forget(self) -> None:
        """The project is gone: show nothing of it, nor what is still being made."""
        self._is_stale = True
        self._changes += 1
        self._making = None
        self.heading.show_text("")
        self.view.show_nothing()
        self.export_button.setEnabled(False)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._draw()

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        # A tab that comes to the front is not always shown anew.
        if self._is_stale and self._making != self._changes:
            self._drawing.start()

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        self._show_menu(event.globalPos())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_F10 and event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            self._show_menu(self.view.mapToGlobal(self.view.rect().center()))
        else:
            super().keyPressEvent(event)

    def _show_menu(self, place: QPoint) -> None:
        for action in self.menu.actions():
            action.setEnabled(self.export_button.isEnabled())
        self.menu.popup(place)

    def _draw(self) -> None:
        if self.is_quick:
            self._draw_now()
        else:
            self._drawing.start()

    def _draw_now(self) -> None:
        if not self._is_stale or not self._is_on_screen() or self._making == self._changes:
            return
        make = self.make_figure()
        self.export_button.setEnabled(make is not None)
        if make is None:
            return
        if self.is_quick:
            self._show_figure(make())
            return
        self._making = self._changes
        job = self.session.drawing.draw(make, supersedes=str(id(self)))
        job.done.connect(partial(self._on_made, self._changes))
        job.failed.connect(self.session.report_failure)

    def _is_on_screen(self) -> bool:
        """Whether any of it is on the screen."""
        return is_on_screen(self)

    def _on_made(self, changes: int, figure: AnyFigure) -> None:
        if not isValid(self) or changes != self._changes:
            return  # an older answer may still arrive, or one for a card that has gone
        if self._is_on_screen():
            self._show_figure(figure)
        else:
            self._making = None

    def _show_figure(self, figure: AnyFigure) -> None:
        self._is_stale = False
        self.heading.show_text(figure.title)
        self.view.show_figure(figure)  # type: ignore[arg-type]


def _with_caption(make: MakeFigure, items: Sequence[Item], setting: str) -> AnyFigure:
    return captioned(make(), items, setting)
