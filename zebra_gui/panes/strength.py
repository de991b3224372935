"""The strength pane: how strong the evidence is in each class, and how scores become evidence."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

from zebra_gui.panes.picture import PicturePane
from zebra_gui.panes.pictures import HISTOGRAMS, PAV, TIPPETT


class StrengthPane(PicturePane):
    """Tippett plot, histograms and PAV transform."""

    topic = "strength"
    follows_prior = True
    pictures = (TIPPETT, HISTOGRAMS, PAV)

    @staticmethod
    def title() -> str:
        return QCoreApplication.translate("StrengthPane", "Strength")
