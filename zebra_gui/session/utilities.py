"""What the user says of the utility of speech: typed in, or from files; every change can be undone."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

if TYPE_CHECKING:
    from zebra_core.project.items import SpeechKey
    from zebra_core.project.utility import Utility
    from zebra_core.utility.listening import Question, Ratings
    from zebra_core.utility.word_errors import WordErrors
    from zebra_gui.session.session import Session


class Utilities(QObject):
    """Word error rates and listening results of the open project.

    Signals:
        counted: the WordErrors of transcripts, with what is to be told of them.
    """

    counted = Signal(object)

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._session = session

    def set_wer(self, key: SpeechKey, wer: float | None) -> None:
        """Take a word error rate that was typed in, or none."""
        from zebra_core.project.utility import Utility

        if self._known(key).wer != wer:
            self._put(self.tr("word error rate"), key, Utility.typed(wer, self._known(key)))

    def read_transcripts(self, key: SpeechKey, reference: Path, hypothesis: Path) -> None:
        """Count the word errors of a hypothesis against its reference."""
        job = self._session.start_work(
            self.tr("Counting word errors"), "count_word_errors", reference, hypothesis, supersedes="words"
        )
        job.done.connect(lambda words: self._on_counted(key, words))

    def read_ratings(self, key: SpeechKey, question: Question, path: Path) -> None:
        """Read what listeners answered to a question."""
        name = self.tr("Reading ratings")
        job = self._session.start_work(name, "read_listening", path, question, supersedes="ratings")
        job.done.connect(lambda ratings: self._on_rated(key, question, ratings))

    def _on_counted(self, key: SpeechKey, words: WordErrors) -> None:
        self._put(self.tr("word errors of transcripts"), key, self._known(key).counted(words))
        self.counted.emit(words)

    def _on_rated(self, key: SpeechKey, question: Question, ratings: Ratings) -> None:
        self._put(self.tr("listening results"), key, self._known(key).heard(question, ratings))

    def _known(self, key: SpeechKey) -> Utility:
        from zebra_core.project.utility import Utility

        project = self._session.project
        return project.utilities.get(key, Utility()) if project else Utility()

    def _put(self, text: str, key: SpeechKey, utility: Utility) -> None:
        if (project := self._session.project) is not None:
            self._session.change(text, project.with_utility(key, utility))
