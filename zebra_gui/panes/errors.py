"""The errors pane: how often the recogniser is wrong, over the prior and over the threshold."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

from zebra_gui.panes.picture import PicturePane
from zebra_gui.panes.pictures import APE, DET, NBER, ROC


class ErrorsPane(PicturePane):
    """Bayes error, plain and normalised, DET and ROC."""

    topic = "errors"
    follows_prior = True
    pictures = (APE, NBER, DET, ROC)

    @staticmethod
    def title() -> str:
        return QCoreApplication.translate("ErrorsPane", "Errors")
