"""The program's files against the release's own list: that of a bundle's stamp, or of the wheel's record."""

from __future__ import annotations

import json
from base64 import urlsafe_b64decode
from collections.abc import Iterable, Mapping
from hashlib import sha256
from importlib import metadata
from pathlib import Path

import zebra_resources
from zebra_core.version import STAMP

PACKAGE = "zebra-privacy"
_OURS = ("zebra_core", "zebra_gui", "zebra_resources")


def resource_hashes() -> dict[str, str]:
    """The SHA-256 of every file among the resources, by its path, but of code and the stamp of a build.

    So they are the same wherever the same release runs, from Python or as a program of its own.
    """
    top = zebra_resources.path(".")
    files = {path.relative_to(top).as_posix(): path for path in sorted(top.rglob("*")) if path.is_file()}
    return {
        name: sha256(path.read_bytes()).hexdigest()
        for name, path in files.items()
        if path.suffix not in (".py", ".pyc") and name != STAMP
    }


def listed() -> dict[str, str]:
    """The SHA-256 that the release gives each of its files, by path; empty where it brought no list.

    A bundle lists its resources in its stamp; a wheel lists all files in its record. A checkout lists none.
    """
    try:
        return dict(json.loads(zebra_resources.read_text(STAMP)).get("resources", {}))
    except FileNotFoundError:
        return {name: digest for name, (digest, _path) in _recorded().items()}


def differing(release: Mapping[str, str]) -> list[str]:
    """Which of the listed files are not what the list says, or not there."""
    recorded = _recorded()
    here = resource_hashes()
    found = {name: _digest(recorded[name][1]) if name in recorded else here.get(name, "") for name in release}
    return [name for name, digest in release.items() if found[name] != digest]


def _recorded() -> dict[str, tuple[str, Path]]:
    """The digest and the place of each file of the program that the installed package's record names."""
    try:
        files: Iterable[metadata.PackagePath] = metadata.files(PACKAGE) or ()
    except metadata.PackageNotFoundError:
        return {}
    return {
        file.as_posix(): (_as_hex(file.hash.value), Path(str(file.locate())))
        for file in files
        if file.parts[0] in _OURS and file.hash is not None
    }


def _as_hex(digest: str) -> str:
    """A digest as records have it, Base64 without its end, as hexadecimal digits."""
    return urlsafe_b64decode(digest + "=" * (-len(digest) % 4)).hex()


def _digest(path: Path) -> str:
    return sha256(path.read_bytes()).hexdigest() if path.is_file() else ""
