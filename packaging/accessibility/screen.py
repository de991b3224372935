"""A screen that nobody sees, the buses of accessibility, and the two programs that talk over them."""

import json
import os
import select
import subprocess
import sys
import time
from pathlib import Path

import numpy as np

from zebra_core.project.demo import demo_project
from zebra_core.project.gathering.gathering import gather
from zebra_core.report.export import made_pdf, make_report

FAULT = "fault: "  # how the window begins its answer where it could not show what it was to show
CHECKOUT = Path(__file__).resolve().parents[2]
PATH = f"{CHECKOUT}:{CHECKOUT / 'packaging'}"
_LAUNCHER = "/usr/libexec/at-spi-bus-launcher"
_SYSTEM_PYTHON = "/usr/bin/python3"  # the one that Debian's packages are for
_PATIENCE = 60.0  # seconds
_SIZE = "1366x900x24"


class Screen:
    """Xvfb, a session bus, the accessibility bus, the window and its reader; all gone at the end."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._started: list[subprocess.Popen[str]] = []
        self._environment = _private(folder)
        try:
            self._begin()
        except RuntimeError:
            self.close()
            raise

    def _begin(self) -> None:
        number = self._start(
            "Xvfb", "-displayfd", "1", "-screen", "0", _SIZE, "-nolisten", "tcp", "-fbdir", str(self._folder)
        ).stdout.readline()
        self._environment["DISPLAY"] = f":{number.strip()}"
        bus = self._start("dbus-daemon", "--session", "--print-address=1", "--nofork")
        self._environment["DBUS_SESSION_BUS_ADDRESS"] = bus.stdout.readline().strip()
        self._start(_LAUNCHER, "--launch-immediately")
        time.sleep(0.3)
        self._stage = self._start(sys.executable, "-m", "accessibility.stage", str(self._folder))
        try:
            self._read(self._stage, "ready")
        except RuntimeError as error:  # not the system's: a walk that may be left out would hide it
            sys.exit(f"The window to be walked through does not start: {error}.")
        self._walker = self._start(_SYSTEM_PYTHON, str(Path(__file__).with_name("walker.py")))
        self._read(self._walker, '"ready"')

    def show(self, line: str) -> str:
        """Have the window show something; what it answers, once it does."""
        print(line, file=self._stage.stdin, flush=True)
        answer = self._read(self._stage)
        if answer.startswith(FAULT):
            raise RuntimeError(f"{line}: {answer}")
        return answer

    def ask(self, line: str) -> object:
        """Ask the reader of the accessibility bus."""
        print(line, file=self._walker.stdin, flush=True)
        return json.loads(self._read(self._walker))

    def pixels(self) -> np.ndarray:
        """What is on the screen: rows, columns, red, green and blue."""
        raw = (self._folder / "Xvfb_screen0").read_bytes()
        header = np.frombuffer(raw, dtype=">u4", count=25).astype(int)  # an XWD file
        start, wide, high, line = header[0] + 12 * header[19], header[4], header[5], header[12]
        rows = np.frombuffer(raw, dtype=np.uint8, offset=start, count=high * line).reshape(high, line)
        return rows[:, : 4 * wide].reshape(high, wide, 4)[:, :, 2::-1]

    def close(self) -> None:
        """End what was started, the last first."""
        for process in reversed(self._started):
            process.terminate()
            try:
                process.wait(timeout=10)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()

    def _start(self, *command: str) -> subprocess.Popen[str]:
        quiet = subprocess.DEVNULL if command[0] in ("Xvfb", _LAUNCHER, "dbus-daemon") else None
        self._started.append(
            subprocess.Popen(
                command,
                env=self._environment,
                cwd=CHECKOUT,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=quiet,
                text=True,
            )
        )
        return self._started[-1]

    def _read(self, process: subprocess.Popen[str], wanted: str = "") -> str:
        while select.select([process.stdout], [], [], _PATIENCE)[0] and (line := process.stdout.readline()):
            if not wanted or line.strip() == wanted:
                return line.strip()
        raise RuntimeError(f"no answer from {process.args}, which is at {process.poll()}")


def _private(folder: Path) -> dict[str, str]:
    """An environment in which nothing of the user's is read or written."""
    places = (
        "HOME",
        "XDG_CONFIG_HOME",
        "XDG_CACHE_HOME",
        "XDG_DATA_HOME",
        "XDG_STATE_HOME",
        "XDG_RUNTIME_DIR",
    )
    made = {name: str(folder / name.lower()) for name in places}
    for path in made.values():
        Path(path).mkdir(mode=0o700)
    kept = {name: os.environ[name] for name in ("PATH", "LANG", "MPLCONFIGDIR") if name in os.environ}
    more = {"QT_QPA_PLATFORM": "xcb", "QT_LINUX_ACCESSIBILITY_ALWAYS_ON": "1", "PYTHONPATH": PATH}
    (folder / "report.pdf").write_bytes(made_pdf(make_report(gather(demo_project()))))
    return {**kept, **made, **more}
