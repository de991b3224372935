"""Who speaks: every way to tell, with examples, of which the user chooses one."""

from __future__ import annotations

import re
from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QButtonGroup, QPushButton, QRadioButton, QVBoxLayout, QWidget

from zebra_core.recordings.speaker_sources import Source, SpeakerSourceOffer
from zebra_gui.widgets.plain import clear, label

_INDENT = 22
_BREAKS = re.compile(r"\S{30}(?=\S)")
"""After these a line may end: names of files can be longer than any line."""


class SpeakersChoice(QWidget):
    """The ways, each with what it finds.

    Signals:
        chosen: a Source.
    """

    chosen = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.buttons: dict[Source, QRadioButton] = {}
        self._group: QButtonGroup | None = None
        self._shown: tuple[SpeakerSourceOffer, ...] | None = None
        self.list_button = QPushButton(self.tr("A list of your own…"))
        self.list_button.setToolTip(self.tr("utt2spk, spk2utt, or a table with a header (.csv, .tsv)"))
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(3)
        layout.addWidget(label(self.tr("Who speaks"), "subheading"))
        self._ways = QVBoxLayout()
        self._ways.setSpacing(2)
        layout.addLayout(self._ways)
        layout.addWidget(self.list_button, 0, Qt.AlignmentFlag.AlignLeft)

    def show_offers(self, offers: Sequence[SpeakerSourceOffer], chosen: Source | None) -> None:
        """Show the ways; none is chosen before one is."""
        if tuple(offers) != self._shown:
            self._shown = tuple(offers)
            self._rebuild(offers)
        if chosen in self.buttons:
            self.buttons[chosen].setChecked(True)

    def _rebuild(self, offers: Sequence[SpeakerSourceOffer]) -> None:
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
