"""Make the bundle from this checkout and pack it into dist/: everything that `make bundle` does.

    python bundle.py            build, test, pack
    python bundle.py --twice    the same, then build again elsewhere and compare

Runs in an environment that has what ZEBRA needs, PyInstaller and cyclonedx-python-lib, and nothing else.
"""

from __future__ import annotations

import json
import os
import platform
import shutil
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

import archive
import icons
import icu
import needs
import prune
import sbom
import sizes
from left_out import is_wanted

from zebra_core.installation.examined import resource_hashes
from zebra_core.version import VERSION, commit

ROOT = Path(__file__).resolve().parent.parent
HERE = ROOT / "packaging"

MOST_BYTES = 175_000_000
_SYSTEMS = {"linux": "linux", "win32": "windows", "darwin": "macos"}
_LINUX = sys.platform == "linux"


def main() -> None:
    """Build, test and pack; ends with a message and status 1 where something is not as it should be."""
    date = commit_date()
    work, dist = ROOT / "build" / "bundle", ROOT / "dist"
    folder = build(work, dist / "bundle", date)
    if "--twice" in sys.argv[1:]:
        compare(folder, build(ROOT / "build" / "again", ROOT / "build" / "again" / "dist", date))
    run("smoke test", HERE / "smoke_test.py", folder / program_name())
    made = pack(folder, work, dist, date)
    weighed = sizes.as_table(sizes.weights(folder))
    asked = needs.table(folder) if _LINUX else ""
    (dist / "CONTENTS.md").write_text(f"{weighed}\n{asked}", encoding="utf-8")
    (dist / "SHA256SUMS").write_text(archive.checksums(made), encoding="utf-8")
    print(weighed, asked, *(f"{path.stat().st_size / 1e6:7.1f} MB  {path}" for path in made), sep="\n")
    if made[0].stat().st_size > MOST_BYTES:
        sys.exit(f"{made[0].name} is larger than {MOST_BYTES / 1e6:.0f} MB")


def commit_date() -> int:
    """When the commit was made, in seconds since 1970: the date of everything in the bundle."""
    if given := os.environ.get("SOURCE_DATE_EPOCH"):
        return int(given)
    said = subprocess.run(
        ["git", "-C", str(ROOT), "log", "-1", "--format=%ct"], capture_output=True, text=True, check=True
    )
    return int(said.stdout)


def build(work: Path, dist: Path, date: int) -> Path:
    """The finished folder, built from nothing but the checkout."""
    for old in (work, dist):
        shutil.rmtree(old, ignore_errors=True)
    work.mkdir(parents=True)
    when = datetime.fromtimestamp(date, UTC).isoformat()
    kept = {name: of for name, of in resource_hashes().items() if is_wanted(f"zebra_resources/{name}")}
    stamp = {"commit": os.environ.get("ZEBRA_COMMIT") or commit(), "date": when, "resources": kept}
    (work / "build.json").write_text(json.dumps(stamp) + "\n", encoding="utf-8")
    if sys.platform != "linux":
        icons.write(work / ("zebra.ico" if sys.platform == "win32" else "zebra.icns"))
    reproducible = {"PYTHONHASHSEED": "0", "SOURCE_DATE_EPOCH": str(date), "ZEBRA_BUNDLE_WORK": str(work)}
    # The archive packs all modules together, which is smaller than each of them packed by itself.
    reproducible["PYINSTALLER_ZLIB_COMPRESSION_LEVEL"] = "0"
    config = work / "pyinstaller"  # its caches, of this build alone
    command = [sys.executable, "-m", "PyInstaller", "--noconfirm", "--log-level", "WARN"]
    command += ["--distpath", str(dist), "--workpath", str(work / "work"), str(HERE / "zebra.spec")]
    environment = {**os.environ, **reproducible, "PYINSTALLER_CONFIG_DIR": str(config)}
    print("Building with PyInstaller: a minute or two ...", flush=True)
    subprocess.run(command, env=environment, check=True)
    folder = dist / "zebra"
    if _LINUX:
        slim(folder)
        needs.table(folder)
    if sys.platform == "win32":  # one of PyInstaller's would carry all modules a second time
        shutil.copy(ROOT / "build" / "zebra-window.exe", folder)
    shutil.copy(ROOT / "LICENSE", folder)
    if wrong := sbom.problems((work / "sbom.cdx.json").read_text(encoding="utf-8")):
        sys.exit(f"The list of components does not fit its schema: {wrong}")
    return folder


def slim(folder: Path) -> None:
    """Strip what bears it, trim the data of ICU, and keep one of each library that is there twice."""
    for file in needs.elf_files(folder):
        # Libraries moved into *.libs were patched: strip would misplace their segments. The program itself
        # carries the modules behind its end.
        if not file.parent.name.endswith(".libs") and file.parent != folder:
            subprocess.run(["strip", "--strip-unneeded", str(file)], check=True)
    for file in folder.rglob("libicudata.so*"):
        if not file.is_symlink():
            icu.trim(file)
    prune.link_twins(needs.elf_files(folder))


def pack(folder: Path, work: Path, dist: Path, date: int) -> list[Path]:
    """The files to give away, the archive first."""
    label = f"zebra-{VERSION}-{_SYSTEMS[sys.platform]}-{platform.machine().lower()}"
    listed = Path(shutil.copy(work / "sbom.cdx.json", dist / f"{label}.cdx.json"))
    named = dist / label
    shutil.rmtree(named, ignore_errors=True)
    shutil.copytree(folder, named, symlinks=True)
    if sys.platform == "win32":
        made = [archive.pack_zip(named, dist / f"{label}.zip", date)]
    else:
        made = [archive.pack_tar(named, dist / f"{label}.tar.xz", date)]
    shutil.rmtree(named)
    if _LINUX:
        import deb

        made.append(deb.make(folder, dist, VERSION, date))
    return [*made, listed]


def compare(first: Path, second: Path) -> None:
    """Say what differs between two builds; nothing should."""
    one, two = (set(archive.contents(folder).splitlines()) for folder in (first, second))
    differing = sorted({line.split("  ", 1)[1] for line in one ^ two})
    print(f"Two builds: {len(one)} files, {len(differing)} differ", *differing, sep="\n  ", flush=True)
    if differing:
        sys.exit(1)


def program_name() -> str:
    """The file to start."""
    return "zebra.exe" if sys.platform == "win32" else "zebra"


def run(what: str, *command: Path) -> None:
    """Run one of our own programs; end where it fails."""
    if subprocess.run([sys.executable, *map(str, command)], check=False).returncode:
        sys.exit(f"The {what} failed: see above")


if __name__ == "__main__":
    main()
