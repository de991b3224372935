"""What is said before anything heavy is imported."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from zebra_gui import cli, program


def test_linear_algebra_gets_one_thread_unless_somebody_says_otherwise(monkeypatch):
    seen = []
    for name in ("_end_without_a_word", "_end_tidily"):  # signals here are those of pytest
        monkeypatch.setattr(program, name, lambda: None)
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


ZEBRA = str(Path(sys.executable).with_name("zebra"))
# What whoever started the tests ignores, as nohup does, every program that they start would ignore as well.
NOTHING_IGNORED = ("env", "--default-signal") if sys.platform == "linux" else ()
ENDED_BY_CTRL_C = {-signal.SIGINT, 130}  # the second by a command, which says that it was


@pytest.mark.skipif(sys.platform == "win32", reason="signals are those of POSIX")
def test_ctrl_c_while_the_program_is_loaded_ends_it_without_a_word():
    ends = []
    for number in range(12):
        running = subprocess.Popen(
            [*NOTHING_IGNORED, ZEBRA, "selftest"], stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        time.sleep(0.05 + 0.02 * number)  # before that Python itself is loaded
        running.send_signal(signal.SIGINT)
        _, said = running.communicate(timeout=60)
        assert b"Traceback" not in said, (number, said)
        ends.append(running.returncode)
    assert set(ends) <= ENDED_BY_CTRL_C


@pytest.fixture(scope="module")
def large(tmp_path_factory):
    """Trials whose ids go into a table for a second or two."""
    folder = tmp_path_factory.mktemp("large")
    ids = [f"mueller_{one % 700} utt{one // 700}_{one % 700}" for one in range(600_000)]
    (folder / "scores").write_text("".join(f"{pair} {one % 97}.{one % 7}\n" for one, pair in enumerate(ids)))
    kinds = ("target", "nontarget", "nontarget")
    (folder / "key").write_text("".join(f"{pair} {kinds[one % 3]}\n" for one, pair in enumerate(ids)))
    return folder


ON_DISK = """
from zebra_core.engine import embedded
from zebra_gui.program import main

embedded._SMALL = 1 << 40
main()
"""
"""The program where nothing is small enough for tables that are held in memory."""


@pytest.mark.skipif(sys.platform == "win32", reason="signals are those of POSIX")
@pytest.mark.parametrize("ended", ["SIGTERM", "SIGHUP", "SIGINT", "SIGKILL"])
def test_a_program_that_is_ended_leaves_no_ids_behind(tmp_path, large, ended):
    """One that is killed leaves them to the next command, whatever it does."""
    number = getattr(signal, ended)
    environment = {**os.environ, "TMPDIR": str(tmp_path)}
    files = ("-s", str(large / "scores"), "-k", str(large / "key"))
    command = [*NOTHING_IGNORED, sys.executable, "-c", ON_DISK, "assess", *files, "--stream"]
    running = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    until = time.monotonic() + 60
    while not list(tmp_path.glob("*/trials.duckdb")) and running.poll() is None and time.monotonic() < until:
        time.sleep(0.01)
    assert list(tmp_path.glob("*/trials.duckdb"))
    running.send_signal(number)
    _, said = running.communicate(timeout=60)
    assert b"Traceback" not in said
    assert running.returncode in {128 + number, -number, 1}
    if ended == "SIGKILL":
        assert list(tmp_path.rglob("trials.duckdb"))
        subprocess.run([ZEBRA, "--version"], env=environment, capture_output=True, check=True)
    assert list(tmp_path.rglob("trials.duckdb")) == []
