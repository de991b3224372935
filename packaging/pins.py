"""Write the pins: which version of everything is used, for all systems and Pythons at once, and its hashes.

    python pins.py            keep the versions in constraints.txt; add what is new, drop what nobody asks for
    python pins.py --newest   the newest versions that pyproject.toml allows

constraints.txt has one version of each package wherever that can be had, so that all Pythons compute with the
same libraries. locked-bundle.txt and locked-dev.txt are what `pip install --require-hashes` takes for these
extras. Asks `uv`, which is put into build/pins if there is none. It needs the network.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
import venv
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
HERE = ROOT / "packaging"
PINS = HERE / "constraints.txt"
LOCKED = ("bundle", "dev")
NOT_PINNED = "spark"  # has no wheel, and is of the version of its cluster
_ALWAYS = "hatchling\n"  # what builds ZEBRA itself
_HASHES = "# The packages of the extra `{extra}` with the hashes of all their files. Renewed by: make pins\n"


def main() -> None:
    """Write all three files."""
    uv = uv_program()
    heading = "".join(line for line in PINS.read_text(encoding="utf-8").splitlines(True) if line[0] == "#")
    known = "" if "--newest" in sys.argv[1:] else PINS.read_text(encoding="utf-8")
    wanted = [extra for extra in project()["optional-dependencies"] if extra != NOT_PINNED]
    pins = resolved(uv, [part for extra in wanted for part in ("--extra", extra)], known)
    PINS.write_text(heading + pins, encoding="utf-8")
    for extra in LOCKED:
        lines = resolved(uv, ["--extra", extra, "--generate-hashes"], pins)
        locked(extra).write_text(_HASHES.format(extra=extra) + lines, encoding="utf-8")


def locked(extra: str) -> Path:
    """Where the versions and hashes for an extra are."""
    return HERE / f"locked-{extra}.txt"


def project() -> dict[str, Any]:
    """What pyproject.toml declares."""
    declared: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    return dict(declared["project"])


def resolved(uv: str, what: list[str], constraints: str) -> str:
    """The versions for all systems and Pythons, each on its line, with a marker where it is not for all."""
    oldest = re.findall(r">=\s*([\d.]+)", project()["requires-python"])[0]
    with tempfile.TemporaryDirectory() as folder:
        known, always = Path(folder, "known.txt"), Path(folder, "always.in")
        known.write_text(constraints, encoding="utf-8")
        always.write_text(_ALWAYS, encoding="utf-8")
        command = [uv, "--quiet", "pip", "compile", "--universal", "--python-version", oldest]
        # Fewest versions, and wheels alone: nothing is built on a user's machine.
        command += ["--fork-strategy", "fewest", "--only-binary", ":all:", "--no-header", "--no-annotate"]
        command += [*what, "--constraint", str(known), str(ROOT / "pyproject.toml"), str(always)]
        return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout


def uv_program() -> str:
    """The path of `uv`: the one there is, or one of its own."""
    if found := shutil.which("uv"):
        return found
    place = ROOT / "build" / "pins"
    if not (place / "bin" / "uv").exists():
        venv.create(place, clear=True, with_pip=True)
        subprocess.run(
            [place / "bin" / "python", "-m", "pip", "install", "--quiet", "uv>=0.9,<1"],
            check=True, env={**os.environ, "PIP_DISABLE_PIP_VERSION_CHECK": "1"},
        )  # fmt: skip
    return str(place / "bin" / "uv")


if __name__ == "__main__":
    main()
