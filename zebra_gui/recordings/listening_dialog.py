"""A recording and its protected copy beside each other: to be seen, and to be heard.

How high the voices of all recordings are, before and after protection, as far as they were scored.

One version of a recording to be seen and heard: its button, its waveform and its spectrogram.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import pyqtgraph as pg
from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QCloseEvent, QKeySequence, QShortcut
from PySide6.QtWidgets import QComboBox, QDialog, QHBoxLayout, QLabel, QPushButton, QScrollArea, QWidget

from zebra_core.errors import InputError
from zebra_core.figures.export import zebra_stem
from zebra_core.figures.figure import Colour, Ink
from zebra_core.figures.pitch import pitch_figure, pitch_read_out
from zebra_core.project.items import Item
from zebra_core.recordings.pictures import (
    AudibleRecording,
    frame_of,
    look_at,
    spectrogram_figure,
    spectrogram_read_out,
    waveform_figure,
    waveform_read_out,
)
from zebra_core.recordings.recording_table import ORIGINAL, RecordingVersion, RecordingVersions
from zebra_core.wording.texts import say, visible
from zebra_gui.panes.pane import FigureCard, MakeFigure
from zebra_gui.plots.figure import FigureView
from zebra_gui.plots.points import PointsView
from zebra_gui.plots.raster import RasterView
from zebra_gui.session.session import Session
from zebra_gui.widgets.layouts import choice_box, in_column, in_row, label, shown_name, tell
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


_WAVEFORM, _SPECTROGRAM = "waveform", "spectrogram"


class Side(QWidget):
    """One version of a recording: its button, its waveform and its spectrogram.

    Signals:
        looked: it was read, or cannot be.
        play_wanted: it should be heard, or no longer.
    """

    looked = Signal()
    play_wanted = Signal()

    def __init__(
        self, take: RecordingVersions, version: RecordingVersion, number: int, session: Session
    ) -> None:
        super().__init__()
        self.take, self.version = take, version
        self._session = session
        self.look_of: AudibleRecording | None = None
        self.is_looked_at = False  # whatever came of it
        self.name = shown_name(version.safeguard) or self.tr("original")
        colour: Colour = number - 1 if version.safeguard else Ink.MUTED
        self.play = QPushButton()
        self.play.setAutoDefault(False)
        self.play.setEnabled(False)
        self.play.clicked.connect(self.play_wanted)
        self.told = label(tone="quiet")
        self.cards = (
            _Card(session, FigureView(waveform_read_out), take, self.name, _WAVEFORM, colour),
            _Card(session, RasterView(spectrogram_read_out), take, self.name, _SPECTROGRAM, colour),
        )
        self.moments = [card.add_moment() for card in self.cards]
        rows = in_column(in_row(self.play, (self.told, 1)), on=self, margins=0)
        for card in self.cards:
            rows.addWidget(card, 1)
            self.space = QShortcut(QKeySequence(Qt.Key.Key_Space), card.view.plot)
            self.space.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
            self.space.activated.connect(self.play.click)
        self.show_playing(is_playing=False)

    def look(self) -> None:
        """Read the file, in another thread."""
        make = partial(_look_at, self.version, self.take.name)
        job = self._session.drawing.draw(make, supersedes=f"{id(self.parent())} {self.version.safeguard}")
        job.done.connect(self._on_looked)
        job.failed.connect(self._session.report_failure)

    def show_in(self, frame: tuple[float, float]) -> None:
        """Draw what there is on axes of this length and height."""
        for card in self.cards:
            card.show_look(self.look_of, frame)

    def show_playing(self, *, is_playing: bool) -> None:
        """Say what the button does next."""
        text = self.tr("Stop {name}") if is_playing else self.tr("Play {name}")
        self.play.setText(text.format(name=self.name))
        self.play.setAccessibleName(text.format(name=self.name))
        if not is_playing:
            self.show_moment(None)

    def show_moment(self, seconds: float | None) -> None:
        """Mark the moment that is heard."""
        for moment in self.moments:
            moment.setVisible(seconds is not None)
            if seconds is not None:
                moment.setValue(seconds)

    def _on_looked(self, found: AudibleRecording | str) -> None:
        self.is_looked_at = True
        if isinstance(found, str):
            what = found
        else:
            self.look_of = found
            what = self._facts(found)
        self.play.setEnabled(self.look_of is not None)
        tell(self.told, self.name, what)
        self.looked.emit()

    def _facts(self, look: AudibleRecording) -> str:
        if self.version.sha256 and look.sha256 != self.version.sha256:
            return self.tr("This file has changed since it was scored.")
        return ""


class _Card(FigureCard):
    """One picture of one version."""

    view: FigureView

    def __init__(
        self,
        session: Session,
        view: FigureView,
        take: RecordingVersions,
        version: str,
        kind: str,
        colour: Colour,
    ) -> None:
        super().__init__(session, view)
        self._take, self._version, self._kind, self._colour = take, version, kind, colour
        self._look: AudibleRecording | None = None
        self._frame = (1.0, 1.0)
        self.export_button.setEnabled(False)

    @property
    def is_quick(self) -> bool:
        return True

    def show_look(self, look: AudibleRecording | None, frame: tuple[float, float]) -> None:
        """Draw this, on axes of this length and height."""
        self._look, self._frame = look, frame
        self.refresh()

    def add_moment(self) -> pg.InfiniteLine:
        """A line for the moment that is heard; hidden at first."""
        line = pg.InfiniteLine(angle=90, movable=False, pen=pg.mkPen("#E69F00", width=2))
        line.setZValue(20)
        line.hide()
        self.view.plot.addItem(line)
        return line

    def make_figure(self) -> MakeFigure | None:
        if self._look is None:
            return None
        name = visible(self._take.name)
        if self._kind == _SPECTROGRAM:
            return partial(spectrogram_figure, self._look, name, self._version, self._frame[0])
        return partial(waveform_figure, self._look, name, self._version, self._colour, self._frame)

    def make_picture(self) -> MakeFigure | None:
        return self.make_figure()

    def file_stem(self) -> str:
        return f"{zebra_stem(f'{self._take.name} {self._version}')}-{self._kind}"

    def subjects(self) -> Sequence[Item]:
        return ()


def _look_at(version: RecordingVersion, name: str) -> AudibleRecording | str:
    """What a job does: a fault of the file is a sentence in its place."""
    try:
        return look_at(version.path, name=name)
    except InputError as error:
        return str(error)


_LOWEST = 280  # pixels


class PitchCard(FigureCard):
    """Originals against the copies under one safeguard; hidden where nobody has measured them.

    Signals:
        picked: the name of the recording that was clicked.
    """

    picked = Signal(str)

    def __init__(self, session: Session, takes: Sequence[RecordingVersions]) -> None:
        view = PointsView(pitch_read_out)
        super().__init__(session, view)
        view.picked.connect(self.picked)
        self._takes, self._safeguard, self._selected = tuple(takes), "", ""
        self.setMinimumHeight(_LOWEST)
        self.hide()

    @property
    def is_quick(self) -> bool:
        return True

    def show_take(self, take: RecordingVersions, safeguard: str) -> None:
        """Draw the recordings under a safeguard, one of them marked."""
        self._safeguard, self._selected = safeguard, take.name
        self.setVisible(bool(safeguard and self._known))
        self.refresh()

    @property
    def _known(self) -> dict[str, tuple[float, float]]:
        found = ((take.name, take.pitches_of(self._safeguard)) for take in self._takes)
        return {name: pitches for name, pitches in found if pitches is not None}

    def make_figure(self) -> MakeFigure | None:
        if not (known := self._known):
            return None
        if self._selected in known:  # drawn last, above the others
            known[self._selected] = known.pop(self._selected)
        return partial(pitch_figure, [*known.values()], self._safeguard, [*known], self._selected)

    def make_picture(self) -> MakeFigure | None:
        return self.make_figure()

    def file_stem(self) -> str:
        return f"{zebra_stem(self._safeguard)}-pitch"

    def subjects(self) -> Sequence[Item]:
        return ()
