"""Close the program again and again, at any moment of what it does, and see how long it takes to be gone.

    python tests/faults/closing.py [CLOSINGS [SEED [OCCUPATION]]]

Each round runs the program, as its command does, and closes its window as a user would: every other time
with nothing under way, else in the middle of one of OCCUPATIONS. Exits with 1 where a process was still there
5 s later, and shows what its threads were doing.
"""

import faulthandler
import os
import random
import sys
import tempfile
import time
from pathlib import Path

from tests.faults.programs import ended, start

MOST_S = 5.0
_STARTS_WITHIN_S = 120.0
IDLE = "nothing"
OCCUPATIONS = (
    "opening",
    "report",
    "intervals",
    "differences",
    "export",
    "speakers",
    "saving",
    "selftest",
    "reading",
)


def main(closings: int, seed: int, only: str = "") -> int:
    """Close so many windows; the exit status."""
    rng = random.Random(seed)  # noqa: S311 - to be repeated, not to be secret
    took: dict[str, list[float]] = {}
    late = 0
    for number in range(closings):
        what = only or (IDLE if number % 2 == 0 else OCCUPATIONS[number // 2 % len(OCCUPATIONS)])
        with tempfile.TemporaryDirectory() as folder:
            seconds, said = _close_one(what, rng.random(), Path(folder))
        took.setdefault(what, []).append(seconds)
        if (number + 1) % 20 == 0:
            print(f"{number + 1} closings", flush=True)
        if seconds > MOST_S:
            late += 1
            print(f"{number}: {what}: {seconds:.1f} s\n{said}", flush=True)
    for what, times in took.items():
        print(f"{what}: {len(times)} closings, longest {max(times):.2f} s")
    print(f"{closings - late} of {closings} ended within {MOST_S:.0f} s")
    return 1 if late else 0


def _close_one(what: str, moment: float, folder: Path) -> tuple[float, str]:
    """How long the process stayed after its window was closed, in seconds, and what it said meanwhile."""
    environment = {"HOME": str(folder), "XDG_CONFIG_HOME": str(folder / "config")}
    environment["QT_QPA_PLATFORM"] = os.environ.get("QT_QPA_PLATFORM", "offscreen")
    child = start("closing", "--child", what, moment, folder, **environment)
    assert child.stdout is not None
    told = child.stdout.readline()
    end = ended(child, timeout=60.0)
    gone = float("inf") if end.returncode == -9 else time.monotonic()
    if not told.startswith("closing "):
        raise RuntimeError(f"the window was not closed: {end.stderr}")
    if end.returncode not in (0, -9):
        raise RuntimeError(f"ended with {end.returncode}: {end.stderr}")
    return gone - float(told.split()[1]), end.stderr


def _run(what: str, moment: float, folder: Path) -> None:
    """The program, in whose window somebody does something and closes it."""
    from PySide6.QtCore import QTimer
    from PySide6.QtWidgets import QApplication

    from zebra_gui.app import make_app, run
    from zebra_gui.dialogs import Dialogs
    from zebra_gui.dialogs.save import SaveChoice
    from zebra_gui.jobs.leaving import leave
    from zebra_gui.settings import settings
    from zebra_gui.window.window import Window

    make_app()
    settings().setValue("intervals_at_once", what == "intervals")
    Dialogs.ask_to_save = lambda _self, _name: SaveChoice.DISCARD  # type: ignore[method-assign]
    Dialogs.ask_folder = lambda _self, _purpose: folder  # type: ignore[method-assign]
    Dialogs.ask_place = lambda _self, _purpose, _name: folder / "a.zebra"  # type: ignore[method-assign]
    began = time.monotonic()
    begun: list[float] = []  # when it was begun to do what it is closed in the middle of

    def window() -> Window:
        return next(one for one in QApplication.topLevelWidgets() if isinstance(one, Window))

    def look() -> None:
        if time.monotonic() - began > _STARTS_WITHIN_S:
            os._exit(3)
        here = window()
        is_open = bool(here.session.items)
        if what in ("opening", "reading"):
            begun.append(time.monotonic())
        elif is_open and not begun and not here.jobs.waiting:
            _occupy(what, here)
            begun.append(time.monotonic())
        late = 3.0 * moment if what != IDLE else 0.2
        if begun and time.monotonic() - begun[0] >= late and not (what == IDLE and here.jobs.waiting):
            looking.stop()
            print(f"closing {time.monotonic()}", flush=True)
            faulthandler.dump_traceback_later(MOST_S, repeat=True)
            here.close()

    looking = QTimer()
    looking.setInterval(10)
    looking.timeout.connect(look)
    looking.start()
    files = _files_to_read(folder) if what == "reading" else []
    leave(run(files, demo=what != "reading"))


def _occupy(what: str, window: "object") -> None:
    """Begin with something that takes its time."""
    from zebra_gui.window.window import Window

    assert isinstance(window, Window)
    assert window.workspace is not None
    if what in ("report", "speakers"):
        window.workspace.show_topic(what)
    elif what == "differences":
        window.session.intervals.settle_differences()
    elif what == "export":
        window.exports.save_everything()
    elif what == "saving":
        window.session.edits.rename(window.session.items[0].id, "changed")
        window.documents.save_as()
    elif what == "selftest":
        window.dialogs.show_check(window.jobs)


def _files_to_read(folder: Path) -> list[Path]:
    """Score files that are read for a while."""
    import numpy as np

    rng = np.random.default_rng(1)
    made = folder / "scores"
    made.mkdir()
    for number in range(6):
        shift = rng.integers(0, 2, 300_000)
        lines = zip(shift, rng.normal(shift, 1.0), strict=True)
        text = "".join(
            f"e{k % 500} t{k} {score:.6f} {('nontarget', 'target')[t]}\n"
            for k, (t, score) in enumerate(lines)
        )
        (made / f"scores-{number}.txt").write_text(text)
    return [made]


if __name__ == "__main__":
    if sys.argv[1:2] == ["--child"]:
        _run(sys.argv[2], float(sys.argv[3]), Path(sys.argv[4]))
    given = sys.argv[1:]
    sys.exit(
        main(
            int(given[0]) if given else 20,
            int(given[1]) if len(given) > 1 else random.randrange(1 << 30),  # noqa: S311
            given[2] if len(given) > 2 else "",
        )
    )
