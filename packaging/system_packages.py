"""Find out which system libraries and programs are missing, and install them where that can be done.

    python system_packages.py install run         what the window and the reports need
    python system_packages.py install run test    and what the tests need besides
    python system_packages.py install run bundle  and what making the bundle needs
    python system_packages.py name run            only name what is missing, with the command that installs it

Each need is looked for itself, not in a package manager's books: this also works on systems that name the
packages differently. The names below are those of Debian and Ubuntu. Status 1: Python lacks a part.
"""

import importlib.util
import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from zebra_gui.commands.libraries import QT as RUN, is_installed

# Package -> what shows that it is there: a shared library, a program, or a file for TeX.
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
# For the walk with a screen reader's eyes; gi is the system's Python's.
ACCESSIBILITY = {
    "xvfb": "Xvfb",
    "dbus": "dbus-daemon",
    "at-spi2-core": "/usr/libexec/at-spi-bus-launcher",
    "python3-gi": "/usr/lib/python3/dist-packages/gi/__init__.py",
    "gir1.2-atspi-2.0": "Atspi-2.0.typelib",
}

# For Spark.
CLUSTER = {"openjdk-17-jre-headless": "java"}

VENV = f"python{sys.version_info.major}.{sys.version_info.minor}-venv"
_PROXIES = ("http_proxy", "https_proxy", "no_proxy")
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
        return is_installed(what)
    if what.endswith(".sty"):
        kpsewhich = shutil.which("kpsewhich")
        return kpsewhich is not None and _run([kpsewhich, what]).returncode == 0
    if what.endswith(".typelib"):
        return any(Path("/usr").glob(f"lib*/{what}")) or any(
            Path("/usr").glob(f"lib*/**/girepository-1.0/{what}")
        )
    return shutil.which(what) is not None or (what.startswith("/") and Path(what).exists())


def missing(groups: list[str]) -> list[str]:
    """The packages that lack something, for these groups of them."""
    known = {"run": RUN, "test": TEST, "accessibility": ACCESSIBILITY, "bundle": BUNDLE, "cluster": CLUSTER}
    needs = {package: what for group in groups for package, what in known[group].items()}
    packages = [package for package, what in needs.items() if not is_there(what)]
    return [*packages, VENV] if "run" in groups and not _makes_environments() else packages


def _makes_environments() -> bool:
    """Whether this Python can: Debian's comes without the part."""
    return importlib.util.find_spec("ensurepip") is not None


def command(packages: list[str]) -> list[str]:
    """What an administrator types to install these packages here; empty where that is not known."""
    if shutil.which("apt-get"):
        return ["apt-get", "install", "--yes", "--no-install-recommends", *packages]
    wanted = {**RUN, **TEST, **ACCESSIBILITY, **BUNDLE}
    for manager in ("dnf", "zypper"):  # they find packages by what is inside
        if shutil.which(manager):
            return [
                manager,
                "install",
                *(_capability(wanted[package]) for package in packages if package in wanted),
            ]
    return []


def _capability(what: str) -> str:
    if ".so." in what:
        return f"{what}()(64bit)"
    if what.endswith(".typelib"):
        return f"typelib({what.removesuffix('.typelib').replace('-', ') = ')}"
    if what.startswith("/"):
        return what
    return f"tex({what})" if what.endswith(".sty") else f"/usr/bin/{what}"


def install(packages: list[str]) -> bool:
    """Install with apt, as root or with sudo; whether that was done."""
    if shutil.which("apt-get") is None:
        return False
    as_root: list[str] = []
    if os.geteuid() != 0:
        if shutil.which("sudo") is None:
            return False
        # sudo forgets which proxy to use, and asks for a password only where there is somebody to type it.
        as_root = ["sudo", *([] if sys.stdin.isatty() else ["--non-interactive"])]
    proxies = [f"{name}={os.environ[name]}" for name in _PROXIES if os.environ.get(name)]
    apt = [
        *as_root,
        "env",
        "DEBIAN_FRONTEND=noninteractive",
        *proxies,
        "apt-get",
        "-o",
        "DPkg::Lock::Timeout=120",
    ]
    print("Installing with apt:", *packages, flush=True)
    # A source that cannot be refreshed need not be the one we install from: only the install counts.
    _run([*apt, "update"])
    done = _run([*apt, *command(packages)[1:]])
    if done.returncode:
        print(done.stdout, file=sys.stderr)
    return done.returncode == 0


def _run(command: list[str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace", check=False
    )


def told(packages: list[str]) -> str:
    """What is missing, and the one command for whoever may install it."""
    asked = shlex.join(command(packages))
    lacking = "ZEBRA needs" if VENV in packages else "ZEBRA is set up, but windows, tests or bundles need"
    if not asked:
        return f"{lacking} what is in these packages of Debian: {' '.join(packages)}"
    how = "An administrator can install them with:"
    return f"{lacking} system packages that are missing here. {how}\n\n    {asked}\n"


def main(way: str, groups: list[str]) -> int:
    """Install or name what is missing; the status is 1 where nothing can go on without it."""
    packages = missing(groups)
    if not packages:
        return 0
    if way == "install" and install(packages):
        return 0
    if way == "name" or VENV in packages or groups != ["run"]:
        print(told(packages), file=sys.stderr)
    return 1 if VENV in packages else 0


if __name__ == "__main__":
    if sys.argv[1:2] not in (["install"], ["name"]) or not set(sys.argv[2:]) <= {
        "run",
        "test",
        "accessibility",
        "bundle",
        "cluster",
    }:
        usage = "install|name [run] [test] [accessibility] [bundle] [cluster]"
        sys.exit(f"usage: {Path(sys.argv[0]).name} {usage}")
    sys.exit(main(sys.argv[1], sys.argv[2:]))
