"""The ECE pane: the profiles of all assessments, plain and normalised, as large as can be."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QWidget

from zebra_gui.panes.picture import PictureCard, PicturePane
from zebra_gui.panes.pictures import ECE, NECE
from zebra_gui.session.session import Session


class EceCard(PictureCard):
    """The minimum ECE profiles, without anything to choose."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(session, (ECE,), parent)


class EcePane(PicturePane):
    """Empirical cross-entropy over the prior."""

    topic = "ece"
    follows_prior = True
    pictures = (ECE, NECE)

    @staticmethod
    def title() -> str:
        return QCoreApplication.translate("EcePane", "ECE")
