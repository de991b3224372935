"""What the scores are: a button below the remark that they were taken for LLRs."""

from __future__ import annotations

from functools import partial

from PySide6.QtWidgets import QMenu, QToolButton, QWidget

from zebra_core.metrics.assessment import ScoreMeaning
from zebra_gui.session.session import Session


class MeaningButton(QToolButton):
    """Lets the user say that the scores of the selected entry are LLRs; gone once that was said."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self.setText(self.tr("These scores are LLRs…"))
        self.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        menu = QMenu(self)
        for text, meaning in (
            (self.tr("with the &natural logarithm"), ScoreMeaning.NATURAL_LLR),
            (self.tr("to &base 10"), ScoreMeaning.LOG10_LR),
        ):
            menu.addAction(text).triggered.connect(partial(self._on_chosen, meaning))
        self.setMenu(menu)
        session.changed.connect(self._show)
        self._show()

    def _show(self) -> None:
        entry = self._session.selected
        self.setVisible(entry is not None and entry.assessment.settings.score_meaning is ScoreMeaning.RAW)

    def _on_chosen(self, meaning: ScoreMeaning) -> None:
        if (entry := self._session.selected) is not None:
            self._session.reassessing.declare([entry.id], meaning)
