"""The window needs the core; the core must not need the window."""

import subprocess
import sys

import pytest

# Imports a package with everything below it, and prints which of the forbidden modules came along.
PROBE = """
import importlib, pkgutil, sys
package = importlib.import_module(sys.argv[1])
for module in pkgutil.walk_packages(package.__path__, package.__name__ + "."):
    importlib.import_module(module.name)
print(*sorted(set(sys.argv[2:]) & set(sys.modules)))
"""


@pytest.mark.parametrize(
    ("package", "forbidden"),
    [
        pytest.param("zebra_core", ["PySide6", "shiboken6", "pyqtgraph", "zebra_gui"], id="core without Qt"),
        pytest.param(
            "zebra_resources",
            ["PySide6", "pyqtgraph", "zebra_gui", "zebra_core", "numpy"],
            id="resources alone",
        ),
    ],
)
def test_does_not_import(package, forbidden):
    done = subprocess.run(
        [sys.executable, "-c", PROBE, package, *forbidden], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == []


def test_the_public_door_is_light():
    """NumPy and the rest are loaded when first needed, so that `zebra --help` answers at once."""
    heavy = "{'numpy', 'scipy', 'pandas', 'matplotlib'}"
    probe = f"import zebra_core, sys; print(*sorted({heavy} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", probe], capture_output=True, text=True, check=True)
    assert done.stdout.split() == []
