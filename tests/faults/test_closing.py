"""Whoever closes the window has closed the program, whatever it was doing."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

CHECKOUT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize("occupation", ["report", "intervals", "export"])
def test_the_process_has_gone_soon_after_its_window(occupation: str) -> None:
    program = [sys.executable, "tests/faults/closing.py", "1", "1", occupation]
    environment = {**os.environ, "PYTHONPATH": str(CHECKOUT), "QT_QPA_PLATFORM": "offscreen"}
    ended = subprocess.run(
        program, cwd=CHECKOUT, env=environment, capture_output=True, text=True, check=False
    )
    assert ended.returncode == 0, ended.stdout + ended.stderr
    assert re.search(r"^1 of 1 ended within 5 s$", ended.stdout, re.MULTILINE)
