"""The pins: one file for all systems and Pythons, hashes for every one, and a wheel for whoever needs it."""

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pins
import pytest
import wheels
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
PINNED = wheels.pins(pins.PINS.read_text(encoding="utf-8"))
_HASHED = re.compile(
    r"^(\S+==\S+)(?: ; .*)? \\\n((?:    --hash=sha256:[0-9a-f]{64}(?: \\)?\n)+)", re.MULTILINE
)
NUMPY = Requirement("numpy==2.4.6")
LINUX, ARM, WINDOWS, MACOS, INTEL = wheels.SYSTEMS


def wheel(tags, size=0):
    return wheels.File(f"numpy-2.4.6-{tags}.whl", size)


def test_no_package_has_two_versions():
    names = [canonicalize_name(pin.name) for pin in PINNED]
    assert len(names) == len(set(names)) > 60


@pytest.mark.parametrize("extra", pins.LOCKED)
def test_every_package_of_an_extra_has_its_hashes(extra):
    text = pins.locked(extra).read_text(encoding="utf-8")
    hashed = {name for name, _ in _HASHED.findall(text)}
    everything = {line.split()[0] for line in text.splitlines() if line[0] not in "# "}
    assert hashed == everything
    pinned = {f"{canonicalize_name(pin.name)}{pin.specifier}" for pin in PINNED}
    assert everything <= pinned, "make pins"


@pytest.mark.parametrize("extra", pins.LOCKED)
def test_an_extra_is_locked_with_all_that_it_asks_for_by_name(extra):
    locked = {canonicalize_name(Requirement(name).name) for name, _ in _HASHED.findall(_locked(extra))}
    asked = {canonicalize_name(Requirement(line).name) for line in _asked_by(extra)}
    assert asked <= locked
    assert {"setuptools", "shiboken6"} <= locked


def _locked(extra):
    return pins.locked(extra).read_text(encoding="utf-8")


def _asked_by(extra):
    for line in PROJECT["optional-dependencies"][extra]:
        found = Requirement(line)
        if found.name != PROJECT["name"]:
            yield line
            continue
        for other in found.extras:
            yield from _asked_by(other)
    yield from PROJECT["dependencies"]


def test_all_pythons_that_are_promised_are_in_the_table_of_wheels():
    lowest, beyond = re.findall(r"3\.(\d+)", PROJECT["requires-python"])
    assert [minor for _, minor in wheels.PYTHONS] == list(range(int(lowest), int(beyond)))
    named = [line.rsplit(" ", 1)[1] for line in PROJECT["classifiers"] if "Python :: 3." in line]
    assert named == [f"3.{minor}" for _, minor in wheels.PYTHONS]


def test_whatever_the_program_needs_has_a_wheel_on_every_system_and_python():
    rows = [line.split(" | ") for line in wheels.PAGE.read_text(encoding="utf-8").splitlines()]
    needed = [row for row in rows if row[0].endswith("*") and row[0] != "| all with *"]
    assert {row[0].strip("| *") for row in needed} == wheels.needed_by_program()
    assert not [row for row in needed if any("none" in cell for cell in row)]


def test_the_table_of_wheels_is_that_of_the_pins():
    rows = re.findall(r"^\| ([\w-]+)\*? \| (\d\S*) \|", wheels.PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    assert rows == [(canonicalize_name(pin.name), str(pin.specifier)[2:]) for pin in PINNED], (
        "packaging/wheels.py"
    )


def test_the_newest_tag_that_fits_is_taken():
    files = [wheel("cp313-cp313-manylinux_2_27_x86_64", 1), wheel("cp313-cp313-manylinux_2_17_x86_64", 2)]
    assert wheels.best(files, LINUX.fitting((3, 13))) == files[0]


def test_a_wheel_of_another_python_does_not_fit_but_one_for_the_stable_interface_does():
    assert wheels.best([wheel("cp311-cp311-win_amd64")], WINDOWS.fitting((3, 13))) is None
    assert wheels.best([wheel("cp39-abi3-win_amd64")], WINDOWS.fitting((3, 13)))
    assert wheels.best([wheel("py3-none-any")], MACOS.fitting((3, 14)))


def test_a_wheel_for_a_newer_system_does_not_fit():
    assert wheels.best([wheel("cp313-cp313-macosx_15_0_arm64")], MACOS.fitting((3, 13))) is None
    assert wheels.best([wheel("cp313-cp313-macosx_13_0_universal2")], INTEL.fitting((3, 13)))
    assert wheels.best([wheel("cp313-cp313-manylinux_2_39_x86_64")], LINUX.fitting((3, 13))) is None
    assert wheels.best([wheel("cp313-cp313-manylinux_2_39_aarch64")], ARM.fitting((3, 13)))


def test_a_cell_names_the_size_and_the_pythons_without_a_wheel():
    files = [wheel(f"cp3{minor}-cp3{minor}-win_amd64", minor * 100_000) for minor in (11, 12, 13)]
    assert wheels.cell(NUMPY, files, WINDOWS) == "1.3 MB, none for 3.14"
    assert wheels.cell(NUMPY, files, MACOS) == "none"


def test_a_pin_for_another_system_has_an_empty_cell():
    pin = Requirement("pefile==2024.8.26 ; sys_platform == 'win32'")
    assert wheels.cell(pin, [wheel("py3-none-any", 70_000)], LINUX) == ""
    assert wheels.cell(pin, [wheel("py3-none-any", 70_000)], WINDOWS) == "0.07 MB"


def test_the_scripts_say_how_they_are_used():
    for script in ("wheels.py", "pins.py"):
        assert f"python {script}" in (ROOT / "packaging" / script).read_text(encoding="utf-8")
    done = subprocess.run(
        [sys.executable, ROOT / "packaging" / "system_packages.py"],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (
        1,
        "usage: system_packages.py install|name [run] [test] [accessibility] [bundle] [cluster]\n",
    )
