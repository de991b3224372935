"""One version of a recording to be seen and heard: its button, its waveform and its spectrogram."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import pyqtgraph as pg
from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QPushButton, QWidget

from zebra_core.errors import InputError
from zebra_core.figures.export import zebra_stem
from zebra_core.figures.figure import Colour, Ink
from zebra_core.project.items import Item
from zebra_core.recordings.pictures import (
    spectrogram_figure,
    spectrogram_read_out,
    waveform_figure,
    waveform_read_out,
)
from zebra_core.recordings.spectrogram import AudibleRecording, look_at
from zebra_core.recordings.versions import RecordingVersion, RecordingVersions
from zebra_core.wording.texts import visible
from zebra_gui.panes.pane import FigureCard, MakeFigure
from zebra_gui.plots.figure import FigureView
from zebra_gui.plots.raster import RasterView
from zebra_gui.session.session import Session
from zebra_gui.widgets.layouts import in_column, in_row
from zebra_gui.widgets.plain import label, shown_name, tell

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
