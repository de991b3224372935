"""The errors pane: how often the recogniser is wrong, over the prior and over the threshold."""

from __future__ import annotations

from zebra_gui.panes.picture import PicturePane
from zebra_gui.panes.pictures import APE, DET, NBER, ROC


class ErrorsPane(PicturePane):
    """Bayes error, plain and normalised, DET and ROC."""

    topic = "errors"
    pictures = (APE, NBER, DET, ROC)

    def title(self) -> str:
        return self.tr("Errors")
