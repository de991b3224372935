"""What a listener answers to: two recordings, same speaker or not; or one recording, rated."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Protocol

from PySide6.QtCore import QCoreApplication, QElapsedTimer, QObject, Qt, Signal, SignalInstance
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QButtonGroup, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from zebra_core.listening.answers import HIGHEST, LOWEST, ItemAnswer
from zebra_core.listening.items import ItemTask
from zebra_core.wording.texts import named
from zebra_gui.widgets.layouts import label, shown_name

if TYPE_CHECKING:
    from zebra_core.recordings.sound import Samples


_WIDEST = 1000  # pixels of a scale
_HIGH = 44  # pixels: a button to be hit without looking for it
_NARROW, _WIDE = 34, 170  # ten beside each other, and two, have room on a small screen at 200 %


class ItemPage(QWidget):
    """One way of asking. What stands on it is reset for each item.

    That each way has what is abstract here is checked by mypy: Qt's widgets cannot be of an ABC.

    Signals:
        changed: the answer is another one.
    """

    changed = Signal()

    def __init__(self, heard: ItemPlayer, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.heard = heard
        self.rows = QVBoxLayout(self)
        self.rows.setContentsMargins(0, 0, 0, 0)
        self.rows.setSpacing(18)
        self.question = label(tone="invitation")
        self.question.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        self.rows.addWidget(self.question)

    @property
    @abstractmethod
    def answer(self) -> ItemAnswer | None:
        """What was answered; None as long as something is missing."""

    @property
    @abstractmethod
    def lacking(self) -> str:
        """What is missing, as a sentence; empty where nothing is."""

    @abstractmethod
    def begin(self, sounds: int) -> None:
        """Ask about the next item, which has so many recordings."""

    @abstractmethod
    def show_heard(self) -> None:
        """Show which recording is played, and which were heard."""


class PlayButtons(QWidget):
    """A button for each recording, which is played by its number, too."""

    def __init__(self, heard: ItemPlayer, names: Sequence[str]) -> None:
        super().__init__()
        self._heard, self._names = heard, tuple(names)
        self.buttons: list[QPushButton] = []
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(18)
        row.addStretch(1)
        for place in range(len(names)):
            button = QPushButton()
            button.setMinimumSize(_WIDE, 2 * _HIGH)
            button.setAutoDefault(False)
            button.clicked.connect(partial(self._on_clicked, place))
            keys = QKeySequence(f"Ctrl+{place + 1}")
            button.setToolTip(keys.toString(QKeySequence.SequenceFormat.NativeText))
            QShortcut(keys, self).activated.connect(button.click)
            self.buttons.append(button)
            row.addWidget(button)
        row.addStretch(1)
        self.show_heard()

    def show_heard(self) -> None:
        """Say of each whether it is played, was heard, or not."""
        for place, (button, name) in enumerate(zip(self.buttons, self._names, strict=True)):
            if self._heard.playing == place:
                text = self.tr("Pause: {name}")
            elif self._heard.paused == place:
                text = self.tr("Go on: {name}")
            elif place in self._heard.unheard or place >= len(self._heard.plays):
                text = self.tr("Play: {name}")
            else:
                text = self.tr("Play again: {name}")
            button.setText(text.format(name=f"\n{name}"))  # two must fit on a small screen
            button.setAccessibleName(text.format(name=name))

    def _on_clicked(self, place: int) -> None:
        if place in (self._heard.playing, self._heard.paused):
            self._heard.pause_or_go_on()
        else:
            self._heard.play(place)


class Steps(QWidget):
    """Buttons from 1 to 10, of which one is chosen, with the words of both ends.

    Signals:
        chosen: another one.
    """

    chosen = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.group = QButtonGroup(self)
        self.low, self.high = label(tone="quiet"), label(tone="quiet")
        self.high.setAlignment(Qt.AlignmentFlag.AlignRight)
        row = QHBoxLayout()
        row.setSpacing(6)
        for step in range(LOWEST, HIGHEST + 1):
            button = QPushButton(str(step))
            button.setCheckable(True)
            button.setProperty("look", "step")
            button.setMinimumSize(_NARROW, _HIGH)
            button.setAutoDefault(False)
            self.group.addButton(button, step)
            row.addWidget(button, 1)
        self.group.idClicked.connect(lambda _step: self.chosen.emit())
        words = QHBoxLayout()
        words.addWidget(self.low, 1)
        words.addWidget(self.high, 1)
        rows = QVBoxLayout(self)
        rows.setContentsMargins(0, 0, 0, 0)
        rows.addLayout(row)
        rows.addLayout(words)

    @property
    def value(self) -> int | None:
        """What was chosen."""
        found = self.group.checkedId()
        return found if found >= LOWEST else None

    def choose(self, step: int) -> None:
        """Choose a step, as a click on its button does."""
        self.group.button(step).click()

    def say_ends(self, low: str, high: str) -> None:
        """What 1 and 10 mean."""
        self.low.setText(named(str(LOWEST), shown_name(low)))
        self.high.setText(named(str(HIGHEST), shown_name(high)))
        for step, button in ((n, self.group.button(n)) for n in range(LOWEST, HIGHEST + 1)):
            words = {LOWEST: low, HIGHEST: high}.get(step, "")
            tell_step = named(str(step), shown_name(words)) if words else str(step)
            button.setAccessibleName(tell_step)

    def clear(self) -> None:
        """Choose none."""
        self.group.setExclusive(False)
        for button in self.group.buttons():
            button.setChecked(False)
        self.group.setExclusive(True)


class SamePage(ItemPage):
    """Two recordings: the same speaker or not, and how sure."""

    def __init__(self, heard: ItemPlayer, ends: tuple[str, str]) -> None:
        super().__init__(heard)
        self.question.setText(self.tr("Is it the same speaker?"))
        self.play = PlayButtons(heard, [self.tr("first recording"), self.tr("second recording")])
        self.same = _checkable(self.tr("&Same speaker"))
        self.different = _checkable(self.tr("&Different speakers"))
        self.decision = QButtonGroup(self)
        self.decision.addButton(self.same)
        self.decision.addButton(self.different)
        self.decision.buttonClicked.connect(lambda _button: self.changed.emit())
        self.sure = label(self.tr("How sure are you?"), tone="subheading")
        self.steps = Steps()
        self.steps.say_ends(*ends)
        self.steps.chosen.connect(self.changed)
        row = QHBoxLayout()
        row.setSpacing(18)
        row.addStretch(1)
        row.addWidget(self.same)
        row.addWidget(self.different)
        for button in (self.same, self.different):
            _letter_key(self, button)
        row.addStretch(1)
        self.rows.addWidget(self.play)
        self.rows.addLayout(row)
        self.rows.addWidget(self.sure, 0, Qt.AlignmentFlag.AlignHCenter)
        self.rows.addLayout(_centred(self.steps))
        self.rows.addStretch(1)
        _number_keys(self, self.steps)

    @property
    def answer(self) -> ItemAnswer | None:
        sure = self.steps.value
        if self.lacking or sure is None:
            return None
        return ItemAnswer(confidence=sure if self.same.isChecked() else -sure)

    @property
    def lacking(self) -> str:
        if self.heard.to_hear:
            return self.tr("Listen to both recordings.")
        if self.decision.checkedButton() is None:
            return self.tr("Say whether it is the same speaker.")
        return "" if self.steps.value else self.tr("Say how sure you are.")

    def begin(self, sounds: int) -> None:
        self.decision.setExclusive(False)
        self.same.setChecked(False)
        self.different.setChecked(False)
        self.decision.setExclusive(True)
        self.steps.clear()
        self.play.buttons[0].setFocus()

    def show_heard(self) -> None:
        self.play.show_heard()


class RatingPage(ItemPage):
    """One recording, rated from 1 to 10."""

    def __init__(self, heard: ItemPlayer, asked: ItemTask, ends: tuple[str, str]) -> None:
        super().__init__(heard)
        self.question.setText(
            self.tr("How well do you understand it?")
            if asked is ItemTask.INTELLIGIBILITY
            else self.tr("How natural does it sound?")
        )
        self.play = PlayButtons(heard, [self.tr("recording")])
        self.steps = Steps()
        self.steps.say_ends(*ends)
        self.steps.chosen.connect(self.changed)
        self.rows.addWidget(self.play)
        self.rows.addLayout(_centred(self.steps))
        self.rows.addStretch(1)
        _number_keys(self, self.steps)

    @property
    def answer(self) -> ItemAnswer | None:
        return None if self.lacking else ItemAnswer(rating=self.steps.value)

    @property
    def lacking(self) -> str:
        if self.heard.to_hear:
            return self.tr("Listen to the recording.")
        return "" if self.steps.value else self.tr("Choose a number from 1 to 10.")

    def begin(self, sounds: int) -> None:
        self.steps.clear()
        self.play.buttons[0].setFocus()

    def show_heard(self) -> None:
        self.play.show_heard()


def _checkable(text: str) -> QPushButton:
    button = QPushButton(text)
    button.setCheckable(True)
    button.setProperty("look", "step")
    button.setMinimumSize(_WIDE, _HIGH)
    button.setAutoDefault(False)
    button.setAccessibleName(text.replace("&", ""))
    return button


def _centred(widget: QWidget) -> QHBoxLayout:
    """A row with a widget in the middle, not too wide to be seen at once."""
    widget.setMaximumWidth(_WIDEST)
    row = QHBoxLayout()
    row.addStretch(1)
    row.addWidget(widget, 100)
    row.addStretch(1)
    return row


def _number_keys(page: QWidget, steps: Steps) -> None:
    """Make 1 to 9, and 0 for 10, choose a step on a page."""
    for step in range(LOWEST, HIGHEST + 1):
        shortcut = QShortcut(QKeySequence(str(step % HIGHEST)), page)  # of the page that is shown alone
        shortcut.activated.connect(partial(steps.choose, step))


def _letter_key(page: QWidget, button: QPushButton) -> None:
    """Make the underlined letter press a button by itself, too: nothing on a page is typed into."""
    letter = QKeySequence.mnemonic(button.text()).toString().rpartition("+")[2]
    QShortcut(QKeySequence(letter), page).activated.connect(button.click)


def not_possible(why: str) -> str:
    """Why nothing can be heard."""
    if why == "library":
        return QCoreApplication.translate(
            "ListeningTest", "Playing needs the extra “recordings” of ZEBRA, which is not installed."
        )
    return QCoreApplication.translate(
        "ListeningTest",
        "Nothing can be played: this computer has no sound device, or it is in use or was unplugged. "
        "Your answers are kept. You can save the recordings, play them elsewhere, and answer here.",
    )


# The recordings of an item: a button for each, how often each was heard, and how long it all took.


class RecordingPlayer(Protocol):
    """What plays recordings; see `widgets.player`."""

    level: float
    moved: SignalInstance
    started: SignalInstance
    ended: SignalInstance
    failed: SignalInstance

    def play(self, samples: Samples, rate_hz: int, start_s: float = 0.0) -> None:
        """Play from the beginning; what was played before stops."""

    def stop(self) -> None:
        """Play no more."""

    def close(self) -> None:
        """Stop, and let go of the device."""


class ItemPlayer(QObject):
    """Plays the recordings of one item, and counts.

    Signals:
        changed: another recording is played, or none.
        failed: why nothing can be played; "library" or "device".
    """

    changed = Signal()
    failed = Signal(str)

    def __init__(self, player: RecordingPlayer, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._player = player
        self._sounds: Sequence[tuple[Samples, int]] = ()
        self._watch = QElapsedTimer()
        self.playing: int | None = None
        self.paused: int | None = None  # goes on from where it was
        self._at_s = 0.0  # of the one that is played or was paused
        self.plays: list[int] = []
        self.elsewhere = False  # the listener has the recordings as files, and plays them with something else
        player.moved.connect(self._on_moved)
        player.started.connect(self._on_started)
        player.ended.connect(self._on_ended)
        player.failed.connect(self._on_failed)

    @property
    def unheard(self) -> list[int]:
        """The places of recordings that nobody has heard yet."""
        return [place for place, times in enumerate(self.plays) if not times]

    @property
    def to_hear(self) -> list[int]:
        """The places of recordings that have to be heard here before there can be an answer."""
        return [] if self.elsewhere else self.unheard

    @property
    def seconds(self) -> float:
        """Since the first recording could be heard."""
        return self._watch.elapsed() / 1000.0 if self._watch.isValid() else 0.0

    def take(self, sounds: Sequence[tuple[Samples, int]]) -> None:
        """The recordings of the next item, none of which was heard."""
        self.stop()
        self._sounds = sounds
        self.paused = None
        self.plays = [0] * len(sounds)
        self._watch.invalidate()
        self.changed.emit()

    def play(self, place: int) -> None:
        """Play one from its beginning; again where it is played already."""
        if not 0 <= place < len(self._sounds):
            return
        self._player.stop()
        self.paused, self._at_s = None, 0.0
        self.playing = place
        self._player.play(*self._sounds[place])
        self.changed.emit()

    def pause_or_go_on(self) -> None:
        """Stop where it is; or go on from there, which is not counted as heard once more."""
        if self.playing is not None:
            place, at_s = self.playing, self._at_s
            self._player.stop()
            self.paused, self._at_s = place, at_s
        elif self.paused is not None:
            self.playing = self.paused
            self._player.play(*self._sounds[self.paused], self._at_s)
        self.changed.emit()

    def stop(self) -> None:
        """Play no more."""
        self._player.stop()

    def _on_started(self) -> None:
        if self.playing is None:
            return
        if self.playing == self.paused:
            self.paused = None
        else:
            self.plays[self.playing] += 1
        if not self._watch.isValid():
            self._watch.start()
        self.changed.emit()

    def _on_moved(self, at_s: float) -> None:
        self._at_s = at_s

    def _on_failed(self, why: str) -> None:
        self._on_ended()
        self.failed.emit(why)

    def _on_ended(self) -> None:
        if self.playing is not None:
            self.playing = None
            self.changed.emit()
