"""Whoever kills the program while it exports finds whole files: the old or the new ones."""

import os
import subprocess
import sys
from pathlib import Path

CHECKOUT = Path(__file__).resolve().parents[2]


def test_a_figure_is_old_or_new_whenever_the_program_is_killed() -> None:
    program = [sys.executable, "tests/faults/kill_while_exporting.py", "8", "1", "figure"]
    environment = {**os.environ, "PYTHONPATH": str(CHECKOUT)}
    ended = subprocess.run(
        program, cwd=CHECKOUT, env=environment, capture_output=True, text=True, check=False
    )
    assert ended.returncode == 0, ended.stdout + ended.stderr
    assert ended.stdout == "8 kills while exporting, 0 of them between two files: nothing lost\n"
