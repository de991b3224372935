"""A module of jobs' functions stands for itself until one of them is called."""

import subprocess
import sys

from zebra_gui.jobs.late import LateModule


def test_a_function_is_looked_for_when_it_is_called(monkeypatch):
    late = LateModule("zebra_gui.document.work").find_inputs
    monkeypatch.setattr("zebra_gui.document.work.find_inputs", lambda *given, **more: (given, more))
    assert late(1, folders=2) == ((1,), {"folders": 2})


def test_handing_one_on_imports_nothing():
    probe = (
        "import sys; from zebra_gui.session import work; from zebra_gui.document import work as other;"
        "work.with_bounds, other.save_file;"
        "sys.exit('numpy' in sys.modules or 'zebra_gui.session.work' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", probe], check=False).returncode == 0
