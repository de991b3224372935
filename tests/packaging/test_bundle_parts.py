"""What goes into the bundle and what does not: lists, libraries, ICU's data, the list of components."""

import ast
import os
import re
import struct
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import icu
import pytest
import sbom
import smoke_test
from left_out import FILES, MODULES, idle_patterns, is_wanted, is_wanted_module, plain_modules
from needs import SYSTEM
from prune import link_twins, with_runtimes_for_all, without_orphans
from system_packages import RUN

from zebra_core.installation.licences import Component
from zebra_gui.cli import main


def test_every_omission_has_a_reason():
    assert all(reason for reason in (*MODULES.values(), *FILES.values()))


@pytest.mark.parametrize(
    ("name", "wanted"),
    [
        ("scipy.optimize", True),
        ("scipy.optimize.tests.test_linprog", False),
        ("tkinter.ttk", False),
        ("matplotlib.backends.backend_agg", True),
        ("matplotlib.backends.backend_qtagg", False),
        ("h5py", False),
        ("numpy.testing", True),  # SciPy imports it
    ],
)
def test_a_package_takes_its_modules_along(name, wanted):
    assert is_wanted_module(name) is wanted


def test_nothing_that_the_program_names_is_left_out():
    root = Path(__file__).resolve().parents[2]
    files = [file for part in ("core", "zebra_gui", "resources") for file in (root / part).rglob("*.py")]
    named = {name: file.name for file in files for name in imported_by(file)}

    assert {"scipy.optimize.minimize", "scipy.special.expit"} <= named.keys()
    assert {name: file for name, file in named.items() if not is_wanted_module(name)} == {}


def imported_by(file):
    """What the file imports, and what it asks of SciPy, which loads its parts only then."""
    for found in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(found, ast.Import):
            yield from (name.name for name in found.names)
        elif isinstance(found, ast.ImportFrom) and found.module:
            yield from (f"{found.module}.{name.name}" for name in found.names)
        elif isinstance(found, ast.Attribute) and (name := ast.unparse(found)).startswith("scipy."):
            yield name


@pytest.mark.parametrize(
    ("place", "wanted"),
    [
        ("PySide6/Qt/plugins/platforms/libqxcb.so", True),
        ("PySide6\\Qt\\translations\\qt_de.qm", False),
        ("PySide6/Qt/translations/qtbase_de.qm", True),
        ("PySide6/Qt/translations/qtbase_fr.qm", True),
        ("PySide6/Qt/translations/qtbase_fi.qm", False),
        ("PySide6/Qt/translations/qtbase_zh_CN.qm", False),
        ("PIL/_avif.cpython-311-x86_64-linux-gnu.so", False),
        ("libxcb-cursor.so.0", True),
        ("libX11.so.6", False),
        ("resources/zebra_resources/demo/data/libri_test_trials_f/trials", True),
    ],
)
def test_files_are_known_by_their_place(place, wanted):
    assert is_wanted(place) is wanted


def test_a_pattern_that_fits_nothing_is_found():
    idle = idle_patterns(["PySide6/Qt/translations/qt_de.qm"])

    assert "PySide6/Qt/translations/qt_*" not in idle
    assert "*Qt6Pdf*" in idle


def test_patterns_are_not_given_to_pyinstaller():
    assert "tkinter" in plain_modules()
    assert not any("*" in name for name in plain_modules())


def test_libraries_go_when_nobody_asks_for_them():
    links = {"src/plugin.so": ["liba.so"], "src/liba.so": ["libb.so"], "src/libc.so": ["libb.so"]}
    entries = [
        ("PySide6/Qt/plugins/plugin.so", "src/plugin.so", "BINARY"),
        ("PySide6/Qt/lib/liba.so", "src/liba.so", "BINARY"),
        ("liba.so", "PySide6/Qt/lib/liba.so", "SYMLINK"),
        ("libb.so", "src/libb.so", "BINARY"),
        ("libc.so", "src/libc.so", "BINARY"),
        ("libpython3.11.so.1.0", "src/libpython.so", "BINARY"),
        ("data/libc.txt", "src/libc.txt", "DATA"),
    ]
    kept = without_orphans(entries, lambda source: links.get(source, []), always=["libpython"])

    assert [place for place, _, _ in entries if place not in {k[0] for k in kept}] == ["libc.so"]


def test_a_library_that_is_there_twice_becomes_a_link(tmp_path):
    places = ["numpy.libs/libm.so", "other.libs/libm.so", "scipy.libs/libm.so", "scipy.libs/libn.so"]
    for place, content in zip(places, ["same", "other", "same", "same"], strict=True):
        (tmp_path / place).parent.mkdir(exist_ok=True)
        (tmp_path / place).write_text(content)

    assert link_twins([tmp_path / place for place in places]) == [tmp_path / "scipy.libs/libm.so"]
    assert (tmp_path / "scipy.libs/libm.so").readlink().as_posix() == "../numpy.libs/libm.so"
    assert (tmp_path / "scipy.libs/libm.so").read_text() == "same"
    assert not (tmp_path / "scipy.libs/libn.so").is_symlink()


@pytest.mark.parametrize(
    ("item", "wanted"),
    [
        ("icudt73l/root.res", True),
        ("icudt73l/en.res", True),
        ("icudt73l/pool.res", True),
        ("icudt73l/nfkc.nrm", True),
        ("icudt73l/coll/ucadata.icu", True),
        ("icudt73l/supplementalData.res", True),
        ("icudt73l/de.res", False),
        ("icudt73l/curr/zh_Hant_HK.res", False),
        ("icudt73l/ibm-37_P100-1995.cnv", False),
        ("icudt73l/brkitr/cjdict.dict", False),
        ("icudt73l/translit/root.res", False),
    ],
)
def test_icu_keeps_english_and_what_has_no_language(item, wanted):
    assert icu.is_wanted(item) is wanted


def test_the_manual_page_has_every_command():
    page = (Path(smoke_test.__file__).parent / "linux" / "zebra.1").read_text(encoding="utf-8")
    shown = [name for name, command in main.commands.items() if not command.hidden]

    assert sorted(re.findall(r"^\.B zebra (\w+)", page, re.MULTILINE)) == sorted(shown)
    assert set(re.findall(r"^\.B (\d)$", page, re.MULTILINE)) == {"0", "1", "2", "3", "4", "5", "6"}


def icu_library(items):
    """A library with ICU's data: header, list of contents, names, then the items, each 16 bytes long."""
    names = b"".join(name.encode() + b"\0" for name in items)
    head = 4 + 8 * len(items)
    first = (head + len(names) + 15) // 16 * 16
    entries, at = b"", 0
    for k, name in enumerate(items):
        entries += struct.pack("<II", head + at, first + 16 * k)
        at += len(name) + 1
    body = (struct.pack("<I", len(items)) + entries + names).ljust(first, b"\0")
    body += b"".join(name.encode()[-16:].rjust(16, b".") for name in items)
    header = struct.pack("<HBB", 32, 0xDA, 0x27) + bytes(8) + b"CmnD" + bytes(16)
    return b"\x7fELF....." + header + body + b"end"


def test_trimming_keeps_every_place_and_zeroes_the_rest():
    items = ["x/coll/de.res", "x/coll/root.res", "x/ja.res", "x/nfc.nrm"]
    before = icu_library(items)
    after = icu.trimmed(before)

    assert len(after) == len(before)
    assert after.endswith(b"end")
    assert after.index(b".x/coll/root.res"[-16:]) == before.index(b".x/coll/root.res"[-16:])
    assert b"...x/coll/de.res" not in after
    assert struct.unpack_from("<I", after, 9 + 32) == (2,)
    assert icu.trimmed(after).count(b"nfc.nrm") == after.count(b"nfc.nrm")


def test_only_the_data_of_icu_are_trimmed():
    with pytest.raises(ValueError, match="no library with the data of ICU"):
        icu.trimmed(b"\x7fELF")


PART = Component("NumPy", "2.4", "BSD-3-Clause AND MIT", "https://numpy.org", ("text",), "pkg:pypi/numpy@2.4")


def test_the_list_of_components_names_each_part():
    made = sbom.document(
        [PART, Component("icu", "73", "see its text")], "1.0", "abc", "2026-01-01T00:00:00+00:00"
    )
    first, second = made["components"]

    assert first["purl"] == first["bom-ref"] == "pkg:pypi/numpy@2.4"
    assert first["licenses"] == [{"expression": "BSD-3-Clause AND MIT"}]
    assert second["licenses"] == [{"license": {"name": "see its text"}}]
    assert made["dependencies"][0]["dependsOn"] == ["pkg:pypi/numpy@2.4", "icu@73"]


def test_the_serial_number_is_that_of_the_contents():
    def serial(*parts):
        return sbom.document(parts, "1.0", "abc", "2026-01-01T00:00:00+00:00")["serialNumber"]

    assert serial(PART) == serial(PART)
    assert serial(PART) != serial(replace(PART, version="2.5"))


def test_what_a_checkout_needs_of_the_system_a_bundle_needs_or_has():
    assert {"libegl1", "libgl1", "libdbus-1-3", "libfontconfig1"} <= set(RUN) & set(SYSTEM.values())


def test_the_window_draws_without_the_modules_for_opengl():
    program = """
import sys
sys.path.insert(0, "packaging")
import without_opengl
without_opengl.install()
import pyqtgraph
app = pyqtgraph.mkQApp()
curve = pyqtgraph.PlotCurveItem([1, 2], [1, 2])
assert curve.boundingRect().width() >= 1
assert not hasattr(sys.modules["PySide6.QtOpenGL"], "QOpenGLBuffer")
"""
    root = Path(__file__).resolve().parents[2]
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen"}
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=root,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize(
    ("place", "wanted"),
    [
        ("_duckdb.cpython-311-x86_64-linux-gnu.so", True),
        ("onnxruntime/capi/onnxruntime_pybind11_state.cpython-311-x86_64-linux-gnu.so", True),
        ("_soundfile_data/libsndfile_x86_64.so", True),
        ("_miniaudio.abi3.so", True),
        ("zebra_resources/recogniser/campplus-16k-zh-en.onnx", True),
        ("zebra_resources/recordings/original/1188/1188-133604-0001.flac", True),
        ("zebra_resources/texts/de.mo", True),
        ("zebra_resources/texts/de.po", False),
        ("zebra_resources/manual/en/pictures/listening.png", True),
        ("PySide6/QtGui.abi3.so", True),
        ("PySide6/QtOpenGL.abi3.so", False),
        ("pyarrow/libarrow.so.2600", False),
    ],
)
def test_what_recordings_counts_languages_and_the_manual_need_is_inside(place, wanted):
    assert is_wanted(place) is wanted


def test_runtimes_of_microsoft_lie_once_where_all_find_them(tmp_path):
    (tmp_path / "msvcp140_1.dll").write_bytes(b"newer")
    entries = [
        ("vcruntime140.dll", "python", "BINARY"),
        ("PySide6\\VCRUNTIME140.dll", "qt", "BINARY"),
        ("PySide6\\MSVCP140_1.dll", "qt", "BINARY"),
        ("PySide6\\Qt6Core.dll", "qt", "BINARY"),
    ]

    assert with_runtimes_for_all(entries, tmp_path) == [
        ("vcruntime140.dll", "python", "BINARY"),
        ("msvcp140_1.dll", str(tmp_path / "msvcp140_1.dll"), "BINARY"),
        ("PySide6\\Qt6Core.dll", "qt", "BINARY"),
    ]


def test_libraries_of_windows_are_asked_for_in_whatever_case():
    entries = [("a.pyd", "a", "EXTENSION"), ("msvcp140.dll", "m", "BINARY"), ("other.dll", "o", "BINARY")]

    kept = without_orphans(entries, {"a": ["MSVCP140.dll"], "m": [], "o": []}.__getitem__)

    assert [place for place, _, _ in kept] == ["a.pyd", "msvcp140.dll"]


@pytest.mark.parametrize(
    "place",
    [
        "PySide6\\plugins\\imageformats\\qjpeg.dll",
        "PySide6\\translations\\qt_de.qm",
        "PySide6\\Qt6Network.dll",
        "PySide6\\opengl32sw.dll",
        "PySide6\\plugins\\platforms\\qdirect2d.dll",
        "onnxruntime\\capi\\onnxruntime.dll",
    ],
)
def test_what_is_left_out_on_linux_is_left_out_at_its_place_on_windows(place):
    assert not is_wanted(place)
