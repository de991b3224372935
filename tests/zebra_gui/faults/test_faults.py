"""Exceptions that nobody caught are shown once, and the program goes on."""

import logging
import subprocess
import sys
import threading
import weakref

import pytest

from zebra_gui.faults.faults import Faults, message_of


@pytest.fixture
def faults(qtbot, caplog):
    caplog.set_level(logging.CRITICAL + 1)
    faults = Faults()
    faults.told, faults.told_again = [], []
    faults.happened.connect(faults.told.append)
    faults.happened_again.connect(faults.told_again.append)
    return faults


def test_a_fault_is_told_once(qtbot, faults):
    error = ValueError("broken")
    for _ in range(100):
        faults.catch(ValueError, error, None)

    qtbot.waitUntil(lambda: bool(faults.told))
    assert faults.told == [error]


def test_a_fault_that_comes_back_after_some_quiet_is_told_again(qtbot, faults, monkeypatch):
    """A click that does nothing for the second time must not do so in silence; painting must not cry."""
    clock = 0.0
    monkeypatch.setattr("time.monotonic", lambda: clock)
    for clock in (0.0, 4.9, 9.8, 14.8, 14.9):
        faults.catch(ValueError, ValueError(clock), None)
        faults.catch(*fault(clock, here))

    qtbot.waitUntil(lambda: len(faults.told_again) == 1)
    assert [error.args for error in faults.told_again] == [(14.8,)]


def fault(message, raises):
    try:
        raises(message)
    except ValueError as error:
        return ValueError, error, error.__traceback__


def here(message):
    raise ValueError(message)


def there(message):
    raise ValueError(message)


def test_a_fault_is_told_once_for_each_place_whatever_it_says(qtbot, faults):
    for number in range(50):
        faults.catch(*fault(f"frame {number}", here))
        faults.catch(*fault(f"frame {number}", there))

    qtbot.waitUntil(lambda: len(faults.told) == 2)
    assert [str(error) for error in faults.told] == ["frame 0", "frame 0"]


def test_what_a_fault_was_at_work_on_is_let_go(faults):
    class Painter:
        pass

    def paint():
        painter = Painter()
        alive.append(weakref.ref(painter))
        raise ZeroDivisionError

    alive = []
    with pytest.raises(ZeroDivisionError) as raised:
        paint()
    assert alive[0]() is not None
    faults.catch(ZeroDivisionError, raised.value, raised.value.__traceback__)
    assert alive[0]() is None


def test_a_fault_in_another_thread_is_told_in_this_one(qtbot, faults):
    where = []
    faults.happened.connect(lambda _: where.append(threading.current_thread()))
    thread = threading.Thread(target=faults.catch, args=(ValueError, ValueError("there"), None))
    thread.start()
    thread.join()

    qtbot.waitUntil(lambda: bool(where))
    assert where == [threading.main_thread()]


def test_a_flood_of_different_faults_has_an_end(qtbot, faults):
    for number in range(1000):
        faults.catch(ValueError, ValueError(number), None)

    qtbot.waitUntil(lambda: len(faults.told) == 20)


def test_interrupts_are_no_faults(qtbot, faults, capsys):
    faults.catch(KeyboardInterrupt, KeyboardInterrupt(), None)

    assert "KeyboardInterrupt" in capsys.readouterr().err
    assert faults.told == []


def test_what_nobody_could_catch_is_logged_without_what_it_says(faults, caplog):
    class Thing:
        def __del__(self):
            raise ValueError("1089")

    caplog.set_level(logging.ERROR)
    faults.install()
    Thing()
    faults.remove()
    (record,) = caplog.records
    assert record.getMessage() == "an exception could not be raised"
    assert record.exc_info[0] is ValueError


def test_what_an_exception_says_is_its_own_words():
    class SpeechlessError(Exception):
        def __str__(self):
            raise ValueError

    added = "Error calling Python override of QObject::eventFilter(): "
    assert message_of(ValueError(f"{added}{added}no such row")) == "no such row"
    assert message_of(KeyError("Error calling")) == "'Error calling'"
    assert message_of(SpeechlessError()) == ""


def test_the_hooks_are_taken(faults, monkeypatch):
    monkeypatch.setattr("sys.excepthook", None)
    monkeypatch.setattr("threading.excepthook", None)
    monkeypatch.setattr("sys.unraisablehook", None)
    faults.install()

    import sys

    assert sys.excepthook == faults.catch
    assert callable(threading.excepthook)

    faults.remove()
    assert sys.excepthook is sys.__excepthook__
    assert threading.excepthook is threading.__excepthook__
    assert sys.unraisablehook is sys.__unraisablehook__


# Fails in each of these, in Qt's loop and called from Python; the class is made before, or after.
PROGRAM = """
import sys
from PySide6.QtCore import QAbstractListModel, QModelIndex, QTimer
from PySide6.QtWidgets import QApplication, QListView, QStyledItemDelegate, QWidget
from zebra_gui.faults.faults import make_exceptions_whole

def recursion(): recursion()
FAILS = {
    "ZeroDivisionError": lambda: 1 / 0,
    "IndexError": lambda: [][1],
    "TypeError": lambda: len(1),
    "ValueError": lambda: int("a"),
    "MemoryError": lambda: bytearray(1 << 62),
    "RecursionError": recursion,
}
fail, is_broken = FAILS[sys.argv[1]], False

def fail_if_broken():
    if is_broken:
        fail()

if sys.argv[2] == "after":
    make_exceptions_whole()

class Beside:
    def paintEvent(self, event): fail_if_broken()

class Pane(Beside, QWidget):
    def closeEvent(self, event): fail_if_broken()

class Model(QAbstractListModel):
    def rowCount(self, parent=QModelIndex()): return 1
    def data(self, index, role=0): fail_if_broken()

class Delegate(QStyledItemDelegate):
    def paint(self, painter, option, index): fail_if_broken()

make_exceptions_whole()
app, told = QApplication([]), []
pane, view, model = Pane(), QListView(), Model()
view.setModel(model)
view.setItemDelegate(Delegate(view))
for widget in (pane, view):
    widget.show()
app.processEvents()
sys.excepthook = lambda kind, error, trace: told.append(kind.__name__)
is_broken = True
for widget in (pane, view.viewport()):
    widget.update()
QTimer.singleShot(50, app.quit)
app.exec()
for call in (pane.close, lambda: view.model().index(0).data()):
    try:
        call()
    except Exception as error:
        told.append(type(error).__name__)
is_broken = False
print(len(told) >= 4, *set(told))
"""


@pytest.mark.parametrize("made", ["before", "after"])
@pytest.mark.parametrize(
    "kind", ["ZeroDivisionError", "IndexError", "ValueError", "MemoryError", "RecursionError"]
)
def test_what_is_raised_in_a_method_that_qt_calls_is_told(kind: str, made: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, kind, made], capture_output=True, text=True, timeout=60, check=False
    )
    assert (done.returncode, done.stdout) == (0, f"True {kind}\n"), done.stderr[-2000:]
