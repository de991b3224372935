"""How soon the program is there: its window, its help, and both from the bundle if there is one.

Run by `make bench`. A window is there when something of it is on the screen, a virtual one (Xvfb) whose
pixels are looked at from outside. Prints the ratios and fails where one is above its limit.
"""

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from statistics import median

from benchmarks.measuring import Run, medians

ROOT = Path(__file__).resolve().parents[2]
BUNDLED = ROOT / "dist" / "bundle" / "zebra" / "zebra"
REPEATS = 5
MOST_HELP = 0.3  # of the time to import pandas alone
MOST_HELP_BUNDLED = 0.6  # the same; a large program is read first
MOST_WINDOW = 1.5  # times that of a bare window with a plot
MOST_BUNDLED = 2.0  # times that from source
SOURCE = [sys.executable, "-c", "from zebra_gui.cli import main; main()"]
PANDAS = [sys.executable, "-c", "import pandas"]
_BARE_WINDOW = """
import pyqtgraph as pg
from PySide6.QtWidgets import QApplication, QMainWindow
app = QApplication([])
window = QMainWindow()
window.setCentralWidget(pg.PlotWidget())
window.resize(1280, 800)
window.show()
app.exec()
"""
BARE = [sys.executable, "-c", _BARE_WINDOW]
_SCREEN = "1280x800x24"
_HEADER = 4096  # of the file of pixels: more than its header, less than the first lines of the screen
_PATIENCE = 60.0


@contextmanager
def screen(folder: Path) -> Iterator[tuple[str, Path]]:
    """A virtual screen: its name, and the file with its pixels."""
    read, write = os.pipe()
    command = ["Xvfb", "-displayfd", str(write), "-screen", "0", _SCREEN, "-fbdir", str(folder), "-noreset"]
    server = subprocess.Popen(command, pass_fds=[write], stderr=subprocess.DEVNULL)
    try:
        number = os.read(read, 16).decode().strip()
        yield f":{number}", folder / "Xvfb_screen0"
    finally:
        server.terminate()
        server.wait()
        os.close(read)
        os.close(write)


def is_dark(pixels: Path) -> bool:
    """Whether nothing is on the screen."""
    with pixels.open("rb") as file:
        file.seek(_HEADER)
        return not file.read().strip(b"\0")


def seconds_to_paint(command: Sequence[str]) -> float:
    """From the start of the command until something of its window is on a screen of its own."""
    with tempfile.TemporaryDirectory() as folder, screen(Path(folder)) as (display, pixels):
        environment = {**os.environ, "DISPLAY": display, "HOME": folder, "LC_ALL": "C.UTF-8"}
        environment.pop("QT_QPA_PLATFORM", None)
        environment["PYTHONPATH"] = str(ROOT)
        start = time.perf_counter()
        with subprocess.Popen(command, env=environment, stderr=subprocess.DEVNULL) as program:
            try:
                while is_dark(pixels):
                    if time.perf_counter() > start + _PATIENCE or program.poll() is not None:
                        sys.exit(f"{command[0]}: the window never came")
                    time.sleep(0.002)
                return time.perf_counter() - start
            finally:
                program.kill()


def seconds(command: Sequence[str]) -> float:
    """From the start of the command to its end."""
    start = time.perf_counter()
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    subprocess.run(command, env=environment, check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - start


def without_writing() -> tuple[Run, Run]:
    """The help where PYTHONDONTWRITEBYTECODE is set, and where it is not, in turn; the medians."""
    runs = []
    for _ in range(REPEATS + 1):
        pair = []
        for switch in ({"PYTHONDONTWRITEBYTECODE": "1"}, {}):
            others = {name: said for name, said in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
            start, before = time.perf_counter(), _processors()
            environment = {**others, **switch, "PYTHONPATH": str(ROOT)}
            subprocess.run([*SOURCE, "--help"], env=environment, check=True, stdout=subprocess.DEVNULL)
            pair.append(Run(time.perf_counter() - start, cpu=_processors() - before))
        runs.append((pair[0], pair[1]))
    return medians(runs[1:])


def _processors() -> float:
    """The seconds of processors that programs started here have taken."""
    used = os.times()
    return used.children_user + used.children_system


def tell(what: str, ours: Sequence[float], theirs: Sequence[float], yardstick: str, most: float) -> bool:
    """Print the ratio of the medians; whether it is within its limit."""
    ratio = median(ours) / median(theirs)
    print(
        f"{what}: {median(ours):.3f} s, {yardstick} {median(theirs):.3f} s, "
        f"ratio {ratio:.2f} (at most {most})"
    )
    return ratio <= most


def main() -> int:
    """In turn, so that whatever else the machine does falls on all."""
    bundled = {"bundled": [str(BUNDLED)]} if BUNDLED.exists() else {}
    windows = {"source": SOURCE, "bare": BARE, **bundled}
    helps = {name: [*command, "--help"] for name, command in {"source": SOURCE, **bundled}.items()}
    helps["pandas"] = PANDAS
    painted: dict[str, list[float]] = {name: [] for name in windows}
    helped: dict[str, list[float]] = {name: [] for name in helps}
    for repeat in range(REPEATS + 1):
        for name, command in windows.items():
            took = seconds_to_paint(command)
            if repeat:  # the first time the files come from the disk
                painted[name].append(took)
        for name, command in helps.items():
            helped[name].append(seconds(command))
    good = [
        tell("zebra --help", helped["source"], helped["pandas"], "import pandas", MOST_HELP),
        tell("first paint", painted["source"], painted["bare"], "a bare window", MOST_WINDOW),
    ]
    if BUNDLED.exists():
        good += [
            tell("first paint, bundled", painted["bundled"], painted["source"], "from source", MOST_BUNDLED),
            tell(
                "zebra --help, bundled",
                helped["bundled"],
                helped["pandas"],
                "import pandas",
                MOST_HELP_BUNDLED,
            ),
        ]
    else:
        print("no bundle here (make bundle), so its start was not measured")
    return 0 if all(good) else 1


if __name__ == "__main__":
    sys.exit(main())
