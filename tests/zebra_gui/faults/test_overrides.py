"""Whatever is raised in a method that Qt calls is an exception like any other, and no end of the program."""

import subprocess
import sys

import pytest

# Fails in each of these, in Qt's loop and called from Python; the class is made before, or after.
PROGRAM = """
import sys
from PySide6.QtCore import QAbstractListModel, QModelIndex, QTimer
from PySide6.QtWidgets import QApplication, QListView, QStyledItemDelegate, QWidget
from zebra_gui.faults.overrides import make_exceptions_whole

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
