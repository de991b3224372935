"""Write wheels.md: which wheel of every pin each system and Python gets, and how large, asked of the index.

    python wheels.py         ask, and write the table
    python wheels.py --check ask, and fail where a wheel that the program needs is missing

Only lists of files are downloaded, and nothing of another system is run: the tags of the wheels say where
they fit. Markers are read as that system would read them, which `pip download --platform` does not do. The
index is that of pip's own settings.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import urllib.request
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from packaging.markers import Environment, default_environment
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name, parse_wheel_filename
from packaging.version import Version

from packaging import tags

HERE = Path(__file__).resolve().parent
PAGE = HERE / "wheels.md"
PYTHONS = ((3, 11), (3, 12), (3, 13), (3, 14))
_JSON = "application/vnd.pypi.simple.v1+json"
_HEAD = """# Wheels for every system

What pip finds for the pins of `constraints.txt`: the size of the wheel that Python 3.13 takes, and the
Pythons of 3.11 to 3.14 that find none; macOS from {macos}. What is marked with * is needed by the program,
the rest by its tests, its formats and its packaging. Asked of the package index by `packaging/wheels.py`;
nothing here was tried.

"""


@dataclass(frozen=True)
class System:
    """A system as wheels and markers name it."""

    title: str
    platforms: tuple[str, ...]
    sys_platform: str
    os_name: str
    platform_system: str
    platform_machine: str

    def environment(self, python: tuple[int, int]) -> Environment:
        """What markers are judged by there."""
        version = f"{python[0]}.{python[1]}"
        environment = default_environment()
        environment.update(
            implementation_name="cpython",
            implementation_version=f"{version}.0",
            os_name=self.os_name,
            platform_machine=self.platform_machine,
            platform_python_implementation="CPython",
            platform_system=self.platform_system,
            python_full_version=f"{version}.0",
            python_version=version,
            sys_platform=self.sys_platform,
        )
        return environment

    def fitting(self, python: tuple[int, int]) -> list[tags.Tag]:
        """The tags of the wheels that fit, the best first."""
        own = tags.cpython_tags(python, platforms=self.platforms)
        return [*own, *tags.compatible_tags(python, f"cp{python[0]}{python[1]}", self.platforms)]


def _linux(machine: str, glibc: int) -> tuple[str, ...]:
    newest_first = [f"manylinux_2_{minor}_{machine}" for minor in range(glibc, 16, -1)]
    return (*newest_first, f"manylinux2014_{machine}", f"linux_{machine}")


_MACOS = (14, 0)  # the oldest that the pinned onnxruntime takes; Qt takes 13
_DEBIAN_12, _DEBIAN_13 = 36, 41  # their C libraries: 2.36 and 2.41
SYSTEMS = (
    System("Linux x86_64, Debian 12", _linux("x86_64", _DEBIAN_12), "linux", "posix", "Linux", "x86_64"),
    System("Linux aarch64, Debian 13", _linux("aarch64", _DEBIAN_13), "linux", "posix", "Linux", "aarch64"),
    System("Windows amd64", ("win_amd64",), "win32", "nt", "Windows", "AMD64"),
    System("macOS arm64", tuple(tags.mac_platforms(_MACOS, "arm64")), "darwin", "posix", "Darwin", "arm64"),
    System(
        "macOS x86_64", tuple(tags.mac_platforms(_MACOS, "x86_64")), "darwin", "posix", "Darwin", "x86_64"
    ),
)


@dataclass(frozen=True)
class File:
    """A wheel as the index lists it; bytes are 0 where the index does not say."""

    name: str
    size_bytes: int


def pins(text: str) -> list[Requirement]:
    """The pins of a constraints file, in its order."""
    lines = (line.partition("#")[0].strip() for line in text.splitlines())
    return [Requirement(line) for line in lines if line]


def best(files: Iterable[File], fitting: Sequence[tags.Tag]) -> File | None:
    """The wheel that pip takes: the one whose tag stands first among those that fit."""
    place = {tag: number for number, tag in reversed(list(enumerate(fitting)))}
    ranked = [(min(found), file) for file in files if (found := _places(file, place))]
    return min(ranked, key=lambda pair: pair[0])[1] if ranked else None


def _places(file: File, place: dict[tags.Tag, int]) -> list[int]:
    return [place[tag] for tag in parse_wheel_filename(file.name)[3] if tag in place]


def cell(pin: Requirement, files: Sequence[File], system: System) -> str:
    """What the table says of one pin on one system: a size, who finds none, or nothing."""
    asked = [
        python
        for python in PYTHONS
        if pin.marker is None or pin.marker.evaluate(dict(system.environment(python)))
    ]
    if not asked:
        return ""
    found = {python: best(files, system.fitting(python)) for python in asked}
    without = [f"{major}.{minor}" for (major, minor), file in found.items() if file is None]
    if len(without) == len(asked):
        return "none"
    shown = found.get((3, 13)) or next(file for file in reversed(found.values()) if file)
    return _megabytes(shown.size_bytes) + (f", none for {', '.join(without)}" if without else "")


def _megabytes(size: int) -> str:
    return f"{size / 1e6:.2f} MB" if size < 1e6 else f"{size / 1e6:.1f} MB"


def table(wanted: Sequence[Requirement], listed: dict[str, list[File]], needed: set[str]) -> Iterator[str]:
    """The rows, and the sums of what the program itself needs."""
    yield f"| package | version | {' | '.join(system.title for system in SYSTEMS)} |"
    yield "|" + " --- |" * (len(SYSTEMS) + 2)
    sums = [0] * len(SYSTEMS)
    for pin in wanted:
        name, version = canonicalize_name(pin.name), str(pin.specifier)[2:]
        cells = [cell(pin, listed[name], system) for system in SYSTEMS]
        yield f"| {name}{'*' * (name in needed)} | {version} | {' | '.join(cells)} |"
        if name in needed:
            for number, text in enumerate(cells):
                sums[number] += round(float(text.split(" ")[0]) * 1e6) if text[:1].isdigit() else 0
    yield f"| all with * | | {' | '.join(_megabytes(size) for size in sums)} |"


def missing(wanted: Sequence[Requirement], listed: dict[str, list[File]], needed: set[str]) -> list[str]:
    """What the program needs and some system or Python does not get, a line for each."""
    cells = {
        (name, system.title): cell(pin, listed[name], system)
        for pin in wanted
        if (name := canonicalize_name(pin.name)) in needed
        for system in SYSTEMS
    }
    return [f"{name} on {title}: {text}" for (name, title), text in cells.items() if "none" in text]


def asked_of_index(pin: Requirement, index: str) -> list[File]:
    """The wheels of a pin's version that were not withdrawn."""
    name, version = canonicalize_name(pin.name), Version(str(pin.specifier)[2:])
    request = urllib.request.Request(f"{index.rstrip('/')}/{name}/", headers={"Accept": _JSON})  # noqa: S310
    with urllib.request.urlopen(request, timeout=60) as answer:  # noqa: S310 - the index of pip's settings
        entries = json.load(answer)["files"]
    files = [File(entry["filename"], entry.get("size") or 0) for entry in entries if not entry.get("yanked")]
    return [
        file for file in files if file.name.endswith(".whl") and parse_wheel_filename(file.name)[1] == version
    ]


def index_of_pip() -> str:
    """Where pip looks for packages."""
    if given := os.environ.get("PIP_INDEX_URL"):
        return given
    command = [sys.executable, "-m", "pip", "config", "get", "global.index-url"]
    said = subprocess.run(command, capture_output=True, text=True, check=False).stdout.strip()
    return said or "https://pypi.org/simple"


def needed_by_program() -> set[str]:
    """The names in locked-bundle.txt, without those that only make the bundle: dependencies.md has them."""
    rows = (HERE / "dependencies.md").read_text(encoding="utf-8")
    return {canonicalize_name(name) for name in re.findall(r"^\| ([\w.-]+) \| \d", rows, re.MULTILINE)}


def main() -> None:
    """Ask for all pins at once, and write or check."""
    wanted, index = pins((HERE / "constraints.txt").read_text(encoding="utf-8")), index_of_pip()
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda pin: asked_of_index(pin, index), wanted))
    listed = {canonicalize_name(pin.name): files for pin, files in zip(wanted, found, strict=True)}
    needed = needed_by_program()
    if "--check" in sys.argv[1:]:
        sys.exit("\n".join(missing(wanted, listed, needed)))
    rows = "\n".join(table(wanted, listed, needed))
    PAGE.write_text(_HEAD.format(macos=_MACOS[0]) + rows + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
