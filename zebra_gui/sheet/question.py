"""A question with its alternatives, each with a preview; nothing is chosen until the user chooses."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QButtonGroup, QRadioButton, QVBoxLayout, QWidget

from zebra_core.intake.planned import Alternative, Question
from zebra_core.wording.texts import visible
from zebra_gui.sheet.preview import RowsPreview
from zebra_gui.widgets.plain import label, tooltip

_LONGEST_NAME = 64
_PREVIEW_ROWS = 3
_INDENT = 24


class QuestionView(QWidget):
    """One question.

    Signals:
        answered: the id of the question and the choice.
    """

    answered = Signal(str, str)

    def __init__(self, question: Question, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.question = question
        self.buttons: dict[str, QRadioButton] = {}
        self._group = QButtonGroup(self)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(4)
        layout.addWidget(label(str(question), "subheading"))
        for alternative in question.alternatives:
            layout.addWidget(self._button(alternative))
            if alternative.preview:
                inside = QVBoxLayout()
                inside.setContentsMargins(_INDENT, 0, 0, 8)
                inside.addWidget(RowsPreview(alternative.preview, most=_PREVIEW_ROWS))
                layout.addLayout(inside)

    def show_choice(self, choice: str | None) -> None:
        """Show which alternative was chosen."""
        if choice in self.buttons:
            self.buttons[choice].setChecked(True)

    def _button(self, alternative: Alternative) -> QRadioButton:
        words = visible(alternative.words, 400)
        button = QRadioButton(visible(words, _LONGEST_NAME).replace("&", "&&"))
        button.setAccessibleName(words)
        button.setToolTip(tooltip(visible(alternative.choice, 400)))
        button.clicked.connect(lambda: self.answered.emit(self.question.id, alternative.choice))
        self._group.addButton(button)
        self.buttons[alternative.choice] = button
        return button
