"""Kill a program while it writes a report, a whole set of reports, or a figure, and look at what is left.

    python tests/faults/kill_while_exporting.py [KILLS [SEED [KIND]]]

Each round starts a process that exports over what is there already; it tells when it begins to write, and is
killed (SIGKILL) at a random moment after that. Then every file must be the whole old or the whole new one.
Exits with 1 where it is not.
"""

import datetime as dt
import os
import random
import signal
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import zebra_core.figures.matplotlib_  # the renderer comes along here once, and not in each process again
import zebra_core.files.access
import zebra_core.report.export
import zebra_core.version
from zebra_core.figures.export import save_figure
from zebra_core.figures.series import ece_figure
from zebra_core.project.demo import demo_project
from zebra_core.project.gathering.gathering import gather
from zebra_core.project.project import Project
from zebra_core.report.export import report_set, save_report

_LONGEST_WRITE = 0.03  # seconds, about as long as the files of a set take to be written
_DATES = (dt.date(2026, 11, 19), dt.date(2026, 11, 20))

Export = Callable[[Path, int], object]


def exports(project: Project) -> Mapping[str, Export]:
    """By name, what writes one of two states into a folder."""
    entry = project.entries[0]
    return {
        "report": lambda folder, state: save_report(
            gather(project), folder / "report.pdf", date=_DATES[state], overwrite=True
        ),
        "everything": lambda folder, state: report_set(
            gather(project), folder, date=_DATES[state], overwrite=True
        ),
        "figure": lambda folder, state: save_figure(
            ece_figure([entry] if state else list(project.entries)), "figure", "png", folder, overwrite=True
        ),
    }


def content_of(folder: Path) -> dict[str, bytes]:
    """Every file below the folder, but what was half-written under a name of no meaning."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and not path.name.startswith(".zebra-")
    }


def exported(export: Export, folder: Path, state: int) -> None:
    """Export in a process of its own: what comes after must not inherit the threads of a renderer."""
    child = os.fork()
    if child == 0:
        try:
            export(folder, state)
        finally:
            os._exit(0)
    os.waitpid(child, 0)


def killed_once(export: Export, folder: Path, state: int, rng: random.Random) -> None:
    """Export in a process of its own until it is killed, some time after it has begun to write."""
    began, begin = os.pipe()
    child = os.fork()
    if child == 0:
        stage = zebra_core.files.access._stage

        def telling(*given: Any) -> Path:
            os.write(begin, b".")
            return stage(*given)

        zebra_core.files.access._stage = telling
        try:
            export(folder, state)
        finally:
            os._exit(0)
    os.close(begin)
    if not os.read(began, 1):
        raise AssertionError("it ended before it wrote anything")
    time.sleep(rng.random() * _LONGEST_WRITE)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    os.close(began)


def main(kills: int = 100, seed: int = 1, only: str = "") -> int:
    """Kill so many times, each kind of export in turn. Returns the exit status."""
    rng, project = random.Random(seed), demo_project()  # noqa: S311 - to be repeated, not to be secret
    zebra_core.version.commit()  # reports tell it, and the checkout may be changed meanwhile: asked once
    mixed = 0
    kinds = [(name, export) for name, export in exports(project).items() if only in ("", name)]
    with tempfile.TemporaryDirectory() as top:
        whole = {}
        for name, export in kinds:
            for state in (0, 1):
                folder = Path(top, f"{name}{state}")
                folder.mkdir()
                exported(export, folder, state)
                whole[name, state] = content_of(folder)
        for number in range(kills):
            name, export = kinds[number % len(kinds)]
            folder, state = Path(top, f"{name}0"), number // len(kinds) % 2
            killed_once(export, folder, 1 - state, rng)
            found = content_of(folder)
            old, new = whole[name, 0], whole[name, 1]
            if broken := [one for one in old if found.get(one) not in (old[one], new[one])]:
                print(f"{name}: {broken} neither old nor new")
                return 1
            mixed += found not in (old, new)
    print(f"{kills} kills while exporting, {mixed} of them between two files: nothing lost")
    return 0


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:3]), *sys.argv[3:]))
