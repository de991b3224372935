"""What takes long happens in other threads: reading, assessing, and importing what only panes need."""

import subprocess
import sys
import threading

import numpy as np
import pytest

from zebra_core.intake.tables import columns

_STARTS_A_WINDOW = """
import gc, sys, threading, time
from PySide6.QtCore import QObject, qInstallMessageHandler
from shiboken6 import isValid
from zebra_gui.app import make_app, make_window

class Watch:
    def find_spec(self, name, path=None, target=None):
        if name in ("pandas", "scipy", "matplotlib", "typst", "zebra_gui.window.workspace"):
            print("imported:", name, threading.current_thread() is threading.main_thread())

said = []
qInstallMessageHandler(lambda _kind, _where, text: said.append(text))
sys.meta_path.insert(0, Watch())
app = make_app()
window = make_window(app)
window.session.open_demo()
while not window.session.entries:
    app.processEvents()
    time.sleep(0.005)  # it waits for a thread, which needs the interpreter
for one in gc.get_objects():
    if isinstance(one, QObject) and isValid(one) and one.thread() is not app.thread():
        print("of another thread:", one)
for text in said:
    if "thread" in text:
        print("said:", text)
window.jobs.shut_down()
"""


@pytest.fixture(scope="module")
def told():
    """What a program tells that opens the demo in a window."""
    found = subprocess.run(
        [sys.executable, "-c", _STARTS_A_WINDOW], capture_output=True, text=True, check=True, timeout=120
    )
    return found.stdout.splitlines()


def test_what_panes_need_is_imported_by_the_first_job(told):
    imported = dict(line.split()[1:] for line in told if line.startswith("imported: "))

    assert imported.keys() >= {"pandas", "scipy", "zebra_gui.window.workspace"}
    assert set(imported.values()) == {"False"}  # none in the thread of the window


def test_importing_what_panes_need_in_another_thread_makes_no_object_of_qt_there(told):
    assert [line for line in told if not line.startswith("imported: ")] == []


def test_files_are_read_and_assessed_piece_by_piece_in_another_thread(
    session, jobs, settled, tmp_path, monkeypatch
):
    """A piece holds the interpreter for a moment only; between two of them the window answers."""
    monkeypatch.setattr(columns, "_PLAIN_BYTES", 2000)
    threads = []
    parsed = columns.plain_columns
    monkeypatch.setattr(
        columns, "plain_columns", lambda *given: threads.append(threading.current_thread()) or parsed(*given)
    )
    score = np.random.default_rng(0).normal(size=1000)
    (tmp_path / "scores").write_text("".join(f"s{k % 10} u{k} {s:.6f}\n" for k, s in enumerate(score)))
    words = ["target" if k % 3 == 0 else "nontarget" for k in range(1000)]
    (tmp_path / "key").write_text("".join(f"s{k % 10} u{k} {word}\n" for k, word in enumerate(words)))
    shares = []
    jobs.changed.connect(lambda: shares.extend(job.share_done for job in jobs.waiting))

    session.load([tmp_path / "scores", tmp_path / "key"])
    settled(jobs)
    assert session.entries[0].assessment.n_target == 334
    assert len(threads) >= 12
    assert threading.main_thread() not in threads
    assert len(set(shares)) >= 8
