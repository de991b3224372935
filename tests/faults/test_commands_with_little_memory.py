"""A command that needs more memory than there is ends in a sentence."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from zebra_core.runtime import memory
from zebra_gui.cli import main


def test_too_little_memory_is_one_sentence_and_status_1(tmp_path: Path) -> None:
    scores, key = tmp_path / "scores", tmp_path / "key"
    with scores.open("w") as score_lines, key.open("w") as key_lines:
        for number in range(600_000):
            score_lines.write(f"speaker-{number % 700} segment-{number} {number * 0.37 % 11}\n")
            key_lines.write(f"speaker-{number % 700} segment-{number} {'non' if number % 7 else ''}target\n")
    program = (
        "import resource, sys, numpy, pandas, scipy.optimize\n"
        "from zebra_gui.cli import main\n"
        "used = int(open('/proc/self/statm').read().split()[0]) * resource.getpagesize()\n"
        "resource.setrlimit(resource.RLIMIT_AS, (used + 40_000_000,) * 2)\n"
        f"main(['assess', '-s', {str(scores)!r}, '-k', {str(key)!r}])\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False, timeout=120
    )
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == (
        "zebra: error: There is not enough memory for this. Close other programs, or give fewer files at "
        "once.\n"
    )


def test_what_needs_more_memory_than_is_free_is_refused_before_the_system_ends_us(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "scores.npy"
    np.lib.format.open_memmap(path, "w+", np.int8, (200_000_000,))  # as numbers of eight bytes 1.6 GB
    monkeypatch.setattr(memory, "_lines", lambda path: ["MemAvailable: 1000000 kB"] * ("meminfo" in path))
    done = CliRunner().invoke(main, ["assess", "-s", str(path), "-k", str(path)])
    assert (done.exit_code, done.stdout) == (1, "")
    assert done.stderr.startswith("zebra: error: There is not enough memory for this.")
