"""What a figure draws, as numbers: a table to draw it from elsewhere."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Iterator, Sequence

import numpy as np

from zebra_core.figures.cells import CellsFigure
from zebra_core.figures.figure import Figure, NamedPoints
from zebra_core.wording.names import harmless_cell

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
