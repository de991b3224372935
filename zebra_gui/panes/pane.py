"""What all panes have in common: one widget about one topic, which listens to the session."""

from __future__ import annotations

from PySide6.QtGui import QAction, QShowEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QToolButton, QVBoxLayout, QWidget

from core.figures.figure import Figure
from zebra_gui.plain import ElidedLabel
from zebra_gui.plots import FigureView, ReadOut
from zebra_gui.session import Session


class Pane(QWidget):
    """One pane. `topic` names it in the settings and for the guide; it must not change between versions."""

    topic: str

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.session = session

    def title(self) -> str:
        """What its tab says."""
        raise NotImplementedError

    def figure_cards(self) -> tuple[FigureCard, ...]:
        """The pictures on it, so that the window can put its actions on them."""
        return ()


class Card(QFrame):
    """A white card with a thin border."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("look", "card")
        self.body = QVBoxLayout(self)
        self.body.setContentsMargins(14, 11, 14, 12)
        self.body.setSpacing(5)


class FigureCard(Card):
    """A picture with its title and buttons for what can be done with it; drawn only when it can be seen."""

    def __init__(self, read_out: ReadOut, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._is_stale = True
        self._title = ElidedLabel("heading")
        self._head = QHBoxLayout()
        self._head.setSpacing(8)
        self._head.addWidget(self._title, 1)
        self.body.addLayout(self._head)
        self.view = FigureView(read_out)
        self.body.addWidget(self.view, 1)

    def add_action(self, action: QAction) -> None:
        """Add a button that does this."""
        button = QToolButton()
        button.setDefaultAction(action)
        self._head.addWidget(button)

    def figure(self) -> Figure | None:
        """The figure of the moment; None leaves what is shown."""
        raise NotImplementedError

    def refresh(self) -> None:
        """Draw the figure anew, now or when it is next seen."""
        self._is_stale = True
        if self.isVisible():
            self._draw()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if self._is_stale:
            self._draw()

    def _draw(self) -> None:
        self._is_stale = False
        if (figure := self.figure()) is not None:
            self._title.show_text(figure.title)
            self.view.show_figure(figure)
