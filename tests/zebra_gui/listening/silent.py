"""A player that nobody hears, and which is done when the test says so."""

from PySide6.QtCore import QObject, Signal


class SilentPlayer(QObject):
    moved = Signal(float)
    started = Signal()
    ended = Signal()
    failed = Signal(str)

    def __init__(self, breaks=""):
        super().__init__()
        self.level, self.played, self.starts = 1.0, [], []
        self._breaks, self._playing = breaks, False

    def play(self, samples, rate_hz, start_s=0.0):
        if self._breaks:
            self.failed.emit(self._breaks)
            return
        self.played.append((len(samples), rate_hz))
        self.starts.append(start_s)
        self._playing = True
        self.started.emit()

    def stop(self):
        if self._playing:
            self._playing = False
            self.ended.emit()

    close = stop
