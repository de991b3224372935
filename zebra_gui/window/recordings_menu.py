"""The Recordings menu: what is assessed from sound, the controls made of it, and what people hear."""

from __future__ import annotations

from PySide6.QtWidgets import QMenu, QWidget

from zebra_gui.document.menu import DocumentActions
from zebra_gui.listening.actions import ListeningActions
from zebra_gui.recordings.actions import RecordingsActions


class RecordingsMenu(QMenu):
    """Assessments from recordings, controls, listening tests, and the voices that a project keeps."""

    def __init__(
        self,
        recordings: RecordingsActions,
        listening: ListeningActions,
        document: DocumentActions,
        window: QWidget,
    ) -> None:
        super().__init__(window)
        self.setTitle(self.tr("&Recordings"))
        recordings.add_open(self, window)
        recordings.add_demo(self, window)
        self.addSeparator()
        recordings.add_controls(self, window)
        self.addSeparator()
        listening.add_new(self, window)
        listening.add_take(self, window)
        self.addSeparator()
        document.add_voices(self)
