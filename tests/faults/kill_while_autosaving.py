"""Kill a program whose changes are kept aside while it works, at random moments, and look at what is left.

    python tests/faults/kill_while_autosaving.py [KILLS [SEED]]

Each round starts a process with the document of a window: it makes random edits, autosaves all the time and
saves now and then, and tells on a pipe what is on the disk; it is killed (SIGKILL) at a random moment. Every
second round the project has no file of its own yet. Then what was told must be found: in the project, which
is whole, or in what is offered for recovery, which is whole, too. Exits with 1 where it is not.
"""

import os
import random
import signal
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtCore import QCoreApplication, QTimer
from PySide6.QtWidgets import QApplication

from tests.faults.kill_while_saving import edited, first_project
from zebra_core.document.project_file import open_project, save_project
from zebra_core.project.project import Project
from zebra_gui.dialogs import Dialogs
from zebra_gui.document import autosave, work
from zebra_gui.document.autosave import autosave_of, lock_of
from zebra_gui.document.document import Documents
from zebra_gui.jobs.jobs import Jobs
from zebra_gui.session.session import Session
from zebra_gui.session.unsaved import unsaved_folder

_LONGEST_LIFE = 0.4  # seconds after the first autosave
_WORD = 9  # bytes: what was written, and the number of the edit that is in it


def edit_until_killed(path: Path | None, project: Project, seed: int, done: int) -> None:
    """What the process does that is going to be killed."""
    rng = random.Random(seed)  # noqa: S311 - to be repeated, not to be secret
    autosave.DELAY_MS, autosave._SHARE_OF_TIME = 1, 0
    work.save_aside = _telling(work.save_aside, "a", done)
    work.save_file = _telling(work.save_file, "f", done)
    app = QApplication([])
    jobs = Jobs()
    session = Session(jobs)
    documents = Documents(session, jobs, Dialogs(None), (dict, lambda _view: None))
    documents.autosave._timer.setInterval(1)
    number = 0

    def edit() -> None:
        nonlocal number
        if session.project is None:
            return
        number += 1
        session.take_over("edit", edited(session.project, rng, number))
        if path is not None and not jobs.waiting and rng.random() < 0.1:
            documents.save()

    timer = QTimer()
    timer.timeout.connect(edit)
    if path is None:
        session.open_project(project)
        timer.start(1)
    else:
        documents.open(path, lambda: timer.start(1))
    app.exec()


def _telling(write, kind: str, done: int):
    """The same function, which tells when what it wrote is on the disk."""

    def write_and_tell(project: Project, *given):
        written = write(project, *given)
        os.write(done, f"{kind}{project.title:>{_WORD - 1}}".encode())
        return written

    return write_and_tell


@dataclass(frozen=True)
class Round:
    """Of one kill: numbers of the last edits told to be on the disk, and of those that are."""

    told_aside: int
    told_saved: int
    found_aside: int  # -1: there is none
    found_saved: int

    @property
    def is_lost(self) -> bool:
        """Whether less is there than was told; an autosave goes only once all of it is saved."""
        return max(self.found_aside, self.found_saved) < max(self.told_aside, self.told_saved) or (
            self.found_saved < self.told_saved
        )


def killed_once(path: Path | None, project: Project, rng: random.Random) -> Round:
    """Work in a process of its own until it is killed, some time after its first autosave."""
    told, done = os.pipe()
    seed = rng.randrange(1 << 30)
    child = os.fork()
    if child == 0:
        try:
            edit_until_killed(path, project, seed, done)
        finally:
            os._exit(0)
    os.close(done)
    with os.fdopen(told, "rb", buffering=0) as pipe:
        words = pipe.read(_WORD)
        time.sleep(rng.random() * _LONGEST_LIFE)
        os.kill(child, signal.SIGKILL)
        words += pipe.readall()
    os.waitpid(child, 0)
    numbers = {"a": -1, "f": 0 if path else -1}
    for start in range(0, len(words), _WORD):
        numbers[chr(words[start])] = int(words[start + 1 : start + _WORD])
    aside = _kept_aside(path)
    saved = int(open_project(path).project.title) if path else -1
    return Round(numbers["a"], numbers["f"], aside, saved)


def _kept_aside(path: Path | None) -> int:
    """Number of the edit that would be recovered, or -1; opening a broken one fails."""
    kept = [autosave_of(path)] if path else list(unsaved_folder().glob("*.zebra"))
    kept = [one for one in kept if one.exists()]
    numbers = [int(open_project(one).project.title) for one in kept]
    for one in [*([path] if path else []), *kept]:
        lock = lock_of(one)
        if not lock.tryLock(0):
            raise AssertionError(f"{one.name} is still locked by the process that was killed")
        lock.unlock()
    for one in kept:
        one.unlink()
    return max(numbers, default=-1)


def main(kills: int = 100, seed: int = 1) -> int:
    """Kill so many times. Returns the exit status."""
    rng, project = random.Random(seed), first_project(seed)  # noqa: S311 - to be repeated, not to be secret
    recovered = 0
    QCoreApplication.setApplicationName("ZEBRA")  # part of where unsaved projects are kept
    with tempfile.TemporaryDirectory() as folder:
        os.environ["XDG_DATA_HOME"] = folder
        for number in range(kills):
            path = Path(folder, "case.zebra") if number % 2 else None
            if path:
                save_project(project, path, overwrite=True)
            found = killed_once(path, project, rng)
            if found.is_lost:
                print(f"kill {number + 1}, {found}: lost")
                return 1
            recovered += found.found_aside > found.found_saved
        litter = len(list(Path(folder).rglob(".zebra-*.tmp")))
    told = f"{recovered} of them with changes to recover, {litter} half-written"
    print(f"{kills} kills while autosaving, {told}: nothing lost")
    return 0


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:])))
