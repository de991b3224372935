"""Saving figures: which formats there are, and what the files are called.

What a figure draws, as numbers: a table to draw it from elsewhere.
"""

from __future__ import annotations

import csv
import io
import math
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from hashlib import sha256
from pathlib import Path

import numpy as np

from zebra_core.errors import OutputError
from zebra_core.figures.all_pictures import AvailablePicture
from zebra_core.figures.figure import CellsFigure, Figure, NamedPoints
from zebra_core.files.access import make_folder, write_files
from zebra_core.wording.texts import harmless_cell, joined

EXTENSIONS = ("png", "pdf", "svg", "tex")
"""Of pictures."""

CURVES = "csv"
"""Of what is drawn, as numbers."""

_NOT_PLAIN = re.compile(r"[^A-Za-z0-9-]")
_LONGEST_STEM = 180  # bytes: leaves room for "-standalone.tex" below the 255 of every common file system
_DIGEST_LENGTH = 8


def zebra_stem(label: str) -> str:
    """The file name, without extension, that the reference toolkit gives a figure: ZEBRA-<label>.

    Letters, digits, hyphens and underscores stay; whatever else there is becomes a hyphen, for a shell, TeX
    or another system may take it for its own. A label that is too long is cut, and told from others by a few
    digits at the end. Device names such as CON need no care: the name never begins with the label.
    """
    plain = "".join(c if c.isalnum() or c in "-_" else " " for c in unicodedata.normalize("NFC", label))
    stem = "-".join(["ZEBRA", *plain.split()])
    if len(stem.encode()) <= _LONGEST_STEM:
        return stem
    kept = stem.encode()[: _LONGEST_STEM - _DIGEST_LENGTH - 1].decode("utf-8", "ignore")
    return f"{kept}-{_digest(label)}"


def zebra_stems(labels: Iterable[str]) -> list[str]:
    """The stems of these labels, which differ in more than capitals; labels that would share one get digits.

    Windows and macOS take ZEBRA-B1.png and ZEBRA-b1.png for one file.
    """
    stems = [(zebra_stem(label), label) for label in labels]
    often = Counter(stem.casefold() for stem, _ in stems)
    return [stem if often[stem.casefold()] == 1 else f"{stem}-{_digest(label)}" for stem, label in stems]


def save_figure(
    figure: Figure | CellsFigure | AvailablePicture,
    stem: str,
    extension: str,
    folder: str | Path,
    *,
    overwrite: bool = False,
) -> list[Path]:
    r"""Save a figure in a folder.

    Parameters
    ----------
    `figure`
        What to draw, such as one of `pictures_of`.
    `stem`, `extension`
        Their file is called `stem`.`extension`. The extension is png, pdf, svg; csv, what is drawn as
        numbers (`curves.as_csv`); or tex, which writes two files: <stem>.tex, a picture to \input, and
        <stem>-standalone.tex, which compiles by itself. Tables of cells and rasters have a third, the PNG
        with their colours that both need beside them.
    `folder`
        Where to write; it is made where it is not there.
    `overwrite`
        Whether files that are there may be replaced.

    Returns
    -------
    list of Path
        What was written.

    Raises
    ------
    OutputError
        Where it cannot be written, for another extension, and for files that are there unless `overwrite` is
        said.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> import zebra_resources
    >>> from zebra_core import pictures_of, project_of_folder, save_figure
    >>> picture = pictures_of(project_of_folder(zebra_resources.path("demo")).project)[0]
    >>> with TemporaryDirectory() as folder:
    ...     files = save_figure(picture, "profiles", "tex", folder)
    ...     [file.name for file in files]
    ['profiles.tex', 'profiles-standalone.tex']
    """
    made = figure.made() if isinstance(figure, AvailablePicture) else figure
    files = figure_files(made, stem, extension)
    place = make_folder(Path(folder))
    return write_files({place / name: content for name, content in files.items()}, overwrite=overwrite)


def figure_files(figure: Figure | CellsFigure, stem: str, extension: str) -> dict[str, bytes]:
    """The files that `save_figure` writes, name to content. Raises OutputError for another extension."""
    # The renderers are loaded when something is drawn: matplotlib takes its time.
    if extension == "tex":
        return _tex_files(figure, stem)
    if extension == CURVES:
        return {f"{stem}.{CURVES}": as_csv(figure).encode("utf-8", "backslashreplace")}
    if extension not in EXTENSIONS:
        raise OutputError("figure-format", found=extension, known=joined((*EXTENSIONS, CURVES)))
    from zebra_core.figures.matplotlib_ import render

    return {f"{stem}.{extension}": render(figure, extension)}


def _tex_files(figure: Figure | CellsFigure, stem: str) -> dict[str, bytes]:
    from zebra_core.figures.pgfplots import raster_png, standalone, tikz, tikz_and_image

    beside: dict[str, bytes] = {}
    if isinstance(figure, CellsFigure):
        image = f"{_plain(stem)}-cells.png"
        picture, beside[image] = tikz_and_image(figure, image)
    elif figure.raster:
        image = f"{_plain(stem)}-raster.png"
        picture, beside[image] = tikz(figure, image), raster_png(figure.raster)
    else:
        picture = tikz(figure)
    return {
        f"{stem}.tex": picture.encode("ascii"),
        f"{stem}-standalone.tex": standalone(figure.title, picture).encode("ascii"),
        **beside,
    }


def _plain(stem: str) -> str:
    """The stem in letters, digits and hyphens, which TeX takes for nothing else; others become a hyphen.

    Stems that differ stay apart: where anything was changed a few digits at the end tell them from others.
    """
    plain = _NOT_PLAIN.sub("-", stem)
    return plain if plain == stem else f"{plain}-{_digest(stem)}"


def _digest(text: str) -> str:
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:_DIGEST_LENGTH]


_CsvRow = Sequence[object]


def as_csv(figure: Figure | CellsFigure) -> str:
    """A row for each point of each curve, or for each cell, unrounded.

    Of curves: "series" is the label in the legend (empty for guides), then both axes under their labels, with
    rates in place of their probits; an area has the other edge in "base", a point its name or its text in
    "name", a coloured place what its colour stands for in "value". Of cells: "panel", "row", "column",
    "value" (empty where there is none) and "trials".
    """
    stream = io.StringIO()
    rows = _of_cells(figure) if isinstance(figure, CellsFigure) else _of_curves(figure)
    csv.writer(stream, lineterminator="\n").writerows(rows)
    return stream.getvalue()


def _of_curves(figure: Figure) -> Iterator[_CsvRow]:
    axes = map(harmless_cell, (figure.x.label, figure.y.label))
    yield "series", *axes, "base", "name", *(("value",) if figure.raster else ())
    x, y = figure.x.reading, figure.y.reading
    for line in figure.lines:
        for across, up in zip(line.x.tolist(), line.y.tolist(), strict=True):
            yield harmless_cell(line.label or ""), x(across), y(up), "", ""
    for area in figure.areas:
        base = [0.0] * len(area.x) if area.base is None else area.base.tolist()
        for across, up, low in zip(area.x.tolist(), area.y.tolist(), base, strict=True):
            yield "", x(across), y(up), y(low), ""
    for points in figure.points:
        names = points.names if isinstance(points, NamedPoints) else points.texts
        for number, (across, up) in enumerate(zip(points.x.tolist(), points.y.tolist(), strict=True)):
            name = names[number] if number < len(names) else ""
            yield harmless_cell(points.label or ""), x(across), y(up), "", harmless_cell(name)
    if figure.raster:
        for row, column in np.ndindex(figure.raster.values.shape):
            value = figure.raster.values[row, column].item()
            yield "", *figure.raster.middle_of(row, column), "", "", value


def _of_cells(figure: CellsFigure) -> Iterator[_CsvRow]:
    yield "panel", "row", "column", "value", "trials"
    for cells in (cells for row in figure.panels for cells in row):
        for i, row in enumerate(cells.row_names):
            for j, column in enumerate(cells.column_names):
                names = map(harmless_cell, (cells.title, row, column))
                value = float(cells.values[i, j])
                yield *names, "" if math.isnan(value) else value, int(cells.counts[i, j])
