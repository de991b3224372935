"""The program itself, which edits and saves a project until somebody kills it; see its test."""

import random
import sys
from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QTimer

from zebra_gui.app import make_app, make_window

path, seed = Path(sys.argv[1]), int(sys.argv[2])
app = make_app()
window = make_window(app, [path])
window.show()
window.documents.autosave._timer.setInterval(5)
rng = random.Random(seed)  # noqa: S311 - to be repeated, not to be secret
count = 0


def edit() -> None:
    """One random edit and, two times in three, a save; a save that is done is told."""
    global count  # noqa: PLW0603 - a program of one thing
    if window.session.project is None or window.jobs.waiting:
        return
    count += 1
    entry = rng.choice(window.session.entries)
    changed = window.session.project.replacing(replace(entry, name="n" * rng.randrange(100)))
    window.session.take_over("edit", replace(changed, title=str(count)))
    if rng.random() < 0.66:
        window.documents.save(lambda number=count: print(number, flush=True))


timer = QTimer()
timer.timeout.connect(edit)
timer.start(1)
app.exec()
