"""What the bundle asks of a Linux system: which shared libraries, and how new a C library.

    python needs.py FOLDER      prints it; fails where something is asked for that is not on the list

The list below is the minimum that is promised: a desktop, and no Qt. Whatever else a file in the bundle is
linked to must be in the bundle.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

# Library -> the package of Debian 12 that has it. Also the Depends of our own package.
SYSTEM = {
    "libc.so.6": "libc6",
    "libm.so.6": "libc6",
    "libmvec.so.1": "libc6",
    "libdl.so.2": "libc6",
    "librt.so.1": "libc6",
    "libpthread.so.0": "libc6",
    "libutil.so.1": "libc6",
    "ld-linux-x86-64.so.2": "libc6",
    "libgcc_s.so.1": "libgcc-s1",
    "libstdc++.so.6": "libstdc++6",
    "libz.so.1": "zlib1g",
    "libexpat.so.1": "libexpat1",
    "libuuid.so.1": "libuuid1",
    "libglib-2.0.so.0": "libglib2.0-0",
    "libgthread-2.0.so.0": "libglib2.0-0",
    "libdbus-1.so.3": "libdbus-1-3",
    "libcups.so.2": "libcups2",
    "libfontconfig.so.1": "libfontconfig1",
    "libfreetype.so.6": "libfreetype6",
    "libX11.so.6": "libx11-6",
    "libX11-xcb.so.1": "libx11-xcb1",
    "libxcb.so.1": "libxcb1",
    "libEGL.so.1": "libegl1",
    "libGL.so.1": "libgl1",
    "libGLX.so.0": "libglx0",
    "libOpenGL.so.0": "libopengl0",
    "libwayland-client.so.0": "libwayland-client0",
    "libwayland-cursor.so.0": "libwayland-cursor0",
    "libwayland-egl.so.1": "libwayland-egl1",
    "libdrm.so.2": "libdrm2",
    "libgbm.so.1": "libgbm1",
}
_NEEDED = re.compile(r"\(NEEDED\)\s+Shared library: \[(.+?)\]")
_VERSION = re.compile(r"\bGLIBC_(\d+)\.(\d+)\b")


def is_elf(path: Path) -> bool:
    """Whether the file is a program or a library of Linux."""
    if path.is_symlink() or not path.is_file():
        return False
    with path.open("rb") as file:
        return file.read(4) == b"\x7fELF"


def elf_files(folder: Path) -> list[Path]:
    """The programs and libraries below the folder, each once."""
    return [path for path in sorted(folder.rglob("*")) if is_elf(path)]


def linked_to(file: Path | str) -> list[str]:
    """The libraries that a file asks for itself, by name."""
    return _NEEDED.findall(_output("readelf", "-d", "-W", str(file)))


def asked_of_system(files: Iterable[Path], inside: Iterable[str]) -> dict[str, list[Path]]:
    """The libraries that are not inside: name to the files that ask for it."""
    here, asked = set(inside), dict[str, list[Path]]()
    for file in files:
        for name in linked_to(file):
            if name not in here:
                asked.setdefault(name, []).append(file)
    return asked


def glibc_floor(files: Iterable[Path]) -> tuple[str, Path]:
    """The newest version of the C library that any of the files asks for, and that file."""
    newest = max((_newest(_output("objdump", "-T", str(file))), file) for file in files)
    return ".".join(map(str, newest[0])), newest[1]


def not_found(folder: Path) -> dict[str, list[str]]:
    """What the loader of this very system does not find: file to libraries."""
    missing = {}
    for file in elf_files(folder):
        said = subprocess.run(
            ["ldd", str(file)],
            capture_output=True, text=True, check=False, env={"LD_LIBRARY_PATH": str(folder / "_internal")},
        ).stdout  # fmt: skip
        names = [line.split()[0] for line in said.splitlines() if "not found" in line]
        if names:
            missing[str(file.relative_to(folder))] = names
    return missing


def table(folder: Path) -> str:
    """The needs of the bundle in this folder as text. Raises SystemExit for one that is not promised."""
    files = elf_files(folder)
    asked = asked_of_system(files, (path.name for path in folder.rglob("*")))
    unknown = {name: files[0].name for name, files in asked.items() if name not in SYSTEM}
    if unknown:
        sys.exit(f"Neither in the bundle nor promised by needs.py (library: who asks): {unknown}")
    version, by = glibc_floor(files)
    lines = [f"{name:24} {SYSTEM[name]:20} {len(asked[name]):4} files" for name in sorted(asked)]
    return "\n".join([f"glibc {version} or newer, because of {by.name}", *lines]) + "\n"


def packages(folder: Path) -> list[str]:
    """The packages of Debian that the bundle depends on, with the version of the C library."""
    files = elf_files(folder)
    asked = asked_of_system(files, (path.name for path in folder.rglob("*")))
    names = {SYSTEM[name] for name in asked} - {"libc6"}
    return [f"libc6 (>= {glibc_floor(files)[0]})", *sorted(names)]


def _newest(symbols: str) -> tuple[int, int]:
    return max(((int(major), int(minor)) for major, minor in _VERSION.findall(symbols)), default=(0, 0))


def _output(*command: str) -> str:
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout


if __name__ == "__main__":
    print(table(Path(sys.argv[1])), end="")
    for file, names in not_found(Path(sys.argv[1])).items():
        sys.exit(f"{file}: {', '.join(names)} not found on this system")
