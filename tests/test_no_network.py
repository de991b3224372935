"""Evidence never leaves the machine: nothing opens a connection, and the tests could not."""

import ctypes
import json
import re
import shutil
import signal
import socket
from pathlib import Path

import pytest

import zebra_resources
from tests.watched import run_watched, sockets, sockets_of_commands
from zebra_core.intake.formats import columns_process
from zebra_core.project import demo
from zebra_core.recordings import network_apart

WINDOW = """
import time
from zebra_gui.app import make_app, make_window
app = make_app()
window = make_window(app, demo=True)
window.show()
while not window.session.entries or window.jobs.waiting:
    app.processEvents()
    time.sleep(0.005)  # it waits for threads, which need the interpreter
for dock in window.workspace.pane_docks:
    dock.raise_()
    app.processEvents()
window.close()
"""


@pytest.mark.parametrize("family", [socket.AF_INET, socket.AF_INET6, socket.AF_PACKET])
def test_a_socket_that_python_does_not_hear_of_ends_the_program(family: int) -> None:
    done = run_watched(f"import ctypes\nctypes.CDLL(None).socket({int(family)}, 1, 0)")
    assert done.returncode == -signal.SIGSYS
    assert "SOCKET" not in done.stderr


def test_whatever_the_program_starts_is_watched_too() -> None:
    child = f"import ctypes\nctypes.CDLL(None).socket({int(socket.AF_INET)}, 1, 0)"
    done = run_watched(
        f"import subprocess\nsys.exit(-subprocess.run([sys.executable, '-c', {child!r}]).returncode)"
    )
    assert done.returncode == signal.SIGSYS


def test_the_watch_sees_a_socket_within_the_computer() -> None:
    assert sockets("import socket\nsocket.socket(socket.AF_UNIX).close()")


def test_the_command_line_opens_no_socket(tmp_path: Path) -> None:
    """The demo's report set is watched where it is looked at, in tests/zebra_gui/test_cli.py."""
    scores, key = tmp_path / "scores", tmp_path / "trials"
    shutil.copy(demo.FILES[1].path, scores)
    shutil.copy(zebra_resources.path(demo.KEY), key)
    report = tmp_path / "out" / "report.pdf"
    report.parent.mkdir()
    commands = (
        ("assess", "-s", scores, "-k", key, "--json"),
        ("report", tmp_path, "-o", report),
        ("verify", report, "--data", tmp_path),
    )
    told = report.with_name("told")
    assert sockets_of_commands(told, *commands) == []
    assert re.search(
        r"^All \d+ figures, files and pages are those of the evidence", told.read_text("utf-8"), re.MULTILINE
    )


def test_the_process_that_reads_hdf5_opens_no_socket() -> None:
    program = Path(columns_process.__file__).with_name("columns_apart.py")
    scores = Path(__file__).parent / "data" / "intake" / "bosaris-scores.h5"
    run = f"import runpy\nrunpy.run_path({str(program)!r}, run_name='__main__')"
    alone = f"sys.stdin = open({str(scores)!r})\n{run}"
    asked = {"format": "hdf5", "columns": ["scores"], "most": 1 << 20, "memory": 1 << 30, "seconds": 60}
    assert sockets(alone, json.dumps(asked)) == []


def test_hearing_tells_nobody_and_keeps_no_identifier(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Left to itself the library writes an identifier into the home, and soon reports to its makers."""
    for name in ("CI", "ORT_DISABLE_TELEMETRY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    assert sockets("from zebra_core.recordings.recogniser import shipped\nshipped()") == []
    assert list(tmp_path.rglob("*")) == []
    program = Path(network_apart.__file__).read_text(encoding="utf-8")
    assert program.index("ORT_DISABLE_TELEMETRY") < program.index('import_module("onnxruntime")')


def test_the_window_opens_no_socket() -> None:
    assert sockets(WINDOW) == []


def test_no_test_can_reach_another_computer() -> None:
    with pytest.raises(PermissionError):
        socket.socket()
    assert ctypes.CDLL(None).socket(socket.AF_INET6, socket.SOCK_DGRAM, 0) == -1
    with pytest.raises(RuntimeError, match="the network was asked"):
        socket.getaddrinfo("example.org", 80)
