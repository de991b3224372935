"""How recordings are compared: who speaks, which trials, which attackers, which recogniser, where to save."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QFormLayout,
    QFrame,
    QPushButton,
    QScrollArea,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from zebra_core.recordings.dropped import Dropped
from zebra_core.recordings.overview import Overview, RecordingChoices, Source
from zebra_core.wording.texts import grouped, say, visible
from zebra_gui.panes.pane import Card
from zebra_gui.session.recordings import Recordings
from zebra_gui.sheet.recording_speakers import SpeakersChoice
from zebra_gui.widgets.flow import Flow
from zebra_gui.widgets.plain import choice_box, label

_MOST_ENROLLED = 1000


class ChoicesCard(Card):
    """Everything that may be chosen beside the folders.

    Signals:
        said: RecordingChoices.
        model_asked: a recogniser of the user's own is to be chosen; False: the one that comes along.
        folder_asked: a folder for the scores is to be chosen; False: they go inside the project.
        forget_asked: what was heard is to be forgotten.
    """

    said = Signal(object)
    model_asked = Signal(bool)
    folder_asked = Signal(bool)
    forget_asked = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._choices = RecordingChoices()
        self.speakers = SpeakersChoice()
        self.speakers.chosen.connect(self._say_speakers)
        self.channel = choice_box(self.tr("Channel"))
        self.channel.activated.connect(lambda _place: self._say(channel=self.channel.currentData()))
        self.trials = _box(
            self.tr("Trials"),
            (self.tr("Every pair of recordings"), True),
            (self.tr("Enrolments against other recordings"), False),
        )
        self.trials.activated.connect(lambda _place: self._say(every_pair=self.trials.currentData()))
        self.enrol = QSpinBox()
        self.enrol.setAccessibleName(self.tr("Recordings of an enrolment"))
        self.enrol.setRange(1, _MOST_ENROLLED)
        self.enrol.setKeyboardTracking(False)
        self.enrol.valueChanged.connect(lambda count: self._say(enrol=count))
        self.sex = QCheckBox(self.tr("Compare speakers of one sex only (spk2gender)"))
        self.sex.toggled.connect(lambda on: self._say(with_sex=on))
        self.attackers = _box(
            self.tr("Attackers"), (self.tr("All attackers"), True), (self.tr("Cosine alone"), False)
        )
        self.attackers.activated.connect(
            lambda _place: self._say(every_attacker=self.attackers.currentData())
        )
        self.recogniser = label(tone="quiet")
        self.own_model = QPushButton(self.tr("Your own (ONNX)…"))
        self.own_model.clicked.connect(lambda: self.model_asked.emit(True))
        self.shipped_model = QPushButton(self.tr("The one included"))
        self.shipped_model.clicked.connect(lambda: self.model_asked.emit(False))
        self.place = label(tone="quiet")
        self.in_folder = QPushButton(self.tr("In a folder…"))
        self.in_folder.clicked.connect(lambda: self.folder_asked.emit(True))
        self.in_project = QPushButton(self.tr("Inside the project"))
        self.in_project.clicked.connect(lambda: self.folder_asked.emit(False))
        self.heard = label(tone="quiet")
        self.forget = QPushButton(self.tr("Forget them"))
        self.forget.setAccessibleName(self.tr("Forget the voices that were heard"))
        self.forget.clicked.connect(self.forget_asked)
        self._lay_out()

    def show_choices(self, recordings: Recordings) -> None:
        """Show what was chosen, and what there is to choose from."""
        dropped, choices, overview = recordings.dropped, recordings.choices, recordings.overview
        if dropped is None or choices is None:
            return
        self._choices = choices
        self._show_speakers(choices, overview)
        self._show_channels(choices, overview)
        self._show_trials(choices, dropped)
        model = choices.model
        name = say("recordings.recogniser") if model is None else visible(model.name)
        self.recogniser.setText("\n".join(filter(None, [name, recordings.model_told])))
        self.shipped_model.setVisible(model is not None)
        out = recordings.out
        self.place.setText(
            self.tr("Inside the project, when it is saved") if out is None else visible(str(out), 200)
        )
        self.in_project.setVisible(out is not None)
        words = self.tr("{count} recordings; kept in memory until ZEBRA is closed, and nowhere else")
        self.heard.setText(words.format(count=grouped(recordings.heard)))
        self._form.setRowVisible(self._heard_row, recordings.heard > 0)

    def _show_speakers(self, choices: RecordingChoices, overview: Overview | None) -> None:
        chosen = choices.speakers or (overview.source if overview else None)
        self.speakers.show_offers(overview.offers if overview else (), chosen)

    def _show_channels(self, choices: RecordingChoices, overview: Overview | None) -> None:
        channels = overview.channels if overview else 1
        if self.channel.count() != channels + 1:
            self.channel.clear()
            self.channel.addItem(self.tr("Choose…"), None)
            for number in range(1, channels + 1):
                self.channel.addItem(str(number), number)
        self.channel.setCurrentIndex(choices.channel or 0)
        self._form.setRowVisible(self.channel, channels > 1)

    def _show_trials(self, choices: RecordingChoices, dropped: Dropped) -> None:
        self.trials.setCurrentIndex(0 if choices.every_pair else 1)
        self.attackers.setCurrentIndex(0 if choices.every_attacker else 1)
        for field in (self.enrol, self.sex):
            field.blockSignals(True)  # what is shown is no answer
        self.enrol.setValue(choices.enrol)
        self.sex.setChecked(choices.with_sex)
        for field in (self.enrol, self.sex):
            field.blockSignals(False)
        self._form.setRowVisible(self.enrol, not choices.every_pair)
        self._form.setRowVisible(self.sex, dropped.sex is not None and not choices.every_pair)

    def _lay_out(self) -> None:
        inside = QWidget()
        inside.setProperty("look", "scrolled")
        column = QVBoxLayout(inside)
        column.setContentsMargins(0, 2, 4, 0)
        column.setSpacing(8)
        column.addWidget(self.speakers)
        self._form = QFormLayout()
        self._form.setHorizontalSpacing(10)
        self._form.addRow(self.tr("Channel"), self.channel)
        self._form.addRow(self.tr("Trials"), self.trials)
        self._form.addRow(self.tr("Recordings of an enrolment"), self.enrol)
        self._form.addRow("", self.sex)
        self._form.addRow(self.tr("Attackers"), self.attackers)
        self._form.addRow(self.tr("Recogniser"), _beside(self.recogniser, self.own_model, self.shipped_model))
        self._form.addRow(self.tr("Save scores"), _beside(self.place, self.in_folder, self.in_project))
        self._heard_row = _beside(self.heard, self.forget)
        self._form.addRow(self.tr("Heard before"), self._heard_row)
        column.addLayout(self._form)
        column.addStretch(1)
        scroll = QScrollArea()
        scroll.setAccessibleName(self.tr("How recordings are compared"))
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        scroll.setWidgetResizable(True)
        scroll.setWidget(inside)
        self.body.addWidget(label(self.tr("Comparison"), "heading"))
        self.body.addWidget(scroll, 1)

    def _say_speakers(self, source: Source) -> None:
        self._say(speakers=source)

    def _say(self, **said: object) -> None:
        self.said.emit(replace(self._choices, **said))  # type: ignore[arg-type]


def _box(name: str, *choices: tuple[str, bool]) -> QComboBox:
    box = choice_box(name)
    for text, value in choices:
        box.addItem(text, value)
    return box


def _beside(text: QWidget, *buttons: QPushButton) -> QWidget:
    """A text with buttons below it that change it."""
    whole = QWidget()
    layout = QVBoxLayout(whole)
    layout.setContentsMargins(0, 0, 0, 0)
    layout.setSpacing(3)
    row = Flow()
    for button in buttons:
        row.addWidget(button)
    layout.addWidget(text)
    layout.addLayout(row)
    return whole
