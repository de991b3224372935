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
        self._timer.timeout.connect(_collect_at_leisure)
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


def collect_due() -> float:
    """Collect the oldest generation due by the thresholds of Python; the seconds of a processor that took."""
    due = [
        generation
        for generation, (count, most) in enumerate(zip(gc.get_count(), gc.get_threshold(), strict=True))
        if count > most
    ]
    began = time.thread_time()
    if due:
        gc.collect(due[-1])
    return time.thread_time() - began


def _collect_at_leisure() -> None:
    """Collect what is due; where the window stood still meanwhile, what is there is never looked at again.

    So it is beside a hundred thousand recordings. Nearly all of it goes without help when nobody needs it.
    """
    if collect_due() > _LONGEST_S:
        gc.freeze()
