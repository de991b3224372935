"""A player that nobody hears, and which is done when the test says so."""

from PySide6.QtCore import QObject, Signal


class SilentPlayer(QObject):
    started = Signal()
    ended = Signal()
    failed = Signal(str)

    def __init__(self, breaks=""):
        super().__init__()
        self.level, self.played, self._breaks, self._playing = 1.0, [], breaks, False

    def play(self, samples, rate_hz, start_s=0.0):
        if self._breaks:
            self.failed.emit(self._breaks)
            return
        self.played.append((len(samples), rate_hz))
        self._playing = True
        self.started.emit()

    def stop(self):
        if self._playing:
            self._playing = False
            self.ended.emit()

    close = stop
