"""Finds out what is in the bundle, of whom and under which licence, and writes that down twice.

licences.txt is for people and goes into the bundle; sbom.cdx.json, in CycloneDX, is for machines.
"""

from __future__ import annotations

import json
import platform
import subprocess
import sys
import sysconfig
from collections.abc import Iterable
from importlib.metadata import Distribution, distribution, packages_distributions
from pathlib import Path

import sbom

from zebra_core.installation.licences import Component, of_resources, part_of, written
from zebra_core.version import VERSION

Entry = tuple[str, str, str]
"""Place in the bundle, where it comes from, kind."""

_OURS = ("zebra_core", "zebra_gui", "zebra_resources")
_HERE = Path(__file__).resolve().parent
_ICU = Component(
    "ICU",
    "73",
    "Unicode-TOU",
    "https://icu.unicode.org (its data for languages other than English are left out)",
    ((_HERE / "ICU-LICENSE.txt").read_text(encoding="utf-8"),),
)


def write(pure: Iterable[Entry], files: Iterable[Entry], folder: Path) -> None:
    """Write licences.txt and sbom.cdx.json into the folder, for these modules and files."""
    modules, listed = list(pure), list(files)
    packages = {entry[0].split(".")[0] for entry in modules}
    packages |= {Path(place).parts[0] for place, _, _ in listed if len(Path(place).parts) > 1}
    parts = [_python(), part_of(distribution("pyinstaller")), *(_packaged(d) for d in _owners(packages))]
    parts += _of_system({source for _, source, kind in listed if kind == "BINARY"})
    if any("libicudata" in place for place, _, _ in listed):
        parts.append(_ICU)
    parts.sort(key=lambda part: part.name.casefold())
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "licences.txt").write_text(written(parts), encoding="utf-8", newline="\n")
    stamp = json.loads((folder / "build.json").read_text(encoding="utf-8"))
    made = sbom.document([*parts, *of_resources()], VERSION, stamp["commit"], stamp["date"])
    (folder / "sbom.cdx.json").write_text(sbom.as_text(made), encoding="utf-8", newline="\n")


def _owners(packages: Iterable[str]) -> list[Distribution]:
    """The installed distributions that these top-level packages belong to."""
    owners = packages_distributions()
    names = {name for package in packages if package not in _OURS for name in owners.get(package, ())}
    return [distribution(name) for name in sorted(names)]


def _packaged(found: Distribution) -> Component:
    """A package from the index, with what is compiled into it where it says so."""
    part = part_of(found)
    built_in = [file for file in found.files or () if "sboms" in file.parts and file.suffix == ".json"]
    lists = tuple(_components(json.loads(file.locate().read_text(encoding="utf-8"))) for file in built_in)
    purl = f"pkg:pypi/{part.name.lower().replace('_', '-')}@{part.version}"
    return Component(part.name, part.version, part.licence, part.home, (*part.texts, *lists), purl)


def _components(document: dict[str, object]) -> str:
    """The list of components in a CycloneDX document, one a line."""
    lines = []
    for component in document.get("components", ()):  # type: ignore[attr-defined]
        named = [choice.get("expression") or choice["license"].get("id") or choice["license"].get("name")
                 for choice in component.get("licenses", ())]  # fmt: skip
        lines.append(f"  {component['name']} {component.get('version', '')}: {', '.join(named) or '-'}")
    return "\n".join(["Compiled into it:", *sorted(lines)])


def _python() -> Component:
    """The interpreter and its library."""
    places = (Path(sysconfig.get_path("stdlib")), Path(sys.base_prefix), Path("/usr/share/doc/python3.11"))
    texts = [place / name for place in places for name in ("LICENSE.txt", "LICENSE", "copyright")]
    text = next(file for file in texts if file.is_file()).read_text(encoding="utf-8")
    version = platform.python_version()
    return Component(
        "Python", version, "PSF-2.0", "https://www.python.org", (text,), f"pkg:generic/python@{version}"
    )


def _of_system(sources: Iterable[str]) -> list[Component]:
    """The packages of the system that libraries were taken from; only Debian and its like can say."""
    packages = set()
    for source in sources:
        if source.startswith(("/lib/", "/usr/lib/")):
            # The books of dpkg may say /lib where the file is found in /usr/lib.
            place = str(Path(source).resolve()).removeprefix("/usr")
            packages.add(_output("dpkg-query", "-S", f"*{place}").split(":")[0])
    parts = []
    for package in sorted(packages):
        version = _output("dpkg-query", "-W", "-f", "${Version}", package)
        text = Path("/usr/share/doc", package, "copyright").read_text(encoding="utf-8", errors="replace")
        purl = f"pkg:deb/debian/{package}@{version.replace(':', '%3A').replace('+', '%2B')}"
        parts.append(Component(package, version, "see its text", "from Debian", (text,), purl))
    return parts


def _output(*command: str) -> str:
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
