"""Write packaging/dependencies.md: what runs with ZEBRA, in which version, under which licence."""

from __future__ import annotations

import sys
import tomllib
from collections.abc import Sequence
from pathlib import Path

_ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(_ROOT))

from core.licences import Part, installed_parts

PAGE = Path(__file__).with_name("dependencies.md")
_HEAD = """# What runs with ZEBRA

The packages that the program needs, directly or not, on Linux; without the extras, and without what only
builds or tests it. Renewed by `make pins`; `constraints.txt` has the same versions, and those of all others.

| package | version | licence |
| --- | --- | --- |
"""


def parts() -> list[Part]:
    """What pyproject.toml asks for, and what that needs."""
    project = tomllib.loads((_ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return installed_parts(project["dependencies"])


def page(found: Sequence[Part]) -> str:
    """The page, by the names of the packages."""
    ordered = sorted(found, key=lambda part: part.name.casefold())
    return _HEAD + "".join(f"| {part.name} | {part.version} | {part.licence} |\n" for part in ordered)


if __name__ == "__main__":
    PAGE.write_text(page(parts()), encoding="utf-8")
