"""Who attacks, asked of everything that comes at once where no folder says it; "not stated" is an answer."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QWidget

from zebra_core.evidence.attack import ATTACK
from zebra_core.project.attack_words import LONGEST, AttackWords, lacking
from zebra_core.project.items import Attacker, Item
from zebra_gui.language.translating import for_count
from zebra_gui.report.fields import LineField
from zebra_gui.widgets.flow import Flow
from zebra_gui.widgets.plain import choice_box, label
from zebra_gui.widgets.wheel import ChoiceBox

_AROUND = 30  # pixels about a text in its field


class AttackFields(QWidget):
    """What the attacker knows, their recogniser and its back end, in a line.

    Signals:
        said: AttackWords, all that the fields say.
    """

    said = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.about = label(tone="quiet")
        self.about.setWordWrap(False)
        self.attacker = choice_box(
            self.tr("What the attacker knows"),
            (self.tr("Knowledge not stated"), ""),
            (self.tr("Ignorant"), Attacker.IGNORANT.value),
            (self.tr("Lazy-informed"), Attacker.LAZY_INFORMED.value),
            (self.tr("Semi-informed"), Attacker.SEMI_INFORMED.value),
            (self.tr("Fully informed"), Attacker.FULLY_INFORMED.value),
        )
        self.recogniser = LineField(self.tr("Recogniser of the attacker"))
        self.recogniser.setPlaceholderText(self.tr("Recogniser not stated"))
        self.back_end = LineField(self.tr("Back end of the recogniser"))
        self.back_end.setPlaceholderText(self.tr("Back end not stated"))
        self.about.setMinimumHeight(self.attacker.sizeHint().height())  # on one line with the fields
        self.about.setAlignment(Qt.AlignmentFlag.AlignVCenter)
        layout = Flow()
        layout.addWidget(self.about)
        fields = (self.attacker, self.recogniser, self.back_end)
        self._fields: dict[str, LineField | ChoiceBox] = dict(zip(ATTACK, fields, strict=True))
        for field in self._fields.values():
            layout.addWidget(field)
        self.setLayout(layout)
        for line in (self.recogniser, self.back_end):
            line.setMaxLength(LONGEST)
            line.setMinimumWidth(line.fontMetrics().horizontalAdvance(line.placeholderText()) + _AROUND)
            line.settled.connect(lambda _text: self._say())
        self.attacker.activated.connect(lambda _place: self._say())
        self.hide()

    @property
    def words(self) -> AttackWords:
        """What the fields say."""
        known = str(self.attacker.currentData())
        lines = {"recogniser": self.recogniser.text(), "back_end": self.back_end.text()}
        return AttackWords.typed(attacker=known, **lines)

    def show_items(self, items: Sequence[Item], words: AttackWords) -> None:
        """Ask of what nobody said of these; nothing is shown where all is stated."""
        missing = lacking(items)
        for name, count in missing.items():
            self._fields[name].show_value(words.attacked_by[name])
            self._fields[name].setVisible(count > 0)
        most = max(missing.values())
        sentence = for_count(
            "AttackFields",
            "Nobody has said who attacks in one assessment:",
            "Nobody has said who attacks in {count} assessments:",
            most,
        )
        self.about.setText(sentence.format(count=most))
        self.setVisible(most > 0)

    def _say(self) -> None:
        self.said.emit(self.words)
