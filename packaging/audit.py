"""Hold the pinned versions against known advisories: python audit.py FILE

FILE has advisories in the JSON of OSV (https://ossf.github.io/osv-schema): one, a list, one a line, or a zip
of them, as it is offered for all of PyPI. Every affected pin is named, and the status is 1. What came of it
is kept for the validation dossier, in zebra_resources/audit.json. What is not a package of Python is not
looked for: Python itself, Qt, and what is compiled into packages.
"""

from __future__ import annotations

import json
import sys
import zipfile
from collections.abc import Iterable, Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import InvalidVersion, Version
from pins import LOCKED, PINS, ROOT, locked

RECORD = ROOT / "resources" / "zebra_resources" / "audit.json"
Advisory = dict[str, Any]
Pins = dict[str, set[str]]
"""The versions of each package, by its name as PEP 503 writes it."""


def main() -> None:
    """Name what is affected, and keep what came of it."""
    if len(sys.argv) != 2 or not Path(sys.argv[1]).is_file():
        sys.exit("Give a file of advisories in OSV's JSON: make audit ADVISORIES=FILE")
    given, known = Path(sys.argv[1]), pinned([PINS, *map(locked, LOCKED)])
    listed = list(advisories(given))
    found = [line for one in listed for line in affected(one, known)]
    if not listed:
        sys.exit(f"{given.name} has no advisories. Give one of OSV.")
    count = sum(map(len, known.values()))
    values = {
        "pins": count,
        "pins_sha256": fingerprint(known),
        "advisories": len(listed),
        "newest": max((one.get("modified", "") for one in listed), default="")[:10],
        "file_sha256": sha256(given.read_bytes()).hexdigest(),
        "found": found,
    }
    RECORD.write_text(json.dumps(values, indent=1) + "\n", encoding="utf-8", newline="\n")
    print("\n".join([*found, f"{count} pins, {len(listed)} advisories: {len(found)} found"]))
    sys.exit(bool(found))


def pinned(files: Iterable[Path]) -> Pins:
    """What these lists pin."""
    found: Pins = {}
    for file in files:
        for line in file.read_text(encoding="utf-8").splitlines():
            if line and line[0] not in "# ":
                one = Requirement(line.rstrip("\\ "))
                (version,) = one.specifier
                found.setdefault(canonicalize_name(one.name), set()).add(version.version)
    return found


def fingerprint(known: Pins) -> str:
    """What tells these pins from others."""
    lines = sorted(f"{name}=={version}\n" for name, versions in known.items() for version in versions)
    return sha256("".join(lines).encode()).hexdigest()


def advisories(file: Path) -> Iterator[Advisory]:
    """All advisories of a file."""
    if zipfile.is_zipfile(file):
        with zipfile.ZipFile(file) as packed:
            for name in packed.namelist():
                if name.endswith(".json"):
                    yield from _read(packed.read(name).decode("utf-8"))
    else:
        yield from _read(file.read_text(encoding="utf-8"))


def _read(text: str) -> list[Advisory]:
    try:
        values = json.loads(text)
    except ValueError:  # one a line
        values = [json.loads(line) for line in text.splitlines() if line.strip()]
    return values if isinstance(values, list) else [values]


def affected(advisory: Advisory, known: Pins) -> Iterator[str]:
    """A line for each pin that an advisory is about; none for one that was withdrawn."""
    for one in () if advisory.get("withdrawn") else advisory.get("affected", ()):
        package = one.get("package", {})
        name = canonicalize_name(package.get("name", ""))
        for version in sorted(known.get(name, ()) if package.get("ecosystem") == "PyPI" else ()):
            if _is_in(one, version):
                yield f"{name} {version}: {advisory['id']} {advisory.get('summary', '')}".rstrip()


def _is_in(one: dict[str, Any], version: str) -> bool:
    """Whether a version is affected; also where nothing can be compared, because that must be looked at."""
    ranges = [each for each in one.get("ranges", ()) if each.get("type") != "GIT"]
    listed = one.get("versions", ())
    try:
        if Version(version) in {Version(each) for each in listed if _is_version(each)}:
            return True
        return any(_is_within(each["events"], version) for each in ranges) or not (ranges or listed)
    except InvalidVersion:
        return True


def _is_version(text: str) -> bool:
    try:
        return bool(Version(text))
    except InvalidVersion:  # of long ago
        return False


def _is_within(events: list[dict[str, str]], version: str) -> bool:
    """The rule of OSV: the last event at or before a version decides."""
    at = [(Version("0.dev0" if when == "0" else when), kind) for one in events for kind, when in one.items()]
    inside = False
    for when, kind in sorted(at, key=lambda one: (one[0], one[1] == "introduced")):
        if kind == "introduced":
            inside |= Version(version) >= when
        elif kind == "last_affected":
            inside &= Version(version) <= when
        elif kind == "fixed":
            inside &= Version(version) < when
    return inside


if __name__ == "__main__":
    main()
