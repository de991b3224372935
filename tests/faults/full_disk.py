"""A window on a full disk: it saves, keeps changes aside and exports, and says what came of it; see its test.

    python tests/faults/full_disk.py FOLDER ROOM [no-mount]

FOLDER is an empty one, ROOM how many bytes are left for what is written; with no-mount files may not grow
beyond them. Prints one JSON object: whether the disk is a real one, for each thing that was tried what was
told and what changed in the folder, and how it ended when there was room again.
"""

import json
import os
import sys
from functools import partial
from hashlib import sha256
from pathlib import Path

from tests.faults.small_disk import SmallDisk

TOP, ROOM = Path(sys.argv[1]), int(sys.argv[2])
disk = SmallDisk(TOP, 24 << 20, may_mount="no-mount" not in sys.argv)  # before anything starts a thread
os.environ["XDG_DATA_HOME"] = os.environ["XDG_CONFIG_HOME"] = str(TOP.parent)

from click.testing import CliRunner
from PySide6.QtWidgets import QApplication

import zebra_resources
from tests.faults.kill_while_saving import first_project
from tests.soak.user import settle
from zebra_core.document.project_file import save_project
from zebra_core.figures.export import EXTENSIONS
from zebra_core.project.demo import FILES, KEY
from zebra_core.project.gathering.gathering import gather
from zebra_core.report.export import report_set
from zebra_gui.app import make_app, make_window
from zebra_gui.cli import main as main_command
from zebra_gui.dialogs import Dialogs
from zebra_gui.dialogs.save import SaveChoice

CASE, NEW_FOLDER, OLD_FOLDER = TOP / "case.zebra", TOP / "new", TOP / "old"


def try_everything() -> None:
    """Open, fill the disk, try everything, make room, save."""
    project = first_project(1)
    project = project.without(item.id for item in project.items[1:])
    save_project(project, CASE)
    for kind in EXTENSIONS:
        (TOP / f"figure.{kind}").write_text("old")
    (TOP / "report.pdf").write_text("old")
    NEW_FOLDER.mkdir()
    report_set(gather(project), OLD_FOLDER)
    window = make_window(make_app(), [CASE])
    window.show()
    settle(window)
    window.workspace.show_topic("overview")  # which has a picture to save
    tried = {name: outcome(window, act) for name, act in actions(window).items()}
    disk.empty()
    window.session.dismiss_problems()
    window.documents.save()
    settle(window)
    ended = {"problems": list(window.session.problems), "modified": window.isWindowModified()}
    Dialogs.ask_to_save = lambda *_: SaveChoice.DISCARD
    window.close()
    print(json.dumps({"is_real": disk.is_real, "tried": tried, "ended": ended}))


def actions(window) -> dict:
    """By name, what writes something."""
    window.documents.autosave._timer.start = lambda: None  # it is tried by itself

    def answer(question: str, given, act):
        def asked_and_done() -> None:
            setattr(Dialogs, question, lambda *_: given)
            act()

        return asked_and_done

    exports, demo = window.exports, FILES[1].path
    assessed = (
        "-s",
        demo,
        "-k",
        zebra_resources.path(KEY),
        "-l",
        "B1",
        "-e",
        "png",
    )
    figures = {
        f"figure.{kind}": answer("ask_place", TOP / f"figure.{kind}", window.export_menu.save_picture)
        for kind in EXTENSIONS
    }
    return {
        "autosave": window.documents.autosave.keep_now,
        "save": window.documents.save,
        "save elsewhere": answer("ask_place", TOP / "mine.zebra", window.documents.save_as),
        **figures,
        "report.pdf": answer("ask_place", TOP / "report.pdf", exports.save_report),
        "everything, new": answer("ask_folder", NEW_FOLDER, exports.save_everything),
        "zebra report": partial(command, window, "report", CASE, "-o", OLD_FOLDER, "--overwrite"),
        "zebra compare": partial(command, window, "compare", CASE, "-o", NEW_FOLDER / "compared"),
        "zebra assess": partial(command, window, "assess", *assessed, "-o", NEW_FOLDER),
    }


def command(window, *arguments) -> None:
    """A command without a window; what it says is what is told."""
    done = CliRunner().invoke(main_command, [str(one) for one in arguments])
    window.session.report_problem(f"{done.exit_code}: {done.stderr.splitlines()[-1]}")


def outcome(window, act) -> dict:
    """What was told when this was tried with the disk full, and which files are not as before."""
    disk.empty()
    window.session.dismiss_problems()
    window.session.edits.note(window.session.items[0].id, f"{act}")
    before = content()
    disk.fill(ROOM)
    act()
    settle(window)
    QApplication.processEvents()
    after = content()
    changed = sorted(name for name in before.keys() | after.keys() if before.get(name) != after.get(name))
    return {"told": list(window.session.problems), "changed": changed}


def content() -> dict[str, str]:
    """Every file, by its path, with its digest; folders without one."""
    return {
        str(path.relative_to(TOP)): sha256(path.read_bytes()).hexdigest() if path.is_file() else ""
        for path in TOP.rglob("*")
        if path.name != ".filler"
    }


try_everything()
