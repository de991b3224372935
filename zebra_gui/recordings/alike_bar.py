"""A bar about two speakers who sound alike: the user says whether they are one person."""

from __future__ import annotations

from PySide6.QtWidgets import QPushButton, QWidget

from zebra_core.wording.texts import say
from zebra_gui.recordings.session import Recordings
from zebra_gui.widgets.notice import Notice


class AlikeBar(Notice):
    """One pair after the other of those who sound alike in the recordings that were assessed last."""

    def __init__(self, recordings: Recordings, parent: QWidget | None = None) -> None:
        super().__init__(
            "notice", self.tr("Speakers who sound alike"), QPushButton(self.tr("Dismiss")), parent
        )
        self._recordings = recordings
        self.button.setAccessibleName(self.tr("Leave these speakers two"))
        self.button.clicked.connect(lambda: recordings.leave_apart(recordings.alike[0]))
        self.together = self.add_button(QPushButton(self.tr("Count as one person")))
        self.together.clicked.connect(lambda: recordings.count_as_one(recordings.alike[0]))
        recordings.changed.connect(self._show_pair)

    def _show_pair(self) -> None:
        found = self._recordings.alike
        self.show_text(say("recordings.sound-alike", count=1, names=found[0].in_words) if found else "")
