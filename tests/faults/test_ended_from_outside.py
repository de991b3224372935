"""Whoever ends the program from outside loses nothing that was not saved: it is offered at the next start."""

import signal
import subprocess
from pathlib import Path

import pytest
from PySide6.QtCore import QObject, Signal

from tests.faults.kill_while_saving import first_project
from tests.faults.programs import ended, start
from zebra_core.document.project_file import open_project, save_project
from zebra_gui.document.autosave import autosave_of, lock_of
from zebra_gui.faults.faults import Endings

MINUTE_MS = 60_000


def window_with_changes(path: Path) -> subprocess.Popen[str]:
    """The program in a process of its own, when its changes are not yet kept aside."""
    save_project(first_project(1), path)
    child = start("ended_from_outside", path, MINUTE_MS)
    assert child.stdout is not None
    assert child.stdout.readline() == "ready\n", ended(child)
    return child


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_keeps_the_changes_and_ends_the_program(tmp_path: Path, number: signal.Signals) -> None:
    path = tmp_path / "case.zebra"
    child = window_with_changes(path)
    child.send_signal(number)
    end = ended(child, timeout=60)
    assert end.returncode == -number
    assert "Traceback" not in end.stderr
    assert open_project(autosave_of(path)).project.items[0].name == "mine"
    assert not Path(lock_of(path).fileName()).exists()


def test_what_cannot_be_kept_does_not_keep_the_program_from_ending(tmp_path: Path) -> None:
    path = tmp_path / "case.zebra"
    child = window_with_changes(path)
    autosave_of(path).mkdir()  # where the changes would go
    child.terminate()
    assert ended(child, timeout=60).returncode == -signal.SIGTERM


class Desktop(QObject):
    """Tells that the session ends, as Qt's application does."""

    commitDataRequest = Signal(object)  # noqa: N815 - Qt calls it so


def test_the_end_of_the_session_keeps_the_changes(opened, case):
    desktop = Desktop()
    endings = Endings(desktop, opened.documents.keep_all, opened.documents.let_go, opened)
    opened.session.edits.rename([opened.session.items[0].id], "mine")
    desktop.commitDataRequest.emit(None)
    assert open_project(autosave_of(case)).project.items[0].name == "mine"
    assert Path(lock_of(case).fileName()).exists()  # the user may go on after all
    endings.stop()
    assert signal.getsignal(signal.SIGTERM) is signal.SIG_DFL
