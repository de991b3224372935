"""The recordings of an item: a button for each, how often each was heard, and how long it all took."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

from PySide6.QtCore import QElapsedTimer, QObject, Signal, SignalInstance

if TYPE_CHECKING:
    from zebra_core.recordings.sound import Samples


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
