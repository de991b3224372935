"""What the bundle does without, and why. Each entry is a pattern of shell wildcards and the reason.

The analysis finds more than the program ever loads: hooks collect whole packages, and plugins pull in
libraries of desktops. What is listed here is not needed by any command or pane: the known-answer tests
and the smoke test, which run the finished bundle, would notice.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable
from fnmatch import fnmatchcase

# Modules, by their full names; a package takes its modules along.
MODULES = {
    "tkinter": "another toolkit; matplotlib's backend for it",
    "_tkinter": "the same",
    "IPython": "for notebooks only",
    "h5py": "an extra that few need: 17 MB",
    "pyarrow": "asked for by Spark alone: 170 MB",
    "onnxruntime.backend": "the interface of ONNX itself; sessions are asked directly",
    "onnxruntime.datasets": "sample networks",
    "onnxruntime.quantization": "makes networks smaller; none is made here",
    "onnxruntime.tools": "the same, and for phones",
    "onnxruntime.transformers": "for language models",
    "onnxruntime.training": "nothing is trained",
    "onnxruntime.capi.training": "nothing is trained",
    "onnxruntime.capi.convert_npz_to_onnx_adapter": "for language models",
    "google.protobuf": "asked for by onnxruntime's tools alone",
    "flatbuffers": "the same",
    "lxml.objectify": "signatures read XML as it is: 2.9 MB",
    "lxml.html": "no HTML is read",
    "lxml.isoschematron": "no schemas",
    "lxml.cssselect": "no HTML is read",
    "duckdb.experimental": "an interface like Spark's",
    "setuptools": "installs packages; nothing is installed here",
    "pip": "the same",
    "readline": "no prompt to type at",
    "lib2to3": "old converter",
    "ftplib": "no network",
    "xmlrpc": "no network",
    "pyqtgraph.examples": "examples",
    "pyqtgraph.opengl": "no 3D",
    "pyqtgraph.jupyter": "for notebooks only",
    "pyqtgraph.flowchart": "not used",
    "pyqtgraph.canvas": "not used",
    "PySide6.QtNetwork": "no network",
    "PySide6.QtQml": "no QML",
    "PySide6.QtQuick": "no QML",
    "PySide6.QtUiTools": "no .ui files",
    "PySide6.QtTest": "tests; pyqtgraph does without",
    "PySide6.QtDBus": "Qt itself talks to the desktop, in C++",
    "PySide6.QtOpenGL": "nothing is drawn with OpenGL, see without_opengl.py: 9.6 MB",
    "PySide6.QtOpenGLWidgets": "the same",
    "PySide6.QtSvg": "only pyqtgraph's SVG export, which is not offered",
    "matplotlib.testing": "tests",
    "mpl_toolkits.axes_grid1": "no grids of pictures",
    "mpl_toolkits.axisartist": "no curved axes",
    "matplotlib.backends.backend_qt*": "matplotlib draws on paper, never in the window",
    "matplotlib.backends.qt_*": "the same",
    "matplotlib.backends.backend_gtk*": "another toolkit",
    "matplotlib.backends.backend_tk*": "another toolkit",
    "matplotlib.backends._backend_tk": "another toolkit",
    "matplotlib.backends.backend_wx*": "another toolkit",
    "matplotlib.backends.backend_web*": "for notebooks only",
    "matplotlib.backends.backend_nbagg": "for notebooks only",
    "matplotlib.backends.backend_cairo": "not used",
    "matplotlib.backends.backend_macosx": "matplotlib draws on paper, never in the window",
    "matplotlib.backends.backend_pgf": "TeX is written by our own renderer",
    "matplotlib.backends.backend_ps": "no PostScript",
    "pandas.io.formats.style*": "no styled tables",
    "numpy*.tests": "tests",
    "scipy*.tests": "tests",
    "pandas.tests": "tests",
    "matplotlib.tests": "tests",
    "numpy._pyinstaller": "tests",
    "pydoc_data": "the manual of Python's own prompt",
    "pygments": "colours source code",
    "scipy.datasets": "downloads data",
    "scipy.stats": "what is drawn and tested is our own; with what it alone asks for it weighs 4 MB",
    "scipy.integrate": "areas have closed forms; the optimisers do without",
    "scipy.interpolate": "nothing is interpolated; pandas asks for it only where a column has gaps to fill",
    "scipy.ndimage": "pictures are not turned; pyqtgraph asks for it only then",
    "scipy.special.cython_special": "for compiled code of others: scipy.stats",
    "scipy._lib.array_api_compat.cupy": "arrays on graphics cards",
    "scipy._lib.array_api_compat.dask": "arrays on clusters",
    "scipy._lib.array_api_compat.torch": "arrays of neural networks",
    "matplotlib._qhull": "no triangles",
    "matplotlib._tri": "no triangles",
    "contourpy": "no contours",
    "pandas.plotting._matplotlib": "pandas draws nothing here",
    "pandas.io.sas.sas7bdat": "no files of SAS",
    "pandas._libs.sas": "no files of SAS",
    "pandas._libs.byteswap": "no files of SAS",
    "http.server": "no network",
    # Not by its full name: PyInstaller itself stands in for it from Python 3.12 on.
    "distutils*": "compiles modules; nothing is compiled here",
    "smtplib": "no network",
    "defusedxml": "a tool of the build brings it along; Pillow would read remarks in pictures with it",
    "PIL.ImageTk": "another toolkit",
    "PIL.ImageQt": "not used",
    "PIL._avif": "matplotlib needs PNG only: 9 MB",
    "PIL._webp": "matplotlib needs PNG only",
    "PIL.AvifImagePlugin": "matplotlib needs PNG only",
    "PIL.WebPImagePlugin": "matplotlib needs PNG only",
    "PIL._imagingcms": "no colour management",
    "rapidfuzz.fuzz_cpp*": "words are aligned, not searched for; without it rapidfuzz takes its Python",
    "rapidfuzz.process_cpp*": "the same",
    "rapidfuzz.distance.metrics_cpp_avx2": "the same code for newer processors; metrics_cpp does for all",
}

# Files, by their place in the bundle.
FILES = {
    "PySide6/Qt/translations/qt_*": "Qt's own words that the window shows are in qtbase",
    "PySide6/Qt/translations/qtbase_[!def]*": "a language that ZEBRA does not speak",
    "PySide6/Qt/translations/qtbase_da*": "the same",
    "PySide6/Qt/translations/qtbase_en*": "the same in English, which needs no translation",
    "PySide6/Qt/translations/qtbase_f[ai]*": "a language that ZEBRA does not speak",
    "PySide6/Qt/plugins/platformthemes/libqgtk3.so": "pulls in GTK with 35 libraries; the portal theme stays",
    "PySide6/Qt/plugins/platforms/libqeglfs.so": "for devices without a desktop",
    "PySide6/Qt/plugins/platforms/libqlinuxfb.so": "for devices without a desktop",
    "PySide6/Qt/plugins/platforms/*qminimal*": "for tests",
    "PySide6/Qt/plugins/platforms/qdirect2d.dll": "another way to draw on Windows; qwindows.dll does",
    "PySide6/opengl32sw.dll": "nothing is drawn with OpenGL: 20 MB",
    "PySide6/Qt/plugins/platforms/libqvnc.so": "no network",
    "PySide6/Qt/plugins/platforms/libqvkkhrdisplay.so": "for devices without a desktop",
    "PySide6/Qt/plugins/egldeviceintegrations/*": "for devices without a desktop",
    "PySide6/Qt/plugins/networkinformation/*": "no network",
    "PySide6/Qt/plugins/tls/*": "no network",
    "PySide6/Qt/plugins/generic/*": "touch devices without a desktop",
    "PySide6/Qt/plugins/qmltooling/*": "no QML",
    "PySide6/Qt/plugins/iconengines/*": "the icons are PNG",
    "PySide6/Qt/plugins/imageformats/*": "the icons are PNG, which Qt reads by itself",
    "PySide6/Qt/plugins/platforminputcontexts/libqtvirtualkeyboardplugin.so": "touch devices",
    "*Qt6Qml*": "no QML",
    "*Qt6Quick*": "no QML",
    "*Qt6VirtualKeyboard*": "touch devices",
    "*Qt6Network*": "no network",
    "*Qt6Pdf*": "PDFs are written, not shown",
    "*Qt6Eglfs*": "for devices without a desktop",
    # Every Linux desktop has these, in the version that its own drivers, themes and fonts were made for.
    "libX11.so.6": "the desktop's own",
    "libX11-xcb.so.1": "the desktop's own",
    "libcups.so.2": "the desktop's own, which knows its printers",
    "libdbus-1.so.3": "the desktop's own",
    "libfontconfig.so.1": "the desktop's own",
    "libfreetype.so.6": "the desktop's own",
    "libglib-2.0.so.0": "the desktop's own",
    "libgthread-2.0.so.0": "the desktop's own",
    "libexpat.so.1": "the desktop's own",
    "libuuid.so.1": "the desktop's own",
    "libgcc_s.so.1": "the desktop's own: a driver for OpenGL may need a newer one than ours",
    "libstdc++.so.6": "the desktop's own: a driver for OpenGL may need a newer one than ours",
    "libz.so.1": "the desktop's own",
    "libmvec.so.1": "a part of the C library, which goes with its other parts only",
    "matplotlib/mpl-data/sample_data/*": "samples",
    "matplotlib/mpl-data/images/*": "buttons of matplotlib's own window",
    "matplotlib/mpl-data/fonts/afm/*": "PostScript fonts",
    "matplotlib/mpl-data/fonts/pdfcorefonts/*": "PostScript fonts",
    "matplotlib/mpl-data/plot_directive/*": "for manuals",
    "matplotlib/mpl-data/stylelib/*": "the style is our own",
    "matplotlib/mpl-data/fonts/ttf/cm*": "formulas are not set by matplotlib",
    "matplotlib/mpl-data/fonts/ttf/STIX*": "formulas are not set by matplotlib",
    "matplotlib/mpl-data/fonts/ttf/DejaVuSerif*": "paper has one font, Inter; DejaVu Sans stays as fallback",
    "matplotlib/mpl-data/fonts/ttf/DejaVuSansMono*": "paper has one font, Inter",
    "matplotlib/mpl-data/fonts/ttf/DejaVuSans-*": "paper has one font, Inter",
    "*.dist-info/licenses/*": "collected in zebra_resources/licences.txt",
    "*.dist-info/sboms/*": "collected in the list of components",
    "*.dist-info/RECORD": "a list of files as they were installed",
    "*.dist-info/direct_url.json": "where it was installed from",
    "*.dist-info/INSTALLER": "how it was installed",
    "*.dist-info/REQUESTED": "how it was installed",
    "pandas/io/formats/templates/*": "no styled tables",
    "onnxruntime/capi/onnxruntime.dll": "the same on Windows: 23 MB",
    "onnxruntime/capi/libonnxruntime.so*": "for C; the module for Python has all of it, too: 35 MB",
    "pyqtgraph/examples/*": "examples",
    "pyqtgraph/colors/*": "the colours are our own",
    "pyqtgraph/icons/*": "buttons of panels that are not shown",
    "*/tests/*": "tests",
    "*/__pycache__/*": "made again by running",
    "*.pyi": "for type checkers",
    "*.h": "for compilers",
    "*.pxd": "for compilers",
    "zebra_resources/texts/*.po": "for translators; the program reads what is compiled of them",
    "dateutil/zoneinfo/*": "no time zones but UTC",
}
if sys.platform != "win32":
    FILES["tzdata/*"] = "the system has time zones; Windows has none that Python reads"


def plain_modules() -> list[str]:
    """The modules that are named in full, for PyInstaller, which then does not follow their imports."""
    return [name for name in MODULES if "*" not in name]


def is_wanted_module(name: str) -> bool:
    """Whether a module, by its full name, is needed: neither it nor a package it is in is listed."""
    parts = name.split(".")
    return not any(_fits(".".join(parts[:count]), MODULES) for count in range(1, len(parts) + 1))


def is_wanted(place: str) -> bool:
    """Whether a file, by its place in the bundle, is needed; an extension also by the module it is."""
    plain = as_on_linux(place)
    return not _fits(plain, FILES) and is_wanted_module(plain.partition(".")[0].replace("/", "."))


def idle_patterns(places: Iterable[str]) -> list[str]:
    """The patterns for files that none of these fits: the list is longer than it need be."""
    plain = [as_on_linux(place) for place in places]
    return [pattern for pattern in FILES if not any(fnmatchcase(place, pattern) for place in plain)]


def as_on_linux(place: str) -> str:
    """The place of a file in the bundle as it is on Linux; Windows has another one for what belongs to Qt."""
    plain = place.replace("\\", "/")
    return re.sub(r"^PySide6/(plugins|translations)/", r"PySide6/Qt/\1/", plain)


def _fits(name: str, patterns: Iterable[str]) -> bool:
    return any(fnmatchcase(name, pattern) for pattern in patterns)
