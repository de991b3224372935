"""The application, also in a real window on a real X server."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from PySide6.QtCore import QSize
from PySide6.QtGui import QFileOpenEvent, QGuiApplication, QImage
from PySide6.QtWidgets import QStyle

import zebra_resources
from tests.programs import needed
from zebra_core.project import demo
from zebra_core.project.project import Project
from zebra_core.project.reading.reading import assess_files
from zebra_core.version import VERSION
from zebra_gui.app import FileRequests, fit_to_screen, make_app, make_window

NO_NETWORK = Path(__file__).parents[1] / "no_network.py"  # ends whatever asks another computer

# Opens the window on the demo, waits until it is assessed, saves a picture, and tells what it shows.
SCRIPT = """
import json, sys
from PySide6.QtCore import QTimer
from PySide6.QtGui import QGuiApplication
from zebra_gui.app import make_app, make_window

app = make_app()
window = make_window(app, demo=True)
window.show()

def look():
    if window.workspace is None or window.jobs.waiting or len(window.session.entries) < 4:
        QTimer.singleShot(20, look)
        return
    window.workspace.show_topic("overview")
    worst_case = window.workspace.pane("overview").worst_case
    first = worst_case.number.text()
    window.session.select(window.session.entries[2].id)
    tell(first)

def tell(first):
    overview = window.workspace.pane("overview")
    if overview.worst_case.number.text() == first or window.session.drawing.is_busy:
        QTimer.singleShot(20, lambda: tell(first))  # panes show what changed before they are painted
        return
    window.grab().save(sys.argv[1])
    print(json.dumps({
        "platform": QGuiApplication.platformName(),
        "tag": overview.worst_case.badge.tag,
        "worst case": overview.worst_case.number.text(),
        "problems": window.session.problems,
    }))
    window.close()

QTimer.singleShot(0, look)
sys.exit(app.exec())
"""

# Which heavy modules the window brought along before it was shown.
START = """
import sys
from zebra_gui.app import make_app, make_window
make_window(make_app()).show()
print(*sorted({"scipy", "pandas", "matplotlib", "typst"} & set(sys.modules)))
"""

RUN = """
import sys
from PySide6.QtCore import QTimer
from zebra_gui.app import run
from zebra_gui.window.window import Window

show = Window.show
def show_and_close(window):
    show(window)
    QTimer.singleShot(0, window.close)
Window.show = show_and_close
sys.exit(run([], demo=True))
"""


def test_the_application_says_who_it_is(qtbot):
    app = make_app()

    assert app.applicationName() == "ZEBRA"
    assert app.applicationVersion() == VERSION
    assert QGuiApplication.desktopFileName() == "zebra"
    assert not app.windowIcon().isNull()
    assert app.style().name() in ("fusion", "")  # nameless under a style sheet


def test_files_given_are_as_if_dropped(window, qtbot, settled, scores, key):
    another = make_window(make_app(), [scores["B2"], key])
    qtbot.addWidget(another)
    settled(another.jobs)

    assert another.session.selected.assessment.tag == "C"
    another.close()


def test_a_window_has_room_on_its_screen_with_its_title_bar(window):
    room = window.screen().availableSize()
    title = window.style().pixelMetric(QStyle.PixelMetric.PM_TitleBarHeight)
    window.resize(room + QSize(200, 0))
    fit_to_screen(window)
    assert title > 0
    assert window.size() == room - QSize(0, title)

    window.resize(760, 520)
    fit_to_screen(window)
    assert window.size() == QSize(760, 520)


def test_what_macos_asks_to_open_is_opened(window, settled, case):
    app = QGuiApplication.instance()
    requests = FileRequests(window)
    app.installEventFilter(requests)
    QGuiApplication.sendEvent(app, QFileOpenEvent(str(case)))
    app.removeEventFilter(requests)
    settled(window.jobs)

    assert len(window.session.entries) == 4


def test_nothing_heavy_is_loaded_before_the_window_shows():
    done = subprocess.run(
        [sys.executable, "-c", START], capture_output=True, text=True, timeout=60, check=True
    )

    assert done.stdout.split() == []


def test_it_runs_until_the_window_is_closed():
    done = subprocess.run(
        [sys.executable, "-c", RUN], capture_output=True, text=True, timeout=60, check=False
    )

    assert (done.returncode, done.stdout) == (0, "")
    assert set(done.stderr.splitlines()) <= {"This plugin does not support propagateSizeHints()"}


BROKEN_START = """
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication, QLabel
from zebra_gui import app
from zebra_gui.commands.terminal import one_sentence

def tell(shown):
    for label in shown.findChildren(QLabel):
        print(label.text())
    print(shown.report.toPlainText())
    shown.accept()

def fail(*_):
    QTimer.singleShot(0, lambda: tell(QApplication.activeModalWidget()))
    raise ZeroDivisionError("/home/anna")

app.fit_to_screen = fail
one_sentence(app.run)([])
"""


def test_a_fault_before_the_window_is_there_is_shown_and_ends_the_program(tmp_path):
    own = {name: str(tmp_path) for name in ("XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME")}
    done = subprocess.run(
        [sys.executable, "-c", BROKEN_START],
        env={**os.environ, **own},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )

    assert "stopped it before its window was open (ZeroDivisionError)" in done.stdout
    assert "The same is in the logs in " in done.stdout
    assert "anna" not in done.stdout
    assert (
        "zebra: error: This is a fault in the program, not in your files (ZeroDivisionError at "
        in done.stderr
    )
    assert done.returncode == 3
    assert "the window could not be opened\nZeroDivisionError" in (
        tmp_path / "ZEBRA" / "logs" / "zebra.log"
    ).read_text(encoding="utf-8")


@pytest.fixture
def display():
    """A screen of our own, as long as the test lasts."""
    process = subprocess.Popen(
        [needed("Xvfb"), "-displayfd", "1", "-screen", "0", "1280x800x24", "-nolisten", "tcp"],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    number = process.stdout.readline().strip()
    yield f":{number}"
    process.terminate()
    process.wait(10)
    process.stdout.close()


def test_a_real_window_shows_the_demo(display, tmp_path):
    picture = tmp_path / "window.png"
    # How another test left a window must not be found again here: another pane may have been in front.
    own = {name: str(tmp_path) for name in ("XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME")}
    done = subprocess.run(
        [sys.executable, NO_NETWORK, sys.executable, "-W", "error", "-c", SCRIPT, picture],
        env={**os.environ, **own, "DISPLAY": display, "QT_QPA_PLATFORM": "xcb"},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )

    assert done.stderr == ""
    assert json.loads(done.stdout) == {"platform": "xcb", "tag": "C", "worst case": "2.4", "problems": []}
    assert done.returncode == 0
    image = QImage(str(picture))
    assert (image.width(), image.height()) == (1280, 800)
    colours = {image.pixelColor(x, y).name() for x in range(0, 1280, 4) for y in range(0, 800, 4)}
    assert {"#ffffff", "#f4f5f7", "#b35900", "#0072b2"} <= colours


def test_what_was_assessed_already_is_shown_as_it_is(qtbot):
    """`zebra assess -p` shows the very assessment it printed, under its label."""
    entry = assess_files(demo.FILES[2].path, zebra_resources.path(demo.KEY), name="my label")
    window = make_window(make_app(), project=Project().with_items(entry))
    window.show()

    assert window.session.selected is entry
    qtbot.waitUntil(lambda: not window.jobs.waiting)  # the answer and its picture
    assert window.session.selected.assessment is entry.assessment
    assert window.workspace.isVisible()
    window.close()
    window.deleteLater()
