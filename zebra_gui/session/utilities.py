"""What the user says of the utility of speech: typed in, or from files; every change can be undone."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QObject, Signal

from zebra_gui import core_types as core
from zebra_gui.session import work
from zebra_gui.session.open_project import OpenProject


class Utilities(QObject):
    """Word error rates and listening results of the open project.

    Signals:
        counted: the WordErrors of transcripts, or the Ratings of listeners, with what is to be told of them.
    """

    counted = Signal(object)

    def __init__(self, project: OpenProject) -> None:
        super().__init__(project)
        self._open = project

    def set_wer(self, key: core.SpeechKey, wer: float | None) -> None:
        """Take a word error rate that was typed in, or none."""
        from zebra_core.project.utility import Utility

        if self._known(key).wer != wer:
            self._put(self.tr("word error rate"), key, Utility.typed(wer, self._known(key)))

    def read_transcripts(self, key: core.SpeechKey, reference: Path, hypothesis: Path) -> None:
        """Count the word errors of a hypothesis against its reference."""
        job = self._open.start_work(
            self.tr("Counting word errors"), work.count_word_errors, reference, hypothesis, supersedes="words"
        )
        job.done.connect(lambda words: self._on_counted(key, words))

    def read_ratings(self, key: core.SpeechKey, question: core.RatingQuestion, path: Path) -> None:
        """Read what listeners answered to a question."""
        name = self.tr("Reading ratings")
        job = self._open.start_work(name, work.read_listening, path, question, supersedes="ratings")
        job.done.connect(lambda ratings: self._on_rated(key, question, ratings))

    def _on_counted(self, key: core.SpeechKey, words: core.WordErrors) -> None:
        self._put(self.tr("word errors of transcripts"), key, self._known(key).counted(words))
        self.counted.emit(words)

    def _on_rated(self, key: core.SpeechKey, question: core.RatingQuestion, ratings: core.Ratings) -> None:
        self._put(self.tr("listening results"), key, self._known(key).heard(question, ratings))
        self.counted.emit(ratings)

    def _known(self, key: core.SpeechKey) -> core.Utility:
        from zebra_core.project.utility import Utility

        project = self._open.project
        return project.utilities.get(key, Utility()) if project else Utility()

    def _put(self, text: str, key: core.SpeechKey, utility: core.Utility) -> None:
        if (project := self._open.project) is not None:
            self._open.change(text, project.with_utility(key, utility))
