"""Python's garbage is collected in the thread of the window alone.

Python collects it in whichever thread happens to make an object. Where a widget is among it, and the thread
is that of a job, Qt takes the program along.
"""

from __future__ import annotations

import gc
import time

from PySide6.QtCore import QObject, QTimer

_EVERY_MS = 250
_LONGEST_S = 0.05  # of a processor, that a look at everything may take


class GarbageCollection(QObject):
    """Collects the garbage of this program now and then, from when it is made until `stop`."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        gc.disable()
        self._timer = QTimer(self)
        self._timer.setInterval(_EVERY_MS)
        self._timer.timeout.connect(collect_due)
        self._timer.start()

    def stop(self) -> None:
        """Let Python collect as it likes."""
        self._timer.stop()
        gc.enable()

    @staticmethod
    def settle() -> None:
        """Never look again at what there is by now: modules and widgets, which stay.

        To look through all of them takes 0.1 s, in which the window would stand still.
        """
        gc.freeze()


def collect_due() -> None:
    """Collect the oldest generation that is due, by the thresholds that Python has itself.

    Where there is so much that the window stands still meanwhile, as of a hundred thousand recordings, what
    is there by now is never looked at again: nearly all of it goes without help when nobody needs it.
    """
    due = [
        generation
        for generation, (count, most) in enumerate(zip(gc.get_count(), gc.get_threshold(), strict=True))
        if count > most
    ]
    if due:
        began = time.thread_time()
        gc.collect(due[-1])
        if time.thread_time() - began > _LONGEST_S:
            gc.freeze()
