"""Memory that runs out while files are loaded: a sentence says so, and what was open goes on."""

import json
import os
import subprocess
import sys
from pathlib import Path

CHECKOUT = Path(__file__).resolve().parents[2]
SENTENCE = (
    "There is not enough memory for this. What was open still is; close other programs, or open fewer files "
    "at once."
)


def test_scores_that_need_more_memory_than_there_is(tmp_path: Path) -> None:
    program = [sys.executable, "tests/faults/little_memory.py", str(tmp_path), "20", "120"]
    environment = {**os.environ, "PYTHONPATH": str(CHECKOUT), "QT_QPA_PLATFORM": "offscreen"}
    ended = subprocess.run(
        program, cwd=CHECKOUT, env=environment, capture_output=True, text=True, check=False
    )
    assert ended.returncode == 0, ended.stderr
    assert [json.loads(line) for line in ended.stdout.splitlines()] == [
        {"told": [SENTENCE], "items": 0, "saved": f"after {most}", "later": []} for most in (20, 120)
    ]
