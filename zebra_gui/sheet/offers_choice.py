"""A question about names, such as who speaks: every way to tell, with examples; the user chooses one."""

from __future__ import annotations

import re
from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QButtonGroup, QPushButton, QRadioButton, QVBoxLayout, QWidget

from zebra_core.recordings.pairing_offers import PairingOffer
from zebra_core.recordings.speaker_sources import SpeakerSourceOffer
from zebra_gui.widgets.plain import clear, label, tooltip

_INDENT = 22
_BREAKS = re.compile(r"\S{30}(?=\S)")
"""After these a line may end: names of files can be longer than any line."""


class OffersChoice(QWidget):
    """The ways, each with what it finds; `list_button` is for a list of the user's own.

    Signals:
        chosen: the source of an offer.
    """

    chosen = Signal(object)

    def __init__(self, question: str, button: str, kinds: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.buttons: dict[object, QRadioButton] = {}
        self._group: QButtonGroup | None = None
        self._shown: tuple[SpeakerSourceOffer | PairingOffer, ...] | None = None
        self.list_button = QPushButton(button)
        self.list_button.setToolTip(tooltip(kinds))
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(3)
        layout.addWidget(label(question, "subheading"))
        self._ways = QVBoxLayout()
        self._ways.setSpacing(2)
        layout.addLayout(self._ways)
        layout.addWidget(self.list_button, 0, Qt.AlignmentFlag.AlignLeft)

    def show_offers(self, offers: Sequence[SpeakerSourceOffer | PairingOffer], chosen: object) -> None:
        """Show the ways; none is chosen before one is."""
        if tuple(offers) != self._shown:
            self._shown = tuple(offers)
            self._rebuild(offers)
        if chosen in self.buttons:
            self.buttons[chosen].setChecked(True)

    def _rebuild(self, offers: Sequence[SpeakerSourceOffer | PairingOffer]) -> None:
        focused = next((source for source, button in self.buttons.items() if button.hasFocus()), None)
        clear(self._ways)
        self.buttons, self._group = {}, QButtonGroup(self)
        for offer in offers:
            button = QRadioButton(offer.in_words.replace("&", "&&"))
            button.setAccessibleName(f"{offer.in_words}. {offer.examples}")
            button.clicked.connect(lambda _on=False, source=offer.source: self.chosen.emit(source))
            self._group.addButton(button)
            self.buttons[offer.source] = button
            examples = label(_BREAKS.sub("\\g<0>\u200b", offer.examples), "quiet")
            examples.setAccessibleName(offer.examples)
            examples.setContentsMargins(_INDENT, 0, 0, 3)
            self._ways.addWidget(button)
            self._ways.addWidget(examples)
        if focused in self.buttons:
            self.buttons[focused].setFocus()
