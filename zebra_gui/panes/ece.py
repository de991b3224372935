"""The ECE pane: the profiles of all assessments, as large as can be."""

from __future__ import annotations

from PySide6.QtWidgets import QVBoxLayout, QWidget

from core.figures.ece import ece_figure
from core.figures.figure import Figure
from core.figures.readout import ece_read_out
from zebra_gui.panes.pane import FigureCard, Pane
from zebra_gui.session import Session


class EceCard(FigureCard):
    """The ECE profiles of the session's entries, with the selected one emphasised."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(ece_read_out, parent)
        self._session = session
        session.project_changed.connect(self.refresh)
        session.selection_changed.connect(self.refresh)

    def figure(self) -> Figure | None:
        if not self._session.entries:
            return None
        selected = self._session.selected
        return ece_figure(self._session.entries, selected.id if selected else None)


class EcePane(Pane):
    """Nothing but the picture."""

    topic = "ece"

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(session, parent)
        self._card = EceCard(session)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(2, 2, 2, 2)
        layout.addWidget(self._card)

    def title(self) -> str:
        return self.tr("ECE")

    def figure_cards(self) -> tuple[FigureCard, ...]:
        return (self._card,)
