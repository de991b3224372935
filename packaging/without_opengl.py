"""Two modules of Qt, of 10 MB, that pyqtgraph imports at once and uses only to draw with OpenGL."""

import sys
from types import ModuleType


def install() -> None:
    """Have empty ones found in their place; nobody asks pyqtgraph for OpenGL here."""
    for name in ("PySide6.QtOpenGL", "PySide6.QtOpenGLWidgets"):
        sys.modules[name] = ModuleType(name)
    # A class of its own is made of this one, and never used.
    sys.modules["PySide6.QtOpenGLWidgets"].__dict__["QOpenGLWidget"] = object
