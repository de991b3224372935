"""The pins hold, and the pinned Qt counts its references."""

import subprocess
import sys
from importlib.metadata import version

import pytest

CALLS = 100_000

# In a process of its own: one that loses references does not live long enough to report it.
PROBE = """
import sys
from PySide6.QtCore import QObject
from PySide6.QtGui import QTransform
thing = QObject() if sys.argv[1] == "QObject" else QTransform()
call = lambda: thing.setObjectName("name") if sys.argv[1] == "QObject" else thing.reset
before = sys.getrefcount(None)
for _ in range(int(sys.argv[2])):
    call()
print(sys.getrefcount(None) - before)
"""


def test_qt_is_the_release_known_to_work():
    assert version("PySide6-Essentials") == version("shiboken6") == "6.10.3"


@pytest.mark.parametrize("kind", ["QObject", "QTransform"])
def test_void_calls_keep_the_references_to_none(kind):
    done = subprocess.run(
        [sys.executable, "-c", PROBE, kind, str(CALLS)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert abs(int(done.stdout)) < 100
