"""Find out which system libraries and programs are missing, and install them where apt is there.

    python system_packages.py run         what the window and the reports need
    python system_packages.py run test    and what the tests need besides
    python system_packages.py run bundle  and what making the bundle needs

Each need is looked for itself, not in apt's books: this also works on systems without apt, and on
those that name the packages differently. The names below are those of Debian and Ubuntu.
"""

import ctypes
import importlib.util
import os
import shutil
import subprocess
import sys
from pathlib import Path

# Package -> what shows that it is there: a shared library, a program, or a file for TeX.
RUN = {
    "libegl1": "libEGL.so.1",
    "libgl1": "libGL.so.1",
    "libdbus-1-3": "libdbus-1.so.3",
    "libfontconfig1": "libfontconfig.so.1",
    "libglib2.0-0": "libglib-2.0.so.0",
    "libwayland-cursor0": "libwayland-cursor.so.0",
    "libxkbcommon0": "libxkbcommon.so.0",
    "libxkbcommon-x11-0": "libxkbcommon-x11.so.0",
    "libxcb-cursor0": "libxcb-cursor.so.0",
    "libxcb-icccm4": "libxcb-icccm.so.4",
    "libxcb-image0": "libxcb-image.so.0",
    "libxcb-keysyms1": "libxcb-keysyms.so.1",
    "libxcb-randr0": "libxcb-randr.so.0",
    "libxcb-render-util0": "libxcb-render-util.so.0",
    "libxcb-shape0": "libxcb-shape.so.0",
    "libxcb-xfixes0": "libxcb-xfixes.so.0",
}
TEST = {
    "xvfb": "xvfb-run",
    "xauth": "xauth",
    "poppler-utils": "pdftotext",
    "qpdf": "qpdf",
    "texlive-latex-base": "pdflatex",
    "texlive-latex-recommended": "booktabs.sty",
    "texlive-pictures": "pgfplots.sty",
    "preview-latex-style": "preview.sty",
}

_PYTHON = f"libpython{sys.version_info.major}.{sys.version_info.minor}"
BUNDLE = {
    "binutils": "objdump",
    "dpkg": "dpkg-deb",
    "xvfb": "xvfb-run",
    "xauth": "xauth",
    _PYTHON: f"{_PYTHON}.so.1.0",
}


def is_there(what: str) -> bool:
    """Whether a library loads, TeX finds a file, or a program is on the path."""
    if ".so." in what:
        if sys.platform != "linux":
            return True  # elsewhere Qt brings what it needs
        try:
            ctypes.CDLL(what)
        except OSError:
            return False
        return True
    if what.endswith(".sty"):
        kpsewhich = shutil.which("kpsewhich")
        return kpsewhich is not None and _run([kpsewhich, what]).returncode == 0
    return shutil.which(what) is not None


def missing(groups: list[str]) -> list[str]:
    """The packages that lack something, for the groups "run", "test" and "bundle"."""
    known = {"run": RUN, "test": TEST, "bundle": BUNDLE}
    needs = {package: what for group in groups for package, what in known[group].items()}
    packages = [package for package, what in needs.items() if not is_there(what)]
    # Debian's Python comes without the part that makes virtual environments.
    if "run" in groups and importlib.util.find_spec("ensurepip") is None:
        packages.append(f"python{sys.version_info.major}.{sys.version_info.minor}-venv")
    return packages


def install(packages: list[str]) -> str:
    """Install with apt; returns why that did not work, or nothing."""
    if shutil.which("apt-get") is None:
        return "there is no apt here"
    as_root: list[str] = []
    if os.geteuid() != 0:
        if shutil.which("sudo") is None:
            return "that takes root or sudo"
        as_root = ["sudo"]
    apt = [*as_root, "env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "-o", "DPkg::Lock::Timeout=120"]
    print("Installing with apt:", *packages, flush=True)
    # A source that cannot be refreshed need not be the one we install from: only the install counts.
    _run([*apt, "update"])
    done = _run([*apt, "install", "--yes", "--no-install-recommends", *packages])
    if done.returncode == 0:
        return ""
    print(done.stdout, file=sys.stderr)
    return "apt failed, see above"


def _run(command: list[str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace", check=False
    )


def main() -> None:
    """Install what is missing; where that cannot be done say so in one line, and go on."""
    packages = missing(sys.argv[1:])
    problem = install(packages) if packages else ""
    if problem:
        print(f"Missing, to be installed by hand ({problem}):", *packages, file=sys.stderr)


if __name__ == "__main__":
    if not set(sys.argv[1:]) <= {"run", "test", "bundle"}:
        sys.exit(f"usage: {Path(sys.argv[0]).name} [run] [test] [bundle]")
    main()
