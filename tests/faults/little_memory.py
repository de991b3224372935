"""A window with little memory left: files are loaded into it, and it says what came of it; see its test.

    python tests/faults/little_memory.py FOLDER MEGABYTES...

FOLDER is an empty one. For each number of MEGABYTES the process may take so many more than it has
(RLIMIT_AS), loads scores that need more, and is then used: prints one JSON object a line.
"""

import json
import os
import resource
import sys
from pathlib import Path

TOP = Path(sys.argv[1])
os.environ["XDG_DATA_HOME"] = os.environ["XDG_CONFIG_HOME"] = str(TOP)

import numpy as np

from tests.faults.kill_while_saving import first_project
from tests.soak.user import settle
from zebra_core.document.project_file import open_project, save_project
from zebra_gui.app import make_app, make_window
from zebra_gui.dialogs import Dialogs
from zebra_gui.dialogs.save import SaveChoice
from zebra_gui.faults.faults import Faults

TRIALS = 1_000_000
CASE = TOP / "case.zebra"


def write_scores() -> list[Path]:
    """Scores and their key, large enough."""
    rng = np.random.default_rng(1)
    scores = rng.normal(0.0, 1.0, TRIALS).round(6)
    names = [f"{number % 997:04} segment{number:08}" for number in range(TRIALS)]
    lines = (f"{name} {score}\n" for name, score in zip(names, scores.tolist(), strict=True))
    (TOP / "scores.txt").write_text("".join(lines))
    kinds = ("target", "nontarget", "nontarget", "nontarget")
    (TOP / "trials.txt").write_text("".join(f"{name} {kinds[n % 4]}\n" for n, name in enumerate(names)))
    return [TOP / "scores.txt", TOP / "trials.txt"]


def limit(more_mb: int | None) -> None:
    """Let the process have so much more memory than it has now; None for all there is."""
    most = resource.RLIM_INFINITY
    if more_mb is not None:
        pages = int(Path("/proc/self/statm").read_text().split()[0])
        most = pages * resource.getpagesize() + more_mb * 1_000_000
    resource.setrlimit(resource.RLIMIT_AS, (most, resource.RLIM_INFINITY))


def use(window, more_mb: int, files: list[Path]) -> dict:
    """Load the files in vain, then work with what is open."""
    items = len(window.session.items)
    limit(more_mb)
    window.open_paths(files)
    settle(window)
    limit(None)
    told = list(window.session.problems)
    window.session.dismiss_problems()
    window.session.edits.rename([window.session.items[0].id], f"after {more_mb}")
    window.session.select(window.session.items[-1].id)
    for topic in window.workspace.topics[:4]:
        window.workspace.show_topic(topic)
        settle(window)
    window.documents.save()
    settle(window)
    return {
        "told": told,
        "items": len(window.session.items) - items,
        "saved": open_project(CASE).project.items[0].name,
        "later": list(window.session.problems),
    }


def main() -> None:
    """Open a project, load again and again."""
    save_project(first_project(1), CASE)
    files = write_scores()
    window = make_window(make_app(), [CASE])
    faults = Faults(window)
    faults.happened.connect(window.session.report_failure)
    faults.install()
    window.show()
    settle(window, unasked=True)
    for more_mb in sys.argv[2:]:
        print(json.dumps(use(window, int(more_mb), files)), flush=True)
    Dialogs.ask_to_save = lambda *_: SaveChoice.DISCARD
    window.close()


main()
