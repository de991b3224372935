"""Whoever kills the program while it saves loses nothing: the file is the whole old or the whole new one."""

import os
import random
import re
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

from zebra_core.project.demo import demo_project
from zebra_core.saved.project_file import open_project, save_project
from zebra_gui.document.autosave import autosave_of

CHECKOUT = Path(__file__).resolve().parents[2]


def test_killed_again_and_again_in_the_middle_of_edits_and_saves() -> None:
    program = [sys.executable, "tests/faults/kill_while_saving.py", "12", "200"]
    environment = {**os.environ, "PYTHONPATH": str(CHECKOUT)}
    ended = subprocess.run(
        program, cwd=CHECKOUT, env=environment, capture_output=True, text=True, check=False
    )
    assert ended.returncode == 0, ended.stdout + ended.stderr
    found = re.fullmatch(
        r"12 kills, (\d+) of them between saves, \d+ half-written: nothing lost\n", ended.stdout
    )
    assert found
    assert int(found[1]) >= 6


def test_the_window_killed_while_it_saves_and_keeps_changes(tmp_path: Path) -> None:
    path = tmp_path / "case.zebra"
    save_project(replace(demo_project(), title="0"), path)
    told, done = os.pipe()
    program = [sys.executable, "tests/faults/edit_in_the_window.py", str(path), "1", str(done)]
    environment = {**os.environ, "PYTHONPATH": str(CHECKOUT), "QT_QPA_PLATFORM": "offscreen"}
    child = subprocess.Popen(program, cwd=CHECKOUT, env=environment, pass_fds=[done])
    os.close(done)
    with os.fdopen(told) as pipe:
        told_numbers = [int(pipe.readline()) for _ in range(4)]
        time.sleep(random.random() * 0.1)  # noqa: S311 - any moment will do
        child.kill()
        child.wait()
        told_numbers += map(int, pipe.read().split())
    saved = int(open_project(path).project.title)
    assert saved >= told_numbers[-1]
    if autosave_of(path).exists():
        assert int(open_project(autosave_of(path)).project.title) > 0
