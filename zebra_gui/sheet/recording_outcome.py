"""What will be compared, and what must be told of the recordings before: a sentence each."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QScrollArea, QVBoxLayout, QWidget

from zebra_core.recordings.overview import Overview
from zebra_core.wording.texts import grouped
from zebra_gui.panes.pane import Card
from zebra_gui.widgets.plain import clear, label


class OutcomeCard(Card):
    """Trials by condition; below them what is lacking, and remarks."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.trials = label()
        self.trials.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.remarks: tuple[str, ...] = ()
        self._shown: tuple[Sequence[str], ...] = ()
        inside = QWidget()
        inside.setProperty("look", "scrolled")
        self._list = QVBoxLayout(inside)
        self._list.setContentsMargins(0, 2, 4, 0)
        self._list.setSpacing(5)
        scroll = QScrollArea()
        scroll.setAccessibleName(self.tr("Remarks on the recordings"))
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        scroll.setWidgetResizable(True)
        scroll.setWidget(inside)
        self.body.addWidget(label(self.tr("What will be compared"), "heading"))
        self.body.addWidget(self.trials)
        self.body.addWidget(scroll, 1)

    def show_overview(self, overview: Overview | None, problem: str = "") -> None:
        """Show what the choices come to, and why nothing came of the last start."""
        lacking = (*filter(None, [problem]), *(overview.lacking if overview else ()))
        sentences = overview.sentences if overview else ()
        self.trials.setText("\n".join(self._of_trials(overview)) if overview else "")
        self.trials.setVisible(bool(self.trials.text()))
        if (lacking, sentences) == self._shown:
            return
        self._shown = lacking, sentences
        self.remarks = (*lacking, *sentences)
        clear(self._list)
        for sentence in self.remarks:
            text = label(sentence, "problem" if sentence in lacking else "")
            text.setTextInteractionFlags(
                Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
            )
            text.setAccessibleName(sentence)
            self._list.addWidget(text)
        self._list.addStretch(1)

    def _of_trials(self, overview: Overview) -> list[str]:
        words = {
            "oo": self.tr("Original with original: {trials} trials, {targets} of them target"),
            "oa": self.tr("Original with protected: {trials} trials, {targets} of them target"),
            "aa": self.tr("Protected with protected: {trials} trials, {targets} of them target"),
        }
        return [
            words[one].format(trials=grouped(count.trials), targets=grouped(count.targets))
            for one, count in overview.trials.items()
        ]
