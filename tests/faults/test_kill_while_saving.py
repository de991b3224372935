"""Whoever kills the program while it saves loses nothing: the file is the whole old or the whole new one."""

import random
import re
import time
from dataclasses import replace
from pathlib import Path

from tests.faults.programs import ended, run, start
from zebra_core.document.project_file import open_project, save_project
from zebra_core.project.demo import demo_project
from zebra_gui.document.autosave import autosave_of


def test_killed_again_and_again_in_the_middle_of_edits_and_saves() -> None:
    done = run("kill_while_saving", 12, 200)
    assert done.returncode == 0, done.stdout + done.stderr
    found = re.fullmatch(
        r"12 kills, (\d+) of them between saves, \d+ half-written: nothing lost\n", done.stdout
    )
    assert found
    assert int(found[1]) >= 6


def test_the_window_killed_while_it_saves_and_keeps_changes(tmp_path: Path) -> None:
    path = tmp_path / "case.zebra"
    save_project(replace(demo_project(), title="0"), path)
    child = start("edit_in_the_window", path, 1)
    assert child.stdout is not None
    told_numbers = [int(child.stdout.readline()) for _ in range(4)]
    time.sleep(random.random() * 0.1)  # noqa: S311 - any moment will do
    child.kill()
    told_numbers += map(int, ended(child).stdout.split())
    saved = int(open_project(path).project.title)
    assert saved >= told_numbers[-1]
    if autosave_of(path).exists():
        assert int(open_project(autosave_of(path)).project.title) > 0
