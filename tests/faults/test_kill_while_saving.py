"""Whoever kills the program while it saves loses nothing: the file is the whole old or the whole new one."""

import random
import re
import signal
import time
from dataclasses import replace
from pathlib import Path

from tests.faults.forked import Program, run
from zebra_core.project.demo import demo_project
from zebra_core.saved.project_file import open_project, save_project
from zebra_gui.document.autosave import autosave_of


def test_killed_again_and_again_in_the_middle_of_edits_and_saves() -> None:
    ended = run("kill_while_saving.py", 12, 200)
    assert ended.returncode == 0, ended.stdout + ended.stderr
    found = re.fullmatch(
        r"12 kills, (\d+) of them between saves, \d+ half-written: nothing lost\n", ended.stdout
    )
    assert found
    assert int(found[1]) >= 6


def test_the_window_killed_while_it_saves_and_keeps_changes(tmp_path: Path) -> None:
    path = tmp_path / "case.zebra"
    save_project(replace(demo_project(), title="0"), path)
    child = Program("edit_in_the_window.py", path, 1)
    told_numbers = [int(child.stdout.readline()) for _ in range(4)]
    time.sleep(random.random() * 0.1)  # noqa: S311 - any moment will do
    child.kill(signal.SIGKILL)
    told_numbers += map(int, child.ended().stdout.split())
    saved = int(open_project(path).project.title)
    assert saved >= told_numbers[-1]
    if autosave_of(path).exists():
        assert int(open_project(autosave_of(path)).project.title) > 0
