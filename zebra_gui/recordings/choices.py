"""How recordings are compared: who speaks, which trials, which attackers, which recogniser, where to save."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import Qt, Signal, SignalInstance
from PySide6.QtWidgets import (
    QButtonGroup,
    QCheckBox,
    QFormLayout,
    QFrame,
    QPushButton,
    QRadioButton,
    QScrollArea,
    QWidget,
)

from zebra_core.recordings.attacks import AttackerChoice
from zebra_core.recordings.folder_roles import DroppedFolders, RecordingsFolder
from zebra_core.recordings.overview import Overview, RecordingChoices
from zebra_core.recordings.pairing_offers import PairingOffer
from zebra_core.recordings.speakers import SpeakerSourceOffer
from zebra_core.wording.texts import grouped, in_sentence, say, visible
from zebra_gui.panes.pane import Card
from zebra_gui.recordings.session import Recordings
from zebra_gui.widgets.decimal_box import WholeBox
from zebra_gui.widgets.layouts import Flow, breakable, choice_box, clear, in_column, label, tooltip

_MOST_ENROLLED = 1000


_INDENT = 26
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
        layout = in_column(label(question, "subheading"), on=self, margins=0, spacing=3)
        self._ways = in_column(spacing=2)
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
            examples = label(breakable(offer.examples), "quiet")
            examples.setAccessibleName(offer.examples)
            examples.setContentsMargins(_INDENT, 0, 0, 3)
            self._ways.addWidget(button)
            self._ways.addWidget(examples)
        if focused in self.buttons:
            self.buttons[focused].setFocus()


class ChoicesCard(Card):
    """Everything that may be chosen beside the folders.

    Signals:
        said: RecordingChoices.
        model_asked: a recogniser of the user's own is to be chosen; False: the one that comes along.
        folder_asked: a folder for the scores is to be chosen; False: they go inside the project.
        training_asked: a folder to learn from is to be chosen; False: back ends learn in folds.
        transcripts_asked: a file of transcripts is to be chosen.
        table_asked: a table of originals and copies is to be chosen; the folder of the copies.
        keep_asked: a folder in which voices are kept is to be chosen; False: in memory alone.
        inside_asked: voices are to be kept in the project file.
        forget_asked: what was heard is to be forgotten.
    """

    said = Signal(object)
    model_asked = Signal(bool)
    folder_asked = Signal(bool)
    training_asked = Signal(bool)
    transcripts_asked = Signal()
    table_asked = Signal(object)
    keep_asked = Signal(bool)
    inside_asked = Signal(bool)
    forget_asked = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._choices = RecordingChoices()
        self.speakers = OffersChoice(
            self.tr("Who speaks"),
            self.tr("A list of your own…"),
            self.tr("utt2spk, spk2utt, or a table with a header (.csv, .tsv)"),
        )
        self.speakers.chosen.connect(lambda source: self._say(speakers=source))
        self.pairs: dict[Path, OffersChoice] = {}  # by the folder of the copies
        self._pairs = in_column(spacing=8)
        self.channel = choice_box(self.tr("Channel"))
        self.channel.activated.connect(lambda _place: self._say(channel=self.channel.currentData()))
        self.trials = choice_box(
            self.tr("Trials"),
            (self.tr("Every pair of recordings"), True),
            (self.tr("Enrolments against other recordings"), False),
        )
        self.trials.activated.connect(lambda _place: self._say(every_pair=self.trials.currentData()))
        self.enrol = WholeBox()
        self.enrol.setAccessibleName(self.tr("Recordings of an enrolment"))
        self.enrol.setRange(1, _MOST_ENROLLED)
        self.enrol.setKeyboardTracking(False)
        self.enrol.valueChanged.connect(lambda count: self._say(enrol=count))
        self.sex = QCheckBox(self.tr("Compare speakers of one sex only (spk2gender)"))
        self.sex.toggled.connect(lambda on: self._say(with_sex=on))
        self.attackers = choice_box(
            self.tr("Attackers"),
            (self.tr("All attackers"), AttackerChoice.ALL.value),
            (self.tr("Cosine alone"), AttackerChoice.COSINE.value),
            (self.tr("Words alone"), AttackerChoice.WORDS.value),
            (self.tr("Pitch alone"), AttackerChoice.PITCH.value),
        )
        self.attackers.activated.connect(
            lambda _place: self._say(attacker=AttackerChoice(self.attackers.currentData()))
        )
        self.training = label(tone="quiet")
        self.own_training = _button(self.tr("Other speakers…"), self.training_asked, True)
        self.in_folds = _button(self.tr("In folds"), self.training_asked, False)
        self.recogniser = label(tone="quiet")
        self.own_model = _button(self.tr("Your own (ONNX)…"), self.model_asked, True)
        self.shipped_model = _button(self.tr("The one included"), self.model_asked, False)
        self.together = label(tone="quiet")
        self.apart = QPushButton(self.tr("Count as different people"))
        self.apart.clicked.connect(lambda: self._say(one_person=()))
        self._together_row = _beside(self.together, self.apart)
        self.transcripts = label(tone="quiet")
        self.own_transcripts = QPushButton(self.tr("A file…"))
        self.own_transcripts.setAccessibleName(self.tr("Choose a file of transcripts"))
        self.own_transcripts.clicked.connect(self.transcripts_asked)
        self.no_transcripts = QPushButton(self.tr("None"))
        self.no_transcripts.setAccessibleName(self.tr("Take the transcripts away"))
        self.no_transcripts.clicked.connect(lambda: self._say(transcripts=None, without_transcripts=True))
        self.place = label(tone="quiet")
        self.in_folder = _button(self.tr("In a folder…"), self.folder_asked, True)
        self.in_project = _button(self.tr("Inside the project"), self.folder_asked, False)
        self.heard = label(tone="quiet")
        self.keep = _button(self.tr("Keep them in a folder…"), self.keep_asked, True)
        self.keep_inside = _button(self.tr("Keep them in the project"), self.inside_asked, True)
        self.keep_not = _button(self.tr("Keep them in memory only"), self.keep_asked, False)
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
        self._show_pairs(choices, overview)
        self._show_speakers(choices, overview)
        pairs = (in_sentence([*map(visible, pair)]) for pair in choices.one_person)
        self.together.setText("\n".join(pairs))
        self._form.setRowVisible(self._together_row, bool(choices.one_person))
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
        self._show_training(choices)
        self._show_transcripts(choices, overview)
        self._show_heard(recordings)

    def _show_training(self, choices: RecordingChoices) -> None:
        folder = choices.training.folder if choices.training else None
        in_folds = self.tr("From the other speakers in the recordings, in folds")
        self.training.setText(in_folds if folder is None else visible(str(folder), 200))
        self.in_folds.setVisible(folder is not None)
        self._form.setRowVisible(self._training_row, choices.learns)

    def _show_transcripts(self, choices: RecordingChoices, overview: Overview | None) -> None:
        request = overview.request if overview else None
        path = choices.transcripts or (request.transcripts if request else None)
        self.transcripts.setText(self.tr("None") if path is None else visible(str(path), 200))
        self.no_transcripts.setVisible(path is not None)

    def _show_heard(self, recordings: Recordings) -> None:
        count, folder = grouped(recordings.heard), recordings.kept_in
        inside = recordings.kept.keeps_voices
        if inside and folder is None:
            words = self.tr(
                "{count} recordings in memory; embeddings, which are biometric data, go into the project file"
            )
        elif inside:
            words = self.tr(
                "{count} recordings in memory; embeddings, which are biometric data, in {folder} and in the "
                "project file"
            )
        elif folder is None and not recordings.heard:
            words = self.tr("None so far; they are kept in memory until ZEBRA is closed, and nowhere else")
        elif folder is None:
            words = self.tr("{count} recordings; kept in memory until ZEBRA is closed, and nowhere else")
        else:
            words = self.tr("{count} recordings in memory; embeddings, which are biometric data, in {folder}")
        self.heard.setText(words.format(count=count, folder=visible(str(folder), 200)))
        self.keep.setVisible(folder is None)
        self.keep_inside.setVisible(not inside)
        self.keep_not.setVisible(inside or folder is not None)
        self.forget.setVisible(recordings.heard > 0 or inside or folder is not None)

    def _show_speakers(self, choices: RecordingChoices, overview: Overview | None) -> None:
        chosen = choices.speakers or (overview.source if overview else None)
        self.speakers.show_offers(overview.offers if overview else (), chosen)

    def _show_pairs(self, choices: RecordingChoices, overview: Overview | None) -> None:
        """A question for each safeguard whose copies are not simply called like the originals."""
        asked = [one for one in overview.protected if overview.asks_for_pairs(one)] if overview else []
        asked.sort(key=lambda one: len(overview.pairs[choices.name_of(one)]) == 1 if overview else 0)
        if [one.top for one in asked] != list(self.pairs):
            clear(self._pairs)
            self.pairs = {one.top: self._asked_for_pairs(one, choices) for one in asked}
        for one in asked:
            assert overview is not None  # noqa: S101 - it asked
            name = choices.name_of(one)
            self.pairs[one.top].show_offers(overview.pairs.get(name, ()), overview.chosen_pairs.get(name))

    def _asked_for_pairs(self, version: RecordingsFolder, choices: RecordingChoices) -> OffersChoice:
        asked = OffersChoice(
            self.tr("Copies under {name}").format(name=visible(choices.name_of(version))),
            self.tr("A table of your own…"),
            self.tr("Originals and their copies in two columns (.csv, .tsv)"),
        )
        asked.chosen.connect(lambda source: self._say(pairs={**self._choices.pairs, version.top: source}))
        asked.list_button.clicked.connect(lambda: self.table_asked.emit(version.top))
        self._pairs.addWidget(asked)
        return asked

    def _show_channels(self, choices: RecordingChoices, overview: Overview | None) -> None:
        channels = overview.channels if overview else 1
        if self.channel.count() != channels + 1:
            numbers = range(1, channels + 1)
            self.channel.offer([(self.tr("Choose…"), None), *zip(map(str, numbers), numbers, strict=True)])
        self.channel.setCurrentIndex(choices.channel or 0)
        self._form.setRowVisible(self.channel, channels > 1)

    def _show_trials(self, choices: RecordingChoices, dropped: DroppedFolders) -> None:
        self.trials.setCurrentIndex(0 if choices.every_pair else 1)
        self.attackers.setCurrentIndex(self.attackers.findData(choices.attacker.value))
        for field in (self.enrol, self.sex):
            field.blockSignals(True)  # what is shown is no answer
        self.enrol.setValue(choices.enrol)
        self.sex.setChecked(choices.sex_of(dropped) is not None)
        for field in (self.enrol, self.sex):
            field.blockSignals(False)
        self._form.setRowVisible(self.enrol, not choices.every_pair)
        self._form.setRowVisible(self.sex, dropped.sex is not None and not choices.every_pair)

    def _lay_out(self) -> None:
        inside = QWidget()
        inside.setProperty("look", "scrolled")
        column = in_column(self._pairs, self.speakers, on=inside, margins=(0, 2, 4, 0), spacing=8)
        self._form = QFormLayout()
        self._form.setRowWrapPolicy(QFormLayout.RowWrapPolicy.WrapLongRows)  # some languages have long words
        self._form.setHorizontalSpacing(10)
        self._form.addRow(self.tr("One person"), self._together_row)
        self._form.addRow(self.tr("Channel"), self.channel)
        self._form.addRow(self.tr("Trials"), self.trials)
        self._form.addRow(self.tr("Recordings of an enrolment"), self.enrol)
        self._form.addRow("", self.sex)
        self._form.addRow(self.tr("Attackers"), self.attackers)
        self._training_row = _beside(self.training, self.own_training, self.in_folds)
        self._form.addRow(self.tr("Back ends learn"), self._training_row)
        self._form.addRow(self.tr("Recogniser"), _beside(self.recogniser, self.own_model, self.shipped_model))
        self._form.addRow(self.tr("Save scores"), _beside(self.place, self.in_folder, self.in_project))
        self._form.addRow(
            self.tr("Transcripts"), _beside(self.transcripts, self.own_transcripts, self.no_transcripts)
        )
        heard = _beside(self.heard, self.keep, self.keep_inside, self.keep_not, self.forget)
        self._form.addRow(self.tr("Heard before"), heard)
        column.addLayout(self._form)
        column.addStretch(1)
        scroll = QScrollArea()
        scroll.setAccessibleName(self.tr("How recordings are compared"))
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        scroll.setWidgetResizable(True)
        scroll.setWidget(inside)
        self.body.addWidget(label(self.tr("Comparison"), "heading"))
        self.body.addWidget(scroll, 1)

    def _say(self, **said: object) -> None:
        self.said.emit(replace(self._choices, **said))  # type: ignore[arg-type]


def _button(text: str, asked: SignalInstance, own: bool) -> QPushButton:
    button = QPushButton(text)
    button.clicked.connect(lambda: asked.emit(own))
    return button


def _beside(text: QWidget, *buttons: QPushButton) -> QWidget:
    """A text with buttons below it that change it."""
    whole = QWidget()
    layout = in_column(on=whole, margins=0, spacing=3)
    row = Flow()
    for button in buttons:
        row.addWidget(button)
    layout.addWidget(text)
    layout.addLayout(row)
    return whole
