"""A clock that stands still or goes backwards, and locks of those who are gone: nothing is lost or shut."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from zebra_core.document.project_file import open_project
from zebra_gui.document.autosave import Leftovers, autosave_of, lock_of

LONG_AGO = 1.0  # seconds since 1970


def test_changes_left_behind_stay_apart_although_the_clock_stands_still(qtbot, tmp_path, monkeypatch):
    monkeypatch.setattr("time.time", lambda: LONG_AGO)
    monkeypatch.setattr("time.time_ns", lambda: 1)
    path, leftovers = tmp_path / "case.zebra", Leftovers()
    for content in ("first", "second", "third"):
        autosave_of(path).write_text(content)
        os.utime(autosave_of(path), (LONG_AGO, LONG_AGO))
        leftovers.look_beside(path)

    kept = set()
    while leftovers.offered:
        kept.add(leftovers.offered.read_text())
        leftovers.discard()
    assert kept == {"first", "second", "third"}


def test_an_autosave_that_seems_older_than_its_project_is_offered(window, settled, case):
    autosave_of(case).write_bytes(case.read_bytes())
    os.utime(autosave_of(case), (LONG_AGO, LONG_AGO))
    window.open_paths([case])
    settled(window.jobs)
    assert window.recovery_bar.isVisible()
    assert "1970" in window.recovery_bar.text.text() or "/70" in window.recovery_bar.text.text()


def test_a_project_from_the_future_is_saved_over_by_its_own_window(opened, settled, case, answers):
    rename(opened)
    opened.documents.save()
    settled(opened.jobs)
    os.utime(case, (4e9, 4e9))  # somebody touched it: that counts as changed, whatever the direction
    rename(opened, "again")
    asked = []
    answers["project"] = asked.append
    opened.documents.save()
    assert len(asked) == 1
    assert "changed by another program" in opened.session.problems[0]


@pytest.mark.parametrize("seconds", [-1e6, 1e6], ids=["future", "past"])
def test_a_lock_counts_by_its_holder_and_not_by_its_age(opened, settled, another_window, case, seconds):
    lock = Path(lock_of(case).fileName())
    then = lock.stat().st_mtime - seconds
    os.utime(lock, (then, then))
    second = another_window()
    second.open_paths([case])
    settled(second.jobs)
    assert second.locked_bar.isVisible()


def test_the_lock_of_a_process_that_was_killed_is_none(window, settled, case):
    program = (
        "import sys, pathlib; from zebra_gui.document.autosave import lock_of;"
        "lock = lock_of(pathlib.Path(sys.argv[1])); print(lock.tryLock(0), flush=True); sys.stdin.read()"
    )
    child = subprocess.Popen(
        [sys.executable, "-c", program, str(case)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        cwd=Path(__file__).parents[2],
    )
    assert child.stdout.readline() == "True\n"
    assert not lock_of(case).tryLock(0)
    child.kill()
    child.communicate()
    assert Path(lock_of(case).fileName()).exists()

    window.open_paths([case])
    settled(window.jobs)
    assert not window.locked_bar.isVisible()


@pytest.mark.parametrize(
    ("written", "holder"),
    [
        (
            f"{os.getpid()}\nzebra\nanother-computer\n\n\n",
            f"by zebra, process {os.getpid()}, on another-computer",
        ),
        ("7\n<img src=x>\n<b>&\u202ehost\n\n\n", "by <img src=x>, process 7, on <b>&\\u202ehost"),
        ("", "in another program"),
        ("\0\x1b[31m nonsense", "in another program"),
    ],
    ids=["another host", "hostile names", "empty", "nonsense"],
)
def test_a_lock_that_may_hold_is_told_and_the_user_decides(window, settled, case, written, holder):
    lock = Path(lock_of(case).fileName())
    lock.write_text(written)
    os.utime(lock, (LONG_AGO, LONG_AGO))  # its holder may be at work for days
    window.open_paths([case])
    settled(window.jobs)
    told = window.locked_bar.text.text()
    assert told == (
        f"“case.zebra” is open elsewhere ({holder}). You can look at it, and save it under another name."
    )

    window.locked_bar.button.click()
    assert not window.locked_bar.isVisible()
    rename(window)
    window.documents.save()
    settled(window.jobs)
    assert open_project(case).project.items[0].name == "mine"


def rename(window, name="mine"):
    window.session.edits.rename([window.session.items[0].id], name)
