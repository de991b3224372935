"""Every test runs without a screen, away from the user's home, and leaves nothing running."""

import ctypes
import gc
import inspect
import linecache
import os
import sys
import tempfile
import threading
import weakref
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest
from hypothesis import settings
from PySide6.QtCore import QCoreApplication, QEvent, QThread, QThreadPool, QTimer
from PySide6.QtWidgets import QApplication
from shiboken6 import isValid

from tests.no_network import forbid_network
from tests.programs import MISSING
from tests.settings_folder import keep_settings_in
from zebra_gui.faults.faults import make_exceptions_whole
from zebra_gui.jobs.memory_trimmer import collect_due

# The same examples every time: a test tells about the code, and not about chance or the machine.
settings.register_profile("same", derandomize=True, deadline=None)
settings.load_profile("same")
settings.register_profile("quick", settings.get_profile("same"), max_examples=10)  # make quick

# Before any QApplication is made; a test in a real window sets its own for a process of its own.
os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
os.environ["ZEBRA_LANGUAGE"] = "en"  # whatever the language of whoever runs them


def _refuse_network(event: str, arguments: tuple) -> None:
    """Any attempt of a test, or of a library in it, to reach another computer fails it."""
    if event in ("socket.getaddrinfo", "socket.gethostbyname", "socket.gethostbyaddr"):
        raise RuntimeError(f"the network was asked: {event} {arguments}")
    is_used = event in ("socket.connect", "socket.bind", "socket.sendto") and isinstance(arguments[1], tuple)
    if is_used and not (
        sys.platform == "win32" and arguments[1][0] == "127.0.0.1"
    ):  # asyncio wakes itself so
        raise RuntimeError(f"the network was used: {event} {arguments[1]}")


sys.addaudithook(_refuse_network)
if sys.platform == "linux":
    forbid_network(kill=False)  # nor may libraries in C and Rust, of which Python hears nothing

_CHECKOUT = Path(__file__).resolve().parent.parent
sys.path.append(str(_CHECKOUT / "packaging"))  # its programs import each other by their own names
_home = tempfile.TemporaryDirectory(prefix="zebra-tests-")
for _variable, _folder in {
    "HOME": "",
    "USERPROFILE": "",
    "XDG_CONFIG_HOME": "config",
    "XDG_CACHE_HOME": "cache",
    "XDG_DATA_HOME": "data",
    "XDG_STATE_HOME": "state",
    "XDG_RUNTIME_DIR": "run",
}.items():
    _path = Path(_home.name, _folder)
    _path.mkdir(mode=0o700, exist_ok=True)
    os.environ[_variable] = str(_path)
# matplotlib's list of fonts takes seconds to make, so this one is kept from run to run.
os.environ["MPLCONFIGDIR"] = str(_CHECKOUT / ".cache" / "matplotlib")


# What the tests start by the hundred, and the tests themselves, are compiled once, whatever the shell says.
sys.dont_write_bytecode = False
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

# As in the program, whose first step it is: a fault in a method that Qt calls must not end the tests.
make_exceptions_whole()

# As in the program: a thread of a job that collected a widget would wait for Qt while Qt waits for Python.
gc.disable()


@pytest.hookimpl(tryfirst=True)
def pytest_xdist_auto_num_workers(config: pytest.Config) -> int | None:
    """None for one file, as their start takes seconds, or where output is watched; else xdist decides."""
    is_watched = config.option.capture == "no" or config.option.trace
    is_one = len(config.args) == 1 and not Path(config.args[0]).is_dir()
    return 0 if is_watched or is_one else None


# What a test says of a system other than Windows, and why it says nothing there.
_NOT_OF_WINDOWS = {
    "mkfifo(": "Windows has no pipes in folders",
    "AF_UNIX": "Windows has no sockets in folders",
    '"/dev/': "Windows has no devices in folders",
    '"/proc/': "Windows has no /proc",
    "symlink_to(": "to make a link, Windows wants an administrator",
    "chmod(": "Windows has no such modes",
    "umask(": "Windows has no such modes",
    "mode_of(": "Windows has no such modes",
    "dir_fd=": "Windows opens no folders",
    "import resource": "Windows has no such limits",
    "SIGKILL": "Windows has no such signal",
    "SIGSTOP": "Windows has no such signal",
    r"\udcff": "Windows has no such names",
    "#!/bin/sh": "Windows has no such shell",
    '"sha256sum"': "Windows has no such program",
    "tzset(": "Windows takes no zone of time from its environment",
    "growth_mb(": "only the C library of GNU tells how much it has given away",
}
if sys.platform == "win32" and hasattr(ctypes.WinDLL("ntdll"), "wine_get_version"):
    unbounded = "limit_time(", "_CPU_SECONDS", "far more memory", "refusal(content) == MEMORY"
    _NOT_OF_WINDOWS |= dict.fromkeys(unbounded, "Wine ends nothing that takes more than its job allows")
    _NOT_OF_WINDOWS["top.resolve()"] = "Wine resolves no path above 260 characters"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """On Windows a test that names what only other systems have is skipped, and says what that is."""
    for item in items if sys.platform == "win32" else ():
        source = _source(item) if isinstance(item, pytest.Function) else ""
        for named, reason in _NOT_OF_WINDOWS.items():
            if named in source:
                item.add_marker(pytest.mark.skip(reason=reason))
    linecache.clearcache()  # each example in a text would look whether these files have changed


def _source(item: pytest.Function) -> str:
    """What the test says, and what the fixtures of its file say that it asks for."""
    asked = [made[-1].func for made in item._fixtureinfo.name2fixturedefs.values()]
    own = [one for one in asked if one.__module__ == item.module.__name__]
    return "".join(map(inspect.getsource, [item.function, *own]))


def pytest_collection_finish() -> None:
    """Modules stay: to look through them for garbage takes most of a second each time."""
    gc.collect()
    gc.freeze()


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> Iterator[None]:
    """Tests that were left out because a program is missing are named last, and loudly."""
    yield
    skipped = [str(report.longrepr) for report in terminalreporter.stats.get("skipped", ())]
    if count := sum(MISSING in reason for reason in skipped):
        terminalreporter.section("PROGRAMS ARE MISSING", red=True, bold=True)
        terminalreporter.line(
            f"{count} tests were NOT run. `make test-setup` installs what they need.", red=True
        )


@pytest.hookimpl(trylast=True)
def pytest_runtest_teardown() -> None:
    """What a test threw away is collected here, by the generations that are due."""
    collect_due()


_numbers = count()


@pytest.fixture(autouse=True)
def own_settings() -> None:
    """Each test begins without saved settings; Qt makes the folder where something is saved."""
    keep_settings_in(Path(_home.name, "settings", str(next(_numbers))))


@pytest.fixture(autouse=True)
def nobody_asks() -> Iterator[None]:
    """A question in a box would stop a test for ever: changes are not saved unless a test says so."""
    from zebra_gui.dialogs import Dialogs
    from zebra_gui.dialogs.save import SaveChoice

    with pytest.MonkeyPatch.context() as patch:  # not that of the test, which may undo its own
        patch.setattr(Dialogs, "ask_to_save", lambda _self, _name: SaveChoice.DISCARD)
        yield


@pytest.fixture(autouse=True)
def nothing_stays_alive(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A test of the window fails if it leaves a window, a timer or a thread behind."""
    if "qapp" not in request.fixturenames:
        yield
        return

    started = weakref.WeakSet()  # what Python lets go of, Qt's wrappers included, is not left behind
    for kind in (QThread, QTimer):
        monkeypatch.setattr(kind, "start", _recording(kind.start, started))
    threads_before = set(threading.enumerate())
    windows_before = set(QApplication.topLevelWidgets())

    yield

    pool_is_idle = QThreadPool.globalInstance().waitForDone(2000)
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    if _visible_windows() - windows_before or any(map(_is_alive, started)):
        gc.collect()  # perhaps only a cycle keeps it
    left = [*(_visible_windows() - windows_before), *filter(_is_alive, started)]
    for thread in set(threading.enumerate()) - threads_before:
        # Threads of Qt that ran Python code are seen as dummies for ever.
        if not thread.daemon:
            thread.join(timeout=2)
            left += [thread] if thread.is_alive() else []
    assert pool_is_idle, "the test left work in the thread pool"
    assert not left, f"the test left behind: {left}"


def _recording(start, started):
    def start_and_record(self, *args):
        started.add(self)
        return start(self, *args)

    return start_and_record


def _is_alive(thing: QThread | QTimer) -> bool:
    return isValid(thing) and (thing.isRunning() if isinstance(thing, QThread) else thing.isActive())


def _visible_windows() -> set:
    return {window for window in QApplication.topLevelWidgets() if window.isVisible()}
