"""What is said before anything heavy is imported."""

import os
import subprocess
import sys

from zebra_gui import cli, program


def test_linear_algebra_gets_one_thread_unless_somebody_says_otherwise(monkeypatch):
    seen = []
    monkeypatch.setattr(cli, "main", lambda _typed: seen.append(os.environ["OPENBLAS_NUM_THREADS"]))
    monkeypatch.setattr(sys, "argv", ["zebra"])
    for said in ("", "2"):
        monkeypatch.setenv("OPENBLAS_NUM_THREADS", said)
        if not said:
            del os.environ["OPENBLAS_NUM_THREADS"]
        program.main()
    assert seen == ["1", "2"]


def test_the_library_is_not_there_before_that_was_said():
    asked = "import sys; import zebra_gui.program; print('numpy' in sys.modules)"
    assert subprocess.check_output([sys.executable, "-c", asked], text=True).strip() == "False"
