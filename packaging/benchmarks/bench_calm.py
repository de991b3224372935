"""Whether the window answers while 14 000 000 trials are read, matched and assessed in it.

Run by `make bench`, without a screen: a timer of 5 ms stands for the user, and the gaps between its ticks
are how long one would have waited. On a busy machine others have the processor meanwhile: so it is told as
well how long this program itself computed in a gap, at most, and that fails where it is above `MOST`; and
how long the thread of the window did, which alone it could have waited for itself. An argument is another
number of trials.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import numpy as np
from PySide6.QtCore import QCoreApplication, QEvent, QSettings, Qt, QTimer
from PySide6.QtWidgets import QApplication

from zebra_gui.app import make_app, make_window
from zebra_gui.dialogs.save import SaveChoice
from zebra_gui.jobs.memory_trimmer import GarbageCollection
from zebra_gui.window.window import Window

TRIALS = 14_000_000
TICK_MS = 5
MOST = 0.1
SETTLED_TICKS = 60  # without work, before all is taken to be done
_PIECE = 500_000


@dataclass
class Gaps:
    """Seconds between two ticks of the event loop; how long the process, and the thread, computed."""

    found: list[tuple[float, float, float]] = field(default_factory=list)
    _last: tuple[float, float, float] = (0.0, 0.0, 0.0)

    def start(self) -> None:
        """From now on."""
        self._last = time.perf_counter(), time.process_time(), time.thread_time()

    def tick(self) -> None:
        """The event loop has come round."""
        before = self._last
        self.start()
        gap, process, thread = (now - then for now, then in zip(self._last, before, strict=True))
        self.found.append((gap, min(gap, process), thread))

    def worst(self) -> tuple[float, float, float]:
        """The longest gap, the most that this program computed in one, and that the window's thread did."""
        gaps, own, of_window = zip(*self.found, strict=True)
        return max(gaps), max(own), max(of_window)


def write(folder: Path, n_trials: int) -> list[Path]:
    """Scores and their key, of 1 000 speakers."""
    rng = np.random.default_rng(0)
    paths = [folder / "scores", folder / "key"]
    with paths[0].open("w") as scores, paths[1].open("w") as key:
        for start in range(0, n_trials, _PIECE):
            numbers = range(start, min(n_trials, start + _PIECE))
            score = rng.normal(size=len(numbers))
            pairs = [f"s{number % 1000:04d} u{number // 1000:06d}" for number in numbers]
            is_target = rng.random(len(numbers)) < 0.1
            scores.writelines(f"{pair} {x:.6f}\n" for pair, x in zip(pairs, score, strict=True))
            key.writelines(
                f"{pair} {'target' if own else 'nontarget'}\n"
                for pair, own in zip(pairs, is_target, strict=True)
            )
    return paths


def load(window: Window, app: QApplication, paths: list[Path]) -> Gaps:
    """Drop the files on the window and wait until everything is shown."""
    gaps, calm = Gaps(), 0
    timer = QTimer()
    timer.setTimerType(Qt.TimerType.PreciseTimer)
    timer.setInterval(TICK_MS)

    def on_tick() -> None:
        nonlocal calm
        gaps.tick()
        is_busy = window.jobs.waiting or window.session.drawing.is_busy or not window.session.entries
        calm = 0 if is_busy else calm + 1
        if calm > SETTLED_TICKS:
            app.exit()

    timer.timeout.connect(on_tick)
    gaps.start()
    timer.start()
    window.open_paths(paths)
    app.exec()
    timer.stop()
    return gaps


def main() -> int:
    """Load once, in a window without a past."""
    n_trials = int(sys.argv[1]) if len(sys.argv) > 1 else TRIALS
    with tempfile.TemporaryDirectory() as folder:
        os.environ["XDG_DATA_HOME"] = folder
        QSettings.setDefaultFormat(QSettings.Format.IniFormat)
        QSettings.setPath(QSettings.Format.IniFormat, QSettings.Scope.UserScope, folder)
        paths = write(Path(folder), n_trials)
        app = make_app()
        window = make_window(app)
        window.dialogs.ask_to_save = lambda _name: SaveChoice.DISCARD  # nobody is there to be asked
        window.resize(1280, 800)
        window.show()
        garbage = GarbageCollection(window)
        window.preparing.done.connect(garbage.settle)
        for _ in range(20):
            app.processEvents()
        start = time.perf_counter()
        gaps = load(window, app, paths)
        took = time.perf_counter() - start
        longest, own, of_window = (1000 * seconds for seconds in gaps.worst())
        above = sum(own > MOST for _gap, own, _thread in gaps.found)
        print(f"{n_trials:,} trials in {took:.1f} s, {len(gaps.found):,} turns of the event loop")
        print(
            f"longest gap {longest:.0f} ms; this program computed in one at most {own:.0f} ms, {above} times"
        )
        print(f"above {1000 * MOST:.0f} ms; the thread of the window at most {of_window:.0f} ms")
        window.close()
        window.deleteLater()
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    return 1 if above else 0


if __name__ == "__main__":
    sys.exit(main())
