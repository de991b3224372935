"""A recording and its protected copy beside each other: to be seen, and to be heard."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QCloseEvent, QKeySequence, QShortcut
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QScrollArea,
    QWidget,
)

from zebra_core.recordings.pictures import frame_of
from zebra_core.recordings.versions import ORIGINAL, RecordingVersions
from zebra_core.wording.texts import say
from zebra_gui.recordings.pitch import PitchCard
from zebra_gui.recordings.side import Side
from zebra_gui.session.session import Session
from zebra_gui.widgets.layouts import in_column, in_row
from zebra_gui.widgets.plain import choice_box, label, shown_name, tell
from zebra_gui.widgets.player import Player
from zebra_gui.widgets.wheel import Slider

_LOUDEST = 100  # per cent
_SHORTEST = 20  # characters of a recording's name that are seen at least


def open_listening(
    takes: Sequence[RecordingVersions], session: Session, parent: QWidget | None = None, *, first: int = 0
) -> ListeningDialog:
    """Show these recordings, beginning with one of them; the dialog is gone when it is closed."""
    dialog = ListeningDialog(takes, session, parent)
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.go_to(first)
    dialog.show()
    return dialog


class ListeningDialog(QDialog):
    """One recording at a time, the original at the left and a protected copy at the right.

    Keyboard: Space in a picture plays the version that is shown there, and stops; Ctrl+Right and Ctrl+Left go
    to the next recording and back.

    Signals:
        export_requested, copy_requested: the picture on a card.
    """

    export_requested = Signal(object)
    copy_requested = Signal(object)

    def __init__(
        self,
        takes: Sequence[RecordingVersions],
        session: Session,
        parent: QWidget | None = None,
        *,
        player: Player | None = None,
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Listen to recordings"))
        self.takes, self._session = tuple(takes), session
        self.player = player or Player(self)
        self._sides: tuple[Side, ...] = ()
        self._playing: Side | None = None
        self.recording = choice_box(self.tr("Recording"))
        self.recording.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.recording.setMinimumContentsLength(_SHORTEST)
        for take in self.takes:
            self.recording.addItem(_title_of(take))
        self.recording.activated.connect(self.go_to)
        self.safeguard = choice_box(self.tr("Protected by"))
        names = {version.safeguard: None for take in self.takes for version in take.versions}
        for name in filter(None, names):
            self.safeguard.addItem(shown_name(name), name)
        self.safeguard.setVisible(self.safeguard.count() > 1)
        self.safeguard.activated.connect(self._show_take)
        self.back = self._button(self.tr("&Previous"), partial(self._step, -1), QKeySequence("Ctrl+Left"))
        self.next = self._button(self.tr("&Next"), partial(self._step, 1), QKeySequence("Ctrl+Right"))
        self.level = Slider(Qt.Orientation.Horizontal)
        self.level.setRange(0, _LOUDEST)
        self.level.setValue(_LOUDEST)
        self.level.setFixedWidth(140)
        self.level.setAccessibleName(self.tr("Level"))
        self.level.valueChanged.connect(self._on_level)
        self.remark = label(tone="quiet")
        self.pitch = PitchCard(session, self.takes)
        self.pitch.picked.connect(self._on_picked)
        self.pitch.export_requested.connect(partial(self.export_requested.emit, self.pitch))
        self.pitch.copy_requested.connect(partial(self.copy_requested.emit, self.pitch))
        self._lay_out()
        self.player.moved.connect(self._on_moved)
        self.player.ended.connect(self._on_ended)
        self.player.failed.connect(self._on_failed)
        self.finished.connect(self.player.close)
        session.left.connect(self.close)
        self.resize(1000, 660)

    @property
    def sides(self) -> tuple[Side, ...]:
        """What is shown, the original first."""
        return self._sides

    def go_to(self, number: int) -> None:
        """Show a recording; what is played goes on with the same version of it."""
        if self.takes:
            self.recording.setCurrentIndex(min(max(number, 0), len(self.takes) - 1))
            self._show_take()

    def closeEvent(self, event: QCloseEvent) -> None:
        self.player.close()
        super().closeEvent(event)

    def _lay_out(self) -> None:
        head = in_row((self.recording, 1), self.safeguard, self.back, self.next, spacing=10)
        self._columns = in_row(spacing=10)
        self._columns.setContentsMargins(0, 0, 0, 0)
        inside = QWidget()
        in_column((self._columns, 1), (self.pitch, 1), on=inside, margins=0)
        area = QScrollArea()
        area.setWidgetResizable(True)
        area.setFrameShape(QScrollArea.Shape.NoFrame)
        area.setWidget(inside)
        close = QPushButton(self.tr("Close"))
        close.setAutoDefault(False)
        close.clicked.connect(self.close)
        foot = QHBoxLayout()
        level = QLabel(self.tr("&Level"))
        level.setBuddy(self.level)
        foot.addWidget(level)
        foot.addWidget(self.level)
        foot.addWidget(self.remark, 1)
        foot.addWidget(close)
        in_column(head, (area, 1), foot, on=self)

    def _button(self, text: str, do: partial[None], keys: QKeySequence) -> QPushButton:
        button = QPushButton(text)
        button.setAutoDefault(False)
        button.clicked.connect(lambda _checked=False: do())
        button.setToolTip(keys.toString(QKeySequence.SequenceFormat.NativeText))
        QShortcut(keys, self).activated.connect(button.click)
        return button

    def _step(self, by: int) -> None:
        self.go_to(self.recording.currentIndex() + by)

    def _show_take(self) -> None:
        take = self.takes[self.recording.currentIndex()]
        was_playing = self._playing.version.safeguard if self._playing is not None else None
        self.player.stop()
        self.back.setEnabled(self.recording.currentIndex() > 0)
        self.next.setEnabled(self.recording.currentIndex() < len(self.takes) - 1)
        self._tell("")
        wanted = (ORIGINAL, self.safeguard.currentData())
        versions = [version for version in take.versions if version.safeguard in wanted]
        for side in self._sides:
            self._columns.removeWidget(side)
            side.hide()
            side.deleteLater()
        self._sides = tuple(
            Side(take, version, number, self._session) for number, version in enumerate(versions)
        )
        for side in self._sides:
            self._columns.addWidget(side, 1)
            side.looked.connect(partial(self._on_looked, side, plays=side.version.safeguard == was_playing))
            side.play_wanted.connect(partial(self._on_play, side))
            for card in side.cards:
                card.export_requested.connect(partial(self.export_requested.emit, card))
                card.copy_requested.connect(partial(self.copy_requested.emit, card))
            side.look()
        self.pitch.show_take(take, self.safeguard.currentData() or "")

    def _on_picked(self, name: str) -> None:
        self.go_to(next(number for number, take in enumerate(self.takes) if take.name == name))

    def _on_looked(self, side: Side, *, plays: bool) -> None:
        looks = [side.look_of for side in self._sides if side.look_of is not None]
        frame = frame_of(looks)
        for each in self._sides:
            each.show_in(frame)
        if plays:
            self._on_play(side)

    def _on_play(self, side: Side) -> None:
        if self._playing is side:
            self.player.stop()
            return
        self.player.stop()
        if side.look_of is not None:
            self._tell("")
            self._playing = side
            side.show_playing(is_playing=True)
            self.player.play(side.look_of.samples, side.look_of.kind.rate_hz)

    def _on_moved(self, seconds: float) -> None:
        if self._playing is not None:
            self._playing.show_moment(seconds)

    def _on_ended(self) -> None:
        if self._playing is not None:
            self._playing.show_playing(is_playing=False)
            self._playing = None

    def _on_failed(self, why: str) -> None:
        sentences = {
            "library": self.tr("Playing needs the extra “recordings” of ZEBRA, which is not installed."),
            "device": self.tr(
                "Nothing can be played: this computer has no sound device, or it is in use or was unplugged."
            ),
        }
        self._tell(sentences[why])

    def _on_level(self, per_cent: int) -> None:
        self.player.level = per_cent / _LOUDEST

    def _tell(self, sentence: str) -> None:
        tell(self.remark, self.tr("Note"), sentence)


def _title_of(take: RecordingVersions) -> str:
    name, speaker = shown_name(take.name), shown_name(take.speaker)
    return say("recordings.take", name=name, speaker=speaker) if speaker else name
