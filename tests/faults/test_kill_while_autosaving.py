"""Whoever kills the program while it keeps changes aside loses none that were kept, file or no file."""

import os
import re
import subprocess
import sys
from pathlib import Path

CHECKOUT = Path(__file__).resolve().parents[2]


def test_what_was_kept_aside_is_there_whenever_the_program_is_killed() -> None:
    program = [sys.executable, "tests/faults/kill_while_autosaving.py", "8"]
    environment = {**os.environ, "PYTHONPATH": str(CHECKOUT), "QT_QPA_PLATFORM": "offscreen"}
    ended = subprocess.run(
        program, cwd=CHECKOUT, env=environment, capture_output=True, text=True, check=False
    )
    assert ended.returncode == 0, ended.stdout + ended.stderr
    told = (
        r"8 kills while autosaving, (\d+) of them with changes to recover, \d+ half-written: nothing lost\n"
    )
    found = re.fullmatch(told, ended.stdout)
    assert found
    assert int(found[1]) >= 4  # all those without a file
