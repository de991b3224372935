"""What weighs what: the bundle by component, on disk and compressed."""

from __future__ import annotations

import zlib
from collections.abc import Iterable
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path

# The first pattern that fits a place in the bundle says to which component it belongs.
COMPONENTS = {
    "*libicu*": "ICU, which Qt needs",
    "*PySide6*": "Qt and PySide6",
    "*shiboken6*": "Qt and PySide6",
    "*libQt6*": "Qt and PySide6",
    "*pyside6*": "Qt and PySide6",
    "*numpy*": "NumPy with OpenBLAS",
    "*scipy*": "SciPy with OpenBLAS",
    "*pandas*": "pandas",
    "*matplotlib*": "matplotlib and what it needs",
    "*kiwisolver*": "matplotlib and what it needs",
    "*fontTools*": "matplotlib and what it needs",
    "*PIL*": "matplotlib and what it needs",
    "*pillow*": "matplotlib and what it needs",
    "*typst*": "Typst",
    "*duckdb*": "DuckDB",
    "*zebra_resources/recogniser*": "the recogniser",
    "*zebra_resources/recordings*": "the demo's recordings",
    "*onnxruntime*": "onnxruntime",
    "*soundfile*": "reading, resampling and playing sound",
    "*soxr*": "reading, resampling and playing sound",
    "*miniaudio*": "reading, resampling and playing sound",
    "*pyqtgraph*": "pyqtgraph",
    "*resources*": "demo data, fonts, texts, licences",
    "zebra": "the program: all modules of Python",
    "zebra*.exe": "the program: all modules of Python",
    "*python3*": "Python",
    "*base_library.zip": "Python",
    "*.so*": "libraries of the system",
}
OTHER = "the rest"


@dataclass(frozen=True)
class Weight:
    """One component: bytes on disk, and compressed one file after the other (zlib, level 9)."""

    component: str
    on_disk: int
    compressed: int


def component_of(place: str) -> str:
    """The component of a file, by its place in the bundle."""
    inner = place.removeprefix("_internal/")
    return next((name for pattern, name in COMPONENTS.items() if fnmatchcase(inner, pattern)), OTHER)


def weights(folder: Path) -> list[Weight]:
    """The components of the bundle in this folder, the heaviest (compressed) first. Links weigh nothing."""
    found: dict[str, tuple[int, int]] = {}
    for path in sorted(folder.rglob("*")):
        if path.is_symlink() or not path.is_file():
            continue
        content = path.read_bytes()
        name = component_of(path.relative_to(folder).as_posix())
        on_disk, compressed = found.get(name, (0, 0))
        found[name] = (on_disk + len(content), compressed + len(zlib.compress(content, 9)))
    made = [Weight(name, *sizes) for name, sizes in found.items()]
    return sorted(made, key=lambda weight: (-weight.compressed, weight.component))


def as_table(found: Iterable[Weight]) -> str:
    """The weights as a table in Markdown, in megabytes (10^6 bytes), with their sum."""
    rows = list(found)
    total = Weight("together", sum(w.on_disk for w in rows), sum(w.compressed for w in rows))
    lines = [f"| {w.component} | {w.on_disk / 1e6:.1f} | {w.compressed / 1e6:.1f} |" for w in [*rows, total]]
    return "\n".join(["| component | MB on disk | MB compressed |", "| --- | ---: | ---: |", *lines]) + "\n"
