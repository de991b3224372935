"""Kill a program that edits and saves a project, at random moments, and look at what is left.

    python tests/faults/kill_while_saving.py [KILLS [EDITS [SEED]]]

Each round starts a process that makes EDITS random edits and saves after each one, and tells on a pipe which
saves are done; the process is killed (SIGKILL) at a random moment. Then the file must be a whole project: the
one last saved, or the one that was being saved. Exits with 1 where it is not.
"""

import os
import random
import signal
import sys
import tempfile
import time
from dataclasses import replace
from pathlib import Path

import numpy as np

from zebra_core.document.project_file import open_project, save_project
from zebra_core.evidence.trials import Trials
from zebra_core.metrics.assessment import assess
from zebra_core.project.items import Entry
from zebra_core.project.project import Project

_LONGEST_LIFE = 0.5  # seconds: about as long as 200 edits and saves take


def first_project(seed: int) -> Project:
    """Assessments of different sizes, so that some saves take longer than others."""
    rng = np.random.default_rng(seed)
    trials = (Trials.from_scores(rng.normal(1, 1, n), rng.normal(0, 1, 4 * n)) for n in (50, 500, 2000))
    return Project("0", tuple(Entry(f"B{n}", one, assess(one)) for n, one in enumerate(trials)))


def edited(project: Project, rng: random.Random, number: int) -> Project:
    """One random edit; the title counts them."""
    item = rng.choice(project.items)
    change = rng.choice(
        [
            lambda: project.replacing(replace(item, name="n" * rng.randrange(200))),
            lambda: project.replacing(replace(item, notes=rng.randbytes(rng.randrange(2000)).hex())),
            lambda: project.without([item.id]) if len(project.items) > 1 else project,
            lambda: (
                project.with_items(replace(item, id=f"copy{number}")) if len(project.items) < 6 else project
            ),
        ]
    )
    return replace(change(), title=str(number))


def edit_and_save(path: Path, project: Project, edits: int, seed: int, done: int) -> None:
    """What the process does that is going to be killed."""
    rng = random.Random(seed)  # noqa: S311 - to be repeated, not to be secret
    for number in range(1, edits + 1):
        project = edited(project, rng, number)
        save_project(project, path)
        os.write(done, number.to_bytes(4, "little"))


def killed_once(path: Path, project: Project, edits: int, rng: random.Random) -> tuple[int, int]:
    """Number of the last save that was told as done, and of the one that is in the file."""
    save_project(project, path)
    told, done = os.pipe()
    seed = rng.randrange(1 << 30)
    child = os.fork()
    if child == 0:
        try:
            edit_and_save(path, project, edits, seed, done)
        finally:
            os._exit(0)
    os.close(done)
    time.sleep(rng.random() * _LONGEST_LIFE)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    with os.fdopen(told, "rb") as pipe:
        numbers = pipe.read()
    last_told = int.from_bytes(numbers[-4:], "little") if numbers else 0
    return last_told, int(open_project(path).project.title)


def main(kills: int = 100, edits: int = 200, seed: int = 1) -> int:
    """Kill so many times. Returns the exit status."""
    rng, project = random.Random(seed), first_project(seed)  # noqa: S311 - to be repeated, not to be secret
    in_the_middle = 0
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "case.zebra")
        for _ in range(kills):
            told, found = killed_once(path, project, edits, rng)
            if found not in (told, told + 1):
                print(f"save {told} was done, but the file holds {found}")
                return 1
            in_the_middle += 0 < told < edits
        litter = [name for name in os.listdir(folder) if name != path.name]  # noqa: PTH208
    print(f"{kills} kills, {in_the_middle} of them between saves, {len(litter)} half-written: nothing lost")
    return 0


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:])))
