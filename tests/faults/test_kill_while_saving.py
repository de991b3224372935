"""Whoever kills the program while it saves loses nothing: the file is the whole old or the whole new one."""

import os
import re
import subprocess
import sys
from pathlib import Path

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
