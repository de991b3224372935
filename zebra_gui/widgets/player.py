"""Plays samples, in a thread of its own; without a sound device it says so, and nothing else is lost."""

from __future__ import annotations

import time
from collections.abc import Generator
from contextlib import suppress
from threading import Event, Thread
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QObject, QTimer, Signal

if TYPE_CHECKING:
    import miniaudio

Samples = NDArray[np.float32]

_BEAT_MS = 40
_BUFFER_MS = 100
_LOST_S = 2.0  # without a question of a device that plays: it was unplugged, and no exception tells of it
_LONGEST_END_S = 1.0  # after which nobody waits for a device that does not close


class Player(QObject):
    """One recording at a time.

    Signals:
        moved: seconds from its beginning, while it plays.
        started: it can be heard.
        ended: it came to its end, was stopped, or could not be played.
        failed: why it cannot be played; "library" or "device".
    """

    moved = Signal(float)
    started = Signal()
    ended = Signal()
    failed = Signal(str)

    _opened = Signal(object)
    _broke = Signal(object, str)

    def __init__(self, parent: QObject | None = None, *, is_silent: bool = False) -> None:
        super().__init__(parent)
        self.level = 1.0
        self._is_silent = is_silent  # heard by nobody, at the same pace: for tests
        self._playing: _Playback | None = None
        self._timer = QTimer(self)
        self._timer.setInterval(_BEAT_MS)
        self._timer.timeout.connect(self._look)
        self._opened.connect(self._on_opened)
        self._broke.connect(self._on_broke)

    @property
    def is_playing(self) -> bool:
        """Whether something is played, or about to be."""
        return self._playing is not None

    def play(self, samples: Samples, rate_hz: int, start_s: float = 0.0) -> None:
        """Play one channel from a moment on; what was played before stops."""
        self.stop()
        playing = _Playback(self, samples, rate_hz, round(start_s * rate_hz), is_silent=self._is_silent)
        self._playing = playing
        self._timer.start()
        playing.start()

    def stop(self) -> None:
        """Play no more; nothing happens where nothing is played."""
        if self._playing is not None:
            self._end()

    def close(self) -> None:
        """Stop, and wait until the device is closed: the program is about to go."""
        playing = self._playing
        self.stop()
        if playing is not None:
            playing.join(_LONGEST_END_S)

    def _end(self) -> None:
        if self._playing is not None:
            self._playing.is_wanted.clear()
            self._playing = None
        self._timer.stop()
        self.ended.emit()

    def _look(self) -> None:
        if (playing := self._playing) is None:
            return
        if playing.is_over:
            self._end()
        else:
            self.moved.emit(playing.seconds)

    def _on_opened(self, playing: object) -> None:
        if playing is self._playing:
            self.started.emit()

    def _on_broke(self, playing: object, why: str) -> None:
        if playing is self._playing:
            self._end()
            self.failed.emit(why)


class _Playback(Thread):
    """One recording, from opening the device, which may take its time, to closing it."""

    def __init__(
        self, player: Player, samples: Samples, rate_hz: int, start: int, *, is_silent: bool
    ) -> None:
        super().__init__(daemon=True, name="zebra-player")
        self.is_wanted = Event()
        self.is_wanted.set()
        self.is_over = False
        self._player, self._samples, self._rate_hz, self._is_silent = player, samples, rate_hz, is_silent
        self._at = start
        self._ends = 0.0
        self._asked = 0.0  # when the device last asked for sound

    @property
    def seconds(self) -> float:
        """How far it has come: what the device has been given."""
        return min(self._at, len(self._samples)) / self._rate_hz

    def run(self) -> None:
        """Open the device, feed it until the end or until nobody wants to hear it, and close it."""
        try:
            import miniaudio
        except (ImportError, OSError):
            self._break("library")
            return
        try:
            device = self._open(miniaudio)
        except miniaudio.MiniaudioError:
            self._break("device")
            return
        with device:
            feeding = self._feeding()
            next(feeding)
            try:
                device.start(feeding)
            except miniaudio.MiniaudioError:
                self._break("device")
                return
            self._asked = time.monotonic()
            self._tell(self._player._opened, self)  # noqa: SLF001 - the two are one
            while self.is_wanted.is_set() and not self._has_ended():
                if time.monotonic() - self._asked > _LOST_S:
                    self._break("device")
                    return
                time.sleep(_BEAT_MS / 1000.0)
            self.is_over = True

    def _open(self, library: Any) -> miniaudio.PlaybackDevice:
        null, own = library.Backend.NULL, library.Backend.CUSTOM
        # Given none, the library would take the one that nobody hears where there is no other.
        backends = [null] if self._is_silent else [one for one in library.Backend if one not in (null, own)]
        return library.PlaybackDevice(
            output_format=library.SampleFormat.FLOAT32,
            nchannels=1,
            sample_rate=self._rate_hz,
            buffersize_msec=_BUFFER_MS,
            backends=backends,
            app_name="ZEBRA",
        )

    def _feeding(self) -> Generator[bytes, int, None]:
        """What the device asks for; it goes on with silence until what was given is heard."""
        count = yield b""
        while True:
            self._asked = time.monotonic()
            piece = self._samples[self._at : self._at + count]
            self._at += count
            if not len(piece) and not self._ends:
                self._ends = time.monotonic() + 2 * _BUFFER_MS / 1000.0
            sound = np.zeros(count, np.float32)
            sound[: len(piece)] = np.clip(piece * np.float32(self._player.level), -1.0, 1.0)
            count = yield sound.tobytes()

    def _has_ended(self) -> bool:
        return bool(self._ends) and time.monotonic() >= self._ends

    def _break(self, why: str) -> None:
        self._tell(self._player._broke, self, why)  # noqa: SLF001

    @staticmethod
    def _tell(signal: Any, *facts: object) -> None:
        with suppress(RuntimeError):  # the player has gone meanwhile
            signal.emit(*facts)
